"""Examples of part segmentation label components that move together as one part."""

from __future__ import annotations

import numpy as np
import pytest

from carpentry import board, locker
from neurok.articulation.annotations import true_bodies
from neurok.datasets.piece_examples import example_of
from neurok.errors import InputError
from neurok.shapes import Joint, JointTree, Link


def _jointed():
    """Locker whose knob is a separate link with a fixed joint to the door."""
    joints = (Joint("hinge", "revolute", "body", "door"), Joint("screw", "fixed", "door", "knob"))
    return locker().with_(joints=JointTree(tuple(Link(n) for n in ("body", "door", "knob")), joints))


def test_a_part_that_is_screwed_to_another_is_of_its_body():
    shape = _jointed()
    body = true_bodies(shape)
    kind = [np.unique(body[shape.part == shape.part_names.index(name)]) for name in ("body", "door", "knob")]
    assert [k.tolist() for k in kind] == [[0], [1], [1]]


def test_pieces_are_labelled_by_their_body():
    made = example_of(_jointed())
    assert len(made["part"]) == 7  # five boards, the door, the knob
    assert np.bincount(made["part"]).tolist() == [5, 2]
    assert made["share"].sum() == pytest.approx(1)


def test_nothing_is_learned_from_one_piece():
    one = board((0, 0, 0), (1, 1, 1)).with_(joints=JointTree((Link("board"),), ()))
    with pytest.raises(InputError, match="is one component"):
        example_of(one)
