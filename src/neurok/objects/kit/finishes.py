"""Random materials with the typical colours of wood, metal, plastic and other finishes."""

from __future__ import annotations

import colorsys
from collections.abc import Callable, Mapping
from typing import Literal

import numpy as np

from neurok.shapes.appearance import Material, linear_color

FinishName = Literal[
    "wood", "paint", "metal", "brass", "dark", "plastic", "pale", "rubber", "fabric", "glass"
]
Range = tuple[float, float]


def finish(rng: np.random.Generator, *names: FinishName) -> Material:
    """A random material of one of the named finishes."""
    name: FinishName = names[int(rng.integers(len(names)))]
    return FINISHES[name](rng)


def _drawn(name: str, hue: Range, saturation: Range, value: Range, metallic: float, roughness: Range):
    """A generator of opaque materials with uniform hue, saturation and value."""

    def make(rng: np.random.Generator) -> Material:
        rgb = colorsys.hsv_to_rgb(rng.uniform(*hue) % 1, rng.uniform(*saturation), rng.uniform(*value))
        return Material(name, linear_color(np.array([*rgb, 1.0])), metallic, float(rng.uniform(*roughness)))

    return make


def _glass(rng: np.random.Generator) -> Material:
    rgb = colorsys.hsv_to_rgb(rng.uniform(0.4, 0.65), rng.uniform(0.05, 0.3), rng.uniform(0.75, 0.95))
    color = linear_color(np.array([*rgb, rng.uniform(0.3, 0.5)]))
    return Material("glass", color, 0.0, 0.1, alpha_mode="BLEND")


FINISHES: Mapping[FinishName, Callable[[np.random.Generator], Material]] = {
    "wood": _drawn("wood", (0.04, 0.11), (0.35, 0.7), (0.3, 0.85), 0.0, (0.5, 0.9)),
    "paint": _drawn("paint", (0.0, 1.0), (0.1, 0.75), (0.4, 0.95), 0.0, (0.4, 0.8)),
    "metal": _drawn("metal", (0.55, 0.65), (0.0, 0.08), (0.55, 0.85), 0.8, (0.25, 0.5)),
    "brass": _drawn("brass", (0.1, 0.13), (0.45, 0.65), (0.65, 0.85), 0.8, (0.25, 0.45)),
    "dark": _drawn("dark", (0.0, 1.0), (0.0, 0.15), (0.1, 0.28), 0.2, (0.4, 0.8)),
    "plastic": _drawn("plastic", (0.0, 1.0), (0.5, 0.95), (0.5, 1.0), 0.0, (0.3, 0.6)),
    "pale": _drawn("pale", (0.08, 0.6), (0.0, 0.12), (0.82, 0.97), 0.0, (0.4, 0.8)),
    "rubber": _drawn("rubber", (0.0, 1.0), (0.0, 0.1), (0.08, 0.2), 0.0, (0.8, 1.0)),
    "fabric": _drawn("fabric", (0.0, 1.0), (0.2, 0.7), (0.3, 0.8), 0.0, (0.9, 1.0)),
    "glass": _glass,
}
