"""Merges loose pieces into parts: pieces that are likelier one rigid body than two."""

from __future__ import annotations

import heapq
from typing import NamedTuple

import numpy as np
from jaxtyping import Float, Int

from neurok.articulation.parts.contacts import Contacts

Array = np.ndarray
MIN_PART_AREA = 0.004  # of the whole surface: smaller groups, such as screws, are merged into their carrier
CERTAIN_LOG_ODDS = 1e3  # that two standing pieces are one part
MOVING_LOG_ODDS = 8.0  # that a pushed or dragged piece is not part of what stands
UNPINNED_LOG_ODDS = 2.0  # that an unpinned piece is not part of what stands, if entire pieces are pinned
NO_PIECES = np.zeros(0, np.int64)


class PieceHints(NamedTuple):
    """Pieces that stand, pieces that move, and pieces left unpinned although entire pieces are pinned."""

    standing: Int[Array, " s"] = NO_PIECES
    moving: Int[Array, " m"] = NO_PIECES
    unpinned: Int[Array, " l"] = NO_PIECES


def averaged_over_copies(
    contacts: Contacts, odds: Float[Array, " p"], twins: Int[Array, " c"]
) -> Float[Array, " p"]:
    """Log-odds averaged over pairs of the same two congruence classes, so that copies are treated alike.

    Pairs that touch are averaged separately from pairs that are only near: a handle touches its own drawer
    and is near the next one.
    """
    touches = contacts.touch > 0
    kinds = np.column_stack([twins[contacts.pairs], touches])
    _, kind = np.unique(kinds, axis=0, return_inverse=True)
    kind = kind.ravel()
    mean = np.bincount(kind, odds) / np.maximum(np.bincount(kind), 1)
    return mean[kind]


def with_hints(
    pairs: Int[Array, "p 2"],
    odds: Float[Array, " p"],
    standing: Int[Array, " s"],
    moving: Int[Array, " m"],
    unpinned: Int[Array, " l"] = NO_PIECES,
) -> tuple[Int[Array, "q 2"], Float[Array, " q"]]:
    """Pairs and log-odds extended by hints.

    Standing pieces are one part. A moving piece is likely not part of it, and an unpinned piece somewhat less
    likely.
    """
    if not len(standing):
        return pairs, odds
    hints = [(standing[1:], CERTAIN_LOG_ODDS), (np.setdiff1d(moving, standing), -MOVING_LOG_ODDS)]
    hints += [(np.setdiff1d(unpinned, np.union1d(standing, moving)), -UNPINNED_LOG_ODDS)]
    more = [np.column_stack([np.full(len(some), standing[0]), some]) for some, _ in hints]
    known = [np.full(len(some), value) for some, value in hints]
    return np.concatenate([pairs, *more]), np.concatenate([odds, *known])


def contract(count: int, pairs: Int[Array, "p 2"], odds: Float[Array, " p"]) -> Int[Array, " c"]:
    """Greedy additive edge contraction: merges the pair with the highest log-odds, and adds up edges.

    It increases Σ odds over the pairs inside groups, the log-likelihood of the grouping under independent
    pairs. It stops when no two groups are likelier one part than two.
    """
    links: list[dict[int, float]] = [{} for _ in range(count)]
    for (i, j), value in zip(pairs.tolist(), odds.tolist(), strict=True):
        links[i][j] = links[j][i] = links[i].get(j, 0.0) + value
    group = np.arange(count)
    heap = [(-v, i, j) for i in range(count) for j, v in links[i].items() if i < j and v > 0]
    heapq.heapify(heap)
    while heap:
        value, i, j = heapq.heappop(heap)
        if links[i].get(j) != -value:  # one of the two has changed since
            continue
        _join(links, i, j)
        group[group == j] = i
        for k, v in links[i].items():
            if v > 0:
                heapq.heappush(heap, (-v, min(i, k), max(i, k)))
    return group


def _join(links: list[dict[int, float]], i: int, j: int) -> None:
    """Merges group j into group i."""
    for k, value in links[j].items():
        links[k].pop(j, None)
        if k != i:
            links[i][k] = links[k][i] = links[i].get(k, 0.0) + value
    links[j] = {}


def absorb_small(
    group: Int[Array, " c"],
    share: Float[Array, " c"],
    contacts: Contacts,
    odds: Float[Array, " p"],
    centres: Float[Array, "c 3"],
    most: int,
    kept: Int[Array, " m"] = NO_PIECES,
) -> Int[Array, " c"]:
    """Merges groups below MIN_PART_AREA, then the smallest ones beyond `most`, into their carriers.

    Groups with `kept` pieces stay. The carrier is the neighbour with the largest contact area; with equal
    areas the likelier one; without a neighbour the group of the nearest piece.
    """
    group = group.copy()
    while True:
        names, index = np.unique(group, return_inverse=True)
        size = np.bincount(index, share)
        size[index[kept]] = np.inf
        k = int(size.argmin())
        if len(names) < 2 or (size[k] >= MIN_PART_AREA and len(names) <= most):
            return index
        carrier = _carrier(index, k, contacts, odds, centres)
        group = np.where(index == k, carrier, index)


def _carrier(index: Int[Array, " c"], k: int, contacts: Contacts, odds, centres) -> int:
    """The group that carries group k."""
    ends = index[contacts.pairs]
    touching = (ends == k).any(axis=1) & (ends[:, 0] != ends[:, 1])
    other = np.where(ends[:, 0] == k, ends[:, 1], ends[:, 0])[touching]
    if len(other):
        area = np.bincount(other, contacts.touch[touching])
        likely = np.bincount(other, odds[touching])
        candidates = np.unique(other)
        return int(candidates[np.lexsort((likely[candidates], area[candidates]))[-1]])
    inside, outside = np.flatnonzero(index == k), np.flatnonzero(index != k)
    distance = np.linalg.norm(centres[inside, None] - centres[None, outside], axis=-1)
    return int(index[outside[distance.min(axis=0).argmin()]])
