"""Rigid motions by their logarithm: screws, which add up like vectors.

A screw (ω, u) ∈ R⁶ about a centre c is the motion x ↦ R (x − c) + c + d with R = exp[ω]× and d = V(ω) u,
V(ω) = 1 + b [ω]× + a [ω]×², the integral of exp(t [ω]×) over t from 0 to 1. A hinge is one straight line
through 0 in this space, and so is a slide: what joints do is linear in their coordinate.
"""

from __future__ import annotations

import torch
from jaxtyping import Float
from torch import Tensor

SMALL = 1e-2  # squared angle below which the series are exact to float64

Screws = Float[Tensor, "*batch 6"]


def exp(screw: Screws) -> Float[Tensor, "*batch 3 4"]:
    """[R | d], smooth in the screw at 0 too: the series there have the derivatives of the closed forms."""
    turn, shift = screw[..., :3], screw[..., 3:]
    square = turn.square().sum(-1)[..., None, None]
    sine, cosine, rest = _sine(square), _cosine(square), _rest(square)
    cross = skew(turn)
    cross2 = cross @ cross
    eye = torch.eye(3, dtype=screw.dtype, device=screw.device)
    integral = eye + cosine * cross + rest * cross2
    return torch.cat([eye + sine * cross + cosine * cross2, integral @ shift[..., None]], dim=-1)


def log(rotation: Float[Tensor, "*batch 4"], shift: Float[Tensor, "*batch 3"]) -> Screws:
    """The screw of a unit quaternion and the shift d of its centre, of angle at most π.

    V⁻¹ = 1 − ½ [ω]× + (1/θ²)(1 − (θ/2) cot(θ/2)) [ω]×².
    """
    near = torch.where(rotation[..., :1] < 0, -rotation, rotation)
    vector = near[..., 1:]
    sine = vector.square().sum(-1, keepdim=True).clamp(min=1e-20).sqrt()
    angle = 2 * torch.atan2(sine, near[..., :1])
    turn = vector * (angle / sine)
    half = (angle / 2).clamp(min=1e-3)
    bend = torch.where(
        angle < 2e-3, 1 / 12 + angle.square() / 720, (1 - half / half.tan()) / (4 * half.square())
    )
    once = torch.cross(turn, shift, dim=-1)
    twice = torch.cross(turn, once, dim=-1)
    return torch.cat([turn, shift - 0.5 * once + bend * twice], dim=-1)


def skew(v: Float[Tensor, "*batch 3"]) -> Float[Tensor, "*batch 3 3"]:
    """[v]×, with [v]× w = v × w."""
    x, y, z = v.unbind(-1)
    zero = torch.zeros_like(x)
    return torch.stack([zero, -z, y, z, zero, -x, -y, x, zero], dim=-1).unflatten(-1, (3, 3))


def _sine(square: Tensor) -> Tensor:
    """sin θ / θ of θ²."""
    s = square.clamp(min=SMALL)
    series = 1 - square / 6 * (1 - square / 20 * (1 - square / 42 * (1 - square / 72)))
    return torch.where(square < SMALL, series, s.sqrt().sin() / s.sqrt())


def _cosine(square: Tensor) -> Tensor:
    """(1 − cos θ) / θ² of θ²."""
    s = square.clamp(min=SMALL)
    series = 0.5 - square / 24 * (1 - square / 30 * (1 - square / 56 * (1 - square / 90)))
    return torch.where(square < SMALL, series, (1 - s.sqrt().cos()) / s)


def _rest(square: Tensor) -> Tensor:
    """(θ − sin θ) / θ³ of θ²."""
    s = square.clamp(min=SMALL)
    series = 1 / 6 - square / 120 * (1 - square / 42 * (1 - square / 72 * (1 - square / 110)))
    return torch.where(square < SMALL, series, (1 - s.sqrt().sin() / s.sqrt()) / s)
