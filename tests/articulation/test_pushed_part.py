"""A push on one fused surface cuts out the part that gives way; soft bodies and loose pieces are not cut."""

from __future__ import annotations

import numpy as np
import pytest

from carpentry import locker
from neurok.articulation.articulation import Articulation, PartJoint
from neurok.articulation.pushed_part import part_by_push
from neurok.assets import SHIPPED
from neurok.pipelines.choose import Surroundings, Tug, find_joints, likely_joints
from neurok.shapes import Shape
from neurok.shapes.load import load_shape


@pytest.mark.slow
def test_a_push_on_the_lid_of_a_scanned_console_opens_the_lid(data_dir) -> None:
    console = load_shape(data_dir / "static" / "gso_BlackBlack_Nintendo_3DSXL.glb")
    top = console.vertices[:, 1].argmax()
    tug = Tug(np.array([top]), np.array([0.0, 0.0, 1.0]))
    found = find_joints(console, Surroundings(tugs=(tug,)))
    (lid,) = found.moving
    height = [console.vertices[console.faces[found.shape.part == k], 1].mean() for k in range(2)]
    share = np.mean(found.shape.part == found.shape.part_names.index(lid.part))
    assert lid.part == "pushed" and lid.kind == "revolute" and abs(lid.axis[0]) > 0.98
    assert 0.3 < share < 0.5 and height[found.shape.part_names.index("pushed")] > max(height) - 1e-9


@pytest.mark.slow
def test_a_push_on_a_plush_toy_cuts_nothing() -> None:
    teddy = load_shape(SHIPPED["teddy"])
    assert part_by_push(teddy, np.array([0]), np.array([0.0, 0.0, 1.0])) is None


def test_a_push_on_a_vertex_without_faces_or_on_a_single_triangle_cuts_nothing() -> None:
    corners = np.array([[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]])
    triangle = Shape(corners, np.array([[0, 1, 2]]))
    for vertex in (3, 0):
        assert part_by_push(triangle, np.array([vertex]), np.array([0.0, 0.0, 1.0])) is None


def test_parts_that_a_push_cuts_out_keep_their_joint_at_any_confidence() -> None:
    shape = locker()
    door = PartJoint("door", "revolute", "body", np.eye(3)[1], np.zeros(3), 0.0, 1.0, 0.3, True, True)
    still = [
        PartJoint(name, "fixed", None, np.eye(3)[1], np.zeros(3), 0.0, 0.0, 1.0, True, True)
        for name in ("body", "knob")
    ]
    pulled = shape.vertex_part == shape.part_names.index("door")
    for source, kept in (("push", True), ("surface", False)):
        found = Articulation(shape, (still[0], door, still[1]), source, (), 0.4)
        assert (likely_joints(found, pulled) is not None) == kept


def test_a_loose_piece_is_not_cut() -> None:
    shape = locker()
    bare = Shape(shape.vertices, shape.faces, "locker", frame=shape.frame)
    assert part_by_push(bare, np.array([len(bare.vertices) - 1]), np.array([1.0, 0.0, 0.0])) is None


@pytest.mark.slow
def test_parts_that_a_file_names_are_not_cut(data_dir) -> None:
    console = load_shape(data_dir / "static" / "gso_BlackBlack_Nintendo_3DSXL.glb")
    middle = np.median(console.vertices[:, 1])
    upper = (console.vertices[console.faces, 1].mean(1) > middle).astype(np.int32)
    named = console.with_(part=upper, part_names=("base", "lid"))
    tug = Tug(np.array([console.vertices[:, 1].argmax()]), np.array([0.0, 0.0, 1.0]))
    assert find_joints(named, Surroundings(tugs=(tug,))).shape.part_names == ("base", "lid")
