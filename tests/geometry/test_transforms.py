"""Poses and maps [R | t]."""

from __future__ import annotations

import numpy as np
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation

from neurok.geometry.transforms import apply_map, inverse_pose, map_between, pose


def poses(seed: int, count: int) -> np.ndarray:
    turn, shift = (
        Rotation.random(count, random_state=seed),
        np.random.default_rng(seed).normal(size=(count, 3)),
    )
    return np.stack([pose(r, p) for r, p in zip(turn.as_matrix(), shift, strict=True)])


@given(st.integers(0, 10**6))
@settings(max_examples=30, deadline=None)
def test_inverse_poses_are_inverse_matrices(seed):
    matrices = poses(seed, 4)
    np.testing.assert_allclose(inverse_pose(matrices), np.linalg.inv(matrices), atol=1e-12)
    np.testing.assert_array_equal(inverse_pose(matrices[0]), inverse_pose(matrices)[0])
    np.testing.assert_allclose(
        inverse_pose(torch.tensor(matrices)).numpy(), inverse_pose(matrices), atol=1e-15
    )


@given(st.integers(0, 10**6))
@settings(max_examples=30, deadline=None)
def test_the_map_between_two_takes_images_to_images(seed):
    first, second = poses(seed, 3)[:, :3], poses(seed + 1, 3)[:, :3]
    points = np.random.default_rng(seed).normal(size=(3, 3))
    there = apply_map(map_between(first, second), apply_map(first, points))
    np.testing.assert_allclose(there, apply_map(second, points), atol=1e-12)
