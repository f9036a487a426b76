"""The articulation network: scores of joint types, candidate axes and lines, ranges and parents of all parts.

As in GEOPARD, candidates of the shape and of the part are scored, and all parts of the shape attend to each
other. Instead of learned queries, each candidate reads the points of its part as its motion moves them
(`surface_reader`), besides its own features (`candidate_features`). Lines are pooled to axes, and axes to
parts. A part and its axes attend to each other, then to those of the other parts. Heads read the scores. All
inputs are invariant to turns and mirror images.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import torch
from jaxtyping import Bool, Float
from torch import Tensor, nn

from neurok.articulation.annotations import KINDS
from neurok.articulation.candidate_features import AXIS_FEATURES, LINE_FEATURES
from neurok.articulation.direction import DirectionNetwork
from neurok.articulation.features import PAIR_FEATURES, PART_FEATURES
from neurok.articulation.part_names import VOCABULARY
from neurok.articulation.ranges import LENGTHS
from neurok.articulation.surface_reader import SEEN, Surface, SurfaceReader, seen_by, sliding, turning
from neurok.nn.attention import Block, BlockConfig
from neurok.nn.mlp import MLP

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
    "world", "pair", "part_name", "direction",
}  # fmt: skip


@dataclass(frozen=True)
class ArticulationConfig:
    """Sizes of the networks."""

    members: int = 4
    """Networks of the ensemble."""
    width: int = 64
    heads: int = 4
    surface: int = 24
    """Width of the networks that read points."""
    layers: int = 2
    """Blocks within parts and between parts."""
    dropout: float = 0.3
    point_dropout: float = 0.25
    """Share of training objects whose points are not read, so that candidate features suffice."""

    def block(self, dropout: float = 0.0) -> BlockConfig:
        """Options of the transformer blocks."""
        return BlockConfig(self.width, self.heads, expansion=2, dropout=dropout, fused=True)


class PartsBatch(NamedTuple):
    """Shapes padded to k parts each; `present` marks the real ones."""

    points: Float[Tensor, "b k s 3"]
    normals: Float[Tensor, "b k s 3"]
    gaps: Float[Tensor, "b k s 3"]
    met: Float[Tensor, "b k s 3"]
    open: Float[Tensor, "b k s"]
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
    free_turn: Float[Tensor, "b k 6 p 2"]  # free motion against the axis and along it; negative: unknown
    free_slide: Float[Tensor, "b k 6 2"]
    present: Bool[Tensor, "b k"]

    @property
    def surface(self) -> Surface:
        """Points of all parts, one part a row."""
        return Surface(
            *(t.flatten(0, 1) for t in (self.points, self.normals, self.gaps, self.met, self.open))
        )


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
        block = config.block(config.dropout)
        self.mean = nn.ParameterDict({n: _constant(torch.zeros(count)) for n, count in SCALED.items()})
        self.spread = nn.ParameterDict({n: _constant(torch.ones(count)) for n, count in SCALED.items()})
        self.line_surface, self.axis_surface = (SurfaceReader(SEEN, config.surface, width) for _ in range(2))
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
        self.direction = DirectionNetwork(PART_FEATURES)

    def forward(self, batch: PartsBatch) -> Scores:
        batch = self._scaled(batch)
        rows, there = batch.lines, batch.valid & batch.present[..., None]
        line_token, axis_token = self._surface_tokens(batch, there)
        line = self.line(torch.cat([batch.line_numbers, _free_lines(batch)], dim=-1)[rows]) + line_token
        axis = self.axis(torch.cat([batch.axis_numbers, _free_axes(batch)], dim=-1)) + axis_token
        axis = axis + self.line_to_axis(pooled(line, self.line_weight(line), rows))
        part = self.part(batch.parts) + self.part_name(batch.words)
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

    def _surface_tokens(
        self, batch: PartsBatch, there: Bool[Tensor, "b k 6"]
    ) -> tuple[Float[Tensor, "r w"], Float[Tensor, "b k 6 w"]]:
        """Surface tokens of each line and each axis of a part; 0 for objects that point dropout selects."""
        surface, near, count = batch.surface, batch.surface.near, batch.present.shape[1]
        kept = torch.ones(len(there), 1, device=there.device)
        if self.training:
            kept = (torch.rand_like(kept) >= self.config.point_dropout).to(kept.dtype)
        b, k, a, p = batch.lines.nonzero(as_tuple=True)
        own, axis, centre = surface.of(b * count + k), batch.axes[b, k, a], batch.centres[b, k]
        seen = seen_by(own, turning(own, axis, batch.pivots[b, k, p]), axis, centre)
        line = self.line_surface(seen, near[b * count + k]) * kept[b]
        b, k, a = there.nonzero(as_tuple=True)
        own, axis = surface.of(b * count + k), batch.axes[b, k, a]
        seen = seen_by(own, sliding(own, axis), axis, batch.centres[b, k])
        return line, _scattered(self.axis_surface(seen, near[b * count + k]) * kept[b], there)

    def ahead(
        self,
        batch: PartsBatch,
        axis: Float[Tensor, "b k 3"],
        pivot: Float[Tensor, "b k 3"],
        slides: Bool[Tensor, "b k"],
    ) -> Float[Tensor, "b k"]:
        """Log-odds that each part moves along its axis, and not against it, if it moves one way only."""
        free = free_along(batch, axis, pivot, slides)
        odds = self.direction(
            batch.surface, self._scaled(batch).parts.flatten(0, 1), free.flatten(0, 1), axis.flatten(0, 1),
            pivot.flatten(0, 1), slides.flatten(),
        )  # fmt: skip
        return odds.view(slides.shape)

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
    slide = batch.free_slide.sort(-1).values.clamp(0, 2)
    best = (slide * batch.valid[..., None]).amax(-2, keepdim=True).expand_as(slide)
    turn = batch.free_turn.sort(-1).values.clamp(min=0) / torch.pi
    numbers = torch.cat([slide, slide - best, turn.mean(-2), turn.amax(-2), known[..., None]], dim=-1)
    return numbers * known[..., None]


def _free_lines(batch: PartsBatch) -> Float[Tensor, "b k 6 p 5"]:
    """Free turns about each line, compared with the best line of its axis."""
    known = (batch.free_turn[..., :1] >= 0).float()
    turn = batch.free_turn.sort(-1).values.clamp(min=0) / torch.pi
    return torch.cat([turn, turn.amax(-2, keepdim=True) - turn, known], dim=-1) * known


def free_along(
    batch: PartsBatch,
    axis: Float[Tensor, "b k 3"],
    pivot: Float[Tensor, "b k 3"],
    slides: Bool[Tensor, "b k"],
) -> Float[Tensor, "b k 2"]:
    """Free motion of the nearest candidate, against the axis and along it."""
    cosine = torch.einsum("bkai,bki->bka", batch.axes, axis).masked_fill(~batch.valid, 0.0)
    nearest = cosine.abs().argmax(-1, keepdim=True)  # b k 1
    away = torch.linalg.cross(pivot[:, :, None] - batch.pivots, axis[:, :, None].expand_as(batch.pivots))
    line = away.norm(dim=-1).argmin(-1)[..., None, None, None]
    turn = batch.free_turn.gather(2, nearest[..., None, None].expand(-1, -1, 1, *batch.free_turn.shape[3:]))
    turn = turn.gather(3, line.expand(-1, -1, 1, 1, 2))[:, :, 0, 0]
    slide = batch.free_slide.gather(2, nearest[..., None].expand(-1, -1, 1, 2))[:, :, 0]
    free = torch.where(slides[..., None], slide, turn)
    return torch.where(cosine.gather(-1, nearest) < 0, free.flip(-1), free)
