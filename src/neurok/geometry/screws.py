"""Rigid motions by their logarithm: screws (ω, u) ∈ R⁶, the exponential coordinates of SE(3).

A screw about a centre c is the motion x ↦ R (x − c) + c + d with R = exp[ω]ₓ and d = V(ω) u,
V(ω) = 1 + C_2 [ω]ₓ + C_3 [ω]ₓ² the integral of exp(t [ω]ₓ) over t from 0 to 1. A hinge is a straight line
through 0 in this space, and so is a slide: the motion of a joint is linear in its coordinate.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
from jaxtyping import Float

from neurok.geometry.arrays import Array, cross, namespace
from neurok.geometry.quaternions import quaternion_log
from neurok.geometry.rotations import skew
from neurok.geometry.stumpff import stumpff

SERIES_BELOW = 2e-3  # angle below which V⁻¹ takes its series, exact to rounding there


def screw_to_map(screw: Float[Array, "*batch 6"]) -> Float[Array, "*batch 3 4"]:
    """[R | d] = exp of the screw. Tensors get derivatives of any order, at 0 too."""
    xp, turn, shift = namespace(screw), screw[..., :3], screw[..., 3:]
    c1, c2, c3 = (c[..., None, None] for c in stumpff((turn * turn).sum(-1)))
    k = skew(turn)
    square = k @ k
    eye = xp.eye(3, dtype=screw.dtype, device=screw.device)
    integral = eye + c2 * k + c3 * square
    return xp.concatenate([eye + c1 * k + c2 * square, integral @ shift[..., None]], -1)


def screw_from_motion(
    rotation: Float[Array, "*batch 4"], shift: Float[Array, "*batch 3"]
) -> Float[Array, "*batch 6"]:
    """The screw, of angle at most π, of a unit quaternion and the shift d of its centre.

    V⁻¹ = 1 − ½ [ω]ₓ + (1/θ²)(1 − (θ/2) cot(θ/2)) [ω]ₓ².
    """
    xp, turn = namespace(rotation), quaternion_log(rotation)
    angle = xp.sqrt(xp.clip((turn * turn).sum(-1)[..., None], 1e-20, None))
    half = xp.clip(angle / 2, SERIES_BELOW / 2, None)
    closed = (1 - half / xp.tan(half)) / (4 * half * half)
    bend = xp.where(angle < SERIES_BELOW, 1 / 12 + angle * angle / 720, closed)
    once = cross(turn, shift)
    return xp.concatenate([turn, shift - 0.5 * once + bend * cross(turn, once)], -1)


def screws_at(
    screws: Float[Array, "*#batch 6 #c"], arm: Float[Array, "*#batch 3 #c"]
) -> Float[Array, "*batch 6 c"]:
    """Columns of screws about a centre as screws about another, `arm` away from it: (ω, u + ω × arm)."""
    xp, turn, shift = namespace(screws), screws[..., :3, :], screws[..., 3:, :]
    moved = shift + cross(turn.mT, arm.mT).mT
    return xp.concatenate([xp.broadcast_to(turn, moved.shape), moved], -2)


@cache
def screw_generators(xp: Any) -> Float[Array, "6 16"]:
    """The linear map (ω, u) ↦ [[ω]ₓ u; 0 0], as sixteen numbers for each of the six."""
    generators = np.zeros((6, 4, 4))
    generators[:3, :3, :3] = skew(np.eye(3))
    generators[3:, :3, 3] = np.eye(3)
    return xp.asarray(generators.reshape(6, 16))
