"""Makes connected pieces rigid if they hardly bend, and gives each rigid part one handle.

The model gives every vertex its own weights. Where two parts touch, the corners of a panel may follow the
wrong part, and a triangle of a coarse mesh then stretches across the object.
"""

from __future__ import annotations

import numpy as np
from jaxtyping import Float, Int

from neurok.geometry.rotation_fit import largest_overlap

Array = np.ndarray
MAX_BENDING = 0.15  # of a rigid piece: root mean square, in units of the object's motion
SHARPNESS = 3.0  # exponent of the mean weights of a rigid piece: its strongest handle dominates


def with_rigid_pieces(
    weights: Float[Array, "s h"],
    piece: Int[Array, " s"],
    points: Float[Array, "s 3"],
    mass: Float[Array, " s"],
    maps: Float[Array, "d h 3 4"],
    bend: float = MAX_BENDING,
) -> tuple[Float[Array, "s h"], float]:
    """Weights with one row w ∝ (Σ m w)³ for all points of a rigid piece, and the mean bending by mass.

    `maps` are the handles in poses drawn from the prior. The bending of a piece (`bending`) is measured in
    units of the root mean square displacement of the object.
    """
    moved = blend(weights, points, maps)
    motion = np.sqrt(np.average(((moved - points) ** 2).sum(-1).mean(0), weights=mass + 1e-30))
    bends = bending(points, moved, piece, mass) / max(float(motion), 1e-30)
    rigid = bends <= bend
    mean = np.stack([np.bincount(piece, mass * w, len(rigid)) for w in weights.T], axis=1)
    mean = (mean / mean.max(1, keepdims=True).clip(1e-30)) ** SHARPNESS
    mean /= mean.sum(1, keepdims=True).clip(1e-30)
    heavy = np.bincount(piece, mass, len(rigid))
    mixed = np.where((rigid & (heavy > 0))[piece, None], mean[piece], weights)
    return mixed, float(np.average(bends, weights=heavy + 1e-30))


def blend(
    weights: Float[Array, "s h"], points: Float[Array, "s 3"], maps: Float[Array, "d h 3 4"]
) -> Float[Array, "d s 3"]:
    """Σ_h w_h (A_h x + t_h), for every pose."""
    homogeneous = np.c_[points, np.ones(len(points))]
    mixed = [(weights @ pose.reshape(len(pose), 12)).reshape(-1, 3, 4) for pose in maps]
    return np.stack([np.einsum("sij,sj->si", m, homogeneous) for m in mixed])


def bending(
    rest: Float[Array, "s 3"], moved: Float[Array, "d s 3"], piece: Int[Array, " s"], mass: Float[Array, " s"]
) -> Float[Array, " p"]:
    """√ of the mean over poses and points of |y − R x − t|², with R and t fitted to each piece and pose.

    With centred x and y and K = Σ m y xᵀ the sum is Σ m (|x|² + |y|²) − 2 max_R tr RᵀK.
    """
    count = int(piece.max()) + 1
    total = np.bincount(piece, mass, count).clip(1e-30)

    def sums(values: Float[Array, "s c"]) -> Float[Array, "p c"]:
        return np.stack([np.bincount(piece, mass * v, count) for v in values.T], axis=1)

    x = rest - (sums(rest) / total[:, None])[piece]
    spread = sums((x**2).sum(1, keepdims=True))[:, 0]
    left = np.zeros(count)
    for pose in moved:
        y = pose - (sums(pose) / total[:, None])[piece]
        product = sums((y[:, :, None] * x[:, None, :]).reshape(-1, 9)).reshape(-1, 3, 3)
        left += spread + sums((y**2).sum(1, keepdims=True))[:, 0] - 2 * largest_overlap(product)
    return np.sqrt((left / len(moved) / total).clip(0))
