"""Placement of solids: translation, rotation, alignment, repetition and reflection."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from neurok.geometry.rotations import perpendicular_axes, rotation_about
from neurok.objects.kit.outlines import Vector, angles
from neurok.shapes.robots.assembly import transformed
from neurok.shapes.shape import Shape

X, Y, Z = np.eye(3)


def moved(shape: Shape, by: Vector) -> Shape:
    """The shape translated."""
    return shape.with_(vertices=shape.vertices + np.asarray(by, np.float64))


def shifted(shapes: Iterable[Shape], by: Vector) -> list[Shape]:
    """All shapes translated by one offset."""
    return [moved(shape, by) for shape in shapes]


def turned(shape: Shape, axis: Vector, angle: float, about: Vector = (0.0, 0.0, 0.0)) -> Shape:
    """The shape turned by `angle` radians about an axis through a point."""
    axis, about = np.asarray(axis, np.float64), np.asarray(about, np.float64)
    matrix = rotation_about(axis / np.linalg.norm(axis), angle)
    return shape.with_(vertices=(shape.vertices - about) @ matrix.T + about)


def swung(shapes: Iterable[Shape], angle: float, by: Vector) -> list[Shape]:
    """All shapes turned by `angle` radians about z, then translated."""
    return [moved(turned(shape, Z, angle), by) for shape in shapes]


def aimed(shape: Shape, along: Vector, at: Vector = (0.0, 0.0, 0.0)) -> Shape:
    """The shape with its z axis along a direction and its origin at a point."""
    z = np.asarray(along, np.float64) / np.linalg.norm(along)
    frame = np.stack([*-perpendicular_axes(z), z])
    return moved(shape.with_(vertices=shape.vertices @ frame), at)


def polar(angle: float, length: float) -> np.ndarray:
    """The point of the plane z = 0 with polar coordinates (radius, angle)."""
    return length * np.array([np.cos(angle), np.sin(angle), 0.0])


def upright(shape: Shape, at: Vector = (0.0, 0.0, 0.0)) -> Shape:
    """A shape of the xy plane stood up to face −y, with its origin at a point."""
    return moved(turned(shape, X, np.pi / 2), at)


def sideways(shape: Shape, at: Vector = (0.0, 0.0, 0.0)) -> Shape:
    """A shape of the xy plane stood up with its x axis along y, with its origin at a point."""
    return moved(turned(upright(shape), Z, np.pi / 2), at)


def around(shape: Shape, count: int) -> list[Shape]:
    """Copies of the shape, evenly spaced about z."""
    return [turned(shape, Z, angle) for angle in angles(count)]


def mirrored(shape: Shape, axis: int) -> Shape:
    """The shape reflected in the plane through the origin that is normal to an axis."""
    return transformed(shape, np.diag([*np.where(np.arange(3) == axis, -1.0, 1.0), 1.0]))
