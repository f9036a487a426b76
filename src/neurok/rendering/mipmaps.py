"""Mipmaps with trilinear filtering for the ray backend."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float, UInt8

from neurok.shapes.appearance import srgb_to_linear

Array = np.ndarray


@dataclass(frozen=True, eq=False)
class Mipmap:
    """All levels of a texture, concatenated, as linear half floats; level 0 is the finest."""

    texels: Float[Array, "t 4"]
    offset: Array
    width: Array
    height: Array

    def sample(self, uv: Float[Array, "k 2"], level: Float[Array, " k"]) -> Float[Array, "k 4"]:
        """Trilinear lookup; the texture repeats in both directions."""
        level = np.clip(level, 0, len(self.offset) - 1)
        lower = np.floor(level).astype(np.int32)
        upper = np.minimum(lower + 1, len(self.offset) - 1)
        fine, blend = self._bilinear(uv, lower), (level - lower)[:, None].astype(np.float32)
        return fine + (self._bilinear(uv, upper) - fine) * blend if blend.any() else fine

    def _bilinear(self, uv: Float[Array, "k 2"], level: Array) -> Float[Array, "k 4"]:
        w, h, start = self.width[level], self.height[level], self.offset[level]
        x, y = uv[:, 0] % 1 * w - 0.5, uv[:, 1] % 1 * h - 0.5
        x0, y0 = np.floor(x).astype(np.int32), np.floor(y).astype(np.int32)
        fx, fy = (x - x0)[:, None].astype(np.float32), (y - y0)[:, None].astype(np.float32)
        left, right = x0 % w, (x0 + 1) % w
        rows = [start + (y0 + k) % h * w for k in (0, 1)]
        low, high = (
            self.texels[row + left] * (1 - fx) + self.texels[row + right] * fx for row in rows
        )  # fmt: skip
        return low * (1 - fy) + high * fy


def build_mipmap(pixels: UInt8[Array, "h w 4"], srgb: bool) -> Mipmap:
    """Builds the levels by averaging 2×2 texels in linear light until one texel is left."""
    encoded = np.arange(256, dtype=np.float32) / 255
    table = srgb_to_linear(encoded).astype(np.float32) if srgb else encoded
    level = np.concatenate([table[pixels[..., :3]], encoded[pixels[..., 3:]]], axis=-1)
    levels = [level]
    while max(level.shape[:2]) > 1:
        level = _halved(_halved(level).swapaxes(0, 1)).swapaxes(0, 1)
        levels.append(level)
    sizes = np.array([x.shape[:2] for x in levels], np.int32)
    texels = np.concatenate([x.reshape(-1, 4) for x in levels]).astype(np.float16)
    offset = np.concatenate([[0], np.cumsum(sizes.prod(1))[:-1]]).astype(np.int32)
    return Mipmap(texels, offset, sizes[:, 1], sizes[:, 0])


def _halved(level: Float[Array, "a b 4"]) -> Float[Array, "h b 4"]:
    """Averages pairs of rows; an odd last row is dropped, a single row stays."""
    whole = len(level) // 2 * 2
    return (level[0:whole:2] + level[1:whole:2]) / 2 if whole else level
