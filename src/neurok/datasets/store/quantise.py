"""Quantises positions and rotations to 16-bit integers, and restores them."""

from __future__ import annotations

import numpy as np
from jaxtyping import Float, Int16

Array = np.ndarray
INT16_MAX = np.iinfo(np.int16).max


def quantise_positions(
    positions: Float[Array, "f n 3"],
) -> tuple[Int16[Array, "f n 3"], Float[Array, "f 3"], Float[Array, " f"]]:
    """x ≈ centre_f + step_f · k with the bounding-box centre of frame f, so travel costs no precision.

    The step is half the longest side over 32,767. The error of a coordinate is at most half a step.
    """
    low, high = positions.min(axis=1), positions.max(axis=1)
    centre = ((low + high) / 2).astype(np.float32)
    reach = np.maximum(high - centre, centre - low).max(axis=1)
    step = np.nextafter(np.maximum(reach / INT16_MAX, 1e-12).astype(np.float32), np.float32(np.inf))
    steps = (positions - centre[:, None]) / step[:, None, None].astype(np.float64)
    return np.clip(np.round(steps), -INT16_MAX, INT16_MAX).astype(np.int16), centre, step


def restore_positions(
    steps: Int16[Array, "*batch n 3"], centre: Float[Array, "*batch 3"], step: Float[Array, "*batch"]
) -> Float[Array, "*batch n 3"]:
    """Positions centre + step · k in float32."""
    return steps * np.asarray(step)[..., None, None] + np.asarray(centre)[..., None, :]


def quantise_quaternions(q: Float[Array, "*batch 4"]) -> Int16[Array, "*batch 4"]:
    """Components in steps of 1/32,767; the error of a rotation is at most 6·10⁻⁵ radians."""
    return np.round(q * INT16_MAX).astype(np.int16)


def restore_quaternions(steps: Int16[Array, "*batch 4"]) -> Float[Array, "*batch 4"]:
    """Quaternions of unit length up to rounding."""
    return steps * np.float32(1 / INT16_MAX)
