"""Things where they stand: the same thing, in surroundings that never move and that it never goes below."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import torch

from neurok.datasets import splits
from neurok.datasets.generators import training_families
from neurok.kinematics.joints import JointKinematics
from neurok.objects import families
from neurok.objects.composites.tabletop_scenes import swept_bounds, tabletop_scene


@pytest.mark.parametrize("family", ["drawer_unit", "desk_lamp", "lidded_box"])
def test_a_thing_moves_on_its_table_as_it_does_alone(family):
    thing = families()[family](np.random.default_rng(1))
    alone = JointKinematics(thing)
    among = JointKinematics(tabletop_scene((lambda _: thing,), np.random.default_rng(4)))
    assert alone.names == among.names and len(among.shape.part_names) > len(thing.part_names)
    q = alone.finite_limits(1.0).mean(1)
    around, own = among.positions(q).split(
        [len(among.shape.vertices) - len(thing.vertices), len(thing.vertices)]
    )
    assert torch.allclose(own, alone.positions(q), atol=1e-9)
    assert torch.equal(around, among.positions(among.rest)[: len(around)])


@pytest.mark.parametrize("family", ["drawer_unit", "desk_lamp", "lidded_box"])
def test_it_stands_on_the_table_and_reaches_nowhere_below(family):
    thing = families()[family](np.random.default_rng(1))
    whole = tabletop_scene((lambda _: thing,), np.random.default_rng(4))
    bounds, slack = swept_bounds(thing), 0.01 * thing.normalisation.radius
    slab = whole.vertices[np.unique(whole.faces[whole.faces_of(whole.joints.order[0])])]
    under = (np.abs(slab[:, 2] - thing.bounds[0, 2]) < 1e-9).sum()
    assert under >= 4, "the top of the slab is where the thing begins"
    assert bounds[0, 2] > thing.bounds[0, 2] - slack
    assert (slab[:, :2].min(0) < bounds[0, :2]).all() and (slab[:, :2].max(0) > bounds[1, :2]).all()


def test_what_would_reach_below_its_table_is_drawn_again():
    """An excavator digs below what it stands on."""
    digger, box = (families()[name](np.random.default_rng(1)) for name in ("excavator", "lidded_box"))
    left = [digger, box]
    whole = tabletop_scene((lambda _: left.pop(0),), np.random.default_rng(0))
    assert not left and set(box.part_names) < set(whole.part_names)


def test_no_held_out_family_stands_in_a_setting():
    lists = [Path(splits.__file__).parent / f"{split}.txt" for split in ("test", "validation")]
    lines = [line.split("/") for file in lists for line in file.read_text().splitlines()]
    held_out = {line[1] for line in lines if line[0] == "generated" and line[2:] == ["*"]}
    assert {"scissors", "laptop"} < held_out
    assert {make.__name__ for make in training_families()} == set(families()) - held_out
