"""`NeuROK`: the conditional variational autoencoder of arXiv:2605.30347."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

import torch
from jaxtyping import Float
from torch import Tensor, nn

from neurok.assets import WEIGHTS
from neurok.latent.confidence import Confidence
from neurok.latent.config import ModelConfig
from neurok.latent.decoders import AttentionDecoder, SkinningDecoder
from neurok.latent.encoders import PriorEncoder
from neurok.latent.surface import ShapeCode, SurfacePoints

DECODERS = {"skinning": SkinningDecoder, "attention": AttentionDecoder}


class NeuROK(nn.Module):
    """Surface M₀ → prior N(μ(M₀), I) over latents z → deformations; z = 0 is no deformation.

    Training adds the posterior of a deformation, a closed form of the encoded shape (`posterior`).
    Simulation, sampling and fitting need only `encode` and the decoder.
    """

    decoder: SkinningDecoder | AttentionDecoder

    def __init__(self, config: ModelConfig | None = None) -> None:
        super().__init__()
        self.config = config or ModelConfig()
        self.prior = PriorEncoder(self.config)
        self.decoder = DECODERS[self.config.decoder](self.config)
        self.confidence = Confidence(self.config.width)

    @classmethod
    def from_pretrained(cls, path: str | Path | None = None, device: str | torch.device = "cpu") -> NeuROK:
        """The shipped weights, or those of a file that `neurok train kinematics` wrote.

        A file is read once; the same network is returned to every caller.
        """
        file = Path(path or WEIGHTS["kinematics"])
        return _pretrained(file, str(device), file.stat().st_mtime_ns if file.is_file() else 0)

    @property
    def skins(self) -> bool:
        """Whether deformations are linear in a small code, so that poses need no network."""
        return isinstance(self.decoder, SkinningDecoder)

    def encode(self, surface: SurfacePoints) -> ShapeCode:
        """The shape's tokens, its modes and its prior."""
        return self.prior(surface)

    def maps(
        self, z: Float[Tensor, "b z"], code: ShapeCode, queries: SurfacePoints
    ) -> Float[Tensor, "b n 3 4"]:
        """[A | t] at every query point: x' = A x + t. Rigid but for the blending of skinning."""
        return self.decoder(z, code, queries)


@lru_cache(maxsize=4)
def _pretrained(file: Path, device: str, _modified: int) -> NeuROK:
    from neurok.latent.weights import load_model

    return load_model(file, device)
