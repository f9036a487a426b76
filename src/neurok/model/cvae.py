"""`NeuROK`: the conditional variational autoencoder."""

from __future__ import annotations

from jaxtyping import Float
from torch import Tensor, nn

from neurok.model.config import ModelConfig
from neurok.model.decoders import AttentionDecoder, SkinningDecoder
from neurok.model.encoders import PriorEncoder
from neurok.model.surface import ShapeCode, SurfacePoints

DECODERS = {"skinning": SkinningDecoder, "attention": AttentionDecoder}


class NeuROK(nn.Module):
    """Surface M₀ → prior N(μ(M₀), I) over latents z → deformations; z = 0 is no deformation.

    Training adds the posterior of a deformation (`posterior`), for which the encoded shape says all that is
    needed; simulation, sampling and fitting need only `encode` and the decoder.
    """

    decoder: SkinningDecoder | AttentionDecoder

    def __init__(self, config: ModelConfig | None = None) -> None:
        super().__init__()
        self.config = config or ModelConfig()
        self.prior = PriorEncoder(self.config)
        self.decoder = DECODERS[self.config.decoder](self.config)

    def encode(self, surface: SurfacePoints) -> ShapeCode:
        """The shape's tokens, its modes and its prior."""
        return self.prior(surface)

    def maps(
        self, z: Float[Tensor, "b z"], code: ShapeCode, queries: SurfacePoints
    ) -> Float[Tensor, "b n 3 4"]:
        """[A | t] at every query point: x' = A x + t. Rigid but for the blending of skinning."""
        return self.decoder(z, code, queries)
