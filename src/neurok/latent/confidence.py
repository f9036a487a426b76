"""How far to trust the model with a shape: the share of its motion that the few coordinates should hold.

Learned after training from objects that were not trained on, of which the true motion is known.
"""

from __future__ import annotations

import torch
from jaxtyping import Float
from torch import Tensor, nn

from neurok.latent.surface import ShapeCode

FEW = 12  # coordinates that are kept of a motion
TURN = 0.4  # radii that a radian is worth
LEADING = 16  # directions of the tokens that the prediction looks at
RIDGES = (1.0, 3.0, 10.0, 30.0, 100.0, 300.0, 1000.0)
USUAL = 0.75  # share of held-out shapes that are no stranger than usual
STRANGE = 8  # power by which confidence falls beyond


class Confidence(nn.Module):
    """A linear prediction from what the encoder says of a shape, less for shapes stranger than usual.

    c = clip(a + b · f) · min(1, (D/d)⁸) with d the Mahalanobis distance of the shape's mean token from those
    of training, D what is still usual, and f features of the code: log d, the noise and the size of the
    modes, how many of them count, and the leading directions of the mean token.
    """

    mean: Tensor
    whiten: Tensor
    reach: Tensor
    slope: Tensor
    offset: Tensor

    def __init__(self, width: int) -> None:
        super().__init__()
        self.leading = min(LEADING, width)
        self.register_buffer("mean", torch.zeros(width))
        self.register_buffer("whiten", torch.zeros(width, width))
        self.register_buffer("reach", torch.zeros(()))  # D; none: no confidence
        self.register_buffer("slope", torch.zeros(self.leading + 4))
        self.register_buffer("offset", torch.zeros(()))

    def forward(self, code: ShapeCode) -> Float[Tensor, " b"]:
        """From 0 to 1."""
        predicted = (self.offset + self.features(code) @ self.slope).clamp(0, 1)
        return predicted * (self.reach / self.distance(code).clamp(min=1e-6)).pow(STRANGE).clamp(max=1)

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
    def know(self, tokens: Float[Tensor, "n w"]) -> None:
        """Mean and covariance C of the mean tokens of training shapes (shrunk by a tenth to its diagonal)."""
        centred = tokens - tokens.mean(0)
        covariance = centred.T @ centred / max(1, len(tokens) - 1)
        covariance = 0.9 * covariance + 0.1 * covariance.diagonal().diag()
        values, vectors = torch.linalg.eigh(covariance.double())
        floor = 1e-6 * values.max().clamp(min=1e-12)
        self.mean.copy_(tokens.mean(0))
        self.whiten.copy_((vectors / values.clamp(min=floor).sqrt()).flip(1))

    @torch.no_grad()
    def calibrate(
        self, features: Float[Tensor, "n f"], distance: Float[Tensor, " n"], held: Float[Tensor, " n"]
    ) -> None:
        """Ridge regression of the held shares of shapes that were not trained on; leaving each of them out in
        turn says how strong the ridge should be."""
        centre, spread = features.mean(0), features.std(0).clamp(min=1e-6)
        x = ((features - centre) / spread).double()
        y = (held - held.mean()).double()
        fits = [_ridge(x, y, ridge) for ridge in RIDGES]
        slope = min(fits, key=lambda fit: fit[1])[0].to(features.dtype) / spread
        self.slope.copy_(slope)
        self.offset.copy_(held.mean() - centre @ slope)
        self.reach.copy_(distance.quantile(USUAL))


def _ridge(x: Tensor, y: Tensor, ridge: float) -> tuple[Tensor, float]:
    """b = (XᵀX + r)⁻¹ Xᵀ y, and Σ (e_i / (1 − h_i))²: the error of every object by a fit without it."""
    inverse = torch.linalg.inv(x.T @ x + ridge * torch.eye(x.shape[1], dtype=x.dtype))
    slope = inverse @ x.T @ y
    lever = ((x @ inverse) * x).sum(-1) + 1 / len(x)
    return slope, float(((y - x @ slope) / (1 - lever)).square().sum())


@torch.no_grad()
def held_share(code: ShapeCode, screws: Float[Tensor, "b d s"]) -> Float[Tensor, " b"]:
    """The share of true motion (squared, over D deformations) within the few leading directions of Ξ."""
    weight = code.modes.new_tensor([TURN] * 3 + [1.0] * 3).repeat(code.modes.shape[1] // 6)
    leading = torch.linalg.svd(code.modes * weight[:, None], full_matrices=False).U[:, :, :FEW]
    moved = screws * weight
    return (moved @ leading).square().sum((1, 2)) / moved.square().sum((1, 2)).clamp(min=1e-12)
