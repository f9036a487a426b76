"""Regions of a surface around a pushed place, and how likely each is what the push moves.

Regions are sets of patches that contain the place: groups that form while patches are merged, by the patch
network and by the push network; patches that move with at least some probability; and the whole surface.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from jaxtyping import Bool, Float, Int
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from neurok.articulation.parts.division import merges
from neurok.articulation.parts.patch_scores import PatchScores

Array = np.ndarray
MIN_SHARE, MAX_SHARE = 0.004, 0.97  # of the whole area, of merged groups
GROWTH = 1.12  # of groups that differ little in area, the larger one is kept
MOST = 12  # merged groups of each network; the smallest are left out
UNMERGED = -6.0  # log-odds of a merge that never follows
LEVELS = (0.2, 0.35, 0.65, 0.8)  # probabilities of moving
LEAST_SHARE = 1e-6  # of the area: a smaller rest counts as none
ALONE = 3.0  # log-odds across the border of the whole surface
SOURCES = ("surface", "push", "level")
NUMBERS = 12 + len(SOURCES)  # see `numbers_of`


@dataclass(frozen=True, eq=False)
class PushedSurface:
    """What the networks say of a surface and a push on one of its n patches."""

    patch: int
    share: Float[Array, " n"]  # of the whole area
    links: Int[Array, "p 2"]
    moves: Float[Array, " n"]  # log-odds that a patch moves with the pushed one
    surface: PatchScores  # of the patch network
    pushed: PatchScores  # of the push network

    @property
    def likely(self) -> Float[Array, " n"]:
        """Probability that a patch moves."""
        p = 1 / (1 + np.exp(-self.moves))
        p[self.patch] = 1.0
        return p

    def overlap(self, member: Bool[Array, " n"]) -> float:
        """Expected intersection over union with what moves, by area: Σ_S p / (Σ_S 1 + Σ_rest p)."""
        moving = self.share * self.likely
        return float(moving[member].sum() / (self.share[member].sum() + moving[~member].sum()))


@dataclass(frozen=True, eq=False)
class Region:
    """A set of patches, where it comes from, and the log-odds of the merge that follows."""

    member: Bool[Array, " n"]
    source: str
    onward: float = 0.0


def regions_around(seen: PushedSurface) -> list[Region]:
    """All regions. One is the set of likeliest patches with the largest expected overlap."""
    found = _nested(seen, seen.surface, "surface") + _nested(seen, seen.pushed, "push")
    p = seen.likely
    found += [Region(_around(seen, p > level), "level") for level in LEVELS]
    order = np.argsort(-p, kind="stable")
    area, moving = seen.share[order].cumsum(), (seen.share * p)[order].cumsum()
    best = int((moving / (area + moving[-1] - moving)).argmax())
    likeliest = np.isin(np.arange(len(p)), order[: best + 1])
    return [*found, Region(_around(seen, likeliest), "level"), Region(np.ones(len(p), bool), "level")]


def numbers_of(region: Region, seen: PushedSurface) -> Float[Array, " f"]:
    """What tells a moving part from other regions.

    These are the expected overlap; the mean log-likelihood of the patches; the mean log-odds of moving inside
    and outside; the mean log-odds of being one part inside the region and across its border, by both
    networks; for groups how much better they hold together than they hold on, by the network that merged
    them; the size; the source.
    """
    inside, p = region.member, np.clip(seen.likely, 1e-4, 1 - 1e-4)
    size, sure = float(seen.share[inside].sum()), np.log(np.where(inside, p, 1 - p)) @ seen.share
    within = (seen.share * seen.moves)[inside].sum() / size
    rest = float(seen.share[~inside].sum())
    without = (seen.share * seen.moves)[~inside].sum() / rest if rest > LEAST_SHARE else UNMERGED
    own = [_mean_odds(scores, inside, inside) for scores in (seen.surface, seen.pushed)]
    across = [
        _mean_odds(scores, inside, ~inside) if not inside.all() else ALONE
        for scores in (seen.surface, seen.pushed)
    ]
    k = SOURCES.index(region.source)
    contrast = 0.0 if region.source == "level" else own[k] - across[k] - region.onward / 2
    sizes = [np.log(size + 1e-3), np.log(1.01 - size), size]
    return np.array([
        seen.overlap(inside), sure, within, without, own[0], across[0], own[1], across[1], contrast, *sizes,
        *(float(region.source == source) for source in SOURCES),
    ])  # fmt: skip


def _nested(seen: PushedSurface, scores: PatchScores, source: str) -> list[Region]:
    """Groups that contain the patch while patches are merged, the smallest first, with the next merge."""
    share, count = seen.share, len(seen.share)
    group, nested = np.arange(count), [np.arange(count) == seen.patch]
    onward: list[float] = []
    for merge in merges(group, scores.odds, scores.weight, np.zeros((count, count))):
        grows = group[seen.patch] in (merge.first, merge.second)
        group = np.where(group == merge.second, merge.first, group)
        if grows:
            onward.append(merge.odds)
            nested.append(group == group[seen.patch])
    kept: list[Region] = []
    for member, follows in zip(nested, [*onward, UNMERGED], strict=True):
        size = float(share[member].sum())
        if MIN_SHARE <= size <= MAX_SHARE:
            if kept and size < GROWTH * float(share[kept[-1].member].sum()):
                kept.pop()
            kept.append(Region(member, source, follows))
    return kept[-MOST:]


def _around(seen: PushedSurface, member: Bool[Array, " n"]) -> Bool[Array, " n"]:
    """The members that are linked to the pushed patch, directly or through others; it is one of them."""
    member = member | (np.arange(len(member)) == seen.patch)
    i, j = seen.links[member[seen.links].all(1)].T
    near = coo_array((np.ones(len(i)), (i, j)), shape=(len(member), len(member)))
    _, group = connected_components(near, directed=False)
    return member & (group == group[seen.patch])


def _mean_odds(scores: PatchScores, some: Bool[Array, " n"], others: Bool[Array, " n"]) -> float:
    pairs = np.ix_(some, others)
    weight = scores.weight[pairs]
    return float((scores.odds[pairs] * weight).sum() / max(float(weight.sum()), 1e-12))
