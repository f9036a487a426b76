"""Mirrors that tilt on pins: in a fork, between posts, or in a frame on feet."""

from __future__ import annotations

import numpy as np

from neurok.objects.kit.brackets import bracket
from neurok.objects.kit.casework import open_case, open_tray
from neurok.objects.kit.extras import weld_or_part, weld_some
from neurok.objects.kit.finishes import finish
from neurok.objects.kit.mechanism import Mechanism
from neurok.objects.kit.outlines import arc, curve, inset, lifted, rectangle
from neurok.objects.kit.panels import border_bars
from neurok.objects.kit.placing import X, Y, Z, around, moved, shifted, upright
from neurok.objects.kit.solids import ball, block, dowel, extrude, lathe, loop, ring, rod, tube
from neurok.objects.registry import family
from neurok.shapes.robots.assembly import painted
from neurok.shapes.shape import Shape

Array = np.ndarray


@family(number=64)
def vanity_mirror(rng: np.random.Generator) -> Shape:
    """A mirror or board on pins: in a fork on a stem, between posts on a base, or in a frame on feet."""
    made, kind = Mechanism("vanity_mirror"), str(rng.choice(["fork", "fork", "posts", "cheval"]))
    wood, metal = finish(rng, "wood", "paint", "pale", "dark", "metal"), finish(rng, "metal", "brass", "dark")
    size = rng.uniform(0.4, 0.9) if kind == "cheval" else rng.uniform(0.14, 0.4)
    wide, high = size * rng.uniform((0.7, 0.8), (1.2, 1.6))
    thick, pin = rng.uniform((0.02, 0.012), (0.07, 0.025)) * size
    panel, offers = _mirror(rng, wide, high, thick, wood)
    points = np.concatenate([p.vertices for p in [*panel, *(p for _, pieces in offers for p in pieces)]])
    edge, reach = np.abs(points[:, 0]).max(), np.linalg.norm(points, axis=1).max()
    half, deep = edge + rng.uniform(0.01, 0.04) * size, rng.uniform(0.03, 0.08) * size + pin
    room = np.hypot(points[:, 1], points[:, 2]).max() + 0.03 * size
    if kind == "fork":
        holder, pivot, thick = _fork(made, rng, (half, room, reach, deep), wood, metal)
    else:
        holder, thick = "base", rng.uniform(0.8, 1.3) * deep
        pivot = _posts(made, rng, (half, room, thick), kind == "cheval", wood, metal)
    made.part("mirror", shifted(panel, pivot))
    bolts = [rod(s * (edge - 0.1 * wide) * X, s * (half + 1.2 * thick) * X, pin, 16) for s in (-1, 1)]
    if rng.random() < 0.6:
        bolts += [ball(2.2 * pin, s * (half + 1.2 * thick + pin) * X, 10) for s in (-1, 1)]
    made.add("mirror" if rng.random() < 0.6 else holder, metal, *shifted(bolts, pivot))
    if rng.random() < 0.3:
        made.spin(holder, "mirror", pivot, X)
    else:
        made.hinge(holder, "mirror", pivot, X, -rng.uniform(0.3, 1.5), rng.uniform(0.3, 1.5))
    weld_or_part(made, rng, [("mirror", name, shifted(pieces, pivot)) for name, pieces in offers])
    return made.finish(rng, ajar=0.5)


