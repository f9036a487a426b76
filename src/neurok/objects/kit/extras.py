"""Rigid extras such as nameplates, covers and grips, attached by fixed joints as links of their own."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence as Many
from typing import TypeVar

import numpy as np

from neurok.objects.kit.finishes import FinishName, finish
from neurok.objects.kit.mechanism import Mechanism
from neurok.objects.kit.outlines import Vector, curve
from neurok.objects.kit.placing import aimed, moved
from neurok.objects.kit.solids import block, lathe, scaled_lathe, tube
from neurok.shapes.appearance import Material
from neurok.shapes.robots.assembly import painted
from neurok.shapes.shape import Shape

Offer = tuple[str, str, Shape | list[Shape]]  # parent link, name and solids of an extra
Spot = tuple[str, Vector, Vector, float]  # link, point, normal and available size
T = TypeVar("T")


def some_of(rng: np.random.Generator, offers: Many[T], in_order: bool = False) -> list[T]:
    """One to four of the offers with probability 0.4, in random or original order; otherwise none."""
    if rng.random() >= 0.4:
        return []
    if in_order:
        count = min(int(rng.integers(1, 5)), len(offers))
        return [offers[i] for i in sorted(rng.choice(len(offers), count, replace=False))]
    return [offers[i] for i in rng.permutation(len(offers))[: int(rng.integers(1, 5))]]


def weld_some(
    made: Mechanism,
    rng: np.random.Generator,
    offers: Many[Offer],
    material: Material | Many[FinishName] | None = None,
    in_order: bool = False,
) -> None:
    """Weld some of the extras on: with one material, with a random finish each, or with their own colours."""
    for parent, name, solids in some_of(rng, offers, in_order):
        link = made.weld(parent, name)
        if material is None:
            made.part(link, solids)
        else:
            made.add(link, material if isinstance(material, Material) else finish(rng, *material), solids)


def weld_or_part(made: Mechanism, rng: np.random.Generator, offers: Many[Offer]) -> None:
    """Add all extras: on some objects one to four become links, the others geometry of their link."""
    count = int(rng.integers(1, 5)) if rng.random() < 0.42 else 0
    apart = set(rng.permutation(len(offers))[:count].tolist())
    total, seen = Counter(offers[i][1] for i in apart), Counter()
    for i, (link, name, pieces) in enumerate(offers):
        if i in apart:
            seen[name] += 1
            link = made.weld(link, name if total[name] == 1 else f"{name}_{seen[name]}")
        made.part(link, pieces)


def weld_on_spots(made: Mechanism, rng: np.random.Generator, spots: Many[Spot]) -> None:
    """Weld extras of random kinds on some of the spots."""
    for number, (parent, at, along, size) in some_of(rng, list(enumerate(spots, 1))):
        kind = str(rng.choice(["nameplate", "cover", "bracket", "stud", "grip"]))
        link, material = f"{kind}_{number}", finish(rng, "metal", "brass", "dark", "plastic")
        made.add(link, material, [aimed(solid, along, at) for solid in _extra(kind, size)])
        made.weld(parent, link)


def small_plate(rng: np.random.Generator, at: Vector, size: tuple[float, float, float]) -> list[Shape]:
    """A nameplate or a cover."""
    return [painted(block(size, at, 0.3 * min(size)), finish(rng, "metal", "brass", "plastic"))]


def clutter(rng: np.random.Generator, at: Vector, width: float, depth: float) -> list[Shape]:
    """Two to four boxes, jars and stacks of books in a row along x on a level place."""
    count, (x, y, z), pieces = int(rng.integers(2, 5)), at, []
    for k in range(count):
        r = min(0.35 * width / count, 0.3 * depth) * rng.uniform(0.6, 1.0)
        spot = (x + ((k + 0.5) / count - 0.5) * width, y + rng.uniform(-0.15, 0.15) * depth, z)
        kind, tall = str(rng.choice(["box", "jar", "books"])), float(rng.uniform(0.5, 2.5)) * r
        if kind == "jar":
            profile = [(0.7 * r, 0), (r, 0.4 * tall), (0.5 * r, 0.8 * tall), (0.6 * r, tall)]
            solids = [lathe(profile, 12)]
        elif kind == "box":
            solids = [block((1.8 * r, 1.4 * r, tall), (0, 0, tall / 2))]
        else:
            sizes = rng.uniform((1.3, 1.2, 0.15), (1.9, 1.7, 0.35), (3, 3)) * r
            tops = np.cumsum(sizes[:, 2])
            solids = [block(s, (0, 0, top - s[2] / 2)) for s, top in zip(sizes, tops, strict=True)]
        material = finish(rng, "plastic", "pale", "paint", "wood", "dark")
        pieces += [painted(moved(solid, spot), material) for solid in solids]
    return pieces


def _extra(kind: str, s: float) -> list[Shape]:
    """An extra of width `s` on the plane z = 0."""
    if kind == "nameplate":
        return [block((0.5 * s, s, 0.08 * s), (0, 0, 0.03 * s), 0.02 * s)]
    if kind == "cover":
        return [lathe([(0.5 * s, -0.02 * s), (0.5 * s, 0.06 * s), (0.35 * s, 0.12 * s), (0, 0.12 * s)], 16)]
    if kind == "bracket":
        sole = block((0.5 * s, s, 0.08 * s), (0, 0, 0.03 * s))
        return [sole, block((0.08 * s, s, 0.4 * s), (0.2 * s, 0, 0.2 * s))]
    if kind == "stud":
        return [scaled_lathe([(0.2, -0.02), (0.14, 0.2), (0.28, 0.3), (0.2, 0.42), (0, 0.45)], s, 12)]
    bow = s * curve([(0, -0.45, -0.01), (0, -0.38, 0.25), (0, 0.38, 0.25), (0, 0.45, -0.01)], 9)
    return [tube(bow, 0.06 * s, 8)]
