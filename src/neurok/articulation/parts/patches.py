"""Patches: small regions of the surface, of which parts are made.

A loose piece of little area is one patch. Larger pieces are divided along their creases.
"""

from __future__ import annotations

import numpy as np
from jaxtyping import Float, Int
from scipy import sparse
from scipy.sparse.csgraph import dijkstra

from neurok.articulation.parts.components import by_size
from neurok.articulation.parts.face_graph import FaceGraph
from neurok.geometry.farthest_points import farthest_first

Array = np.ndarray
PATCHES = 192  # into which a surface of one piece is divided
MAX_PATCHES = 256
CONCAVE_LENGTH = 1.0  # radii by which a path across a sharp concave crease counts as longer
CONVEX_LENGTH = 0.05
SHARP_ANGLE = 0.6  # radians


def find_patches(
    graph: FaceGraph, piece: Int[Array, " m"], points: Float[Array, "s 3"], face: Int[Array, " s"]
) -> Int[Array, " m"]:
    """The patch of each face, largest first, from samples of the surface with their faces.

    Patches are the Voronoi cells of farthest points of each loose piece, by the length of paths from face to
    face. A path across a crease of angle θ counts as longer by a multiple of 1 − exp −(θ/SHARP_ANGLE)², so
    that cells end there.
    """
    share = np.bincount(piece, graph.area) / max(graph.area.sum(), np.finfo(float).tiny)
    wanted, own = _numbers(share), piece[face]
    seeds = [
        np.unique(face[rows[_spread(points[rows], int(wanted[c]))]])
        for c in np.flatnonzero(wanted > 1)
        if len(rows := np.flatnonzero(own == c))
    ]
    nearest = _nearest_seed(graph, np.concatenate([np.zeros(0, np.int64), *seeds]))
    return by_size(np.where(nearest >= 0, len(share) + nearest, piece), graph.area)


def _numbers(share: Float[Array, " c"]) -> Int[Array, " c"]:
    """The number of patches of each loose piece: PATCHES · share, at least one, MAX_PATCHES in all."""
    room = max(MAX_PATCHES - len(share), 0)
    return 1 + np.floor(np.maximum(share * min(PATCHES, room) - 1, 0)).astype(np.int64)


def _spread(points: Float[Array, "s 3"], count: int) -> Int[Array, " k"]:
    """Farthest points, from the one farthest from their middle."""
    start = np.linalg.norm(points - points.mean(0), axis=1).argmax()

    def distance_to(index):
        return np.linalg.norm(points - points[index], axis=1)

    return farthest_first(distance_to, min(count, len(points)), start=start)


def _nearest_seed(graph: FaceGraph, seed: Int[Array, " k"]) -> Int[Array, " m"]:
    """Index of the seed with the shortest path to each face; −1 without a path."""
    m = len(graph.area)
    if not len(seed):
        return np.full(m, -1)
    i, j = graph.pairs.T
    step = np.linalg.norm(graph.centres[i] - graph.centres[j], axis=1)
    bend = 1 - np.exp(-((graph.concavity / SHARP_ANGLE) ** 2))
    length = step + np.where(graph.concavity > 0, CONCAVE_LENGTH, CONVEX_LENGTH) * bend + 1e-9
    links = sparse.csr_matrix((np.r_[length, length], (np.r_[i, j], np.r_[j, i])), shape=(m, m))
    _, _, source = dijkstra(links, indices=seed, min_only=True, return_predecessors=True)
    index = np.full(m + 1, -1)
    index[seed] = np.arange(len(seed))
    return index[np.where(source >= 0, source, m)]
