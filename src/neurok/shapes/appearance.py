"""What a surface looks like: materials and textures, kept as they came so that exports look like inputs."""

from __future__ import annotations

import io
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from PIL import Image

TextureRole = Literal["color", "metallic_roughness", "normal", "occlusion", "emissive"]


@dataclass(frozen=True)
class Texture:
    """An encoded picture, untouched since the file it came from."""

    data: bytes = field(repr=False)
    mime: Literal["image/png", "image/jpeg", "image/webp"] = "image/png"
    name: str = ""

    def image(self) -> Image.Image:
        """The decoded picture, RGBA."""
        return Image.open(io.BytesIO(self.data)).convert("RGBA")

    @staticmethod
    def from_image(image: Image.Image, name: str = "") -> Texture:
        buffer = io.BytesIO()
        image.save(buffer, format="PNG")
        return Texture(buffer.getvalue(), "image/png", name)


@dataclass(frozen=True)
class Material:
    """The metallic–roughness material of glTF. Colours are linear, in 0…1."""

    name: str = "default"
    color: tuple[float, float, float, float] = (0.8, 0.8, 0.8, 1.0)
    metallic: float = 0.0
    roughness: float = 0.8
    emissive: tuple[float, float, float] = (0.0, 0.0, 0.0)
    alpha_mode: Literal["OPAQUE", "MASK", "BLEND"] = "OPAQUE"
    alpha_cutoff: float = 0.5
    double_sided: bool = True
    textures: Mapping[TextureRole, Texture] = field(default_factory=dict)
