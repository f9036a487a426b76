"""`NeuROK`: the conditional variational autoencoder."""

from __future__ import annotations

from jaxtyping import Float
from torch import Tensor, nn

from neurok.model.config import ModelConfig
from neurok.model.decoders import AttentionDecoder, SkinningDecoder
from neurok.model.encoders import PosteriorEncoder, PriorEncoder
from neurok.model.surface import ShapeCode, SurfacePoints

DECODERS = {"skinning": SkinningDecoder, "attention": AttentionDecoder}


class NeuROK(nn.Module):
    """Surface M₀ → prior N(μ(M₀), I) over latents z ∈ R^(K·d) → deformations.

    Training adds the posterior of a deformation (`objective`); simulation, sampling and fitting need only
    `encode` and the decoder.
    """

    decoder: SkinningDecoder | AttentionDecoder

    def __init__(self, config: ModelConfig | None = None) -> None:
        super().__init__()
        self.config = config or ModelConfig()
        self.prior = PriorEncoder(self.config)
        self.posterior = PosteriorEncoder(self.config)
        self.decoder = DECODERS[self.config.decoder](self.config)

    def encode(self, surface: SurfacePoints) -> ShapeCode:
        """The shape's tokens and the mean of its prior."""
        return self.prior(surface)

    def maps(
        self, z: Float[Tensor, "b k d"], code: ShapeCode, queries: SurfacePoints
    ) -> Float[Tensor, "b n 3 4"]:
        """[A | t] at every query point: x' = A x + t. Rigid but for the blending of skinning."""
        return self.decoder(z, code, queries)
