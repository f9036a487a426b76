"""Toasters and coffee mills."""

# ruff: noqa: RUF005 — point + (x, y, z) adds vectors here

from __future__ import annotations

import numpy as np

from neurok.objects.kit.controls import add_button, add_knob
from neurok.objects.kit.extras import Spot, weld_on_spots
from neurok.objects.kit.finishes import finish
from neurok.objects.kit.mechanism import Mechanism
from neurok.objects.kit.outlines import arc, corners, curve
from neurok.objects.kit.panels import pull, walls
from neurok.objects.kit.placing import X, Y, Z, moved, shifted, turned
from neurok.objects.kit.solids import (
    ball,
    block,
    extrude,
    lathe,
    pill,
    prism_along_x,
    rod,
    scaled_lathe,
    tube,
)
from neurok.objects.registry import family
from neurok.shapes.shape import Shape


@family(number=44)
def toaster(rng: np.random.Generator) -> Shape:
    """One or two levers, each with its rack in one or two slots, knobs, buttons and a crumb tray."""
    made, groups, slots = Mechanism("toaster"), int(rng.integers(1, 3)), int(rng.integers(1, 3))
    long, high, s, rib = rng.uniform(0.24, 0.4), rng.uniform(0.16, 0.22), rng.uniform(0.026, 0.04), 0.014
    cap, foot, deep = rng.uniform(0.014, 0.03), rng.uniform(0.006, 0.014), rng.uniform(0.014, 0.024)
    cell = slots * s + (slots - 1) * rib
    cheek = rng.uniform(0.02, 0.035)
    wide, low, corner = groups * cell + (groups - 1) * 2 * rib + 2 * cheek, foot + deep, 0.9 * cheek
    shell, ends = finish(rng, "metal", "pale", "paint", "plastic"), finish(rng, "dark", "metal", "plastic")
    centres = [(g - (groups - 1) / 2) * (cell + 2 * rib) for g in range(groups)]
    gap, room, front, share = 0.008, 0.02, -long / 2, wide / groups
    inner = long - 1.9 * cap - room
    edge = [(wide / 2 - cheek, high), (wide / 2 - cheek, low), (wide / 2, low)]
    edge = np.array([*(arc(corner, 0, np.pi / 2, 5) + (wide / 2 - corner, high - corner)), *edge])
    _toaster_body(made, edge, (long, cap, gap), centres, shell, ends)
    tall, middle = high - low, (high + low) / 2
    if slots == 2:
        made.add("body", shell, [block((inner, rib, tall), (room / 2, y, middle)) for y in centres])
    if groups == 2:
        made.add("body", shell, block((long - 1.9 * cap, 2 * rib, tall), (0, 0, middle)))
    travel, start = rng.uniform(0.3, 0.45) * high, high - corner - 0.012
    spots: list[Spot] = [("body", (0, k * wide / 2, 0.5 * high), k * Y, 0.2 * high) for k in (-1, 1)]
    grip, off = str(rng.choice(["bar", "pill", "tab"])), 0.27 * share * rng.choice([-1, 1])
    for number, centre in enumerate(centres, 1):
        name = f"lever_{number}" if groups > 1 else "lever"
        sizes = (cap, gap, room, inner, cell, s, slots, grip, 0.26 * share)
        _toaster_lever(made, rng, name, (front, centre, start), sizes, ends)
        made.slide("body", name, -Z, 0.0, travel)
        spots.append((name, (front - 0.03, centre, start), -X, 0.014))
        r = rng.uniform(0.08, 0.12) * min(high, share)
        at = np.array([front, centre + off, low + 0.3 * tall])
        spots += add_knob(made, rng, "body", name.replace("lever", "knob"), at, -X, r)
        for k in range(int(rng.integers(0, 4))):
            at, wide_r = (
                np.array([front, centre - off, low + (0.18 + 0.2 * k) * tall]),
                0.25 * r + 0.03 * share,
            )
            spots += add_button(made, rng, "body", f"button_{number}_{k + 1}", at, -X, wide_r)
    _crumb_tray(made, rng, long, wide, foot, deep, ends)
    weld_on_spots(made, rng, spots)
    if rng.random() < 0.5:
        made.turn(Z, np.pi / 2)
    return made.finish(rng)


