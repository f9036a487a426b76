"""`Surface`: a welded triangle surface with one vertex per position, its edges and its components."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from jaxtyping import Float, Int
from scipy import sparse
from scipy.sparse.csgraph import connected_components

Array = np.ndarray


@dataclass(frozen=True, eq=False)
class Surface:
    """A triangle surface without repeated positions.

    `of_vertex` maps every vertex of the shape to its surface vertex. A field on the surface is transferred
    to the shape by `field[surface.of_vertex]`.
    """

    vertices: Float[Array, "s 3"]
    faces: Int[Array, "f 3"]
    of_vertex: Int[Array, " n"]

    @cached_property
    def edges(self) -> Int[Array, "e 2"]:
        """Every edge once, lower index first."""
        pairs = np.sort(self.faces[:, [0, 1, 1, 2, 2, 0]].reshape(-1, 2), axis=1).astype(np.int64)
        keys = np.unique(pairs[:, 0] * len(self.vertices) + pairs[:, 1])
        return np.stack([keys // len(self.vertices), keys % len(self.vertices)], axis=1).astype(np.int32)

    @cached_property
    def adjacency(self) -> sparse.csr_matrix:
        """Symmetric graph of the edges, weighted by their length."""
        i, j = self.edges.T
        length = np.linalg.norm(self.vertices[i] - self.vertices[j], axis=1)
        s = len(self.vertices)
        return sparse.csr_matrix((np.r_[length, length], (np.r_[i, j], np.r_[j, i])), shape=(s, s))

    @cached_property
    def component(self) -> Int[Array, " s"]:
        """The connected component of each surface vertex, largest component first."""
        s = len(self.vertices)
        i, j = self.edges.T
        graph = sparse.csr_matrix((np.ones(len(i), np.int8), (i, j)), shape=(s, s))
        _, label = connected_components(graph, directed=False)
        order = np.argsort(-np.bincount(label), kind="stable")
        rank = np.empty_like(order)
        rank[order] = np.arange(len(order))
        return rank[label].astype(np.int32)

    @property
    def component_count(self) -> int:
        return int(self.component.max()) + 1 if len(self.component) else 0

    @cached_property
    def is_closed(self) -> bool:
        """Whether the surface has no boundary: every edge is used equally often in both directions.

        This is the condition for the signed tetrahedra over its faces to sum to an enclosed volume. Boxes
        that share an edge count as closed.
        """
        ends = self.faces[:, [0, 1, 1, 2, 2, 0]].reshape(-1, 2).astype(np.int64)
        low, high = ends.min(axis=1), ends.max(axis=1)
        _, edge = np.unique(low * len(self.vertices) + high, return_inverse=True)
        balance = np.bincount(edge, weights=np.where(ends[:, 0] == low, 1.0, -1.0))
        return bool(len(balance) and (balance == 0).all())


def weld(vertices: Float[Array, "n 3"], faces: Int[Array, "m 3"], group: Int[Array, " n"]) -> Surface:
    """Merges vertices of one group at exactly the same position and drops faces that collapse.

    Groups keep touching parts separate: two boxes that share a corner stay two components.
    """
    first, inverse = _same_rows(np.column_stack([vertices + 0.0, group]))  # + 0.0 makes −0 equal 0
    welded = inverse[faces]
    a, b, c = welded.T
    proper = (a != b) & (b != c) & (c != a)
    return Surface(vertices[first], welded[proper], inverse)


def used_vertices(faces: Int[Array, "m 3"], count: int) -> Int[Array, " u"]:
    """Indices of those of `count` vertices that a face uses, in order."""
    used = np.zeros(count, bool)
    used[faces] = True
    return np.flatnonzero(used)


def _same_rows(rows: Float[Array, "n c"]) -> tuple[Int[Array, " s"], Int[Array, " n"]]:
    """The first of each set of equal rows, and the set of every row.

    Sorting one 64-bit hash per row is ten times faster than sorting rows. On a hash collision, which the
    last line detects, the rows themselves are sorted.
    """
    bits = np.ascontiguousarray(rows, dtype=np.float64).view(np.uint64)
    code = np.zeros(len(rows), np.uint64)
    for column in bits.T:
        code = (code ^ column) * np.uint64(0x9E3779B97F4A7C15)
        code ^= code >> np.uint64(29)
    _, first, inverse = np.unique(code, return_index=True, return_inverse=True)
    if not (bits[first[inverse]] == bits).all():
        _, first, inverse = np.unique(bits, axis=0, return_index=True, return_inverse=True)
    return first, inverse.ravel().astype(np.int32)
