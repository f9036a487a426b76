"""The network: what each part is, and which of its candidates moves it.

A part branch and a shape branch of learned queries read points; parts attend to the shape, then to each
other; heads give each part's type, scores and small corrections of its candidate axes and lines, how far it
moves, and its parent.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import torch
from jaxtyping import Bool, Float
from torch import Tensor, nn

from neurok.articulation.reading import AXIS_FEATURES, LINE_FEATURES, PAIR_FEATURES, PART_FEATURES
from neurok.articulation.truth import KINDS
from neurok.model.embedding import octave_features

GAP_SCALES = (0.02, 0.1, 0.4)
FREE_AXIS, FREE_LINE = 5, 3


@dataclass(frozen=True)
class ArticulationConfig:
    """Sizes of the network."""

    width: int = 96
    heads: int = 4
    octaves: int = 5
    part_queries: int = 8
    shape_queries: int = 16
    layers: int = 2
    """Layers of each branch, and of the attention between parts."""


class PartsBatch(NamedTuple):
    """Shapes with up to k parts each; `present` marks those that are there."""

    points: Float[Tensor, "b k s 3"]
    normals: Float[Tensor, "b k s 3"]
    gaps: Float[Tensor, "b k s 3"]
    parts: Float[Tensor, "b k 10"]
    centres: Float[Tensor, "b k 3"]
    axes: Float[Tensor, "b k 6 3"]
    valid: Bool[Tensor, "b k 6"]
    pivots: Float[Tensor, "b k 28 3"]
    axis_numbers: Float[Tensor, "b k 6 8"]
    line_numbers: Float[Tensor, "b k 6 28 9"]
    pairs: Float[Tensor, "b k k 5"]
    free_turn: Float[Tensor, "b k 6 28"]  # how far candidates move freely, both ways; negative: not told
    free_slide: Float[Tensor, "b k 6"]
    present: Bool[Tensor, "b k"]


VECTORS = ("points", "normals", "gaps", "centres", "axes", "pivots")  # fields that turn with the shape


def quarter_turns() -> Float[np.ndarray, "8 3 3"]:
    """Turns about Y by multiples of 90°, each also mirrored: own frames are fixed up to these."""
    sides = [(1, 0), (0, 1), (-1, 0), (0, -1)]
    turns = [np.array([[c, 0, s], [0, 1, 0], [-s, 0, c]], np.float32) for c, s in sides]
    return np.stack([turn * np.array([m, 1, 1], np.float32) for turn in turns for m in (1, -1)])


class Scores(NamedTuple):
    """Logits, and corrections in radii (lines) and of unit axes."""

    kind: Float[Tensor, "b k 4"]
    turn_axis: Float[Tensor, "b k 6"]
    slide_axis: Float[Tensor, "b k 6"]
    line: Float[Tensor, "b k 6 28"]
    axis_shift: Float[Tensor, "b k 6 3"]
    line_shift: Float[Tensor, "b k 6 28 3"]
    parent: Float[Tensor, "b k k1"]  # the last one: the world
    range: Float[Tensor, "b k 2"]  # log of how far it turns (radians) or slides (radii) in all


class Layer(nn.Module):
    """Queries attend to a context (or to each other), then to nothing but themselves; pre-norm."""

    def __init__(self, width: int, heads: int) -> None:
        super().__init__()
        self.heads = heads
        self.norm, self.context_norm, self.feed_norm = (nn.RMSNorm(width) for _ in range(3))
        self.query, self.out = nn.Linear(width, width, bias=False), nn.Linear(width, width, bias=False)
        self.key_value = nn.Linear(width, 2 * width, bias=False)
        self.feed = mlp(width, 2 * width, width)

    def forward(
        self,
        x: Float[Tensor, "b n w"],
        context: Float[Tensor, "b m w"] | None = None,
        bias: Float[Tensor, "b h n m"] | None = None,
    ) -> Float[Tensor, "b n w"]:
        own = self.norm(x)
        other = own if context is None else self.context_norm(context)
        key, value = self.key_value(other).chunk(2, dim=-1)
        q, k, v = (t.unflatten(-1, (self.heads, -1)).transpose(1, 2) for t in (self.query(own), key, value))
        mixed = nn.functional.scaled_dot_product_attention(q, k, v, attn_mask=bias)
        x = x + self.out(mixed.transpose(1, 2).flatten(-2))
        return x + self.feed(self.feed_norm(x))


class Branch(nn.Module):
    """Learned queries that read points, again and again, and talk in between."""

    def __init__(self, queries: int, config: ArticulationConfig) -> None:
        super().__init__()
        self.queries = nn.Parameter(torch.randn(queries, config.width) * 0.5)
        self.read = nn.ModuleList(Layer(config.width, config.heads) for _ in range(config.layers))
        self.talk = nn.ModuleList(Layer(config.width, config.heads) for _ in range(config.layers))

    def forward(self, points: Float[Tensor, "b s w"]) -> Float[Tensor, "b q w"]:
        x = self.queries.expand(len(points), -1, -1)
        for read, talk in zip(self.read, self.talk, strict=True):
            x = talk(read(x, points))
        return x


class Articulator(nn.Module):
    """Parts of a shape ↦ `Scores`."""

    def __init__(self, config: ArticulationConfig = ArticulationConfig()) -> None:  # noqa: B008  # frozen
        super().__init__()
        self.config = config
        width, heads = config.width, config.heads
        octaves = 3 + 6 * config.octaves
        self.point = mlp(octaves + 3 + 3 + 3 + len(GAP_SCALES) + PART_FEATURES, width, width)
        self.shape_point = mlp(octaves + 3 + len(GAP_SCALES), width, width)
        self.part_branch = Branch(config.part_queries, config)
        self.shape_branch = Branch(config.shape_queries, config)
        self.look = Layer(width, heads)
        self.settle = Layer(width, heads)
        self.articulation = nn.Parameter(torch.randn(1, width) * 0.5)
        self.gather = Layer(width, heads)
        self.facts = mlp(PART_FEATURES + 3, width, width)
        self.pair_bias = mlp(PAIR_FEATURES, 32, heads * config.layers)
        self.between = nn.ModuleList(Layer(width, heads) for _ in range(config.layers))
        self.kind, self.range = head(width, len(KINDS)), head(width, 2)
        self.axis = mlp(AXIS_FEATURES + 6 + 1, width, width)
        self.axis_free, self.line_free = mlp(FREE_AXIS, width, width), mlp(FREE_LINE, 32, width // 2)
        self.axis_look = Layer(width, heads)
        self.axis_scores = head(width, 2 + 3)
        self.line, self.line_axis = nn.Linear(LINE_FEATURES + 3 + 3, width // 2), nn.Linear(width, width // 2)
        self.line_scores = head(width // 2, 1 + 3)  # narrow: there are 168 lines of every part
        self.child, self.parent, self.world = nn.Linear(width, width), nn.Linear(width, width), head(width, 1)
        self.pair = mlp(PAIR_FEATURES, 32, 1)

    def forward(self, batch: PartsBatch) -> Scores:
        shape, part = self._latents(batch)
        v = self._between(part, batch)
        kind = self.kind(v)
        axis = self._axes(v, part, shape, batch)
        scores = self.axis_scores(axis)
        line = self._lines(axis, batch)
        gone = ~batch.valid
        return Scores(
            kind, scores[..., 0].masked_fill(gone, -1e4), scores[..., 1].masked_fill(gone, -1e4),
            line[..., 0], 0.1 * scores[..., 2:], 0.1 * line[..., 1:], self._parents(v, batch),
            self.range(v),
        )  # fmt: skip

    def _latents(self, batch: PartsBatch) -> tuple[Float[Tensor, "b t w"], Float[Tensor, "b k q w"]]:
        b, k, s, _ = batch.points.shape
        size = batch.gaps.norm(dim=-1, keepdim=True)
        near = torch.cat([torch.exp(-size / scale) for scale in GAP_SCALES], dim=-1)
        place = octave_features(batch.points, self.config.octaves)
        within = batch.points - batch.centres[:, :, None]
        toward = batch.gaps * near[..., 1:2] / size.clamp(min=1e-6)
        facts = batch.parts[:, :, None].expand(-1, -1, s, -1)
        own = self.point(torch.cat([place, within, batch.normals, toward, near, facts], dim=-1))
        part = self.part_branch(own.flatten(0, 1))
        some = slice(0, max(8, s // 4))
        every = self.shape_point(torch.cat([place, batch.normals, near], dim=-1)[:, :, some])
        every = every * batch.present[:, :, None, None]
        shape = self.shape_branch(every.flatten(1, 2))
        spread = shape[:, None].expand(-1, k, -1, -1).flatten(0, 1)
        part = self.settle(self.look(part, spread))
        return shape, part.unflatten(0, (b, k))

    def _between(self, part: Float[Tensor, "b k q w"], batch: PartsBatch) -> Float[Tensor, "b k w"]:
        b, k = batch.present.shape
        flat = part.flatten(0, 1)
        v = self.gather(self.articulation.expand(len(flat), -1, -1), flat).view(b, k, -1)
        v = v + self.facts(torch.cat([batch.parts, batch.centres], dim=-1))
        bias = self.pair_bias(batch.pairs).permute(0, 3, 1, 2)
        bias = bias.masked_fill(~batch.present[:, None, None, :], -1e4).chunk(len(self.between), dim=1)
        for layer, own in zip(self.between, bias, strict=True):
            v = layer(v, bias=own)
        return v

    def _axes(self, v, part, shape, batch: PartsBatch) -> Float[Tensor, "b k a w"]:
        both = batch.axes[..., None, :] * batch.axes[..., :, None]  # a aᵀ: an axis has no sign
        row, column = torch.triu_indices(3, 3)
        numbers = [batch.axis_numbers, both[..., row, column], batch.valid[..., None].float()]
        axis = self.axis(torch.cat(numbers, dim=-1)) + v[:, :, None] + self.axis_free(_free_axes(batch))
        context = torch.cat([part, shape[:, None].expand(-1, part.shape[1], -1, -1)], dim=2)
        return self.axis_look(axis.flatten(0, 1), context.flatten(0, 1)).unflatten(0, part.shape[:2])

    def _lines(self, axis: Float[Tensor, "b k a w"], batch: PartsBatch) -> Float[Tensor, "b k a p 4"]:
        offset = (batch.pivots - batch.centres[:, :, None])[:, :, None]
        across = offset - (offset @ batch.axes[..., None]) * batch.axes[..., None, :]
        place = batch.pivots[:, :, None].expand_as(across)
        line = self.line(torch.cat([batch.line_numbers, across, place], dim=-1))
        return self.line_scores(
            line + self.line_axis(axis)[..., None, :] + self.line_free(_free_lines(batch))
        )

    def _parents(self, v: Float[Tensor, "b k w"], batch: PartsBatch) -> Float[Tensor, "b k k1"]:
        score = self.child(v) @ self.parent(v).transpose(-1, -2) / v.shape[-1] ** 0.5
        score = score + self.pair(batch.pairs)[..., 0]
        itself = torch.eye(v.shape[1], dtype=torch.bool, device=v.device)
        score = score.masked_fill(itself | ~batch.present[:, None], -1e4)
        return torch.cat([score, self.world(v)], dim=-1)


def _free_axes(batch: PartsBatch) -> Float[Tensor, "b k 6 5"]:
    """How far the part slides along each axis, beside all axes, and turns about it: by mean and best line."""
    told = (batch.free_slide >= 0).float()
    slide = batch.free_slide.clamp(0, 2)
    best = slide.amax(-1, keepdim=True).expand_as(slide)
    turn = batch.free_turn.clamp(min=0) / (2 * torch.pi)
    return torch.stack([slide, best, turn.mean(-1), turn.amax(-1), told], dim=-1) * told[..., None]


def _free_lines(batch: PartsBatch) -> Float[Tensor, "b k 6 28 3"]:
    """How far the part turns about each line, and beside the best of its axis."""
    told = (batch.free_turn >= 0).float()
    turn = batch.free_turn.clamp(min=0) / (2 * torch.pi)
    return torch.stack([turn, turn.amax(-1, keepdim=True) - turn, told], dim=-1) * told[..., None]


def mlp(inputs: int, hidden: int, outputs: int) -> nn.Sequential:
    return nn.Sequential(nn.Linear(inputs, hidden), nn.GELU(), nn.Linear(hidden, outputs))


def head(width: int, outputs: int) -> nn.Sequential:
    return nn.Sequential(nn.RMSNorm(width), nn.Linear(width, width), nn.GELU(), nn.Linear(width, outputs))
