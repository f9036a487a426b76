"""Multi-head attention and pre-norm transformer blocks.

One block serves every network; `BlockConfig` selects its options. Attention is written out by default,
because torch's fused kernels have no second derivative, which dynamics needs. Blocks use RMS norm, because
the second derivative of layer norm is wrong in torch 2.13. Tests compare both derivatives with float64
differences.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from jaxtyping import Float
from torch import Tensor, nn

from neurok.nn.mlp import MLP


@dataclass(frozen=True)
class BlockConfig:
    """Sizes and options of a transformer block."""

    width: int
    heads: int
    expansion: int = 4  # hidden width of the perceptron, in widths
    relations: int = 0  # features of a pair of tokens, in which the attention bias is linear; 0: no such bias
    qk_norm: bool = False  # RMS-normalise queries and keys with learned gains: stable at large learning rates
    zero_init: bool = False  # both residual branches are 0 before training
    dropout: float = 0.0  # of the residual branches
    fused: bool = False  # torch's fused kernel: faster, without second derivatives


def attention_weights(
    query: Float[Tensor, "b h n d"],
    key: Float[Tensor, "b h m d"],
    bias: Float[Tensor, "b _h _n m"] | None = None,
) -> Float[Tensor, "b h n m"]:
    """softmax(q kᵀ/√d + bias) over the keys."""
    logits = query @ key.transpose(-1, -2) / query.shape[-1] ** 0.5
    return (logits if bias is None else logits + bias).softmax(dim=-1)


class Attention(nn.Module):
    """softmax(q kᵀ/√d + bias) v over several heads, with q from x and k, v from the context."""

    def __init__(self, config: BlockConfig) -> None:
        super().__init__()
        width, self.heads, self.fused = config.width, config.heads, config.fused
        self.query = nn.Linear(width, width, bias=False)
        self.key_value = nn.Linear(width, 2 * width, bias=False)
        self.query_norm = nn.RMSNorm(width // self.heads) if config.qk_norm else None
        self.key_norm = nn.RMSNorm(width // self.heads) if config.qk_norm else None
        self.bias = nn.Linear(config.relations, self.heads, bias=False) if config.relations else None
        self.out = nn.Linear(width, width, bias=False)
        if config.zero_init:
            nn.init.zeros_(self.out.weight)

    def forward(
        self,
        x: Float[Tensor, "b n w"],
        context: Float[Tensor, "b m w"],
        *,
        relations: Float[Tensor, "b n m c"] | None = None,
        bias: Float[Tensor, "b _h _n m"] | None = None,
    ) -> Float[Tensor, "b n w"]:
        key, value = self.key_value(context).chunk(2, dim=-1)
        q, k, v = (t.unflatten(-1, (self.heads, -1)).transpose(1, 2) for t in (self.query(x), key, value))
        if self.query_norm is not None and self.key_norm is not None:
            q, k = self.query_norm(q), self.key_norm(k)
        if self.bias is not None and relations is not None:
            learned = self.bias(relations).permute(0, 3, 1, 2)
            bias = learned if bias is None else bias + learned
        if self.fused:
            mixed = nn.functional.scaled_dot_product_attention(q, k, v, attn_mask=bias)
        else:
            mixed = attention_weights(q, k, bias) @ v
        return self.out(mixed.transpose(1, 2).flatten(-2))


class Block(nn.Module):
    """x + attention(norm x, norm context), then x + MLP(norm x). Without `cross`, x attends to itself."""

    def __init__(self, config: BlockConfig, *, cross: bool = False) -> None:
        super().__init__()
        width = config.width
        self.attention = Attention(config)
        self.feed = MLP(width, config.expansion * width, width, zero_init=config.zero_init)
        self.norm, self.feed_norm = nn.RMSNorm(width), nn.RMSNorm(width)
        self.context_norm = nn.RMSNorm(width) if cross else None
        self.drop = nn.Dropout(config.dropout)

    def forward(
        self,
        x: Float[Tensor, "b n w"],
        context: Float[Tensor, "b m w"] | None = None,
        *,
        relations: Float[Tensor, "b n m c"] | None = None,
        bias: Float[Tensor, "b _h _n m"] | None = None,
    ) -> Float[Tensor, "b n w"]:
        own = self.norm(x)
        other = own if context is None or self.context_norm is None else self.context_norm(context)
        x = x + self.drop(self.attention(own, other, relations=relations, bias=bias))
        return x + self.drop(self.feed(self.feed_norm(x)))


class PerceiverResampler(nn.Module):
    """A fixed number of learned queries that attend to any number of tokens and to each other in turn."""

    def __init__(self, queries: int, layers: int, config: BlockConfig) -> None:
        super().__init__()
        self.queries = nn.Parameter(torch.randn(queries, config.width) * 0.5)
        self.cross_blocks = nn.ModuleList(Block(config, cross=True) for _ in range(layers))
        self.self_blocks = nn.ModuleList(Block(config) for _ in range(layers))

    def forward(self, tokens: Float[Tensor, "b s w"]) -> Float[Tensor, "b q w"]:
        x = self.queries.expand(len(tokens), -1, -1)
        for cross, own in zip(self.cross_blocks, self.self_blocks, strict=True):
            x = own(cross(x, tokens))
        return x
