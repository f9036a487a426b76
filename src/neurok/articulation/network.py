"""The network: what each part is, and which of its candidates moves it.

A part branch and a shape branch of learned queries read points, parts attend to the shape, and one
articulation query gathers what they saw. Candidates bring numbers of their own (`motion_facts`): lines are
gathered to axes, axes to parts; axes of one part attend to each other, then the parts of the shape, and all
of it flows back down to scores. Nothing that it reads changes when the shape is turned or mirrored.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import torch
from jaxtyping import Bool, Float
from torch import Tensor, nn

from neurok.articulation.annotations import KINDS
from neurok.articulation.candidate_features import AXIS_FACTS, LINE_FACTS
from neurok.articulation.features import PAIR_FEATURES, PART_FEATURES
from neurok.articulation.part_names import WORDS
from neurok.articulation.ranges import LENGTHS
from neurok.nn.embedding import octave_features
from neurok.nn.layers import Branch, Layer, head, mlp

GAP_SCALES = (0.02, 0.1, 0.4)
FREE_AXIS, FREE_LINE = 9, 5
SCALED = {
    "parts": PART_FEATURES,
    "axis_numbers": AXIS_FACTS,
    "line_numbers": LINE_FACTS,
    "pairs": PAIR_FEATURES,
}
HEADS = (
    "kind", "axis_scores", "line_down", "line_scores", "best_line", "best_axis", "child", "parent", "world",
    "pair", "word",
)  # fmt: skip


@dataclass(frozen=True)
class ArticulationConfig:
    """Sizes of the networks."""

    members: int = 4
    """Networks that are alike but for their beginning, and asked together (`jury`)."""
    width: int = 64
    heads: int = 4
    octaves: int = 4
    part_queries: int = 6
    shape_queries: int = 8
    layers: int = 2
    """Layers of each branch, and of the attention between candidates and between parts."""
    dropout: float = 0.2
    forget: float = 0.5
    """Share of objects whose points are not read while training: candidates must do with their numbers."""


class PartsBatch(NamedTuple):
    """Shapes with up to k parts each; `present` marks those that are there."""

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
    words: Float[Tensor, "b k w"]  # of the names of parts; 0: not told
    free_turn: Float[Tensor, "b k 6 p 2"]  # how far it moves freely, the shorter way and the longer;
    free_slide: Float[Tensor, "b k 6 2"]  # negative: not told
    present: Bool[Tensor, "b k"]


class Scores(NamedTuple):
    """Logits, and corrections in radii (lines) and of unit axes."""

    kind: Float[Tensor, "b k 4"]
    turn_axis: Float[Tensor, "b k 6"]
    slide_axis: Float[Tensor, "b k 6"]
    line: Float[Tensor, "b k 6 p"]
    pull: Float[Tensor, "b k 6 p 2"]  # of the line, towards the middles of the part and of its contacts
    parent: Float[Tensor, "b k k1"]  # the last one: the world
    turn_length: Float[Tensor, "b k 6 14"]
    slide_length: Float[Tensor, "b k 6 14"]
    one_way: Float[Tensor, "b k 6 2"]  # whether it turns, slides from the pose drawn one way only


class Articulator(nn.Module):
    """Parts of a shape ↦ `Scores`."""

    def __init__(self, config: ArticulationConfig = ArticulationConfig()) -> None:  # noqa: B008  # frozen
        super().__init__()
        self.config = config
        width, heads, drop = config.width, config.heads, config.dropout
        self.mean = nn.ParameterDict({n: _told(torch.zeros(count)) for n, count in SCALED.items()})
        self.spread = nn.ParameterDict({n: _told(torch.ones(count)) for n, count in SCALED.items()})
        octaves = 3 + 6 * config.octaves
        self.point = mlp(octaves + 3 + 3 + 2 + len(GAP_SCALES) + PART_FEATURES, width, width)
        self.shape_point = mlp(2 + 1 + len(GAP_SCALES), width, width)
        self.part_branch = Branch(config.part_queries, width, heads, config.layers)
        self.shape_branch = Branch(config.shape_queries, width, heads, config.layers)
        self.look, self.settle, self.gather = (Layer(width, heads, drop) for _ in range(3))
        self.articulation = nn.Parameter(torch.randn(1, width) * 0.5)
        self.latent = nn.Linear(width, width)
        self.part = mlp(PART_FEATURES, width, width)
        self.word = nn.Linear(len(WORDS), width, bias=False)
        self.axis = mlp(AXIS_FACTS + FREE_AXIS, width, width)
        self.line = mlp(LINE_FACTS + FREE_LINE, width, width)
        self.best_line, self.best_axis = nn.Linear(width, 1), nn.Linear(width, 1)
        self.line_up, self.axis_up = (nn.Linear(2 * width, width) for _ in range(2))
        self.pair_bias = mlp(PAIR_FEATURES, 32, heads * config.layers)
        self.within = nn.ModuleList(Layer(width, heads, drop) for _ in range(config.layers))
        self.between = nn.ModuleList(Layer(width, heads, drop) for _ in range(config.layers))
        self.drop = nn.Dropout(drop)
        self.kind = head(width, len(KINDS))
        self.axis_scores = head(width, 2 + 2 * LENGTHS + 2)
        self.line_down = nn.Linear(width, width)
        self.line_scores = head(width, 1 + 2)
        self.child, self.parent, self.world = nn.Linear(width, width), nn.Linear(width, width), head(width, 1)
        self.pair = mlp(PAIR_FEATURES, 32, 1)

    def forward(self, batch: PartsBatch) -> Scores:
        batch = self._scaled(batch)
        rows = batch.lines
        line = self.line(torch.cat([batch.line_numbers, _free_lines(batch)], dim=-1)[rows])
        axis = self.axis(torch.cat([batch.axis_numbers, _free_axes(batch)], dim=-1))
        axis = axis + self.line_up(gathered(line, self.best_line(line), rows))
        gone = ~batch.valid
        part = self.part(batch.parts) + self.latent(self._seen(batch)) + self.word(batch.words)
        there = batch.valid & batch.present[..., None]
        part = part + self.axis_up(gathered(axis[there], self.best_axis(axis)[there], there))
        part, axis = self._together(part, axis, batch)
        found = self.axis_scores(axis)
        b, k, a, _ = rows.nonzero(as_tuple=True)
        scored = _spread(self.line_scores(self.drop(line + self.line_down(axis)[b, k, a])), rows)
        lengths = found[..., 2:-2].unflatten(-1, (2, LENGTHS))
        return Scores(
            self.kind(part), found[..., 0].masked_fill(gone, -1e4), found[..., 1].masked_fill(gone, -1e4),
            scored[..., 0].masked_fill(~rows, -1e4), 0.1 * scored[..., 1:], self._parents(part, batch),
            lengths[..., 0, :], lengths[..., 1, :], found[..., -2:],
        )  # fmt: skip

    def _scaled(self, batch: PartsBatch) -> PartsBatch:
        return batch._replace(**{
            n: ((getattr(batch, n) - self.mean[n]) / self.spread[n]).clamp(-5, 5)
            for n in SCALED
        })  # fmt: skip

    def _seen(self, batch: PartsBatch) -> Float[Tensor, "b k w"]:
        """What the points tell; nothing of the objects that are to do without while training."""
        if not self.training:
            return self._latents(batch)
        shown = torch.rand(len(batch.points), device=batch.points.device) >= self.config.forget
        seen = batch.parts.new_zeros(*batch.present.shape, self.config.width)
        return seen.index_put((shown,), self._latents(PartsBatch(*(t[shown] for t in batch))))

    def _latents(self, batch: PartsBatch) -> Float[Tensor, "b k w"]:
        """What the points tell of every part: in the frame of its box, heights and distances."""
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
        facts = batch.parts[:, :, None].expand(-1, -1, s, -1)
        own = self.point(
            torch.cat(
                [
                    octave_features(within, self.config.octaves),
                    facing,
                    toward.clamp(max=1),
                    upright,
                    near,
                    facts,
                ],
                -1,
            )
        )
        part = self.part_branch(own.flatten(0, 1))
        some = slice(0, max(8, s // 4))
        every = self.shape_point(torch.cat([upright, batch.normals[..., 1:2], near], dim=-1)[:, :, some])
        shape = self.shape_branch((every * batch.present[:, :, None, None]).flatten(1, 2))
        spread = shape[:, None].expand(-1, k, -1, -1).flatten(0, 1)
        part = self.settle(self.look(part, spread))
        return self.gather(self.articulation.expand(len(part), -1, -1), part).view(b, k, self.config.width)

    def _together(
        self, part, axis, batch: PartsBatch
    ) -> tuple[Float[Tensor, "b k w"], Float[Tensor, "b k a w"]]:
        """A part and its axes attend to each other, then each to its like of the other parts."""
        b, k = batch.present.shape
        x = torch.cat([part[:, :, None], axis], dim=2)  # b k 7 w
        there = torch.cat([batch.present[..., None], batch.valid & batch.present[..., None]], dim=-1)
        inside = torch.zeros(b * k, 1, 1, 7, device=x.device).masked_fill(~there.view(b * k, 1, 1, 7), -1e4)
        pairs = self.pair_bias(batch.pairs).permute(0, 3, 1, 2).chunk(len(self.between), dim=1)
        hidden = torch.zeros_like(there, dtype=x.dtype).masked_fill(~there, -1e4).transpose(1, 2)  # b 7 k
        for within, between, bias in zip(self.within, self.between, pairs, strict=True):
            x = within(x.flatten(0, 1), bias=inside).view(b, k, 7, -1)
            full = bias[:, None] + hidden[:, :, None, None]  # b 7 h k k
            x = between(x.transpose(1, 2).flatten(0, 1), bias=full.flatten(0, 1))
            x = x.view(b, 7, k, -1).transpose(1, 2)
        return x[:, :, 0], x[:, :, 1:]

    def _parents(self, v: Float[Tensor, "b k w"], batch: PartsBatch) -> Float[Tensor, "b k k1"]:
        score = self.child(v) @ self.parent(v).transpose(-1, -2) / v.shape[-1] ** 0.5
        score = score + self.pair(batch.pairs)[..., 0]
        itself = torch.eye(v.shape[1], dtype=torch.bool, device=v.device)
        score = score.masked_fill(itself | ~batch.present[:, None], -1e4)
        return torch.cat([score, self.world(v)], dim=-1)


def _told(numbers: Tensor) -> nn.Parameter:
    """Kept with the weights, told by the data, not learned."""
    return nn.Parameter(numbers, requires_grad=False)


def gathered(
    x: Float[Tensor, "r w"], weight: Float[Tensor, "r 1"], rows: Bool[Tensor, "*b n"]
) -> Float[Tensor, "*b 2*w"]:
    """Of the rows of each set: the mean by softmax weights, and the largest of each number; 0 of none.

    Sets are of a few rows out of many places, so they are added up where they are, not spread out first.
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


