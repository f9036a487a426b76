"""Fans on stands and ceilings, and windmills."""

# ruff: noqa: RUF005 — point + (x, y, z) adds vectors here

from __future__ import annotations

import numpy as np

from neurok.objects.kit.finishes import finish
from neurok.objects.kit.mechanism import Mechanism
from neurok.objects.kit.outlines import angles, curve
from neurok.objects.kit.placing import X, Y, Z, aimed, around, moved, shifted, turned
from neurok.objects.kit.solids import ball, block, dowel, extrude, lathe, rod, torus, tube
from neurok.objects.registry import family
from neurok.shapes.shape import Shape


@family(number=10)
def fan(rng: np.random.Generator) -> Shape:
    """A fan on a stand whose head tilts and swings, a ceiling fan, or a windmill."""
    made = Mechanism("fan")
    kind = rng.choice(["stand", "ceiling", "mill"], p=[0.6, 0.2, 0.2])
    body, trim = finish(rng, "pale", "metal", "paint", "dark"), finish(rng, "metal", "dark", "brass")
    if kind == "ceiling":
        drop, r = rng.uniform(0.15, 0.5), rng.uniform(0.4, 0.7)
        made.add("mount", body, moved(lathe([(0.08, 0), (0.06, 0.05)], 18), (0, 0, drop)))
        made.add("mount", trim, rod((0, 0, 0), (0, 0, drop), 0.015, 10))
        made.add("rotor", body, lathe([(0.05, -0.06), (0.11, -0.03), (0.11, 0.03), (0.03, 0.06)], 20))
        count = int(rng.integers(3, 7))
        made.add("rotor", finish(rng, "wood", "pale", "dark"), _blades(rng, r, 0.1, -Z, count))
        if rng.random() < 0.5:
            made.add("mount", trim, rod((0, 0, -0.07), (0, 0, 0), 0.012, 8))
            made.add("mount", finish(rng, "pale"), ball(0.07, (0, 0, -0.1)))
        made.spin("mount", "rotor", (0, 0, 0), Z)
        return made.finish(rng)
    if kind == "mill":
        return _mill(made, rng, body, trim).finish(rng)
    _stand_fan(made, rng, body, trim)
    return made.finish(rng)


def _stand_fan(made, rng, body, trim) -> None:
    r = rng.uniform(0.1, 0.24)
    height = r * rng.uniform(1.8, 4.5)
    foot = (
        lathe([(1.1 * r, 0), (1.1 * r, 0.02), (0.3 * r, 0.04)], 24)
        if rng.random() < 0.6
        else block((2 * r, 1.6 * r, 0.04), (0, 0, 0.02), 0.01, 3)
    )
    made.add("base", body, foot)
    made.add("base", trim, rod((0, 0, 0.03), (0, 0, height), (0.022, 0.016), 12))
    parent, at = "base", np.array([0, 0, height])
    if rng.random() < 0.7:
        made.add("yoke", body, rod(at - (0, 0, 0.03), at + (0, 0, 0.02), 0.028, 14))
        reach = rng.uniform(0.5, 1.0)
        made.hinge("base", "yoke", at, Z, -reach, reach)
        parent = "yoke"
    pivot = at + (0, 0, 0.045)
    made.add("head", trim, dowel(pivot, (0.03, 0, 0), 0.03, 14))
    motor = aimed(
        lathe([(0.25 * r, -0.5 * r), (0.4 * r, -0.3 * r), (0.4 * r, 0.3 * r), (0.2 * r, 0.4 * r)], 18),
        -Y,
        pivot,
    )
    made.add("head", body, motor)
    made.hinge(parent, "head", pivot, X, -rng.uniform(0.2, 0.5), rng.uniform(0.1, 0.3))
    hub = pivot + (0, -0.4 * r - 0.02, 0)
    nose = aimed(lathe([(0.18 * r, 0), (0.18 * r, 0.2 * r), (0, 0.3 * r)], 14), -Y, hub + (0, 0.03, 0))
    made.add("rotor", trim, nose)
    count, skin = int(rng.integers(3, 7)), finish(rng, "plastic", "glass", "metal", "pale")
    made.add("rotor", skin, shifted(_blades(rng, 0.92 * r, 0.12 * r, -Y, count), hub + (0, -0.05 * r, 0)))
    made.spin("head", "rotor", hub, Y)
    if rng.random() < 0.75:
        made.add("head", finish(rng, "metal", "pale", "dark"), _cage(rng, r, hub, pivot))


