"""Pieces put together into parts: those that are likelier one rigid body than two."""

from __future__ import annotations

import heapq

import numpy as np
from jaxtyping import Float, Int

from neurok.articulation.parts.contacts import Contacts

Array = np.ndarray
TINY = 0.004  # of the whole surface: a screw or a knob, which goes with what carries it
CERTAIN = 1e3  # log-odds of what is known
MOVING = 8.0  # log-odds that a piece which is pushed or dragged is no piece of what stands
LEFT = 2.0  # log-odds that a piece which was left free, where whole pieces are held, is none of what stands
NONE = np.zeros(0, np.int64)


def same_for_copies(
    contacts: Contacts, odds: Float[Array, " p"], twins: Int[Array, " c"]
) -> Float[Array, " p"]:
    """Log-odds averaged over the pairs of the same two kinds of pieces, so that copies are treated alike.

    Pairs that touch are kept apart from pairs that are only near each other: a handle touches its own
    drawer and is near the next.
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
    left: Int[Array, " l"] = NONE,
) -> tuple[Int[Array, "q 2"], Float[Array, " q"]]:
    """Pairs and log-odds with what is known beside the surface: pieces that stand are one, one that moves is
    likely none of them, and rather not one that was left free where whole pieces are held."""
    if not len(standing):
        return pairs, odds
    told = [(standing[1:], CERTAIN), (np.setdiff1d(moving, standing), -MOVING)]
    told += [(np.setdiff1d(left, np.union1d(standing, moving)), -LEFT)]
    more = [np.column_stack([np.full(len(some), standing[0]), some]) for some, _ in told]
    known = [np.full(len(some), value) for some, value in told]
    return np.concatenate([pairs, *more]), np.concatenate([odds, *known])


def contract(count: int, pairs: Int[Array, "p 2"], odds: Float[Array, " p"]) -> Int[Array, " c"]:
    """Greedy additive edge contraction: join the pair with the highest log-odds, add up those of its edges.

    It climbs Σ odds over the pairs inside groups, the log-likelihood of the grouping if pairs were
    independent, and stops where no pair of groups is likelier one than two.
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
    """Group j becomes part of group i."""
    for k, value in links[j].items():
        links[k].pop(j, None)
        if k != i:
            links[i][k] = links[k][i] = links[i].get(k, 0.0) + value
    links[j] = {}


def carry_small(
    group: Int[Array, " c"],
    share: Float[Array, " c"],
    contacts: Contacts,
    odds: Float[Array, " p"],
    centres: Float[Array, "c 3"],
    most: int,
    kept: Int[Array, " m"] = NONE,
) -> Int[Array, " c"]:
    """Groups that are tiny, then the smallest of more than `most`, go with what carries them best; not those
    of the pieces that are to be `kept`.

    That is the neighbour with which they share most area of contact; the likelier of two with the same;
    without a neighbour the group whose nearest piece is closest.
    """
    group = group.copy()
    while True:
        names, index = np.unique(group, return_inverse=True)
        size = np.bincount(index, share)
        size[index[kept]] = np.inf
        k = int(size.argmin())
        if len(names) < 2 or (size[k] >= TINY and len(names) <= most):
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
