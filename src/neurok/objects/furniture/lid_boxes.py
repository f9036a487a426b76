"""Boxes with lids that slide in grooves, under lips or in dovetails."""

from __future__ import annotations

import numpy as np

from neurok.objects.kit.extras import weld_on_spots
from neurok.objects.kit.finishes import finish
from neurok.objects.kit.lanes import which_move
from neurok.objects.kit.mechanism import Mechanism
from neurok.objects.kit.outlines import corners
from neurok.objects.kit.panels import walls
from neurok.objects.kit.placing import X, Y, Z, moved, shifted, turned
from neurok.objects.kit.solids import ball, block, dowel, prism_along_x, ring, rod
from neurok.objects.registry import family
from neurok.shapes.shape import Shape


@family(number=56)
def sliding_lid_box(rng: np.random.Generator) -> Shape:
    """A long box with lids or a front that slide in grooves, under lips or in a dovetail, or a hinged lid."""
    made = Mechanism("sliding_lid_box")
    kind = str(rng.choice(["one", "one", "two", "front", "front", "hinged"]))
    long = rng.uniform(0.15, 0.4) if rng.random() < 0.7 else rng.uniform(0.4, 0.8)
    wide, high, wall = rng.uniform((0.2, 0.15, 0.02), (0.7, 0.45, 0.04)) * long
    body = finish(rng, "wood", "paint", "pale", "plastic")
    trim = finish(rng, "metal", "brass", "dark", "wood")
    base = rng.uniform(0.14, 0.25) * long if kind != "front" and rng.random() < 0.35 else 0.0
    size = (long, wide, high, wall)
    made.add("box", body, block((long, wide, wall), (long / 2, 0, base + wall / 2), 0.1 * wall))
    if kind == "hinged":
        _hinged_lid(made, rng, size, base, body, trim)
    else:
        _grooved_lids(made, rng, size, base, body, trim, kind == "two")
    for x in np.linspace(0, long, int(rng.integers(2, 5)))[1:-1]:
        made.add("box", body, block((0.5 * wall, wide - 2 * wall, 0.6 * high), (x, 0, base + 0.3 * high)))
    if base:
        _box_drawer(made, rng, size, base, body, trim)
    if kind != "front" and rng.random() < 0.5:
        feet = [(long / 2 + x, y, 0) for x, y in corners(0.45 * long, 0.42 * wide)]
        made.add("box", trim, *(ball(0.7 * wall, p, 8) for p in feet))
    spots = [("box", (k * long, s * wide / 2, base + 0.4 * high), s * Y, 0.3 * high)
             for k, s in ((0.3, -1), (0.7, -1), (0.5, 1))]  # fmt: skip
    weld_on_spots(made, rng, spots)
    if kind == "front":
        made.turn(X, np.pi / 2)
        made.turn(Y, -np.pi / 2)
    elif rng.random() < 0.5:
        made.turn(Z, -np.pi / 2)
    return made.finish(rng, ajar=0.35)


def _grooved_lids(made, rng, size, base, body, trim, twin) -> None:
    """Long walls that hold a lid by its edges, and one lid or two that meet in the middle."""
    (long, wide, high, wall), style = size, str(rng.choice(["groove", "lip", "dovetail"]))
    top, y0, y1, g = base + high, wide / 2 - wall, wide / 2, 0.5 * wall
    lip, b = rng.uniform(0.4, 0.8) * wall, rng.uniform(0.5, 1.0) * wall
    under, c = top - lip - b, 0.04 * wall
    upper = {
        "groove": [(y0, top), (y0, top - lip), (y0 + g, top - lip), (y0 + g, under), (y0, under)],
        "lip": [(y0 - g, top), (y0 - g, top - lip), (y0, top - lip), (y0, under), (y0 - g, under),
                (y0 - g, under - lip), (y0, under - lip)],
        "dovetail": [(y0, top), (y0 + g, under), (y0, under)],
    }[style]  # fmt: skip
    section = np.array([(y0, base), (y1, base), (y1, top), *upper])
    for s in (-1, 1):
        made.add("box", body, moved(prism_along_x(section * (s, 1), long), (long / 2, 0, 0)))
    for x, is_low in ((wall / 2, twin), (long - wall / 2, True)):
        h = (under if is_low else top) - base
        made.add("box", body, block((wall, 2 * y0 + 0.1 * wall, h - 0.001), (x, 0, base + h / 2), 0.1 * wall))
    half = {"groove": (y0 + g, y0 + g), "lip": (y0, y0), "dovetail": (y0 + g, y0 + 0.1 * g)}[style]
    above = top if style == "dovetail" else top - lip
    sheet = np.array(
        [(c - half[0], under), (half[0] - c, under), (half[1] - c, above - c), (c - half[1], above - c)]
    )
    skin = body if rng.random() < 0.4 else finish(rng, "wood", "glass", "paint", "plastic")
    ends = [(long / 2, 0.0, -1), (long / 2, long, 1)] if twin else [(wall, long, 1)]
    grip = int(rng.integers(2**32))
    moves, raised = which_move(rng, len(ends), 0.35), rng.random() < 0.4
    for k, (start, end, way) in enumerate(ends):
        name, run = f"lid_{k + 1}" if twin else "lid", abs(end - start) - 0.001
        made.add(name, skin, moved(prism_along_x(sheet, run), ((start + end) / 2 + 0.0005 * way, 0, 0)))
        if raised:
            at = (start + way * 0.36 * run, 0, above + 0.1 * b)
            made.add(name, skin, block((0.6 * run, 1.2 * y0, 0.3 * b), at, 0.1 * b))
        place = (end - way * 0.15 * run, 0, above - c)
        _lid_grip(made, np.random.default_rng(grip), name, place, y0 - 1.2 * g, wall, trim)
        if moves[k]:
            made.slide("box", name, way * X, 0.0, rng.uniform(0.7, 0.9) * run)
        else:
            made.weld("box", name)
            at = (end + 0.24 * way * wall, 0, (above + under - wall) / 2)
            made.add("box", trim, block((0.5 * wall, 1.4 * y0, above - under + wall), at))


