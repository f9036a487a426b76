"""Computes the collision geometry of a link: convex hulls of its connected pieces, limited for simulators."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float, Int
from scipy.spatial import ConvexHull, QhullError

from neurok.shapes.surface import weld

Array = np.ndarray

MAX_HULLS = 16  # per link
MAX_HULL_VERTICES = 64
MIN_THICKNESS = 0.01  # of a hull, relative to its longest side
MIN_SIZE = 1e-4  # m: smaller pieces have no hull


@dataclass(frozen=True, eq=False)
class Hull:
    """A closed convex surface, facing outward."""

    vertices: Float[Array, "n 3"]
    faces: Int[Array, "m 3"]


def collision_hulls(vertices: Float[Array, "n 3"], faces: Int[Array, "m 3"]) -> list[Hull]:
    """One hull for each connected piece of the surface, in metres, largest first.

    Beyond `MAX_HULLS`, neighbouring pieces share a hull. Beyond `MAX_HULL_VERTICES`, a hull keeps the extreme
    points in that many evenly spaced directions. A flat piece is thickened to `MIN_THICKNESS`. A piece
    shorter than `MIN_SIZE` has no hull.
    """
    groups = _merged(_pieces(vertices, faces))
    hulls = [hull for hull in (convex_hull(points) for points in groups) if hull is not None]
    return sorted(hulls, key=lambda hull: -float(np.ptp(hull.vertices, axis=0).prod()))


def convex_hull(points: Float[Array, "n 3"]) -> Hull | None:
    """The convex hull of points, with the limits of `collision_hulls`."""
    if np.ptp(points, axis=0).max(initial=0) < MIN_SIZE:
        return None
    points = _thickened(points)
    if len(points) > MAX_HULL_VERTICES:
        points = points[_corners(points)]
        points = points[np.unique(np.argmax(points @ _directions(MAX_HULL_VERTICES).T, axis=0))]
        points = _thickened(points)
    corners = _corners(points)
    return _outward(points[corners], ConvexHull(points[corners]))


def _pieces(vertices: Array, faces: Array) -> list[Array]:
    """The points of each connected piece."""
    surface = weld(vertices, faces, np.zeros(len(vertices), np.int32))
    used = np.unique(surface.faces)
    order = used[np.argsort(surface.component[used], kind="stable")]
    cuts = np.flatnonzero(np.diff(surface.component[order])) + 1
    return np.split(surface.vertices[order], cuts) if len(order) else []


def _merged(pieces: list[Array]) -> list[Array]:
    """At most `MAX_HULLS` groups of neighbouring pieces."""
    if len(pieces) <= MAX_HULLS:
        return pieces
    middles = np.array([(p.min(0) + p.max(0)) / 2 for p in pieces])
    label, distance = np.zeros(len(pieces), int), np.full(len(pieces), np.inf)
    seed = int(np.argmax(np.linalg.norm(middles - middles.mean(0), axis=1)))
    for k in range(MAX_HULLS):  # farthest-point seeds
        to_seed = np.linalg.norm(middles - middles[seed], axis=1)
        label, distance = np.where(to_seed < distance, k, label), np.minimum(distance, to_seed)
        seed = int(np.argmax(distance))
    return [np.concatenate([pieces[i] for i in np.flatnonzero(label == k)]) for k in np.unique(label)]


def _thickened(points: Float[Array, "n 3"]) -> Float[Array, "k 3"]:
    """The points, offset to both sides along every principal direction in which they are too thin."""
    axes = (
        np.linalg.svd(points - points.mean(0), full_matrices=True)[2]
        if len(points) < 4
        else _principal(points)
    )
    size = np.ptp(points @ axes.T, axis=0)
    thickness = MIN_THICKNESS * size.max()
    for axis in axes[size < thickness]:
        points = np.concatenate([points - axis * thickness / 2, points + axis * thickness / 2])
    return points


def _principal(points: Array) -> Float[Array, "3 3"]:
    """Principal directions, one per row."""
    centred = points - points.mean(0)
    return np.linalg.eigh(centred.T @ centred)[1].T


def _corners(points: Array) -> Array:
    """Indices of the hull's vertices; Qhull joggles the points if they are nearly coplanar."""
    try:
        return ConvexHull(points).vertices
    except QhullError:
        return ConvexHull(points, qhull_options="QJ Pp").vertices


def _outward(points: Array, hull: ConvexHull) -> Hull:
    """Qhull's triangles, oriented outward."""
    a, b, c = (points[hull.simplices[:, k]] for k in range(3))
    inward = np.einsum("ij,ij->i", np.cross(b - a, c - a), hull.equations[:, :3]) < 0
    faces = np.where(inward[:, None], hull.simplices[:, ::-1], hull.simplices)
    return Hull(points, faces.astype(np.int32))


def _directions(count: int) -> Float[Array, "count 3"]:
    """Evenly spaced directions on the sphere: a golden-angle spiral."""
    k = np.arange(count) + 0.5
    z, turn = 1 - 2 * k / count, np.pi * (1 + 5**0.5) * k
    ring = np.sqrt(1 - z * z)
    return np.stack([ring * np.cos(turn), ring * np.sin(turn), z], axis=1)
