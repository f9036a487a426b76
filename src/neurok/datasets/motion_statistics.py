"""How much an object moves, and in how many directions."""

from __future__ import annotations

import numpy as np
from jaxtyping import Float, Int

Array = np.ndarray
MOST_FRAMES, MOST_VERTICES = 256, 1024  # that the principal components are computed from
HELD = 0.99  # share of the motion that they must hold
TORN = 0.2, 0.5  # change of edges: root mean square in radii, and median of their lengths at rest


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


def is_torn(
    rest: Float[Array, "n 3"], moved: Float[Array, "f n 3"], faces: Int[Array, "m 3"], radius: float
) -> bool:
    """Whether neighbours don't stay neighbours: the frames are of a mesh with another order of vertices.

    In the middle frame by how it is torn, edges change by more than a fifth of the radius and, most of them,
    by half their length. What shrinks to a point does the second but not the first, what is drawn out at one
    end the first but not the second.
    """
    pairs = np.unique(np.sort(faces[:, [0, 1, 1, 2, 2, 0]].reshape(-1, 2), axis=1), axis=0)
    length = np.linalg.norm(rest[pairs[:, 0]] - rest[pairs[:, 1]], axis=1)
    some = moved[:: -(-len(moved) // 16)]
    change = np.abs(np.linalg.norm(some[:, pairs[:, 0]] - some[:, pairs[:, 1]], axis=-1) - length)
    absolute = np.median(np.sqrt((change**2).mean(1))) / radius
    relative = np.median(np.median(change / np.maximum(length, 1e-3 * radius), axis=1))
    return bool(absolute > TORN[0] and relative > TORN[1])