def _toaster_body(made, edge, sizes, centres, shell, ends) -> None:
    """Two sides with rounded shoulders, a closed end, and one with a slit for each lever.

    `edge` is the outline of the right side in y and z: its shoulder first, its outer foot last.
    """
    (long, cap, gap), (half, low), upper = sizes, edge[-1], edge[0, 1]
    made.add("body", shell, [prism_along_x(edge * (k, 1), long - 1.9 * cap) for k in (-1, 1)])
    crown = np.concatenate([edge[:5], edge[4::-1] * (-1, 1)])
    whole = np.concatenate([crown, [(-half, low), (half, low)]])
    made.add("body", ends, moved(prism_along_x(whole, cap), ((long - cap) / 2, 0, 0)))
    cuts = [-half, *(c + k * gap / 2 for c in centres for k in (-1, 1)), half]
    for left, right in zip(cuts[::2], cuts[1::2], strict=True):
        face = [(left, low), (right, low), (right, upper), (left, upper)]
        made.add("body", ends, moved(prism_along_x(face, cap), ((cap - long) / 2, 0, 0)))
    made.add("body", ends, moved(prism_along_x(crown, cap), ((cap - long) / 2, 0, 0)))


def _toaster_lever(made, rng, name, at, sizes, dark) -> None:
    """A grip in front of the slit, a stem through it, and a rack of bars in the slots."""
    cap, gap, room, inner, cell, s, slots, grip, w = sizes
    x, y, z = at
    if grip == "pill":
        knob = pill((x - 0.02, y - w / 2, z), (x - 0.02, y + w / 2, z), 0.008, 10)
    else:
        knob = block((0.024, w, 0.014 if grip == "bar" else 0.006), (x - 0.02, y, z), 0.002)
    made.add(name, dark, knob)
    wire = finish(rng, "metal")
    stem = 0.016 + cap + 0.5 * room
    made.add(name, wire, block((stem, gap, 0.01), (x - 0.016 + stem / 2, y, z)))
    made.add(name, wire, block((0.008, cell - 0.3 * s, 0.01), (x + cap + 0.5 * room, y, z)))
    rows = [y] if slots == 1 else [y - (cell - s) / 2, y + (cell - s) / 2]
    start = x + cap + 0.4 * room
    rack = [block((0.95 * inner, 0.5 * s, 0.004), (start + 0.475 * inner, row, z - 0.002)) for row in rows]
    made.add(name, wire, rack)


def _crumb_tray(made, rng, long, wide, foot, deep, dark) -> None:
    """Skirts under the body, open on one side, and the tray that pulls out there."""
    way, w, z = (X, Y, -Y)[int(rng.integers(3))], 0.008, foot + deep / 2
    run = long if way[0] else wide
    for ox, oy, a, b in ((-0.5, 0, w, wide), (0.5, 0, w, wide), (0, -0.5, long, w), (0, 0.5, long, w)):
        if 2 * (ox * way[0] + oy * way[1]) < 0.5:
            made.add("body", dark, block((a, b, deep + 0.002), (ox * (long - w), oy * (wide - w), z)))
    a, b = long - 2 * w, wide - 2 * w
    tray = [
        block((a, b, 0.003), (0, 0, foot + 0.003)),
        *shifted(walls(a, b, 0.6 * deep, 0.003), (0, 0, foot + 0.002)),
    ]
    front = block((w, b, deep - 0.002) if way[0] else (a, w, deep - 0.002), way * (run - w) / 2 + z * Z)
    handle = block((0.05, 0.012, 0.005), (0, 0, 0), 0.001)
    handle = moved(turned(handle, Z, np.pi / 2 if way[0] else 0.0), way * (run / 2 + 0.004) + z * Z)
    made.add("tray", finish(rng, "metal", "dark"), *tray, front, handle)
    made.slide("body", "tray", way, 0.0, rng.uniform(0.5, 0.85) * run)
    feet = corners(0.4 * long, (wide - w) / 2) if way[0] else corners((long - w) / 2, 0.4 * wide)
    made.add("body", finish(rng, "rubber"), [rod((*c, 0), (*c, foot + 0.001), 0.45 * w, 10) for c in feet])


