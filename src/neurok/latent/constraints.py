"""What is known of a surface: the prior given that it does not come apart, and that some points stand still.

A handle j moves a point x of the surface, to first order, by L_j(x) z with L_j(x) = Ξ_j,u − [x − a_j]× Ξ_j,ω,
and the surface moves by L(x) z, L = Σ_j w_j L_j. Both facts are linear observations of z ~ N(μ, I):

- handles that share a point move it alike: √w_j (L_j(x) − L(x)) z ~ N(0, σ²). The model draws the motions of
  handles almost independently, and without this limbs stretch and cloth crumples;
- what is held stays: L(x) z ~ N(0, σ²).

With the rows of all of them divided by their σ, O, what remains is normal again: z = A z', z' ~ N(A μ, I),
A = (1 + OᵀO)^(−1/2).
"""

from __future__ import annotations

import torch
from jaxtyping import Float
from torch import Tensor

from neurok.geometry.rotations import skew

STILL = 0.003  # σ of what is held, radii
ALIKE = 0.1  # σ of what handles share, radii


def shifts(
    modes: Float[Tensor, "s l"], anchors: Float[Tensor, "h 3"], points: Float[Tensor, "p 3"]
) -> Float[Tensor, "p h 3 l"]:
    """L_j(x): how every handle moves the points per latent number."""
    screws = modes.unflatten(0, (-1, 6))
    arm = skew(points[:, None] - anchors)
    return screws[None, :, 3:] - arm @ screws[None, :, :3]


def stays(shift: Float[Tensor, "p h 3 l"], weights: Float[Tensor, "p h"]) -> Float[Tensor, "l l"]:
    """OᵀO of points that are held."""
    rows = torch.einsum("ph,phil->pil", weights, shift).flatten(0, 1) / STILL
    return rows.T @ rows


def shared(shift: Float[Tensor, "p h 3 l"], weights: Float[Tensor, "p h"]) -> Float[Tensor, "l l"]:
    """OᵀO of points that several handles move."""
    mean = torch.einsum("ph,phil->pil", weights, shift)
    apart = (shift - mean[:, None]) * weights.sqrt()[..., None, None]
    rows = apart.flatten(0, 2) / ALIKE
    return rows.T @ rows


def given(
    modes: Float[Tensor, "s l"], mean: Float[Tensor, " l"], observed: Float[Tensor, "l l"]
) -> tuple[Float[Tensor, "s l"], Float[Tensor, " l"]]:
    """Modes Ξ A and mean A μ of the latent z', `observed` being OᵀO."""
    values, vectors = torch.linalg.eigh(observed)
    root = (vectors / (1 + values.clamp(min=0)).sqrt()) @ vectors.T
    return modes @ root, root @ mean
