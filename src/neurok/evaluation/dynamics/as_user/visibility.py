"""Visibility of surface points from outside."""

from __future__ import annotations

import numpy as np
from jaxtyping import Bool, Int

from neurok.dynamics.places import DIRECTIONS
from neurok.rendering.casting import Triangles
from neurok.shapes import Shape

Array = np.ndarray
START = 1e-3  # radii between a point and the start of its rays


class Seen:
    """The surface of a shape, into which rays are cast from its vertices."""

    def __init__(self, shape: Shape) -> None:
        self.points = shape.normalisation.apply(shape.vertices)
        self.triangles = Triangles(self.points[shape.faces])

    def from_outside(self, vertices: Int[Array, " v"]) -> Bool[Array, " v"]:
        """Whether, for each vertex, a ray in at least one of 26 directions meets nothing."""
        directions = DIRECTIONS[np.abs(DIRECTIONS).sum(1) > 0]
        directions = directions / np.linalg.norm(directions, axis=1, keepdims=True)
        origins = np.repeat(self.points[vertices], len(directions), axis=0)
        rays = np.tile(directions, (len(vertices), 1))
        hits = self.triangles.cast(origins, rays, np.full(len(rays), START), np.inf)
        return np.any((hits.face < 0).reshape(len(vertices), -1), axis=1)
