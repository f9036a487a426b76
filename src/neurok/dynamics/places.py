"""Places on an object as mixtures of its vertices: points of forces, contact points, the standing base."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from jaxtyping import Bool, Float, Int
from scipy import sparse
from torch import Tensor

from neurok.errors import InputError
from neurok.geometry.farthest_points import farthest_points
from neurok.shapes import Shape
from neurok.shapes.normals import face_normals

Array = np.ndarray
Vector = Sequence[float] | np.ndarray | Tensor
Place = int | str | Vector
"""A place on the object: a vertex by its number, a part by its name, or the vertex nearest to a point."""
BASE_HEIGHT = 0.02  # share of the height that counts as the base
BASE_SPREAD = 0.05  # radii: least width of a base both ways, root mean square
DIRECTIONS = np.stack(np.meshgrid([-1, 0, 1], [-1, 0, 1], [-1, 0, 1], indexing="ij"), -1).reshape(-1, 3)
MAX_CANDIDATES = 4000  # vertices among which distant ones are searched


def mixture(shape: Shape, at: Place, radius: float = 0.0) -> sparse.csr_matrix:
    """One row of weights that sum to one: a single vertex, or the vertices of a part or region by area."""
    chosen = vertices_at(shape, at, radius)
    weights = vertex_areas(shape)[chosen]
    weights = weights / weights.sum() if weights.sum() > 0 else np.full(len(chosen), 1 / len(chosen))
    size = (1, len(shape.vertices))
    return sparse.csr_matrix((weights, (np.zeros(len(chosen), int), chosen)), shape=size)


def vertices_at(shape: Shape, at: Place, radius: float = 0.0) -> Int[Array, " v"]:
    """The vertices of a place; "auto" is the standing base."""
    if isinstance(at, str):
        if at == "auto" and at not in shape.part_names:
            return np.flatnonzero(standing_base(shape))
        if at not in shape.part_names:
            parts = ", ".join(shape.part_names[:8])
            raise InputError(shape.name, f"has no part {at!r}", f"Its parts are: {parts}")
        return _used(shape, np.unique(shape.faces[shape.faces_of(at)]), f"part {at!r}")
    if isinstance(at, (int, np.integer)):
        if not 0 <= at < len(shape.vertices):
            raise InputError(shape.name, f"has no vertex {at}", f"There are {len(shape.vertices):,}")
        if not radius:
            return np.array([at])
        at = shape.vertices[at]
    point = np.asarray(at, np.float64)
    if point.shape != (3,) or not np.isfinite(point).all():
        raise InputError(shape.name, f"{at!r} is no place", "Give a vertex, a part or three numbers")
    used = surface_vertices(shape)
    distance = np.linalg.norm(shape.vertices[used] - point, axis=1)
    near = used[distance <= radius]
    return near if len(near) else used[[distance.argmin()]]


def surface_vertices(shape: Shape) -> Int[Array, " v"]:
    """The vertices that faces use."""
    return _used(shape, np.unique(shape.faces), "the shape")


def _used(shape: Shape, vertices: Int[Array, " v"], what: str) -> Int[Array, " v"]:
    if not len(vertices):
        raise InputError(shape.name, f"{what} has no faces", "Choose another place")
    return vertices


def vertex_areas(shape: Shape) -> Float[Array, " n"]:
    """A third of every face's area to each corner."""
    area = np.linalg.norm(face_normals(shape.vertices, shape.faces), axis=1) / 2
    found = np.bincount(shape.faces.ravel(), np.repeat(area / 3, 3), len(shape.vertices))
    return found.astype(np.float64)  # whole numbers where there is no face


def standing_base(shape: Shape) -> Bool[Array, " n"]:
    """The vertices that an object stands on: those in the lowest fiftieth of its height.

    The band grows until the vertices spread over a twentieth of the radius both ways.
    """
    height = shape.vertices @ shape.frame.up_vector
    low, high = (shape.bounds @ shape.frame.up_vector).min(), (shape.bounds @ shape.frame.up_vector).max()
    for share in (BASE_HEIGHT, 2 * BASE_HEIGHT, 5 * BASE_HEIGHT, 10 * BASE_HEIGHT, 20 * BASE_HEIGHT):
        base = height <= low + share * (high - low) + 1e-12 * (1 + abs(low))
        across = shape.vertices[base] - shape.vertices[base].mean(0)
        across = across - np.outer(across @ shape.frame.up_vector, shape.frame.up_vector)
        spread = np.linalg.svd(across, compute_uv=False)[1] / np.sqrt(base.sum()) if base.sum() > 2 else 0.0
        if spread >= BASE_SPREAD * shape.normalisation.radius:
            break
    return base


def contact_vertices(shape: Shape, count: int) -> Int[Array, " c"]:
    """Vertices that can touch first: the outermost in 26 directions, then those farthest from all of them."""
    used = surface_vertices(shape)
    points = shape.normalisation.apply(shape.vertices[used])
    outer = np.unique((points @ DIRECTIONS[np.abs(DIRECTIONS).sum(1) > 0].T).argmax(0))
    rest = np.setdiff1d(np.linspace(0, len(used) - 1, min(len(used), MAX_CANDIDATES)).astype(int), outer)
    order = np.r_[outer, rest]
    far = spread(shape, used[order], count)
    return used[np.unique(np.r_[outer, order[far]])[: max(count, len(outer))]]


def spread(shape: Shape, vertices: Int[Array, " v"], count: int) -> Int[Array, " c"]:
    """Indices of at most `count` of these vertices, far from each other."""
    points = shape.normalisation.apply(shape.vertices[vertices])[None]
    return np.unique(farthest_points(points, min(count, len(vertices)))[0])


def rows(vertices: Int[Array, " v"], total: int) -> sparse.csr_matrix:
    """One row for each vertex."""
    return sparse.csr_matrix(
        (np.ones(len(vertices)), (np.arange(len(vertices)), vertices)), (len(vertices), total)
    )


def checked_vertices(shape: Shape, chosen: Sequence[int]) -> Int[Array, " v"]:
    """Vertices by number; InputError where one does not exist or none is given."""
    vertices = np.asarray(chosen, np.int64)
    wrong = vertices[(vertices < 0) | (vertices >= len(shape.vertices))]
    if not len(vertices) or len(wrong):
        what = f"has no vertex {wrong[0]}" if len(wrong) else "no vertex is named"
        raise InputError(shape.name, what, f"There are {len(shape.vertices):,}")
    return vertices
