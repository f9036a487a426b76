"""The ray backend: renders the same picture with embreex and numpy, without an OpenGL driver."""

from __future__ import annotations

import numpy as np
from jaxtyping import Bool, Float, Int, UInt8

from neurok.rendering.casting import MAX_LAYERS, RAY_OFFSET, Hits, Triangles
from neurok.rendering.lighting import Projection, View
from neurok.rendering.render_mesh import RenderMesh
from neurok.rendering.shading import backdrop, shade
from neurok.rendering.shadows import BELOW_MAP, EMPTY, KEY_MAP, FloorShadows, floor_shadows, shadow_map
from neurok.rendering.surfels import Appearance

Array = np.ndarray
# The standard positions of four samples per pixel in OpenGL implementations.
SAMPLES = np.array([[-2, -6], [6, -2], [-6, 2], [2, 6]], np.float32) / 16
MIN_TRANSMITTANCE = 0.004  # less is not visible in 8 bits (1/255)


class RayRenderer:
    """Draws meshes by casting rays; antialiases only where neighbouring pixels see different surfaces."""

    backend = "ray"

    def __enter__(self) -> RayRenderer:
        return self

    def __exit__(self, *_) -> None:
        pass

    def load(self, mesh: RenderMesh) -> None:
        """Prepares appearance and topology, which are constant over a sequence."""
        self.mesh, self.appearance = mesh, Appearance(mesh)

    def move(self, positions: Float[Array, "n 3"], normals: Float[Array, "n 3"] | None) -> None:
        """Sets the vertices of the next frame, in render coordinates."""
        self.triangles, self.normals = Triangles(positions[self.mesh.faces]), normals

    def geometry(self, view: View) -> tuple[Float[Array, "h w"], Int[Array, "h w"]]:
        """Depth and face index of the mesh at every pixel centre; inf and −1 on the background."""
        rays = _rays(view, _centres(view))
        hits = self._see(view, rays, np.full(len(rays), view.near, np.float32))
        shape = (view.height, view.width)
        return hits.depth.reshape(shape), hits.face.reshape(shape)

    def color(self, view: View) -> UInt8[Array, "h w 3"]:
        """The shaded picture."""
        key_map, shadows = np.ones((1, 1), np.float32), None
        if np.isfinite(view.lighting.floor):
            key_depth = self._depth_map(view.lighting.key_view, KEY_MAP)
            below_depth = self._depth_map(view.lighting.below, BELOW_MAP)
            shadows, key_map = floor_shadows(view.lighting, key_depth, below_depth), shadow_map(key_depth)
        centres = _centres(view)
        rgb, first = self._trace(view, centres, key_map, shadows)
        rough = np.flatnonzero(self._edges(view, first))
        if len(rough):
            samples = (centres[rough, None] + SAMPLES).reshape(-1, 2)
            rgb[rough] = self._trace(view, samples, key_map, shadows)[0].reshape(-1, len(SAMPLES), 3).mean(1)
        return np.round(np.clip(rgb, 0, 1) * 255).astype(np.uint8).reshape(view.height, view.width, 3)

    def _see(self, view: View, rays: Float[Array, "k 3"], start: Float[Array, " k"]) -> Hits:
        """The first surfaces along view rays that are not cut out."""
        eyes = np.broadcast_to(view.eye.astype(np.float32), rays.shape)
        return self.triangles.cast_through(
            eyes,
            rays,
            start,
            view.far,
            lambda hits, along: self.appearance.open_to_sight(hits, self._footprint(view, hits, along)),
        )

    def _trace(
        self, view: View, pixels: Float[Array, "k 2"], key_map: Array, shadows: FloorShadows | None
    ) -> tuple[Float[Array, "k 3"], Hits]:
        """Encoded colours, composited through transparent layers, and the first hits."""
        rays, eye = _rays(view, pixels), view.eye.astype(np.float32)
        rgb, through = np.zeros((len(rays), 3), np.float32), np.ones(len(rays), np.float32)
        first = hits = self._see(view, rays, np.full(len(rays), view.near, np.float32))
        active = np.flatnonzero(hits.face >= 0)
        hits = hits[active]
        for _ in range(MAX_LAYERS):
            if not len(active):
                break
            along = rays[active]
            surfels = self.appearance.surfels(
                hits, along, eye + hits.depth[:, None] * along, self._footprint(view, hits, along),
                self.triangles, self.normals,
            )  # fmt: skip
            rgb[active] += (through[active] * surfels.alpha)[:, None] * shade(
                surfels, eye, view.lighting, key_map
            )
            through[active] *= 1 - surfels.alpha
            on = through[active] > MIN_TRANSMITTANCE
            active = active[on]
            hits = self._see(view, rays[active], hits.depth[on] + RAY_OFFSET)
            met = hits.face >= 0
            active, hits = active[met], hits[met]
        rest = np.flatnonzero(through > MIN_TRANSMITTANCE)
        rgb[rest] += through[rest, None] * backdrop(view, pixels[rest], rays[rest], shadows)
        return rgb, first

    def _footprint(self, view: View, hits: Hits, rays: Float[Array, "k 3"]) -> Float[Array, " k"]:
        """The area of a pixel on the surface relative to its triangle: (z / f)² over slope and area."""
        slope = np.abs(np.einsum("ki,ki->k", self.triangles.normals[hits.face], rays))
        area = np.maximum(self.triangles.area[hits.face], 1e-30)
        return (hits.depth / view.focal) ** 2 / (np.maximum(slope, 0.05) * area)

    def _depth_map(self, projection: Projection, side: int) -> Float[Array, "s s"]:
        """Depths 0…1 along a parallel projection, at texel centres."""
        texel = (np.arange(side, dtype=np.float32) + 0.5) / side - 0.5
        u, v = np.meshgrid(texel, texel)
        width = 2 * projection.half_width
        across, down, forward = (projection.axes * width).astype(np.float32)
        plane = projection.centre.astype(np.float32) - 0.5 * forward
        origins = plane + u.reshape(-1, 1) * across + v.reshape(-1, 1) * down
        rays = np.broadcast_to(forward, origins.shape)
        share = (width / side) ** 2

        def open_at(hits: Hits, _) -> Bool[Array, " k"]:
            return self.appearance.open_to_light(
                hits, share / np.maximum(self.triangles.area[hits.face], 1e-30)
            )

        hits = self.triangles.cast_through(origins, rays, np.zeros(len(origins), np.float32), 1.0, open_at)
        return np.minimum(hits.depth, EMPTY).reshape(side, side)

    def _edges(self, view: View, hits: Hits) -> Bool[Array, "h w"]:
        """Pixels that differ from a neighbour: another material, a crease or a step in depth."""
        shape = (view.height, view.width)
        face, depth = hits.face.reshape(shape), hits.depth.reshape(shape)
        seen = face >= 0
        batch = np.where(seen, self.appearance.batch[face] if len(self.appearance.batch) else 0, -1)
        normal = self.triangles.normals[face] if len(self.appearance.batch) else np.zeros((*shape, 3))
        points = _rays(view, _centres(view)).reshape(*shape, 3) * np.where(seen, depth, 0)[..., None]
        edges = np.zeros(shape, bool)
        for here, there in ((np.s_[:, 1:], np.s_[:, :-1]), (np.s_[1:], np.s_[:-1])):
            step = np.abs(np.einsum("hwi,hwi->hw", normal[here], points[here] - points[there]))
            bend = np.abs(np.einsum("hwi,hwi->hw", normal[here], normal[there]))
            other = (batch[here] != batch[there]) | (
                (face[here] != face[there])
                & seen[here]
                & ((bend < 0.93) | (step > 2 * depth[here] / view.focal))
            )
            edges[here] |= other
            edges[there] |= other
        return edges


def _centres(view: View) -> Float[Array, "k 2"]:
    """Pixel centres, row by row."""
    x, y = np.meshgrid(np.arange(view.width) + 0.5, np.arange(view.height) + 0.5)
    return np.stack([x.ravel(), y.ravel()], axis=1).astype(np.float32)


def _rays(view: View, pixels: Float[Array, "k 2"]) -> Float[Array, "k 3"]:
    """Directions through pixels, scaled to depth 1."""
    offset = (pixels - np.array([view.width, view.height], np.float32) / 2) / np.float32(view.focal)
    right, down, forward = view.rotation.astype(np.float32)
    return offset[:, :1] * right + offset[:, 1:] * down + forward
