"""Table games: a walled field with rods that carry figures."""

# ruff: noqa: RUF005 — point + (x, y, z) adds vectors here

from __future__ import annotations

import numpy as np

from neurok.objects.kit.casework import open_tray
from neurok.objects.kit.extras import weld_some
from neurok.objects.kit.finishes import finish
from neurok.objects.kit.mechanism import Mechanism
from neurok.objects.kit.outlines import corners, rectangle, row
from neurok.objects.kit.placing import X, Y, Z, aimed, moved, shifted
from neurok.objects.kit.solids import ball, block, dowel, lathe, pill, ring, rod
from neurok.objects.registry import family
from neurok.shapes.shape import Shape


@family(number=67)
def table_game(rng: np.random.Generator) -> Shape:
    """A walled field with rods across it that carry figures or paddles and end in grips."""
    made, count = Mechanism("table_game"), int(rng.integers(2, 9))
    body, inside = finish(rng, "wood", "paint", "dark", "pale"), finish(rng, "plastic", "paint", "pale")
    metal, stands = finish(rng, "metal", "dark", "brass"), rng.random() < 0.45
    size = rng.uniform(1.0, 1.4) if stands else rng.uniform(0.35, 0.8)
    pitch = size / (count + 1)
    reach = min(rng.uniform(0.4, 0.48) * pitch, rng.uniform(0.08, 0.13) * size)
    wide = max(size * rng.uniform(0.45, 0.7), 3.5 * reach)
    wall, bar = 0.025 * size, rng.uniform(0.007, 0.012) * size
    floor = rng.uniform(0.5, 0.7) * size if stands else rng.uniform(0.06, 0.12) * size
    axle = floor + 1.06 * reach
    saddle = rng.random() < 0.4
    top = axle - bar if saddle else axle + rng.uniform(0.2, 0.8) * reach + bar
    _field(made, rng, (size, wide, wall, floor, top), body, inside)
    seed, way = int(rng.integers(2**31)), rng.uniform(0.6, 1.5) if rng.random() < 0.35 else None
    teams = [finish(rng, "plastic", "paint") for _ in range(2)]
    out, most = rng.uniform(0.06, 0.14) * size, min(int(rng.integers(1, 5)), 20 // count)
    for k in range(count):
        at = np.array([(k + 1) * pitch - size / 2, 0, axle])
        side = -1 if k % 2 else 1
        draw, lines = np.random.default_rng(seed), (wide, wall, bar, reach, side * out)
        figures = int(rng.integers(1, most + 1))
        _rod(made, draw, f"rod_{k + 1}", at, lines, (metal, teams[k % 2]), figures)
        _bearings(made, at, (wide, wall, bar, top), saddle, metal)
        if way is None:
            made.spin("box", f"rod_{k + 1}", at, Y)
        else:
            made.hinge("box", f"rod_{k + 1}", at, Y, -way, way)
    if rng.random() < 0.5:
        _score(made, rng, (size, wide, wall, top, max(1, 9 - count)), metal)
    if rng.random() < 0.35:
        _ball_tray(made, rng, (size, wide, floor - wall), body, metal)
    _legs(made, rng, (size, wide, floor - 1.5 * wall), body, stands)
    puck = 0.3 * wall + 0.1 * reach
    cup = lathe([(wall, 0), (1.3 * wall, 2 * wall), (0, 2 * wall)], 12)
    plate = block((0.2 * size, 0.3 * wall, 0.6 * reach), (0, -wide / 2 - wall, floor), 0.05 * wall)
    offers = [
        ("box", "ball", ball(puck, (0.5 * pitch * (count % 2), 0.07 * wide, floor + 0.98 * puck), 10)),
        ("box", "nameplate", plate),
        ("box", "cup", moved(cup, (size / 2 - wall, wide / 2, top - 0.1 * wall))),
    ]
    weld_some(made, rng, offers, ("plastic", "metal", "pale"))
    return made.finish(rng, ajar=0.4)


def _field(made, rng, lines, body, inside) -> None:
    """A floor with marks on it, two side walls, and end walls with or without goals."""
    size, wide, wall, floor, top = lines
    low, goal = floor - wall, rng.uniform(0.25, 0.45) * wide if rng.random() < 0.6 else 0.0
    made.add("box", inside, block((size + wall, wide + wall, wall), (0, 0, floor - wall / 2)))
    line = block((0.2 * wall, wide, 0.1 * wall), floor * Z)
    spot = dowel(floor * Z, 0.04 * wall * Z, 0.1 * wide)
    made.add("box", finish(rng, "pale", "dark"), line, spot)
    tall, mid = top - low, (top + low) / 2
    for s in (-1, 1):
        side = block((size + 2 * wall, wall, tall), (0, s * (wide + wall) / 2, mid), 0.1 * wall)
        made.add("box", body, side)
        x, lip = s * (size + wall) / 2, 0.35 * (top - floor)
        if not goal:
            made.add("box", body, block((wall, wide, tall), (x, 0, mid)))
            continue
        span = (wide - goal) / 2
        made.add("box", body, *(block((wall, span, tall), (x, k * (goal + span) / 2, mid)) for k in (-1, 1)))
        made.add("box", body, block((wall, goal, lip), (x, 0, top - lip / 2)))


def _rod(made, rng, name, at, lines, skins, count) -> None:
    """A rod along y with figures or paddles, collars, a grip outside one wall and a cap outside the other."""
    (wide, wall, bar, reach, out), (metal, team) = lines, skins
    end, grip, side = wide / 2 + wall, str(rng.choice(["round", "fluted", "ball"])), np.sign(out)
    tip, hold = at + side * (end + abs(out)) * Y, at + side * (end + 0.4 * abs(out)) * Y
    tail, collar = at - side * (end + 0.3 * abs(out)) * Y, dowel(at, bar * Y, 1.8 * bar, 10)
    made.add(name, metal, rod(tail, tip, bar, 8))
    made.add(name, metal, *(moved(collar, s * (wide / 2 - 1.2 * bar) * Y) for s in (-1, 1)))
    knob = rod(hold, tip, (2 * bar, 2.6 * bar), 6 if grip == "fluted" else 14)
    if grip == "ball":
        knob = ball(3 * bar, tip, 10)
    made.add(name, finish(rng, "dark", "rubber", "wood"), dowel(tail, bar * Y, 1.7 * bar, 10), knob)
    kind, slot = str(rng.choice(["figure", "paddle", "peg", "blade"])), (wide - 5 * bar) / count
    player = _player(kind, reach, min(slot, reach), bar)
    for y in row(count, slot):
        made.add(name, team, shifted(player, at + y * Y))


def _player(kind, reach, wide, bar) -> list[Shape]:
    """A figure or paddle about a rod along y, down to z = −reach and less far up."""
    t, hub = max(0.22 * reach, 2.4 * bar), dowel((0, 0, 0), 0.3 * wide * Y, 1.5 * bar, 10)
    if kind == "figure":
        body = block((t, 0.45 * wide, 1.1 * reach), (0, 0, -0.1 * reach), 0.1 * t)
        foot = block((1.3 * t, 0.35 * wide, 0.36 * reach), (0, 0, -0.78 * reach), 0.1 * t)
        return [body, foot, ball(0.2 * reach, (0, 0, 0.62 * reach), 8)]
    if kind == "paddle":
        return [block((0.4 * t, 0.8 * wide, 0.94 * reach), (0, 0, -0.47 * reach)), block((t, 0.8 * wide, t))]
    if kind == "blade":
        return [block((0.4 * t, 0.8 * wide, 1.88 * reach)), hub]
    return [pill((0, 0, 0.3 * reach), (0, 0, -0.8 * reach), 0.14 * reach, 10), hub]


def _bearings(made, at, lines, saddle, metal) -> None:
    """Bearings of a rod at the two walls: blocks on top of them, or bushes in them."""
    wide, wall, bar, top = lines
    for s in (-1, 1):
        spot = at + s * (wide + wall) / 2 * Y
        if saddle:
            seat = block((6 * bar, 0.8 * wall, 4 * bar), (*spot[:2], top + 1.5 * bar), 0.3 * bar)
            made.add("box", metal, seat)
        else:
            bush = ring(rectangle(bar, 1.3 * wall) + (1.55 * bar, 0), 12)
            made.add("box", metal, aimed(bush, Y, spot))


def _score(made, rng, lines, metal) -> None:
    """Beads on a wire over one end wall, each with its own range to slide in."""
    size, wide, wall, top, most = lines
    x, r, count, span = (size + wall) / 2, 0.75 * wall, int(rng.integers(1, min(4, most + 1))), 0.7 * wide
    z, cell, skin = top + r, span / count, finish(rng, "plastic", "wood", "brass")
    posts = [block((0.4 * wall, 0.3 * wall, 2 * r), (x, s * span / 2, z - 0.3 * r)) for s in (-1, 1)]
    made.add("box", metal, dowel((x, 0, z), span / 2 * Y, 0.25 * r, 8), *posts)
    for k in range(count):
        y, long = k * cell - span / 2 + 0.5 * r + 0.15 * wall, rng.uniform(0.7, 1.2) * r
        bead = ring(rectangle(0.7 * r, long, 0.15 * r, 1) + (0.6 * r, 0), 10)
        made.add(f"bead_{k + 1}", skin, aimed(bead, Y, (x, y + long / 2, z)))
        made.slide("box", f"bead_{k + 1}", Y, 0.0, cell - 1.1 * r - long)


def _ball_tray(made, rng, lines, body, metal) -> None:
    """A tray in runners under the field that slides out to the front."""
    size, wide, low = lines
    a, long, tall = rng.uniform((0.15, 0.4, 0.03), (0.3, 0.7, 0.045)) * (size, wide, size)
    x, y, t = rng.uniform(-0.2, 0.2) * size, -wide / 2, 0.1 * tall
    front = block((1.1 * a, t, tall), (0, -long / 2, tall / 2))
    tray = [*open_tray(a, long, 0.8 * tall, t), front]
    made.add("tray", body, shifted(tray, (x, y + long / 2, low - tall - t)))
    made.add("tray", metal, ball(2.5 * t, (x, y - 2.5 * t, low - 0.5 * tall - t), 10))
    for s in (-1, 1):
        runner = block((t, 0.98 * long, tall + 2 * t), (s * (a / 2 + 0.6 * t), 0, -tall / 2 - 0.5 * t))
        lip = block((3 * t, 0.98 * long, t), (s * (a / 2 - 0.4 * t), 0, -tall - 1.5 * t))
        made.add("box", metal, shifted([runner, lip], (x, y + 0.52 * long, low)))
    made.slide("box", "tray", -Y, 0.0, rng.uniform(0.4, 0.8) * long)


def _legs(made, rng, lines, body, stands) -> None:
    """Four legs, two end boards or four short feet from the ground to the field."""
    size, wide, top = lines
    t, x, y = (0.03 if stands else 0.018) * size, 0.47 * size, 0.46 * wide
    if rng.random() < 0.35:
        board = block((1.3 * t, 1.7 * y, top + t), (0, 0, (top + t) / 2), 0.1 * t)
        made.add("box", body, *(moved(board, s * x * X) for s in (-1, 1)))
        return
    square = rng.random() < 0.5
    for a, b in corners(x, y):
        leg = block((2 * t, 2 * t, top + t), (a, b, (top + t) / 2), 0.1 * t)
        made.add("box", body, leg if square else rod((a, b, 0), (a, b, top + t), (0.7 * t, 1.1 * t), 10))
    if stands and rng.random() < 0.5:
        made.add("box", body, *(block((t, 2 * y, 1.5 * t), (s * x, 0, 0.25 * top)) for s in (-1, 1)))