def _lid_grip(made, rng, name, at, half, wall, trim) -> None:
    """A thumb ring, a knob, a strip across or nothing on a lid."""
    kind, r = str(rng.choice(["thumb", "thumb", "knob", "strip", "none"])), min(0.5 * half, 2 * wall)
    at = np.asarray(at)
    if kind == "thumb":
        rim = ring(np.array([(0.7, -0.02), (1, -0.02), (0.95, 0.15), (0.8, 0.15)]) * r, 20)
        made.add(name, trim, moved(rim, at))
    elif kind == "knob":
        made.add(name, trim, rod(at, at + 0.6 * r * Z, 0.3 * r, 10), ball(0.5 * r, at + 0.8 * r * Z, 12))
    elif kind == "strip":
        strip = block((0.8 * wall, 1.6 * half, 0.8 * wall), at + 0.38 * wall * Z, 0.15 * wall)
        made.add(name, trim, strip)


def _hinged_lid(made, rng, size, base, body, trim) -> None:
    """Four plain walls and a lid on knuckles along a long edge."""
    (long, wide, high, wall), b = size, rng.uniform(0.6, 1.0) * size[3]
    top, r = base + high, 0.4 * wall
    made.add("box", body, shifted(walls(long, wide, high, wall), (long / 2, 0, base)))
    made.add("lid", body, block((long, wide, b), (long / 2, 0, top + b / 2), 0.1 * b))
    for x in np.array([0.2, 0.8]) * long:
        for k, link in enumerate(("box", "lid", "box")):
            middle = np.array([x + (k - 1) * 1.5 * wall, wide / 2 + 0.6 * r, top])
            leaf = block((1.4 * wall, 0.3 * r, 3 * wall), middle - (0, 0.5 * r, 1.5 * wall))
            if link == "lid":
                over = (middle[0], wide / 2 - 1.2 * wall, top + b + 0.1 * r)
                leaf = block((1.4 * wall, 3 * wall, 0.3 * r), over)
            made.add(link, trim, dowel(middle, 0.72 * wall * X, r, 10), leaf)
    _lid_grip(made, rng, "lid", (0.85 * long, 0, top + b), wide / 2 - wall, wall, trim)
    made.hinge("box", "lid", (0, wide / 2 + 0.6 * r, top), -X, 0.0, rng.uniform(1.3, 1.9))


def _box_drawer(made, rng, size, base, body, trim) -> None:
    """A storey under the box with a drawer that opens at an end or at the front."""
    (long, wide, _, wall), at_front = size, rng.random() < 0.5
    a, b = (wide, long) if at_front else (long, wide)
    case = [block((a, wall, base), (0, s * (b - wall) / 2, base / 2)) for s in (-1, 1)]
    case += [block((wall, b, base), ((wall - a) / 2, 0, base / 2)), block((a, b, wall), (0, 0, wall / 2))]
    slack, t = 0.02 * wall, 0.6 * wall
    inner, tall, run = b - 2 * wall - 2 * slack, base - wall - 2 * slack, a - wall - 2 * slack
    low, x = wall + slack, wall / 2
    front = block((wall, inner, tall), ((a - wall) / 2, 0, low + tall / 2))
    tray = [block((run, inner, t), (x, 0, low + t / 2)), front]
    tray += [block((run, t, 0.7 * tall), (x, s * (inner - t) / 2, low + 0.35 * tall)) for s in (-1, 1)]
    tray.append(block((t, inner, 0.7 * tall), (x - (run - t) / 2, 0, low + 0.35 * tall)))
    places = (0,) if b < a else (-0.25, 0.25)
    knobs = [ball(0.16 * tall, (a / 2 + 0.1 * tall, y * inner, low + tall / 2), 10) for y in places]
    for link, material, solids in (("box", body, case), ("drawer", body, tray), ("drawer", trim, knobs)):
        solids = [turned(p, Z, -np.pi / 2) for p in solids] if at_front else solids
        made.add(link, material, shifted(solids, (long / 2, 0, 0)))
    made.slide("box", "drawer", -Y if at_front else X, 0.0, rng.uniform(0.5, 0.85) * run)
