"""Positions and rotations as 16-bit integers, and back."""

from __future__ import annotations

import numpy as np
from jaxtyping import Float, Int16

Array = np.ndarray
MOST = np.iinfo(np.int16).max


def quantise_positions(
    positions: Float[Array, "f n 3"],
) -> tuple[Int16[Array, "f n 3"], Float[Array, "f 3"], Float[Array, " f"]]:
    """x ≈ centre_f + step_f · k: every frame about the middle of its own box, so that travel costs nothing.

    The step is half the longest side over 32,767, and a coordinate is off by at most half a step.
    """
    low, high = positions.min(axis=1), positions.max(axis=1)
    centre = ((low + high) / 2).astype(np.float32)
    reach = np.maximum(high - centre, centre - low).max(axis=1)
    step = np.nextafter(np.maximum(reach / MOST, 1e-12).astype(np.float32), np.float32(np.inf))
    steps = (positions - centre[:, None]) / step[:, None, None].astype(np.float64)
    return np.clip(np.round(steps), -MOST, MOST).astype(np.int16), centre, step


def restore_positions(
    steps: Int16[Array, "*batch n 3"], centre: Float[Array, "*batch 3"], step: Float[Array, "*batch"]
) -> Float[Array, "*batch n 3"]:
    """centre + step · k, in float32."""
    return steps * np.asarray(step)[..., None, None] + np.asarray(centre)[..., None, :]


def quantise_quaternions(q: Float[Array, "*batch 4"]) -> Int16[Array, "*batch 4"]:
    """Each component in steps of 1/32,767: a rotation is off by at most 6·10⁻⁵ radians."""
    return np.round(q * MOST).astype(np.int16)


def restore_quaternions(steps: Int16[Array, "*batch 4"]) -> Float[Array, "*batch 4"]:
    """Unit up to the rounding: who needs more normalises."""
    return steps * np.float32(1 / MOST)
