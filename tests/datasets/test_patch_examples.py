"""Examples of part segmentation label patches that move together as one part."""

from __future__ import annotations

import numpy as np
import pytest

from carpentry import board, locker
from neurok.articulation.annotations import true_bodies
from neurok.datasets.patch_examples import example_of, fused_example
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


def test_patches_are_labelled_by_their_body():
    made, shape = example_of(_jointed()), _jointed()
    door = true_bodies(shape) == 1
    areas = np.linalg.norm(
        np.cross(*(shape.vertices[shape.faces[:, k]] - shape.vertices[shape.faces[:, 0]] for k in (1, 2))),
        axis=1,
    )
    assert len(made["twins"]) == 7, "five boards, the door, the knob"
    assert made["share"][made["part"] == 1].sum() == pytest.approx(areas[door].sum() / areas.sum())
    by_piece = [np.unique(made["part"][made["piece"] == k]) for k in range(7)]
    assert all(len(parts) == 1 for parts in by_piece)


@pytest.mark.slow
def test_a_fused_scan_is_one_piece_of_two_parts():
    made = fused_example(_jointed())
    assert np.bincount(made["piece"]).max() > 0.9 * len(made["piece"])
    assert 0.15 < made["share"][made["part"] == 1].sum() < 0.4


def test_nothing_is_learned_from_one_face_more_than_that_it_is_one():
    one = board((0, 0, 0), (1, 1, 1)).with_(joints=JointTree((Link("board"),), ()))
    assert not example_of(one)["part"].any()
