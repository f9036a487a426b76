"""Slide rules, box cutters, sliding bevels and gauges."""

# ruff: noqa: RUF005 — point + (x, y, z) adds vectors here

from __future__ import annotations

import numpy as np

from neurok.objects.kit.extras import weld_some
from neurok.objects.kit.finishes import finish
from neurok.objects.kit.mechanism import Mechanism, grounded
from neurok.objects.kit.outlines import rectangle
from neurok.objects.kit.pivots import TRIMS, collar_around, flat_bar, rivet
from neurok.objects.kit.placing import X, Y, Z, aimed, moved, shifted
from neurok.objects.kit.solids import (
    bar,
    block,
    extrude,
    lathe,
    ring,
    rod,
    scaled_lathe,
)
from neurok.objects.registry import family
from neurok.shapes.shape import Shape


@family(number=61)
def slide_rule(rng: np.random.Generator) -> Shape:
    """A slide rule, a box cutter, a sliding bevel, or a height or marking gauge."""
    made = Mechanism("slide_rule")
    style = [_rule, _rule, _cutter, _bevel, _gauge][int(rng.integers(5))]
    body = finish(rng, "wood", "pale", "metal", "plastic", "paint")
    style(made, rng, body, finish(rng, "metal", "brass", "dark"))
    return grounded(made).finish(rng, ajar=0.4)


def _rule(made, rng, body, trim) -> None:
    """Two grooved rails held by end collars or a back, a tongue between them and a cursor around them."""
    long, a, b, d = rng.uniform((0.14, 0.008, 0.01, 0.004), (0.34, 0.016, 0.02, 0.008))
    wide, e, backed = 2 * a + b, 0.15 * b, rng.random() < 0.5
    for side in (-1, 1):
        lips = [block((long, e, 0.25 * d), (0, side * (b - e) / 2, k * 0.375 * d)) for k in (-1, 1)]
        made.add("body", body, block((long, a, d), (0, side * (a + b) / 2, 0)), *lips)
    ends = 0.06 * long
    if backed:
        made.add("body", body, block((long, wide, 0.3 * d), -0.64 * d * Z))
    else:
        for k, x in ((1, -0.5), (2, 0.5)):
            link = made.weld("body", f"collar_{k}") if rng.random() < 0.4 else "body"
            made.add(link, trim, shifted(collar_around(ends, wide, 1.02 * d, 0.3 * d), x * (long - ends) * X))
    skin, start = finish(rng, "pale", "metal", "wood"), rng.uniform(-0.3, 0.3) * long
    core = [block((long, 0.97 * b, 0.46 * d), start * X), block((long, 0.97 * b - 2.1 * e, d), start * X)]
    ticks = np.linspace(-0.42, 0.42, int(rng.integers(8, 20))) * long
    marks = [block((0.003 * long, 0.3 * b, 0.04 * d), (x + start, 0.15 * b, 0.5 * d)) for x in ticks]
    made.add("tongue", skin, *core, *marks)
    mark = block((0.003 * long, 0.4 * a, 0.04 * d), (0, -0.5 * b - 0.3 * a, 0.5 * d))
    made.add("body", trim, *(moved(mark, x * X) for x in ticks))
    made.slide("body", "tongue", X, -0.45 * long - start, 0.45 * long - start)
    if rng.random() < 0.3:
        stud = scaled_lathe([(1, 0), (0.7, 0.5), (1, 1.2), (0.6, 1.6)], 0.3 * b, 12)
        made.add("tongue", trim, moved(stud, (start + 0.47 * long, 0, 0.4 * d)))
    if rng.random() < 0.8:
        run, at = rng.uniform(0.08, 0.16) * long, rng.uniform(-0.3, 0.3) * long
        deep, low = (1.35 * d, -0.15 * d) if backed else (1.06 * d, 0.0)
        made.add("cursor", trim, shifted(collar_around(run, 1.01 * wide, deep, 0.25 * d), (at, 0, low)))
        pane = block((0.7 * run, 0.7 * wide, 0.1 * d), (at, 0, low + 0.5 * deep + 0.28 * d))
        made.add("cursor", finish(rng, "glass", "pale"), pane)
        reach = 0.5 * long - ends - 0.55 * run
        made.slide("body", "cursor", X, -reach - at, reach - at)
    below = -0.53 * d - 0.28 * d * backed
    plate = block((0.15 * long, 0.5 * a, 0.1 * d), (0.2 * long, 0.5 * b + 0.55 * a, below))
    weld_some(made, rng, [("body", "nameplate", plate)], TRIMS)
    made.turn(X, rng.choice([0.0, 0.0, 0.5]) * np.pi)


