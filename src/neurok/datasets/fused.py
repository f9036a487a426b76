"""Fuses an object into one surface, as a scan shows it: no interior, closed gaps, noise, holes, few faces.

The surface is the boundary, seen from outside, of the points nearer to the object than a reach r. It is
wrapped back onto the object, so that gaps narrower than 2 r are bridged and wider ones stay grooves. Each
face keeps the part of the nearest face of the object.
"""

from __future__ import annotations

import zlib
from dataclasses import dataclass

import fast_simplification
import igl
import numpy as np
from jaxtyping import Bool, Float, Int
from scipy import ndimage, sparse

from neurok.errors import InputError
from neurok.shapes.sample import sample_surface
from neurok.shapes.shape import Shape
from neurok.shapes.surface import Surface, weld

Array = np.ndarray
MARGIN = 4  # grid steps around the object
MIN_REACH = 0.6  # grid steps; below 0.5 a walk along the grid passes through a wall
BAND = 3  # grid steps around the surface in which distances are computed
SPACING = 0.7  # grid steps between samples that mark the band
SMALLEST_PIECE = 0.01  # of the area: smaller closed pieces of the wrap are dropped
SHELL_THICKNESS = 0.25  # share of the reach that stays between the wrap and the object
NOISE_STEPS = 12  # smoothings that turn white noise into waves


@dataclass(frozen=True)
class FusedRanges:
    """Ranges from which a scan is drawn. Lengths in grid steps, unless said otherwise."""

    resolution: tuple[int, int] = (72, 128)  # grid steps along the longest side
    reach: tuple[float, float] = (MIN_REACH, 1.1)  # half of the widest gap that is bridged
    blur: tuple[int, int] = (0, 3)  # smoothings of the surface, which round its edges
    noise: tuple[float, float] = (0.0, 0.2)  # standard deviation of the waves
    grain: tuple[float, float] = (0.0, 0.08)  # standard deviation of independent noise of the vertices
    faces: tuple[int, int] = (4000, 10_000)
    holes: int = 3  # at most
    hole_radius: tuple[float, float] = (0.02, 0.08)  # of the longest side
    open_bottom: float = 0.3  # probability that the underside is missing


def fused(shape: Shape, rng: np.random.Generator, ranges: FusedRanges = FusedRanges()) -> Shape:  # noqa: B008
    """One surface around all that is visible from outside, with the parts and the joints of the object.

    Parts that no visible face belongs to are dropped from `part_names`. Materials, colours and textures are
    dropped.
    """
    step = float(np.ptp(shape.bounds, axis=0).max()) / rng.integers(*ranges.resolution, endpoint=True)
    if not (shape.area > 0 and step > 0):
        raise InputError(shape.name, "has no surface to fuse", "Give a mesh whose triangles have an area")
    object_faces = np.ascontiguousarray(shape.faces, np.int64)
    reach = float(rng.uniform(*ranges.reach))
    wrap = _wrapped(shape, object_faces, step, reach)
    surface = _scanned(wrap, step, rng, ranges)
    surface = surface[0], surface[1][_seen(*surface, shape, step, rng, ranges)]
    used, index = np.unique(surface[1], return_inverse=True)
    vertices, faces = surface[0][used], index.reshape(-1, 3)
    _, nearest, _ = igl.point_mesh_squared_distance(vertices[faces].mean(1), shape.vertices, object_faces)
    kept, part = np.unique(shape.part[np.asarray(nearest)], return_inverse=True)
    names = tuple(shape.part_names[k] for k in kept)
    return Shape(vertices, faces, shape.name, part.ravel(), names, joints=shape.joints, frame=shape.frame)


def fused_by_name(shape: Shape) -> Shape:
    """A fused scan of the object, with a seed derived from its name."""
    return fused(shape, np.random.default_rng(zlib.crc32(shape.name.encode())))


def _wrapped(shape: Shape, faces: Int[Array, "m 3"], step: float, reach: float) -> Surface:
    """The level set d = r of the distance to the object, as seen from outside, moved back onto the object."""
    grid, distance = _distances(shape, faces, step)
    free = np.zeros(distance.shape, np.int32)
    ndimage.label(distance > reach * step, output=free)
    enclosed = (distance > reach * step) & (free != free[0, 0, 0])
    value = np.where(enclosed, -step, distance - reach * step)
    nx, ny, nz = grid.shape[:3]
    order = (2, 1, 0)  # x varies fastest
    points = np.ascontiguousarray(grid.transpose(*order, 3).reshape(-1, 3))
    found = igl.marching_cubes(np.ascontiguousarray(value.transpose(order).ravel()), points, nx, ny, nz, 0.0)
    corners, triangles = np.asarray(found[0], float), np.asarray(found[1], np.int32)
    wrap = _large_pieces(weld(corners, triangles, np.zeros(len(corners), np.int32)))
    square, _, nearest = igl.point_mesh_squared_distance(wrap.vertices, shape.vertices, faces)
    stay = SHELL_THICKNESS * reach * step / np.maximum(np.sqrt(square), 1e-12)
    nearest = np.asarray(nearest)
    wrapped = nearest + (wrap.vertices - nearest) * np.minimum(stay, 1.0)[:, None]
    return Surface(wrapped, wrap.faces, wrap.of_vertex)


