"""Connected components of the faces of a surface, and their sizes."""

from __future__ import annotations

import numpy as np
from jaxtyping import Bool, Float, Int
from scipy import sparse
from scipy.sparse.csgraph import connected_components

from neurok.shapes.shape import Shape
from neurok.shapes.surface import weld

Array = np.ndarray


def face_areas(shape: Shape) -> Float[Array, " m"]:
    """Area of every face in square units."""
    a, b, c = (shape.vertices[shape.faces[:, k]] for k in range(3))
    return np.linalg.norm(np.cross(b - a, c - a), axis=1) / 2


def face_components(shape: Shape, within: Int[Array, " m"] | None = None) -> Int[Array, " m"]:
    """Loose piece of each face, largest area first.

    Pieces do not cross the groups of `within`, if given. Part labels are ignored. Faces are connected where
    exactly two of them share an edge, whose ends are compared by position. Texture seams do not split a
    piece, and boxes that share a corner, or an edge with four faces, stay separate.
    """
    pairs, _ = face_neighbours(shape, within)
    m = len(shape.faces)
    graph = sparse.csr_matrix((np.ones(len(pairs), np.int8), (pairs[:, 0], pairs[:, 1])), shape=(m, m))
    _, label = connected_components(graph, directed=False)
    return by_size(label, face_areas(shape))


def face_neighbours(
    shape: Shape, within: Int[Array, " m"] | None = None
) -> tuple[Int[Array, "p 2"], Int[Array, "p 2"]]:
    """Pairs of faces that alone share an edge, and the ends of that edge as vertices of the shape.

    If groups are given, edges are shared within a group.
    """
    corner = weld(shape.vertices, shape.faces, np.zeros(len(shape.vertices), np.int32)).of_vertex[shape.faces]
    ends = corner[:, [0, 1, 1, 2, 2, 0]].reshape(-1, 2).astype(np.int64)
    low, high = ends.min(axis=1), ends.max(axis=1)
    face = np.repeat(np.arange(len(corner)), 3)
    key = np.where(low == high, -1, low * (int(corner.max(initial=0)) + 1) + high)  # −1: no length, no edge
    if within is not None:
        key = np.where(key < 0, -1, key * (int(within.max(initial=0)) + 1) + within[face])
    order = np.argsort(key, kind="stable")
    key, face = key[order], face[order]
    is_first = np.r_[True, key[1:] != key[:-1]][: len(key)]
    start = np.flatnonzero(is_first)
    count = np.diff(np.r_[start, len(key)])
    two = start[(count == 2) & (key[start] >= 0)]
    drawn = shape.faces[:, [0, 1, 1, 2, 2, 0]].reshape(-1, 2)[order]
    return np.stack([face[two], face[two + 1]], axis=1), drawn[two]


def by_size(label: Int[Array, " m"], area: Float[Array, " m"]) -> Int[Array, " m"]:
    """The same labels renumbered from 0, largest area first."""
    _, label = np.unique(label, return_inverse=True)
    order = np.argsort(-np.bincount(label, area), kind="stable") if len(label) else np.zeros(0, np.int64)
    rank = np.empty_like(order)
    rank[order] = np.arange(len(order))
    return rank[label].astype(np.int32)


def boxes(
    shape: Shape, label: Int[Array, " m"], count: int
) -> tuple[Float[Array, "c 3"], Float[Array, "c 3"]]:
    """Lowest and highest corner of each piece."""
    low, high = np.full((count, 3), np.inf), np.full((count, 3), -np.inf)
    corners = shape.vertices[shape.faces]
    np.minimum.at(low, label, corners.min(axis=1))
    np.maximum.at(high, label, corners.max(axis=1))
    return low, high


def merged(count: int, pairs: Int[Array, "p 2"] | Bool[Array, "c c"]) -> Int[Array, " c"]:
    """Group of each of `count` items, if the items of each pair belong together."""
    if pairs.dtype == bool:
        pairs = np.argwhere(pairs)
    graph = sparse.csr_matrix((np.ones(len(pairs), np.int8), tuple(pairs.T)), shape=(count, count))
    return connected_components(graph, directed=False)[1]