def _cage(rng, r, hub, pivot) -> list[Shape]:
    """Two faces of spokes and a rim around the blades."""
    spokes, bow = int(rng.integers(8, 15)), 0.3 * r
    solids = [aimed(torus(1.05 * r, 0.012, 24, 6), Y, hub)]
    for sign in (-1, 1):
        centre = hub + (0, sign * bow - 0.05 * r * (sign < 0), 0)
        solids.append(aimed(lathe([(0.15 * r, -0.006), (0.15 * r, 0.006)], 14), Y, centre))
        for a in angles(spokes):
            out = np.array([np.cos(a), 0, np.sin(a)])
            path = curve([centre + 0.12 * r * out, centre + 0.7 * r * out, hub + 1.05 * r * out], 5)
            solids.append(tube(path, 0.003, 4))
    solids.append(rod(pivot, hub + (0, bow, 0), 0.2 * r, 10))
    return solids


def _blades(rng, radius, inner, axis, count) -> list[Shape]:
    """Pitched blades around an axis through the origin."""
    root, tip = rng.uniform(0.12, 0.3) * radius, rng.uniform(0.2, 0.55) * radius
    lower = [(0.6 * inner, -root / 2), (0.6 * radius, -0.55 * tip), (0.97 * radius, -0.35 * tip)]
    upper = [(radius, 0.0), (0.9 * radius, 0.45 * tip), (0.5 * radius, 0.4 * tip), (0.6 * inner, root / 2)]
    outline = np.concatenate([curve(lower, 6), curve(upper, 7)])
    blade = turned(extrude(outline, 0.02 * radius + 0.001), X, rng.uniform(0.2, 0.6))
    return [aimed(b, axis) for b in around(blade, count)]


def _mill(made, rng, body, trim) -> Mechanism:
    """A tower with sails on a cap that turns into the wind."""
    height, r = rng.uniform(0.6, 1.5), rng.uniform(0.3, 0.6)
    wide = rng.uniform(0.06, 0.2)
    sides = int(rng.choice([6, 8, 20]))
    made.add("tower", body, lathe([(wide, 0), (0.55 * wide, height)], sides))
    cap = np.array([0, 0, height])
    made.add(
        "cap", trim, moved(lathe([(0.65 * wide, -0.01), (0.65 * wide, 0.3 * wide), (0, wide)], sides), cap)
    )
    made.hinge("tower", "cap", cap, Z, -np.pi, np.pi)
    hub = cap + (0, -0.95 * wide, 0.15 * wide)
    made.add("cap", trim, rod(cap + (0, 0, 0.15 * wide), hub, 0.12 * wide, 10))
    made.add("sails", trim, ball(0.2 * wide, hub, 12))
    count, cloth = int(rng.integers(3, 6)), finish(rng, "fabric", "pale", "wood")
    if rng.random() < 0.5:
        made.add("sails", cloth, shifted(_blades(rng, r, 0.2 * wide, -Y, count), hub))
    else:
        for a in angles(count):
            spar = rod((0, 0, 0), (r, 0, 0), 0.05 * wide, 6)
            sail = turned(block((0.7 * r, 0.01, 0.22 * r), (0.6 * r, 0, 0.1 * r)), X, 0.3)
            made.add("sails", trim, moved(turned(spar, Y, a), hub))
            made.add("sails", cloth, moved(turned(sail, Y, a), hub))
    made.spin("cap", "sails", hub, Y)
    return made
