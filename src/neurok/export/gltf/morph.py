"""Compresses many frames to few morph targets: x_t = X + Σ_k w_tk D_k."""

from __future__ import annotations

import numpy as np
from jaxtyping import Float

from neurok.export.rigid import frame_chunks
from neurok.shapes import Shape
from neurok.shapes.normals import shading_normals, smoothing_groups

Array = np.ndarray


def compress(
    displacement: Float[Array, "frames n 3"], tolerance: float
) -> tuple[Float[Array, "frames k"], Float[Array, "k n 3"]]:
    """The fewest principal targets that keep every vertex within `tolerance` in every frame.

    With the SVD X = U Σ Vᵀ of the frames, w = U_k and D = U_kᵀ X. If as many targets as frames are needed,
    the frames themselves are the targets, which is exact. Each weight is scaled to a maximum of 1.
    """
    frames = len(displacement)
    flat = displacement.reshape(frames, -1)
    gram = np.zeros((frames, frames))
    for start in range(0, flat.shape[1], 1 << 16):
        block = flat[:, start : start + (1 << 16)].astype(np.float64)
        gram += block @ block.T
    modes = np.linalg.eigh(gram)[1][:, ::-1]
    enough = fewest(modes, flat, tolerance)
    if enough >= frames:
        return np.eye(frames), displacement
    weights = modes[:, :enough]
    targets = weights.T.astype(np.float32) @ flat
    reach = np.abs(weights).max(axis=0)
    sign = np.sign(targets.sum(axis=1))  # fixes the sign: the same file on every machine
    reach = reach * np.where(sign < 0, -1.0, 1.0)
    return weights / reach, (targets * reach[:, None].astype(np.float32)).reshape(enough, -1, 3)


def fewest(modes: Float[Array, "frames frames"], flat: Float[Array, "frames c"], tolerance: float) -> int:
    """The smallest number of modes whose reconstruction stays within the tolerance, by bisection."""
    low, high = 0, len(flat)  # low fails, high is exact
    step = 1
    while low + step < high:  # most motions need few modes, so the search starts there
        if strays(modes[:, : low + step], flat, tolerance):
            low, step = low + step, 2 * step
        else:
            high = low + step
            break
    while high - low > 1:
        middle = (low + high) // 2
        if strays(modes[:, :middle], flat, tolerance):
            low = middle
        else:
            high = middle
    return high


def strays(weights: Float[Array, "frames k"], flat: Float[Array, "frames c"], tolerance: float) -> bool:
    """Whether any vertex of any frame deviates from its reconstruction by more than the tolerance."""
    w = weights.astype(np.float32)
    targets = w.T @ flat
    for c in frame_chunks(len(flat), flat.shape[1]):
        left = (flat[c] - w[c] @ targets).reshape(-1, 3)
        if (left**2).sum(-1).max() > tolerance**2:
            return True
    return False


def normal_targets(
    shape: Shape, positions: Float[Array, "frames n 3"], weights: Float[Array, "frames k"]
) -> Float[Array, "k n 3"]:
    """Targets of the normals for the same weights, by least squares over frames: D = W⁺ (N_t − N_rest)."""
    groups = smoothing_groups(shape)
    rest = shading_normals(shape, shape.vertices, groups)
    inverse = np.linalg.pinv(weights, rcond=1e-6).astype(np.float32)
    targets = np.zeros((weights.shape[1], *rest.shape), np.float32)
    for t, frame in enumerate(positions):
        targets += inverse[:, t, None, None] * (shading_normals(shape, frame, groups) - rest)
    return targets
