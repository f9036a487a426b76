"""Wheels and casters."""

# ruff: noqa: RUF005 — point + (x, y, z) adds vectors here

from __future__ import annotations

import numpy as np

from neurok.objects.kit.finishes import finish
from neurok.objects.kit.mechanism import Mechanism
from neurok.objects.kit.outlines import angles, rectangle
from neurok.objects.kit.placing import X, Z, aimed, shifted
from neurok.objects.kit.solids import block, dowel, lathe, ring, rod
from neurok.shapes.appearance import Material
from neurok.shapes.robots.assembly import painted
from neurok.shapes.shape import Shape


def add_caster(
    made: Mechanism,
    parent: str,
    index: int,
    at: np.ndarray,
    r: float,
    metal: Material,
    skin: Material,
    swivels: bool,
) -> None:
    """A wheel in a fork below a point; the fork swivels under a plate or belongs to its parent link."""
    wide, hub = 0.7 * r, at + (0, 0.5 * r, -1.5 * r)
    fork = f"caster_{index}" if swivels else parent
    made.add(parent, metal, block((1.8 * r, 1.8 * r, 0.16 * r), at - 0.08 * r * Z, 0.03 * r))
    solids = [
        rod(at, at - 0.4 * r * Z, 0.3 * r, 10),
        block((1.9 * wide, 0.7 * r, 0.14 * r), at + (0, 0.1 * r, -0.38 * r)),
    ]
    solids += [
        rod(at + (s * 0.8 * wide, 0.1 * r, -0.35 * r), hub + s * 0.8 * wide * X, 0.14 * r, 8) for s in (-1, 1)
    ]
    solids.append(dowel(hub, 0.9 * wide * X, 0.14 * r, 8))
    made.add(fork, metal, solids)
    if swivels:
        made.spin(parent, fork, at, Z)
    made.part(f"wheel_{index}", shifted(roller(r, wide, skin, metal), hub))
    made.spin(fork, f"wheel_{index}", hub, X)


def roller(r: float, wide: float, skin: Material, metal: Material) -> list[Shape]:
    """A small wheel about x, with a bar across its faces."""
    profile = [(0.88 * r, -wide / 2), (r, -0.35 * wide), (r, 0.35 * wide), (0.88 * r, wide / 2)]
    return [
        painted(aimed(lathe(profile, 18), X), skin),
        painted(block((1.08 * wide, 0.25 * r, 1.3 * r)), metal),
    ]


def wheel(rng: np.random.Generator, radius: float, width: float, spokes: int) -> list[Shape]:
    """A wheel about the origin that turns about x: tyre, rim, hub, and spokes or a disc."""
    tyre, rim = finish(rng, "rubber", "dark"), finish(rng, "metal", "paint", "pale", "plastic")
    section = rectangle(0.3 * radius, width, 0.12 * min(width, radius), 2) + (0.85 * radius, 0)
    parts = [painted(aimed(ring(section, 26), X), tyre)]
    parts.append(
        painted(aimed(lathe([(0.16 * radius, -0.6 * width), (0.16 * radius, 0.6 * width)], 12), X), rim)
    )
    if spokes == 0:
        parts.append(
            painted(aimed(lathe([(0.75 * radius, -0.25 * width), (0.75 * radius, 0.25 * width)], 26), X), rim)
        )
        parts.append(painted(block((0.7 * width, 0.12 * radius, 1.1 * radius)), finish(rng, "dark", "metal")))
    for a in angles(spokes):
        spoke = rod((0, 0, 0), (0, 0.8 * radius * np.cos(a), 0.8 * radius * np.sin(a)), 0.05 * radius, 6)
        parts.append(painted(spoke, rim))
    return parts
