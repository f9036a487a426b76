"""Pre-norm transformer blocks whose attention sees how points lie to each other.

Written out: the fused kernels have no second derivative, which the dynamics needs, and layer norm's is wrong
in torch 2.13. RMS norm, GELU and softmax are right, and tests hold them to float64 differences.
"""

from __future__ import annotations

import torch
from jaxtyping import Float, Shaped
from torch import Tensor, nn

from neurok.nn.embedding import RELATIONS


class Attention(nn.Module):
    """softmax(q kᵀ/√d + bias) v over several heads; the bias is linear in the relations of the points.

    Queries and keys are normalised (RMS, with learned gains), which keeps large steps of training stable.
    """

    def __init__(self, width: int, heads: int) -> None:
        super().__init__()
        self.heads = heads
        self.query = nn.Linear(width, width, bias=False)
        self.key_value = nn.Linear(width, 2 * width, bias=False)
        self.query_norm = nn.RMSNorm(width // heads)
        self.key_norm = nn.RMSNorm(width // heads)
        self.bias = nn.Linear(RELATIONS, heads, bias=False)
        self.out = nn.Linear(width, width, bias=False)
        nn.init.zeros_(self.out.weight)

    def forward(
        self,
        x: Float[Tensor, "b n w"],
        context: Float[Tensor, "b m w"],
        relations: Float[Tensor, "b n m c"],
    ) -> Float[Tensor, "b n w"]:
        q = self.query_norm(self._split(self.query(x)))
        k, v = self.key_value(context).chunk(2, dim=-1)
        k = self.key_norm(self._split(k))
        logits = q @ k.transpose(-1, -2) / q.shape[-1] ** 0.5 + self.bias(relations).permute(0, 3, 1, 2)
        mixed = logits.softmax(dim=-1) @ self._split(v)
        return self.out(mixed.transpose(1, 2).flatten(-2))

    def _split(self, x: Float[Tensor, "b n w"]) -> Float[Tensor, "b h n d"]:
        return x.unflatten(-1, (self.heads, -1)).transpose(1, 2)


class FeedForward(nn.Module):
    """x ↦ W₂ gelu(W₁ x), four times as wide inside."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.up, self.down = nn.Linear(width, 4 * width), nn.Linear(4 * width, width)
        nn.init.zeros_(self.down.weight)
        nn.init.zeros_(self.down.bias)

    def forward(self, x: Tensor) -> Tensor:
        return self.down(nn.functional.gelu(self.up(x)))


class Block(nn.Module):
    """x + attention(norm x, norm context), then x + feed-forward(norm x); alone, x attends to itself."""

    def __init__(self, width: int, heads: int, *, looks_at_others: bool = False) -> None:
        super().__init__()
        self.attention, self.feed = Attention(width, heads), FeedForward(width)
        self.norm, self.feed_norm = nn.RMSNorm(width), nn.RMSNorm(width)
        self.context_norm = nn.RMSNorm(width) if looks_at_others else None

    def forward(
        self,
        x: Float[Tensor, "b n w"],
        relations: Float[Tensor, "b n m c"],
        context: Float[Tensor, "b m w"] | None = None,
    ) -> Float[Tensor, "b n w"]:
        own = self.norm(x)
        other = own if context is None or self.context_norm is None else self.context_norm(context)
        x = x + self.attention(own, other, relations)
        return x + self.feed(self.feed_norm(x))


def spread(x: Shaped[Tensor, "b ..."], times: int) -> Tensor:
    """Every element of the batch, `times` in a row: one shape for each of its deformations."""
    return x if times == 1 else torch.repeat_interleave(x, times, dim=0)
