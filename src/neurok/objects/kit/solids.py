"""Closed solids with outward faces: extrusions, lathes, tubes and blocks.

Vertices are shared across every edge: `split_creases` splits them where the finished object is sharp.
"""

from __future__ import annotations

from collections.abc import Sequence as Many

import numpy as np
from jaxtyping import Float, Int

from neurok.objects.kit.outlines import (
    Path,
    Vector,
    angles,
    inset,
    lifted,
    rectangle,
    signed_area,
    triangles_over,
)
from neurok.objects.kit.placing import aimed, moved
from neurok.shapes.shape import Shape

Array = np.ndarray
SQUARE = ((-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5))
CORNERS = np.array([(x, y, z) for z in (-0.5, 0.5) for x, y in SQUARE])
SIDES = np.array([
    (0, 2, 1), (0, 3, 2), (4, 5, 6), (4, 6, 7), (0, 1, 5), (0, 5, 4),
    (1, 2, 6), (1, 6, 5), (2, 3, 7), (2, 7, 6), (3, 0, 4), (3, 4, 7),
])  # fmt: skip


def block(size: Many[float], at: Vector = (0.0, 0.0, 0.0), bevel: float = 0.0, steps: int = 1) -> Shape:
    """A box about `at`; `bevel` cuts its edges, `steps` > 1 rounds those along z."""
    width, depth, height = (float(s) for s in size)
    if bevel <= 0:
        return Shape(CORNERS * (width, depth, height) + np.asarray(at, np.float64), SIDES)
    bevel = min(bevel, 0.49 * min(width, depth, height))
    return moved(extrude(rectangle(width, depth, bevel, steps), height, bevel), at)


def extrude(outline: Float[Array, "k 2"], height: float, bevel: float = 0.0) -> Shape:
    """A plane outline extruded along z from −height/2 to height/2; `bevel` chamfers its rims."""
    outline = np.asarray(outline, np.float64)
    if signed_area(outline) < 0:
        outline = outline[::-1]
    top, inner = height / 2, inset(outline, bevel)
    levels = [(inner, -top), (outline, bevel - top), (outline, top - bevel), (inner, top)]
    rings = [lifted(ring, z) for ring, z in (levels if bevel > 0 else levels[::3])]
    caps = triangles_over(outline)
    centre = caps.max() == len(outline)  # a fan about an extra vertex
    mean = outline.mean(0)
    vertices = np.concatenate([*rings, *([[[*mean, -top], [*mean, top]]] if centre else [])])
    k, last = len(outline), len(outline) * (len(rings) - 1)
    lower = np.where(caps == k, k * len(rings), caps)[:, ::-1]
    upper = np.where(caps == k, k * len(rings) + 1, caps + last)
    return Shape(vertices, np.concatenate([_mantle(len(rings), k), lower, upper]))


def prism_along_x(outline: Path, length: float) -> Shape:
    """An outline of (y, z) extruded along x from −length/2 to length/2."""
    shape = extrude(np.array(outline, np.float64), length)
    return shape.with_(vertices=shape.vertices[:, [2, 0, 1]])


def lathe(profile: Many[tuple[float, float]] | Array, sides: int = 20) -> Shape:
    """A profile of (radius, z), lowest point first, revolved about z; flat caps close open ends."""
    profile = np.asarray(profile, np.float64)
    ends = [[[0.0, profile[0, 1]]] if profile[0, 0] > 0 else [], [[0.0, profile[-1, 1]]]]
    profile = np.concatenate(
        [np.reshape(ends[0], (-1, 2)), profile, np.reshape(ends[1] if profile[-1, 0] > 0 else [], (-1, 2))]
    )
    rings = profile[1:-1]
    vertices = np.concatenate([_turned(rings, sides), [[0, 0, profile[0, 1]], [0, 0, profile[-1, 1]]]])
    return Shape(vertices, _with_poles(len(rings), sides))


def scaled_lathe(profile: Many[tuple[float, float]] | Array, scale: float, sides: int = 16) -> Shape:
    """A lathe whose profile is in units of `scale`."""
    return lathe(scale * np.array(profile, np.float64), sides)


def disc(radius: float, thickness: float, sides: int = 16) -> Shape:
    """A flat cylinder about the origin."""
    return lathe([(radius, -thickness / 2), (radius, thickness / 2)], sides)


def ring(section: Many[tuple[float, float]] | Array, sides: int = 24) -> Shape:
    """A closed counter-clockwise section of (radius, z) revolved about z."""
    section = np.asarray(section, np.float64)
    if signed_area(section) < 0:
        section = section[::-1]
    k = len(section)
    faces = _mantle(k, sides)
    last = (k - 1) * sides + np.arange(sides)
    after = (k - 1) * sides + (np.arange(sides) + 1) % sides
    seam = [np.stack([last, after, after % sides], 1), np.stack([last, after % sides, last % sides], 1)]
    return Shape(_turned(section, sides), np.concatenate([faces, *seam]))


def washer(inner: float, outer: float, thickness: float, sides: int = 24) -> Shape:
    """A flat ring about the origin, between two radii."""
    section = rectangle(outer - inner, thickness) + np.array([(outer + inner) / 2, 0])
    return ring(section, sides)


def torus(radius: float, thickness: float, sides: int = 24, around: int = 8) -> Shape:
    """A round tube of radius `thickness` bent to a circle about z."""
    angle = angles(around)
    return ring(np.c_[radius + thickness * np.cos(angle), thickness * np.sin(angle)], sides)


