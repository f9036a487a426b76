"""`encode_shape`: runs the encoder on a shape once and caches the result for all that use it."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import torch
from jaxtyping import Float
from torch import Tensor

from neurok.errors import InputError
from neurok.latent.cvae import NeuROK
from neurok.latent.decoders import SkinningDecoder
from neurok.latent.features import ShapeFeatures, shape_features
from neurok.latent.surface import ShapeCode
from neurok.shapes import Shape

CACHED_SHAPES = 4  # part segmentation and the latent space use the same encoded shape


class EncodedShape(NamedTuple):
    """A shape with its tokens, and the skinning weights of its welded vertices."""

    features: ShapeFeatures
    code: ShapeCode
    weights: Float[Tensor, "s h"]
    confidence: float  # predicted share of its motion that a few coordinates capture
    is_rigid: bool  # handles turn (False only in an ablation)


@lru_cache(maxsize=CACHED_SHAPES)
def encode_shape(shape: Shape, model: NeuROK, samples: int = 1024, seed: int = 0) -> EncodedShape:
    """Encode a shape with a model that skins. The cache compares shapes and models by identity."""
    decoder = model.decoder
    if not isinstance(decoder, SkinningDecoder):
        raise InputError("model", "its decoder mixes points and latents", "Use a model that skins")
    features = shape_features(shape, samples, seed)
    with torch.no_grad():
        code = model.encode(features.surface)
        confidence = float(model.confidence(code))
        weights = decoder.weights(code, features.queries)[0].double()
    return EncodedShape(features, code, weights, confidence, decoder.rigid)
