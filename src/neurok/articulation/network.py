"""The articulation network: scores of joint types, candidate axes and lines, ranges and parents of all parts.

A part branch and a shape branch of learned queries read sampled points, as in GEOPARD. Part queries attend to
shape queries, and one articulation query pools them to a token per part. Candidates have features of their
own (`candidate_features`). Lines are pooled to axes, and axes to parts. A part and its axes attend to each
other, then to those of the other parts. Heads read the scores. All inputs are invariant to turns and mirror
images.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import torch
from jaxtyping import Bool, Float
from torch import Tensor, nn

from neurok.articulation.annotations import KINDS
from neurok.articulation.candidate_features import AXIS_FEATURES, LINE_FEATURES
from neurok.articulation.features import PAIR_FEATURES, PART_FEATURES
from neurok.articulation.part_names import VOCABULARY
from neurok.articulation.ranges import LENGTHS
from neurok.nn.attention import Block, BlockConfig, PerceiverResampler
from neurok.nn.embedding import octave_features
from neurok.nn.mlp import MLP

GAP_SCALES = (0.02, 0.1, 0.4)  # radii: decay lengths of the distance to the other parts
FREE_AXIS_FEATURES, FREE_LINE_FEATURES = 9, 5  # of the simulator's free motion
EXCLUDED = -1e4  # logit of padding and of candidates that do not exist
SCALED = {
    "parts": PART_FEATURES,
    "axis_numbers": AXIS_FEATURES,
    "line_numbers": LINE_FEATURES,
    "pairs": PAIR_FEATURES,
}  # inputs that are standardised, and their counts
HEADS = {
    "kind", "axis_scores", "axis_to_line", "line_scores", "line_weight", "axis_weight", "child", "parent",
    "world", "pair", "part_name",
}  # fmt: skip


@dataclass(frozen=True)
class ArticulationConfig:
    """Sizes of the networks."""

    members: int = 4
    """Networks of the ensemble."""
    width: int = 64
    heads: int = 4
    octaves: int = 4
    part_queries: int = 6
    shape_queries: int = 8
    layers: int = 2
    """Blocks of each branch, within parts and between parts."""
    dropout: float = 0.2
    point_dropout: float = 0.5
    """Share of training objects whose points are not read, so that candidate features suffice."""

    def block(self, dropout: float = 0.0) -> BlockConfig:
        """Options of the transformer blocks."""
        return BlockConfig(self.width, self.heads, expansion=2, dropout=dropout, fused=True)


class PartsBatch(NamedTuple):
    """Shapes padded to k parts each; `present` marks the real ones."""

    points: Float[Tensor, "b k s 3"]
    normals: Float[Tensor, "b k s 3"]
    gaps: Float[Tensor, "b k s 3"]
    parts: Float[Tensor, "b k 20"]
    centres: Float[Tensor, "b k 3"]
    axes: Float[Tensor, "b k 6 3"]
    valid: Bool[Tensor, "b k 6"]
    pivots: Float[Tensor, "b k p 3"]
    lines: Bool[Tensor, "b k 6 p"]  # one candidate of every line
    axis_numbers: Float[Tensor, "b k 6 35"]
    line_numbers: Float[Tensor, "b k 6 p 44"]
    pairs: Float[Tensor, "b k k 8"]
    words: Float[Tensor, "b k w"]  # bag of words of the part names; 0: unknown
    free_turn: Float[Tensor, "b k 6 p 2"]  # free motion in the shorter and in the longer direction;
    free_slide: Float[Tensor, "b k 6 2"]  # negative: unknown
    present: Bool[Tensor, "b k"]


class Scores(NamedTuple):
    """Logits, and corrections in radii (lines) and of unit axes."""

    kind: Float[Tensor, "b k 4"]
    turn_axis: Float[Tensor, "b k 6"]
    slide_axis: Float[Tensor, "b k 6"]
    line: Float[Tensor, "b k 6 p"]
    pull: Float[Tensor, "b k 6 p 2"]  # shift of the line towards the centres of the part and of its contacts
    parent: Float[Tensor, "b k k1"]  # the last one is the world
    turn_length: Float[Tensor, "b k 6 14"]
    slide_length: Float[Tensor, "b k 6 14"]
    one_way: Float[Tensor, "b k 6 2"]  # that it turns, and slides, one way only from the given pose


class Articulator(nn.Module):
    """Parts of a shape ↦ `Scores`."""

    def __init__(self, config: ArticulationConfig = ArticulationConfig()) -> None:  # noqa: B008  # frozen
        super().__init__()
        self.config = config
        width, heads = config.width, config.heads
        plain, block = config.block(), config.block(config.dropout)
        self.mean = nn.ParameterDict({n: _constant(torch.zeros(count)) for n, count in SCALED.items()})
        self.spread = nn.ParameterDict({n: _constant(torch.ones(count)) for n, count in SCALED.items()})
        octaves = 3 + 6 * config.octaves
        self.point = MLP(octaves + 3 + 3 + 2 + len(GAP_SCALES) + PART_FEATURES, width, width)
        self.shape_point = MLP(2 + 1 + len(GAP_SCALES), width, width)
        self.part_branch = PerceiverResampler(config.part_queries, config.layers, plain)
        self.shape_branch = PerceiverResampler(config.shape_queries, config.layers, plain)
        self.part_to_shape, self.part_self = Block(block, cross=True), Block(block)
        self.part_pool = Block(block, cross=True)
        self.articulation_query = nn.Parameter(torch.randn(1, width) * 0.5)
        self.latent = nn.Linear(width, width)
        self.part = MLP(PART_FEATURES, width, width)
        self.part_name = nn.Linear(len(VOCABULARY), width, bias=False)
        self.axis = MLP(AXIS_FEATURES + FREE_AXIS_FEATURES, width, width)
        self.line = MLP(LINE_FEATURES + FREE_LINE_FEATURES, width, width)
        self.line_weight, self.axis_weight = nn.Linear(width, 1), nn.Linear(width, 1)
        self.line_to_axis, self.axis_to_part = (nn.Linear(2 * width, width) for _ in range(2))
        self.pair_bias = MLP(PAIR_FEATURES, 32, heads * config.layers)
        self.within_part = nn.ModuleList(Block(block) for _ in range(config.layers))
        self.between_parts = nn.ModuleList(Block(block) for _ in range(config.layers))
        self.drop = nn.Dropout(config.dropout)
        self.kind = MLP(width, width, len(KINDS), norm=True)
        self.axis_scores = MLP(width, width, 2 + 2 * LENGTHS + 2, norm=True)
        self.axis_to_line = nn.Linear(width, width)
        self.line_scores = MLP(width, width, 1 + 2, norm=True)
        self.child, self.parent = nn.Linear(width, width), nn.Linear(width, width)
        self.world = MLP(width, width, 1, norm=True)
        self.pair = MLP(PAIR_FEATURES, 32, 1)

    def forward(self, batch: PartsBatch) -> Scores:
        batch = self._scaled(batch)
        rows = batch.lines
        line = self.line(torch.cat([batch.line_numbers, _free_lines(batch)], dim=-1)[rows])
        axis = self.axis(torch.cat([batch.axis_numbers, _free_axes(batch)], dim=-1))
        axis = axis + self.line_to_axis(pooled(line, self.line_weight(line), rows))
        part = self.part(batch.parts) + self.latent(self._point_tokens(batch)) + self.part_name(batch.words)
        there = batch.valid & batch.present[..., None]
        part = part + self.axis_to_part(pooled(axis[there], self.axis_weight(axis)[there], there))
        part, axis = self._attended(part, axis, batch)
        found = self.axis_scores(axis)
        b, k, a, _ = rows.nonzero(as_tuple=True)
        scored = _scattered(self.line_scores(self.drop(line + self.axis_to_line(axis)[b, k, a])), rows)
        turn, slide = found[..., :2].masked_fill(~batch.valid[..., None], EXCLUDED).unbind(-1)
        lengths = found[..., 2:-2].unflatten(-1, (2, LENGTHS))
        return Scores(
            self.kind(part), turn, slide,
            scored[..., 0].masked_fill(~rows, EXCLUDED), 0.1 * scored[..., 1:], self._parents(part, batch),
            lengths[..., 0, :], lengths[..., 1, :], found[..., -2:],
        )  # fmt: skip

    def _scaled(self, batch: PartsBatch) -> PartsBatch:
        return batch._replace(**{
            n: ((getattr(batch, n) - self.mean[n]) / self.spread[n]).clamp(-5, 5)
            for n in SCALED
        })  # fmt: skip

    def _point_tokens(self, batch: PartsBatch) -> Float[Tensor, "b k w"]:
        """Tokens of the points of each part; 0 for the objects that point dropout selects in training."""
        if not self.training:
            return self._latents(batch)
        kept = torch.rand(len(batch.points), device=batch.points.device) >= self.config.point_dropout
        tokens = batch.parts.new_zeros(*batch.present.shape, self.config.width)
        return tokens.index_put((kept,), self._latents(PartsBatch(*(t[kept] for t in batch))))

    def _latents(self, batch: PartsBatch) -> Float[Tensor, "b k w"]:
        """The articulation query of each part after reading its points and the shape.

        Points are given in the frame of the part's box, with their heights and distances to other parts.
        """
        b, k, s, _ = batch.points.shape
        size = batch.gaps.norm(dim=-1, keepdim=True)
        near = torch.cat([torch.exp(-size / scale) for scale in GAP_SCALES], dim=-1)
        sides = batch.pivots[:, :, [22, 16, 14]] - batch.centres[:, :, None]  # half sides of the box
        half = sides.norm(dim=-1)
        order = half.argsort(dim=-1)
        frame = (sides / half.clamp(min=1e-6)[..., None]).take_along_dim(order[..., None], dim=2)
        within = ((batch.points - batch.centres[:, :, None]) @ frame.transpose(-1, -2)).abs()
        facing, toward = ((v @ frame.transpose(-1, -2)).abs() for v in (batch.normals, batch.gaps))
        upright = torch.stack([batch.points[..., 1], batch.points[..., [0, 2]].norm(dim=-1)], dim=-1)
        octaves = octave_features(within, self.config.octaves)
        parts = batch.parts[:, :, None].expand(-1, -1, s, -1)
        own = self.point(torch.cat([octaves, facing, toward.clamp(max=1), upright, near, parts], dim=-1))
        part = self.part_branch(own.flatten(0, 1))
        some = slice(0, max(8, s // 4))
        every = self.shape_point(torch.cat([upright, batch.normals[..., 1:2], near], dim=-1)[:, :, some])
        shape = self.shape_branch((every * batch.present[:, :, None, None]).flatten(1, 2))
        repeated = shape[:, None].expand(-1, k, -1, -1).flatten(0, 1)
        part = self.part_self(self.part_to_shape(part, repeated))
        query = self.articulation_query.expand(len(part), -1, -1)
        return self.part_pool(query, part).view(b, k, self.config.width)

    def _attended(
        self, part, axis, batch: PartsBatch
    ) -> tuple[Float[Tensor, "b k w"], Float[Tensor, "b k a w"]]:
        """A part and its axes attend to each other, then each of them to its counterparts of other parts."""
        b, k = batch.present.shape
        x = torch.cat([part[:, :, None], axis], dim=2)  # b k 7 w
        there = torch.cat([batch.present[..., None], batch.valid & batch.present[..., None]], dim=-1)
        inside = torch.zeros(b * k, 1, 1, 7, device=x.device).masked_fill(
            ~there.view(b * k, 1, 1, 7), EXCLUDED
        )
        pairs = self.pair_bias(batch.pairs).permute(0, 3, 1, 2).chunk(len(self.between_parts), dim=1)
        hidden = torch.zeros_like(there, dtype=x.dtype).masked_fill(~there, EXCLUDED).transpose(1, 2)  # b 7 k
        for within, between, bias in zip(self.within_part, self.between_parts, pairs, strict=True):
            x = within(x.flatten(0, 1), bias=inside).view(b, k, 7, -1)
            full = bias[:, None] + hidden[:, :, None, None]  # b 7 h k k
            x = between(x.transpose(1, 2).flatten(0, 1), bias=full.flatten(0, 1))
            x = x.view(b, 7, k, -1).transpose(1, 2)
        return x[:, :, 0], x[:, :, 1:]

    def _parents(self, v: Float[Tensor, "b k w"], batch: PartsBatch) -> Float[Tensor, "b k k1"]:
        score = self.child(v) @ self.parent(v).transpose(-1, -2) / v.shape[-1] ** 0.5
        score = score + self.pair(batch.pairs)[..., 0]
        itself = torch.eye(v.shape[1], dtype=torch.bool, device=v.device)
        score = score.masked_fill(itself | ~batch.present[:, None], EXCLUDED)
        return torch.cat([score, self.world(v)], dim=-1)


def _constant(numbers: Tensor) -> nn.Parameter:
    """Statistics of the training data: saved with the weights, not learned."""
    return nn.Parameter(numbers, requires_grad=False)


def pooled(
    x: Float[Tensor, "r w"], weight: Float[Tensor, "r 1"], rows: Bool[Tensor, "*b n"]
) -> Float[Tensor, "*b 2*w"]:
    """Softmax-weighted mean and maximum over the rows of each set; 0 for an empty set.

    Only the rows that exist are stored, so they are summed by index and not padded.
    """
    sets = rows.flatten().nonzero()[:, 0] // rows.shape[-1]
    count = rows[..., 0].numel()
    best = weight.new_zeros(count, 1).scatter_reduce(
        0, sets[:, None], weight.detach(), "amax", include_self=False
    )
    weight = (weight - best[sets]).exp()
    total = weight.new_zeros(count, 1).index_add(0, sets, weight)
    mean = x.new_zeros(count, x.shape[-1]).index_add(0, sets, x * (weight / total[sets]))
    largest = x.new_zeros(mean.shape).scatter_reduce(
        0, sets[:, None].expand_as(x), x, "amax", include_self=False
    )
    return torch.cat([mean, largest], dim=-1).view(*rows.shape[:-1], 2 * x.shape[-1])


def _scattered(x: Float[Tensor, "r w"], rows: Bool[Tensor, "*b n"]) -> Float[Tensor, "*b n w"]:
    """The rows at their places, 0 elsewhere."""
    return x.new_zeros(*rows.shape, x.shape[-1]).masked_scatter(rows[..., None], x)


def _free_axes(batch: PartsBatch) -> Float[Tensor, "b k 6 9"]:
    """Free slides along each axis, compared with all axes, and free turns about it: mean and best line."""
    known = (batch.free_slide[..., 0] >= 0).float()
    slide = batch.free_slide.clamp(0, 2)
    best = (slide * batch.valid[..., None]).amax(-2, keepdim=True).expand_as(slide)
    turn = batch.free_turn.clamp(min=0) / torch.pi
    numbers = torch.cat([slide, slide - best, turn.mean(-2), turn.amax(-2), known[..., None]], dim=-1)
    return numbers * known[..., None]


def _free_lines(batch: PartsBatch) -> Float[Tensor, "b k 6 p 5"]:
    """Free turns about each line, compared with the best line of its axis."""
    known = (batch.free_turn[..., :1] >= 0).float()
    turn = batch.free_turn.clamp(min=0) / torch.pi
    return torch.cat([turn, turn.amax(-2, keepdim=True) - turn, known], dim=-1) * known
