"""Brackets: two arms and a part that tilts between them."""

# ruff: noqa: RUF005 — point + (x, y, z) adds vectors here

from __future__ import annotations

import numpy as np

from neurok.objects.kit.outlines import arc
from neurok.objects.kit.placing import X, moved
from neurok.objects.kit.solids import block, dowel, prism_along_x, rod, tube
from neurok.shapes.shape import Shape


def bracket(
    rng: np.random.Generator, half: float, room: float, reach: float, deep: float
) -> tuple[list[Shape], float, float, float]:
    """Arms on either side of a pivot at the origin, at x = ±half, joined below z = −room.

    Returns the solids, the thickness of the arms, the space below the pivot, and z of the lowest face.
    """
    kind, t = str(rng.choice(["strap", "bent", "cast", "hoop"])), rng.uniform(0.25, 0.6) * deep
    x = half + t / 2
    eyes = [dowel((s * x, 0, 0), t / 2 * X, rng.uniform(0.55, 0.8) * deep, 14) for s in (-1, 1)]
    if kind == "hoop" and room > 0.4 * reach:
        radius = max(reach, half) + t
        path = np.insert(arc(radius, np.pi, 2 * np.pi, 17), 1, 0.0, 1)
        links = [rod(s * half * X, s * radius * X, 0.5 * deep, 12) for s in (-1, 1)]
        return [tube(path, t / 2, 8), *links], radius - half, radius - t / 2, -radius - t / 2
    if kind == "bent":
        bend = min(0.3 * half, 0.3 * room)
        low, side = room + 0.3 * bend + t / 2, arc(bend, np.pi, 1.5 * np.pi, 5) + (bend - x, bend)
        left = np.r_[[(-x, low)], side]
        path = np.r_[left, (left * (-1, 1))[::-1]] - (0, low)
        return [tube(np.insert(path, 1, 0.0, 1), t / 2, 8), *eyes], t, low - t / 2, -low - t / 2
    bar = block((2 * half + 2 * t, deep, t), (0, 0, -room - t / 2))
    if kind == "cast":
        foot, drop = rng.uniform(0.7, 1.6) * deep, room + t / 2
        outline = [(-0.5 * deep, 0), (-foot, -drop), (foot, -drop), (0.5 * deep, 0)]
        bar = block((2 * half + 2 * t, 2 * foot, t), (0, 0, -room - t / 2), 0.1 * t)
        arms = [moved(prism_along_x(outline, t), s * x * X) for s in (-1, 1)]
    else:
        arms = [block((t, deep, room + t), (s * x, 0, -(room + t) / 2)) for s in (-1, 1)]
    return [bar, *arms, *eyes], t, room, -room - t
