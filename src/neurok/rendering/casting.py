"""Intersects rays with the triangles of one frame, with embreex (Intel Embree)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from embreex.mesh_construction import TriangleMesh
from embreex.rtcore_scene import EmbreeScene
from jaxtyping import Bool, Float, Int

Array = np.ndarray
MAX_LAYERS = 16  # of cut-out or transparent surfaces behind one pixel
RAY_OFFSET = 2e-6  # depth behind a surface at which a ray continues, in render coordinates


@dataclass(frozen=True, eq=False)
class Hits:
    """The first surface along each ray: depth (point = origin + depth · ray), face (−1: none) and weights."""

    depth: Float[Array, " k"]
    face: Int[Array, " k"]
    weights: Float[Array, "k 3"]  # barycentric

    def __getitem__(self, index) -> Hits:
        return Hits(self.depth[index], self.face[index], self.weights[index])


class Triangles:
    """The triangles of a frame and Embree's tree over them."""

    def __init__(self, corners: Float[Array, "m 3 3"]) -> None:
        self.corners = np.ascontiguousarray(corners, np.float32)
        edges = self.corners[:, 1:] - self.corners[:, :1]
        cross = np.cross(edges[:, 0], edges[:, 1])
        self.area = np.linalg.norm(cross, axis=1) / 2
        self.normals = cross / np.maximum(2 * self.area, 1e-30)[:, None]
        self.tree = EmbreeScene(robust=True) if len(corners) else None
        if self.tree is not None:
            TriangleMesh(self.tree, self.corners)

    def cast(
        self, origins: Float[Array, "k 3"], rays: Float[Array, "k 3"], start: Float[Array, " k"], far: float
    ) -> Hits:
        """First hits at depths from `start` to `far`."""
        nothing = Hits(
            np.full(len(rays), np.inf, np.float32),
            np.full(len(rays), -1),
            np.zeros((len(rays), 3), np.float32),
        )
        if self.tree is None or not len(rays):
            return nothing
        begin = np.ascontiguousarray(origins + start[:, None] * rays, np.float32)
        found = self.tree.run(begin, np.ascontiguousarray(rays, np.float32), output=1)
        depth = start + found["tfar"]
        hit = (found["primID"] >= 0) & (depth <= far)
        u, v = found["u"], found["v"]
        return Hits(
            np.where(hit, depth, np.inf).astype(np.float32),
            np.where(hit, found["primID"], -1),
            np.stack([1 - u - v, u, v], axis=1),
        )

    def cast_through(
        self, origins: Float[Array, "k 3"], rays: Float[Array, "k 3"], start: Float[Array, " k"], far: float,
        open_at: Callable[[Hits, Float[Array, "j 3"]], Bool[Array, " j"]],
    ) -> Hits:  # fmt: skip
        """First hits on opaque surfaces: a ray passes where `open_at(hits, rays)` is true."""
        hits = self.cast(origins, rays, start, far)
        active = np.flatnonzero(hits.face >= 0)
        active = active[open_at(hits[active], rays[active])]
        for _ in range(MAX_LAYERS):
            if not len(active):
                break
            again = self.cast(origins[active], rays[active], hits.depth[active] + RAY_OFFSET, far)
            hits.depth[active], hits.face[active], hits.weights[active] = (
                again.depth,
                again.face,
                again.weights,
            )
            met = again.face >= 0
            active, again = active[met], again[met]
            active = active[open_at(again, rays[active])]
        return hits
