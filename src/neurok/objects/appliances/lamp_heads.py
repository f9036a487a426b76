"""Heads of stage lights with barn doors, lenses, grilles, fins and handles."""

from __future__ import annotations

import numpy as np

from neurok.objects.kit.finishes import finish
from neurok.objects.kit.outlines import arc, cells, curve, rectangle
from neurok.objects.kit.placing import X, Y, Z, aimed, mirrored, moved, turned
from neurok.objects.kit.solids import block, dowel, lathe, ring, tube
from neurok.shapes.appearance import Material
from neurok.shapes.robots.assembly import painted
from neurok.shapes.shape import Shape

Extra = tuple[str, list[Shape]]  # accessory of a head: its name and solids


def lamp(rng: np.random.Generator, r: float, skin: Material) -> tuple[list[Shape], list[Extra]]:
    """A lamp head about the origin that faces −y, and its accessories."""
    kind = str(rng.choice(["can", "box", "snout", "barrel", "batten", "globe"]))
    sides, trim = int(rng.choice([8, 14, 24])), finish(rng, "dark", "metal", "paint")
    front, rear = r * rng.uniform((0.7, 0.5), (1.5, 1.2))
    face, square = np.array([r, r]), kind in ("box", "batten")
    if kind == "can":
        rows = [(0.6 * r, -rear), (r, -0.5 * rear), (r, front), (0.9 * r, front), (0.9 * r, 0.7 * front)]
        solids = [aimed(lathe([*rows, (0, 0.7 * front)], sides), -Y)]
    elif kind == "globe":
        bowl = arc(r, -np.pi / 2, rng.uniform(0.5, 0.9), 9).round(9)
        face, front, rear = np.full(2, bowl[-1, 0]), bowl[-1, 1], r
        solids = [aimed(lathe(bowl, sides), -Y)]
    elif kind == "barrel":
        wide, front = rng.uniform(0.45, 0.65) * r, 1.5 * front
        face = np.full(2, 1.15 * wide)
        rows = [(wide, -0.2 * r), (wide, 0.6 * front), (1.15 * wide, 0.62 * front), (1.15 * wide, front)]
        solids = [aimed(lathe([*rows, (wide, front), (wide, 0.8 * front), (0, 0.8 * front)], sides), -Y)]
        solids.append(block((1.6 * r, 0.8 * r + rear, 1.5 * r), (0, (rear - 0.4 * r) / 2, 0), 0.1 * r))
    else:
        least, most = ((1.6, 0.4), (3.5, 0.8)) if kind == "batten" else ((0.7, 0.7), (1.1, 1.1))
        face = r * rng.uniform(least, most)
        solids = [block((2 * face[0], front + rear, 2 * face[1]), (0, (rear - front) / 2, 0), 0.08 * r)]
    if kind == "snout":
        face = np.full(2, 0.9 * face.min())
        rows = np.multiply([(1, 0.9), (1, 1.4), (0.9, 1.4), (0.9, 1), (0, 1)], (face[0], front))
        solids.append(aimed(lathe(rows, sides), -Y))
        front *= 1.4
    offers = _extras(rng, r, face, front, rear, square)
    return [painted(s, skin) for s in solids], [(n, [painted(s, trim) for s in made]) for n, made in offers]


def _extras(rng, r, face, front, rear, square) -> list[Extra]:
    """A random choice of barn doors, lens, grille, rim, rear fins and handle, and power box."""
    (a, c), t, offers = face, 0.03 * r, []
    if (style := rng.random()) < 0.35:
        long, splay = rng.uniform(0.5, 1.1) * c, rng.uniform(0.1, 0.7)
        leaf = turned(block((1.9 * a, 1.1 * long, t), (0, -0.45 * long, 0)), X, -splay)
        wing = turned(block((t, 1.1 * long, 1.6 * c), (0, -0.45 * long, 0)), Z, 0.15)
        top, side = moved(leaf, (0, -front, c - t)), moved(wing, (a - t, -front, 0))
        doors = [top, mirrored(top, 2), side, mirrored(side, 0)][: int(rng.choice([2, 4]))]
        offers += [(f"flap_{k + 1}", [door]) for k, door in enumerate(doors)]
    elif style < 0.6 and not square:
        hoop = ring(rectangle(0.1 * r, 0.3 * r) + np.array([a, 0]), 16)
        offers.append(("rim", [aimed(hoop, -Y, (0, -front, 0))]))
    elif style < 0.6:
        offers.append(("visor", [block((2 * a, 0.6 * c, t), (0, -front - 0.28 * c, c - t))]))
    if rng.random() < 0.5:
        spots = np.linspace(-0.6, 0.6, int(rng.integers(2, 6)))
        tall = 1.8 * c * (np.ones_like(spots) if square else np.sqrt(1 - spots**2))
        bars = [block((0.1 * r, t, h), (x * a, -front, 0)) for x, h in zip(spots, tall, strict=True)]
        bars.append(block((1.8 * a, t, 0.1 * r), (0, -front, 0)))
        offers.append(("grille", bars))
    elif square:
        spots = cells(max(1, round(a / c)), 2 * a)
        offers.append(("lens", [dowel((x, -front, 0), 0.05 * r * Y, 0.75 * min(c, a), 14) for x in spots]))
    if rng.random() < 0.5:
        high = rng.uniform(0.3, 0.5) * c
        bow = curve([(0, 0, -high), (0, 0.35 * r, -high), (0, 0.35 * r, high), (0, 0, high)], 10)
        offers.append(("handle", [tube(bow + (rear - 0.14 * r) * Y, 0.05 * r, 8)]))
    elif rng.random() < 0.5:
        fins = np.linspace(-0.35, 0.35, int(rng.integers(3, 7)))
        offers.append(("cooler", [block((t, 0.3 * r, 0.7 * c), (x * a, rear, 0)) for x in fins]))
    if rng.random() < 0.3:
        offers.append(("box", [block((0.7 * a, 0.6 * rear, 0.5 * c), (0, 0.4 * rear, -c), 0.05 * r)]))
    return offers
