"""What is held and what is pushed tell parts apart that the surface alone would take for one."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
import torch
import trimesh
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import log_softmax

from neurok.articulation import Articulation, PartJoint, find_parts
from neurok.articulation.clouds import read_parts
from neurok.articulation.decision import TYPE_LOG_PRIOR, _with_copies, predict_joints, score
from neurok.articulation.features import part_scene
from neurok.articulation.parts.contacts import Contacts
from neurok.articulation.parts.find import Hints, Parts, _piece_hints
from neurok.articulation.parts.grouping import (
    MOVING_LOG_ODDS,
    NO_PIECES,
    UNPINNED_LOG_ODDS,
    absorb_small,
    contract,
    with_hints,
)
from neurok.articulation.parts.pieces import find_pieces
from neurok.assets import SHIPPED
from neurok.dynamics import Pin, Push
from neurok.dynamics.places import standing_base
from neurok.pipelines.simulate import prepare
from neurok.shapes import Shape
from neurok.shapes.load import load_shape

CHAIN = np.array([[0, 1], [1, 2]])


def groups(odds: list[float], standing=NO_PIECES, moving=NO_PIECES, unpinned=NO_PIECES) -> list[int]:
    """Of three pieces in a row."""
    found_hints = (np.array(pieces, int) for pieces in (standing, moving, unpinned))
    pairs, odds_ = with_hints(CHAIN, np.array(odds), *found_hints)
    return np.unique(contract(3, pairs, odds_), return_inverse=True)[1].tolist()


def test_pieces_that_are_held_are_one_whatever_the_surface_says() -> None:
    assert groups([-9.0, -9.0]) == [0, 1, 2]
    assert groups([-9.0, -9.0], standing=[0, 2]) == [0, 1, 0]


def test_what_is_pushed_takes_its_neighbour_along_and_leaves_what_stands() -> None:
    assert groups([2.0, 3.0]) == [0, 0, 0]
    assert groups([2.0, 3.0], standing=[0], moving=[2]) == [0, 1, 1]
    assert groups([3.0, 2.0], standing=[0], moving=[2]) == [0, 0, 1]


def test_a_push_is_a_hint_and_no_proof() -> None:
    sure = MOVING_LOG_ODDS + 1
    assert groups([sure, 2 * sure], standing=[0], moving=[2]) == [0, 0, 0]


def test_what_was_left_free_is_rather_not_what_stands() -> None:
    assert groups([0.9 * UNPINNED_LOG_ODDS, -1.0], standing=[0], unpinned=[1, 2]) == [0, 1, 2]
    assert groups([1.1 * UNPINNED_LOG_ODDS, -1.0], standing=[0], unpinned=[1, 2]) == [0, 0, 1]
    assert groups([0.9 * UNPINNED_LOG_ODDS, -1.0], unpinned=[1, 2]) == [0, 0, 1]  # nothing stands


def test_pieces_were_left_free_only_where_whole_pieces_are_held() -> None:
    shape, knob = knobbed()
    pieces = find_pieces(shape)
    whole = _piece_hints(shape, pieces, Hints(~knob))
    assert whole.standing.tolist() == [0] and whole.unpinned.tolist() == [1] and not len(whole.moving)
    foot = _piece_hints(shape, pieces, Hints(shape.vertices[:, 2] < 0))
    assert foot.standing.tolist() == [0] and not len(foot.unpinned)


@given(st.lists(st.floats(-20, 20), min_size=2, max_size=2), st.sets(st.integers(0, 2)))
def test_without_anything_held_a_push_tells_nothing(odds: list[float], moving: set[int]) -> None:
    assert groups(odds, moving=sorted(moving)) == groups(odds)


def test_a_knob_that_is_pushed_is_not_too_small_to_move() -> None:
    contacts = Contacts(CHAIN, np.zeros(2), np.ones(2), np.zeros((2, 0)))
    share, centres = np.array([0.6, 0.399, 0.001]), np.eye(3)
    loose = np.arange(3)
    assert absorb_small(loose, share, contacts, np.zeros(2), centres, 30).tolist() == [0, 1, 1]
    assert absorb_small(loose, share, contacts, np.zeros(2), centres, 30, np.array([2])).tolist() == [0, 1, 2]


def knobbed() -> tuple[Shape, np.ndarray]:
    """A bare box with a knob that is sunk in it, and which vertices are the knob's."""
    body, knob = trimesh.creation.box((1, 1, 1)), trimesh.creation.box((0.05, 0.05, 0.05))
    both = trimesh.util.concatenate([body, knob.apply_translation((0, 0, 0.51))])
    return Shape(np.asarray(both.vertices), np.asarray(both.faces), "knobbed"), np.arange(16) >= 8


def test_a_knob_is_a_part_once_it_is_pushed() -> None:
    shape, knob = knobbed()
    assert len(find_parts(shape).shape.part_names) == 1
    found = find_parts(shape, hints=Hints(~knob, knob)).shape
    assert len(found.part_names) == 2 and (found.part == (np.arange(24) >= 12)).all()


def drawer_with_a_grip() -> Parts:
    """A chest, a drawer in its opening and a grip on the drawer, as three parts."""
    sizes = {"chest": (1.0, 1.0, 1.0), "drawer": (0.9, 0.1, 0.4), "grip": (0.3, 0.05, 0.05)}
    places = {"chest": (0, 0, 0), "drawer": (0, -0.55, 0), "grip": (0, -0.62, 0)}
    boxes = [trimesh.creation.box(size).apply_translation(places[name]) for name, size in sizes.items()]
    both = trimesh.util.concatenate(boxes)
    shape = Shape(np.asarray(both.vertices), np.asarray(both.faces), "chest")
    part = np.repeat([0, 1, 2], [len(box.faces) for box in boxes])
    return Parts(shape.with_(part=part, part_names=tuple(sizes)), "file", 1.0)


@pytest.mark.parametrize(
    ("odds", "alone"),
    [((-5.0, -6.0), False), ((-2.0, -9.0), False), ((-0.5, -9.0), True), ((4.0, -9.0), True)],
)
def test_what_is_moved_moves_or_what_carries_it(monkeypatch, odds, alone) -> None:
    """Of a grip on a drawer on a chest, none of which seems to move, the likelier of grip and drawer does.

    Without the push the drawer moves alone if it seems to, or if it is unlikely that everything stands.
    """
    parts = drawer_with_a_grip()

    def fixed(scene, free, ensemble, named=True):
        said = score(scene, free, ensemble, named)
        kind, parent = torch.zeros_like(said.kind), torch.full_like(said.parent, -50.0)
        kind[0, :, 1:] = torch.tensor([[-20.0], [odds[0]], [odds[1]]])
        kind -= torch.tensor(TYPE_LOG_PRIOR)
        for child, carrier in enumerate((3, 0, 1)):
            parent[0, child, carrier] = 0.0
        return said._replace(kind=kind, parent=parent)

    monkeypatch.setattr("neurok.articulation.decision.score", fixed)
    assert [j.moves for j in predict_joints(parts).joints] == [False, alone, False]
    pushed = predict_joints(parts, standing=["chest"], moved=["grip"])
    assert [j.moves for j in pushed.joints] == [False, True, False]
    assert [j.parent for j in pushed.joints] == [None, "chest", "drawer"]


def test_copies_count_by_half_in_what_moves() -> None:
    """Three knobs alike and a larger one on a body; of one of the three something else is said."""
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
def test_what_is_pushed_goes_either_way_where_it_seems_stuck(free, back) -> None:
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
