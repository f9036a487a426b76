"""How much an object moves, and in how many directions."""

from __future__ import annotations

import numpy as np
from jaxtyping import Float

Array = np.ndarray
MOST_FRAMES, MOST_VERTICES = 256, 1024  # that the principal components are computed from
HELD = 0.99  # share of the motion that they must hold


def displacement(rest: Float[Array, "n 3"], moved: Float[Array, "f n 3"]) -> tuple[float, float]:
    """Mean and largest distance from rest over all vertices and frames, to four digits."""
    distance = np.sqrt(((moved - rest) ** 2).sum(-1))
    return float(f"{distance.mean():.4g}"), float(f"{distance.max():.4g}")


def linear_dimension(moved: Float[Array, "f n 3"]) -> int:
    """The number of principal components that hold 99 % of the variance over frames; 0 without motion.

    From at most 256 frames and 1,024 vertices, evenly thinned.
    """
    stride = [
        -(-count // most) for count, most in zip(moved.shape, (MOST_FRAMES, MOST_VERTICES), strict=False)
    ]
    some = moved[:: stride[0], :: stride[1]].reshape(-(-len(moved) // stride[0]), -1)
    some = some - some.mean(axis=0)
    variance = np.linalg.eigvalsh(some @ some.T)[::-1].clip(min=0)
    if variance.sum() <= 1e-12 * some.size:
        return 0
    return int(np.searchsorted(np.cumsum(variance) / variance.sum(), HELD) + 1)
