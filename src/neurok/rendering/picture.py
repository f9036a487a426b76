"""`Picture`: what a camera sees, in colour and in numbers."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from jaxtyping import Bool, Float, Int, UInt8
from PIL import Image

from neurok.rendering.camera import Camera

Array = np.ndarray


@dataclass(frozen=True, eq=False)
class Picture:
    """Colours, and for every pixel centre the first surface behind it (glass counts, cut-outs don't).

    `depth` is z in the camera, `points` the same surface points in the shape's own coordinates; both are
    infinite where nothing is. `part` labels the shape's parts, −1 where nothing is.
    """

    rgb: UInt8[Array, "h w 3"]
    depth: Float[Array, "h w"]
    points: Float[Array, "h w 3"]
    part: Int[Array, "h w"]
    camera: Camera

    @property
    def mask(self) -> Bool[Array, "h w"]:
        """Where the object is."""
        return np.isfinite(self.depth)

    @property
    def image(self) -> Image.Image:
        return Image.fromarray(self.rgb)
