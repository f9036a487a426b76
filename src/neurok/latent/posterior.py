"""The variational deformation encoder: deformation and shape → q(z | φ, M₀), in closed form.

The handles' screws ξ of a deformation follow from its rigid motions. The shape encoder predicts Ξ, μ and the
diagonal N. Under ξ = Ξ z + n with z ~ N(μ, I) and n ~ N(0, N)

  q(z | ξ) = N(m, P⁻¹),   P = 1 + Ξᵀ N⁻¹ Ξ,   m = μ + P⁻¹ Ξᵀ N⁻¹ (ξ − Ξ μ)

is the exact posterior. No network has to learn to invert the decoder.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from jaxtyping import Float
from torch import Tensor

from neurok.latent.surface import ShapeCode


@dataclass(frozen=True, eq=False)
class Posterior:
    """q(z) of D deformations of each of B shapes; those of one shape share a covariance."""

    mean: Float[Tensor, "b d z"]
    offset: Float[Tensor, "b d z"]  # m − μ
    root: Float[Tensor, "b z z"]  # lower L with L Lᵀ = P, the inverse covariance
    misfit: Float[Tensor, "b d"]  # (ξ − Ξμ)ᵀ C⁻¹ (ξ − Ξμ), C = Ξ Ξᵀ + N the covariance of ξ
    volume: Float[Tensor, " b"]  # log det C

    def sample(self, noise: Float[Tensor, "b d z"]) -> Float[Tensor, "b d z"]:
        """m + L⁻ᵀ ε."""
        shift = torch.linalg.solve_triangular(self.root.mT, noise.mT, upper=True)
        return self.mean + shift.mT

    @torch.no_grad()
    def kl(self) -> Float[Tensor, "b d"]:
        """KL(q‖p) = ½ (tr P⁻¹ + |m − μ|² − dim z + log det P), summed over the latent numbers, in nats."""
        eye = torch.eye(self.root.shape[-1], dtype=self.root.dtype, device=self.root.device)
        inverse = torch.linalg.solve_triangular(self.root, eye.expand_as(self.root), upper=False)
        log_det = 2 * self.root.diagonal(dim1=-2, dim2=-1).log().sum(-1)
        spread = inverse.square().sum((-1, -2)) - len(eye) + log_det
        return 0.5 * (self.offset.square().sum(-1) + spread[:, None])


def posterior(code: ShapeCode, screws: Float[Tensor, "b d s"]) -> Posterior:
    """The posterior of the screws of the handles.

    The misfit is |ξ − Ξm|²_N⁻¹ + |m − μ|², a sum of positive terms that is stable in float32, and
    log det C = log det P + log det N.
    """
    modes, precision = code.modes, code.noise.square().reciprocal()
    size = modes.shape[-1]
    eye = torch.eye(size, dtype=modes.dtype, device=modes.device)
    weighted = modes * precision[..., None]
    root = torch.linalg.cholesky(eye + modes.mT @ weighted)
    residual = screws - (modes @ code.prior[..., None])[:, None, :, 0]
    offset = torch.cholesky_solve((residual @ weighted).mT, root).mT
    unexplained = residual - offset @ modes.mT
    misfit = (unexplained.square() * precision[:, None]).sum(-1) + offset.square().sum(-1)
    log_det = 2 * root.diagonal(dim1=-2, dim2=-1).log().sum(-1)
    volume = log_det - precision.log().sum(-1)
    mean = code.prior[:, None] + offset
    return Posterior(mean, offset, root, misfit, volume)
