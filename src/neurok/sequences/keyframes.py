"""Interpolates keyframes: step, linear and cubic spline, as the glTF 2.0 specification defines them."""

from __future__ import annotations

from typing import Literal

import numpy as np
from jaxtyping import Float

from neurok.geometry.quaternions import from_xyzw, normalised, slerp, to_xyzw

Array = np.ndarray
Interpolation = Literal["STEP", "LINEAR", "CUBICSPLINE"]


def sample(
    keys: Float[Array, " k"],
    values: Float[Array, "v d"],
    interpolation: Interpolation,
    times: Float[Array, " t"],
    is_rotation: bool,
) -> Float[Array, "t d"]:
    """The value at each time. Before the first key and after the last it is constant.

    `values` has one row per key, or three for a cubic spline: in-tangent, value, out-tangent.
    Rotations are quaternions (x, y, z, w): linear interpolation follows the shorter great arc, and all
    results have length one.
    """
    i, u, span = locate(keys, times)
    if interpolation == "CUBICSPLINE":
        result = cubic(values.reshape(len(keys), 3, -1), i, u, span)
    elif interpolation == "STEP":
        result = values[np.where(u >= 1, np.minimum(i + 1, len(keys) - 1), i)]
    elif is_rotation:
        result = slerp(unit(values[i]), unit(values[np.minimum(i + 1, len(keys) - 1)]), u)
    else:
        a, b = values[i], values[np.minimum(i + 1, len(keys) - 1)]
        result = a + u[:, None] * (b - a)
    return unit(result) if is_rotation else result


def locate(keys: Float[Array, " k"], times: Float[Array, " t"]) -> tuple[Array, Array, Array]:
    """The key before each time, the fraction 0…1 towards the next, and the interval's length in seconds."""
    i = np.clip(np.searchsorted(keys, times, side="right") - 1, 0, max(len(keys) - 2, 0))
    span = keys[np.minimum(i + 1, len(keys) - 1)] - keys[i]
    u = np.where(span > 0, (times - keys[i]) / np.where(span > 0, span, 1.0), 0.0)
    return i, np.clip(u, 0.0, 1.0), span


def cubic(
    values: Float[Array, "k 3 d"], i: Array, u: Float[Array, " t"], span: Float[Array, " t"]
) -> Float[Array, "t d"]:
    """Hermite spline p(u) = h₀₀ v_i + h₁₀ Δ b_i + h₀₁ v_{i+1} + h₁₁ Δ a_{i+1}, tangents per second."""
    u, span = u[:, None], span[:, None]
    j = np.minimum(i + 1, len(values) - 1)
    return (
        (2 * u**3 - 3 * u**2 + 1) * values[i, 1]
        + (u**3 - 2 * u**2 + u) * span * values[i, 2]
        + (3 * u**2 - 2 * u**3) * values[j, 1]
        + (u**3 - u**2) * span * values[j, 0]
    )


def unit(quaternion: Float[Array, "t 4"]) -> Float[Array, "t 4"]:
    """Quaternions (x, y, z, w) of length one; zero becomes the identity."""
    return to_xyzw(normalised(from_xyzw(quaternion)))
