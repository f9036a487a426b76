"""Conditions the prior on the surface: it stays connected, and pinned points do not move.

Handle j moves a point x of the surface, to first order, by L_j(x) z with L_j(x) = Ξ_j,u − [x − a_j]ₓ Ξ_j,ω.
The surface moves by L(x) z, L = Σ_j w_j L_j. Both conditions are linear observations of z ~ N(μ, I):

- seams: handles that share a point move it alike, √w_j (L_j(x) − L(x)) z ~ N(0, σ²). The model draws the
  motions of handles almost independently; without this condition limbs stretch and cloth crumples;
- pins: L(x) z ~ N(0, σ²).

Let O be the rows of all observations, each divided by its σ. The conditioned latent is normal again: z = A
z', z' ~ N(A μ, I), A = (1 + OᵀO)^(−1/2).
"""

from __future__ import annotations

import torch
from jaxtyping import Float
from torch import Tensor

from neurok.geometry.screws import screws_at

PIN_DEVIATION = 0.003  # σ of the motion of pinned points, radii
SEAM_DEVIATION = 0.1  # σ of the difference between handles at a point that they share, radii


def point_motions(
    modes: Float[Tensor, "s l"], anchors: Float[Tensor, "h 3"], points: Float[Tensor, "p 3"]
) -> Float[Tensor, "p h 3 l"]:
    """L_j(x): motion of every point by every handle, per latent number."""
    arm = (points[:, None] - anchors)[..., None]
    return screws_at(modes.unflatten(0, (-1, 6))[None], arm)[:, :, 3:]


def pin_information(motions: Float[Tensor, "p h 3 l"], weights: Float[Tensor, "p h"]) -> Float[Tensor, "l l"]:
    """OᵀO of pinned points."""
    rows = torch.einsum("ph,phil->pil", weights, motions).flatten(0, 1) / PIN_DEVIATION
    return rows.T @ rows


def seam_information(
    motions: Float[Tensor, "p h 3 l"], weights: Float[Tensor, "p h"]
) -> Float[Tensor, "l l"]:
    """OᵀO of points that several handles move."""
    mean = torch.einsum("ph,phil->pil", weights, motions)
    apart = (motions - mean[:, None]) * weights.sqrt()[..., None, None]
    rows = apart.flatten(0, 2) / SEAM_DEVIATION
    return rows.T @ rows


def conditioned(
    modes: Float[Tensor, "s l"], mean: Float[Tensor, " l"], observed: Float[Tensor, "l l"]
) -> tuple[Float[Tensor, "s l"], Float[Tensor, " l"]]:
    """Modes Ξ A and mean A μ of the latent z'; `observed` is OᵀO."""
    values, vectors = torch.linalg.eigh(observed)
    root = (vectors / (1 + values.clamp(min=0)).sqrt()) @ vectors.T
    return modes @ root, root @ mean
