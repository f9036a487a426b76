"""Layers that the networks of articulation share."""

from __future__ import annotations

import torch
from jaxtyping import Float
from torch import Tensor, nn


class Layer(nn.Module):
    """Queries attend to a context (or to each other), then to nothing but themselves; pre-norm."""

    def __init__(self, width: int, heads: int, dropout: float = 0.0) -> None:
        super().__init__()
        self.heads = heads
        self.norm, self.context_norm, self.feed_norm = (nn.RMSNorm(width) for _ in range(3))
        self.query, self.out = nn.Linear(width, width, bias=False), nn.Linear(width, width, bias=False)
        self.key_value = nn.Linear(width, 2 * width, bias=False)
        self.feed = mlp(width, 2 * width, width)
        self.drop = nn.Dropout(dropout)

    def forward(
        self,
        x: Float[Tensor, "b n w"],
        context: Float[Tensor, "b m w"] | None = None,
        bias: Float[Tensor, "b _h _n m"] | None = None,
    ) -> Float[Tensor, "b n w"]:
        own = self.norm(x)
        other = own if context is None else self.context_norm(context)
        key, value = self.key_value(other).chunk(2, dim=-1)
        q, k, v = (t.unflatten(-1, (self.heads, -1)).transpose(1, 2) for t in (self.query(own), key, value))
        mixed = nn.functional.scaled_dot_product_attention(q, k, v, attn_mask=bias)
        x = x + self.drop(self.out(mixed.transpose(1, 2).flatten(-2)))
        return x + self.drop(self.feed(self.feed_norm(x)))


class Branch(nn.Module):
    """Learned queries that read points, again and again, and talk in between."""

    def __init__(self, queries: int, width: int, heads: int, layers: int) -> None:
        super().__init__()
        self.queries = nn.Parameter(torch.randn(queries, width) * 0.5)
        self.read = nn.ModuleList(Layer(width, heads) for _ in range(layers))
        self.talk = nn.ModuleList(Layer(width, heads) for _ in range(layers))

    def forward(self, points: Float[Tensor, "b s w"]) -> Float[Tensor, "b q w"]:
        x = self.queries.expand(len(points), -1, -1)
        for read, talk in zip(self.read, self.talk, strict=True):
            x = talk(read(x, points))
        return x


def mlp(inputs: int, hidden: int, outputs: int) -> nn.Sequential:
    return nn.Sequential(nn.Linear(inputs, hidden), nn.GELU(), nn.Linear(hidden, outputs))


def head(width: int, outputs: int) -> nn.Sequential:
    return nn.Sequential(nn.RMSNorm(width), nn.Linear(width, width), nn.GELU(), nn.Linear(width, outputs))
