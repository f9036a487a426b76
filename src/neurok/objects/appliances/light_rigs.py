"""Stands, bars, pipes and trusses that carry stage lights."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from neurok.objects.kit.finishes import finish
from neurok.objects.kit.mechanism import Mechanism
from neurok.objects.kit.outlines import corners, rectangle, row
from neurok.objects.kit.placing import X, Z, aimed, around, moved
from neurok.objects.kit.solids import block, lathe, ring, rod, tube

Array = np.ndarray


def standing(made: Mechanism, rng: np.random.Generator, count: int, reach: float) -> list[Array]:
    """A plate, a box, a pole with feet, or a low or high bar. Returns the places for brackets on it."""
    skin, trim = finish(rng, "dark", "metal", "paint", "wood"), finish(rng, "metal", "dark")
    kind = str(rng.choice(["plate", "box", "pole", "pole"] if count == 1 else ["bar", "pole"]))
    thick, step = rng.uniform(0.08, 0.2) * reach, rng.uniform(2.05, 2.5) * reach
    places = row(count, step)
    if kind == "plate":
        wide = rng.uniform(0.6, 1.0) * reach
        disc = lathe([(wide, 0), (wide, 0.6 * thick), (0.8 * wide, thick)], int(rng.choice([4, 8, 24])))
        made.add("base", skin, disc)
        return [thick * Z]
    if kind in ("box", "bar"):
        deep, high = rng.uniform((0.8, 0.25), (1.6, 0.6)) * reach if kind == "box" else (0.7 * reach, thick)
        long = rng.uniform(1.0, 1.9) * reach if kind == "box" else places[-1] - places[0] + reach
        made.add("base", skin, block((long, deep, high), (0, 0, thick / 2 + high / 2), 0.06 * high))
        foot, spots = rod((0, 0, 0), 0.6 * thick * Z, 0.06 * reach, 8), corners(0.42 * long, 0.4 * deep)
        label = block((0.4 * long, 0.02 * reach, 0.5 * high), (0, -deep / 2, (thick + high) / 2))
        made.add("base", trim, label, *(moved(foot, (*spot, 0)) for spot in spots))
        return [np.array([x, 0, thick / 2 + high]) for x in places]
    tall, pole, splay = reach * rng.uniform((2.0, 0.06, 0.9), (6.0, 0.12, 1.5))
    made.add("base", trim, rod((0, 0, 0.2 * reach), (0, 0, tall), pole, 14))
    path = [(0, 0, 0.9 * reach), (splay, 0, 0.03 * reach), (1.1 * splay, 0, 0.03 * reach)]
    leg = tube(path, 0.5 * pole, 8)
    if rng.random() < 0.6:
        made.add("base", skin, around(leg, int(rng.integers(3, 5))))
    else:
        made.add("base", skin, lathe([(splay, 0), (splay, thick / 2), (2 * pole, 2 * thick)], 20))
    if count > 1:
        long = places[-1] - places[0] + 0.6 * reach
        made.add("base", skin, block((long, 2.2 * pole, 2 * pole), (0, 0, tall)))
        return [np.array([x, 0, tall + pole]) for x in places]
    made.add("base", skin, lathe([(1.3 * pole, tall - 0.2 * reach), (2 * pole, tall)], 12))
    return [tall * Z]


def hanging(made: Mechanism, rng: np.random.Generator, count: int, reach: float, high: float) -> list[Array]:
    """A pipe, a truss or a single hook at least `high` up. Returns the places where brackets hang."""
    skin, trim = finish(rng, "metal", "dark", "paint"), finish(rng, "metal", "dark")
    kind = str(rng.choice(["pipe", "truss", "hook"] if count == 1 else ["pipe", "truss"]))
    step, bar = rng.uniform(2.05, 2.5) * reach, rng.uniform(0.08, 0.14) * reach
    places = row(count, step)
    out = max(places[-1], 0) + rng.uniform(1.1, 1.5) * reach
    if posts := kind in ("pipe", "truss") and rng.random() < 0.45:
        high, out = high + rng.uniform(0.3, 3.0) * reach, out + 0.2 * reach
    level, gap = high + 3 * bar, rng.uniform(2.5, 5.0) * bar
    if kind == "pipe":
        made.add("base", skin, rod((-out, 0, level), (out, 0, level), bar, 14))
    elif kind == "truss":
        chords = [(-gap, level), (gap, level), (0, level + 1.7 * gap)]
        made.add("base", skin, *(rod((-out, y, z), (out, y, z), 0.6 * bar, 10) for y, z in chords))
        knots = np.linspace(-out, out, 2 * int(rng.integers(2, 5)) + 1)
        for s in (-1, 1):
            ends = [(s * gap, level), (0, level + 1.7 * gap)]
            zigzag = [(x, *ends[k % 2]) for k, x in enumerate(knots)]
            made.add("base", trim, *(rod(a, b, 0.3 * bar, 6) for a, b in pairwise(zigzag)))
        made.add("base", trim, *(block((1.5 * bar, 2 * gap, bar), (x, 0, level)) for x in places))
    if posts:
        legs = [block((3 * bar, 3 * bar, level), (s * out, 0, level / 2)) for s in (-1, 1)]
        sole = block((rng.uniform(3, 8) * bar, rng.uniform(1, 2) * reach, bar))
        made.add("base", skin, *legs, *(moved(sole, (s * out, 0, bar / 2)) for s in (-1, 1)))
        head = block((3 * bar, 2 * gap + bar, 2 * bar), level * Z)
        made.add("base", skin, *(moved(head, s * out * X) for s in (-1, 1)))
    for x in places:
        plate = block((3 * bar, 3.4 * bar, 1.6 * bar), (x, 0, high + 0.8 * bar), 0.1 * bar)
        cap = ring(rectangle(0.7 * bar, 2 * bar) + np.array([1.35 * bar, 0]), 14)
        made.add("base", trim, plate, aimed(cap, X, (x, 0, level)))
        made.add("base", trim, block((bar, bar, bar), (x, 0, high + 1.8 * bar)))
    return [np.array([x, 0, high]) for x in places]
