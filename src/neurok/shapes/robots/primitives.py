"""Makes boxes, cylinders, spheres, capsules, ellipsoids and height fields with sharp edges."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np
from jaxtyping import Float, Int

from neurok.shapes.shape import Shape

Array = np.ndarray
SEGMENTS = 32  # around a circle
RINGS = 8  # from the equator of a sphere to its pole


class Patch(NamedTuple):
    """A surface with one normal per vertex; vertices on sharp edges are repeated per side."""

    vertices: Float[Array, "n 3"]
    faces: Int[Array, "m 3"]
    normals: Float[Array, "n 3"]


def box(size: Float[Array, "3"]) -> Shape:
    """A box of full side lengths `size` about the origin: 24 vertices, 12 faces."""
    unit = _unit_box()
    return _shape(Patch(unit.vertices * size, unit.faces, unit.normals))


def cylinder(radius: float, length: float) -> Shape:
    """A closed cylinder along z about the origin."""
    unit = _unit_cylinder()
    return _shape(Patch(unit.vertices * [radius, radius, length], unit.faces, unit.normals))


def ellipsoid(radii: Float[Array, "3"]) -> Shape:
    """{x : Σ (x_i / r_i)² = 1}. The normal at x is parallel to x_i / r_i²."""
    unit = _unit_sphere()
    normals = unit.normals / np.asarray(radii)
    normals = normals / np.linalg.norm(normals, axis=1, keepdims=True)
    return _shape(Patch(unit.vertices * radii, unit.faces, normals))


def sphere(radius: float) -> Shape:
    """A sphere about the origin."""
    return ellipsoid(np.full(3, radius))


def capsule(radius: float, length: float) -> Shape:
    """A cylinder along z of `length` between the centres of two half spheres."""
    unit = _unit_capsule()
    shift = np.zeros_like(unit.vertices)
    shift[:, 2] = np.where(np.arange(len(shift)) < len(shift) // 2, length / 2, -length / 2)
    return _shape(Patch(unit.vertices * radius + shift, unit.faces, unit.normals))


def height_field(heights: Float[Array, "rows cols"], half_size: Float[Array, "2"]) -> Shape:
    """The surface z = heights[row, col] over a rectangle; rows run along y, columns along x."""
    rows, cols = heights.shape
    y, x = np.meshgrid(
        np.linspace(-half_size[1], half_size[1], rows),
        np.linspace(-half_size[0], half_size[0], cols),
        indexing="ij",
    )
    corner = (np.arange(rows - 1)[:, None] * cols + np.arange(cols - 1)).ravel()
    lower = np.stack([corner, corner + 1, corner + cols + 1], axis=1)
    upper = np.stack([corner, corner + cols + 1, corner + cols], axis=1)
    return Shape(np.stack([x, y, heights], axis=-1).reshape(-1, 3), np.concatenate([lower, upper]))


def _shape(patch: Patch) -> Shape:
    return Shape(patch.vertices, patch.faces, normals=patch.normals)


@lru_cache
def _unit_box() -> Patch:
    """A unit cube: six sides with four corners each, counter-clockwise from outside."""
    square = np.array([[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]])
    vertices, normals = [], []
    for axis in range(3):
        for sign in (1.0, -1.0):
            side = np.zeros((4, 3))
            side[:, axis] = sign / 2
            side[:, (axis + 1) % 3], side[:, (axis + 2) % 3] = square[:: int(sign)].T
            vertices.append(side)
            normals.append(np.tile(sign * np.eye(3)[axis], (4, 1)))
    faces = (4 * np.arange(6)[:, None, None] + np.array([[0, 1, 2], [0, 2, 3]])).reshape(-1, 3)
    return Patch(np.concatenate(vertices), faces, np.concatenate(normals))


@lru_cache
def _unit_cylinder() -> Patch:
    """A cylinder of radius and length one with a smooth side and two flat caps."""
    circle = _circle()
    k, after = np.arange(SEGMENTS), (np.arange(SEGMENTS) + 1) % SEGMENTS
    top, low = np.full((SEGMENTS, 1), 0.5), np.full((SEGMENTS, 1), -0.5)
    up, centre = np.array([0.0, 0.0, 1.0]), np.array([[0.0, 0.0, 0.5]])
    vertices = [
        np.c_[circle, low],
        np.c_[circle, top],
        np.c_[circle, top],
        np.c_[circle, low],
        centre,
        -centre,
    ]
    flat = np.c_[circle, np.zeros(SEGMENTS)]
    normals = [flat, flat, np.tile(up, (SEGMENTS, 1)), np.tile(-up, (SEGMENTS, 1)), up[None], -up[None]]
    n = SEGMENTS
    faces = [
        np.stack([k, after, n + after], 1), np.stack([k, n + after, n + k], 1),
        np.stack([2 * n + k, 2 * n + after, np.full(n, 4 * n)], 1),
        np.stack([3 * n + after, 3 * n + k, np.full(n, 4 * n + 1)], 1),
    ]  # fmt: skip
    return Patch(np.concatenate(vertices), np.concatenate(faces), np.concatenate(normals))


@lru_cache
def _unit_capsule() -> Patch:
    """The unit sphere with a doubled equator, upper half first; a capsule separates the halves."""
    circle, k, after = _circle(), np.arange(SEGMENTS), (np.arange(SEGMENTS) + 1) % SEGMENTS
    latitude = np.linspace(0, np.pi / 2, RINGS + 1)[:-1]
    rings = [np.c_[np.cos(a) * circle, np.full(SEGMENTS, np.sin(a))] for a in latitude]
    half = np.concatenate([*rings, [[0.0, 0.0, 1.0]]])
    pole = len(half) - 1
    steps = SEGMENTS * np.arange(RINGS - 1)[:, None]
    side = np.stack([steps + k, steps + after, steps + SEGMENTS + after], -1)
    other = np.stack([steps + k, steps + SEGMENTS + after, steps + SEGMENTS + k], -1)
    last = SEGMENTS * (RINGS - 1)
    cap = np.stack([last + k, last + after, np.full(SEGMENTS, pole)], 1)
    faces = np.concatenate([side.reshape(-1, 3), other.reshape(-1, 3), cap])
    seam = len(half)  # first vertex of the lower equator; a belt joins it to the upper one
    belt = np.concatenate([np.stack([seam + k, seam + after, after], 1), np.stack([seam + k, after, k], 1)])
    vertices = np.concatenate([half, half * [1, 1, -1]])
    return Patch(vertices, np.concatenate([faces, faces[:, ::-1] + seam, belt]), vertices)


@lru_cache
def _unit_sphere() -> Patch:
    """The unit capsule of length zero with one equator and no belt."""
    doubled = _unit_capsule()
    seam = len(doubled.vertices) // 2
    own = np.arange(len(doubled.vertices))
    index = np.where(own < seam, own, np.where(own < seam + SEGMENTS, own - seam, own - SEGMENTS))
    vertices = np.concatenate([doubled.vertices[:seam], doubled.vertices[seam + SEGMENTS :]])
    return Patch(vertices, index[doubled.faces[: -2 * SEGMENTS]], vertices)


def _circle() -> Float[Array, "segments 2"]:
    angle = np.arange(SEGMENTS) * (2 * np.pi / SEGMENTS)
    return np.stack([np.cos(angle), np.sin(angle)], axis=1)