def _cutter(made, rng, body, trim) -> None:
    """A knife whose carrier runs in a channel under two lips, with a thumb tab or a wheel that locks it."""
    long, w, d = rng.uniform((0.11, 0.016, 0.009), (0.18, 0.028, 0.014))
    wall, gap, inner = 0.14 * w, rng.uniform(0.25, 0.45) * w, 0.6 * d
    made.add("handle", body, block((long, w, 0.2 * d), -0.4 * d * Z, 0.03 * d))
    for side in (-1, 1):
        made.add("handle", body, block((long, wall, d), (0, side * 0.5 * (w - wall), 0), 0.03 * d))
        lip = 0.5 * (w - gap)
        made.add("handle", body, block((long, lip, 0.2 * d), (0, side * 0.5 * (w - lip), 0.4 * d), 0.03 * d))
    carrier, travel, room = rng.uniform(0.2, 0.35) * long, rng.uniform(0.3, 0.5) * long, w - 2 * wall
    mid, back = 0.5 * inner - 0.3 * d, -0.27 * long
    made.add("carrier", trim, block((carrier, 0.94 * room, 0.92 * inner), (back, 0, mid)))
    made.slide("handle", "carrier", X, 0.0, travel)
    tip, half = rng.uniform(0.5, 0.58) * long, 0.4 * room
    flat = np.array([(back, -half), (tip, -half), (tip - 1.7 * half, half), (back, half)])
    link = made.weld("carrier", "blade") if rng.random() < 0.6 else "carrier"
    made.add(link, finish(rng, "metal"), moved(extrude(flat, 0.12 * inner), mid * Z))
    top, place = 0.5 * d, np.array([back, 0, mid])
    stem = block((0.5 * carrier, 0.85 * gap, top - mid + 0.1 * d), place + 0.5 * (top - mid + 0.1 * d) * Z)
    made.add("carrier", trim, stem)
    if rng.random() < 0.5:
        rows, sides = [(1, 0), (1, 0.5), (0.8, 0.6)], int(rng.choice([8, 16]))
        wheel = scaled_lathe(rows, rng.uniform(0.3, 0.45) * w, sides)
        made.add("wheel", finish(rng, "dark", "metal", "plastic"), moved(wheel, (back, 0, top + 0.08 * d)))
        made.spin("carrier", "wheel", (back, 0, top), Z)
    else:
        ridge = block((0.08 * carrier, 0.6 * w, 0.1 * d), (back, 0, top + 0.4 * d))
        thumb = block((0.8 * carrier, 0.6 * w, 0.3 * d), (back, 0, top + 0.22 * d), 0.05 * d)
        ridges = [moved(ridge, k * 0.14 * carrier * X) for k in range(-2, 3)]
        made.add("carrier", finish(rng, "plastic", "dark"), thumb, *ridges)
    if rng.random() < 0.6:
        cap = block((0.06 * long, 1.04 * w, 1.06 * d), -0.5 * long * X, 0.1 * d)
        made.add(made.weld("handle", "cap"), finish(rng, "plastic", "dark"), cap)
    grips = np.linspace(-0.4, -0.05, int(rng.integers(3, 8))) * long
    made.add("handle", trim, *(block((0.015 * long, 1.06 * w, 0.5 * d), (g, 0, -0.3 * d)) for g in grips))
    made.turn(X, rng.choice([0.0, 0.0, 0.5, 0.2]) * np.pi)


def _bevel(made, rng, body, trim) -> None:
    """Two cheeks with a pin under a nut, and a slotted blade that turns and slides on it."""
    long, w, t = rng.uniform((0.11, 0.02, 0.006), (0.2, 0.03, 0.01))
    r, thin, wide = 0.1 * w, 0.25 * t, rng.uniform(0.75, 1.0) * w
    cheek = flat_bar([(0, 0), (-0.5 * long, 0), (-long, 0)], w, t, 0.08 * t)
    made.add("stock", body, *(moved(cheek, k * 0.52 * (thin + t) * Z) for k in (-1, 1)))
    made.add("stock", body, block((0.6 * long, 0.96 * w, 1.1 * thin), -0.7 * long * X))
    made.add("pin", trim, rivet(2.2 * r, 2.2 * t + thin), rod(-0.5 * thin * Z, 0.5 * thin * Z, 1.14 * r, 14))
    turn = rng.uniform(0.4, 0.8)
    made.hinge("stock", "pin", (0, 0, 0), Z, -turn, turn)
    slot, blade = rng.uniform(0.4, 0.6) * long, rng.uniform(1.0, 1.4) * long
    side, tail = 0.5 * wide - 1.2 * r, 0.6 * wide
    strips = [block((side, slot, thin), (k * 0.5 * (wide - side), 0.5 * slot, 0)) for k in (-1, 1)]
    ends = [block((wide, tail, thin), -0.5 * tail * Y)]
    ends.append(block((wide, blade - slot, thin), 0.5 * (blade + slot) * Y))
    made.add("blade", finish(rng, "metal"), *shifted([*strips, *ends], -1.3 * r * Y))
    made.slide("pin", "blade", -Y, 0.0, 0.9 * (slot - 2.6 * r))
    nut = [rod((0, 0, 1.1 * t), (0, 0, 1.7 * t), 2.4 * r, 6)]
    if rng.random() < 0.6:
        nut += [block((0.7 * w, 0.8 * r, 0.8 * t), (0, 0, 1.9 * t), 0.1 * t)]
    made.add("nut", trim, *nut)
    if rng.random() < 0.8:
        made.spin("stock", "nut", (0, 0, 0), Z)
    else:
        made.weld("stock", "nut")
    cap = block((0.06 * long, 1.04 * w, 2.4 * t), (-long - 0.52 * w, 0, 0), 0.1 * t)
    weld_some(made, rng, [("stock", "cap", cap)], TRIMS)
    made.turn(X, rng.choice([0.0, 0.5]) * np.pi)


