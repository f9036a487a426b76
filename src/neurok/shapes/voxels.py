"""A solid made of any mesh: the cells of a grid that the object fills, and how full each one is."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import igl
import numpy as np
from jaxtyping import Bool, Float, Int

from neurok.errors import InputError
from neurok.shapes.scatter import Scatter, scatter
from neurok.shapes.shape import Shape
from neurok.shapes.tight_frame import tight_axes
from neurok.shapes.voxel_links import link_clusters

Array = np.ndarray
CORNERS = np.stack(np.meshgrid([0, 1], [0, 1], [0, 1], indexing="ij"), -1).reshape(8, 3)
FAINT = 0.02  # least fill of a cell that the surface touches: a hair still holds together
THINNEST = 1e-3  # longest sides: solids thinner than this count as this thick
SUBCELLS = 3  # per axis, where the fill of a cell at the surface is counted
CLOSED = 0.05  # a component is closed when its area vectors cancel to within this share of its area
INSIDE = 2 / 3  # winding number above which a point is inside: a bowl is not full, a scan's hole no matter


@dataclass(frozen=True, eq=False)
class Voxels:
    """Cells of a regular grid. Lengths are in units of the object's longest side ("grid units").

    A point X of the shape has grid coordinates (axes · (X − centre)) / length; cell (i, j, k) spans
    origin + (i, j, k) · size to origin + (i + 1, j + 1, k + 1) · size. `fill` is the share of a cell's
    volume that is matter; `stiffness` the share of the solid's stiffness that the cell has: fill, and
    less where the matter is a sheet thinner than the cell, whose bending it must not overstate. Cells of
    `is_link` hold loose pieces together: they are stiff and all but weightless.
    """

    cells: Int[Array, "c 3"]
    fill: Float[Array, "c"]
    stiffness: Float[Array, "c"]
    is_link: Bool[Array, "c"]
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
        """Node at each corner of each cell; corners in the order (0,0,0), (0,0,1), (0,1,0), …"""
        return self._corners[1]

    @cached_property
    def nodes(self) -> Float[Array, "k 3"]:
        """Where the nodes are, in grid units."""
        return self.origin + self._corners[0] * self.size

    def to_grid(self, points: Float[Array, "p 3"]) -> Float[Array, "p 3"]:
        """Grid coordinates of points of the shape."""
        return (points - self.centre) @ self.axes.T / self.length

    def from_grid(self, points: Float[Array, "p 3"]) -> Float[Array, "p 3"]:
        """Points of the shape at grid coordinates."""
        return points * self.length @ self.axes + self.centre

    def locate(self, points: Float[Array, "p 3"]) -> tuple[Int[Array, "p"], Float[Array, "p 3"]]:
        """The cell that holds each point (in grid units) and the point's place in it, 0…1 per axis.

        A point outside every cell is moved to the nearest cell, so that nothing is left behind.
        """
        lattice = np.floor((points - self.origin) / self.size).astype(np.int64)
        lattice = np.clip(lattice, 0, self.cells.max(0))
        cell = self._cell_at(lattice)
        lost = np.flatnonzero(cell < 0)
        if len(lost):
            from scipy.spatial import cKDTree

            centres = self.origin + (self.cells + 0.5) * self.size
            cell[lost] = cKDTree(centres).query(points[lost])[1]
        place = (points - self.origin) / self.size - self.cells[cell]
        return cell, np.clip(place, 0.0, 1.0)

    def _cell_at(self, lattice: Int[Array, "p 3"]) -> Int[Array, "p"]:
        """Index of the cell at each lattice position, −1 where there is none."""
        table = np.full(self.cells.max(0) + 1, -1, np.int64)
        table[tuple(self.cells.T)] = np.arange(len(self.cells))
        return table[tuple(lattice.T)]


def trilinear(place: Float[Array, "p 3"]) -> Float[Array, "p 8"]:
    """Weights of a cell's corners at a place in it: Π_axis (place or 1 − place)."""
    per_axis = np.where(CORNERS, place[:, None, :], 1 - place[:, None, :])
    return per_axis.prod(-1)


