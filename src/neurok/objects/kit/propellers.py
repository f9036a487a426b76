"""Propellers: a hub with pitched blades."""

from __future__ import annotations

import numpy as np

from neurok.objects.kit.outlines import arc
from neurok.objects.kit.placing import X, around, moved, turned
from neurok.objects.kit.solids import extrude, lathe
from neurok.shapes.shape import Shape


def propeller(rng: np.random.Generator, r: float, count: int) -> list[Shape]:
    """Hub and pitched blades of a propeller about z; the tip points along +z."""
    hub = lathe([(0.2 * r, -0.2 * r), (0.2 * r, 0.2 * r), (rng.uniform(0.02, 0.15) * r, 0.32 * r)], 14)
    blade = extrude(arc((0.44 * r, rng.uniform(0.14, 0.34) * r), 0, 2 * np.pi, 15)[:-1], 0.035 * r)
    return [hub, *around(moved(turned(blade, X, rng.uniform(0.35, 0.7)), 0.56 * r * X), count)]
