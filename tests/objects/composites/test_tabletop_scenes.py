"""Tabletop scenes keep the motion of their object and add fixed surroundings."""

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
def test_an_object_moves_on_its_table_as_it_does_alone(family):
    subject = families()[family](np.random.default_rng(1))
    alone = JointKinematics(subject)
    among = JointKinematics(tabletop_scene((lambda _: subject,), np.random.default_rng(4)))
    assert alone.names == among.names and len(among.shape.part_names) > len(subject.part_names)
    q = alone.finite_limits(1.0).mean(1)
    around, own = among.positions(q).split(
        [len(among.shape.vertices) - len(subject.vertices), len(subject.vertices)]
    )
    assert torch.allclose(own, alone.positions(q), atol=1e-9)
    assert torch.equal(around, among.positions(among.rest)[: len(around)])


@pytest.mark.parametrize("family", ["drawer_unit", "desk_lamp", "lidded_box"])
def test_an_object_stands_on_its_table_and_reaches_nowhere_below(family):
    subject = families()[family](np.random.default_rng(1))
    whole = tabletop_scene((lambda _: subject,), np.random.default_rng(4))
    bounds, slack = swept_bounds(subject), 0.01 * subject.normalisation.radius
    slab = whole.vertices[np.unique(whole.faces[whole.faces_of(whole.joints.order[0])])]
    under = (np.abs(slab[:, 2] - subject.bounds[0, 2]) < 1e-9).sum()
    assert under >= 4, "the object stands on the top of the slab"
    assert bounds[0, 2] > subject.bounds[0, 2] - slack
    assert (slab[:, :2].min(0) < bounds[0, :2]).all() and (slab[:, :2].max(0) > bounds[1, :2]).all()


def test_an_object_that_reaches_below_its_table_is_drawn_again():
    """An excavator digs below its own ground."""
    digger, box = (families()[name](np.random.default_rng(1)) for name in ("excavator", "lidded_box"))
    left = [digger, box]
    whole = tabletop_scene((lambda _: left.pop(0),), np.random.default_rng(0))
    assert not left and set(box.part_names) < set(whole.part_names)


def test_no_held_out_family_stands_in_a_tabletop_scene():
    lists = [Path(splits.__file__).parent / f"{split}.txt" for split in ("test", "validation")]
    lines = [line.split("/") for file in lists for line in file.read_text().splitlines()]
    held_out = {line[1] for line in lines if line[0] == "generated" and line[2:] == ["*"]}
    assert {"scissors", "laptop"} < held_out
    assert {make.__name__ for make in training_families()} == set(families()) - held_out
