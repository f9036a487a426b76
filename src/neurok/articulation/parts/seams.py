"""Seams of parts within a connected surface, smoothed towards its concave creases."""

from __future__ import annotations

import numpy as np
from jaxtyping import Bool, Float, Int
from scipy import sparse

from neurok.articulation.parts.face_graph import FaceGraph

Array = np.ndarray
SHARP_ANGLE = 0.35  # radians: cutting a crease much more concave than that costs almost nothing
MIN_CUT_COST = 0.1  # of such a crease, relative to a flat edge
ROUNDS = 20


def smoothed(label: Int[Array, " m"], graph: FaceGraph) -> Int[Array, " m"]:
    """Every face takes the label that costs least to cut from its neighbours, in at most ROUNDS rounds.

    An edge costs its length, times exp −(concavity / SHARP_ANGLE)² where it is concave. Every round lowers
    the Potts energy Σ cost [labels differ], so seams become short and follow creases.
    """
    m, count = len(label), int(label.max(initial=0)) + 1
    if count < 2:
        return label
    bend = np.maximum(graph.concavity, 0.0) / SHARP_ANGLE
    cost = graph.length * (MIN_CUT_COST + (1 - MIN_CUT_COST) * np.exp(-(bend**2)))
    i, j = graph.pairs.T
    near = sparse.csr_matrix((np.r_[cost, cost], (np.r_[i, j], np.r_[j, i])), shape=(m, m))
    for _ in range(ROUNDS):
        one = sparse.csr_matrix((np.ones(m), (np.arange(m), label)), shape=(m, count))
        votes = sparse.csr_matrix(near @ one).toarray()
        best = votes.argmax(1)
        gain = votes[np.arange(m), best] - votes[np.arange(m), label]
        changes = _independent(gain, graph.pairs)
        if not changes.any():
            break
        label = np.where(changes, best, label)
    return label


def _independent(gain: Float[Array, " m"], pairs: Int[Array, "p 2"]) -> Bool[Array, " m"]:
    """Faces with a gain, none of which has a neighbour of larger gain: together they gain as each alone."""
    order = np.argsort(gain, kind="stable")
    rank = np.empty(len(gain), np.int64)
    rank[order] = np.arange(len(gain))
    rank[gain <= 1e-12] = -1
    around = np.full(len(gain), -1)
    for here, there in (pairs.T, pairs.T[::-1]):
        np.maximum.at(around, here, rank[there])
    return rank > around