def voxelise(shape: Shape, *, resolution: int = 64, most_cells: int = 2000, sheet: float = 0.02) -> Voxels:
    """Cells that the surface touches and cells inside it, linked into one piece.

    `resolution` is the number of cells along the longest side, fewer when there would be more than
    `most_cells`. Open surfaces enclose nothing: they are sheets `sheet` longest sides thick.
    """
    used = _usable_faces(shape)
    vertices = shape.vertices
    low, high = vertices[used].min((0, 1)), vertices[used].max((0, 1))
    scale = float((high - low).max())
    rough = scatter((vertices - low) / scale, used, spacing=1 / (4 * resolution))
    axes = tight_axes((vertices[np.unique(used)] - low) / scale, rough.points, rough.area)
    turned = (vertices - low) / scale @ axes.T
    box = np.stack([turned[used].min((0, 1)), turned[used].max((0, 1))])
    side = float(np.ptp(box, axis=0).max())
    length = side * scale
    centre = low + scale * (box.mean(0) @ axes)
    body = Scatter((rough.points @ axes.T - box.mean(0)) / side, rough.area / side**2, rough.face)
    normalised = (turned - box.mean(0)) / side
    solid = _solid_faces(shape, used)
    extent = np.maximum(np.ptp(box, axis=0) / side, THINNEST if solid.all() else sheet)
    cells, fill, stiffness, size = _fill_to_fit(normalised, used, solid, body, extent, resolution, most_cells, sheet)
    cells, links = link_clusters(cells, size)
    pad = np.ones(links)
    return Voxels(
        cells=cells,
        fill=np.r_[fill, FAINT * pad],
        stiffness=np.r_[stiffness, pad],
        is_link=np.r_[np.zeros(len(fill), bool), pad.astype(bool)],
        size=size,
        origin=-extent / 2,
        axes=axes,
        centre=centre,
        length=length,
    )


def _usable_faces(shape: Shape) -> Int[Array, "f 3"]:
    """Faces with an area; the error a user can mend when there are none."""
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
    used = shape.faces[area > 1e-14]
    if not len(used):
        raise InputError(shape.name, "every face has zero area", "Give a mesh with proper triangles")
    return used.astype(np.int64)


def _solid_faces(shape: Shape, used: Int[Array, "f 3"]) -> Bool[Array, "f"]:
    """Which faces bound matter: those of components whose area vectors ½ (b − a) × (c − a) cancel.

    They cancel exactly on a closed surface, and leave the opening's area on an open one. Open pieces
    that close jointly (a box of six loose plates) count as closed too; the winding number then judges.
    """
    from scipy import sparse
    from scipy.sparse.csgraph import connected_components

    welded = shape.surface.of_vertex[used]
    count = int(welded.max()) + 1
    pairs = welded[:, [0, 1, 1, 2]].reshape(-1, 2)
    graph = sparse.csr_matrix((np.ones(len(pairs), np.int8), tuple(pairs.T)), shape=(count, count))
    _, label = connected_components(graph, directed=False)
    component = np.unique(label[welded[:, 0]], return_inverse=True)[1]
    corners = shape.vertices[used]
    scale = np.ptp(corners.reshape(-1, 3), axis=0).max()
    vector = np.cross(corners[:, 1] / scale - corners[:, 0] / scale, corners[:, 2] / scale - corners[:, 0] / scale) / 2
    area = np.linalg.norm(vector, axis=1)
    net = np.stack([np.bincount(component, vector[:, k]) for k in range(3)], axis=1)
    closed = (np.linalg.norm(net, axis=1) < CLOSED * np.bincount(component, area))[component]
    if not closed.all() and np.linalg.norm(vector[~closed].sum(0)) < CLOSED * area[~closed].sum():
        return np.ones(len(used), bool)
    return closed


