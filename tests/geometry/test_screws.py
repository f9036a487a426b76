"""Screws against scipy's matrix exponential, and against themselves."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.linalg import expm
from scipy.spatial.transform import Rotation

from neurok.geometry.quaternions import from_xyzw
from neurok.geometry.rotations import skew
from neurok.geometry.screws import screw_from_motion, screw_generators, screw_to_map, screws_at
from neurok.geometry.transforms import apply_map

SIZES = st.sampled_from([0.0, 1e-9, 1e-4, 0.09, 0.11, 0.99, 1.0, 1.01, 3.1])


def screw(seed: int, angle: float) -> torch.Tensor:
    rng = np.random.default_rng(seed)
    axis = rng.normal(size=3)
    return torch.tensor(np.r_[angle * axis / np.linalg.norm(axis), rng.normal(size=3)])


@given(st.integers(0, 10**6), SIZES)
@settings(max_examples=60, deadline=None)
def test_exp_is_the_exponential_of_the_4x4_matrix(seed, angle):
    s = screw(seed, angle)
    matrix = np.zeros((4, 4))
    matrix[:3, :3], matrix[:3, 3] = skew(s[:3]).numpy(), s[3:]
    assert np.abs(screw_to_map(s).numpy() - expm(matrix)[:3]).max() < 1e-12
    assert np.abs(screw_to_map(s.numpy()) - expm(matrix)[:3]).max() < 1e-12
    assert np.abs(s.numpy() @ screw_generators(np) - matrix.ravel()).max() == 0


@given(st.integers(0, 10**6), SIZES)
@settings(max_examples=60, deadline=None)
def test_log_undoes_exp_whatever_the_sign_of_the_quaternion(seed, angle):
    s = screw(seed, angle)
    motion = screw_to_map(s)
    quaternion = torch.tensor(Rotation.from_matrix(motion[:, :3].numpy()).as_quat())
    for sign in (1, -1):
        assert (screw_from_motion(sign * from_xyzw(quaternion), motion[:, 3]) - s).abs().max() < 1e-7


@pytest.mark.parametrize("angle", [0.0, 0.1, 1.0, 2.0])
def test_derivatives_are_right_at_zero_and_at_the_seam_of_the_series(angle):
    s = screw(3, angle).requires_grad_()
    assert torch.autograd.gradcheck(screw_to_map, (s,))
    assert torch.autograd.gradgradcheck(screw_to_map, (s,))


def test_a_hinge_is_a_straight_line():
    """Twice the screw of a turn about an axis elsewhere is the turn by twice the angle about it."""
    pivot, axis = torch.tensor([0.3, -1.0, 0.2], dtype=torch.float64), torch.tensor([0, 0, 1.0]).double()
    s = torch.cat([axis, torch.linalg.cross(pivot, axis)])
    for angle in (0.4, 0.8):
        motion = screw_to_map(angle * s)
        truth = Rotation.from_rotvec(angle * axis.numpy()).as_matrix()
        assert np.abs(motion[:, :3].numpy() - truth).max() < 1e-12
        assert (motion[:, :3] @ pivot + motion[:, 3] - pivot).abs().max() < 1e-12


@given(st.integers(0, 10**6), SIZES)
@settings(max_examples=30, deadline=None)
def test_logarithms_of_numpy_and_torch_agree_with_a_finite_gradient(seed, angle):
    motion = screw_to_map(screw(seed, angle))
    quaternion = from_xyzw(torch.tensor(Rotation.from_matrix(motion[:, :3].numpy()).as_quat()))
    shift = motion[:, 3].clone().requires_grad_()
    q = quaternion.clone().requires_grad_()
    found = screw_from_motion(q, shift)
    again = screw_from_motion(quaternion.numpy(), motion[:, 3].numpy())
    np.testing.assert_allclose(again, found.detach().numpy(), atol=1e-14)
    found.sum().backward()
    assert q.grad is not None and q.grad.isfinite().all()


def test_screws_about_another_centre_move_points_alike_to_first_order():
    rng = np.random.default_rng(0)
    screws, arm, point = rng.normal(size=(6, 4)), rng.normal(size=(3, 1)), rng.normal(size=3)
    there = screws_at(screws, arm)
    velocity = np.cross(screws[:3].T, point) + screws[3:].T
    np.testing.assert_allclose(np.cross(there[:3].T, point - arm[:, 0]) + there[3:].T, velocity, atol=1e-14)
    small = 1e-6 * screws[:, 0]
    np.testing.assert_allclose(apply_map(screw_to_map(small), point) - point, 1e-6 * velocity[0], atol=1e-11)
