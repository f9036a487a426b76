"""Reads materials and textures of a glTF file; images keep their encoding."""

from __future__ import annotations

import io
from dataclasses import dataclass
from typing import Literal

import numpy as np
from jaxtyping import Float
from PIL import Image

from neurok.errors import InputError
from neurok.shapes.appearance import Material, Texture, TextureRole
from neurok.shapes.gltf.container import resolve
from neurok.shapes.gltf.document import Document
from neurok.shapes.gltf.fields import REQUIRED, Fields

Array = np.ndarray
FORMATS: dict[str | None, Literal["image/png", "image/jpeg", "image/webp"]] = {
    "PNG": "image/png", "JPEG": "image/jpeg", "WEBP": "image/webp",
}  # fmt: skip
SPECULAR_GLOSSINESS = "KHR_materials_pbrSpecularGlossiness"


@dataclass(frozen=True)
class Mapping2D:
    """The texture coordinate set of a material and its transform (KHR_texture_transform)."""

    texcoord: int = 0
    offset: tuple[float, ...] = (0.0, 0.0)
    rotation: float = 0.0
    scale: tuple[float, ...] = (1.0, 1.0)


def transformed(uv: Float[Array, "n 2"], mapping: Mapping2D) -> Float[Array, "n 2"]:
    """T · R · S · uv with glTF's origin at the top left, then v ↦ 1 − v for an origin at the lower left."""
    uv = uv.astype(np.float64)
    if mapping.offset != (0.0, 0.0) or mapping.rotation or mapping.scale != (1.0, 1.0):
        c, s = np.cos(mapping.rotation), np.sin(mapping.rotation)
        uv = (uv * mapping.scale) @ np.array([[c, -s], [s, c]]) + mapping.offset
    return np.stack([uv[:, 0], 1.0 - uv[:, 1]], axis=1).astype(np.float32)


def read_materials(
    document: Document, used: set[int], notes: dict[str, None]
) -> tuple[dict[int, Material], dict[int, Mapping2D]]:
    """The used materials by index, and the texture mapping of each."""
    fields = document.root.objects("materials")
    pictures: dict[int, Texture | None] = {}
    pairs = {i: read_material(document, fields[i], pictures, notes) for i in sorted(used)}
    return {i: m for i, (m, _) in pairs.items()}, {i: p for i, (_, p) in pairs.items()}


def read_material(
    document: Document, f: Fields, pictures: dict[int, Texture | None], notes: dict[str, None]
) -> tuple[Material, Mapping2D]:
    pbr, gloss = f.object("pbrMetallicRoughness"), f.object("extensions").object(SPECULAR_GLOSSINESS)
    is_gloss = SPECULAR_GLOSSINESS in f.object("extensions")
    name = f.text("name", "") or f.where
    if is_gloss:
        notes[f"material {name!r}: specular and glossiness are approximated by its diffuse colour"] = None
    slots: dict[TextureRole, Fields | None] = {
        "color": slot(gloss, "diffuseTexture") if is_gloss else slot(pbr, "baseColorTexture"),
        "metallic_roughness": slot(pbr, "metallicRoughnessTexture") if not is_gloss else None,
        "normal": slot(f, "normalTexture"),
        "occlusion": slot(f, "occlusionTexture"),
        "emissive": slot(f, "emissiveTexture"),
    }
    mapping, textures = Mapping2D(), {}
    for role, info in slots.items():
        texture = None if info is None else read_texture(document, info, pictures, notes)
        if info is None or texture is None:
            continue
        if textures and read_mapping(info) != mapping:
            notes[
                f"material {name!r}: its {role} texture has another mapping than the others and is dropped"
            ] = None
            continue
        mapping, textures[role] = read_mapping(info), texture
    color = (
        gloss.numbers("diffuseFactor", 4, (1.0,) * 4)
        if is_gloss
        else pbr.numbers("baseColorFactor", 4, (1.0,) * 4)
    )
    mode = f.text("alphaMode", "OPAQUE")
    material = Material(
        name=name,
        color=unit(color),  # type: ignore[arg-type]
        metallic=0.0 if is_gloss else unit([pbr.number("metallicFactor", 1.0)])[0],
        roughness=unit(
            [1 - gloss.number("glossinessFactor", 1.0) if is_gloss else pbr.number("roughnessFactor", 1.0)]
        )[0],
        emissive=unit(f.numbers("emissiveFactor", 3, (0.0,) * 3)),  # type: ignore[arg-type]
        alpha_mode=mode if mode in ("OPAQUE", "MASK", "BLEND") else "OPAQUE",  # type: ignore[arg-type]
        alpha_cutoff=max(f.number("alphaCutoff", 0.5), 0.0),
        double_sided=f.flag("doubleSided"),
        textures=textures,
    )
    return material, mapping


def unit(values) -> tuple[float, ...]:
    """Values clipped to 0…1."""
    return tuple(min(max(float(v), 0.0), 1.0) for v in values)


def slot(f: Fields, key: str) -> Fields | None:
    return f.object(key) if key in f else None


def read_mapping(info: Fields) -> Mapping2D:
    texcoord, extensions = info.integer("texCoord", 0), info.object("extensions")
    move = extensions.object("KHR_texture_transform")
    return Mapping2D(
        texcoord=move.integer("texCoord", texcoord),
        offset=move.numbers("offset", 2, (0.0, 0.0)),
        rotation=move.number("rotation", 0.0),
        scale=move.numbers("scale", 2, (1.0, 1.0)),
    )


def read_texture(
    document: Document, info: Fields, pictures: dict[int, Texture | None], notes: dict[str, None]
) -> Texture | None:
    """The image of a texture reference; None, with a note, if it cannot be read."""
    textures, images = document.root.objects("textures"), document.root.objects("images")
    texture = textures[info.index("index", len(textures), REQUIRED)]
    webp = texture.object("extensions").object("EXT_texture_webp")
    source = webp.index("source", len(images), texture.index("source", len(images)))
    if source is None:
        notes["a texture is left out: its image format is not supported (KTX2?)"] = None
        return None
    if source not in pictures:
        pictures[source] = read_picture(document, images[source], notes)
    return pictures[source]


def read_picture(document: Document, image: Fields, notes: dict[str, None]) -> Texture | None:
    """An encoded image, with its format detected from its first bytes.

    A missing or damaged image is left out with a note, because the shape is usable without it.
    """
    name = image.text("name", "") or image.where
    try:
        view = image.index("bufferView", len(document.views))
        if view is not None:
            data = bytes(document.view_bytes(view))
        else:
            data = resolve(image.text("uri"), document.folder, document.source)
        with Image.open(io.BytesIO(data)) as picture:
            mime = FORMATS[picture.format]
    except InputError as error:
        notes[f"a texture is left out: the file {error.cause}"] = None
    except (OSError, ValueError, KeyError, SyntaxError, Image.DecompressionBombError):  # raised by Pillow
        notes[f"texture {name!r} is left out: it is not a PNG, JPEG or WebP image"] = None
    else:
        return Texture(data, mime, name)
    return None
