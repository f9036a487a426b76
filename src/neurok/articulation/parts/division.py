"""Divides loose pieces into fragments that are each rigid, from the log-odds of their patches."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from jaxtyping import Bool, Float, Int

from neurok.articulation.parts.grouping import MIN_PART_AREA, MOVING_LOG_ODDS, PieceHints
from neurok.articulation.parts.patch_features import Patches
from neurok.articulation.parts.patch_scores import PatchScores

Array = np.ndarray
SWEEPS = 4  # rounds in which single patches may change their group
SPLIT_LOG_ODDS = 0.4  # in favour of two bodies: wrong cuts cost less agreement than missing ones
FUSED_SHARE = 0.5  # of the whole area, from which on pins and pushes divide a piece


def divided(patches: Patches, scores: PatchScores, hints: PieceHints) -> Int[Array, " n"]:
    """The fragment of each patch: groups of patches of one loose piece that are likelier one body than two.

    `hints` are of patches. They count in a piece that is most of the surface: a door that is pinned at its
    foot and pushed at its handle stays whole.
    """
    piece, count = patches.features.piece, 0
    fragment = np.zeros(len(piece), np.int64)
    against = _doubts(len(piece), hints)
    for c in range(int(piece.max()) + 1):
        own = np.flatnonzero(piece == c)
        square = np.ix_(own, own)
        fused = patches.pieces.share[c] > FUSED_SHARE
        stands = np.isin(own, hints.standing) if fused else np.zeros(len(own), bool)
        odds, weight = scores.odds[square] - SPLIT_LOG_ODDS, scores.weight[square]
        group = grouped(odds, weight, against[square] * fused, stands)
        kept = np.flatnonzero(np.isin(own, hints.moving)) if fused else np.zeros(0, np.int64)
        group = _without_slivers(group, patches.share[own], odds, weight, kept)
        fragment[own] = count + group
        count += int(group.max(initial=-1)) + 1
    return fragment


def _doubts(count: int, hints: PieceHints) -> Float[Array, "n n"]:
    """Log-odds, by pair, against one part: by pins and pushes one of the pair stands and one moves."""
    against = np.zeros((count, count))
    moving = np.setdiff1d(hints.moving, hints.standing)
    against[np.ix_(hints.standing, moving)] = against[np.ix_(moving, hints.standing)] = MOVING_LOG_ODDS
    return against


def grouped(
    odds: Float[Array, "n n"],
    weight: Float[Array, "n n"],
    against: Float[Array, "n n"],
    stands: Bool[Array, " n"],
) -> Int[Array, " n"]:
    """Merges the two groups with the highest mean log-odds while that is positive, then moves single patches.

    The mean over the pairs of two groups is weighted, and less by the largest doubt `against` any of them.
    Both steps increase Σ w · odds over the pairs inside groups: the log-likelihood of the grouping, with
    pairs counted by their weight. Patches that stand are one group from the start.
    """
    group = np.arange(len(odds))
    group[stands] = np.flatnonzero(stands)[:1].repeat(int(stands.sum()))
    group = np.unique(group, return_inverse=True)[1]
    group = _merged(group, odds, weight, against)
    return _settled(group, odds * weight, weight, against, stands)


def _merged(group: Int[Array, " n"], odds, weight, against) -> Int[Array, " n"]:
    """Agglomeration while the mean log-odds are positive."""
    for merge in merges(group, odds, weight, against):
        if not merge.odds > 0:
            break
        group = np.where(group == merge.second, merge.first, group)
    return group


class Merge(NamedTuple):
    """Two groups that are merged, the second into the first, and their mean log-odds."""

    first: int
    second: int
    odds: float


def merges(
    group: Int[Array, " n"],
    odds: Float[Array, "n n"],
    weight: Float[Array, "n n"],
    against: Float[Array, "n n"],
) -> Iterator[Merge]:
    """Merges of groups by decreasing mean log-odds, until all weights between groups are zero.

    Sums, weights and doubts of groups are kept as matrices.
    """
    member = np.eye(int(group.max()) + 1)[group]
    total, mass = member.T @ (odds * weight) @ member, member.T @ weight @ member
    doubt = np.zeros_like(total)
    np.maximum.at(doubt, (group[:, None], group[None]), against)
    alive = np.ones(len(total), bool)
    score = np.where(mass > 0, total / np.maximum(mass, 1e-300), -np.inf) - doubt
    np.fill_diagonal(score, -np.inf)
    while True:
        i, j = map(int, np.unravel_index(score.argmax(), score.shape))
        if not np.isfinite(score[i, j]):
            return
        yield Merge(i, j, float(score[i, j]))
        for matrix in (total, mass):
            matrix[i] += matrix[j]
            matrix[:, i] += matrix[:, j]
        doubt[i] = doubt[:, i] = np.maximum(doubt[i], doubt[j])
        alive[j] = False
        mean = np.where(alive & (mass[i] > 0), total[i] / np.maximum(mass[i], 1e-300), -np.inf) - doubt[i]
        mean[i] = -np.inf
        score[i], score[:, i] = mean, mean
        score[j], score[:, j] = -np.inf, -np.inf


def _settled(group, gain, weight, against, fixed: Bool[Array, " n"]) -> Int[Array, " n"]:
    """Moves single patches to the group, possibly a new one, in which their weighted log-odds sum highest."""
    group = np.unique(group, return_inverse=True)[1]
    for _ in range(SWEEPS):
        before = group.copy()
        for k in np.flatnonzero(~fixed):
            others, count = np.arange(len(group)) != k, int(group.max()) + 2
            doubt = np.zeros(count)
            np.maximum.at(doubt, group, against[k])
            value = np.bincount(group, gain[k] * others, count)
            value -= doubt * np.bincount(group, weight[k] * others, count)
            if value.max() > value[group[k]] + 1e-15:
                group[k] = int(value.argmax())
        group = np.unique(group, return_inverse=True)[1]
        if np.array_equal(group, before):
            break
    return group


def _without_slivers(
    group: Int[Array, " n"], share: Float[Array, " n"], odds, weight, kept: Int[Array, " k"]
) -> Int[Array, " n"]:
    """Merges groups below MIN_PART_AREA into the group with the highest mean log-odds.

    Groups with `kept` patches stay.
    """
    while True:
        names, group = np.unique(group, return_inverse=True)
        size = np.bincount(group, share)
        size[group[kept]] = np.inf
        k = int(size.argmin())
        if len(names) < 2 or size[k] >= MIN_PART_AREA:
            return group
        own = group == k
        total, mass = (np.bincount(group, w[own].sum(0)) for w in (odds * weight, weight))
        mean = np.where(mass > 0, total / np.maximum(mass, 1e-300), -np.finfo(float).max)
        mean[k] = -np.inf
        group = np.where(own, int(mean.argmax()), group)
