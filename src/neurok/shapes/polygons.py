"""Triangulates polygons, convex or not."""

from __future__ import annotations

import numpy as np
from jaxtyping import Float, Int

Array = np.ndarray


def triangulate(
    vertices: Float[Array, "v 3"], corners: Int[Array, " k"], size: Int[Array, " p"]
) -> tuple[Int[Array, "t 3"], Int[Array, " t"]]:
    """Corner indices of the triangles of each polygon, and the polygon each triangle came from.

    `corners` lists the vertices of all polygons one after the other, `size` the number of each. Convex
    outlines become fans; the others are triangulated by ear clipping.
    """
    start = np.cumsum(size) - size
    count = np.maximum(size - 2, 0)
    polygon = np.repeat(np.arange(len(size)), count)
    step = np.arange(len(polygon)) - np.repeat(np.cumsum(count) - count, count)
    first = start[polygon]
    triangles = np.stack([first, first + step + 1, first + step + 2], axis=1)
    for p in _not_convex(vertices, corners, triangles, polygon, size):
        ears = _clip_ears(vertices[corners[start[p] : start[p] + size[p]]])
        triangles[polygon == p] = start[p] + np.array(ears)
    return triangles, polygon


def _not_convex(vertices, corners, triangles, polygon, size) -> list[int]:
    """Polygons in which a triangle of the fan has the opposite orientation of the polygon."""
    several = size[polygon] > 3
    if not several.any():
        return []
    a, b, c = (vertices[corners[triangles[several, k]]] for k in range(3))
    normal = np.cross(b - a, c - a)
    index = polygon[several]
    total = np.zeros((len(size), 3))
    np.add.at(total, index, normal)
    return np.unique(index[(normal * total[index]).sum(1) < 0]).tolist()


def _clip_ears(outline: Float[Array, "k 3"]) -> list[tuple[int, int, int]]:
    """Ear clipping: removes convex corners that contain no other corner until a triangle is left."""
    following = np.roll(outline, -1, axis=0)
    normal = np.cross(outline, following).sum(0)  # Newell's method
    axes = np.linalg.svd(normal[None])[2][1:]
    flat = outline @ axes.T
    if np.cross(axes[0], axes[1]) @ normal < 0:
        flat = flat[:, ::-1]
    left, ears = list(range(len(outline))), []
    while len(left) > 3:
        k = next((k for k in range(len(left)) if _is_ear(flat, left, k)), 0)
        ears.append((left[k - 1], left[k], left[(k + 1) % len(left)]))
        left.pop(k)
    return [*ears, (left[0], left[1], left[2])]


def _is_ear(flat, left, k) -> bool:
    a, b, c = flat[left[k - 1]], flat[left[k]], flat[left[(k + 1) % len(left)]]
    if _turn(a, b, c) <= 0:
        return False
    rest = flat[[i for i in left if i not in (left[k - 1], left[k], left[(k + 1) % len(left)])]]
    inside = (_turn(a, b, rest) >= 0) & (_turn(b, c, rest) >= 0) & (_turn(c, a, rest) >= 0)
    return not bool(inside.any())


def _turn(a, b, c):
    """Twice the signed area of triangle abc in the plane."""
    return (b[0] - a[0]) * (c[..., 1] - a[1]) - (b[1] - a[1]) * (c[..., 0] - a[0])
