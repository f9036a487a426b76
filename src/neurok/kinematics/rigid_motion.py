"""Exponential maps of rotations and rigid motions, smooth where the angle is zero."""

from __future__ import annotations

import math

import torch
from jaxtyping import Float
from torch import Tensor

SERIES_BELOW = 0.25  # squared angle under which the power series is exact to rounding
TERMS = 9


def rotation_exp(w: Float[Tensor, "*batch 3"]) -> Float[Tensor, "*batch 3 3"]:
    """Rotation by |w| radians about w (Rodrigues): R = I + a W + b W², W = [w]×.

    a = sin θ / θ and b = (1 − cos θ) / θ² are functions of θ², so every derivative exists at w = 0.
    """
    squared = (w * w).sum(-1)[..., None, None]
    cross = cross_matrix(w)
    return _identity(w) + _sinc(squared) * cross + _versine(squared) * (cross @ cross)


def se3_exp(w: Float[Tensor, "*batch 3"], u: Float[Tensor, "*batch 3"]) -> Float[Tensor, "*batch 3 4"]:
    """The rigid motion (R, V u) of the twist (w, u): a screw. V = I + b W + c W², c = (θ − sin θ) / θ³."""
    squared = (w * w).sum(-1)[..., None, None]
    cross = cross_matrix(w)
    square = cross @ cross
    rotation = _identity(w) + _sinc(squared) * cross + _versine(squared) * square
    advance = _identity(w) + _versine(squared) * cross + _cubic(squared) * square
    return torch.cat([rotation, advance @ u[..., None]], dim=-1)


def cross_matrix(w: Float[Tensor, "*batch 3"]) -> Float[Tensor, "*batch 3 3"]:
    """[w]×, for which [w]× x = w × x."""
    x, y, z = w.unbind(-1)
    zero = torch.zeros_like(x)
    return torch.stack([zero, -z, y, z, zero, -x, -y, x, zero], dim=-1).unflatten(-1, (3, 3))


def _identity(like: Tensor) -> Tensor:
    return torch.eye(3, dtype=like.dtype, device=like.device)


def _sinc(squared: Tensor) -> Tensor:
    """sin θ / θ."""
    series, safe, small = _near_zero(squared, 1)
    angle = safe.sqrt()
    return torch.where(small, series, angle.sin() / angle)


def _versine(squared: Tensor) -> Tensor:
    """(1 − cos θ) / θ² = 2 sin²(θ/2) / θ²."""
    series, safe, small = _near_zero(squared, 2)
    return torch.where(small, series, 2 * (safe.sqrt() / 2).sin() ** 2 / safe)


def _cubic(squared: Tensor) -> Tensor:
    """(θ − sin θ) / θ³."""
    series, safe, small = _near_zero(squared, 3)
    angle = safe.sqrt()
    return torch.where(small, series, (angle - angle.sin()) / (angle * safe))


def _near_zero(squared: Tensor, order: int) -> tuple[Tensor, Tensor, Tensor]:
    """Σ_k (−θ²)^k / (2k + order)!, a θ² kept away from zero for the closed form, and which one holds.

    Both branches of `where` stay finite, so that no NaN leaks into a derivative.
    """
    small = squared < SERIES_BELOW
    low = torch.where(small, squared, torch.zeros_like(squared))
    series = torch.zeros_like(low)
    for k in reversed(range(TERMS)):
        series = 1 / math.factorial(2 * k + order) - low * series
        # Horner on Σ c_k (−s)^k: c_0 − s (c_1 − s (c_2 − …))
    return series, torch.where(small, torch.ones_like(squared), squared), small
