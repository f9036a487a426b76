"""Fits rigid motions to parts of a sequence, from positions alone."""

from __future__ import annotations

import numpy as np
from jaxtyping import Float, Int

from neurok.export.affine import nearest_rotations
from neurok.export.pieces import Piece

Array = np.ndarray

CHUNK_VALUES = 8_000_000  # float64 values in memory at once: 64 MB


def rigid_motion(
    rest: Float[Array, "n 3"],
    positions: Float[Array, "frames n 3"],
    faces: Int[Array, "m 3"],
    pieces: list[Piece],
    tolerance: float,
) -> Float[Array, "frames h 3 4"] | None:
    """The rigid motion of every piece, in order; None if a vertex deviates more than `tolerance`.

    A few frames are tried first, which detects most soft bodies early.
    """
    vertices = [np.unique(faces[piece.faces]) for piece in pieces]
    probe = positions[:: max(1, len(positions) // 4)]
    for frames in (probe, positions) if len(positions) > 8 else (positions,):
        motions = []
        for used in vertices:
            motion, error = fit_rigid(rest[used], frames[:, used])
            if error > tolerance:
                return None
            motions.append(motion)
    return np.stack(motions, axis=1)


def fit_rigid(
    rest: Float[Array, "n 3"], moved: Float[Array, "frames n 3"]
) -> tuple[Float[Array, "frames 3 4"], float]:
    """The rigid maps R X + t that fit best (Kabsch 1976), and the largest remaining distance.

    R maximises tr(Rᵀ Σ (x − x̄)(X − X̄)ᵀ), and t = x̄ − R X̄.
    """
    centre = rest.mean(axis=0)
    arm = rest - centre
    chunks = frame_chunks(len(moved), arm.size)
    mean = np.concatenate([moved[c].mean(axis=1, dtype=np.float64) for c in chunks])
    cross = np.concatenate([np.einsum("fni,nj->fij", moved[c] - mean[c, None], arm) for c in chunks])
    rotation = nearest_rotations(cross[:, None])[:, 0]
    motion = np.concatenate([rotation, (mean - rotation @ centre)[..., None]], axis=-1)
    error = 0.0
    for c in chunks:
        left = arm @ np.swapaxes(rotation[c], 1, 2) + mean[c, None] - moved[c]
        error = max(error, float(np.sqrt((left**2).sum(-1).max())))
    return motion, error


def frame_chunks(frames: int, values_per_frame: int) -> list[slice]:
    """Slices over the frames with at most `CHUNK_VALUES` values each."""
    step = max(1, CHUNK_VALUES // max(1, values_per_frame))
    return [slice(start, min(start + step, frames)) for start in range(0, frames, step)]
