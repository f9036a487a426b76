"""`FaceGraph`: faces of a surface in the unit ball, and the edges between them with their bends."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float, Int

from neurok.articulation.parts.components import face_areas, face_neighbours
from neurok.shapes.normals import unit_face_normals
from neurok.shapes.shape import Shape

Array = np.ndarray


@dataclass(frozen=True, eq=False)
class FaceGraph:
    """Faces of a surface and the edges between them, in the unit ball."""

    area: Float[Array, " m"]
    normals: Float[Array, "m 3"]  # unit
    centres: Float[Array, "m 3"]
    pairs: Int[Array, "p 2"]
    length: Float[Array, " p"]
    concavity: Float[Array, " p"]  # radians by which the surface bends inward; negative: outward


def face_graph(shape: Shape) -> FaceGraph:
    """Edges with their lengths and bends: the angle between normals, positive where the crease is concave."""
    pairs, ends = face_neighbours(shape)
    vertices, radius = shape.normalisation.apply(shape.vertices), shape.normalisation.radius
    normals = unit_face_normals(vertices, shape.faces)
    centres = vertices[shape.faces].mean(axis=1)
    i, j = pairs.T
    angle = np.arccos(np.clip((normals[i] * normals[j]).sum(axis=1), -1, 1))
    rises = (normals[i] * (centres[j] - centres[i])).sum(axis=1) > 0  # the neighbour is in front of the face
    length = np.linalg.norm(np.diff(vertices[ends], axis=1)[:, 0], axis=1)
    area = face_areas(shape) / radius**2
    return FaceGraph(area, normals, centres, pairs, length, np.where(rises, angle, -angle))
