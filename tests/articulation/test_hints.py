"""What is held and what is pushed tell parts apart that the surface alone would take for one."""

from __future__ import annotations

import numpy as np
import trimesh
from hypothesis import given
from hypothesis import strategies as st

from neurok.articulation import find_parts
from neurok.articulation.contacts import Contacts
from neurok.articulation.grouping import MOVING, NONE, carry_small, contract, with_hints
from neurok.articulation.parts import Hints
from neurok.assets import SHIPPED
from neurok.dynamics import Push
from neurok.dynamics.places import standing_base
from neurok.shapes import Shape
from neurok.shapes.load import load_shape
from neurok.simulation.prepare import prepare

CHAIN = np.array([[0, 1], [1, 2]])


def groups(odds: list[float], standing=NONE, moving=NONE) -> list[int]:
    """Of three pieces in a row."""
    pairs, odds_ = with_hints(CHAIN, np.array(odds), np.array(standing, int), np.array(moving, int))
    return np.unique(contract(3, pairs, odds_), return_inverse=True)[1].tolist()


def test_pieces_that_are_held_are_one_whatever_the_surface_says() -> None:
    assert groups([-9.0, -9.0]) == [0, 1, 2]
    assert groups([-9.0, -9.0], standing=[0, 2]) == [0, 1, 0]


def test_what_is_pushed_takes_its_neighbour_along_and_leaves_what_stands() -> None:
    assert groups([2.0, 3.0]) == [0, 0, 0]
    assert groups([2.0, 3.0], standing=[0], moving=[2]) == [0, 1, 1]
    assert groups([3.0, 2.0], standing=[0], moving=[2]) == [0, 0, 1]


def test_a_push_is_a_hint_and_no_proof() -> None:
    sure = MOVING + 1
    assert groups([sure, 2 * sure], standing=[0], moving=[2]) == [0, 0, 0]


@given(st.lists(st.floats(-20, 20), min_size=2, max_size=2), st.sets(st.integers(0, 2)))
def test_without_anything_held_a_push_tells_nothing(odds: list[float], moving: set[int]) -> None:
    assert groups(odds, moving=sorted(moving)) == groups(odds)


def test_a_knob_that_is_pushed_is_not_too_small_to_move() -> None:
    contacts = Contacts(CHAIN, np.zeros(2), np.ones(2), np.zeros((2, 0)))
    share, centres = np.array([0.6, 0.399, 0.001]), np.eye(3)
    loose = np.arange(3)
    assert carry_small(loose, share, contacts, np.zeros(2), centres, 30).tolist() == [0, 1, 1]
    assert carry_small(loose, share, contacts, np.zeros(2), centres, 30, np.array([2])).tolist() == [0, 1, 2]


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


def test_simulate_tells_what_looks_for_parts_what_it_pins_and_pushes(monkeypatch) -> None:
    shape = load_shape(SHIPPED["laptop"])
    corner = int((shape.vertices @ shape.frame.up_vector).argmax())
    told: list[Hints] = []

    def spied(*arguments, hints: Hints, **options):
        told.append(hints)
        return find_parts(*arguments, hints=hints, **options)

    monkeypatch.setattr("neurok.kinematics.choose.find_parts", spied)
    prepare(shape, [Push((0, 0, 1), at=corner)])
    assert len(told) == 1 and told[0].moved is not None
    assert np.flatnonzero(told[0].moved).tolist() == [corner]
    assert (told[0].held == standing_base(shape)).all() and 0 < told[0].held.sum() < len(shape.vertices)