@family(number=47)
def coffee_grinder(rng: np.random.Generator) -> Shape:
    """A box mill with a drawer, a crank on top, and a bowl, a canister or a flap for the beans."""
    made = Mechanism("coffee_grinder")
    wide, high, t = rng.uniform(0.09, 0.16), rng.uniform(0.09, 0.2), rng.uniform(0.006, 0.01)
    deep, share = rng.uniform(0.85, 1.15) * wide, rng.uniform(0.3, 0.55)
    wood, metal = finish(rng, "wood", "paint", "pale", "dark"), finish(rng, "metal", "brass", "dark")
    slot = share * high
    sides = [block((t, deep, high), (k * (wide - t) / 2, 0, high / 2)) for k in (-1, 1)]
    back = block((wide, t, high), (0, (deep - t) / 2, high / 2))
    fascia = block((wide, t, high - slot - t), (0, (t - deep) / 2, (high + slot + t) / 2))
    made.add("box", wood, *sides, back, fascia, block((wide, deep, t), (0, 0, t / 2)))
    made.add("box", wood, block((0.98 * wide, 0.98 * deep, 0.5 * t), (0, 0, slot + 1.2 * t)))
    lip = rng.uniform(0.0, 0.012)
    trim = wood if rng.random() < 0.5 else finish(rng, "wood", "dark")
    made.add("box", trim, block((wide + 2 * lip, deep + 2 * lip, 1.4 * t), (0, 0, high + 0.6 * t), 0.3 * t))
    if rng.random() < 0.6:
        made.add("box", trim, block((wide + 2 * lip, deep + 2 * lip, t), (0, 0, -0.45 * t), 0.2 * t))
    _mill_drawer(made, rng, wide, deep, slot, t, trim, metal)
    top = high + 1.3 * t
    style = str(rng.choice(["bowl", "canister", "flap"]))
    if style == "flap":
        axle, level = (0, 0.2 * deep), _mill_flap(made, rng, wide, deep, top, t, trim, metal)
    else:
        axle, level = (0, 0), _mill_hopper(made, rng, style, 0.42 * min(wide, deep), top, metal)
    _crank(made, rng, np.array([*axle, level]), rng.uniform(0.55, 0.85) * wide, metal)
    spots: list[Spot] = [("box", (k * wide / 2, 0, 0.6 * high), k * X, 0.3 * high) for k in (-1, 1)]
    spots += [
        ("box", (0, -deep / 2, (high + slot) / 2), -Y, 0.5 * (high - slot)),
        ("drawer", (0.36 * wide, -deep / 2 - t, 0.5 * slot), -Y, 0.2 * slot),
    ]
    weld_on_spots(made, rng, spots)
    return made.finish(rng)


def _mill_drawer(made, rng, wide, deep, slot, t, wood, metal) -> None:
    """An open tray between the walls, behind a front that fills its opening or lies on it."""
    a, b, h = wide - 2 * t, deep - 1.2 * t, rng.uniform(0.6, 0.85) * slot
    tray = [
        *shifted(walls(a, b, h, 0.5 * t), (0, -0.6 * t, t)),
        block((a, b, 0.5 * t), (0, -0.6 * t, 1.25 * t)),
    ]
    cover = 0.98 * wide if rng.random() < 0.5 else a
    front = block((cover, t, slot - 0.1 * t), (0, -(deep + t) / 2, t + slot / 2), 0.15 * t)
    made.add("drawer", wood, *tray, front)
    grip = pull(rng, min(0.35 * wide, 0.9 * slot), metal)
    made.part("drawer", shifted(grip, (0, -deep / 2 - t, t + 0.5 * slot)))
    made.slide("box", "drawer", -Y, 0.0, rng.uniform(0.5, 0.8) * deep)


def _mill_flap(made, rng, wide, deep, top, t, wood, metal) -> float:
    """A dome over the burrs at the back and a flap in front. Returns the height of the dome's top."""
    r, w, d = 0.24 * deep, 0.8 * wide, 0.36 * deep
    bulge = arc((r, rng.uniform(0.8, 1.6) * r), 0.2, 1.3, 6)
    dome = np.array([(r, 0), *bulge, (0.2 * r, 1.9 * r), (0.2 * r, 2.1 * r)])
    made.add("box", metal, moved(lathe(dome, 20), (0, 0.2 * deep, top - 0.1 * t)))
    y = -0.28 * deep
    made.add("lid", wood, block((w, d, 0.8 * t), (0, y, top + 0.4 * t), 0.15 * t))
    if rng.random() < 0.5:
        ends, axis, grip = [(-w / 2, y - 0.4 * d), (-w / 2, y + 0.4 * d)], -Y, (0.4 * w, y)
    else:
        ends, axis, grip = [(-0.4 * w, y - d / 2), (0.4 * w, y - d / 2)], X, (0, y + 0.36 * d)
    made.add("box", metal, rod((*ends[0], top + 0.2 * t), (*ends[1], top + 0.2 * t), 0.35 * t, 8))
    knob = scaled_lathe([(0.4, 0), (0.3, 0.5), (0.6, 1), (0, 1.2)], t, 10)
    made.add("lid", metal, moved(knob, (*grip, top + 0.7 * t)))
    made.hinge("box", "lid", (*ends[0], top + 0.2 * t), axis, 0.0, rng.uniform(1.2, 2.2))
    return top + 2.1 * r - 0.1 * t


