"""Doors and boards with handles, thumb-turns, keys, hasps and drop bars."""

# ruff: noqa: RUF005 — point + (x, y, z) adds vectors here

from __future__ import annotations

import numpy as np

from neurok.objects.kit.casework import Casework, hang
from neurok.objects.kit.finishes import finish
from neurok.objects.kit.outlines import curve, rectangle
from neurok.objects.kit.panels import walls
from neurok.objects.kit.pivots import flat_bar, rivet
from neurok.objects.kit.placing import X, Y, Z, aimed, moved, shifted
from neurok.objects.kit.solids import block, ring, rod, scaled_lathe, torus, tube
from neurok.objects.registry import family
from neurok.shapes.shape import Shape

METALS = ("metal", "brass", "dark")


def _rose(made, rng, parent, name, at, q) -> str:
    """A disc or a plate under a turning part, sometimes a part of its own. Returns its link."""
    rows = [(1, -0.05), (1, 0.15), (0.85, 0.25)]
    plate = block((1.5 * q, 2.6 * q, 0.27 * q), 0.11 * q * Z, 0.05 * q)
    base = scaled_lathe(rows, q, 20) if rng.random() < 0.6 else plate
    link = made.weld(parent, f"plate_{name}") if rng.random() < 0.3 else parent
    made.add(link, finish(rng, *METALS), moved(base, at))
    return link


def _lever(made, rng, parent, name, at, q, side) -> None:
    """A door handle on a neck: a bent tube, a bar or a paddle that is pressed down."""
    parent = _rose(made, rng, parent, name, at, q)
    neck, long, iron = rng.uniform(0.9, 1.5) * q, rng.uniform(2.6, 3.6) * q, finish(rng, *METALS)
    style = str(rng.choice(["tube", "bar", "paddle"]))
    path = curve([(0, 0, 0), (-0.5 * long, 0.05 * q, 0.1 * q), (-long, -0.25 * q, 0)], 9)
    arm = tube(path, 0.22 * q, 10, rounded=True)
    if style == "bar":
        arm = block((long + 0.4 * q, 0.5 * q, 0.25 * q), -0.5 * long * X, 0.06 * q)
    elif style == "paddle":
        widths = np.array([0.5, 0.6, 0.9]) * q
        arm = flat_bar([(0, 0), (-0.6 * long, 0.1 * q), (-long, 0)], widths, 0.25 * q, 0.05 * q)
    stem = rod(0.1 * q * Z, (neck + 0.1 * q) * Z, 0.28 * q, 12)
    made.add(name, iron, shifted([stem, moved(arm, neck * Z)], at))
    made.hinge(parent, name, at, Z, 0.0, rng.uniform(0.5, 1.0))


def _knob(made, rng, parent, name, at, q, side) -> None:
    """A turned knob on a neck; sometimes a fixed grip."""
    parent = _rose(made, rng, parent, name, at, q)
    rows = [
        [(0.3, 0), (0.3, 0.6), (0.95, 1), (0.95, 1.3), (0.6, 1.5)],
        [(0.35, 0), (0.25, 0.5), (0.7, 0.8), (0.85, 1.2), (0.6, 1.6), (0, 1.7)],
    ]
    knob = scaled_lathe(rows[int(rng.integers(2))], q, int(rng.choice([6, 8, 18])))
    made.add(name, finish(rng, *METALS, "pale", "wood"), moved(knob, at))
    if rng.random() < 0.35:
        made.weld(parent, name)
    else:
        mark = block((0.5 * q, 0.12 * q, 0.2 * q), at + (0.25 * q, 0, 1.5 * q))
        made.add(name, finish(rng, "dark", "pale"), mark)
        made.hinge(parent, name, at, Z, -rng.uniform(0.5, 1.6), rng.uniform(0.5, 1.6))


