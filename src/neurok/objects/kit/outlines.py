"""Plane outlines and curves, their insets and triangulations."""

from __future__ import annotations

from collections.abc import Sequence as Many

import numpy as np
from jaxtyping import Float, Int

from neurok.shapes.polygons import triangulate

Array = np.ndarray
Vector = Many[float] | Array  # of two or three numbers
Path = Many[Vector] | Array


def rectangle(width: float, height: float, corner: float = 0.0, steps: int = 4) -> Float[Array, "k 2"]:
    """A rectangle about the origin, its corners rounded by `steps` segments each (one: a chamfer)."""
    x, y = width / 2 - corner, height / 2 - corner
    centres = np.array([[x, y], [-x, y], [-x, -y], [x, -y]])
    if corner <= 0:
        return centres
    angle = np.linspace(0, np.pi / 2, steps + 1) + np.pi / 2 * np.arange(4)[:, None]
    return (centres[:, None] + corner * np.stack([np.cos(angle), np.sin(angle)], -1)).reshape(-1, 2)


def corners(x: float, y: float) -> list[tuple[float, float]]:
    """The corners (±x, ±y) of a rectangle about the origin."""
    return [(sx * x, sy * y) for sx in (-1, 1) for sy in (-1, 1)]


def angles(count: int) -> Float[Array, " k"]:
    """Evenly spaced angles of a circle, from 0."""
    return 2 * np.pi * np.arange(count) / count


def row(count: int, pitch: float) -> Float[Array, " k"]:
    """Coordinates in a row about 0, `pitch` apart."""
    return (np.arange(count) - (count - 1) / 2) * pitch


def cells(count: int, span: float) -> Float[Array, " k"]:
    """Centres of equal cells that fill a span about 0."""
    return (np.arange(count) + 0.5) / count * span - span / 2


def arc(radius: float | Vector, start: float, end: float, count: int = 12) -> Float[Array, "k 2"]:
    """Points of a circular or, with two radii, elliptic arc about the origin."""
    angle = np.linspace(start, end, count)
    return np.stack([np.cos(angle), np.sin(angle)], 1) * np.asarray(radius)


def curve(points: Path, count: int = 12) -> Float[Array, "k d"]:
    """A smooth open curve through control points (Catmull–Rom, `count` samples)."""
    p = np.asarray(points, np.float64)
    p = np.concatenate([2 * p[:1] - p[1:2], p, 2 * p[-1:] - p[-2:-1]])
    t = np.linspace(0, len(p) - 3 - 1e-9, count)
    i, u = t.astype(int), (t % 1)[:, None]
    a, b, c, d = p[i], p[i + 1], p[i + 2], p[i + 3]
    return 0.5 * (2 * b + (c - a) * u + (2 * a - 5 * b + 4 * c - d) * u**2 + (3 * b - a - 3 * c + d) * u**3)


def lifted(path: Float[Array, "k 2"], z: float = 0.0) -> Float[Array, "k 3"]:
    """A plane curve at a constant height in space."""
    return np.c_[path, np.full(len(path), z)]


def signed_area(outline: Float[Array, "k 2"]) -> float:
    x, y = outline.T
    return float((x * np.roll(y, -1) - np.roll(x, -1) * y).sum() / 2)


def inset(outline: Float[Array, "k 2"], by: float) -> Float[Array, "k 2"]:
    """A counter-clockwise outline with every edge moved inwards; corners move along the mitre."""
    edge = np.roll(outline, -1, 0) - outline
    normal = np.stack([-edge[:, 1], edge[:, 0]], 1) / np.linalg.norm(edge, axis=1, keepdims=True)
    before = np.roll(normal, 1, 0)
    mitre = (normal + before) / np.maximum(1 + (normal * before).sum(1, keepdims=True), 0.3)
    return outline + by * mitre


def triangles_over(outline: Float[Array, "k 2"]) -> Int[Array, "t 3"]:
    """Triangles over a counter-clockwise outline; vertex k is its mean if that sees all of it."""
    k = len(outline)
    here, after = np.arange(k), (np.arange(k) + 1) % k
    spoke = outline - outline.mean(0)
    sees_all = (spoke[here, 0] * spoke[after, 1] - spoke[here, 1] * spoke[after, 0] > 0).all()
    if k > 4 and sees_all:
        return np.stack([here, after, np.full(k, k)], 1)
    return triangulate(lifted(outline), np.arange(k), np.array([k]))[0]
