"""Input of the networks: a mesh in its own frame and the unit ball, with its connected pieces."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch
from jaxtyping import Float
from torch import Tensor

from neurok.latent.own_frame import own_turn
from neurok.latent.surface import SurfacePoints
from neurok.shapes import Shape
from neurok.shapes.normals import unit_face_normals, vertex_normals
from neurok.shapes.sample import Samples, sample_surface
from neurok.shapes.surface import weld

Array = np.ndarray


@dataclass(frozen=True, eq=False)
class ShapeFeatures:
    """Samples for the encoder, all vertices as queries, and the map p = (U x − c) / r from the shape to both.

    U turns up to +Y and walls to face along X and Z. Vertices at one position are one query, so that texture
    seams never open.
    """

    shape: Shape
    turn: Float[Array, "3 3"]  # U
    centre: Float[Array, "3"]  # c
    radius: float  # r
    samples: Samples
    surface: SurfacePoints  # 1 × s
    queries: SurfacePoints  # 1 × welded vertices
    of_vertex: Array  # query of each vertex

    def to_shape(self, maps: Float[Tensor, "*batch 3 4"]) -> Float[Tensor, "*batch 3 4"]:
        """Maps p ↦ A p + t of the unit ball as maps x ↦ A' x + t' of the shape.

        A' = Uᵀ A U and t' = Uᵀ (r t + c − A c).
        """
        turn, centre = (torch.as_tensor(a, dtype=maps.dtype) for a in (self.turn, self.centre))
        linear = turn.T @ maps[..., :3] @ turn
        shift = self.radius * maps[..., 3] + centre - maps[..., :3] @ centre
        return torch.cat([linear, (shift @ turn)[..., None]], dim=-1)


def shape_features(shape: Shape, points: int = 1024, seed: int = 0) -> ShapeFeatures:
    """Even samples of the surface, and its welded vertices."""
    samples = sample_surface(shape, points, seed)
    normals = unit_face_normals(shape.vertices, shape.faces)[samples.face]
    turn = own_turn(shape, normals)
    centre, radius = turn @ shape.normalisation.centre, shape.normalisation.radius
    welded = weld(shape.vertices, shape.faces, np.zeros(len(shape.vertices), np.int32))
    component = welded.component
    corner = welded.of_vertex[shape.faces[samples.face, 0]]

    def points_of(points: Array, normals: Array, component: Array) -> SurfacePoints:
        arrays = ((points @ turn.T - centre) / radius, normals @ turn.T, component)
        types = (np.float32, np.float32, np.int32)
        return SurfacePoints(*(torch.tensor(a.astype(t))[None] for a, t in zip(arrays, types, strict=True)))

    return ShapeFeatures(
        shape, turn, centre, radius, samples,
        surface=points_of(samples.positions(shape), normals, component[corner]),
        queries=points_of(welded.vertices, vertex_normals(welded.vertices, welded.faces), component),
        of_vertex=welded.of_vertex,
    )  # fmt: skip
