"""Covers triangles with weighted points, so that surface integrals become sums over points."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float, Int

Array = np.ndarray
MAX_POINTS = 8_000_000  # the spacing grows to stay below it, which keeps memory under a gigabyte


@dataclass(frozen=True, eq=False)
class Scatter:
    """Points on a surface with their faces and areas. The areas sum to the area of the surface."""

    points: Float[Array, "p 3"]
    area: Float[Array, " p"]
    face: Int[Array, " p"]


def scatter(vertices: Float[Array, "n 3"], faces: Int[Array, "m 3"], spacing: float) -> Scatter:
    """Covers each triangle with a fan of rows × columns points at most `spacing` apart.

    With AB the longest edge and C opposite, p(s, t) = C + s ((1 − t) A + t B − C). The cell of size
    (1/rows, 1/columns) about (s, t) has the area 2 s · area / (rows · columns). A sliver gets one row.
    """
    a, b, c = _longest_edge_first(vertices, faces)
    base = np.linalg.norm(b - a, axis=1)
    area = np.linalg.norm(np.cross(b - a, c - a), axis=1) / 2
    height = np.divide(2 * area, base, out=np.zeros_like(area), where=base > 0)
    rows, columns = _counts(base, height, spacing)
    count = rows * columns
    face = np.repeat(np.arange(len(faces)), count)
    within = np.arange(len(face)) - np.repeat(np.cumsum(count) - count, count)
    s = (within // columns[face] + 0.5) / rows[face]
    t = (within % columns[face] + 0.5) / columns[face]
    points = c[face] + s[:, None] * ((1 - t)[:, None] * a[face] + t[:, None] * b[face] - c[face])
    return Scatter(points, 2 * s * (area / count)[face], face)


def _counts(base: Array, height: Array, spacing: float) -> tuple[Array, Array]:
    """Rows and columns per triangle; the spacing grows until the points number at most `MAX_POINTS`."""
    while True:
        rows = np.maximum(np.ceil(height / spacing), 1).astype(np.int64)
        columns = np.maximum(np.ceil(base / spacing), 1).astype(np.int64)
        if int((rows * columns).sum()) <= max(MAX_POINTS, len(base)):
            return rows, columns
        spacing *= 1.5


def _longest_edge_first(vertices: Array, faces: Array) -> tuple[Array, Array, Array]:
    """Corners of each triangle, rotated so that the first edge is the longest."""
    corners = vertices[faces]
    lengths = np.linalg.norm(np.roll(corners, -1, axis=1) - corners, axis=2)
    turn = (lengths.argmax(1)[:, None] + np.arange(3)) % 3 if len(faces) else np.zeros((0, 3), int)
    corners = np.take_along_axis(corners, turn[:, :, None], axis=1)
    return corners[:, 0], corners[:, 1], corners[:, 2]