def _mill_hopper(made, rng, style, r, top, metal) -> float:
    """An open vessel, a bridge that bears the crank, and a half cover that flips up or turns aside."""
    h, w = rng.uniform(0.6, 1.3) * r, 0.05 * r
    flare = rng.uniform(0.5, 0.75) if style == "bowl" else 1.0
    outer = [(flare * r, 0), (0.5 * (1 + flare) * r, 0.3 * h), (r, h)]
    vessel = lathe([*outer, *((x - w, max(z, 0.1 * h)) for x, z in outer[::-1]), (0, 0.1 * h)], 24)
    skin = finish(rng, "glass", "metal") if style == "canister" else metal
    made.add("box", skin, moved(vessel, (0, 0, top - 0.02 * r)))
    rim = top + h - 0.02 * r
    half, thick = 0.12 * r, 0.08 * r
    post = rng.uniform(0.85, 1.1) * r
    bridge = block((2 * r - w, 2 * half, 2 * thick), (0, 0, rim))
    made.add("box", metal, bridge, rod((0, 0, rim), (0, 0, rim + post), half, 10))
    sheet, plate = extrude(arc(0.97 * r, np.pi, 2 * np.pi, 14), thick), finish(rng, "metal", "brass", "wood")
    if rng.random() < 0.5:
        knob, level = ball(0.1 * r, (0, -0.75 * r, rim + 1.6 * thick), 10), rim + thick
        made.add("lid", plate, moved(sheet, (0, -half, rim + 0.6 * thick)), knob)
        made.add("box", metal, rod((-0.6 * r, -half, level), (0.6 * r, -half, level), 0.6 * thick, 8))
        made.hinge("box", "lid", (0, -half, level), -X, 0.0, rng.uniform(0.7, 1.0))
    else:
        made.add("box", metal, moved(turned(sheet, Z, np.pi), (0, 0, rim + 0.5 * thick)))
        level, boss = rim + 1.5 * thick, lathe([(1.6 * half, -0.5 * thick), (1.6 * half, 0.5 * thick)], 16)
        made.add("lid", plate, shifted([sheet, boss], (0, 0, level)))
        made.add("lid", plate, ball(0.1 * r, (0, -0.75 * r, level + thick), 10))
        made.hinge("box", "lid", (0, 0, level), Z, 0.0, rng.uniform(2.0, 3.1))
    return rim + post


def _crank(made, rng, at, reach, metal) -> None:
    """A nut on the shaft, a straight, bent or counterweighted arm, and a grip that turns on its pin."""
    r, rise = rng.uniform(0.05, 0.08) * reach, rng.choice([0.0, 0.25]) * reach
    hub, tip = at + 0.7 * r * Z, at + (0, reach, 0.7 * r + rise)
    bend = curve([hub, hub + (0, 0.45 * reach, 0.15 * rise), hub + (0, 0.7 * reach, 0.9 * rise), tip], 12)
    made.add("crank", metal, moved(scaled_lathe([(1.6, -0.1), (1.6, 1.6), (0.8, 2.2), (0, 2.3)], r, 6), at))
    made.add("crank", metal, tube(bend, 0.7 * r, 8), rod(tip - r * Z, tip + 5 * r * Z, 0.6 * r, 8))
    if rng.random() < 0.3:
        weight = hub - 0.4 * reach * Y
        made.add("crank", metal, rod(hub, weight, 0.7 * r, 8), ball(1.6 * r, weight, 12))
    made.spin("box", "crank", at, Z)
    wood, k = finish(rng, "wood", "dark", "plastic"), rng.uniform(0.9, 1.4) * r
    spindle = [(0.9, 0), (1.6, 2), (1.1, 4), (1.5, 5), (0, 5.6)]
    pear = [(0.8, 0), (1.9, 1.2), (2.0, 2.6), (1.2, 3.8), (0, 4.2)]
    link = "grip" if rng.random() < 0.6 else "crank"
    made.add(link, wood, moved(scaled_lathe(spindle if rng.random() < 0.5 else pear, k), tip + 0.9 * r * Z))
    if link == "grip":
        made.spin("crank", "grip", tip, Z)
