"""Oversegmented objects keep their surface and joints; fixed joints connect the new parts."""

from __future__ import annotations

import numpy as np
import pytest
import trimesh
from hypothesis import given, settings
from hypothesis import strategies as st

from neurok.articulation.annotations import true_joints
from neurok.assets import SHIPPED
from neurok.datasets.generators import generators
from neurok.datasets.oversegmentation import oversegment
from neurok.errors import InputError
from neurok.shapes import Joint, JointTree, Link, Shape
from neurok.shapes.load import load_shape

KINDS = ("drawer_unit", "wheeled", "desk_lamp")


@pytest.mark.slow
@given(st.integers(0, 2**32 - 1), st.sampled_from([*KINDS, "cabinet"]))
@settings(max_examples=40, deadline=None)
def test_parts_are_split_and_joints_stay(seed: int, kind: str) -> None:
    rng = np.random.default_rng(seed)
    shape = load_shape(SHIPPED[kind]) if kind in SHIPPED else generators()[kind](rng)
    split = oversegment(shape, rng)
    moving = {t.part: t for t in true_joints(split) if t.kind != "fixed"}
    before = {t.part: t for t in true_joints(shape) if t.kind != "fixed"}
    assert len(np.unique(split.part)) == len(split.part_names) >= 2
    if not moving:  # one part remains
        assert len(split.faces) in np.bincount(shape.part)
        return
    assert len(split.part_names) > len(shape.part_names) and np.array_equal(split.faces, shape.faces)
    assert moving.keys() == before.keys()
    for part, joint in moving.items():
        assert joint.kind == before[part].kind and np.allclose(joint.axis, before[part].axis)
        assert joint.parent == before[part].parent
    pieces = {t.part: t.parent for t in true_joints(split) if t.part not in shape.part_names}
    old = dict(zip(range(len(shape.part_names)), shape.part_names, strict=True))
    for piece, parent in pieces.items():
        own = split.part == split.part_names.index(piece)
        assert {old[int(k)] for k in np.unique(shape.part[own])} == {parent}


def test_an_object_whose_parts_are_single_components_cannot_be_split() -> None:
    ball = trimesh.creation.icosphere(1)
    faces = np.concatenate([ball.faces, ball.faces + len(ball.vertices)])
    tree = JointTree((Link("a"), Link("b")), (Joint("turn", "revolute", "a", "b"),))
    vertices = np.concatenate([ball.vertices, ball.vertices + 2.0])
    part = np.repeat([0, 1], len(ball.faces))
    shape = Shape(vertices, faces, "balls", part=part, part_names=("a", "b"), joints=tree)
    with pytest.raises(InputError, match="several components"):
        oversegment(shape, np.random.default_rng(0))