def _mirror(rng, wide, high, thick, wood) -> tuple[list[Shape], list[tuple[str, list[Shape]]]]:
    """A framed pane about the origin that faces −y, and its ornaments."""
    kind = str(rng.choice(["round", "oval", "square", "cut", "arch"]))
    frame = str(rng.choice(["tube", "board", "bars", "none"]))
    glass, offers = finish(rng, "glass", "metal", "pale"), []
    high = wide if kind == "round" else high
    if kind in ("round", "oval"):
        outline = arc((wide / 2, high / 2), 0, 2 * np.pi, int(rng.choice([13, 25, 33])))[:-1]
    elif kind == "arch":
        dome = arc((wide / 2, 0.25 * high), 0, np.pi, 13) + np.array([0, 0.25 * high])
        outline = np.concatenate([dome, [(-wide / 2, -high / 2), (wide / 2, -high / 2)]])
    else:
        outline = rectangle(wide, high, rng.uniform(0.05, 0.2) * wide, 1 if kind == "cut" else 4)
        outline = outline if kind == "cut" or rng.random() < 0.4 else rectangle(wide, high)
    border = rng.uniform(0.03, 0.1) * wide
    if frame == "bars" and len(outline) == 4:
        solids = border_bars(wide, high, 1.4 * thick, border)
    elif frame == "tube":
        solids = [upright(loop(lifted(outline), 0.9 * thick, 8))]
    elif frame == "none":
        solids = [block((0.12 * wide, 1.6 * thick, 0.1 * wide), (s * 0.46 * wide, 0, 0)) for s in (-1, 1)]
    else:
        solids = [upright(extrude(outline, thick, 0.1 * thick), 0.3 * thick * Y)]
    inner = inset(outline, border if frame == "board" else 0.2 * border)
    pane = upright(extrude(inner, 0.5 * thick), -0.3 * thick * Y)
    dome = arc((0.25 * wide, 0.12 * high), 0, np.pi, 9)
    dome = np.r_[dome, [(-0.22 * wide, -0.1 * high), (0.22 * wide, -0.1 * high)]]
    crest = upright(extrude(dome, 0.6 * thick), (0, 0.4 * thick, 0.97 * high / 2))
    grip = dowel((0, -0.8 * thick, -0.47 * high), (0, 0.8 * thick, 0), 0.02 * wide + 0.2 * thick, 12)
    if rng.random() < 0.35:
        offers.append(("crest", [painted(crest, wood)]))
    if rng.random() < 0.35:
        offers.append(("knob", [painted(grip, finish(rng, "metal", "brass"))]))
    return [*(painted(s, wood) for s in solids), painted(pane, glass)], offers


def _fork(made, rng, lines, wood, metal) -> tuple[str, Array, float]:
    """A bracket on a fixed or turning stem over a foot or box. Returns its link, pivot and thickness."""
    half, room, reach, deep = lines
    solids, thick, room, low = bracket(rng, half, room, reach, deep)
    turns, stem = rng.random() < 0.5, rng.uniform(0.25, 0.5) * deep + 0.03 * half
    tall, foot = rng.uniform(0.1, 1.6) * half, rng.uniform(0.6, 1.0) * half
    if rng.random() < 0.35:
        top = _drawer_box(made, rng, 2.2 * foot, 1.4 * foot, rng.uniform(0.3, 0.5) * foot + 0.02, wood)
    elif rng.random() < 0.3:
        top = 0.35 * foot
        leg = rod((0, 0, top - stem), (1.2 * foot, 0, 0.5 * stem), 0.7 * stem, 8)
        legs = around(leg, int(rng.integers(3, 5)))
        made.add("base", wood, *legs, lathe([(1.5 * stem, top - 3 * stem), (1.5 * stem, top)], 12))
    else:
        top = rng.uniform(0.08, 0.2) * foot
        plate = lathe([(foot, 0), (foot, 0.5 * top), (2 * stem, top)], int(rng.choice([4, 6, 20])))
        made.add("base", wood, plate)
    pivot = (top + tall - low) * Z
    holder = "fork" if turns or rng.random() < 0.3 else "base"
    made.add(holder, metal, shifted(solids, pivot))
    made.add(holder, metal, rod((0, 0, top - 0.3 * stem), (0, 0, top + tall + 0.5 * thick), stem, 12))
    if turns or rng.random() < 0.5:
        cup = ring(rectangle(0.6 * stem, 1.4 * stem) + np.array([1.32 * stem, top + 0.6 * stem]), 14)
        made.add("base", metal, cup)
    if turns:
        way = rng.uniform(0.6, 3.0)
        made.hinge("base", holder, top * Z, Z, -way, way)
    elif holder == "fork":
        made.weld("base", holder)
    return holder, pivot, min(thick, deep) if thick < half else thick


