"""Losses of the articulation network.

Pretraining uses the free motion of candidates, training the annotated joints.
"""

from __future__ import annotations

from typing import NamedTuple

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor
from torch.nn.functional import binary_cross_entropy_with_logits, cross_entropy, smooth_l1_loss

from neurok.articulation.candidates import CONTACT, MIDDLE
from neurok.articulation.network import PartsBatch, Scores
from neurok.articulation.ranges import MAX_ONE_WAY_SHARE, SLIDE_LENGTHS, TURN_LENGTHS, length_class

LONG_TURN, LONG_SLIDE = 2.0, 1.0  # radians, radii: free motions of this length count fully
LINE_TOLERANCE = 0.02  # radii: lines at most this much farther off than the best candidate are right
AXIS_TOLERANCE = 0.02  # 1 − |cos|: axes within 11° of the truth, and the best candidate, are right


class Survivors(NamedTuple):
    """Free motion of candidates, against the axis and along it."""

    turn: Float[Tensor, "b k 6 p 2"]
    slide: Float[Tensor, "b k 6 2"]


class Joints(NamedTuple):
    """True joints; a kind or parent of −1 is not evaluated."""

    kind: Int[Tensor, "b k"]
    axis: Float[Tensor, "b k 3"]
    pivot: Float[Tensor, "b k 3"]
    parent: Int[Tensor, "b k"]
    limits: Float[Tensor, "b k 2"]  # from the given pose, radians or radii; 0 for unlimited slides


def survivor_losses(scores: Scores, batch: PartsBatch, free: Survivors) -> dict[str, Tensor]:
    """Losses of pretraining: free candidates, and the free lengths of every axis.

    The logit of each candidate has a multi-label loss against the free share of a long motion, both
    directions together. Lengths have classes; those of turns are taken about the freest line of an axis.
    Means over valid candidates of present parts. The target of an axis of turns is the mean over its lines.
    An axis without free motion has length 0 in both directions.
    """
    free = Survivors(free.turn.sort(-1).values, free.slide.sort(-1).values)
    turn, slide = (free.turn.sum(-1) / LONG_TURN).clamp(0, 1), (free.slide.sum(-1) / LONG_SLIDE).clamp(0, 1)
    there = batch.valid & batch.present[..., None]
    freest = free.turn.sum(-1).argmax(-1)[..., None, None].expand(*free.slide.shape[:3], 1, 2)
    directions = free.turn.gather(3, freest)[:, :, :, 0], free.slide
    terms = {
        "free_line": _bce(scores.line, turn, batch.lines),
        "free_turn": _bce(scores.turn_axis, turn.mean(-1), there),
        "free_slide": _bce(scores.slide_axis, slide, there),
        "range": 0.3 * _lengths(scores, batch, directions, (there, there)),
    }
    return {"loss": sum(terms.values())} | terms  # type: ignore[dict-item]


def joint_losses(
    scores: Scores, ahead: Float[Tensor, "b k"], batch: PartsBatch, truth: Joints
) -> dict[str, Tensor]:
    """Cross-entropies of type, axis, line, parent and direction; smooth L1 of the corrections of right lines.

    `ahead` are the log-odds of moving along the true axes.

    Axes count for parts that move, lines for parts that turn. If several candidates are right, the loss is
    −log of the sum of their probabilities.
    """
    known = batch.present & (truth.kind >= 0)
    turns = known & ((truth.kind == 1) | (truth.kind == 3))
    slides = known & (truth.kind == 2)
    away = axis_distance(batch.axes, truth.axis).masked_fill(~batch.valid, 9.0)
    right = away <= torch.maximum(away.amin(-1, keepdim=True) + 1e-4, torch.tensor(AXIS_TOLERANCE))
    off = line_offset(batch.pivots, truth)
    near = away.argmin(-1)
    far = off.norm(dim=-1).masked_fill(~_of_axis(batch.lines, near), 9.0)  # b k p
    hit = far <= far.amin(-1, keepdim=True) + LINE_TOLERANCE
    lines, pull = (_of_axis(x, near) for x in (scores.line, scores.pull))
    terms = {
        "kind": cross_entropy(scores.kind[known], truth.kind[known]),
        "turn_axis": _mean(_any_of(scores.turn_axis, right), turns),
        "slide_axis": _mean(_any_of(scores.slide_axis, right), slides),
        "line": _mean(_any_of(lines, hit), turns),
        "pull": 10 * _mean(_pulled(pull, off, batch, truth), hit & turns[..., None]),
        "range": 0.3 * _ranges(scores, near, batch, truth, turns, slides),
        "parent": _parents(scores.parent, truth.parent, batch),
        "direction": 0.5 * _directions(ahead, truth, turns | slides),
    }
    return {"loss": sum(terms.values())} | terms  # type: ignore[dict-item]


