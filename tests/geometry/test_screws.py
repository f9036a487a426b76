"""Screws against scipy's matrix exponential, and against themselves."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.linalg import expm
from scipy.spatial.transform import Rotation

from neurok.geometry import screws

SIZES = st.sampled_from([0.0, 1e-9, 1e-4, 0.09, 0.11, 1.0, 3.1])


def screw(seed: int, angle: float) -> torch.Tensor:
    rng = np.random.default_rng(seed)
    axis = rng.normal(size=3)
    return torch.tensor(np.r_[angle * axis / np.linalg.norm(axis), rng.normal(size=3)])


@given(st.integers(0, 10**6), SIZES)
@settings(max_examples=60, deadline=None)
def test_exp_is_the_exponential_of_the_4x4_matrix(seed, angle):
    s = screw(seed, angle)
    matrix = np.zeros((4, 4))
    matrix[:3, :3], matrix[:3, 3] = screws.skew(s[:3]).numpy(), s[3:]
    assert np.abs(screws.exp(s).numpy() - expm(matrix)[:3]).max() < 1e-12


@given(st.integers(0, 10**6), SIZES)
@settings(max_examples=60, deadline=None)
def test_log_undoes_exp_whatever_the_sign_of_the_quaternion(seed, angle):
    s = screw(seed, angle)
    motion = screws.exp(s)
    quaternion = torch.tensor(Rotation.from_matrix(motion[:, :3].numpy()).as_quat()[[3, 0, 1, 2]])
    for sign in (1, -1):
        assert (screws.log(sign * quaternion, motion[:, 3]) - s).abs().max() < 1e-7


@pytest.mark.parametrize("angle", [0.0, 0.1, 2.0])
def test_derivatives_are_right_at_zero_and_at_the_seam_of_the_series(angle):
    s = screw(3, angle).requires_grad_()
    assert torch.autograd.gradcheck(screws.exp, (s,))
    assert torch.autograd.gradgradcheck(screws.exp, (s,))


def test_a_hinge_is_a_straight_line():
    """Twice the screw of a turn about an axis elsewhere is the turn by twice the angle about it."""
    pivot, axis = torch.tensor([0.3, -1.0, 0.2], dtype=torch.float64), torch.tensor([0, 0, 1.0]).double()
    s = torch.cat([axis, torch.linalg.cross(pivot, axis)])
    for angle in (0.4, 0.8):
        motion = screws.exp(angle * s)
        truth = Rotation.from_rotvec(angle * axis.numpy()).as_matrix()
        assert np.abs(motion[:, :3].numpy() - truth).max() < 1e-12
        assert (motion[:, :3] @ pivot + motion[:, 3] - pivot).abs().max() < 1e-12
