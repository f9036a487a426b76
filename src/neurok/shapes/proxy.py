"""Decimated proxies of large meshes, with a binding that carries proxy motion back to every vertex."""

from __future__ import annotations

from dataclasses import dataclass

import fast_simplification
import igl
import numpy as np
from jaxtyping import Float, Int

from neurok.errors import InputError
from neurok.shapes.normals import face_normals
from neurok.shapes.shape import Shape
from neurok.shapes.surface import Surface

Array = np.ndarray
SLIVER_AREA = 1e-6  # twice the area relative to the longest side squared up to which a triangle is a sliver


@dataclass(frozen=True, eq=False)
class Binding:
    """Every vertex of a shape in the local frame of one triangle of a proxy.

    x = a + u (b − a) + v (c − a) + w n̂ √(2·area). This is exact at rest and under rigid motion and uniform
    scaling of the proxy.
    """

    triangle: Int[Array, "n 3"]  # proxy vertices
    local: Float[Array, "n 3"]  # u, v, w

    def positions(self, proxy: Float[Array, "*batch p 3"]) -> Float[Array, "*batch n 3"]:
        """The shape's vertices for a moved proxy."""
        a, b, c = (proxy[..., self.triangle[:, k], :] for k in range(3))
        u, v, w = (self.local[:, k, None] for k in range(3))
        return a + u * (b - a) + v * (c - a) + w * _upright(a, b, c)


@dataclass(frozen=True, eq=False)
class Proxy:
    """A decimated copy of a shape's surface and the binding of the shape to it."""

    shape: Shape
    binding: Binding


def make_proxy(shape: Shape, max_faces: int = 20_000) -> Proxy:
    """Decimates the welded surface by quadric edge collapses and binds the shape to the result.

    The error metric is that of Garland and Heckbert (1997). A vertex is bound to a triangle around the proxy
    vertex that it collapsed into, so it stays on its own connected component. If decimation removed the
    whole component, the vertex is bound to the nearest triangle in space.
    """
    surface = shape.surface
    light, target = surface, np.arange(len(surface.vertices))
    if len(surface.faces) > max_faces:
        light, target = _decimate(surface, max_faces)
    light = _without_slivers(light, shape.name)
    corners = light.faces[_nearest_triangle(surface.vertices, light, target)]
    local = _local(surface.vertices, *(light.vertices[corners[:, k]] for k in range(3)))
    stand_in = Shape(
        light.vertices,
        light.faces,
        name=f"{shape.name} (proxy)",
        part=_part_of(shape, surface, light, target),
        part_names=shape.part_names,
        frame=shape.frame,
    )
    return Proxy(stand_in, Binding(corners[surface.of_vertex], local[surface.of_vertex]))


def _upright(a: Array, b: Array, c: Array) -> Array:
    """The triangle's normal, scaled to length √(2·area)."""
    normal = np.cross(b - a, c - a)
    length = np.linalg.norm(normal, axis=-1, keepdims=True)
    return normal / np.sqrt(np.maximum(length, np.finfo(float).tiny))


def _local(points: Float[Array, "k 3"], a: Array, b: Array, c: Array) -> Float[Array, "k 3"]:
    """(u, v, w) of each point in the frame of its triangle, so that x = a + u (b − a) + v (c − a) + w n."""
    e, f, n = b - a, c - a, _upright(a, b, c)
    x = points - a
    square = (n * n).sum(-1)  # |n|² = |e × f|
    u = (np.cross(x, f) * n).sum(-1) / square**1.5
    v = (np.cross(e, x) * n).sum(-1) / square**1.5
    return np.stack([u, v, (x * n).sum(-1) / square], axis=-1)


def _decimate(surface: Surface, max_faces: int) -> tuple[Surface, Int[Array, " s"]]:
    """The decimated surface, and the vertex of it that each vertex collapsed into (−1: removed)."""
    centre = surface.vertices.mean(0)
    scale = float(np.abs(surface.vertices - centre).max()) or 1.0
    unit = ((surface.vertices - centre) / scale).astype(np.float32)
    faces = surface.faces.astype(np.int32)
    *_, collapses = fast_simplification.simplify(unit, faces, target_count=max_faces, return_collapses=True)
    points, light, target = fast_simplification.replay_simplification(unit, faces, collapses)
    vertices = points.astype(np.float64) * scale + centre
    return Surface(vertices, light.astype(np.int32), np.arange(len(vertices))), target


def _without_slivers(surface: Surface, name: str) -> Surface:
    """The surface without triangles too thin to define a frame."""
    corners = surface.vertices[surface.faces]
    longest = np.linalg.norm(corners - np.roll(corners, 1, axis=1), axis=-1).max(axis=1)
    area = np.linalg.norm(face_normals(surface.vertices, surface.faces), axis=1)
    proper = area > SLIVER_AREA * longest**2
    if not proper.any():
        raise InputError(name, "has no surface area", "Give a mesh whose triangles have an area")
    return surface if proper.all() else Surface(surface.vertices, surface.faces[proper], surface.of_vertex)


def _nearest_triangle(
    points: Float[Array, "s 3"], light: Surface, target: Int[Array, " s"]
) -> Int[Array, " s"]:
    """The triangle that fits each point best, among those around its target vertex."""
    origin, *_ = corners = [light.vertices[light.faces[:, k]] for k in range(3)]
    to_local = np.linalg.inv(
        np.stack([corners[1] - origin, corners[2] - origin, _upright(*corners)], axis=-1)
    )
    order = np.argsort(light.faces.ravel(), kind="stable")
    around = order // 3  # faces sorted by vertex
    start = np.searchsorted(light.faces.ravel()[order], np.arange(len(light.vertices) + 1))
    count = np.where(target >= 0, start[target + 1] - start[target], 0)
    best, least = np.full(len(points), -1), np.full(len(points), np.inf)
    for k in range(int(count.max(initial=0))):  # the k-th triangle of every fan with more than k
        row = np.flatnonzero(count > k)
        face = around[start[target[row]] + k]
        fit = _ill_fit(np.einsum("rij,rj->ri", to_local[face], points[row] - origin[face]))
        better = fit < least[row]
        best[row[better]], least[row[better]] = face[better], fit[better]
    lost = best < 0
    if lost.any():
        _, nearest, _ = igl.point_mesh_squared_distance(
            points[lost], light.vertices, light.faces.astype(np.int64)
        )
        best[lost] = nearest
    return best


def _ill_fit(local: Float[Array, "k 3"]) -> Float[Array, " k"]:
    """Fit penalty of a triangle for a point: its distance beside the triangle, then its height above it."""
    u, v, w = local.T
    beside = np.maximum(-u, 0) + np.maximum(-v, 0) + np.maximum(u + v - 1, 0)
    return 10 * beside + np.abs(w)


def _part_of(shape: Shape, surface: Surface, light: Surface, target: Int[Array, " s"]) -> Int[Array, " f"]:
    """The part of each proxy face, taken from a vertex that collapsed into its first corner."""
    part = np.zeros(len(surface.vertices), np.int32)
    part[surface.of_vertex] = shape.vertex_part
    label = np.zeros(len(light.vertices), np.int32)
    label[target[target >= 0]] = part[target >= 0]
    return label[light.faces[:, 0]]
