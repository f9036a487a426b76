"""Active subspaces: the directions of the latent space along which the decoded deformation changes most.

A decoder z ↦ c(z) with mass metric G (kinetic energy ½ ċᵀ G ċ) has the pulled-back metric M(z) = Jᵀ G J,
J = ∂c/∂z. The leading eigenvectors of C = E[M(z)] over the prior span the active subspace.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import torch
from jaxtyping import Float
from torch import Tensor

Decode = Callable[[Tensor], Tensor]  # (b, l) latents ↦ (b, r) codes


@dataclass(frozen=True)
class ReductionConfig:
    """Options of the reduction."""

    norm: Literal["mass", "scalar"] = "mass"
    """C = E[Jᵀ G J], or E[∇g ∇gᵀ] of g(z) = |c(z) − c(z₀)|_G as in arXiv:2605.30347."""
    max_coordinates: int = 12
    """Largest number of coordinates."""
    tolerance: float = 0.3
    """Share of the motion, in the mass norm, that may be lost on held-out samples of the prior."""
    samples: int = 64
    """Samples of the prior that C is averaged over."""
    probes: int = 16
    """Random directions ξ per sample that estimate M: E[(Jᵀ L ξ)(Jᵀ L ξ)ᵀ] = Jᵀ G J for G = L Lᵀ."""
    held_out: int = 128
    """Fresh samples on which the number of coordinates is chosen."""
    seed: int = 0


# Observed motion may need more coordinates than samples of the prior.
FOR_FITTING = ReductionConfig(max_coordinates=128, tolerance=0.02)


@dataclass(frozen=True, eq=False)
class ActiveSubspace:
    """z(q) = z₀ + U q with orthonormal U: q = 0 is the input shape."""

    origin: Float[Tensor, " l"]  # z₀
    axes: Float[Tensor, "l k"]  # U
    spectrum: Float[Tensor, " n"]  # eigenvalues of C, largest first
    lost: Float[Tensor, " n"]  # share of the held-out motion that 1, 2, … coordinates lose
    centre: Float[Tensor, " k"]  # of the prior, Uᵀ(μ − z₀): there q is N(centre, I)

    @property
    def dim(self) -> int:
        return self.axes.shape[1]

    def latent(self, q: Float[Tensor, "*batch k"]) -> Float[Tensor, "*batch l"]:
        return self.origin + q @ self.axes.T


def whole_space(mean: Float[Tensor, " l"], origin: Float[Tensor, " l"]) -> ActiveSubspace:
    """No reduction: every latent number is a coordinate."""
    size = len(mean)
    axes, nothing = torch.eye(size, dtype=mean.dtype), torch.zeros(size, dtype=mean.dtype)
    return ActiveSubspace(origin, axes, nothing, nothing, mean - origin)


def active_subspace(
    decode: Decode,
    mean: Float[Tensor, " l"],
    origin: Float[Tensor, " l"],
    metric: Float[Tensor, "r r"],
    config: ReductionConfig = ReductionConfig(),  # noqa: B008  # frozen
) -> ActiveSubspace:
    """The subspace of a decoder under the prior N(mean, I), centred at the latent of the input shape."""
    rng = torch.Generator().manual_seed(config.seed)
    root = _root(metric)
    z = mean + torch.randn(config.samples, len(mean), generator=rng, dtype=mean.dtype)
    gradients = (_probed if config.norm == "mass" else _scalar)(decode, z, origin, root, config, rng)
    covariance = gradients.T @ gradients / len(gradients)
    values, vectors = torch.linalg.eigh(covariance)
    count = min(config.max_coordinates, len(values))
    spectrum, axes = values.flip(0)[:count], vectors.flip(1)[:, :count]
    fresh = mean + torch.randn(config.held_out, len(mean), generator=rng, dtype=mean.dtype)
    lost = _lost(decode, fresh, origin, axes, root)
    enough = (lost <= config.tolerance).nonzero()
    k = int(enough[0]) + 1 if len(enough) else count
    return ActiveSubspace(origin, axes[:, :k], spectrum, lost, (mean - origin) @ axes[:, :k])


def _root(metric: Float[Tensor, "r r"]) -> Float[Tensor, "r r"]:
    """L with L Lᵀ = G. G may be singular: points in a plane, handles without mass."""
    values, vectors = torch.linalg.eigh(metric)
    return vectors * values.clamp(min=0).sqrt()


def _probed(decode, z, origin, root, config: ReductionConfig, rng) -> Float[Tensor, "n l"]:
    """Jᵀ L ξ for random ξ, at every sample."""
    points = z.repeat_interleave(config.probes, dim=0).requires_grad_()
    probes = torch.randn(len(points), root.shape[1], generator=rng, dtype=z.dtype)
    return torch.autograd.grad(((decode(points) @ root) * probes).sum(), points)[0]


def _scalar(decode, z, origin, root, config: ReductionConfig, rng) -> Float[Tensor, "n l"]:
    """∇g at every sample."""
    points = z.clone().requires_grad_()
    moved = (decode(points) - decode(origin[None])) @ root
    return torch.autograd.grad(moved.norm(dim=-1).sum(), points)[0]


@torch.no_grad()
def _lost(decode, z, origin, axes, root) -> Float[Tensor, " n"]:
    """|c(z) − c(z₀ + U Uᵀ (z − z₀))|_G / |c(z) − c(z₀)|_G, root mean squares, for 1, 2, … axes."""
    truth, still = decode(z) @ root, decode(origin[None]) @ root
    whole = (truth - still).square().sum(-1).mean().sqrt().clamp(min=1e-12)
    shares = []
    for k in range(1, axes.shape[1] + 1):
        some = axes[:, :k]
        near = decode(origin + (z - origin) @ some @ some.T) @ root
        shares.append((truth - near).square().sum(-1).mean().sqrt() / whole)
    return torch.stack(shares)
