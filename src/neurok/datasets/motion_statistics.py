"""Measures the displacement and the linear dimension of a motion, and detects a changing vertex order."""

from __future__ import annotations

import numpy as np
from jaxtyping import Float, Int

Array = np.ndarray
MAX_FRAMES, MAX_VERTICES = 256, 1024  # samples for the principal components, which bound their cost
EXPLAINED_VARIANCE = 0.99  # share of the variance that defines the linear dimension
MAX_EDGE_CHANGE = 0.2  # radii, root mean square over the edges
MAX_RELATIVE_EDGE_CHANGE = 0.5  # of the rest length, median over the edges


def displacement(rest: Float[Array, "n 3"], moved: Float[Array, "f n 3"]) -> tuple[float, float]:
    """Mean and largest distance from rest over all vertices and frames, rounded to four digits."""
    distance = np.sqrt(((moved - rest) ** 2).sum(-1))
    return float(f"{distance.mean():.4g}"), float(f"{distance.max():.4g}")


def linear_dimension(moved: Float[Array, "f n 3"]) -> int:
    """Number of principal components that explain 99 % of the variance over frames; 0 without motion.

    It is computed from at most 256 frames and 1,024 vertices at even strides.
    """
    stride = [-(-count // most) for count, most in zip(moved.shape, (MAX_FRAMES, MAX_VERTICES), strict=False)]
    some = moved[:: stride[0], :: stride[1]].reshape(-(-len(moved) // stride[0]), -1)
    some = some - some.mean(axis=0)
    variance = np.linalg.eigvalsh(some @ some.T)[::-1].clip(min=0)
    if variance.sum() <= 1e-12 * some.size:
        return 0
    return int(np.searchsorted(np.cumsum(variance) / variance.sum(), EXPLAINED_VARIANCE) + 1)


def vertex_order_changes(
    rest: Float[Array, "n 3"], moved: Float[Array, "f n 3"], faces: Int[Array, "m 3"], radius: float
) -> bool:
    """Whether the frames belong to a mesh with another vertex order, so that neighbours are torn apart.

    In the median frame the edges change by more than MAX_EDGE_CHANGE (root mean square) and by more than
    MAX_RELATIVE_EDGE_CHANGE (median). A body that shrinks to a point exceeds only the second bound. A body
    that is stretched at one end exceeds only the first.
    """
    pairs = np.unique(np.sort(faces[:, [0, 1, 1, 2, 2, 0]].reshape(-1, 2), axis=1), axis=0)
    length = np.linalg.norm(rest[pairs[:, 0]] - rest[pairs[:, 1]], axis=1)
    some = moved[:: -(-len(moved) // 16)]
    change = np.abs(np.linalg.norm(some[:, pairs[:, 0]] - some[:, pairs[:, 1]], axis=-1) - length)
    absolute = np.median(np.sqrt((change**2).mean(1))) / radius
    relative = np.median(np.median(change / np.maximum(length, 1e-3 * radius), axis=1))
    return bool(absolute > MAX_EDGE_CHANGE and relative > MAX_RELATIVE_EDGE_CHANGE)