def tube(path: Path, radius: float | Vector, sides: int = 10, rounded: bool = False) -> Shape:
    """A round tube along a polyline with one radius, or one per point.

    Frames follow by the smallest rotation, so that the tube does not twist. `rounded` closes the ends
    by half spheres instead of flat caps.
    """
    path = np.asarray(path, np.float64)
    radii = np.broadcast_to(np.asarray(radius, np.float64), len(path))
    if rounded:
        path, radii = _round_ends(path, radii)
    tangent = np.gradient(path, axis=0)
    tangent /= np.linalg.norm(tangent, axis=1, keepdims=True)
    side = np.cross(tangent[0], np.eye(3)[np.abs(tangent[0]).argmin()])
    angle = angles(sides)
    rings = []
    for point, along, r in zip(path, tangent, radii, strict=True):
        side = side - along * (side @ along)
        side /= np.linalg.norm(side)
        other = np.cross(along, side)
        rings.append(point + r * (np.cos(angle)[:, None] * side + np.sin(angle)[:, None] * other))
    vertices = np.concatenate([*rings, path[:1], path[-1:]])
    return Shape(vertices, _with_poles(len(path), sides))


def rod(start: Vector, end: Vector, radius: float | Vector, sides: int = 14) -> Shape:
    """A cylinder, or with two radii a cone, from one point to another."""
    return tube(np.stack([start, end]), radius, sides)


def dowel(at: Vector, half: Vector, radius: float | Vector, sides: int = 14) -> Shape:
    """A cylinder or cone about a point, from −half to half."""
    return rod(np.subtract(at, half), np.add(at, half), radius, sides)


def bar(start: Vector, end: Vector, width: float, depth: float, bevel: float = 0.0) -> Shape:
    """A block from one point to another, `width` and `depth` across."""
    along = np.subtract(end, start)
    return aimed(
        block((width, depth, float(np.linalg.norm(along))), bevel=bevel), along, np.add(start, end) / 2
    )


def pill(start: Vector, end: Vector, radius: float, sides: int = 12) -> Shape:
    """A rod with round ends."""
    return tube(np.stack([start, end]), radius, sides, rounded=True)


def ball(radius: float, at: Vector = (0.0, 0.0, 0.0), sides: int = 16) -> Shape:
    """A sphere."""
    angle = np.linspace(-np.pi / 2, np.pi / 2, sides // 2 + 1)
    profile = radius * np.c_[np.cos(angle), np.sin(angle)]
    profile[[0, -1], 0] = 0
    return moved(lathe(profile, sides), at)


def loop(path: Float[Array, "k 3"], radius: float, sides: int = 8) -> Shape:
    """A round tube along a closed plane curve."""
    path = np.asarray(path, np.float64)
    along = np.roll(path, -1, 0) - np.roll(path, 1, 0)
    along /= np.linalg.norm(along, axis=1, keepdims=True)
    normal = np.cross(path - path.mean(0), np.roll(path, -1, 0) - path.mean(0)).sum(0)
    normal /= np.linalg.norm(normal)
    outward, angle = np.cross(along, normal), angles(sides)
    spokes = np.cos(angle)[:, None, None] * outward + np.sin(angle)[:, None, None] * normal
    vertices = (path + radius * spokes).reshape(-1, 3)
    k = len(path)
    i, j = (x.ravel() for x in np.meshgrid(np.arange(sides), np.arange(k), indexing="ij"))
    a, b = i * k + j, i * k + (j + 1) % k
    c, d = (i + 1) % sides * k + (j + 1) % k, (i + 1) % sides * k + j
    return Shape(vertices, np.concatenate([np.stack([a, b, c], 1), np.stack([a, c, d], 1)]))


def _turned(points: Float[Array, "k 2"], sides: int) -> Float[Array, "n 3"]:
    angle = angles(sides)
    circle = np.stack([np.cos(angle), np.sin(angle), np.ones(sides)], 1)
    return (points[:, None, [0, 0, 1]] * circle).reshape(-1, 3)


def _mantle(rings: int, k: int) -> Int[Array, "m 3"]:
    """Faces between successive rings of k vertices, counter-clockwise seen from above."""
    start = k * np.arange(rings - 1)[:, None]
    here, after = start + np.arange(k), start + (np.arange(k) + 1) % k
    one, two = np.stack([here, after, after + k], -1), np.stack([here, after + k, here + k], -1)
    return np.concatenate([one.reshape(-1, 3), two.reshape(-1, 3)])


def _with_poles(rings: int, k: int) -> Int[Array, "m 3"]:
    """A mantle and fans to two poles; the poles are the vertices after the rings."""
    here, after = np.arange(k), (np.arange(k) + 1) % k
    low, last = np.full(k, rings * k), (rings - 1) * k
    fans = [np.stack([after, here, low], 1), np.stack([last + here, last + after, low + 1], 1)]
    return np.concatenate([_mantle(rings, k), *fans])


def _round_ends(path: Array, radii: Array) -> tuple[Array, Array]:
    """Extend a path by quarter circles of its radius at both ends."""
    angle = np.array([1.35, 1.0, 0.5])
    first, last = path[0] - path[1], path[-1] - path[-2]
    first, last = first / np.linalg.norm(first), last / np.linalg.norm(last)
    head = path[0] + radii[0] * np.sin(angle)[:, None] * first
    tail = path[-1] + radii[-1] * np.sin(angle)[::-1, None] * last
    radii = np.concatenate([radii[0] * np.cos(angle), radii, radii[-1] * np.cos(angle)[::-1]])
    return np.concatenate([head, path, tail]), radii
