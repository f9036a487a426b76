"""Transformer blocks of the latent model."""

from __future__ import annotations

from neurok.latent.config import ModelConfig
from neurok.nn.attention import Block, BlockConfig
from neurok.nn.embedding import RELATIONS


def latent_block(config: ModelConfig, *, cross: bool = False) -> Block:
    """A twice differentiable block, biased by the relations of points, the identity before training."""
    options = BlockConfig(config.width, config.heads, relations=RELATIONS, qk_norm=True, zero_init=True)
    return Block(options, cross=cross)