def _gauge(made, rng, body, trim) -> None:
    """A beam with a carriage around it and a screw that clamps it: upright on a foot, or level with a pin."""
    is_round, is_upright = rng.random() < 0.4, rng.random() < 0.6
    long, w, run = rng.uniform((0.16, 0.01, 1.2), (0.4, 0.02, 2.4)) * (1, 1, 0.015)
    d, wall = w if is_round else rng.uniform(0.4, 1.0) * w, rng.uniform(0.3, 0.6) * w
    if is_round:
        made.add("beam", body, rod((0, 0, 0), long * X, 0.5 * w, 16))
    else:
        made.add("beam", body, block((long, w, d), 0.5 * long * X, 0.03 * d))
        mark = block((0.003 * long, 0.5 * w, 0.03 * d), (0, 0.1 * w, 0.5 * d))
        ticks = np.linspace(0.2, 0.95, int(rng.integers(8, 20))) * long
        made.add("beam", trim, *(moved(mark, x * X) for x in ticks))
    names, x = (["carriage", "block"] if rng.random() < 0.4 else ["carriage"]), rng.uniform(0.25, 0.4) * long
    reach = 0.9 * (long - x - run) if len(names) == 1 else 0.09 * long
    for k, name in enumerate(names):
        at, skin = x + k * (0.2 * long + run), finish(rng, "wood", "metal", "dark", "brass")
        if is_round:
            solids = [aimed(ring(rectangle(wall, run) + (0.5 * (1.04 * w + wall), 0), 18), X)]
        else:
            solids = collar_around(run, 1.03 * w, 1.06 * d, wall)
        made.add(name, skin, shifted(solids, at * X))
        made.slide("beam", name, X, -0.09 * long, reach)
        head, out = np.array([at, 0.5 * (w + wall), 0]), rng.uniform(0.5, 1.0) * w
        rows = [(0.15, 0), (0.15, 1), (0.45, 1), (0.45, 1.5), (0.3, 1.7)]
        screw = lathe(np.multiply(rows, (w, out)), int(rng.choice([6, 12])))
        made.add(f"screw_{k + 1}", trim, aimed(screw, Y, head))
        made.spin(name, f"screw_{k + 1}", head, Y)
    edge = 0.5 * w + wall
    if is_upright:
        reach = rng.uniform(0.05, 0.1)
        made.add("carriage", trim, bar((x, -0.9 * edge, 0), (x, -edge - reach, 0), 0.3 * run, 0.4 * w))
        tip = np.array([(-0.15, 0), (0.15, 0), (-0.15, -0.3)]) * (run, reach)
        made.add("carriage", trim, moved(extrude(tip, 0.3 * w), (x, -edge - reach, 0)))
        foot = block((0.03, 0.09, 0.06), -0.012 * X, 0.003)
        if rng.random() < 0.5:
            foot = aimed(lathe([(0.045, 0), (0.045, 0.01), (0.02, 0.03)], 20), X, -0.025 * X)
        link = made.weld("beam", "base") if rng.random() < 0.5 else "beam"
        made.add(link, finish(rng, "dark", "paint", "metal"), foot)
        made.turn(Y, -np.pi / 2)
        made.turn(Z, rng.choice([0.0, 0.5]) * np.pi)
        return
    fence = collar_around(0.6 * run, 1.03 * w, 1.04 * d, w)
    made.add("carriage", finish(rng, "wood", "dark"), shifted(fence, (x - 0.7 * run) * X))
    root, tip = (0.02 * long, 0, -0.4 * d), (0.02 * long, 0, -0.5 * (d + w))
    made.add("beam", trim, rod(root, tip, (0.15 * w, 0.03 * w), 8))
