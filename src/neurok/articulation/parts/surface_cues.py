"""Features of a surface around a point: its bend, the thickness of the body, and the space in front of it."""

from __future__ import annotations

import numpy as np
from jaxtyping import Float
from scipy.spatial import KDTree

from neurok.rendering.casting import Triangles

Array = np.ndarray
NEIGHBOURS = (12, 48)  # samples around a point, at two scales
OUTWARD_RAYS = 8  # about the normal, cosine-weighted
LIFT = 1e-3  # radii between the surface and the start of a ray
NEAR, FAR = 0.05, 0.3  # radii: scales of distances
CUES = 2 * len(NEIGHBOURS) + 5


def surface_cues(
    triangles: Triangles,
    points: Float[Array, "q 3"],
    normals: Float[Array, "q 3"],
    cloud: Float[Array, "s 3"],
    cloud_normals: Float[Array, "s 3"],
) -> Float[Array, "q c"]:
    """Bend and roughness at two scales from a cloud of samples; thickness, openness, nearest surface ahead.

    The bend is the mean of n · (q − p) / |q − p| over the neighbours q of p: positive in grooves, negative on
    edges. Roughness is 1 − |mean normal|. Distances d enter as exp(−d / scale).
    """
    _, near = KDTree(cloud).query(points, k=min(max(NEIGHBOURS), len(cloud)))
    near = np.asarray(near).reshape(len(points), -1)
    offset = cloud[near] - points[:, None]
    height = np.einsum("qki,qi->qk", offset, normals) / np.maximum(np.linalg.norm(offset, axis=2), 1e-9)
    columns = []
    for k in NEIGHBOURS:
        columns += [
            height[:, :k].mean(1),
            1 - np.linalg.norm(cloud_normals[near[:, :k]].mean(1), axis=1),
        ]
    thickness = _distance(triangles, points - LIFT * normals, -normals)
    ahead = _ahead(triangles, points + LIFT * normals, normals)
    hits = np.exp(-ahead / FAR)
    return np.column_stack([
        *columns, np.exp(-thickness / NEAR), np.exp(-thickness / FAR), np.isinf(ahead).mean(0), hits.mean(0),
        np.exp(-ahead.min(0) / NEAR),
    ])  # fmt: skip


def openness(
    triangles: Triangles, points: Float[Array, "q 3"], normals: Float[Array, "q 3"]
) -> Float[Array, " q"]:
    """Share of the directions about each normal in which nothing is met."""
    return np.isinf(_ahead(triangles, points + LIFT * normals, normals)).mean(0)


def _ahead(
    triangles: Triangles, start: Float[Array, "q 3"], normals: Float[Array, "q 3"]
) -> Float[Array, "r q"]:
    """Free distance along fixed directions spread about each normal; inf where nothing is met."""
    helper = np.where(np.abs(normals[:, :1]) < 0.8, [[1.0, 0.0, 0.0]], [[0.0, 1.0, 0.0]])
    across = np.cross(normals, helper)
    across /= np.maximum(np.linalg.norm(across, axis=1, keepdims=True), 1e-9)
    along = np.cross(normals, across)
    k = np.arange(OUTWARD_RAYS)
    sine, turn = np.sqrt((k + 0.5) / OUTWARD_RAYS), k * np.pi * (3 - np.sqrt(5))  # golden angle
    cosine = np.sqrt(1 - sine**2)
    return np.stack([
        _distance(triangles, start, c * normals + s * (np.cos(t) * across + np.sin(t) * along))
        for s, c, t in zip(sine, cosine, turn, strict=True)
    ])  # fmt: skip


def _distance(
    triangles: Triangles, start: Float[Array, "q 3"], rays: Float[Array, "q 3"]
) -> Float[Array, " q"]:
    hits = triangles.cast(start, rays, np.zeros(len(start), np.float32), np.inf)
    return hits.depth.astype(np.float64)
