"""Decomposed affine maps agree with scipy's rotations and with the input matrices."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation

from neurok.export.affine import decompose, nearest_rotations, pivots, quaternions


def rebuilt(tracks) -> np.ndarray:
    """R V diag(s) Vᵀ of every frame and handle."""
    frames, handles = tracks.rotation.shape[:2]

    def matrices(q):
        return Rotation.from_quat(q.reshape(-1, 4)).as_matrix().reshape(frames, handles, 3, 3)

    axes = matrices(tracks.axes)
    return matrices(tracks.rotation) @ axes @ (tracks.scale[..., None] * np.swapaxes(axes, -1, -2))


@settings(max_examples=60, deadline=None)
@given(
    seed=st.integers(0, 2**32), kind=st.sampled_from(["any", "flat", "zero", "mirrored", "uniaxial", "tiny"])
)
def test_any_affine_map_is_rebuilt(seed, kind):
    rng = np.random.default_rng(seed)
    linear = rng.normal(size=(5, 3, 3, 3))
    if kind == "flat":
        linear[..., 2] = 0
    if kind == "zero":
        linear[2] = 0
    if kind == "mirrored":
        linear[..., 0] *= -1
    if kind == "uniaxial":
        direction = rng.normal(size=3)
        linear[:] = np.eye(3) + np.outer(direction, direction)
    if kind == "tiny":
        linear *= 1e-6
    error = np.abs(rebuilt(decompose(linear)) - linear).max()
    assert error < 2e-6 * np.abs(linear).max()


def test_turns_without_stretch_need_no_axes():
    turns = Rotation.random(20, random_state=0).as_matrix().reshape(5, 4, 3, 3)
    tracks = decompose(turns * np.array([1.0, 2.0, 0.5, 3.0])[:, None, None])
    assert not tracks.sheared.any()
    np.testing.assert_allclose(tracks.scale[0], [[1.0] * 3, [2.0] * 3, [0.5] * 3, [3.0] * 3], atol=1e-9)


def test_only_the_sheared_handle_is_split():
    linear = np.tile(np.eye(3), (3, 2, 1, 1))
    linear[1, 1, 0, 1] = 0.5
    assert decompose(linear).sheared.tolist() == [False, True]


def test_axes_turn_smoothly_where_two_stretches_cross():
    """s₁ crosses s₂, where sorted eigenvectors would swap by 90°."""
    axes = Rotation.from_euler("xyz", [0.3, 0.5, 0.7]).as_matrix()
    stretches = [axes @ np.diag([0.8 + 0.02 * t, 1.0, 1.5]) @ axes.T for t in range(21)]
    tracks = decompose(np.array(stretches)[:, None])
    steps = np.abs((tracks.axes[1:] * tracks.axes[:-1]).sum(-1))
    assert steps.min() > 1 - 1e-9
    assert np.abs(np.diff(tracks.scale[:, 0], axis=0)).max() < 0.021


def test_quaternions_agree_with_scipy_and_never_jump():
    turns = Rotation.from_rotvec(np.outer(np.linspace(0, 12, 80), [0.1, -0.7, 0.5]))
    q = quaternions(turns.as_matrix()[:, None])[:, 0]
    assert (Rotation.from_quat(q).inv() * turns).magnitude().max() < 1e-7
    assert ((q[1:] * q[:-1]).sum(-1) > 0.9).all()
    np.testing.assert_allclose(np.linalg.norm(q, axis=1), 1.0, atol=1e-12)


def test_half_turns_have_unit_quaternions():
    for axis in np.eye(3):
        q = quaternions(Rotation.from_rotvec(np.pi * axis).as_matrix()[None, None])[0, 0]
        np.testing.assert_allclose(np.abs(q[:3]), axis, atol=1e-12)


def test_an_undetermined_turn_holds_still():
    """Collinear points leave the rotation about their line undetermined."""
    line = np.outer([-1.0, 0.0, 1.0], [1.0, 0.0, 0.0])
    directions = [[np.cos(a), np.sin(a), 0.0] for a in np.linspace(0, 1, 11)]
    cross = np.array([np.outer(np.array([-1, 0, 1]), d).T @ line for d in directions])
    turns = Rotation.from_matrix(nearest_rotations(cross[:, None])[:, 0])
    np.testing.assert_allclose(turns.as_rotvec()[:, 2], np.linspace(0, 1, 11), atol=1e-6)
    np.testing.assert_allclose(turns.as_rotvec()[:, :2], 0, atol=1e-6)


def test_the_pivot_of_a_hinge_lies_on_its_axis():
    axis, point = np.array([0.0, 0.6, 0.8]), np.array([2.0, -1.0, 0.5])
    turns = Rotation.from_rotvec(np.outer(np.linspace(0, 1, 9), axis)).as_matrix()
    transforms = np.concatenate([turns, (point - turns @ point)[..., None]], axis=-1)[:, None]
    pivot = pivots(transforms, np.array([[3.0, 0.0, 0.0]]), radius=3.0)[0]
    assert np.linalg.norm(np.cross(pivot - point, axis)) < 1e-9


def test_a_sliding_part_keeps_its_centre_as_pivot():
    transforms = np.tile(np.c_[np.eye(3), np.zeros(3)], (5, 1, 1, 1))
    transforms[:, 0, 0, 3] = np.arange(5)
    centre = np.array([[1.0, 2.0, 3.0]])
    np.testing.assert_array_equal(pivots(transforms, centre, radius=1.0), centre)
