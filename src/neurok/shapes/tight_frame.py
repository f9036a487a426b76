"""Finds the axes of a small bounding box, so that a grid along them aligns with flat sides."""

from __future__ import annotations

import numpy as np
from jaxtyping import Float

Array = np.ndarray
MAX_VOLUME_RATIO = 0.98  # other axes replace the given ones if they shrink the box at least to this share


def tight_axes(
    corners: Float[Array, "c 3"], points: Float[Array, "p 3"], weight: Float[Array, " p"]
) -> Float[Array, "3 3"]:
    """A rotation whose rows are the axes of a small box around the corners.

    Candidates are the given axes, the principal axes of the weighted points, and each principal axis with the
    smallest rectangle about it. The last kind resolves degenerate moments (a square bar, a round plate).
    """
    extreme = corners[_extreme(corners)]
    principal = _principal_axes(points, weight)
    candidates = [principal] + [_with_smallest_rectangle(extreme, principal, k) for k in range(3)]
    sizes = [_box_size(extreme, axes) for axes in candidates]
    best = int(np.argmin(sizes))
    return candidates[best] if sizes[best] < MAX_VOLUME_RATIO * _box_size(extreme, np.eye(3)) else np.eye(3)


def _principal_axes(points: Array, weight: Array) -> Float[Array, "3 3"]:
    share = weight / weight.sum()
    centred = points - share @ points
    _, vectors = np.linalg.eigh((centred * share[:, None]).T @ centred)
    axes = vectors.T[::-1].copy()
    axes[2] = np.cross(axes[0], axes[1])
    return axes


def _box_size(points: Array, axes: Array) -> float:
    """Volume of the box, with 1 % of its longest side added to each side so that flat boxes compare."""
    side = np.ptp(points @ axes.T, axis=0)
    return float(np.prod(side + 0.01 * side.max()))


def _extreme(points: Array, directions: int = 128) -> Array:
    """Indices of the points farthest along directions of a golden spiral on the sphere."""
    z = 1 - (2 * np.arange(directions) + 1) / directions
    turn = np.pi * (1 + 5**0.5) * np.arange(directions)
    radius = np.sqrt(1 - z**2)
    spread = np.stack([radius * np.cos(turn), radius * np.sin(turn), z], axis=1).astype(np.float32)
    columns = np.ascontiguousarray((points - points.mean(0)).T, dtype=np.float32)
    return np.unique([int((direction @ columns).argmax()) for direction in spread])


def _with_smallest_rectangle(points: Array, axes: Array, kept: int) -> Float[Array, "3 3"]:
    """The axes, rotated about one of them to minimise the rectangle around the points.

    One side of the smallest rectangle contains an edge of the convex hull (Freeman and Shapira 1975), so
    each edge is a candidate.
    """
    u, v = axes[(kept + 1) % 3], axes[(kept + 2) % 3]
    plane = np.stack([points @ u, points @ v], axis=1)
    step = plane[_hull_order(plane)]
    step = np.roll(step, -1, axis=0) - step
    angle = np.unique(np.round(np.arctan2(step[:, 1], step[:, 0]) % (np.pi / 2), 9))
    cos, sin = np.cos(angle), np.sin(angle)
    width = np.ptp(np.outer(plane[:, 0], cos) + np.outer(plane[:, 1], sin), axis=0)
    depth = np.ptp(np.outer(plane[:, 1], cos) - np.outer(plane[:, 0], sin), axis=0)
    floor = 0.01 * max(width.max(), depth.max())
    best = int(np.argmin((width + floor) * (depth + floor)))
    turned = np.stack([axes[kept], cos[best] * u + sin[best] * v, cos[best] * v - sin[best] * u])
    return turned[np.argsort(-np.ptp(points @ turned.T, axis=0), kind="stable")]


def _hull_order(plane: Float[Array, "p 2"]) -> Array:
    """Vertices of the convex hull of points in a plane, in order (Andrew's monotone chain)."""
    order = np.lexsort((plane[:, 1], plane[:, 0]))
    halves = []
    for sweep in (order, order[::-1]):
        chain: list[int] = []
        for index in sweep:
            while len(chain) >= 2 and _left_turn(plane[chain[-2]], plane[chain[-1]], plane[index]) <= 0:
                chain.pop()
            chain.append(int(index))
        halves.append(chain[:-1])
    corners = halves[0] + halves[1]
    return np.array(corners or [int(order[0])])


def _left_turn(a: Array, b: Array, c: Array) -> float:
    return float((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]))
