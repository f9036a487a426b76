"""Rotation matrices against scipy, the matrix exponential and float64 differences."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from samples import ANGLES, SEEDS, SHAPES, rotation_vectors
from scipy.linalg import expm
from scipy.spatial.transform import Rotation

from neurok.geometry.rotations import (
    exp_so3,
    log_so3,
    matrix_to_rpy,
    perpendicular_axes,
    plane_axes,
    rotation_about,
    rotation_about_y,
    rpy_to_matrix,
    skew,
    vee,
)

numbers = st.lists(st.floats(-4, 4), min_size=3, max_size=3).map(
    lambda v: torch.tensor(v, dtype=torch.float64)
)


@settings(max_examples=50, deadline=None)
@given(numbers, st.sampled_from([1.0, 0.2, 1e-3, 1e-9, 0.0]))
def test_rotation_equals_the_matrix_exponential_of_its_vector(r, scale):
    expected = torch.tensor(expm(skew(r * scale).numpy()))  # torch's own is off by 8e-12 at 0.025
    torch.testing.assert_close(exp_so3(r * scale), expected, atol=1e-12, rtol=0)


@settings(max_examples=60, deadline=None)
@given(SEEDS, ANGLES, SHAPES)
def test_exponential_agrees_with_scipy_for_numpy_and_torch(seed, angle, shape):
    r = rotation_vectors(seed, angle, shape)
    expected = Rotation.from_rotvec(r.reshape(-1, 3)).as_matrix().reshape(*shape, 3, 3)
    np.testing.assert_allclose(exp_so3(r), expected, atol=1e-14)
    np.testing.assert_allclose(exp_so3(torch.tensor(r)).numpy(), expected, atol=1e-14)


@settings(max_examples=60, deadline=None)
@given(SEEDS, ANGLES, SHAPES)
def test_logarithm_is_the_rotation_vector_of_scipy(seed, angle, shape):
    matrix = Rotation.from_rotvec(rotation_vectors(seed, angle, shape).reshape(-1, 3)).as_matrix()
    matrix = matrix.reshape(*shape, 3, 3)
    for found in (log_so3(matrix), log_so3(torch.tensor(matrix)).numpy()):
        assert (np.linalg.norm(found, axis=-1) <= np.pi + 1e-12).all()
        np.testing.assert_allclose(exp_so3(found), matrix, atol=1e-9)
        if angle < 3:
            np.testing.assert_allclose(found, rotation_vectors(seed, angle, shape), atol=1e-9)


@pytest.mark.slow
def test_derivatives_up_to_the_second_are_right_at_zero_and_on_both_sides_of_the_series():
    for angle in (0.0, 1e-8, 0.99, 1.01, 3.0):
        r = (angle * torch.tensor([0.36, 0.48, 0.8], dtype=torch.float64)).requires_grad_()
        assert torch.autograd.gradcheck(exp_so3, (r,))
        assert torch.autograd.gradgradcheck(exp_so3, (r,))
        forward = torch.func.jacfwd(torch.func.jacfwd(exp_so3))(r.detach())
        reverse = torch.func.jacrev(torch.func.jacrev(exp_so3))(r.detach())
        torch.testing.assert_close(forward, reverse, atol=1e-12, rtol=0)


@pytest.mark.parametrize("angle", [0.0, 1e-9, 1.0])
def test_logarithm_of_the_exponential_has_the_slope_one(angle):
    r = torch.tensor(rotation_vectors(1, angle, ()), requires_grad=True)
    slope = torch.autograd.functional.jacobian(lambda x: log_so3(exp_so3(x)), r)
    torch.testing.assert_close(slope, torch.eye(3, dtype=torch.float64), atol=1e-9, rtol=0)


def test_maps_are_batched():
    r = torch.randn(4, 5, 3, dtype=torch.float64, generator=torch.Generator().manual_seed(0))
    torch.testing.assert_close(exp_so3(r)[2, 3], exp_so3(r[2, 3]))


def test_float32_stays_float32():
    r = rotation_vectors(0, 1.3).astype(np.float32)
    assert exp_so3(r).dtype == np.float32 and exp_so3(torch.tensor(r)).dtype == torch.float32
    np.testing.assert_allclose(exp_so3(r), exp_so3(r.astype(float)), atol=1e-6)


@settings(max_examples=40, deadline=None)
@given(SEEDS, ANGLES)
def test_turns_about_an_axis_agree_with_scipy(seed, angle):
    axes = rotation_vectors(seed, 1.0, (4,))
    expected = Rotation.from_rotvec(angle * axes).as_matrix()
    np.testing.assert_allclose(rotation_about(axes, angle), expected, atol=1e-14)
    np.testing.assert_allclose(rotation_about(torch.tensor(axes), angle).numpy(), expected, atol=1e-14)
    angles = np.array([angle, -angle, 0.3])
    np.testing.assert_array_equal(
        rotation_about(axes[:, None], angles)[2, 1], rotation_about(axes[2], -angle)
    )
    about_y = Rotation.from_rotvec(np.outer(angles, [0, 1, 0])).as_matrix()
    np.testing.assert_allclose(rotation_about_y(angles), about_y, atol=1e-14)
    np.testing.assert_allclose(rotation_about_y(torch.tensor(angles)).numpy(), about_y, atol=1e-14)


def test_vee_inverts_skew_and_ignores_what_is_symmetric():
    v = np.random.default_rng(0).normal(size=(3, 4, 3))
    np.testing.assert_array_equal(vee(skew(v)), v)
    np.testing.assert_allclose(vee(skew(v) + np.eye(3) + 0.5), v, atol=1e-15)
    np.testing.assert_allclose(skew(v) @ v[::-1, ..., None], np.cross(v, v[::-1])[..., None], atol=1e-14)


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10**6), st.sampled_from([0.0, np.pi / 2, -np.pi / 2, np.pi / 2 - 1e-9]))
def test_roll_pitch_yaw_gives_the_rotation_back(seed, pitch):
    rng = np.random.default_rng(seed)
    rpy = np.array([rng.uniform(-3, 3), pitch or rng.uniform(-3, 3), rng.uniform(-3, 3)])
    rotation = rpy_to_matrix(rpy)
    np.testing.assert_allclose(rotation, Rotation.from_euler("xyz", rpy).as_matrix(), atol=1e-14)
    np.testing.assert_allclose(rpy_to_matrix(np.array(matrix_to_rpy(rotation))), rotation, atol=1e-7)


@settings(max_examples=40, deadline=None)
@given(SEEDS)
def test_axes_across_a_direction_complete_it_to_a_right_handed_frame(seed):
    z = rotation_vectors(seed, 1.0, ())
    for across in (perpendicular_axes(z), plane_axes(z).T):
        frame = np.stack([*across, z])
        np.testing.assert_allclose(frame @ frame.T, np.eye(3), atol=1e-12)
        assert np.linalg.det(frame) > 0


def test_a_plane_that_faces_down_has_axes_too():
    frame = np.c_[plane_axes(np.array([0.0, 0.0, -1.0])), [0.0, 0.0, -1.0]]
    assert np.linalg.det(frame) == 1
