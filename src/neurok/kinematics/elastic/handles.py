"""Handles spread through a body, and their weights at every point of it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from jaxtyping import Bool, Float, Int
from scipy import sparse
from scipy.sparse.csgraph import dijkstra

from neurok.geometry.farthest_points import farthest_first
from neurok.shapes.voxels import Voxels, trilinear

Array = np.ndarray
INFLUENCES = 4  # handles per point, as in a glTF skin
RELAXATIONS = 3  # rounds that move each handle to the middle of its region
CHUNK = 200_000  # points at a time, to bound memory


@dataclass(frozen=True, eq=False)
class Handles:
    """Handles at nodes of the grid, and their distances through the body.

    Paths stay inside the body, so a leg is far from the belly beside it. With `anchored`, handle 0 is the set
    of fixed nodes.
    """

    voxels: Voxels
    node: Int[Array, " h"]
    distance: Float[Array, "k h"]  # from every node, in grid units
    anchored: bool

    @property
    def centres(self) -> Float[Array, "h 3"]:
        """Positions of the handles in grid units."""
        return self.voxels.nodes[self.node]

    def weights(
        self, points: Float[Array, "p 3"], held: Bool[Array, " p"] | None = None
    ) -> tuple[Int[Array, "p 4"], Float[Array, "p 4"]]:
        """Handles and weights at points in grid units.

        They depend on the position alone, so seams stay closed. `held` points follow the anchor alone.
        """
        parts = [self._weights(points[i : i + CHUNK]) for i in range(0, max(len(points), 1), CHUNK)]
        handles, weights = (np.concatenate(column) for column in zip(*parts, strict=True))
        if held is not None and held.any():
            handles[held], weights[held] = np.arange(INFLUENCES), np.eye(INFLUENCES)[0]
        return handles, weights

    def _weights(self, points: Array) -> tuple[Array, Array]:
        return blend(interpolation(self.voxels, points) @ self.distance, self.anchored)


def blend(distance: Float[Array, "p h"], anchored: bool) -> tuple[Int[Array, "p 4"], Float[Array, "p 4"]]:
    """w_j ∝ (1 − d_j / d_5)² for the four nearest handles, which is zero where the set of four changes.

    An anchor must hold the points that it touches. Its weight is therefore Shepard's (d_5 / d_0 − 1)², which
    is infinite at the distance d_0 = 0. All weights are multiplied by (d_0 / d_5)² to keep them finite.
    """
    near = np.argpartition(distance, INFLUENCES, axis=1)[:, : INFLUENCES + 1]
    order = np.argsort(np.take_along_axis(distance, near, axis=1), axis=1, kind="stable")
    near = np.take_along_axis(near, order, axis=1)
    ratio = np.take_along_axis(distance, near, axis=1)
    ratio = ratio[:, :INFLUENCES] / ratio[:, INFLUENCES:]
    handles = near[:, :INFLUENCES]
    weights = (1 - ratio) ** 2
    if anchored:
        anchor = handles == 0
        share = np.where(anchor.any(1), np.where(anchor, ratio, 0.0).sum(1), 1.0)
        weights *= np.where(anchor, 1.0, share[:, None] ** 2)
    total = weights.sum(1, keepdims=True)
    even = np.full_like(weights, 1 / INFLUENCES)  # the five nearest handles are equally far
    return handles, np.where(total > 0, weights / np.where(total > 0, total, 1.0), even)


def interpolation(voxels: Voxels, points: Float[Array, "p 3"]) -> sparse.csr_matrix:
    """Rows of trilinear weights: values at nodes to values at points."""
    cell, place = voxels.locate(points)
    rows = np.repeat(np.arange(len(points)), 8)
    entries = (trilinear(place).ravel(), (rows, voxels.corner[cell].ravel()))
    return sparse.csr_matrix(entries, shape=(len(points), len(voxels.nodes)))


def place_handles(voxels: Voxels, count: int, fixed: Bool[Array, " k"], seed: int) -> Handles:
    """Farthest-point samples of the body, moved to the middle of their regions."""
    graph = _node_graph(voxels)
    anchor = np.flatnonzero(fixed)
    count = min(count, len(voxels.nodes) - len(anchor))
    held = (
        dijkstra(graph, indices=anchor, min_only=True)[:, None] if len(anchor) else np.empty((len(fixed), 0))
    )
    chosen = _farthest_nodes(graph, count, held, seed)
    for _ in range(RELAXATIONS):
        distance = np.c_[held, dijkstra(graph, indices=chosen).T]
        chosen = _middles(voxels.nodes, distance.argmin(1) - held.shape[1], chosen)
    distance = np.c_[held, dijkstra(graph, indices=chosen).T]
    nodes = np.r_[anchor[:1], chosen]
    return Handles(voxels, nodes, distance, bool(len(anchor)))


def _node_graph(voxels: Voxels) -> sparse.csr_matrix:
    """The graph that joins all nodes of a cell, weighted by their distance."""
    a, b = np.triu_indices(8, 1)
    pair = np.stack([voxels.corner[:, a].ravel(), voxels.corner[:, b].ravel()], axis=1)
    pair = np.unique(np.sort(pair, axis=1), axis=0)
    length = np.linalg.norm(voxels.nodes[pair[:, 0]] - voxels.nodes[pair[:, 1]], axis=1)
    count = len(voxels.nodes)
    graph = sparse.csr_matrix((length, tuple(pair.T)), shape=(count, count))
    return graph + graph.T


def _farthest_nodes(
    graph: sparse.csr_matrix, count: int, held: Float[Array, "k a"], seed: int
) -> Int[Array, " h"]:
    """Farthest-point sampling of the nodes, from the anchor or from a random node."""

    def distance_to(node: np.integer) -> Float[Array, " k"]:
        return dijkstra(graph, indices=int(node))

    if held.size:
        return farthest_first(distance_to, count, nearest=held[:, 0])
    start = distance_to(np.random.default_rng(seed).integers(len(held))).argmax()
    return farthest_first(distance_to, count, start=start)


def _middles(
    nodes: Float[Array, "k 3"], owner: Int[Array, " k"], chosen: Int[Array, " h"]
) -> Int[Array, " h"]:
    """The node nearest to the centroid of each handle's region."""
    moved = chosen.copy()
    for j in range(len(chosen)):
        region = np.flatnonzero(owner == j)
        if len(region):
            offset = nodes[region] - nodes[region].mean(0)
            moved[j] = region[np.einsum("ij,ij->i", offset, offset).argmin()]
    return moved
