"""Fills the cells of a grid with an object: solids by winding number, sheets by area."""

from __future__ import annotations

import igl
import numpy as np
from jaxtyping import Bool, Float, Int
from scipy import sparse
from scipy.sparse.csgraph import connected_components

from neurok.shapes.shape import Shape

Array = np.ndarray
SUBCELLS = 3  # samples per axis that measure the fill of a cell at the surface
CLOSED_TOLERANCE = 0.05  # a component is closed if its area vectors cancel to within this share of its area
INSIDE_WINDING = 2 / 3  # least winding number inside: excludes a bowl's hollow, tolerates a scan's holes
MIN_FILL = 0.02  # of a cell that a solid's surface touches, so that thin strands stay connected


def solid_faces(shape: Shape, used: Int[Array, "f 3"]) -> Bool[Array, " f"]:
    """Whether each face bounds a solid: the area vectors ½ (b − a) × (c − a) of its component cancel.

    They cancel exactly on a closed surface and sum to the opening's area vector on an open one. Open pieces
    that close jointly (a box of six loose plates) count as closed; the winding number then decides.
    """
    welded = shape.surface.of_vertex[used]
    count = int(welded.max()) + 1
    pairs = welded[:, [0, 1, 1, 2]].reshape(-1, 2)
    graph = sparse.csr_matrix((np.ones(len(pairs), np.int8), tuple(pairs.T)), shape=(count, count))
    _, label = connected_components(graph, directed=False)
    component = np.unique(label[welded[:, 0]], return_inverse=True)[1]
    corners = shape.vertices[used]
    scale = np.ptp(corners.reshape(-1, 3), axis=0).max()
    vector = (
        np.cross(corners[:, 1] / scale - corners[:, 0] / scale, corners[:, 2] / scale - corners[:, 0] / scale)
        / 2
    )
    area = np.linalg.norm(vector, axis=1)
    net = np.stack([np.bincount(component, vector[:, k]) for k in range(3)], axis=1)
    closed = (np.linalg.norm(net, axis=1) < CLOSED_TOLERANCE * np.bincount(component, area))[component]
    if not closed.all() and np.linalg.norm(vector[~closed].sum(0)) < CLOSED_TOLERANCE * area[~closed].sum():
        return np.ones(len(used), bool)
    return closed


def fill_to_fit(vertices, used, solid, body, extent, resolution, most_cells, sheet):
    """Fills a grid whose cells are as small as `most_cells` allows.

    Filling is expensive, so the number of cells is estimated first: the touched cells, plus the enclosed
    volume V = ⅙ |Σ a · (b × c)| minus half of each touched cell.
    """
    a, b, c = (vertices[used[solid][:, k]] for k in range(3))
    volume = abs(float(np.einsum("ij,ij->", a, np.cross(b, c)))) / 6
    goal = 1.0 / resolution
    while True:
        count = np.maximum(np.round(extent / goal), 1).astype(np.int64)
        size = extent / count
        touched = np.count_nonzero(np.bincount(_cell_of(body.points, extent, count)))
        expected = touched + max(volume / np.prod(size) - touched / 2, 0.0)
        if expected <= most_cells or count.max() == 1:
            return *_fill(vertices, used, solid, body, extent, count, size, sheet), size
        goal *= max((expected / most_cells) ** 0.35, 1.02)


def _cell_of(points: Float[Array, "p 3"], extent: Array, count: Array) -> Int[Array, " p"]:
    """Flat index of the cell that holds each point."""
    position = np.clip(((points / extent + 0.5) * count).astype(np.int64), 0, count - 1)
    return (position[:, 0] * count[1] + position[:, 1]) * count[2] + position[:, 2]


def _fill(vertices, used, solid, body, extent, count, size, sheet):
    """Touched and interior cells of one grid: lattice positions, fill and relative stiffness."""
    cell = _cell_of(body.points, extent, count)
    touched = np.flatnonzero(np.bincount(cell))
    inverse = np.searchsorted(touched, cell)
    bounds_solid = np.bincount(inverse, solid[body.face], len(touched)) > 0
    thin, softness = _sheet_share(vertices, used, body, ~solid[body.face], inverse, len(touched), size, sheet)
    thick, inside = _solid_share(vertices, np.ascontiguousarray(used[solid]), touched, extent, count, size)
    fill = np.clip(np.maximum(thick, thin), np.where(bounds_solid, MIN_FILL, 1e-3), 1.0)
    stiffness = fill * np.where(bounds_solid, 1.0, softness)
    cells = np.stack(np.unravel_index(np.r_[touched, inside], count), axis=1)
    whole = np.ones(len(inside))
    return cells, np.r_[fill, whole], np.r_[stiffness, whole]


def _solid_share(vertices, faces, touched, extent, count, size):
    """The interior share of each touched cell, and the untouched cells that are interior."""
    if not len(faces):
        return np.zeros(len(touched)), touched[:0]
    rest = np.setdiff1d(np.arange(int(np.prod(count))), touched)
    sub = (
        np.stack(np.meshgrid(*[np.arange(SUBCELLS)] * 3, indexing="ij"), -1).reshape(-1, 3) + 0.5
    ) / SUBCELLS
    parts = (np.stack(np.unravel_index(touched, count), axis=1)[:, None] + sub).reshape(-1, 3)
    middles = np.stack(np.unravel_index(rest, count), axis=1) + 0.5
    inside = _is_inside(vertices, faces, np.concatenate([parts, middles]) * size - extent / 2)
    return inside[: len(parts)].reshape(len(touched), -1).mean(1), rest[inside[len(parts) :]]


def _sheet_share(vertices, used, body, thin, inverse, cells, size, sheet):
    """Fill of the sheets in each touched cell, and their stiffness relative to a solid.

    A sheet of thickness t and area A fills A t / V. Spread over the cell's depth d = Σ |n_i| size_i along
    its normal n, its bending stiffness would be (d / t)² too high, so it is multiplied by (t / d)².
    """
    a, b, c = (vertices[used[:, k]] for k in range(3))
    normal = np.cross(b - a, c - a)
    normal = np.abs(normal / np.linalg.norm(normal, axis=1, keepdims=True))
    softness = (sheet / np.maximum(normal @ size, sheet)) ** 2
    area = np.where(thin, body.area, 0.0)
    total = np.bincount(inverse, area, cells)
    soft = np.bincount(inverse, area * softness[body.face], cells)
    return total * sheet / np.prod(size), np.divide(soft, total, out=np.ones(cells), where=total > 0)


def _is_inside(vertices: Array, faces: Array, points: Float[Array, "p 3"]) -> Bool[Array, " p"]:
    """Whether the surface winds around each point, with normals outward or inward."""
    winding = igl.fast_winding_number(np.ascontiguousarray(vertices), faces, np.ascontiguousarray(points))
    return np.abs(winding) > INSIDE_WINDING
