"""Dual quaternions against scipy's rotations and against each other."""

from __future__ import annotations

import numpy as np
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation

from neurok.geometry import dual_quaternions as rigid


def motions(seed: int, count: int = 5):
    rng = np.random.default_rng(seed)
    turn = Rotation.random(count, random_state=seed)
    shift = rng.normal(size=(count, 3))
    quaternion = torch.tensor(turn.as_quat()[:, [3, 0, 1, 2]])
    return turn, shift, rigid.from_rotation_translation(quaternion, torch.tensor(shift))


@given(st.integers(0, 10**6))
@settings(max_examples=30, deadline=None)
def test_dual_quaternions_move_points_as_rotations_do(seed):
    turn, shift, dual = motions(seed)
    points = np.random.default_rng(seed + 1).normal(size=(5, 3))
    image = rigid.apply(rigid.to_matrix(dual), torch.tensor(points)).numpy()
    assert np.abs(image - (turn.apply(points) + shift)).max() < 1e-12
    assert torch.allclose(rigid.to_matrix(-dual), rigid.to_matrix(dual))


@given(st.integers(0, 10**6))
@settings(max_examples=30, deadline=None)
def test_a_residual_becomes_a_unit_dual_quaternion(seed):
    rng = torch.Generator().manual_seed(seed)
    dual = rigid.unit_dual(torch.randn(20, 8, generator=rng, dtype=torch.float64))
    assert torch.allclose(dual[:, :4].norm(dim=1), torch.ones(20, dtype=torch.float64), atol=1e-9)
    assert (dual[:, :4] * dual[:, 4:]).sum(1).abs().max() < 1e-9
    identity = rigid.to_matrix(rigid.unit_dual(torch.zeros(8, dtype=torch.float64)))
    assert torch.allclose(identity, torch.eye(3, 4, dtype=torch.float64), atol=1e-9)


def test_a_motion_about_a_centre_leaves_it_where_only_the_shift_sends_it():
    _, shift, dual = motions(3)
    centre = torch.randn(5, 3, dtype=torch.float64)
    moved = rigid.apply(rigid.about(rigid.to_matrix(dual), centre), centre)
    assert torch.allclose(moved, centre + torch.tensor(shift), atol=1e-12)