def axis_distance(axes: Float[Tensor, "b k 6 3"], truth: Float[Tensor, "b k 3"]) -> Float[Tensor, "b k 6"]:
    """1 − |cos|."""
    return 1 - (axes * truth[:, :, None]).sum(-1).abs()


def line_offset(pivots: Float[Tensor, "b k p 3"], truth: Joints) -> Float[Tensor, "b k p 3"]:
    """Shortest vector from each pivot to the true line."""
    return _across(truth.pivot[:, :, None] - pivots, truth.axis[:, :, None])


def pull_vectors(batch: PartsBatch) -> Float[Tensor, "b k p 2 3"]:
    """Vectors from each pivot to the centre of the part, and to that of its contacts."""
    return batch.pivots[:, :, [MIDDLE, CONTACT]][:, :, None] - batch.pivots[:, :, :, None]


def _pulled(pull: Float[Tensor, "b k p 2"], off, batch: PartsBatch, truth: Joints) -> Float[Tensor, "b k p"]:
    """Distance of a corrected line from the true one."""
    moved = (pull[..., None] * pull_vectors(batch)).sum(-2)
    return smooth_l1_loss(_across(moved, truth.axis[:, :, None]), off, reduction="none", beta=0.02).sum(-1)


def _across(x: Float[Tensor, "b k p 3"], axis: Float[Tensor, "b k 1 3"]) -> Float[Tensor, "b k p 3"]:
    return x - (x * axis).sum(-1, keepdim=True) * axis


def _ranges(
    scores: Scores, near: Int[Tensor, "b k"], batch: PartsBatch, truth: Joints, turns: Tensor, slides: Tensor
) -> Tensor:
    """`_lengths` of the true limits, at the right axis."""
    directions = torch.stack([-truth.limits[..., 0].clamp(max=0), truth.limits[..., 1].clamp(min=0)], dim=-1)
    directions = directions.sort(-1).values[:, :, None].expand(-1, -1, 6, -1)
    right = torch.nn.functional.one_hot(near, 6).bool() & (directions.sum(-1) > 1e-4)
    return _lengths(
        scores, batch, (directions, directions), (right & turns[..., None], right & slides[..., None])
    )


def _directions(ahead: Float[Tensor, "b k"], truth: Joints, moves: Bool[Tensor, "b k"]) -> Tensor:
    """Cross-entropy of the direction of the joints that move one way only from the given pose."""
    back, forth = -truth.limits[..., 0].clamp(max=0), truth.limits[..., 1].clamp(min=0)
    alone = torch.minimum(back, forth) < MAX_ONE_WAY_SHARE * (back + forth)
    off = binary_cross_entropy_with_logits(ahead, (forth > back).to(ahead.dtype), reduction="none")
    return _mean(off, moves & alone & (back + forth > 1e-4))


def _lengths(
    scores: Scores,
    batch: PartsBatch,
    directions: tuple[Float[Tensor, "b k 6 2"], Float[Tensor, "b k 6 2"]],
    where: tuple[Bool[Tensor, "b k 6"], Bool[Tensor, "b k 6"]],
) -> Tensor:
    """Cross-entropies of the lengths of turns and slides, and of moving one way only.

    They are averaged over the axes `where`. `directions` are the shorter and the longer direction.
    """
    total = torch.zeros(())
    classes, centres = (scores.turn_length, scores.slide_length), (TURN_LENGTHS, SLIDE_LENGTHS)
    units = torch.ones(()), 2 * batch.axis_numbers[..., 0].clamp(min=0.01)
    for i in range(2):
        length = directions[i].sum(-1)
        wanted = length_class(length / units[i], centres[i])
        off = cross_entropy(classes[i].permute(0, 3, 1, 2), wanted, reduction="none")
        alone = (directions[i][..., 0] < MAX_ONE_WAY_SHARE * length).to(length.dtype)
        sides = binary_cross_entropy_with_logits(scores.one_way[..., i], alone, reduction="none")
        total = total + _mean(off + sides, where[i])
    return total


def _of_axis(x: Tensor, axis: Int[Tensor, "b k"]) -> Tensor:
    """Entries of one axis of every part: b k 6 … ↦ b k …"""
    return x[torch.arange(len(x))[:, None], torch.arange(x.shape[1]), axis]


def _parents(score: Float[Tensor, "b k k1"], parent: Int[Tensor, "b k"], batch: PartsBatch) -> Tensor:
    known = batch.present & (parent >= 0)
    return cross_entropy(score[known], parent[known])


def _any_of(logits: Float[Tensor, "b k n"], right: Tensor) -> Float[Tensor, "b k"]:
    return logits.logsumexp(-1) - logits.masked_fill(~right, -1e4).logsumexp(-1)


def _bce(logits: Tensor, target: Tensor, there: Tensor) -> Tensor:
    return binary_cross_entropy_with_logits(logits[there], target[there])


def _mean(values: Tensor, where: Tensor) -> Tensor:
    return (values * where).sum() / where.sum().clamp(min=1)
