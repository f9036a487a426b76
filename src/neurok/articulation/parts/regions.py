"""Regions of a surface around a place: the groups that contain it, while patches are merged step by step."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from jaxtyping import Bool, Float

from neurok.articulation.parts.division import merges
from neurok.articulation.parts.patch_scores import PatchScores

Array = np.ndarray
MIN_SHARE, MAX_SHARE = 0.004, 0.97  # of the whole area
GROWTH = 1.12  # of regions that differ little in area, the larger one is kept
MOST = 12  # regions; the smallest are left out
UNMERGED = -6.0  # log-odds of a merge that never follows


@dataclass(frozen=True, eq=False)
class Region:
    """A set of patches, with its mean log-odds inside, across its border, and of the merge that follows."""

    member: Bool[Array, " n"]
    share: float  # of the whole area
    inside: float
    across: float
    onward: float

    @property
    def contrast(self) -> float:
        """How much better the region holds together than it holds on to the rest."""
        return self.inside - self.across - self.onward / 2


def regions_around(patch: int, scores: PatchScores, share: Float[Array, " n"]) -> list[Region]:
    """Nested regions that contain a patch, the smallest first."""
    count = len(share)
    none = np.zeros((count, count))
    group, nested = np.arange(count), [np.arange(count) == patch]
    onward: list[float] = []
    for merge in merges(group, scores.odds, scores.weight, none):
        grows = group[patch] in (merge.first, merge.second)
        group = np.where(group == merge.second, merge.first, group)
        if grows:
            onward.append(merge.odds)
            nested.append(group == group[patch])
    kept: list[Region] = []
    for member, follows in zip(nested, [*onward, UNMERGED], strict=True):
        size = float(share[member].sum())
        if MIN_SHARE <= size <= MAX_SHARE:
            if kept and size < GROWTH * kept[-1].share:
                kept.pop()
            inside, across = _mean_odds(scores, member, member), _mean_odds(scores, member, ~member)
            kept.append(Region(member, size, inside, across, follows))
    return kept[-MOST:]


def _mean_odds(scores: PatchScores, some: Bool[Array, " n"], others: Bool[Array, " n"]) -> float:
    pairs = np.ix_(some, others)
    weight = scores.weight[pairs]
    return float((scores.odds[pairs] * weight).sum() / max(float(weight.sum()), 1e-12))
