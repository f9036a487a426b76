"""Moved parts, copies, and pins of a simulation change the predicted joints."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
import torch
import trimesh
from scipy.special import log_softmax

from neurok.articulation import Articulation, PartJoint, find_parts
from neurok.articulation.choice import _with_copies
from neurok.articulation.clouds import read_parts
from neurok.articulation.decision import predict_joints, score
from neurok.articulation.features import part_scene
from neurok.articulation.parts import Hints, Parts
from neurok.assets import SHIPPED
from neurok.dynamics import Pin, Push
from neurok.dynamics.places import standing_base
from neurok.pipelines.simulate import prepare
from neurok.shapes import Shape
from neurok.shapes.load import load_shape


def drawer_with_a_grip() -> Parts:
    """A chest, a drawer in its opening and a grip on the drawer, as three parts."""
    sizes = {"chest": (1.0, 1.0, 1.0), "drawer": (0.9, 0.1, 0.4), "grip": (0.3, 0.05, 0.05)}
    places = {"chest": (0, 0, 0), "drawer": (0, -0.55, 0), "grip": (0, -0.62, 0)}
    boxes = [trimesh.creation.box(size).apply_translation(places[name]) for name, size in sizes.items()]
    both = trimesh.util.concatenate(boxes)
    shape = Shape(np.asarray(both.vertices), np.asarray(both.faces), "chest")
    part = np.repeat([0, 1, 2], [len(box.faces) for box in boxes])
    return Parts(shape.with_(part=part, part_names=tuple(sizes)), "file", 1.0)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("odds", "alone"),
    [((-5.0, -6.0), False), ((-2.0, -9.0), False), ((-0.5, -9.0), True), ((4.0, -9.0), True)],
)
def test_a_moved_part_or_its_carrier_moves(monkeypatch, odds, alone) -> None:
    """If neither a grip nor its drawer seems to move, a push on the grip moves the likelier of the two.

    Without the push the drawer moves if it seems to, or if it is unlikely that all parts are fixed.
    """
    parts = drawer_with_a_grip()

    def fixed(batch, ensemble):
        scores = score(batch, ensemble)
        kind, parent = torch.zeros_like(scores.kind), torch.full_like(scores.parent, -50.0)
        kind[0, :, 1:] = torch.tensor([[-20.0], [odds[0]], [odds[1]]])
        for child, carrier in enumerate((3, 0, 1)):
            parent[0, child, carrier] = 0.0
        return scores._replace(kind=kind, parent=parent)

    monkeypatch.setattr("neurok.articulation.decision.score", fixed)
    assert [j.moves for j in predict_joints(parts).joints] == [False, alone, False]
    pushed = predict_joints(parts, standing=["chest"], moved=["grip"])
    assert [j.moves for j in pushed.joints] == [False, True, False]
    assert [j.parent for j in pushed.joints] == [None, "chest", "drawer"]


def test_types_of_copies_count_by_half() -> None:
    """Three equal knobs and a larger one on a body; one of the three has other scores."""
    sizes = [(1.0, 1.0, 1.0), *[(0.1, 0.1, 0.1)] * 3, (0.2, 0.2, 0.2)]
    boxes = [
        trimesh.creation.box(size).apply_translation((0.25 * (k - 2), 0, 0.5 * bool(k)))
        for k, size in enumerate(sizes)
    ]
    whole = trimesh.util.concatenate(boxes)
    shape = Shape(np.asarray(whole.vertices), np.asarray(whole.faces), "panel")
    named = shape.with_(part=np.repeat(np.arange(5), 12), part_names=("body", "a", "b", "c", "large"))
    scene = part_scene(read_parts(named))
    turns, stands = np.log([0.1, 0.8, 0.05, 0.05]), np.log([0.6, 0.3, 0.05, 0.05])
    found = _with_copies(np.stack([stands, turns, stands, turns, stands]), scene)
    assert found.argmax(1).tolist() == [0, 1, 1, 1, 0]
    assert np.allclose(found[[0, 4]], stands) and np.allclose(np.exp(found).sum(1), 1)
    assert np.allclose(found[2], log_softmax(stands / 2 + turns / 2))


@pytest.mark.parametrize(("free", "back"), [((0.0, 0.05), -1.0), ((0.0, 0.9), 0.0), ((-0.4, 0.0), -0.4)])
def test_a_pushed_joint_that_seems_stuck_moves_both_ways(free, back) -> None:
    line = np.eye(3)[0], np.zeros(3)
    drawer = PartJoint("drawer", "prismatic", "chest", *line, 0.0, 1.0, 1.0, True, True, free=free)
    grip = replace(drawer, part="grip", kind="fixed", parent="drawer", free=(0.0, 0.0))
    chest = replace(drawer, part="chest", kind="fixed", parent=None, free=(0.0, 0.0))
    found = Articulation(drawer_with_a_grip().shape, (chest, drawer, grip), "file")
    for moved in (["grip"], ["drawer"]):
        joint = found.with_both_ways(moved).joints[1]
        assert (joint.lower, joint.upper) == (back, 1.0)
    for moved in ([], ["chest"]):
        assert found.with_both_ways(moved).joints[1].free == free


@pytest.mark.slow
def test_pins_and_pushes_of_a_simulation_are_hints_for_its_parts(monkeypatch) -> None:
    shape = load_shape(SHIPPED["laptop"])
    corner = int((shape.vertices @ shape.frame.up_vector).argmax())
    found_hints: list[Hints] = []

    def spied(*arguments, hints: Hints, **options):
        found_hints.append(hints)
        return find_parts(*arguments, hints=hints, **options)

    monkeypatch.setattr("neurok.pipelines.choose.find_parts", spied)
    prepare(shape, [Pin(), Push((0, 0, 1), at=corner)])
    assert len(found_hints) == 1 and found_hints[0].moved is not None
    assert np.flatnonzero(found_hints[0].moved).tolist() == [corner]
    pinned = found_hints[0].pinned
    assert (pinned == standing_base(shape)).all() and 0 < pinned.sum() < len(shape.vertices)
