"""Rotation vectors for property tests: random ones, near the identity, near half a turn, beyond it."""

from __future__ import annotations

import numpy as np
from hypothesis import strategies as st

ANGLES = st.sampled_from([0.0, 1e-12, 1e-8, 1e-4, 0.0999, 0.1001, 0.9999, 1.0001, 2.5, np.pi - 1e-9, np.pi])
SEEDS = st.integers(0, 10**6)
SHAPES = st.sampled_from([(), (1,), (4,), (2, 3), (0,)])


def rotation_vectors(seed: int, angle: float, shape: tuple[int, ...] = (5,)) -> np.ndarray:
    """Vectors of one length in random directions."""
    axis = np.random.default_rng(seed).normal(size=(*shape, 3))
    return angle * axis / np.linalg.norm(axis, axis=-1, keepdims=True)
