"""`Picture`: a rendered image with depth, surface points and part labels."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from jaxtyping import Bool, Float, Int, UInt8
from PIL import Image

from neurok.rendering.camera import Camera

Array = np.ndarray


@dataclass(frozen=True, eq=False)
class Picture:
    """Colours, and the first surface at every pixel centre; transparent surfaces count, cut-outs do not.

    `depth` is z in the camera, `points` the surface points in the shape's coordinates; both are infinite on
    the background. `part` labels the shape's parts, −1 on the background.
    """

    rgb: UInt8[Array, "h w 3"]
    depth: Float[Array, "h w"]
    points: Float[Array, "h w 3"]
    part: Int[Array, "h w"]
    camera: Camera

    @property
    def mask(self) -> Bool[Array, "h w"]:
        """Pixels that show the object."""
        return np.isfinite(self.depth)

    @property
    def image(self) -> Image.Image:
        return Image.fromarray(self.rgb)
