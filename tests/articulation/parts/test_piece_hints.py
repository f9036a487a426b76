"""Pins and pushes separate parts that the surface alone would merge."""

from __future__ import annotations

import numpy as np
import trimesh
from hypothesis import given
from hypothesis import strategies as st

from neurok.articulation import find_parts
from neurok.articulation.parts.components import face_components
from neurok.articulation.parts.contacts import Contacts
from neurok.articulation.parts.grouping import (
    MOVING_LOG_ODDS,
    NO_PIECES,
    UNPINNED_LOG_ODDS,
    absorb_small,
    contract,
    with_hints,
)
from neurok.articulation.parts.hints import Hints, piece_hints
from neurok.shapes import Shape

CHAIN = np.array([[0, 1], [1, 2]])


def groups(odds: list[float], standing=NO_PIECES, moving=NO_PIECES, unpinned=NO_PIECES) -> list[int]:
    """Of three pieces in a row."""
    hints = (np.array(pieces, int) for pieces in (standing, moving, unpinned))
    pairs, odds_ = with_hints(CHAIN, np.array(odds), *hints)
    return np.unique(contract(3, pairs, odds_), return_inverse=True)[1].tolist()


def test_pinned_pieces_are_one_part() -> None:
    assert groups([-9.0, -9.0]) == [0, 1, 2]
    assert groups([-9.0, -9.0], standing=[0, 2]) == [0, 1, 0]


def test_a_pushed_piece_stays_with_its_neighbour_and_leaves_what_stands() -> None:
    assert groups([2.0, 3.0]) == [0, 0, 0]
    assert groups([2.0, 3.0], standing=[0], moving=[2]) == [0, 1, 1]
    assert groups([3.0, 2.0], standing=[0], moving=[2]) == [0, 0, 1]


def test_a_push_is_a_soft_hint() -> None:
    sure = MOVING_LOG_ODDS + 1
    assert groups([sure, 2 * sure], standing=[0], moving=[2]) == [0, 0, 0]


def test_unpinned_pieces_are_less_likely_part_of_what_stands() -> None:
    assert groups([0.9 * UNPINNED_LOG_ODDS, -1.0], standing=[0], unpinned=[1, 2]) == [0, 1, 2]
    assert groups([1.1 * UNPINNED_LOG_ODDS, -1.0], standing=[0], unpinned=[1, 2]) == [0, 0, 1]
    assert groups([0.9 * UNPINNED_LOG_ODDS, -1.0], unpinned=[1, 2]) == [0, 0, 1]  # nothing stands


def test_unpinned_pieces_count_only_if_entire_pieces_are_pinned() -> None:
    shape, knob = knobbed()
    label = face_components(shape)
    whole = piece_hints(shape, label, Hints(~knob))
    assert whole.standing.tolist() == [0] and whole.unpinned.tolist() == [1] and not len(whole.moving)
    foot = piece_hints(shape, label, Hints(shape.vertices[:, 2] < 0))
    assert foot.standing.tolist() == [0] and not len(foot.unpinned)


@given(st.lists(st.floats(-20, 20), min_size=2, max_size=2), st.sets(st.integers(0, 2)))
def test_without_pins_a_push_changes_nothing(odds: list[float], moving: set[int]) -> None:
    assert groups(odds, moving=sorted(moving)) == groups(odds)


def test_a_pushed_knob_is_not_too_small_to_be_a_part() -> None:
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
