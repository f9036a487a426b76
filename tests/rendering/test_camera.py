"""Camera projections against points with known pixels."""

from __future__ import annotations

import numpy as np
import pytest
import trimesh
from hypothesis import given, settings
from hypothesis import strategies as st

from neurok.errors import InputError
from neurok.rendering import Camera, look_at
from neurok.sequences import Sequence
from neurok.shapes import Frame, Shape

FRONT = Camera(eye=(0, 0, 5), target=(0, 0, 0), fov_deg=90, width=200, height=100)


def test_points_land_where_similar_triangles_say():
    """At 90° half the height spans 5 units at distance 5: ten pixels per unit."""
    pixels, depth = FRONT.project(np.array([[0.0, 0, 0], [1, 0, 0], [0, 1, 0], [2, -3, 0]]))
    np.testing.assert_allclose(pixels, [[100, 50], [110, 50], [100, 40], [120, 80]], atol=1e-9)
    np.testing.assert_allclose(depth, 5)


def test_extrinsics_are_a_rigid_motion_into_opencv_axes():
    camera = look_at(Shape(np.eye(3), np.array([[0, 1, 2]])))
    rotation = camera.extrinsics[:3, :3]
    np.testing.assert_allclose(rotation @ rotation.T, np.eye(3), atol=1e-12)
    assert np.isclose(np.linalg.det(rotation), 1)
    np.testing.assert_allclose(camera.extrinsics @ [*camera.eye, 1], [0, 0, 0, 1], atol=1e-9)
    assert (camera.extrinsics @ [*camera.target, 1])[2] > 0
    assert rotation[1] @ [0, 1, 0] < 0, "y of the camera points down"


@given(st.floats(0, 200), st.floats(0, 100), st.floats(0.1, 50))
def test_rays_undo_projection(x, y, depth):
    point = np.asarray(FRONT.eye) + depth * FRONT.rays(np.array([x, y]))
    pixel, z = FRONT.project(point)
    np.testing.assert_allclose([*pixel, z], [x, y, depth], atol=1e-6)


@settings(max_examples=25, deadline=None)
@given(st.floats(-180, 180), st.floats(-80, 80), st.integers(60, 400), st.integers(0, 10_000))
def test_framing_is_tight_for_every_direction_and_shape(azimuth, elevation, width, seed):
    """All points lie within the margin, which is reached exactly on both sides."""
    points = np.random.default_rng(seed).normal(size=(40, 3)) * [3, 1, 0.2] + 7
    shape = Shape(points, np.arange(39).reshape(-1, 3))
    camera = look_at(shape, azimuth, elevation, margin=0.1, width=width, height=200)
    pixels, depth = camera.project(points[:39])
    offset = (pixels - [width / 2, 100]) / [width / 2, 100]
    assert (depth > camera.near).all()
    assert offset.max() <= 0.9 + 1e-9
    assert offset.min() >= -0.9 - 1e-9
    tight = [
        k for k in (0, 1) if np.allclose([offset[:, k].min(), offset[:, k].max()], [-0.9, 0.9], atol=1e-6)
    ]
    assert tight


def test_a_sequence_is_framed_over_its_whole_motion(rising):
    camera = look_at(rising, width=300, height=300)
    pixels, _ = camera.project(rising.positions.reshape(-1, 3))
    assert pixels.min() > 0
    assert pixels.max() < 300
    assert np.ptp(pixels[:, 1]) > 0.85 * 300 * (1 - 0.14)


def test_up_follows_the_frame_of_the_shape():
    mesh = trimesh.creation.cone(radius=0.5, height=2)  # its tip along z
    for up, tip in (("z", [0.0, 0, 2]), ("y", [0.0, 2, 0])):
        vertices = mesh.vertices if up == "z" else mesh.vertices[:, [0, 2, 1]] * [1, 1, -1]
        camera = look_at(Shape(vertices, mesh.faces, frame=Frame(up=up)))
        (x, y), _ = camera.project(np.array(tip))
        assert abs(x - 256) < 1
        assert y < 100, "the tip is at the top"


def test_a_needle_seen_along_itself_and_a_point_are_kept_before_the_eye():
    needle = Shape(np.array([[0.0, 0, -3], [0, 0, 3], [0, 0, 0]]), np.array([[0, 1, 2]]))
    point = Shape(np.zeros((3, 3)) + 4, np.array([[0, 1, 2]]))
    for shape in (needle, point):
        camera = look_at(shape, azimuth=0, elevation=0)
        assert (camera.project(shape.vertices)[1] > camera.near).all()


@pytest.mark.parametrize(
    "wrong", [{"width": 0}, {"height": 9000}, {"fov_deg": 180}, {"near": 2, "far": 1}, {"target": (0, 0, 5)}]
)
def test_impossible_cameras_are_refused(wrong):
    with pytest.raises(InputError):
        Camera(**({"eye": (0, 0, 5), "target": (0, 0, 0)} | wrong))


def test_motion_of_a_translated_sequence_moves_the_camera_with_it(rising):
    moved = Sequence(rising.shape, rising.positions + np.float32(100))
    difference = np.subtract(look_at(moved).eye, look_at(rising).eye)
    np.testing.assert_allclose(difference, 100, atol=1e-3)
