"""Small wheels that things are rolled on."""

# ruff: noqa: RUF005 — point + (x, y, z) adds vectors here

from __future__ import annotations

import numpy as np

from neurok.datasets.articulated.mechanism import Mechanism
from neurok.datasets.articulated.placing import X, Z, aimed, shifted
from neurok.datasets.articulated.solids import block, lathe, rod
from neurok.shapes.appearance import Material
from neurok.shapes.articulated.assembly import painted
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
    """A wheel in a fork below a point; the fork turns under a plate or is part of what it carries."""
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
    solids.append(rod(hub - 0.9 * wide * X, hub + 0.9 * wide * X, 0.14 * r, 8))
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