def _thumb(made, rng, parent, name, at, q, side) -> None:
    """A thumb-turn: a wing on edge, or an oval, on a short neck."""
    parent = _rose(made, rng, parent, name, at, q)
    wing = block((0.3 * q, 1.6 * q, 0.8 * q), 0.8 * q * Z, 0.08 * q)
    if rng.random() < 0.5:
        wing = flat_bar([(0, -0.6 * q), (0, 0), (0, 0.6 * q)], (0.4 * q, 0.7 * q, 0.4 * q), 0.7 * q, 0.08 * q)
        wing = moved(wing, 0.75 * q * Z)
    stem = rod(0.1 * q * Z, 0.6 * q * Z, 0.4 * q, 14)
    made.add(name, finish(rng, *METALS), shifted([wing, stem], at))
    made.hinge(parent, name, at, side * Z, 0.0, rng.uniform(1.2, 1.7))


def _latch(made, rng, parent, name, at, q, side) -> None:
    """A straight or hooked blade on a pin that rests on a stop and swings away from it."""
    long, iron, y = rng.uniform(2.4, 3.4) * q, finish(rng, *METALS), -0.75 * side * q
    path, width = [(0, 0), (0.6 * long, 0), (long, 0)], (0.9 * q, 0.7 * q, 0.4 * q)
    if is_hook := rng.random() < 0.5:
        path, width = [(0, 0), (long - 0.3 * q, 0), (long, -0.3 * side * q), (long, -side * q)], 0.45 * q
    blade = moved(flat_bar(path, width, 0.24 * q), 0.3 * q * Z)
    made.add(parent, iron, rod(at - 0.05 * q * Z, at + 0.18 * q * Z, 0.6 * q, 12))
    stop = at + ((0.55 * long if is_hook else 0.7 * long), y, 0)
    made.add(parent, iron, rod(stop - 0.05 * q * Z, stop + 0.6 * q * Z, 0.3 * q, 10))
    made.add(name, iron, moved(blade, at), moved(rivet(0.4 * q, 0.45 * q), at + 0.25 * q * Z))
    made.hinge(parent, name, at, side * Z, 0.0, rng.uniform(1.0, 1.9))


def _cover(made, rng, parent, name, at, q, side) -> None:
    """A key plate with a drop cover on a pin."""
    plate, pin = block((1.4 * q, 2.8 * q, 0.2 * q), at + 0.05 * q * Z, 0.04 * q), at + 0.9 * q * Y
    made.add(parent, finish(rng, *METALS), plate, rod(at, at + 0.2 * q * Z, 0.22 * q, 10))
    drop = flat_bar([(0, 0), (0, -0.7 * q), (0, -1.4 * q)], (0.5 * q, 0.7 * q, 0.9 * q), 0.12 * q, 0.02 * q)
    nail = rivet(0.18 * q, 0.3 * q)
    made.add(name, finish(rng, *METALS), shifted([moved(drop, 0.02 * q * Z), nail], pin + 0.25 * q * Z))
    made.hinge(parent, name, pin, Z, -rng.uniform(0.0, 1.4), rng.uniform(0.8, 1.4))


def _key(made, rng, parent, name, at, q, side) -> None:
    """A key in its lock: a shaft in a bushing and a bow."""
    parent = _rose(made, rng, parent, name, at, q)
    iron, out, r = finish(rng, *METALS), rng.uniform(0.8, 1.4) * q, rng.uniform(0.5, 0.7) * q
    bushing = ring(rectangle(0.15 * q, 0.3 * q) + (0.26 * q, 0.3 * q), 14)
    made.add(parent, iron, moved(bushing, at))
    bow = aimed(torus(r, 0.13 * q, 18, 6), X, at + (out + r) * Z)
    if rng.random() < 0.4:
        bow = block((0.2 * q, 1.6 * r, 1.8 * r), at + (out + 0.8 * r) * Z, 0.05 * q)
    made.add(name, iron, rod(at + 0.1 * q * Z, at + (out + 0.1 * q) * Z, 0.17 * q, 10), bow)
    made.hinge(parent, name, at, Z, -rng.uniform(0.0, 1.5), rng.uniform(1.0, 1.6))


TURNERS = {"lever": _lever, "knob": _knob, "thumb": _thumb, "latch": _latch, "cover": _cover, "key": _key}


