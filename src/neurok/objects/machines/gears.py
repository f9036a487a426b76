"""Gear trains."""

# ruff: noqa: RUF005 — point + (x, y, z) adds vectors here

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import numpy as np

from neurok.objects.kit.finishes import finish
from neurok.objects.kit.mechanism import Mechanism
from neurok.objects.kit.outlines import angles
from neurok.objects.kit.placing import X, Z, moved, turned
from neurok.objects.kit.solids import block, extrude, lathe, rod
from neurok.objects.registry import family
from neurok.shapes.robots.assembly import painted
from neurok.shapes.shape import Shape


@family(number=18)
def gear_train(rng: np.random.Generator) -> Shape:
    """Meshing gears on a plate, each following the first by the ratio of teeth."""
    made = Mechanism("gear_train")
    count, module, thick = int(rng.integers(2, 6)), rng.uniform(0.004, 0.012), rng.uniform(0.008, 0.03)
    teeth = [int(n) for n in rng.integers(9, 26, count)]
    at, heading, centres, phases = np.zeros(2), rng.uniform(-0.4, 0.4), [np.zeros(2)], [0.0]
    for a, b in pairwise(teeth):
        heading = float(np.clip(heading + rng.uniform(-0.9, 0.9), -1.1, 1.1))
        at = at + module * (a + b) / 2 * np.array([np.cos(heading), np.sin(heading)])
        # along the line of centres, teeth of one gear meet gaps of the next
        phases.append(heading + np.pi + (heading - phases[-1]) * a / b - np.pi / b)
        centres.append(at)
    radii = module * np.array(teeth) / 2
    low = np.min([c - r for c, r in zip(centres, radii, strict=True)], axis=0) - 2 * module
    high = np.max([c + r for c, r in zip(centres, radii, strict=True)], axis=0) + 2 * module
    plate, metal = finish(rng, "wood", "dark", "paint"), finish(rng, "metal", "brass")
    made.add(
        "plate", plate, block((*(high - low), 0.5 * thick), (*(low + high) / 2, -0.25 * thick), 0.1 * thick)
    )
    leader, upright = "", rng.random() < 0.5
    for i, (n, centre, phase) in enumerate(zip(teeth, centres, phases, strict=True)):
        name, place = f"gear_{i + 1}", np.array([*centre, 0.0])
        made.add("plate", metal, rod(place, place + (0, 0, 1.5 * thick), 0.8 * module + 0.08 * radii[i], 10))
        made.part(name, [moved(turned(p, Z, phase), place) for p in _gear(rng, n, module, thick)])
        ratio = (-1) ** i * teeth[0] / n
        joint = made.spin("plate", name, place, Z, follows=(leader, ratio) if leader else None)
        leader = leader or joint
    place = np.array([*centres[0], 1.1 * thick])
    knob = place + (0.6 * radii[0], 0, 0)
    peg = rod(knob - (0, 0, 0.2 * thick), knob + (0, 0, 2 * thick), 0.12 * radii[0], 10)
    made.add("gear_1", finish(rng, "wood", "plastic"), peg)
    if upright:
        _stand_up(made)
    return made.finish(rng, ajar=0.2)


def _gear(rng, teeth, module, thick) -> list[Shape]:
    """A spur gear about z from 0.05 to 1.05 of its thickness, a tooth centred on +x, with hub and holes."""
    r = module * teeth / 2
    inner, outer, pitch = r - 1.1 * module, r + 0.9 * module, 2 * np.pi / teeth
    corners = [(inner, -0.33), (r, -0.24), (outer, -0.11), (outer, 0.11), (r, 0.24), (inner, 0.33)]
    outline = np.array([
        radius * np.array([np.cos((k + share) * pitch), np.sin((k + share) * pitch)])
        for k in range(teeth) for radius, share in corners
    ])  # fmt: skip
    colour, style = finish(rng, "metal", "brass", "plastic", "wood", "paint"), int(rng.integers(3))
    gear = [painted(moved(extrude(outline, thick), (0, 0, 0.55 * thick)), colour)]
    gear.append(painted(moved(lathe([(0.3 * r, 0), (0.3 * r, 0.3 * thick)], 16), (0, 0, thick)), colour))
    dark = finish(rng, "dark")
    for a in angles(4 + style) if style else ():
        spot = lathe([(0.13 * r, 0), (0.13 * r, 0.06 * thick)], 10)
        gear.append(painted(moved(spot, (0.58 * r * np.cos(a), 0.58 * r * np.sin(a), 1.02 * thick)), dark))
    return gear


def _stand_up(made: Mechanism) -> None:
    """Stand a shape of the xy plane upright, facing −y."""
    made.pieces = [(link, turned(piece, X, np.pi / 2)) for link, piece in made.pieces]
    turn = np.array([[1.0, 0, 0], [0, 0, -1.0], [0, 1.0, 0]])
    made.joints = [replace(j, at=turn @ j.at, axis=turn @ j.axis) for j in made.joints]
