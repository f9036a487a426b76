"""Which points of a surface are seen from outside."""

from __future__ import annotations

import numpy as np
from jaxtyping import Bool, Int

from neurok.dynamics.places import DIRECTIONS
from neurok.rendering.casting import Triangles
from neurok.shapes import Shape

Array = np.ndarray
START = 1e-3  # radii from the point at which a ray begins


class Seen:
    """Rays from points of a surface to the outside."""

    def __init__(self, shape: Shape) -> None:
        self.points = shape.normalisation.apply(shape.vertices)
        self.triangles = Triangles(self.points[shape.faces])

    def from_outside(self, vertices: Int[Array, " v"]) -> Bool[Array, " v"]:
        """Whether a ray from each vertex in one of 26 directions meets nothing."""
        ways = DIRECTIONS[np.abs(DIRECTIONS).sum(1) > 0]
        ways = ways / np.linalg.norm(ways, axis=1, keepdims=True)
        origins = np.repeat(self.points[vertices], len(ways), axis=0)
        rays = np.tile(ways, (len(vertices), 1))
        hits = self.triangles.cast(origins, rays, np.full(len(rays), START), np.inf)
        return np.any((hits.face < 0).reshape(len(vertices), -1), axis=1)
