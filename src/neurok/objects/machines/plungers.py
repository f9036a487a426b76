"""Pumps and bells with a plunger in a sleeve."""

# ruff: noqa: RUF005 — point + (x, y, z) adds vectors here

from __future__ import annotations

import numpy as np

from neurok.objects.kit.extras import weld_some
from neurok.objects.kit.finishes import finish
from neurok.objects.kit.mechanism import Mechanism, grounded
from neurok.objects.kit.outlines import Path, curve
from neurok.objects.kit.pivots import TRIMS, flat_bar
from neurok.objects.kit.placing import X, Y, Z, aimed, moved, sideways, turned
from neurok.objects.kit.solids import (
    ball,
    bar,
    block,
    dowel,
    lathe,
    loop,
    pill,
    ring,
    rod,
    scaled_lathe,
    tube,
)
from neurok.objects.registry import family
from neurok.shapes.shape import Shape


@family(number=60)
def plunger_pump(rng: np.random.Generator) -> Shape:
    """A soap pump, a bicycle pump, a garden sprayer or a desk bell: a plunger in a sleeve."""
    made = Mechanism("plunger_pump")
    style = [_soap_pump, _soap_pump, _stroke_pump, _sprayer, _desk_bell][int(rng.integers(5))]
    body = finish(rng, "plastic", "pale", "metal", "paint", "glass")
    style(made, rng, body, finish(rng, "metal", "dark", "brass", "pale"))
    return grounded(made).finish(rng, ajar=0.4)


def _bored(outline: Path, bore: float, sides: int = 20) -> Shape:
    """A turned body of (radius, z) from foot to mouth, with a cylindrical bore."""
    return ring(np.array([(bore, outline[-1][1]), (bore, outline[0][1]), *outline]), sides)


def _vessel(made, rng, link, r, high, neck, material) -> None:
    """A round, polygonal or square bottle about z with a bore in its neck."""
    sides, waist = int(rng.choice([4, 6, 8, 24, 24])), rng.uniform(0.75, 1.05)
    wide = r / np.cos(np.pi / sides) if sides == 4 else r
    rows = [(1, 0.02), (1, 0.1), (waist, 0.5), (min(1, 1.05 * waist), 0.8), (1.6 * neck / wide, 1)]
    shell = _bored(np.multiply(rows, (wide, high)), 1.08 * neck / np.cos(np.pi / sides), sides)
    floor = lathe([(wide, 0), (wide, 0.05 * high)], sides)
    made.add(link, material, *(turned(s, Z, np.pi / 4 if sides == 4 else 0.0) for s in (shell, floor)))
    mouth = _bored([(1.6 * neck, 0.98 * high), (1.6 * neck, 1.06 * high)], 1.08 * neck)
    made.add(link, material, mouth)


def _soap_pump(made, rng, body, trim) -> None:
    """A bottle with a collar and a nozzle that is pressed down; sometimes its spout turns."""
    r, high, neck = rng.uniform(0.022, 0.045), rng.uniform(0.09, 0.18), rng.uniform(0.004, 0.008)
    _vessel(made, rng, "bottle", r, high, neck, body)
    rise, top = rng.uniform(2.5, 5) * neck, 1.06 * high
    rows = [(2.2 * neck, 0), (2.2 * neck, 2 * neck), (1.6 * neck, 3 * neck)]
    collar = moved(_bored(rows, 1.06 * neck, 12), (top - neck) * Z)
    made.add(made.weld("bottle", "collar") if rng.random() < 0.5 else "bottle", trim, collar)
    head = top + 2 * neck + rise
    made.add("plunger", trim, rod((0, 0, high - 0.25 * high), (0, 0, head), 0.98 * neck, 14))
    made.slide("bottle", "plunger", -Z, 0.0, 0.85 * rise)
    link, way = "plunger", rng.uniform(-0.6, 0.6)
    if rng.random() < 0.6:
        link = "spout"
        made.hinge("plunger", "spout", (0, 0, head), Z, -rng.uniform(0.5, 2.5), rng.uniform(0.5, 2.5))
    reach, cap = rng.uniform(4, 7) * neck, rng.uniform(1.6, 2.4) * neck
    spout = np.multiply([(0, 0, 0.8), (0.6, 0, 1), (1, 0, 0.8), (1.1, 0, -0.4)], (reach, 1, neck)) + head * Z
    made.add(link, trim, turned(tube(curve(spout, 9), 0.7 * neck, 10), Z, way - np.pi / 2))
    made.add(link, trim, moved(lathe([(cap, 0), (cap, 1.6 * neck), (0.7 * cap, 2.2 * neck)], 18), head * Z))
    label = block((0.8 * r, 0.2 * r, 0.08 * high), (0, -0.88 * r, 0.06 * high))
    weld_some(made, rng, [("bottle", "label", label)], TRIMS)


