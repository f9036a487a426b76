"""Points of the parts of a shape, in its canonical frame and the unit ball."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float, Int
from scipy.spatial import KDTree

from neurok.articulation.parts.components import face_areas, face_components
from neurok.articulation.parts.surface_cues import openness
from neurok.errors import InputError
from neurok.latent.own_frame import own_turn
from neurok.rendering.casting import Triangles
from neurok.shapes import Shape
from neurok.shapes.normals import unit_face_normals
from neurok.shapes.sample import sample_surface

Array = np.ndarray
DENSE_SPACING = 0.02  # radii between the dense samples
MAX_DENSE_POINTS = 40_000


@dataclass(frozen=True, eq=False)
class LoosePieces:
    """Loose pieces of all parts, such as a panel, its handle and the screws of that."""

    part: Int[Array, " n"]
    area: Float[Array, " n"]
    middle: Float[Array, "n 3"]
    spread: Float[Array, "n 3 3"]  # covariance of the corners


@dataclass(frozen=True, eq=False)
class PartClouds:
    """Points of every part, p = (U x − c) / r.

    Up is +Y, walls face along X and Z, and the farthest point has distance 1 from the centre of the box.
    """

    names: tuple[str, ...]
    points: Float[Array, "k s 3"]
    normals: Float[Array, "k s 3"]
    open: Float[Array, "k s"]  # share of the directions about the normal in which nothing is met
    area: Float[Array, " k"]
    dense: Float[Array, "d 3"]  # of the whole surface
    dense_normals: Float[Array, "d 3"]
    dense_part: Int[Array, " d"]
    pieces: LoosePieces
    turn: Float[Array, "3 3"]  # U
    centre: Float[Array, "3"]  # c, after the turn
    radius: float  # r

    @property
    def count(self) -> int:
        return len(self.names)

    def direction_to_shape(self, axis: Float[Array, "*n 3"]) -> Float[Array, "*n 3"]:
        """Direction in the shape's coordinates: Uᵀ a."""
        return axis @ self.turn

    def point_to_shape(self, point: Float[Array, "*n 3"]) -> Float[Array, "*n 3"]:
        """Point in the shape's coordinates: Uᵀ (r p + c)."""
        return (point * self.radius + self.centre) @ self.turn

    def direction_from_shape(self, axis: Float[Array, "*n 3"]) -> Float[Array, "*n 3"]:
        return axis @ self.turn.T

    def point_from_shape(self, point: Float[Array, "*n 3"]) -> Float[Array, "*n 3"]:
        return (point @ self.turn.T - self.centre) / self.radius


def read_parts(shape: Shape, points: int = 256, seed: int = 0) -> PartClouds:
    """Samples of every part, and dense samples of the whole surface."""
    normal = unit_face_normals(shape.vertices, shape.faces)
    whole = sample_surface(shape, 1024, seed, even=False)
    turn = own_turn(shape, normal[whole.face])
    centre, radius = turn @ shape.normalisation.centre, shape.normalisation.radius

    def inside(x: Float[Array, "n 3"]) -> Float[Array, "n 3"]:
        return (x @ turn.T - centre) / radius

    clouds, normals, areas = [], [], []
    for part, name in enumerate(shape.part_names):
        own = Shape(shape.vertices, shape.faces[shape.part == part], name)
        if not own.area > 0:
            raise InputError(shape.name, f"part {name!r} has no surface", "Remove it, or merge it")
        samples = sample_surface(own, points, seed, even=False)
        mixed = np.random.default_rng([seed, part]).permutation(points)  # any prefix covers the whole part
        clouds.append(inside(samples.positions(own))[mixed])
        normals.append(unit_face_normals(own.vertices, own.faces)[samples.face][mixed] @ turn.T)
        areas.append(own.area / radius**2)
    triangles = Triangles(inside(shape.vertices)[shape.faces])
    flat = np.concatenate(clouds), np.concatenate(normals)
    count = int(np.clip(shape.area / radius**2 / DENSE_SPACING**2, 2_000, MAX_DENSE_POINTS))
    dense = sample_surface(shape, count, seed, even=False)
    return PartClouds(
        shape.part_names, np.stack(clouds), np.stack(normals),
        openness(triangles, *flat).reshape(len(clouds), points), np.array(areas),
        inside(dense.positions(shape)), normal[dense.face] @ turn.T, shape.part[dense.face].astype(np.int64),
        _pieces(shape, inside(shape.vertices)), turn, centre, radius,
    )  # fmt: skip


def _pieces(shape: Shape, vertices: Float[Array, "v 3"]) -> LoosePieces:
    """Area-weighted centre and covariance of the corners of each piece."""
    label = face_components(shape, within=shape.part)
    area = face_areas(shape) / shape.normalisation.radius**2
    corners = vertices[shape.faces]  # m 3 3
    total = np.maximum(np.bincount(label, area), 1e-12)

    def mean(x: Float[Array, "m ..."]) -> Float[Array, "n ..."]:
        flat = x.reshape(len(x), -1)
        sums = [np.bincount(label, area * flat[:, k]) for k in range(flat.shape[1])]
        return (np.stack(sums, axis=1) / total[:, None]).reshape(-1, *x.shape[1:])

    middle = mean(corners.mean(1))
    off = corners - middle[label][:, None]
    of_piece = np.zeros(len(total), np.int64)
    of_piece[label] = shape.part
    return LoosePieces(of_piece, total, middle, mean(np.einsum("mci,mcj->mij", off, off) / 3))


def search_tree(points: Float[Array, "n 3"]) -> KDTree:
    """KD-tree split at the midpoint.

    It is built faster than at the median, and is as good for evenly spread points.
    """
    return KDTree(points, balanced_tree=False, compact_nodes=False)