def _fill_to_fit(vertices, used, solid, body, extent, resolution, most_cells, sheet):
    """Fill a grid whose cells are as small as `most_cells` allows.

    Filling is dear, so the number of cells is foretold: those touched, and the enclosed volume
    V = ⅙ |Σ a · (b × c)| less the half of each touched cell that lies inside.
    """
    a, b, c = (vertices[used[solid][:, k]] for k in range(3))
    volume = abs(float(np.einsum("ij,ij->", a, np.cross(b, c)))) / 6
    goal = 1.0 / resolution
    while True:
        count = np.maximum(np.round(extent / goal), 1).astype(np.int64)
        size = extent / count
        touched = len(np.unique(_cell_of(body.points, extent, count)))
        foretold = touched + max(volume / np.prod(size) - touched / 2, 0.0)
        if foretold <= most_cells or count.max() == 1:
            return *_fill(vertices, used, solid, body, extent, count, size, sheet), size
        goal *= max((foretold / most_cells) ** 0.35, 1.02)


def _cell_of(points: Float[Array, "p 3"], extent: Array, count: Array) -> Int[Array, "p"]:
    """Flat index of the cell that holds each point."""
    position = np.clip(((points / extent + 0.5) * count).astype(np.int64), 0, count - 1)
    return np.ravel_multi_index(tuple(position.T), tuple(count))


def _fill(vertices, used, solid, body, extent, count, size, sheet):
    """Touched and inside cells of one grid: lattice positions, fill and stiffness share."""
    touched, inverse = np.unique(_cell_of(body.points, extent, count), return_inverse=True)
    bounds_solid = np.bincount(inverse, solid[body.face], len(touched)) > 0
    thin, softness = _sheet_share(vertices, used, body, ~solid[body.face], inverse, len(touched), size, sheet)
    thick, inside = _solid_share(vertices, np.ascontiguousarray(used[solid]), touched, extent, count, size)
    fill = np.clip(np.maximum(thick, thin), np.where(bounds_solid, FAINT, 1e-3), 1.0)
    stiffness = fill * np.where(bounds_solid, 1.0, softness)
    cells = np.stack(np.unravel_index(np.r_[touched, inside], count), axis=1)
    whole = np.ones(len(inside))
    return cells, np.r_[fill, whole], np.r_[stiffness, whole]


def _solid_share(vertices, faces, touched, extent, count, size):
    """How much of each touched cell is inside, and which untouched cells are."""
    if not len(faces):
        return np.zeros(len(touched)), touched[:0]
    rest = np.setdiff1d(np.arange(int(np.prod(count))), touched)
    sub = (np.stack(np.meshgrid(*[np.arange(SUBCELLS)] * 3, indexing="ij"), -1).reshape(-1, 3) + 0.5) / SUBCELLS
    parts = (np.stack(np.unravel_index(touched, count), axis=1)[:, None] + sub).reshape(-1, 3)
    middles = np.stack(np.unravel_index(rest, count), axis=1) + 0.5
    inside = _is_inside(vertices, faces, np.concatenate([parts, middles]) * size - extent / 2)
    return inside[: len(parts)].reshape(len(touched), -1).mean(1), rest[inside[len(parts) :]]


def _sheet_share(vertices, used, body, thin, inverse, cells, size, sheet):
    """Fill of the sheets in each touched cell, and how much softer than solid they are.

    A sheet of thickness t and area A fills A t / V. Smeared over the cell's depth d = Σ |n_i| size_i along
    its normal n, it would bend (d / t)² too stiffly, so it is softened by (t / d)².
    """
    a, b, c = (vertices[used[:, k]] for k in range(3))
    normal = np.cross(b - a, c - a)
    normal = np.abs(normal / np.linalg.norm(normal, axis=1, keepdims=True))
    softness = (sheet / np.maximum(normal @ size, sheet)) ** 2
    area = np.where(thin, body.area, 0.0)
    total = np.bincount(inverse, area, cells)
    soft = np.bincount(inverse, area * softness[body.face], cells)
    return total * sheet / np.prod(size), np.divide(soft, total, out=np.ones(cells), where=total > 0)


def _is_inside(vertices: Array, faces: Array, points: Float[Array, "p 3"]) -> Bool[Array, "p"]:
    """Whether the surface winds around each point. The sign does not matter: normals may point inwards."""
    winding = igl.fast_winding_number(np.ascontiguousarray(vertices), faces, np.ascontiguousarray(points))
    return np.abs(winding) > INSIDE
