"""`RenderMesh`: the topology and appearance of a shape, prepared for rendering in single precision."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float, Int
from PIL import Image

from neurok.rendering.camera import extent, shape_of
from neurok.sequences import Sequence
from neurok.shapes import Material, Shape
from neurok.shapes.appearance import Texture, TextureRole, srgb_to_linear
from neurok.shapes.surface import used_vertices

Array = np.ndarray
ROLES: tuple[TextureRole, ...] = ("color", "metallic_roughness", "emissive")  # used by shading
MAX_TEXTURE = 2048  # pixels along a side; larger textures are reduced


@dataclass(frozen=True, eq=False)
class Batch:
    """A range of the mesh's faces that share a material."""

    material: Material
    start: int
    stop: int


@dataclass(frozen=True, eq=False)
class RenderMesh:
    """Topology and appearance, uploaded once per sequence; positions are set frame by frame.

    Render coordinates are s = (x − centre) / radius, which keeps large or distant objects precise. Faces are
    ordered opaque, cut-out, blended, and by material within.
    """

    centre: Float[Array, "3"]
    radius: float
    up: Float[Array, "3"]
    floor: float  # height along `up`, in render coordinates
    faces: Int[Array, "m 3"]
    part: Int[Array, " m"]
    used: Int[Array, " k"]  # vertices that a face uses
    batches: tuple[Batch, ...]
    uv: Float[Array, "n 2"]
    colors: Float[Array, "n 4"]  # linear
    smooth: bool

    def local(self, positions: Float[Array, "n 3"]) -> Float[Array, "n 3"]:
        """Positions of a frame in render coordinates."""
        return np.ascontiguousarray((positions - self.centre) / self.radius, dtype=np.float32)


def build_render_mesh(item: Shape | Sequence) -> RenderMesh:
    """The mesh of a shape or sequence, with a floor below all frames."""
    shape = shape_of(item)
    low, high = extent(item)
    centre, radius = (low + high) / 2, float(np.linalg.norm(high - low)) / 2 or 1.0
    order, batches = _order(shape)
    up = shape.frame.up_vector
    n = len(shape.vertices)
    return RenderMesh(
        centre=centre,
        radius=radius,
        up=up,
        floor=float(up @ (low - centre)) / radius,
        faces=shape.faces[order],
        part=shape.part[order],
        used=used_vertices(shape.faces[order], n),
        batches=batches,
        uv=np.zeros((n, 2), np.float32) if shape.uv is None else np.nan_to_num(shape.uv),
        colors=np.ones((n, 4), np.float32) if shape.colors is None else _linear_colors(shape.colors),
        smooth=shape.normals is not None,
    )


def _order(shape: Shape) -> tuple[Int[Array, " m"], tuple[Batch, ...]]:
    """Faces with finite vertices in drawing order, and their batches."""
    finite = np.isfinite(shape.vertices[shape.faces]).all(axis=(1, 2))
    faces = np.flatnonzero(finite)
    rank = {"OPAQUE": 0, "MASK": 1, "BLEND": 2}
    key = np.array([rank[m.alpha_mode] * len(shape.materials) + i for i, m in enumerate(shape.materials)])
    keys = key[shape.material[faces]]
    by_key = np.argsort(keys, kind="stable")
    starts = np.flatnonzero(np.diff(keys[by_key], prepend=-1))
    stops = np.append(starts, len(faces))[1:]
    index = shape.material[faces[by_key]]
    batches = (Batch(shape.materials[index[a]], int(a), int(b)) for a, b in zip(starts, stops, strict=True))
    return faces[by_key].astype(np.int32), tuple(batches)


def textures_of(mesh: RenderMesh) -> dict[tuple[int, TextureRole], Texture]:
    """Every texture that shading uses, once per role, because colours are sRGB and roughness is linear."""
    return {
        (id(texture), role): texture
        for batch in mesh.batches for role, texture in batch.material.textures.items() if role in ROLES
    }  # fmt: skip


def texture_pixels(texture: Texture) -> Array:
    """The texture as RGBA bytes, bottom row first as in uv, halved until it fits `MAX_TEXTURE`."""
    image = texture.image()
    factor = 1
    while max(image.size) / factor > MAX_TEXTURE:
        factor *= 2
    image = image.reduce(factor) if factor > 1 else image
    return np.asarray(image.transpose(Image.Transpose.FLIP_TOP_BOTTOM))


def _linear_colors(colors: Array) -> Float[Array, "n 4"]:
    table = srgb_to_linear(np.arange(256) / 255)
    return np.column_stack([table[colors[:, :3]], colors[:, 3] / np.float32(255)]).astype(np.float32)