def _distances(
    shape: Shape, faces: Int[Array, "m 3"], step: float
) -> tuple[Float[Array, "x y z 3"], Float[Array, "x y z"]]:
    """Grid points, and their distances to the object within the band (elsewhere the width of the band)."""
    low, high = shape.bounds
    size = np.ceil((high - low) / step).astype(int) + 2 * MARGIN + 1
    axes = [low[k] + (np.arange(size[k]) - MARGIN) * step for k in range(3)]
    grid = np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1)
    count = int(2 * shape.area / (SPACING * step) ** 2)
    points = sample_surface(shape, count, even=False).positions(shape)
    near = np.zeros(size, bool)
    near[tuple(np.rint((points - low) / step).astype(int).T + MARGIN)] = True
    near = np.asarray(ndimage.binary_dilation(near, iterations=BAND), bool)
    distance = np.full(size, BAND * step)
    square, _, _ = igl.point_mesh_squared_distance(grid[near], shape.vertices, faces)
    distance[near] = np.sqrt(square)
    return grid, distance


def _large_pieces(surface: Surface) -> Surface:
    """The surface without closed pieces of little area: dust, and cavities of the wrap."""
    component = surface.component[surface.faces[:, 0]]
    a, b, c = (surface.vertices[surface.faces[:, k]] for k in range(3))
    area = np.bincount(component, np.linalg.norm(np.cross(b - a, c - a), axis=1))
    kept = (area >= SMALLEST_PIECE * area.sum())[component]
    used, index = np.unique(surface.faces[kept], return_inverse=True)
    return Surface(surface.vertices[used], index.reshape(-1, 3).astype(np.int32), np.arange(len(used)))


def _scanned(
    wrap: Surface, step: float, rng: np.random.Generator, ranges: FusedRanges
) -> tuple[Float[Array, "n 3"], Int[Array, "m 3"]]:
    """The surface blurred, with noise, decimated."""
    mean = sparse.diags(1 / np.maximum(np.diff(wrap.adjacency.indptr), 1)) @ (wrap.adjacency > 0)
    points = wrap.vertices
    for _ in range(rng.integers(*ranges.blur, endpoint=True)):
        points = (points + mean @ points) / 2
    waves = rng.standard_normal(points.shape)
    for _ in range(NOISE_STEPS):
        waves = mean @ waves
    waves *= rng.uniform(*ranges.noise) * step / max(float(waves.std()), 1e-12)
    grain = rng.uniform(*ranges.grain) * step * rng.standard_normal(points.shape)
    points = points + waves + grain
    target = int(rng.integers(*ranges.faces, endpoint=True))
    if len(wrap.faces) <= target:
        return points, wrap.faces
    centre = points.mean(0)
    light, faces, *_ = fast_simplification.simplify(
        ((points - centre) / step).astype(np.float32), wrap.faces, target_count=target
    )
    return light.astype(np.float64) * step + centre, faces


def _seen(
    vertices: Float[Array, "n 3"],
    faces: Int[Array, "m 3"],
    shape: Shape,
    step: float,
    rng: np.random.Generator,
    ranges: FusedRanges,
) -> Bool[Array, " m"]:
    """Faces outside a few round holes, and not on the underside if that is missing."""
    up, side = shape.frame.up_vector, float(np.ptp(shape.bounds, axis=0).max())
    centres = vertices[faces].mean(1)
    seen = np.ones(len(faces), bool)
    for _ in range(rng.integers(0, ranges.holes, endpoint=True)):
        middle = centres[rng.integers(len(centres))]
        seen &= np.linalg.norm(centres - middle, axis=1) > side * rng.uniform(*ranges.hole_radius)
    if rng.random() < ranges.open_bottom:
        a, b, c = (vertices[faces[:, k]] for k in range(3))
        normal = np.cross(b - a, c - a)
        down = normal @ up < -0.7 * np.linalg.norm(normal, axis=1)
        seen &= ~(down & (centres @ up < shape.bounds[0] @ up + 2 * step))
    return seen if seen.any() else np.ones(len(faces), bool)
