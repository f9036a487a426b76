"""Blue-noise samples of a surface, and nearest samples by distance along the surface."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float, Int
from scipy import sparse
from scipy.sparse.csgraph import dijkstra
from scipy.spatial import KDTree

from neurok.errors import InputError
from neurok.shapes.shape import Shape
from neurok.shapes.surface import Surface

Array = np.ndarray
OVERSAMPLING = 4  # random points per even sample, before thinning


@dataclass(frozen=True, eq=False)
class Samples:
    """Points on the faces of a shape in barycentric coordinates, so that they follow its motion."""

    face: Int[Array, " s"]
    weights: Float[Array, "s 3"]

    def positions(
        self, shape: Shape, vertices: Float[Array, "*batch n 3"] | None = None
    ) -> Float[Array, "*batch s 3"]:
        """Σ_k w_k x_k over the corners of each sample's face, at rest or for moved vertices."""
        vertices = shape.vertices if vertices is None else vertices
        corners = vertices[..., shape.faces[self.face], :]
        return np.einsum("...ski,sk->...si", corners, self.weights)

    def matrix(self, shape: Shape) -> sparse.csr_matrix:
        """The same as a matrix that maps vertices to samples."""
        rows = np.repeat(np.arange(len(self.face)), 3)
        entries = (self.weights.ravel(), (rows, shape.faces[self.face].ravel()))
        return sparse.csr_matrix(entries, shape=(len(self.face), len(shape.vertices)))


def sample_surface(shape: Shape, count: int, seed: int = 0, even: bool = True) -> Samples:
    """`count` points on the surface, uniform by area; `even` also keeps them apart (blue noise).

    Even samples are obtained by sample elimination: OVERSAMPLING · count random points are drawn, and one of
    each closest pair is removed repeatedly until `count` are left.
    """
    rng = np.random.default_rng(seed)
    corners = shape.vertices[shape.faces]
    area = np.linalg.norm(np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]), axis=1)
    if not np.isfinite(area).all():
        raise InputError(shape.name, "has vertices that are not finite", "Repair the mesh")
    if not area.sum() > 0:
        raise InputError(
            shape.name, "has no surface area to sample", "Give a mesh whose triangles have an area"
        )
    drawn = OVERSAMPLING * count if even else count
    # Systematic sampling along the cumulative area: every face gets its share to within one sample.
    position = (np.arange(drawn) + rng.random(drawn)) / drawn * area.sum()
    face = np.minimum(np.searchsorted(np.cumsum(area), position, side="right"), len(area) - 1)
    root, v = np.sqrt(rng.random(drawn)), rng.random(drawn)
    weights = np.stack([1 - root, root * (1 - v), root * v], axis=1)
    if even:
        points = np.einsum("ski,sk->si", corners[face], weights)
        keep = _thin(points, count)
        face, weights = face[keep], weights[keep]
    return Samples(face.astype(np.int32), weights)


def _thin(points: Float[Array, "s 3"], count: int) -> Int[Array, " count"]:
    """Indices of `count` well separated points."""
    kept = np.arange(len(points))
    while len(kept) > count:
        distance, nearest = KDTree(points[kept]).query(points[kept], k=2)
        distance, nearest = distance[:, 1], np.asarray(nearest)[:, 1]
        # A point is removed if it is closer to its neighbour than the neighbour is to its own; ties by index.
        mutual = nearest[nearest] == np.arange(len(kept))
        goes = np.flatnonzero(mutual & (np.arange(len(kept)) > nearest))
        if not len(goes):  # only coincident points are left
            goes = np.arange(len(kept))
        goes = goes[np.argsort(distance[goes], kind="stable")][: len(kept) - count]
        kept = np.delete(kept, goes)
    return kept


def nearest_along_surface(
    surface: Surface, points: Float[Array, "s 3"], face_vertices: Int[Array, "s 3"], k: int
) -> tuple[Int[Array, "v k"], Float[Array, "v k"]]:
    """The `k` nearest points along the surface of every surface vertex, and their distances.

    The distance is the shortest path over edges, from the corners of a point's face (`face_vertices`). If
    fewer than `k` points lie on a vertex's component, the nearest in space fill the row at infinite distance.
    """
    n, s = len(surface.vertices), len(points)
    k = min(k, s)
    step = np.linalg.norm(surface.vertices[face_vertices] - points[:, None], axis=-1)
    link = sparse.csr_matrix(
        (step.ravel() + 1e-300, (np.repeat(np.arange(s), 3), face_vertices.ravel())), shape=(s, n)
    )
    graph = sparse.bmat([[surface.adjacency, None], [link, sparse.csr_matrix((s, s))]], format="csr")
    space, order = KDTree(points).query(surface.vertices, k=k)
    space, order = space.reshape(n, k), order.reshape(n, k)
    index, best = np.full((n, k), -1), np.full((n, k), np.inf)
    reach = 4.0 * float(np.median(space[:, -1])) + float(step.max(initial=0.0))
    chunk = max(1, int(2e7 // (n + s)))
    for start in range(0, s, chunk):
        source = np.arange(start, min(start + chunk, s))
        distance = dijkstra(graph, indices=n + source, limit=reach)[:, :n].T
        both = np.concatenate([best, distance], axis=1)
        names = np.concatenate([index, np.broadcast_to(source, distance.shape)], axis=1)
        pick = np.argsort(both, axis=1, kind="stable")[:, :k]
        best, index = np.take_along_axis(both, pick, 1), np.take_along_axis(names, pick, 1)
    index = np.where(np.isfinite(best), index, -1)
    return _fill(index, order), best


def _fill(index: Int[Array, "v k"], order: Int[Array, "v k"]) -> Int[Array, "v k"]:
    """Fills missing neighbours along the surface with the nearest points in space."""
    for row in np.flatnonzero((index < 0).any(axis=1)):
        have = index[row][index[row] >= 0]
        spare = order[row][~np.isin(order[row], have)]
        index[row, len(have) :] = spare[: index.shape[1] - len(have)]
    return index.astype(np.int32)
