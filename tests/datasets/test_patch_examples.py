"""Examples of part segmentation label patches that move together as one part."""

from __future__ import annotations

import numpy as np
import pytest

from carpentry import locker
from neurok.articulation.annotations import true_bodies
from neurok.assets import SHIPPED
from neurok.datasets.patch_examples import example_of, fused_example, rigid_example, soft_example
from neurok.errors import InputError
from neurok.shapes import Joint, JointTree, Link, Shape
from neurok.shapes.load import load_shape


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


def test_one_patch_gives_no_example():
    tree = JointTree((Link("leaf"),), ())
    leaf = Shape(np.eye(3), np.array([[0, 1, 2]]), "leaf", part_names=("leaf",), joints=tree)
    with pytest.raises(InputError, match="one patch"):
        example_of(leaf)


def test_a_rigid_body_alone_is_one_part_without_a_seam():
    made = rigid_example(_jointed())
    assert len(made["part"]) > 50 and not made["part"].any()
    assert made["share"].sum() == pytest.approx(1)


def test_a_soft_body_is_one_part_as_it_is_or_fused():
    made = [soft_example(load_shape(SHIPPED["teddy"]).with_(name=name)) for name in ("a", "b")]
    assert all(len(example["part"]) > 50 and not example["part"].any() for example in made)
