"""Materials and textures of a surface, stored unchanged so that exports look like inputs."""

from __future__ import annotations

import io
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

import numpy as np
from jaxtyping import Float
from PIL import Image

Array = np.ndarray
Rgba = tuple[float, float, float, float]

TextureRole = Literal["color", "metallic_roughness", "normal", "occlusion", "emissive"]


@dataclass(frozen=True)
class Texture:
    """An encoded image, byte for byte as in the source file."""

    data: bytes = field(repr=False)
    mime: Literal["image/png", "image/jpeg", "image/webp"] = "image/png"
    name: str = ""

    def image(self) -> Image.Image:
        """The decoded image, RGBA."""
        return Image.open(io.BytesIO(self.data)).convert("RGBA")

    @staticmethod
    def from_image(image: Image.Image, name: str = "") -> Texture:
        buffer = io.BytesIO()
        image.save(buffer, format="PNG")
        return Texture(buffer.getvalue(), "image/png", name)


@dataclass(frozen=True)
class Material:
    """The metallic–roughness material of glTF 2.0. Colours are linear, in 0…1."""

    name: str = "default"
    color: Rgba = (0.8, 0.8, 0.8, 1.0)
    metallic: float = 0.0
    roughness: float = 0.8
    emissive: tuple[float, float, float] = (0.0, 0.0, 0.0)
    alpha_mode: Literal["OPAQUE", "MASK", "BLEND"] = "OPAQUE"
    alpha_cutoff: float = 0.5
    double_sided: bool = True
    textures: Mapping[TextureRole, Texture] = field(default_factory=dict)


def srgb_to_linear(value: Float[Array, "*any"]) -> Float[Array, "*any"]:
    """The sRGB transfer function (IEC 61966-2-1), from encoded 0…1 to linear 0…1."""
    return np.where(value <= 0.04045, value / 12.92, ((np.maximum(value, 0) + 0.055) / 1.055) ** 2.4)


def linear_to_srgb(value: Float[Array, "*any"]) -> Float[Array, "*any"]:
    """The inverse sRGB transfer function, from linear 0…1 to encoded 0…1."""
    return np.where(value <= 0.0031308, value * 12.92, 1.055 * np.maximum(value, 1e-9) ** (1 / 2.4) - 0.055)


def linear_color(srgb: Float[Array, "4"]) -> Rgba:
    """The linear colour of a `Material` for an sRGB colour with alpha, which is how most files store it."""
    srgb = np.clip(np.asarray(srgb, np.float64), 0.0, 1.0)
    r, g, b = srgb_to_linear(srgb[:3]).tolist()
    return r, g, b, float(srgb[3])
