"""Reads the surface attributes at ray hits: normal, colours and roughness."""

from __future__ import annotations

import numpy as np
from jaxtyping import Bool, Float, Int

from neurok.rendering.casting import Hits, Triangles
from neurok.rendering.mipmaps import build_mipmap
from neurok.rendering.render_mesh import RenderMesh, texture_pixels, textures_of
from neurok.rendering.shaders import SHARPEN
from neurok.rendering.shading import Surfels, dot
from neurok.shapes import Material
from neurok.shapes.appearance import TextureRole

Array = np.ndarray


class Appearance:
    """The appearance of a mesh at ray hits: interpolated attributes and mipmapped textures."""

    def __init__(self, mesh: RenderMesh) -> None:
        self.mesh = mesh
        self.batch = np.zeros(len(mesh.faces), np.int32)
        for index, batch in enumerate(mesh.batches):
            self.batch[batch.start : batch.stop] = index
        modes = np.array([b.material.alpha_mode for b in mesh.batches], dtype="U6")
        self.cut, self.glass = modes == "MASK", modes == "BLEND"
        self.mipmaps = {
            key: build_mipmap(texture_pixels(texture), srgb=key[1] != "metallic_roughness")
            for key, texture in textures_of(mesh).items()
        }
        u, v, w = (mesh.uv[mesh.faces[:, k]].astype(np.float64) for k in range(3))
        (a, b), (c, d) = (v - u).T, (w - u).T
        self.uv_area = np.abs(a * d - b * c) / 2

    def open_to_sight(self, hits: Hits, footprint: Float[Array, " k"]) -> Bool[Array, " k"]:
        """Whether a view ray passes: through cut-outs."""
        batch = self.batch[hits.face]
        result = np.zeros(len(batch), bool)
        for index in np.unique(batch[self.cut[batch]]):
            here = np.flatnonzero(batch == index)
            material = self.mesh.batches[index].material
            alpha = self._base(material, hits[here], footprint[here])[:, 3]
            result[here] = alpha < min(material.alpha_cutoff, 1.0)
        return result

    def open_to_light(self, hits: Hits, footprint: Float[Array, " k"]) -> Bool[Array, " k"]:
        """Whether a shadow ray passes: through cut-outs and transparent materials."""
        return self.open_to_sight(hits, footprint) | self.glass[self.batch[hits.face]]

    def surfels(
        self, hits: Hits, rays: Float[Array, "k 3"], points: Float[Array, "k 3"],
        footprint: Float[Array, " k"], triangles: Triangles, normals: Float[Array, "n 3"] | None,
    ) -> Surfels:  # fmt: skip
        """The surface attributes at hits. Normals point to the eye's side of the triangle."""
        base, glow = np.empty((len(rays), 4), np.float32), np.empty((len(rays), 3), np.float32)
        mr = np.empty((len(rays), 2), np.float32)
        batch = self.batch[hits.face]
        for index in np.unique(batch):
            here = np.flatnonzero(batch == index)
            material, at, width = self.mesh.batches[index].material, hits[here], footprint[here]
            base[here] = self._base(material, at, width)
            if not self.glass[index]:
                base[here, 3] = 1.0
            mr[here] = self._read(material, "metallic_roughness", at, width)[:, [2, 1]]
            mr[here] *= np.array([material.metallic, material.roughness], np.float32)
            glow[here] = self._read(material, "emissive", at, width)[:, :3] * np.float32(material.emissive)
        facing = self._facing(hits, rays, triangles, normals)
        return Surfels(points, facing, base[:, :3], base[:, 3], mr[:, :1], mr[:, 1:], glow)

    def _facing(
        self, hits: Hits, rays: Array, triangles: Triangles, normals: Array | None
    ) -> Float[Array, "k 3"]:
        flat = triangles.normals[hits.face]
        flat = np.where(dot(flat, rays) > 0, -flat, flat)
        if normals is None:
            return flat
        smooth = _mix(normals, self.mesh.faces, hits)
        length = np.linalg.norm(smooth, axis=1, keepdims=True)
        smooth = np.where(length > 1e-6, smooth / np.maximum(length, 1e-6), flat)
        return np.where(dot(smooth, flat) < 0, -smooth, smooth)

    def _base(self, material: Material, hits: Hits, footprint: Float[Array, " k"]) -> Float[Array, "k 4"]:
        colour = _mix(self.mesh.colors, self.mesh.faces, hits) * np.array(material.color, np.float32)
        return colour * self._read(material, "color", hits, footprint)

    def _read(
        self, material: Material, role: TextureRole, hits: Hits, footprint: Float[Array, " k"]
    ) -> Float[Array, "k 4"]:
        """The texture at hits, at the level whose texels match the pixel size; white without a texture.

        `footprint` is the area of a pixel on the surface relative to its triangle. A texture of w × h texels
        has footprint · (uv area) · w h of them under the pixel, and the level is half of log₂ of that.
        """
        texture = material.textures.get(role)
        if texture is None:
            return np.ones((len(hits.face), 4), np.float32)
        mipmap = self.mipmaps[id(texture), role]
        texels = footprint * self.uv_area[hits.face] * float(mipmap.width[0]) * float(mipmap.height[0])
        level = np.log2(np.maximum(texels, 1e-9)) / 2 + SHARPEN
        return mipmap.sample(_mix(self.mesh.uv, self.mesh.faces, hits), level)


def _mix(column: Float[Array, "n c"], faces: Int[Array, "m 3"], hits: Hits) -> Float[Array, "k c"]:
    """Interpolates a per-vertex attribute at hits."""
    corner = faces[hits.face]
    return sum(column[corner[:, k]] * hits.weights[:, k : k + 1] for k in range(3))  # type: ignore[return-value]
