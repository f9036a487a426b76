"""Desk lamps with a base, a jointed arm and a shade."""

# ruff: noqa: RUF005 — point + (x, y, z) adds vectors here

from __future__ import annotations

import numpy as np

from neurok.objects.kit.finishes import finish
from neurok.objects.kit.mechanism import Mechanism
from neurok.objects.kit.placing import aimed
from neurok.objects.kit.solids import ball, bar, block, dowel, lathe, rod, tube
from neurok.objects.registry import family
from neurok.shapes.robots.assembly import painted
from neurok.shapes.shape import Shape


@family(number=9)
def desk_lamp(rng: np.random.Generator) -> Shape:
    """A base, an arm of two to four links that bend in one plane, and a shade on a hinge or a ball."""
    made = Mechanism("desk_lamp")
    body, trim = finish(rng, "plastic", "metal", "dark", "paint"), finish(rng, "metal", "dark", "brass")
    radius, foot = rng.uniform(0.07, 0.12), rng.uniform(0.015, 0.04)
    if rng.random() < 0.7:
        made.add(
            "base", body, lathe([(radius, 0), (radius, 0.5 * foot), (0.7 * radius, foot), (0.02, foot)], 24)
        )
    else:
        made.add("base", body, block((1.8 * radius, 1.5 * radius, foot), (0, 0, foot / 2), 0.006, 3))
    post = foot + rng.uniform(0.02, 0.08)
    made.add("base", trim, rod((0, 0, foot), (0, 0, post), 0.018))
    made.add("post", trim, ball(0.021, (0, 0, post), 12))
    made.hinge("base", "post", (0, 0, post), (0, 0, 1), -2.5, 2.5)
    at, parent, tilt = np.array([0, 0, post]), "post", rng.uniform(-0.5, 0.0)
    count = int(rng.integers(2, 5))
    for i in range(count):
        length = rng.uniform(0.35, 0.6) / count * 1.3
        end = at + length * np.array([np.sin(tilt), 0, np.cos(tilt)])
        name, reach = f"arm_{i + 1}", rng.uniform(0.35, 0.6)
        made.part(name, _arm(rng, at, end, body, trim))
        made.hinge(parent, name, at, (0, 1, 0), -reach, reach)
        at, parent, tilt = end, name, tilt + rng.uniform(0.5, 1.9) / count * 1.4
    _shade(made, rng, parent, at, tilt, body)
    return made.finish(rng, ajar=0.4)


def _arm(rng, start, end, body, trim) -> list[Shape]:
    """A link between two pivots: one rod, two parallel bars, or a flat bar with a spring."""
    style, pins = (
        rng.choice(["rod", "twin", "flat"]),
        [dowel(p, (0, 0.018, 0), 0.013, 10) for p in (start, end)],
    )
    if style == "twin":
        bars = [rod(start + (0, s, 0), end + (0, s, 0), 0.004, 8) for s in (-0.011, 0.011)]
    elif style == "rod":
        bars = [rod(start, end, rng.uniform(0.006, 0.01), 10)]
    else:
        bars = [bar(start, end, 0.008, 0.02)]
        coil = start + np.linspace(0.15, 0.6, 28)[:, None] * (end - start)
        phase = np.linspace(0, 14 * np.pi, 28)
        side = np.cross(end - start, (0, 1, 0)) / np.linalg.norm(end - start)
        bars.append(
            tube(
                coil + 0.012 * (np.cos(phase)[:, None] * side + np.sin(phase)[:, None] * np.array([0, 1, 0])),
                0.002,
                4,
            )
        )
    return [painted(p, trim) for p in pins] + [painted(b, body) for b in bars]


def _shade(made, rng, parent, at, tilt, body) -> None:
    mouth, deep, neck = rng.uniform(0.05, 0.09), rng.uniform(0.08, 0.14), rng.uniform(0.015, 0.03)
    bulge = rng.uniform(0.5, 1.0)
    outer = [(0, 0), (neck, 0), (neck, 0.3 * deep), (bulge * mouth, 0.6 * deep), (mouth, deep)]
    inner = [(r - 0.003, z - 0.001) for r, z in outer[:2:-1]]
    along = np.array([np.sin(tilt + 0.9), 0, np.cos(tilt + 0.9)])
    made.add("head", body, aimed(lathe([*outer, *inner, (0, 0.55 * deep)], 20), along, at - 0.01 * along))
    made.add("head", finish(rng, "pale"), ball(0.45 * mouth, at + 0.75 * deep * along, 12))
    if rng.random() < 0.5:
        made.add("head", finish(rng, "metal"), ball(0.02, at, 12))
        made.socket(parent, "head", at, 0.5)
    else:
        made.hinge(parent, "head", at, (0, 1, 0), -rng.uniform(0.4, 0.9), rng.uniform(0.4, 0.9))