def _stroke_pump(made, rng, body, trim) -> None:
    """A long barrel with a T-handle, on a foot or held level, with a hose and pegs that fold."""
    r, high = rng.uniform(0.012, 0.022), rng.uniform(0.25, 0.5)
    thin, travel = rng.uniform(0.3, 0.5) * r, rng.uniform(0.4, 0.8) * high
    rows = np.multiply([(1, 0), (1, 1), (1.15, 1), (1.15, 1.05)], (r, high))
    made.add("barrel", body, moved(_bored(rows, 1.1 * thin, 18), 0.02 * Z))
    made.add("barrel", trim, lathe([(1.2 * r, 0), (1.2 * r, 0.04)], 16))
    grip, wide, top = finish(rng, "wood", "rubber", "plastic"), rng.uniform(0.06, 0.11), 1.05 * high + 0.02
    made.add("rod", trim, rod((0, 0, 0.15 * high), (0, 0, top + 1.5 * r), thin, 12))
    made.slide("barrel", "rod", Z, 0.0, travel)
    link, axis = made.weld("rod", "handle") if rng.random() < 0.5 else "rod", top + 1.5 * r
    style = str(rng.choice(["bar", "ball", "bow"]))
    if style == "bar":
        made.add(link, grip, pill((-wide, 0, axis), (wide, 0, axis), 0.8 * r, 12))
    elif style == "ball":
        made.add(link, grip, ball(1.4 * r, (0, 0, axis + 0.5 * r), 14))
    else:
        bow = wide * curve([(0, 0, 0), (0.7, 0, 0.2), (0, 0, 1.2), (-0.7, 0, 0.2)], 14)
        made.add(link, grip, loop(bow + axis * Z, 0.5 * r, 8))
    if rng.random() < 0.35:
        made.turn(X, rng.choice([0.5, 0.35]) * np.pi)
        return
    for k, side in enumerate((-1, 1), 1):
        pin, peg, wide = np.array([side * 1.9 * r, 0, 0.5 * r]), f"peg_{k}", rng.uniform(0.05, 0.08)
        made.add("barrel", trim, block((1.6 * r, 1.2 * r, r), pin - side * 0.8 * r * X))
        tread = block((wide, 1.6 * r, 0.4 * r), pin + side * 0.5 * wide * X, 0.1 * r)
        made.add(peg, trim, dowel(pin, 0.9 * r * Y, 0.45 * r, 10), tread)
        if rng.random() < 0.6:
            made.hinge("barrel", peg, pin, -side * Y, 0.0, 1.4)
        else:
            made.weld("barrel", peg)
    if rng.random() < 0.6:
        hose = curve([(0, r, 0.03), (0, 4 * r, 0.02), (2 * r, 6 * r, 0.3 * high), (0, 2 * r, 0.8 * high)], 20)
        made.add(made.weld("barrel", "hose"), finish(rng, "rubber"), tube(hose, 0.3 * r, 8, rounded=True))