@family(number=62)
def wall_lock(rng: np.random.Generator) -> Shape:
    """A board, a leaf on a post, or a leaf in its frame, with turning handles, latches or bars."""
    style = str(rng.choice(["board", "leaf_on_post", "leaf_in_frame"]))
    case = Casework(rng, "wall_lock", "board" if style == "board" else "frame")
    t = rng.uniform(0.018, 0.04)
    if style == "board":
        _busy_board(case, rng, rng.uniform(0.016, 0.03), t)
    else:
        w, h = rng.uniform(0.2, 0.6), rng.uniform(0.3, 1.0)
        q = rng.uniform(0.05, 0.085) * min(w, h)
        count, x = int(rng.integers(1, 4)), 0.5 * w - 1.6 * q
        kinds = rng.choice(list(TURNERS), count, replace=False)
        levels = rng.uniform(0.3, 0.45) * h + (np.arange(count) - 0.5 * (count - 1)) * min(5 * q, 0.25 * h)
        for kind, z in zip(kinds, levels, strict=True):
            TURNERS[kind](case.made, rng, "leaf", str(kind), np.array([x, z, t / 2]), q, 1)
        if style == "leaf_in_frame":
            _bar_across(case, rng, (w, 0.78 * h, t), q)
        case.made.turn(X, np.pi / 2)
        _leaf(case, rng, (w, h, t), style)
    return case.finish()


