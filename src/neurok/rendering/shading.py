"""Shading of surface points in numpy: the reference of the fragment shaders."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float

from neurok.rendering import lighting
from neurok.rendering.lighting import Lighting, Projection, View
from neurok.rendering.shadows import FloorShadows
from neurok.shapes.appearance import linear_to_srgb

Array = np.ndarray
KEY, FILL, SKY, GROUND = (
    np.array(c, np.float32) for c in (lighting.KEY, lighting.FILL, lighting.SKY, lighting.GROUND)
)


@dataclass(frozen=True, eq=False)
class Surfels:
    """Surface points with the attributes that shading uses. Colours are linear."""

    points: Float[Array, "k 3"]
    normals: Float[Array, "k 3"]  # unit, towards the eye
    albedo: Float[Array, "k 3"]
    alpha: Float[Array, " k"]
    metallic: Float[Array, "k 1"]
    roughness: Float[Array, "k 1"]
    emissive: Float[Array, "k 3"]


def shade(
    s: Surfels, eye: Float[Array, "3"], light: Lighting, key_map: Float[Array, "s s"]
) -> Float[Array, "k 3"]:
    """Encoded colours: Lambert (softened at the terminator) under key, fill and sky, plus a GGX highlight.

    GGX (Walter et al. 2007): D = α² / (n·h² (α² − 1) + 1)². Fresnel and geometry terms of Schlick (1994):
    F = F₀ + (1 − F₀)(1 − h·v)⁵, and k = α / 2 with α = roughness². Lights are given times π, so that no π
    appears. Multiple scattering among the facets of rough metal is added as diffuse light.
    """
    to_eye = _unit(eye - s.points)
    half = _unit(to_eye + light.key)
    rough = np.clip(s.roughness, 0.12, 1.0)
    nl = s.normals @ light.key[:, None]
    nv = np.clip(dot(s.normals, to_eye), 0.02, 1.0)
    nh = np.maximum(dot(s.normals, half), 0)
    open_sky = 0.45 + 0.55 * smoothstep(0.0, 0.5 * light.size, s.points @ light.up[:, None] - light.floor)
    reach = _key_light(s, light, key_map)
    f0 = 0.04 + (s.albedo - 0.04) * s.metallic
    a2, k = rough**4, rough**2 / 2
    clipped = np.maximum(nl, 0)
    glint = a2 / (nh**2 * (a2 - 1) + 1) ** 2 / (4 * (clipped * (1 - k) + k) * (nv * (1 - k) + k))
    fresnel = f0 + (1 - f0) * (1 - np.maximum(dot(half, to_eye), 0)) ** 5
    rim = f0 + (np.maximum(1 - rough, f0) - f0) * (1 - nv) ** 5
    mirrored = 2 * dot(s.normals, to_eye) * s.normals - to_eye
    diffuse = KEY * np.clip((nl + 0.2) / 1.2, 0, 1) * reach
    diffuse = diffuse + FILL * np.maximum(s.normals @ light.fill[:, None], 0)
    diffuse = diffuse + _sky(s.normals @ light.up[:, None]) * open_sky
    total = (
        s.albedo * (1 - s.metallic * (1 - 0.8 * rough**2)) * diffuse + fresnel * glint * KEY * clipped * reach
    )
    total = total + rim * _sky(mirrored @ light.up[:, None]) * open_sky * (1.6 - 0.6 * rough)
    return encode(total * lighting.EXPOSURE + s.emissive)


def backdrop(
    view: View, pixels: Float[Array, "k 2"], rays: Float[Array, "k 3"], shadows: FloorShadows | None
) -> Float[Array, "k 3"]:
    """Encoded colours of the backdrop, with the shadows on its floor."""
    light = view.lighting
    offset = pixels - np.array([view.width, view.height]) / 2
    share = (offset**2).sum(-1) / (0.25 * (view.width**2 + view.height**2))
    tone = lighting.CENTRE_TONE + (lighting.EDGE_TONE - lighting.CENTRE_TONE) * share
    if shadows is not None:
        fall = rays @ light.up
        below = np.flatnonzero(fall < -1e-6)
        t = (light.floor - view.eye @ light.up) / fall[below]
        floor = view.eye.astype(np.float32) + t[:, None].astype(np.float32) * rays[below]
        tone[below] *= 1 - lighting.KEY_SHADE * _lookup(shadows.key, light.key_view, floor)
        tone[below] *= 1 - lighting.CONTACT_SHADE * _lookup(shadows.contact, light.below, floor)
    return np.repeat(tone[:, None], 3, axis=1).astype(np.float32)


def encode(value: Float[Array, "k 3"]) -> Float[Array, "k 3"]:
    """Compresses highlights above the shoulder, then applies the sRGB transfer function."""
    room = 1 - lighting.SHOULDER
    rolled = 1 - room * np.exp(-(np.maximum(value, lighting.SHOULDER) - lighting.SHOULDER) / room)
    return linear_to_srgb(np.where(value > lighting.SHOULDER, rolled, value)).astype(np.float32)


def smoothstep(low: float, high: float, x: Array) -> Array:
    """3t² − 2t³ with t = (x − low) / (high − low) clipped to 0…1."""
    t = np.clip((x - low) / (high - low), 0, 1)
    return t * t * (3 - 2 * t)


def _key_light(s: Surfels, light: Lighting, key_map: Float[Array, "s s"]) -> Float[Array, "k 1"]:
    """The share of the key light that reaches each point at depth w in its map: min(1, E e^{c (1 − w)})."""
    if not np.isfinite(light.floor):
        return np.ones((len(s.points), 1), np.float32)
    at = light.key_view.apply(s.points + np.float32(0.012 * light.size) * s.normals)
    free = np.minimum(_bilinear(key_map, at[:, :2]) * np.exp(lighting.STEEPNESS * (1 - at[:, 2])), 1)
    return (1 - lighting.SELF_SHADE * (1 - free))[:, None]


def _lookup(image: Float[Array, "k k"], view: Projection, points: Float[Array, "n 3"]) -> Float[Array, " n"]:
    """Bilinear lookup of projected points in a map; zero outside of it."""
    uv = view.apply(points)[:, :2]
    inside = ((uv > 0) & (uv < 1)).all(1)
    value = np.zeros(len(uv), np.float32)
    value[inside] = _bilinear(image, uv[inside])
    return value


def _bilinear(image: Float[Array, "k k"], uv: Float[Array, "n 2"]) -> Float[Array, " n"]:
    """Bilinear lookup with clamped borders."""
    side = len(image)
    at = np.clip(uv * np.float32(side) - np.float32(0.5), 0, side - 1)
    low = np.minimum(at.astype(np.int32), side - 2)
    fx, fy = (at - low).T
    corner, flat = low[:, 1] * side + low[:, 0], image.ravel()
    upper = flat[corner] * (1 - fx) + flat[corner + 1] * fx
    return upper * (1 - fy) + (flat[corner + side] * (1 - fx) + flat[corner + side + 1] * fx) * fy


def _sky(rise: Float[Array, "k 1"]) -> Float[Array, "k 3"]:
    return GROUND + (SKY - GROUND) * smoothstep(-0.9, 0.9, rise)


def dot(a: Array, b: Array) -> Float[Array, "k 1"]:
    """Row-wise dot products as a column."""
    return np.einsum("ki,ki->k", a, b)[:, None]


def _unit(vector: Float[Array, "k 3"]) -> Float[Array, "k 3"]:
    return vector / np.maximum(np.linalg.norm(vector, axis=-1, keepdims=True), 1e-12)
