"""Plush toys: smooth unions of ellipsoids for body, head and limbs."""

from __future__ import annotations

import numpy as np
from jaxtyping import Float, Int

from neurok.geometry.rotations import rotation_about_y
from neurok.objects.soft.blobs import shaken_and_dropped
from neurok.objects.soft.clips import make_shape, random_material
from neurok.objects.soft.implicit import implicit_surface
from neurok.objects.soft.registry import soft_family
from neurok.sequences import Sequence

Array = np.ndarray
GRID_POINTS = 34  # points along the longest side


@soft_family(number=3, group="elastic")
def plush_toy(rng: np.random.Generator) -> list[Sequence]:
    """Clips of a standing creature that is dropped, thrown or shaken."""
    vertices, faces = smooth_union(*random_creature(rng))
    height = rng.uniform(0.15, 0.5)
    vertices = vertices * height / np.ptp(vertices[:, 2])
    shape = make_shape(vertices, faces, "plush_toy", random_material(rng, "plush", 0.95), "toy")
    return shaken_and_dropped(rng, shape, resolution=10, strength=0.6)


def random_creature(
    rng: np.random.Generator,
) -> tuple[Float[Array, "e 3"], Float[Array, "e 3"], Float[Array, "e 3 3"], float]:
    """Centres, half axes and rotations of mirrored ellipsoids, and the width of their blending."""
    parts: list[tuple[list[float], list[float], float]] = []
    tall = rng.uniform(0.55, 0.8)
    wide = rng.uniform(0.38, 0.5)
    head = rng.uniform(0.32, 0.45)
    parts.append(([0, 0, 0], [wide, wide * 0.85, tall], 0.0))
    parts.append(([0, -0.08, tall + 0.6 * head], [head, head * 0.95, head * rng.uniform(0.85, 1.1)], 0.0))
    arm, lean = rng.uniform(0.3, 0.5), rng.uniform(-0.5, 0.9)
    leg = rng.uniform(0.25, 0.45)
    ear = rng.uniform(0.12, 0.35)
    for side in (-1, 1):
        parts.append(([side * (wide + 0.5 * arm), 0, 0.45 * tall], [arm, 0.16, 0.16], side * lean))
        parts.append(([side * 0.55 * wide, -0.1, -tall - 0.3 * leg], [0.19, 0.2, leg], 0.0))
        parts.append(([side * 0.7 * head, 0, tall + 1.35 * head], [0.15, 0.12, ear], side * 0.3))
    if rng.uniform() < 0.5:
        parts.append(([0, wide, -0.6 * tall], [0.13, rng.uniform(0.15, 0.4), 0.13], 0.0))
    turns = [rotation_about_y(angle) for *_, angle in parts]
    return (
        np.array([c for c, *_ in parts], float),
        np.array([h for _, h, _ in parts], float),
        np.stack(turns),
        float(rng.uniform(0.04, 0.08)),
    )


def smooth_union(
    centres: Float[Array, "e 3"], halves: Float[Array, "e 3"], turns: Float[Array, "e 3 3"], blend: float
) -> tuple[Float[Array, "n 3"], Int[Array, "m 3"]]:
    """The surface −b log Σ exp(−d_i / b) = 0, with d_i ≈ (|x / h| − 1) min h the distance to an ellipsoid."""

    def distance(points: Array) -> Array:
        local = np.einsum("eji,pej->pei", turns, points[:, None] - centres)
        each = (np.linalg.norm(local / halves, axis=2) - 1) * halves.min(1)
        least = each.min(1)
        return least - blend * np.log(np.exp((least[:, None] - each) / blend).sum(1))

    reach = halves.max(1)[:, None] + 3 * blend
    low, high = (centres - reach).min(0), (centres + reach).max(0)
    return implicit_surface(distance, low, high, GRID_POINTS)
