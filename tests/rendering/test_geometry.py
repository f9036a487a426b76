"""Depth, points and parts of pictures against closed forms, for both backends."""

from __future__ import annotations

import numpy as np
import pytest
import trimesh

from neurok.rendering import Camera, look_at, render, render_frames
from neurok.shapes import Frame, Shape, concatenate


def pixel_rays(camera: Camera) -> np.ndarray:
    rows, columns = np.mgrid[: camera.height, : camera.width] + 0.5
    return camera.rays(np.stack([columns, rows], axis=-1))


@pytest.mark.parametrize("offset", [0.0, 1e4])
@pytest.mark.parametrize("scale", [1e-3, 1.0, 1e3])
def test_points_of_a_tilted_square_are_ray_plane_intersections(renderer, quad, scale, offset):
    """The ray eye + t·r meets z = c at t = (c − eye_z) / r_z, also far from the origin and at any size."""
    shape = quad.with_(vertices=quad.vertices * scale + offset * scale)
    camera = look_at(shape, width=96, height=80)
    picture = render(shape, camera, renderer=renderer)
    rays, eye = pixel_rays(camera), np.asarray(camera.eye)
    t = (offset * scale - eye[2]) / rays[..., 2]
    expected = eye + t[..., None] * rays
    inside = (expected - offset * scale)[..., :2] / scale
    sure = (np.abs(inside - 0.5).max(-1) < 0.49) & (t > 0)
    assert sure.sum() > 1000
    assert picture.mask[sure].all()
    assert not picture.mask[np.abs(inside - 0.5).max(-1) > 0.51].any()
    tolerance = 2e-6 * scale * (1 + offset)
    np.testing.assert_allclose(picture.points[sure], expected[sure], atol=tolerance)
    np.testing.assert_allclose(picture.depth[sure], t[sure], rtol=1e-5)


def test_depth_of_a_ball_is_the_nearer_root_of_its_quadratic(renderer, ball):
    camera = look_at(ball, width=128, height=128)
    picture = render(ball, camera, renderer=renderer)
    rays, eye = pixel_rays(camera), np.asarray(camera.eye)
    a, b, c = (rays**2).sum(-1), rays @ eye, eye @ eye - 1
    sure = b * b - a * c > 0.1 * a  # excludes the silhouette, where triangles deviate from the sphere
    expected = (-b - np.sqrt(np.maximum(b * b - a * c, 0))) / a
    np.testing.assert_allclose(picture.depth[sure], expected[sure], atol=6e-3)
    np.testing.assert_allclose(np.linalg.norm(picture.points[picture.mask], axis=-1), 1, atol=3e-3)


def test_points_project_to_the_pixel_and_depth_that_show_them(renderer, ball):
    picture = render(ball, width=90, height=60, renderer=renderer)
    pixels, depth = picture.camera.project(picture.points[picture.mask])
    rows, columns = np.nonzero(picture.mask)
    np.testing.assert_allclose(pixels, np.stack([columns, rows], axis=1) + 0.5, atol=1e-2)
    np.testing.assert_allclose(depth, picture.depth[picture.mask], rtol=1e-5)


def test_nothing_is_infinitely_far_and_of_no_part(renderer, ball):
    picture = render(ball, width=64, height=64, renderer=renderer)
    away = ~picture.mask
    assert away[0, 0]
    assert np.isinf(picture.depth[away]).all()
    assert np.isinf(picture.points[away]).all()
    assert (picture.part[away] == -1).all()
    assert picture.rgb.dtype == np.uint8
    assert picture.rgb.shape == (64, 64, 3)


def test_pixels_have_the_label_of_the_visible_part(renderer, quad, front):
    left, right = quad.vertices * [0.5, 1, 1], quad.vertices * [0.5, 1, 1] + [0.5, 0, 0]
    both = concatenate(
        [quad.with_(vertices=v, part_names=(n,)) for v, n in ((left, "left"), (right, "right"))], "door"
    )
    part = render(both, front, renderer=renderer).part
    assert (part[40:88, 34:63] == 0).all()
    assert (part[40:88, 65:94] == 1).all()


