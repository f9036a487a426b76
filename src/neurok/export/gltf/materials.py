"""Adds materials and textures to a glTF document."""

from __future__ import annotations

from typing import Any

import numpy as np

from neurok.errors import InputError
from neurok.export.gltf.document import Document
from neurok.shapes import Material, Texture

WEBP = "EXT_texture_webp"


class Materials:
    """Adds each material and each image to the document once, at its first use."""

    def __init__(self, document: Document, materials: tuple[Material, ...]) -> None:
        self.document, self.materials = document, materials
        self._indices: dict[int, int] = {}
        self._textures: dict[bytes, int] = {}

    def index(self, material: int) -> int:
        """The document's index of one of the shape's materials."""
        if material not in self._indices:
            self._indices[material] = self._add(self.materials[material])
        return self._indices[material]

    def _add(self, material: Material) -> int:
        slots = {
            role: {"index": self._texture(texture)} for role, texture in sorted(material.textures.items())
        }
        surface = {
            "baseColorFactor": unit_range(material.color),
            "metallicFactor": unit_range(material.metallic),
            "roughnessFactor": unit_range(material.roughness),
            "baseColorTexture": slots.get("color"),
            "metallicRoughnessTexture": slots.get("metallic_roughness"),
        }
        return self.document.add(
            "materials",
            name=material.name,
            pbrMetallicRoughness={k: v for k, v in surface.items() if v is not None},
            normalTexture=slots.get("normal"),
            occlusionTexture=slots.get("occlusion"),
            emissiveTexture=slots.get("emissive"),
            emissiveFactor=unit_range(material.emissive) if any(material.emissive) else None,
            alphaMode=material.alpha_mode if material.alpha_mode != "OPAQUE" else None,
            alphaCutoff=float(material.alpha_cutoff) if material.alpha_mode == "MASK" else None,
            doubleSided=material.double_sided or None,
        )

    def _texture(self, texture: Texture) -> int:
        if texture.data not in self._textures:
            mime = picture_kind(texture)
            view = self.document.view(texture.data)
            image = self.document.add("images", name=texture.name, mimeType=mime, bufferView=view)
            link: dict[str, Any] = {"source": image}
            if mime == "image/webp":
                self.document.extensions.add(WEBP)
                link = {"extensions": {WEBP: {"source": image}}}
            self._textures[texture.data] = self.document.add("textures", **link)
        return self._textures[texture.data]


def picture_kind(texture: Texture) -> str:
    """The MIME type detected from the bytes, since the declared type may be wrong."""
    head = texture.data[:16]
    if head.startswith(b"\x89PNG\r\n\x1a\n"):
        return "image/png"
    if head.startswith(b"\xff\xd8\xff"):
        return "image/jpeg"
    if head[:4] == b"RIFF" and head[8:12] == b"WEBP":
        return "image/webp"
    raise InputError(f"texture {texture.name!r}", "is not a PNG, JPEG or WebP image", "Convert it to PNG")


def unit_range(value: Any) -> Any:
    """Numbers clipped to 0…1, as Python floats."""
    return np.clip(np.nan_to_num(np.asarray(value, np.float64)), 0.0, 1.0).tolist()
