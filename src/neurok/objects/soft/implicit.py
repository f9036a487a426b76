"""Surfaces of implicit functions, with even triangles."""

from __future__ import annotations

from collections.abc import Callable

import igl
import numpy as np
from jaxtyping import Float, Int
from scipy import sparse
from scipy.sparse.csgraph import connected_components

from neurok.errors import Rejected

Array = np.ndarray


def implicit_surface(
    distance: Callable[[Array], Array], low: Float[Array, "3"], high: Float[Array, "3"], points: int
) -> tuple[Float[Array, "n 3"], Int[Array, "m 3"]]:
    """The connected surface distance = 0 in a box, with `points` grid points along its longest side."""
    step = (high - low).max() / points
    counts = np.ceil((high - low) / step).astype(int) + 1
    axes = [low[k] + step * np.arange(counts[k]) for k in range(3)]
    grid = np.stack(np.meshgrid(*axes[::-1], indexing="ij"), -1).reshape(-1, 3)[:, ::-1]  # x runs fastest
    found = igl.marching_cubes(distance(grid), np.ascontiguousarray(grid), *map(int, counts))
    vertices, faces = np.asarray(found[0]), np.asarray(found[1]).astype(np.int64)
    vertices = _relaxed(vertices, faces, distance, step)
    if connected_components(_adjacency(faces, len(vertices)))[0] > 1:
        raise Rejected("a limb came off")
    area = np.cross(vertices[faces[:, 1]], vertices[faces[:, 2]])
    outward = np.einsum("ni,ni->", vertices[faces[:, 0]], area) > 0
    return vertices, faces if outward else faces[:, ::-1]


def _adjacency(faces: Int[Array, "m 3"], count: int) -> sparse.csr_matrix:
    """Adjacency matrix of the vertices."""
    pairs = np.concatenate([faces[:, [0, 1]], faces[:, [1, 2]], faces[:, [2, 0]]])
    pairs = np.unique(np.concatenate([pairs, pairs[:, ::-1]]), axis=0)
    return sparse.csr_matrix((np.ones(len(pairs)), pairs.T), shape=(count, count))


def _relaxed(
    vertices: Float[Array, "n 3"], faces: Int[Array, "m 3"], distance: Callable[[Array], Array], step: float
) -> Float[Array, "n 3"]:
    """Removes slivers of marching cubes: moves vertices to their neighbours' mean, then to the surface."""
    neighbours = _adjacency(faces, len(vertices))
    count = np.asarray(neighbours.sum(1))
    for _ in range(4):
        vertices = (vertices + neighbours @ vertices / count) / 2
        for _ in range(2):
            here, shifts = distance(vertices), 0.01 * step * np.eye(3)
            slope = np.stack([(distance(vertices + s) - here) / (0.01 * step) for s in shifts], axis=1)
            vertices = vertices - here[:, None] * slope / (slope**2).sum(1, keepdims=True).clip(0.05)
    return vertices