def _sprayer(made, rng, body, trim) -> None:
    """A tank with a pumping knob on top, a turning lance at its side, and sometimes a trigger."""
    r, high, neck = rng.uniform(0.05, 0.1), rng.uniform(0.16, 0.32), rng.uniform(0.007, 0.012)
    _vessel(made, rng, "tank", r, high, neck, body)
    travel, top, wide = rng.uniform(0.25, 0.5) * high, 1.06 * high, rng.uniform(0.25, 0.6) * r
    collar = _bored([(3 * neck, -neck), (3 * neck, 2 * neck), (2 * neck, 3 * neck)], 1.06 * neck, 8)
    made.add("tank", trim, moved(collar, top * Z))
    axis = top + 5 * neck
    made.add("plunger", trim, rod((0, 0, 0.35 * high), (0, 0, axis), 0.98 * neck, 12))
    grip = pill((-wide, 0, axis), (wide, 0, axis), 1.1 * neck, 10)
    if rng.random() < 0.4:
        grip = moved(lathe([(wide, -neck), (wide, 0), (0.6 * wide, 1.5 * neck)], 16), axis * Z)
    made.add("plunger", finish(rng, "dark", "plastic", "rubber"), grip)
    made.slide("tank", "plunger", Z, 0.0, travel)
    out, long = np.array([0, -0.9 * r, 0.94 * high]), rng.uniform(1.0, 1.8) * r
    made.add("tank", trim, rod((0, -1.2 * neck, 0.97 * high), out, 1.2 * neck, 12))
    pipe = curve([out + 0.3 * neck * Y, out - 0.4 * long * Y, out - long * Y + 0.2 * long * Z], 8)
    nozzle = aimed(scaled_lathe([(1, 0), (1.6, 1.5), (1.2, 2)], neck, 12), -Y, pipe[-1])
    made.add("lance", trim, tube(pipe, 0.8 * neck, 10), ball(1.5 * neck, out, 12), nozzle)
    if rng.random() < 0.7:
        made.hinge("tank", "lance", out, Y, -rng.uniform(0.5, 1.5), rng.uniform(0.5, 1.5))
    else:
        made.weld("tank", "lance")
    if rng.random() < 0.5:
        pin = pipe[3] - 1.7 * neck * Z
        made.add("lance", trim, block((1.2 * neck, 2 * neck, 2.4 * neck), pin + 1.2 * neck * Z))
        lever = flat_bar([(0, 0), (0.3 * r, 0), (0.6 * r, -0.2 * r)], 1.2 * neck, 1.6 * neck)
        made.add("trigger", finish(rng, "plastic", "paint"), sideways(lever, pin))
        made.add("trigger", trim, dowel(pin, neck * X, 0.5 * neck, 10))
        made.hinge("lance", "trigger", pin, -X, 0.0, 0.35)


def _desk_bell(made, rng, body, trim) -> None:
    """A dome, a cone or a drum on a foot with a button on top, and sometimes a lever at its side."""
    r, high, stem = rng.uniform(0.03, 0.06), rng.uniform(0.02, 0.045), rng.uniform(0.003, 0.005)
    bore, travel, foot = 1.1 * stem, rng.uniform(1.2, 2.0) * stem, rng.uniform(0.004, 0.012)
    sole = block((2.3 * r, 2.3 * r, foot), 0.5 * foot * Z, 0.2 * foot)
    if rng.random() < 0.6:
        sole = lathe([(1.15 * r, 0), (1.1 * r, foot)], 24)
    made.add("base", finish(rng, "dark", "wood"), sole)
    angle, sides = np.linspace(0, 0.47 * np.pi, 8), int(rng.choice([8, 28, 28]))
    dome = [(r * np.cos(a) + bore, foot + high * (0.1 + 0.9 * np.sin(a))) for a in angle]
    if rng.random() < 0.4:
        step = rng.uniform(0.3, 0.8)
        dome = [(r, foot), (r, foot + step * high), (0.5 * r, foot + high), (0.1 * r + bore, foot + high)]
    shell = [(a * 0.94, z - 0.06 * high) for a, z in dome[:-1]][::-1]
    link = made.weld("base", "bell") if rng.random() < 0.7 else "base"
    made.add(link, body, ring([*dome, (bore, dome[-1][1]), (bore, shell[0][1]), *shell], sides))
    made.add(link, trim, _bored([(2.2 * stem, 0.5 * foot), (2.2 * stem, foot + 0.7 * high)], bore, 14))
    peak = dome[-1][1]
    collar = moved(_bored([(1.9 * stem, -0.1 * high), (1.9 * stem, stem)], bore, 14), peak * Z)
    made.add(link, trim, collar)
    cap, head = rng.uniform(1.8, 3) * stem, peak + stem + 1.1 * travel
    made.add("button", trim, rod((0, 0, foot + 0.45 * high), (0, 0, head + 0.3 * stem), 0.98 * stem, 12))
    press = lathe([(cap, 0), (cap, 0.8 * stem), (0.6 * cap, 1.5 * stem)], 16)
    made.add("button", finish(rng, "metal", "plastic", "brass"), moved(press, head * Z))
    made.slide(link, "button", -Z, 0.0, min(travel, 0.4 * high))
    if rng.random() < 0.4:
        pin = np.array([1.05 * r, 0, foot + 0.006])
        tip = pin + (0.7 * r, 0, 0.25 * r)
        made.add("base", trim, *(block((0.004, 0.003, 0.012), pin + (0, k * 0.006, -0.003)) for k in (-1, 1)))
        axle = dowel(pin, 0.0085 * Y, 0.0025, 10)
        made.add("lever", trim, bar(pin, tip, 0.008, 0.004), axle, ball(0.006, tip, 10))
        made.hinge("base", "lever", pin, Y, -0.3, 0.25)
