"""Where a solid stands: moved, turned, aimed, mirrored."""

from __future__ import annotations

import numpy as np

from neurok.datasets.articulated.outlines import Vector
from neurok.shapes.articulated.assembly import transformed
from neurok.shapes.articulated.transforms import rotation_about
from neurok.shapes.shape import Shape


def moved(shape: Shape, by: Vector) -> Shape:
    """The shape elsewhere."""
    return shape.with_(vertices=shape.vertices + np.asarray(by, np.float64))


def turned(shape: Shape, axis: Vector, angle: float, about: Vector = (0.0, 0.0, 0.0)) -> Shape:
    """The shape turned by `angle` radians about an axis through a point."""
    axis, about = np.asarray(axis, np.float64), np.asarray(about, np.float64)
    matrix = rotation_about(axis / np.linalg.norm(axis), angle)
    return shape.with_(vertices=(shape.vertices - about) @ matrix.T + about)


def aimed(shape: Shape, along: Vector, at: Vector = (0.0, 0.0, 0.0)) -> Shape:
    """The shape with its z axis along a direction and its origin at a point."""
    z = np.asarray(along, np.float64) / np.linalg.norm(along)
    x = np.cross(np.eye(3)[np.abs(z).argmin()], z)
    x /= np.linalg.norm(x)
    return moved(shape.with_(vertices=shape.vertices @ np.stack([x, np.cross(z, x), z])), at)


def mirrored(shape: Shape, axis: int) -> Shape:
    """The shape reflected in the plane through the origin across an axis."""
    return transformed(shape, np.diag([*np.where(np.arange(3) == axis, -1.0, 1.0), 1.0]))
