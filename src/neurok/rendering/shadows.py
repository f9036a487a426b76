"""Floor shadows from a depth map along the key light and one from below the floor."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float
from scipy.ndimage import gaussian_filter

from neurok.rendering.lighting import STEEPNESS, Lighting

Array = np.ndarray
KEY_MAP = 512  # texels along a side
BELOW_MAP = 128
EMPTY = 1.0  # depth of the background


@dataclass(frozen=True, eq=False)
class FloorShadows:
    """The shares 0…1 of key light and sky that the floor lacks; rows along v, columns along u."""

    key: Float[Array, "k k"]  # in the coordinates of the key light's map
    contact: Float[Array, "b b"]  # in the coordinates of the map from below


def floor_shadows(
    lighting: Lighting, key_depth: Float[Array, "s s"], below_depth: Float[Array, "b b"]
) -> FloorShadows:
    """Shadows whose penumbra grows with the gap between the caster and the floor.

    Along the key light, the floor is at depth w_f(u, v), which is affine; a caster at depth w has the gap
    g = w_f − w. The shadow blends a sharp and a soft blur of the silhouette by the blurred gap. The contact
    shadow is exp(−height / h₀) of the underside, blurred.
    """
    caster = (key_depth < EMPTY).astype(np.float32)
    caster = caster.reshape(KEY_MAP // 2, 2, KEY_MAP // 2, 2).mean((1, 3))
    depth = np.minimum(key_depth[::2, ::2], 1.0)
    gap = np.clip(_floor_depth(lighting, len(caster)) - depth, 0, 1) * (caster > 0)
    sharp, wide = gaussian_filter(caster, 1.5, truncate=3), _wide_blur(caster)
    mean_gap = _wide_blur(gap) / np.maximum(wide, 1e-3)
    softness = np.clip(mean_gap * 5, 0, 1)
    height = (
        np.maximum(below_depth, 0) * 2 * lighting.below.half_width
    )  # geometry below the floor counts as touching it
    near = np.where(below_depth < EMPTY, np.exp(-height / (0.13 * lighting.size)), 0).astype(np.float32)
    contact = 0.5 * gaussian_filter(near, 1.6) + 0.5 * gaussian_filter(near, 5)
    return FloorShadows((sharp + (wide - sharp) * softness).astype(np.float32), contact.astype(np.float32))


def shadow_map(depth: Float[Array, "s s"]) -> Float[Array, "s s"]:
    """An exponential shadow map (Annen et al. 2008): E = e^{c (w − 1)} of the depths w, blurred by a texel.

    A point at depth w′ is lit if E · e^{c (1 − w′)} ≥ 1, and less the farther it lies behind the nearest
    surface. The blur makes shadows soft, and by Jensen's inequality a plane never shadows itself.
    """
    return gaussian_filter(np.exp(np.float32(STEEPNESS) * (depth - np.float32(1))), 1.0, truncate=2)


def _wide_blur(image: Float[Array, "k k"], sigma: float = 9.0) -> Float[Array, "k k"]:
    """A Gaussian of `sigma` texels, computed at a quarter of the resolution."""
    k = len(image) // 4
    small = gaussian_filter(image.reshape(k, 4, k, 4).mean((1, 3)), sigma / 4, truncate=3)
    at = (np.arange(4 * k) + 0.5) / 4 - 0.5
    low = np.clip(np.floor(at).astype(int), 0, k - 2)
    weight = np.clip(at - low, 0, 1).astype(np.float32)
    rows = small[low] * (1 - weight)[:, None] + small[low + 1] * weight[:, None]
    return rows[:, low] * (1 - weight) + rows[:, low + 1] * weight


def _floor_depth(lighting: Lighting, size: int) -> Float[Array, "k k"]:
    """Depth w of the floor at every texel: up·p = floor, with p = centre + 2r (u − ½) a + 2r (v − ½) b + …"""
    view = lighting.key_view
    across, along, forward = view.axes @ lighting.up
    texel = ((np.arange(size) + 0.5) / size - 0.5).astype(np.float32)
    level = (lighting.floor - lighting.up @ view.centre) / (2 * view.half_width)
    return 0.5 + (level - across * texel[None, :] - along * texel[:, None]) / forward
