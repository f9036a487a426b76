"""Connects separate clusters of cells, so that an object of many loose pieces deforms as one body."""

from __future__ import annotations

import numpy as np
from jaxtyping import Float, Int
from scipy import ndimage, sparse
from scipy.sparse.csgraph import connected_components, minimum_spanning_tree

Array = np.ndarray


def link_clusters(cells: Int[Array, "c 3"], size: Float[Array, "3"]) -> tuple[Int[Array, "e 3"], int]:
    """The cells followed by new ones that join all clusters into one, and the number of new cells.

    A cluster is connected through faces of cells, because cells that share only an edge or a corner act as a
    hinge. Clusters are joined along the minimum spanning tree of the gaps between them. Each gap is filled
    wherever it is within one cell of its narrowest width, so that a leg is joined over its whole end.
    """
    label, count = _clusters(cells)
    if count == 1:
        return cells, 0
    gaps = _gaps(cells, label, size)
    tree = _shortest_tree(gaps, count, slack=float(size.min()))
    paths = [_path(cells[a], cells[b]) for a, b in tree]
    grown = np.concatenate([cells, *paths])
    _, first = np.unique(grown, axis=0, return_index=True)
    new = np.sort(first[first >= len(cells)])
    return np.concatenate([cells, grown[new]]), len(new)


def _clusters(cells: Int[Array, "c 3"]) -> tuple[Int[Array, " c"], int]:
    """The face-connected cluster of each cell, and the number of clusters."""
    solid = np.zeros(cells.max(0) + 1, bool)
    solid[tuple(cells.T)] = True
    grid = np.empty(solid.shape, np.int32)
    count = ndimage.label(solid, output=grid)
    return grid[tuple(cells.T)] - 1, int(count)  # type: ignore[arg-type]


def _gaps(cells: Array, label: Array, size: Array) -> tuple[Array, Array, Array]:
    """Pairs of cells across the border between two clusters' Voronoi regions, their distances and labels.

    The regions come from an exact distance transform. The shortest gaps between clusters cross borders
    between neighbouring regions.
    """
    low = cells.min(0)
    empty = np.ones(np.ptp(cells, axis=0) + 1, bool)
    index = np.full(empty.shape, -1, np.int64)
    empty[tuple((cells - low).T)] = False
    index[tuple((cells - low).T)] = np.arange(len(cells))
    nearest = np.empty((3, *empty.shape), np.int32)
    ndimage.distance_transform_edt(empty, size, return_distances=False, return_indices=True, indices=nearest)
    owner = index[tuple(nearest)]
    pairs = []
    for axis in range(3):
        a = np.moveaxis(owner, axis, 0)[:-1].ravel()
        b = np.moveaxis(owner, axis, 0)[1:].ravel()
        crossing = label[a] != label[b]
        pairs.append(np.stack([a[crossing], b[crossing]], axis=1))
    pair = np.unique(np.sort(np.concatenate(pairs), axis=1), axis=0)
    distance = np.linalg.norm((cells[pair[:, 0]] - cells[pair[:, 1]]) * size, axis=1)
    return pair, distance, label[pair]


def _shortest_tree(gaps: tuple[Array, Array, Array], count: int, slack: float) -> Int[Array, "g 2"]:
    """The pairs of cells to join: for each edge of the minimum spanning tree, all nearly shortest gaps."""
    pair, distance, label = gaps
    low, high = label.min(1), label.max(1)
    key = low.astype(np.int64) * count + high
    edges, inverse = np.unique(key, return_inverse=True)
    narrowest = np.full(len(edges), np.inf)
    np.minimum.at(narrowest, inverse, distance)
    graph = sparse.csr_matrix((narrowest, (edges // count, edges % count)), shape=(count, count))
    tree = minimum_spanning_tree(graph).tocoo()
    assert connected_components(graph, directed=False)[0] == 1, "regions of a box always touch"
    chosen = np.isin(edges, tree.row.astype(np.int64) * count + tree.col)
    return pair[chosen[inverse] & (distance <= narrowest[inverse] + slack)]


def _path(start: Int[Array, "3"], end: Int[Array, "3"]) -> Int[Array, "s 3"]:
    """Face-connected cells along the straight line between two cells.

    Each step advances the axis whose next cell border the line crosses first (Amanatides and Woo 1987).
    """
    span = np.abs(end - start)
    border = [(k + 0.5) / n for n in span for k in range(n)]
    axis = np.repeat(np.arange(3), span)[np.argsort(border, kind="stable")]
    steps = np.zeros((len(axis), 3), np.int64)
    steps[np.arange(len(axis)), axis] = np.sign(end - start)[axis]
    return start + np.cumsum(steps, axis=0)
