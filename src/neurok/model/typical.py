"""How usual a shape is among those that the model knows: the figure by which it says when not to trust it."""

from __future__ import annotations

import torch
from jaxtyping import Float
from torch import Tensor, nn

STEPS = 101  # quantiles of the distances that are kept


class Typical(nn.Module):
    """Mahalanobis distance of a shape's mean token from those of training, and how held-out shapes fared.

    Confidence is the share of held-out shapes that lie at least as far out: half of the usual ones have more
    than 0.5, a shape beyond all of them has 0.
    """

    mean: Tensor
    whiten: Tensor
    distances: Tensor

    def __init__(self, width: int) -> None:
        super().__init__()
        self.register_buffer("mean", torch.zeros(width))
        self.register_buffer("whiten", torch.zeros(width, width))
        self.register_buffer("distances", torch.full((STEPS,), -1.0))  # quantiles; none: no confidence

    def forward(self, tokens: Float[Tensor, "b k w"]) -> Float[Tensor, " b"]:
        """The confidence, from 0 to 1."""
        return (self.distances >= self.distance(tokens)[:, None]).float().mean(-1)

    def distance(self, tokens: Float[Tensor, "b k w"]) -> Float[Tensor, " b"]:
        """|C^(−1/2) (mean token − mean)|."""
        return ((tokens.mean(1) - self.mean) @ self.whiten).norm(dim=-1)

    @torch.no_grad()
    def calibrate(self, known: Float[Tensor, "n k w"], held_out: Float[Tensor, "m k w"]) -> None:
        """Mean and covariance C of training shapes (shrunk by a tenth to its diagonal), and the distances of
        shapes that were not trained on."""
        features = known.mean(1)
        centred = features - features.mean(0)
        covariance = centred.T @ centred / max(1, len(features) - 1)
        covariance = 0.9 * covariance + 0.1 * covariance.diagonal().diag()
        values, vectors = torch.linalg.eigh(covariance.double())
        floor = 1e-6 * values.max().clamp(min=1e-12)
        self.mean.copy_(features.mean(0))
        self.whiten.copy_((vectors / values.clamp(min=floor).sqrt()) @ vectors.T)
        self.distances.copy_(self.distance(held_out).quantile(torch.linspace(0, 1, STEPS)))