def test_near_and_far_clip_the_geometry(renderer, quad, front):
    for near, far, seen in ((0.1, 3.9, False), (4.1, 9.0, False), (3.9, 4.1, True)):
        camera = Camera(front.eye, front.target, fov_deg=30, width=32, height=32, near=near, far=far)
        assert render(quad, camera, renderer=renderer).mask.any() == seen


def test_frames_follow_the_motion_and_the_camera_stands_still(renderer, rising):
    pictures = list(render_frames(rising, width=64, height=64, renderer=renderer))
    assert len({p.camera for p in pictures}) == 1
    heights = [float(p.points[p.mask][:, 1].mean()) for p in pictures]
    np.testing.assert_allclose(np.diff(heights), 0.4, atol=0.05)


def test_backends_agree_on_points_parts_and_silhouette(gl, ray):
    mesh = trimesh.creation.annulus(0.4, 1.0, 0.5, sections=40)
    shape = Shape(mesh.vertices, mesh.faces, frame=Frame("z"))
    one, other = (render(shape, width=160, height=120, renderer=r) for r in (gl, ray))
    both = one.mask & other.mask
    assert (one.mask != other.mask).mean() < 1e-3
    step = np.linalg.norm(one.points[both] - other.points[both], axis=-1)
    assert np.quantile(step, 0.999) < 1e-3
    assert (one.part == other.part).mean() > 0.999


@pytest.mark.slow
def test_a_million_faces_are_drawn(renderer):
    side = 708
    x, z = np.meshgrid(np.linspace(-1, 1, side), np.linspace(-1, 1, side), indexing="ij")
    vertices = np.stack([x, 0.2 * np.cos(4 * x) * np.cos(4 * z), z], axis=-1).reshape(-1, 3)
    corner = np.arange(side * side).reshape(side, side)[:-1, :-1].reshape(-1, 1)
    faces = (corner + np.array([0, 1, side, 1, side + 1, side])).reshape(-1, 3)
    assert len(faces) > 999_000
    picture = render(Shape(vertices, faces), width=96, height=96, renderer=renderer)
    x, y, z = picture.points[picture.mask].T
    np.testing.assert_allclose(y, 0.2 * np.cos(4 * x) * np.cos(4 * z), atol=1e-4)
    assert picture.mask.mean() > 0.1, "2 × 2 units seen at 20° cover 0.13 of the picture"


DEGENERATE = {
    "no area": (np.zeros((3, 3)), [[0, 1, 2]]),
    "a sliver": (np.array([[0.0, 0, 0], [1, 0, 0], [2, 0, 0], [0, 1, 0]]), [[0, 1, 2], [0, 1, 3], [1, 1, 3]]),
    "one triangle": (np.eye(3), [[0, 1, 2]]),
    "no faces": (np.eye(3), np.zeros((0, 3), int)),
    "nothing": (np.zeros((0, 3)), np.zeros((0, 3), int)),
    "a vertex that is NaN": (
        np.array([[0.0, 0, 0], [1, 0, 0], [0, 1, 0], [np.nan, 0, 0]]),
        [[0, 1, 2], [0, 1, 3]],
    ),
}


@pytest.mark.parametrize("name", DEGENERATE)
def test_degenerate_meshes_give_sound_pictures(renderer, name):
    vertices, faces = DEGENERATE[name]
    shape = Shape(vertices, np.asarray(faces))
    picture = render(shape, width=48, height=48, renderer=renderer)
    assert not np.isnan(picture.depth).any()
    assert not np.isnan(picture.points).any()
    assert picture.rgb[0, 0].min() > 150, "the backdrop is there"
    assert picture.mask.any() == (name in ("a sliver", "one triangle", "a vertex that is NaN"))
