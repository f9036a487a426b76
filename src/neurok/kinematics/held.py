"""What is known to stand still: the prior given that some points of the surface do not move.

A point x of the surface moves, to first order, by L z with L = Σ_j w_j(x) (Ξ_j,u − [x − a_j]× Ξ_j,ω). That
all of them stay within σ of their places is a linear observation of z ~ N(μ, I), so what remains is normal:
z = A z', z' ~ N(A μ, I), A = (1 + LᵀL/σ²)^(−1/2). Where the points stand still for z, A z is near 0.
"""

from __future__ import annotations

import torch
from jaxtyping import Float
from torch import Tensor

from neurok.model.screws import skew

STILL = 0.003  # σ, radii


def shifts(
    modes: Float[Tensor, "s l"],
    anchors: Float[Tensor, "h 3"],
    weights: Float[Tensor, "p h"],
    points: Float[Tensor, "p 3"],
) -> Float[Tensor, "q l"]:
    """L: how the points move per latent number, row by row for their three coordinates."""
    screws = modes.unflatten(0, (-1, 6))
    arm = skew(points[:, None] - anchors)
    moved = screws[None, :, 3:] - arm @ screws[None, :, :3]
    return torch.einsum("ph,phil->pil", weights, moved).flatten(0, 1)


def given_still(
    modes: Float[Tensor, "s l"], mean: Float[Tensor, " l"], shift: Float[Tensor, "q l"]
) -> tuple[Float[Tensor, "s l"], Float[Tensor, " l"]]:
    """Modes Ξ A and mean A μ of the latent z'."""
    values, vectors = torch.linalg.eigh(shift.T @ shift / STILL**2)
    root = (vectors / (1 + values.clamp(min=0)).sqrt()) @ vectors.T
    return modes @ root, root @ mean
