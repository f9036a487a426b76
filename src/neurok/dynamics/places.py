"""Places on an object as mixtures of its vertices: where forces act, what touches, what stands."""

from __future__ import annotations

import numpy as np
from jaxtyping import Bool, Float, Int
from scipy import sparse

from neurok.dynamics.conditions import Place
from neurok.errors import InputError
from neurok.geometry.farthest_points import farthest_points
from neurok.shapes import Shape
from neurok.shapes.normals import face_normals

Array = np.ndarray
BASE = 0.02  # share of the height that counts as the bottom
SPREAD = 0.05  # radii: how wide a base is at least, root mean square
DIRECTIONS = np.stack(np.meshgrid([-1, 0, 1], [-1, 0, 1], [-1, 0, 1], indexing="ij"), -1).reshape(-1, 3)
CANDIDATES = 4000  # vertices among which far ones are looked for


def mixture(shape: Shape, at: Place, radius: float = 0.0) -> sparse.csr_matrix:
    """One row of weights that sum to one: a vertex, or all of a part or a region by their area."""
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
    """What an object stands on, to be pinned: vertices in the lowest fiftieth of the height, or in as much
    more as it takes for them to spread over a twentieth of the radius both ways."""
    height = shape.vertices @ shape.frame.up_vector
    low, high = (shape.bounds @ shape.frame.up_vector).min(), (shape.bounds @ shape.frame.up_vector).max()
    for share in (BASE, 2 * BASE, 5 * BASE, 10 * BASE, 20 * BASE):
        base = height <= low + share * (high - low) + 1e-12 * (1 + abs(low))
        across = shape.vertices[base] - shape.vertices[base].mean(0)
        across = across - np.outer(across @ shape.frame.up_vector, shape.frame.up_vector)
        spread = np.linalg.svd(across, compute_uv=False)[1] / np.sqrt(base.sum()) if base.sum() > 2 else 0.0
        if spread >= SPREAD * shape.normalisation.radius:
            break
    return base


def contact_vertices(shape: Shape, count: int) -> Int[Array, " c"]:
    """Vertices that touch first: the outermost in 26 directions, then those farthest from all of them."""
    used = surface_vertices(shape)
    points = shape.normalisation.apply(shape.vertices[used])
    outer = np.unique((points @ DIRECTIONS[np.abs(DIRECTIONS).sum(1) > 0].T).argmax(0))
    rest = np.setdiff1d(np.linspace(0, len(used) - 1, min(len(used), CANDIDATES)).astype(int), outer)
    order = np.r_[outer, rest]
    far = spread(shape, used[order], count)
    return used[np.unique(np.r_[outer, order[far]])[: max(count, len(outer))]]


def spread(shape: Shape, vertices: Int[Array, " v"], count: int) -> Int[Array, " c"]:
    """Which of these vertices are farthest from each other, so many at most."""
    points = shape.normalisation.apply(shape.vertices[vertices])[None]
    return np.unique(farthest_points(points, min(count, len(vertices)))[0])


def rows(vertices: Int[Array, " v"], total: int) -> sparse.csr_matrix:
    """One row for each vertex."""
    return sparse.csr_matrix(
        (np.ones(len(vertices)), (np.arange(len(vertices)), vertices)), (len(vertices), total)
    )
