"""Dual quaternions against scipy's rotations and against each other."""

from __future__ import annotations

import numpy as np
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation

from neurok.geometry.dual_quaternions import dual_from_motion, dual_from_residual, dual_to_map
from neurok.geometry.quaternions import from_xyzw
from neurok.geometry.transforms import apply_map, map_about


def motions(seed: int, count: int = 5):
    rng = np.random.default_rng(seed)
    turn = Rotation.random(count, random_state=seed)
    shift = rng.normal(size=(count, 3))
    return turn, shift, dual_from_motion(torch.tensor(from_xyzw(turn.as_quat())), torch.tensor(shift))


@given(st.integers(0, 10**6))
@settings(max_examples=30, deadline=None)
def test_dual_quaternions_move_points_as_rotations_do(seed):
    turn, shift, dual = motions(seed)
    points = np.random.default_rng(seed + 1).normal(size=(5, 3))
    image = apply_map(dual_to_map(dual), torch.tensor(points)).numpy()
    assert np.abs(image - (turn.apply(points) + shift)).max() < 1e-12
    assert torch.allclose(dual_to_map(-dual), dual_to_map(dual))
    np.testing.assert_allclose(dual_to_map(dual.numpy()), dual_to_map(dual).numpy(), atol=1e-15)


@given(st.integers(0, 10**6))
@settings(max_examples=30, deadline=None)
def test_a_residual_becomes_a_unit_dual_quaternion(seed):
    rng = torch.Generator().manual_seed(seed)
    dual = dual_from_residual(torch.randn(20, 8, generator=rng, dtype=torch.float64))
    assert torch.allclose(dual[:, :4].norm(dim=1), torch.ones(20, dtype=torch.float64), atol=1e-9)
    assert (dual[:, :4] * dual[:, 4:]).sum(1).abs().max() < 1e-9
    identity = dual_to_map(dual_from_residual(torch.zeros(8, dtype=torch.float64)))
    assert torch.allclose(identity, torch.eye(3, 4, dtype=torch.float64), atol=1e-9)


def test_a_motion_about_a_centre_leaves_it_where_only_the_shift_sends_it():
    _, shift, dual = motions(3)
    centre = torch.randn(5, 3, dtype=torch.float64)
    moved = apply_map(map_about(dual_to_map(dual), centre), centre)
    assert torch.allclose(moved, centre + torch.tensor(shift), atol=1e-12)
