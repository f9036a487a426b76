"""Confidence of the model in a shape: the predicted share of its motion that a few coordinates capture.

It is fitted after training, on objects that were not trained on and of which the true motion is known.
"""

from __future__ import annotations

import torch
from jaxtyping import Float
from torch import Tensor, nn

from neurok.latent.surface import ShapeCode

KEPT_COORDINATES = 12  # the default of `ReductionConfig.max_coordinates`
RADII_PER_RADIAN = 0.4  # weight of rotations against shifts in the norm of screws
TOKEN_DIRECTIONS = 16  # leading directions of the whitened mean token among the features
RIDGES = (1.0, 3.0, 10.0, 30.0, 100.0, 300.0, 1000.0)  # candidate strengths, chosen by leave-one-out error
SHRINKAGE = 0.1  # of the covariance of tokens to its diagonal
FAMILIAR_QUANTILE = 0.75  # of the distances of held-out shapes: up to here a shape counts as familiar
DISTANCE_POWER = 8  # by which confidence falls with distance beyond the familiar


class Confidence(nn.Module):
    """A linear prediction from features of the encoded shape, reduced for unfamiliar shapes.

    c = clip(a + b · f) · min(1, (D/d)⁸). d is the Mahalanobis distance of the shape's mean token from those
    of training, and D its familiar limit. The features f are log d, the noise and the size of the modes,
    their effective number, and the leading directions of the mean token.
    """

    mean: Tensor
    whiten: Tensor
    reach: Tensor
    slope: Tensor
    offset: Tensor

    def __init__(self, width: int) -> None:
        super().__init__()
        self.leading = min(TOKEN_DIRECTIONS, width)
        self.register_buffer("mean", torch.zeros(width))
        self.register_buffer("whiten", torch.zeros(width, width))
        self.register_buffer("reach", torch.zeros(()))  # D; 0 before calibration: confidence 0
        self.register_buffer("slope", torch.zeros(self.leading + 4))
        self.register_buffer("offset", torch.zeros(()))

    def forward(self, code: ShapeCode) -> Float[Tensor, " b"]:
        """Confidence c, from 0 to 1."""
        predicted = (self.offset + self.features(code) @ self.slope).clamp(0, 1)
        return predicted * (self.reach / self.distance(code).clamp(min=1e-6)).pow(DISTANCE_POWER).clamp(max=1)

    def distance(self, code: ShapeCode) -> Float[Tensor, " b"]:
        """d = |C^(−1/2) (mean token − mean)|."""
        return self._whitened(code).norm(dim=-1)

    def features(self, code: ShapeCode) -> Float[Tensor, "b f"]:
        white = self._whitened(code)
        energy = code.modes.square().sum(1)
        size = energy.sum(-1).clamp(min=1e-12)
        many = size.square() / energy.square().sum(-1).clamp(min=1e-24)
        own = [white.norm(dim=-1).clamp(min=1e-6).log(), code.noise.log().mean(-1), size.log(), many.log()]
        return torch.cat([torch.stack(own, dim=-1), white[:, : self.leading].clamp(-4, 4)], dim=-1)

    def _whitened(self, code: ShapeCode) -> Float[Tensor, "b w"]:
        return (code.tokens.mean(1) - self.mean) @ self.whiten

    @torch.no_grad()
    def fit_familiarity(self, tokens: Float[Tensor, "n w"]) -> None:
        """Set mean and covariance C of the mean tokens of training shapes; C is shrunk to its diagonal."""
        centred = tokens - tokens.mean(0)
        covariance = centred.T @ centred / max(1, len(tokens) - 1)
        covariance = (1 - SHRINKAGE) * covariance + SHRINKAGE * covariance.diagonal().diag()
        values, vectors = torch.linalg.eigh(covariance.double())
        floor = 1e-6 * values.max().clamp(min=1e-12)
        self.mean.copy_(tokens.mean(0))
        self.whiten.copy_((vectors / values.clamp(min=floor).sqrt()).flip(1))

    @torch.no_grad()
    def calibrate(
        self, features: Float[Tensor, "n f"], distance: Float[Tensor, " n"], captured: Float[Tensor, " n"]
    ) -> None:
        """Fit a and b by ridge regression to the captured shares of shapes that were not trained on.

        The strength of the ridge is the one with the smallest leave-one-out error.
        """
        centre, spread = features.mean(0), features.std(0).clamp(min=1e-6)
        x = ((features - centre) / spread).double()
        y = (captured - captured.mean()).double()
        fits = [_ridge(x, y, ridge) for ridge in RIDGES]
        slope = min(fits, key=lambda fit: fit[1])[0].to(features.dtype) / spread
        self.slope.copy_(slope)
        self.offset.copy_(captured.mean() - centre @ slope)
        self.reach.copy_(distance.quantile(FAMILIAR_QUANTILE))


def _ridge(x: Tensor, y: Tensor, ridge: float) -> tuple[Tensor, float]:
    """b = (XᵀX + r)⁻¹ Xᵀ y, and the leave-one-out error Σ (e_i / (1 − h_i))²."""
    inverse = torch.linalg.inv(x.T @ x + ridge * torch.eye(x.shape[1], dtype=x.dtype))
    slope = inverse @ x.T @ y
    lever = ((x @ inverse) * x).sum(-1) + 1 / len(x)
    return slope, float(((y - x @ slope) / (1 - lever)).square().sum())


@torch.no_grad()
def captured_share(code: ShapeCode, screws: Float[Tensor, "b d s"]) -> Float[Tensor, " b"]:
    """Share of the squared true motion, over D deformations, within the leading directions of Ξ."""
    weight = code.modes.new_tensor([RADII_PER_RADIAN] * 3 + [1.0] * 3).repeat(code.modes.shape[1] // 6)
    leading = torch.linalg.svd(code.modes * weight[:, None], full_matrices=False).U[:, :, :KEPT_COORDINATES]
    moved = screws * weight
    return (moved @ leading).square().sum((1, 2)) / moved.square().sum((1, 2)).clamp(min=1e-12)
