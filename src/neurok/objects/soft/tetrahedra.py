"""Tetrahedral solids that fill a surface, and the embedding of the surface in them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float, Int
from scipy.spatial import KDTree

from neurok.errors import Rejected
from neurok.objects.soft.checks import tetrahedron_volumes
from neurok.shapes import Shape
from neurok.shapes.normals import vertex_normals
from neurok.shapes.voxels import voxelise

Array = np.ndarray

# Six tetrahedra around the diagonal of a cell whose corners are (0,0,0), (0,0,1), (0,1,0) …: the same cut in
# every cell, so that neighbours share faces.
CELL_TETRAHEDRA = np.array(
    [[0, 4, 6, 7], [0, 6, 2, 7], [0, 2, 3, 7], [0, 3, 1, 7], [0, 1, 5, 7], [0, 5, 4, 7]]
)
SNAP_DISTANCE = 0.6  # cells: largest move of an outer node to the surface
MIN_CELL_VOLUME = 0.15  # least volume of a tetrahedron after snapping, in sixths of a cell


@dataclass(frozen=True, eq=False)
class Solid:
    """A tetrahedral mesh with positive volumes."""

    nodes: Float[Array, "k 3"]
    tetrahedra: Int[Array, "t 4"]

    def mass(self, density: float) -> Float[Array, " k"]:
        """A quarter of each tetrahedron's mass on each of its corners."""
        share = density * tetrahedron_volumes(self.nodes, self.tetrahedra) / 4
        return np.bincount(self.tetrahedra.ravel(), np.repeat(share, 4), len(self.nodes))


@dataclass(frozen=True, eq=False)
class Embedding:
    """Vertices as weighted means of nodes: x = Σ_c weight_c · node_c."""

    corners: Int[Array, "n 4"]
    weights: Float[Array, "n 4"]

    def carry(self, nodes: Float[Array, "frames k 3"]) -> Float[Array, "frames n 3"]:
        return np.einsum("nc,fnci->fni", self.weights, nodes[:, self.corners])


def from_cells(nodes: Float[Array, "k 3"], cells: Int[Array, "c 8"]) -> Solid:
    """Hexahedral cells cut into tetrahedra of positive volume."""
    tetrahedra = cells[:, CELL_TETRAHEDRA].reshape(-1, 4)
    inverted = tetrahedron_volumes(nodes, tetrahedra) < 0
    tetrahedra[inverted] = tetrahedra[inverted][:, [1, 0, 2, 3]]
    if not tetrahedron_volumes(nodes, tetrahedra).min() > 0:
        raise Rejected("a tetrahedron without volume")
    return Solid(nodes, tetrahedra)


def fill(shape: Shape, resolution: int, most_cells: int = 220) -> Solid:
    """Cells inside and on a closed surface; nodes outside snap to the surface.

    Without snapping, a body would rest on the corners of cells that it does not fill. A move is halved if it
    would flatten a tetrahedron.
    """
    voxels = voxelise(shape, resolution=resolution, most_cells=most_cells)
    nodes = voxels.from_grid(voxels.nodes)
    solid = from_cells(nodes, voxels.corner)
    nearest = KDTree(shape.vertices).query(nodes)[1]
    normals = vertex_normals(shape.vertices, shape.faces)[nearest].astype(float)
    height = np.einsum("ni,ni->n", nodes - shape.vertices[nearest], normals)  # above the tangent plane
    size = float(voxels.size.min()) * voxels.length
    move = -np.clip(height, 0, SNAP_DISTANCE * size)[:, None] * normals
    least = MIN_CELL_VOLUME * tetrahedron_volumes(nodes, solid.tetrahedra)
    for _ in range(12):
        flat = tetrahedron_volumes(nodes + move, solid.tetrahedra) < least
        if not flat.any():
            break
        move[np.unique(solid.tetrahedra[flat])] /= 2
    else:
        move[:] = 0
    return Solid(nodes + move, solid.tetrahedra)


def embed(points: Float[Array, "n 3"], solid: Solid) -> Embedding:
    """Barycentric coordinates of each point in the tetrahedron that contains it or is nearest."""
    corners = solid.nodes[solid.tetrahedra]
    inverse = np.linalg.inv((corners[:, 1:] - corners[:, :1]).transpose(0, 2, 1))
    best = np.empty(len(points), int)
    for start in range(0, len(points), 512):  # in chunks, to bound the table of all pairs
        chunk = points[start : start + 512]
        last = np.einsum("tij,ntj->nti", inverse, chunk[:, None] - corners[:, 0])
        best[start : start + 512] = np.minimum(last.min(2), 1 - last.sum(2)).argmax(1)
    last = np.einsum("nij,nj->ni", inverse[best], points - corners[best, 0])
    return Embedding(solid.tetrahedra[best], np.column_stack([1 - last.sum(1), last]))


def surface_faces(solid: Solid) -> Int[Array, "m 3"]:
    """Outward faces of the boundary, which belong to a single tetrahedron."""
    sides = solid.tetrahedra[:, [[1, 2, 3], [0, 3, 2], [0, 1, 3], [0, 2, 1]]].reshape(-1, 3)
    _, first, count = np.unique(np.sort(sides, axis=1), axis=0, return_index=True, return_counts=True)
    return sides[first[count == 1]]