def _posts(made, rng, lines, tall, wood, metal) -> Array:
    """Two posts on a box, a board, or feet with bars between them. Returns the pivot between them."""
    half, room, t = lines
    x, deep, round_ = half + t / 2, rng.uniform(0.5, 0.9) * half, rng.random() < 0.4
    if tall:
        top, low = 0.0, rng.uniform(0.05, 0.3) * room + t
        path = [(0, -deep, 0.4 * t), (0, -0.3 * deep, low), (0, 0.3 * deep, low), (0, deep, 0.4 * t)]
        foot = tube(curve(path, 9), 0.5 * t, 8)
        made.add("base", wood, *(moved(foot, s * x * X) for s in (-1, 1)))
        levels = [low, *([low + 0.04 * room + t] if rng.random() < 0.5 else [])]
        made.add("base", wood, *(block((2 * x, 0.8 * t, 0.8 * t), (0, 0, z)) for z in levels))
        low = levels[-1] + 0.5 * t
    elif rng.random() < 0.65:
        top = low = _drawer_box(made, rng, 2 * half + 3 * t, deep, rng.uniform(0.2, 0.5) * half, wood)
    else:
        top = low = 1.2 * t
        made.add("base", wood, block((2 * half + 3 * t, deep, top), (0, 0, top / 2), 0.1 * t))
    z, over, foot_z = low + room, rng.uniform(1.0, 3.0) * t, max(top - 0.1 * t, 0.4 * t)
    for s in (-1, 1):
        if round_:
            heights = np.linspace(foot_z, z - t, 9)
            rows = [(0.5 * t * (1 if k % 2 else rng.uniform(0.6, 0.9)), h) for k, h in enumerate(heights)]
            made.add("base", wood, moved(lathe([*rows, (0.5 * t, z), (0.4 * t, z + over)], 10), s * x * X))
        else:
            size = (t, rng.uniform(1.0, 1.1) * t, z + over - foot_z)
            made.add("base", wood, block(size, (s * x, 0, (z + over + foot_z) / 2)))
    knob = ball(0.6 * t, (0, 0, z + over + 0.2 * t), 10)
    tops = [("base", f"finial_{k + 1}", moved(knob, s * x * X)) for k, s in enumerate((-1, 1))]
    weld_some(made, rng, tops, metal)
    return z * Z


def _drawer_box(made, rng, wide, deep, high, wood) -> float:
    """A case with one to three drawers, one of them sometimes a dummy. Returns the height of its top."""
    wall, count = 0.08 * high, int(rng.integers(1, 4))
    made.add("base", wood, open_case(wide, deep, high, wall))
    pitch, trim = (wide - wall) / count, finish(rng, "metal", "brass", "wood", "pale")
    for k in range(count):
        x, a, h = (k + 0.5) * pitch - (wide - wall) / 2, pitch - 1.2 * wall, high - 2.2 * wall
        if k:
            made.add("base", wood, block((wall, deep, high - wall), (x - pitch / 2, 0, high / 2)))
        link = "base" if count > 1 and rng.random() < 0.3 else f"drawer_{k + 1}"
        y, long = -deep / 2 + 0.6 * wall, 0.8 * deep
        made.add(link, wood, block((a, wall, h), (x, y, high / 2)))
        made.add(link, trim, ball(0.12 * high, (x, y - 0.12 * high, high / 2), 10))
        if link != "base":
            tray = open_tray(a, long, 0.8 * h, 0.5 * wall)
            made.add(link, wood, shifted(tray, (x, y + long / 2, 1.1 * wall)))
            made.slide("base", link, -Y, 0.0, rng.uniform(0.4, 0.8) * long)
    return high