def _spread(x: Float[Tensor, "r w"], rows: Bool[Tensor, "*b n"]) -> Float[Tensor, "*b n w"]:
    """Rows where they belong, 0 elsewhere."""
    return x.new_zeros(*rows.shape, x.shape[-1]).masked_scatter(rows[..., None], x)


def _free_axes(batch: PartsBatch) -> Float[Tensor, "b k 6 9"]:
    """How far the part slides along each axis, beside all axes, and turns about it: by mean and best line."""
    told = (batch.free_slide[..., 0] >= 0).float()
    slide = batch.free_slide.clamp(0, 2)
    best = (slide * batch.valid[..., None]).amax(-2, keepdim=True).expand_as(slide)
    turn = batch.free_turn.clamp(min=0) / torch.pi
    numbers = torch.cat([slide, slide - best, turn.mean(-2), turn.amax(-2), told[..., None]], dim=-1)
    return numbers * told[..., None]


def _free_lines(batch: PartsBatch) -> Float[Tensor, "b k 6 p 5"]:
    """How far the part turns about each line, and beside the best of its axis."""
    told = (batch.free_turn[..., :1] >= 0).float()
    turn = batch.free_turn.clamp(min=0) / torch.pi
    return torch.cat([turn, turn.amax(-2, keepdim=True) - turn, told], dim=-1) * told
