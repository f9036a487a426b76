"""What the network learns from: survivors of the simulator first, annotated joints then."""

from __future__ import annotations

from typing import NamedTuple

import torch
from jaxtyping import Float, Int
from torch import Tensor
from torch.nn.functional import binary_cross_entropy_with_logits, cross_entropy, smooth_l1_loss

from neurok.articulation.network import PartsBatch, Scores

FREE_TURN, FREE_SLIDE = 2.0, 1.0  # radians, radii: a motion this long is free beyond doubt
SAME_LINE = 0.02  # radii: lines this much farther from the truth than the best candidate are right as well
SAME_AXIS = 0.02  # 1 − |cos|: axes within 11° of the truth, or the best candidate


class Survivors(NamedTuple):
    """How far candidates move freely, both ways together."""

    turn: Float[Tensor, "b k 6 28"]
    slide: Float[Tensor, "b k 6"]


class Joints(NamedTuple):
    """True joints. kind −1: not judged; parent −1: not judged."""

    kind: Int[Tensor, "b k"]
    axis: Float[Tensor, "b k 3"]
    pivot: Float[Tensor, "b k 3"]
    parent: Int[Tensor, "b k"]
    range: Float[Tensor, "b k"]  # how far it moves in all, radians or radii; negative where unlimited


def survivor_losses(scores: Scores, batch: PartsBatch, free: Survivors) -> dict[str, Tensor]:
    """Multi-label: the logit of each candidate against the share of a long motion that is free.

    Means over valid candidates of parts that are there. An axis to turn about is as good as its best line.
    """
    turn, slide = (free.turn / FREE_TURN).clamp(0, 1), (free.slide / FREE_SLIDE).clamp(0, 1)
    there = batch.valid & batch.present[..., None]
    terms = {
        "free_line": _bce(scores.line, turn, there[..., None].expand_as(turn)),
        "free_turn": _bce(scores.turn_axis, turn.mean(-1), there),
        "free_slide": _bce(scores.slide_axis, slide, there),
    }
    return {"loss": sum(terms.values())} | terms  # type: ignore[dict-item]


def joint_losses(scores: Scores, batch: PartsBatch, truth: Joints) -> dict[str, Tensor]:
    """Cross-entropies of type, axis, line and parent; smooth L1 of the corrections of what is right.

    An axis counts for parts that move, a line for those that turn. Several candidates may be right: then
    −log of their probability together.
    """
    known = batch.present & (truth.kind >= 0)
    turns = known & ((truth.kind == 1) | (truth.kind == 3))
    slides = known & (truth.kind == 2)
    away = axis_distance(batch.axes, truth.axis).masked_fill(~batch.valid, 9.0)
    right = away <= torch.maximum(away.amin(-1, keepdim=True) + 1e-4, torch.tensor(SAME_AXIS))
    off = line_offset(batch.pivots, truth)
    far = off.norm(dim=-1)  # b k 28
    hit = far <= far.amin(-1, keepdim=True) + SAME_LINE
    lines = scores.line.gather(2, away.argmin(-1)[..., None, None].expand(-1, -1, 1, 28))[:, :, 0]
    shift = scores.line_shift.gather(2, away.argmin(-1)[..., None, None, None].expand(-1, -1, 1, 28, 3))[
        :, :, 0
    ]
    bend = truth.axis[:, :, None] * _sign((batch.axes * truth.axis[:, :, None]).sum(-1, keepdim=True))
    terms = {
        "kind": cross_entropy(scores.kind[known], truth.kind[known]),
        "turn_axis": _mean(_any_of(scores.turn_axis, right), turns),
        "slide_axis": _mean(_any_of(scores.slide_axis, right), slides),
        "line": _mean(_any_of(lines, hit), turns),
        "line_shift": 10 * _mean(_across_loss(shift, off, truth.axis), hit & turns[..., None]),
        "axis_shift": 10 * _mean(
            smooth_l1_loss(scores.axis_shift, bend - batch.axes, reduction="none", beta=0.05).sum(-1),
            right & (turns | slides)[..., None],
        ),
        "range": _ranges(scores.range, truth, turns, slides),
        "parent": _parents(scores.parent, truth.parent, batch),
    }  # fmt: skip
    return {"loss": sum(terms.values())} | terms  # type: ignore[dict-item]


def axis_distance(axes: Float[Tensor, "b k 6 3"], truth: Float[Tensor, "b k 3"]) -> Float[Tensor, "b k 6"]:
    """1 − |cos|."""
    return 1 - (axes * truth[:, :, None]).sum(-1).abs()


def line_offset(pivots: Float[Tensor, "b k p 3"], truth: Joints) -> Float[Tensor, "b k p 3"]:
    """The shortest way from each pivot to the true line."""
    offset = truth.pivot[:, :, None] - pivots
    return offset - (offset * truth.axis[:, :, None]).sum(-1, keepdim=True) * truth.axis[:, :, None]


def _across_loss(shift, off, axis) -> Float[Tensor, "b k p"]:
    across = shift - (shift * axis[:, :, None]).sum(-1, keepdim=True) * axis[:, :, None]
    return smooth_l1_loss(across, off, reduction="none", beta=0.02).sum(-1)


def _ranges(guess: Float[Tensor, "b k 2"], truth: Joints, turns: Tensor, slides: Tensor) -> Tensor:
    """Lengths in logarithms: of turns, and of slides."""
    limited = truth.range > 1e-3
    wanted = truth.range.clamp(min=1e-3).log()
    off = [smooth_l1_loss(guess[..., i], wanted, reduction="none", beta=0.3) for i in range(2)]
    return _mean(off[0], turns & limited) + _mean(off[1], slides & limited)


def _parents(score: Float[Tensor, "b k k1"], parent: Int[Tensor, "b k"], batch: PartsBatch) -> Tensor:
    known = batch.present & (parent >= 0)
    return cross_entropy(score[known], parent[known])


def _any_of(logits: Float[Tensor, "b k n"], right: Tensor) -> Float[Tensor, "b k"]:
    return logits.logsumexp(-1) - logits.masked_fill(~right, -1e4).logsumexp(-1)


def _bce(logits: Tensor, target: Tensor, there: Tensor) -> Tensor:
    return binary_cross_entropy_with_logits(logits[there], target[there])


def _mean(values: Tensor, where: Tensor) -> Tensor:
    return (values * where).sum() / where.sum().clamp(min=1)


def _sign(x: Tensor) -> Tensor:
    return torch.where(x < 0, -1.0, 1.0)