def _busy_board(case, rng, q, t) -> None:
    """A board on feet with rows of turning parts."""
    rows = int(rng.integers(1, 3))
    columns = int(rng.integers(3 - rows, 4))
    kinds = rng.permutation(list(TURNERS))
    for k in range(rows * columns):
        at = np.array([(k % columns - 0.5 * (columns - 1)) * 6.6 * q, (k // columns + 0.6) * 5 * q, t / 2])
        TURNERS[kinds[k]](case.made, rng, "board", str(kinds[k]), at, q, 1)
    case.made.turn(X, np.pi / 2)
    wide, high = (6.6 * columns + rng.uniform(0.5, 2)) * q, (5 * rows + rng.uniform(0.8, 2)) * q
    case.still(case.body, block((wide, t, high), (0, 0, high / 2), rng.choice([0.0, 0.1]) * t))
    if rng.random() < 0.6:
        feet = [block((1.2 * q, 4 * t, 1.2 * q), (x * wide, 0, 0), 0.2 * q) for x in (-0.35, 0.35)]
        case.fit("board", "foot", case.metal, *feet)
    case.fit("board", "plate", case.metal, block((0.3 * wide, 0.2 * t, 0.6 * q), (0, -t / 2, high - 0.5 * q)))


def _leaf(case, rng, size, style) -> None:
    """The leaf on hinges beside a post, or shut between two posts, sometimes under a lintel."""
    (w, h, t), post = size, rng.uniform(0.04, 0.1)
    panelling = str(rng.choice(["flat", "flat", "coffered", "framed"]))
    pieces = case.fronts.leaf(w, h, t, panelling)
    sides = (-1,) if style == "leaf_on_post" and rng.random() < 0.6 else (-1, 1)
    for side in sides:
        at = (side * (0.5 * (w + post) + 0.002), 0, 0.5 * h)
        case.still(case.body, block((post, t, h + 0.02), at, 0.05 * t))
    if len(sides) == 2 and rng.random() < 0.6:
        case.still(case.body, block((w + 2 * post + 0.004, t, post), (0, 0, h + 0.004 + post / 2), 0.05 * t))
    if panelling == "flat" and rng.random() < 0.6:
        case.grip("leaf", 0.2 * w, (-0.1 * w, -t / 2, 0.62 * h), rng.random() < 0.5)
    if style == "leaf_on_post":
        hang(case, "leaf", pieces, size, (0, 0, h / 2), "left", rng.uniform(0.9, 1.8))
    else:
        case.made.part("leaf", shifted(pieces, (0, 0, h / 2)))
        case.made.weld("frame", "leaf")


def _bar_across(case, rng, size, q) -> None:
    """The fastener of a shut leaf: a bar that lifts or turns, a button, or a hasp."""
    (w, y, t), made, iron = size, case.made, case.metal
    kind, front, x = str(rng.choice(["lifted", "pinned", "button", "hasp"])), t / 2, 0.5 * w + 0.02
    if kind == "hasp":
        return _hasp(made, rng, np.array([0.5 * w - 3 * q, y, front]), q, iron)
    if kind == "button":
        wing = flat_bar([(-2 * q, 0), (0, 0), (2 * q, 0)], (0.8 * q, q, 0.8 * q), 0.5 * q, 0.1 * q)
        at = np.array([x, y, front + 0.3 * q])
        made.add("button", finish(rng, "wood", *METALS), moved(wing, at))
        made.add("button", iron, moved(rivet(0.35 * q, 0.6 * q), at))
        made.hinge("frame", "button", at, Z, -rng.uniform(0, 1.5), rng.uniform(1.0, 1.6))
        return None
    tall, deep = rng.uniform((1.2 * q, 0.6 * q), (2.2 * q, 1.2 * q))
    hooks = [-x, x] if kind == "lifted" else [x]
    for k in hooks:
        seat = block((0.03, 0.3 * tall, 1.6 * deep), (k, y - 0.66 * tall, front + 0.8 * deep))
        lip = block((0.03, 1.1 * tall, 0.4 * deep), (k, y - 0.25 * tall, front + 1.4 * deep))
        made.add("frame", iron, seat, lip)
    beam = block((2 * x + 0.06, tall, deep), (0, y, front + 0.55 * deep), 0.05 * tall)
    made.add("bar", finish(rng, "wood", *METALS), beam)
    if kind == "lifted":
        made.slide("frame", "bar", Y, 0.0, rng.uniform(1.0, 2.5) * tall)
    else:
        pin = np.array([-x, y, front + 0.55 * deep])
        made.add("frame", iron, moved(rivet(0.3 * tall, 1.15 * deep), pin))
        made.hinge("frame", "bar", pin, Z, 0.0, rng.uniform(0.6, 1.3))
    if rng.random() < 0.5:
        grip = scaled_lathe([(0.4, 0), (0.3, 0.7), (0.8, 1), (0.6, 1.5)], q)
        made.add(made.weld("bar", "grip"), iron, moved(grip, (0, y, front + deep)))
    return None


def _hasp(made, rng, at, q, iron) -> None:
    """A hinged slotted strap that falls over a post, and a wing on the post that turns across it."""
    long, wide, t = 5.2 * q, 1.6 * q, 0.2 * q
    pin, eye = at + t * Z, at + (long - 1.6 * q) * X
    made.add("leaf", iron, block((2 * q, wide, t), at + (-1.1 * q, 0, 0.4 * t)))
    made.add("leaf", iron, rod(pin - 0.5 * wide * Y, pin - 0.02 * wide * Y, 1.2 * t, 10))
    strap = block((long - 3 * q, 0.9 * wide, t), pin + (0.5 * long - 1.5 * q, 0, 0))
    slot = shifted(walls(3.2 * q, wide, t, 0.35 * q), pin + (long - 1.6 * q, 0, -0.5 * t))
    made.add("hasp", iron, strap, *slot, rod(pin, pin + 0.5 * wide * Y, 1.2 * t, 10))
    made.hinge("leaf", "hasp", pin, -Y, 0.0, rng.uniform(1.2, 2.4))
    made.add("frame", iron, rod(eye - 0.1 * q * Z, eye + 0.8 * q * Z, 0.3 * q, 10))
    wing = block((1.8 * q, 0.7 * q, 0.3 * q), eye + 0.9 * q * Z, 0.08 * q)
    made.add("wing", finish(rng, *METALS), wing, rod(eye + 0.8 * q * Z, eye + 1.3 * q * Z, 0.28 * q, 10))
    made.hinge("frame", "wing", eye, Z, 0.0, np.pi / 2)
