"""`Voxels`: the grid cells that an object fills, with fill and relative stiffness of each cell."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from jaxtyping import Bool, Float, Int
from scipy.spatial import KDTree

from neurok.errors import InputError
from neurok.shapes.scatter import Scatter, scatter
from neurok.shapes.shape import Shape
from neurok.shapes.surface import used_vertices
from neurok.shapes.tight_frame import tight_axes
from neurok.shapes.voxel_fill import MIN_FILL, fill_to_fit, solid_faces
from neurok.shapes.voxel_links import link_clusters

Array = np.ndarray
CORNERS = np.stack(np.meshgrid([0, 1], [0, 1], [0, 1], indexing="ij"), -1).reshape(8, 3)
MIN_EXTENT = 1e-3  # least thickness of a solid, in units of its longest side
MIN_AREA = 1e-14  # twice the area of a face up to which it is ignored, in units of the longest side squared


@dataclass(frozen=True, eq=False)
class Voxels:
    """Cells of a regular grid. Lengths are in units of the object's longest side ("grid units").

    A point X of the shape has grid coordinates (axes · (X − centre)) / length; cell (i, j, k) spans
    origin + (i, j, k) · size to origin + (i + 1, j + 1, k + 1) · size. `fill` is the filled share of a
    cell's volume. `stiffness` is the cell's stiffness relative to a full cell: fill, and less for a sheet
    thinner than the cell, whose bending stiffness it would overstate. Cells of `is_link` connect loose
    pieces: they are stiff and nearly massless.
    """

    cells: Int[Array, "c 3"]
    fill: Float[Array, " c"]
    stiffness: Float[Array, " c"]
    is_link: Bool[Array, " c"]
    size: Float[Array, "3"]
    origin: Float[Array, "3"]
    axes: Float[Array, "3 3"]
    centre: Float[Array, "3"]
    length: float  # shape units per grid unit

    @cached_property
    def _corners(self) -> tuple[Int[Array, "k 3"], Int[Array, "c 8"]]:
        lattice = (self.cells[:, None] + CORNERS).reshape(-1, 3)
        nodes, inverse = np.unique(lattice, axis=0, return_inverse=True)
        return nodes, inverse.reshape(-1, 8)

    @property
    def corner(self) -> Int[Array, "c 8"]:
        """The node at each corner of each cell; corners in the order (0,0,0), (0,0,1), (0,1,0), …"""
        return self._corners[1]

    @cached_property
    def nodes(self) -> Float[Array, "k 3"]:
        """Positions of the nodes, in grid units."""
        return self.origin + self._corners[0] * self.size

    def to_grid(self, points: Float[Array, "p 3"]) -> Float[Array, "p 3"]:
        """Grid coordinates of points of the shape."""
        return (points - self.centre) @ self.axes.T / self.length

    def from_grid(self, points: Float[Array, "p 3"]) -> Float[Array, "p 3"]:
        """Points of the shape at grid coordinates."""
        return points * self.length @ self.axes + self.centre

    def locate(self, points: Float[Array, "p 3"]) -> tuple[Int[Array, " p"], Float[Array, "p 3"]]:
        """The cell that contains each point (in grid units), and the point's position in it, 0…1 per axis.

        A point outside every cell is assigned to the nearest cell.
        """
        lattice = np.floor((points - self.origin) / self.size).astype(np.int64)
        lattice = np.clip(lattice, 0, self.cells.max(0))
        cell = self._cell_at(lattice)
        lost = np.flatnonzero(cell < 0)
        if len(lost):
            centres = self.origin + (self.cells + 0.5) * self.size
            cell[lost] = KDTree(centres).query(points[lost])[1]
        place = (points - self.origin) / self.size - self.cells[cell]
        return cell, np.clip(place, 0.0, 1.0)

    def _cell_at(self, lattice: Int[Array, "p 3"]) -> Int[Array, " p"]:
        """The index of the cell at each lattice position, −1 if there is none."""
        table = np.full(self.cells.max(0) + 1, -1, np.int64)
        table[tuple(self.cells.T)] = np.arange(len(self.cells))
        return table[tuple(lattice.T)]


def trilinear(place: Float[Array, "p 3"]) -> Float[Array, "p 8"]:
    """Trilinear weights of a cell's corners at a position in it: Π_axis (place or 1 − place)."""
    per_axis = np.where(CORNERS, place[:, None, :], 1 - place[:, None, :])
    return per_axis.prod(-1)


def voxelise(shape: Shape, *, resolution: int = 64, most_cells: int = 2000, sheet: float = 0.02) -> Voxels:
    """The cells that the surface touches and those inside it, linked into one piece.

    `resolution` is the number of cells along the longest side, reduced to keep at most `most_cells` cells.
    Open surfaces are sheets of thickness `sheet`, in units of the longest side.
    """
    used = _usable_faces(shape)
    vertices = shape.vertices
    low, high = vertices[used].min((0, 1)), vertices[used].max((0, 1))
    scale = float((high - low).max())
    rough = scatter((vertices - low) / scale, used, spacing=1 / (4 * resolution))
    axes = tight_axes((vertices[used_vertices(used, len(vertices))] - low) / scale, rough.points, rough.area)
    turned = (vertices - low) / scale @ axes.T
    box = np.stack([turned[used].min((0, 1)), turned[used].max((0, 1))])
    side = float(np.ptp(box, axis=0).max())
    length = side * scale
    centre = low + scale * (box.mean(0) @ axes)
    body = Scatter((rough.points @ axes.T - box.mean(0)) / side, rough.area / side**2, rough.face)
    normalised = (turned - box.mean(0)) / side
    solid = solid_faces(shape, used)
    extent = np.maximum(np.ptp(box, axis=0) / side, MIN_EXTENT if solid.all() else sheet)
    cells, fill, stiffness, size = fill_to_fit(
        normalised, used, solid, body, extent, resolution, most_cells, sheet
    )
    cells, links = link_clusters(cells, size)
    pad = np.ones(links)
    return Voxels(
        cells=cells,
        fill=np.r_[fill, MIN_FILL * pad],
        stiffness=np.r_[stiffness, pad],
        is_link=np.r_[np.zeros(len(fill), bool), pad.astype(bool)],
        size=size,
        origin=-extent / 2,
        axes=axes,
        centre=centre,
        length=length,
    )


def _usable_faces(shape: Shape) -> Int[Array, "f 3"]:
    """Faces with an area; an InputError if there are none."""
    if not len(shape.faces):
        raise InputError(shape.name, "the shape has no faces", "Give a mesh, not a point cloud")
    if not np.isfinite(shape.vertices[shape.faces]).all():
        raise InputError(shape.name, "some vertices are NaN or infinite", "Repair the mesh")
    corners = shape.vertices[shape.faces]
    scale = np.ptp(corners.reshape(-1, 3), axis=0).max()
    if not scale > 0:
        raise InputError(shape.name, "all vertices are at one point", "Check the mesh and its scale")
    edge = (corners[:, 1:] - corners[:, :1]) / scale
    area = np.linalg.norm(np.cross(edge[:, 0], edge[:, 1]), axis=1)
    used = shape.faces[area > MIN_AREA]
    if not len(used):
        raise InputError(shape.name, "every face has zero area", "Give a mesh with proper triangles")
    return used.astype(np.int64)
