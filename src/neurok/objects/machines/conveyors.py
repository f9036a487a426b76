"""Conveyors with rollers or wheels between two rails."""

# ruff: noqa: RUF005 — point + (x, y, z) adds vectors here

from __future__ import annotations

import numpy as np

from neurok.geometry.rotations import rotation_about
from neurok.objects.kit.finishes import finish
from neurok.objects.kit.mechanism import Mechanism
from neurok.objects.kit.outlines import cells, rectangle, row
from neurok.objects.kit.placing import Y, Z, aimed, moved, shifted, turned
from neurok.objects.kit.solids import block, dowel, lathe, ring, rod, washer
from neurok.objects.registry import family
from neurok.shapes.shape import Shape


@family(number=65)
def roller_conveyor(rng: np.random.Generator) -> Shape:
    """Two rails with rollers, sleeves or skate wheels between them, level or sloping, on legs or feet."""
    made, kind = Mechanism("roller_conveyor"), str(rng.choice(["drum", "drum", "sleeve", "row", "skate"]))
    metal, skin = finish(rng, "metal", "dark", "paint"), finish(rng, "metal", "dark", "plastic", "rubber")
    r, lanes = rng.uniform(0.02, 0.045), int(rng.integers(2, 4)) if kind == "skate" else 1
    count = int(rng.integers(4, 11)) if lanes == 1 else 10 // lanes
    wide, pitch = r * rng.uniform((6, 2.4), (18, 5.0))
    (axle, tall), thick, stands = rng.uniform((0.2, 1.4), (0.45, 3.2)) * r, 0.3 * r, rng.random() < 0.7
    side, rise = wide / 2 + 0.15 * r + thick / 2, rng.uniform(-0.7, 0.5) * (tall / 2 - 1.2 * axle)
    high = tall / 2 - rise + r * (rng.uniform(8, 20) if stands else rng.uniform(0.4, 1.5))
    spots = row(count, pitch)
    half, middle = spots[-1] + rng.uniform(1.3, 2.2) * r, high + rise
    _rails(made, rng, (2 * half, side, thick, tall), middle, metal)
    fixed = rng.random(count) < (0.2 if lanes == 1 and rng.random() < 0.4 else 0.0)
    fixed[int(rng.integers(count))] = False
    number, seed = 0, int(rng.integers(2**31))
    for x, still in zip(spots, fixed, strict=True):
        at = np.array([x, 0, high])
        if still:
            number += 1
            _cross_bar(made, rng, f"bar_{number}", at, side, r, metal)
            continue
        if kind in ("sleeve", "skate"):
            made.add("frame", metal, dowel(at, (side + 0.7 * thick) * Y, axle, 8))
        for y in cells(lanes, wide):
            number += 1
            name = f"{'wheel' if lanes > 1 else 'roller'}_{number}"
            solids = _roller(np.random.default_rng(seed), kind, r, wide, axle, side + 0.7 * thick)
            made.add(name, skin, *(aimed(s, Y, at + (0, y, 0)) for s in solids))
            made.spin("frame", name, at + (0, y, 0), Y)
    _end_pieces(made, rng, half, high, (wide, side, r, axle), metal)
    slope = rng.uniform(-0.12, 0.12) if stands and rng.random() < 0.4 else 0.0
    made.turn(Y, slope)
    _legs(made, rng, (half, side, middle - tall / 2, slope), stands, r)
    return made.finish(rng)


def _rails(made, rng, lines, z, metal) -> None:
    """Two rails along x: flat bars, channels or tubes, some with a guard above them."""
    (long, side, thick, tall), kind = lines, str(rng.choice(["flat", "channel", "angle", "tube"]))
    if guard := rng.random() < 0.25:
        made.weld("frame", "guard")
    for s in (-1, 1):
        web = block((long, thick, tall), (0, s * side, z), 0.1 * thick)
        flange = block((long, 2.5 * thick, 0.6 * thick), (0, s * (side + thick), 0))
        levels = {"channel": (-1, 1), "angle": (-1,)}.get(kind, ())
        made.add("frame", metal, web)
        made.add("frame", metal, *(moved(flange, (z + k * (tall / 2 - 0.3 * thick)) * Z) for k in levels))
        if kind == "tube":
            ends = [(k * long / 2, s * (side + 0.6 * thick), z - 0.3 * tall) for k in (-1, 1)]
            made.add("frame", metal, rod(ends[0], ends[1], thick, 8))
        if guard:
            top, posts = z + 1.6 * tall, np.linspace(-0.42, 0.42, 3) * long
            y = s * (side + 0.9 * thick)
            made.add("guard", metal, rod((-long / 2, y, top), (long / 2, y, top), 0.6 * thick, 8))
            made.add("guard", metal, *(rod((x, y, z), (x, y, top), 0.5 * thick, 8) for x in posts))


def _roller(rng, kind, r, wide, axle, out) -> list[Shape]:
    """A roller along z: with pins to z = ±out, hollow, a row of wheels on a rod, or one wheel."""
    sides, style = int(rng.choice([8, 14, 20])), rng.random()
    if kind == "skate":
        return [ring(rectangle(r - 1.05 * axle, 0.7 * r, 0.1 * r, 1) + ((r + 1.05 * axle) / 2, 0), sides)]
    if kind == "sleeve":
        body = washer(1.05 * axle, r, wide, sides)
        band = ring(rectangle(0.3 * r, 0.2 * r) + (1.05 * r, 0), sides)
        return [body, *(moved(band, s * 0.47 * wide * Z) for s in (-1, 1) if style < 0.4)]
    pin = dowel((0, 0, 0), out * Z, axle, 8)
    if kind == "row":
        return [pin, *(dowel(z * Z, 0.3 * r * Z, r, sides) for z in cells(int(rng.integers(3, 7)), wide))]
    waist = 1.0 if style < 0.5 else 0.8
    half = [(waist, 0.36), (1, 0.4), (1, 0.48), (0.85, 0.5)]
    rows = [*((a, -z) for a, z in half[::-1]), *half]
    return [pin, lathe(np.multiply(rows, (r, wide)), sides)]


def _cross_bar(made, rng, name, at, side, r, metal) -> None:
    """A bar or a fixed roller in place of a turning one, sometimes as a link of its own."""
    link = made.weld("frame", name) if rng.random() < 0.6 else "frame"
    size = (rng.uniform(0.8, 1.6) * r, 2 * side, rng.uniform(0.6, 1.6) * r)
    made.add(link, metal, block(size, at) if rng.random() < 0.7 else dowel(at, side * Y, 0.9 * r, 10))


def _end_pieces(made, rng, half, high, lines, metal) -> None:
    """A stop at one end, a gate or a flap on an axle between the rails at the other, or neither."""
    wide, side, r, axle = lines
    if rng.random() < 0.4:
        stop = block((0.4 * r, 2 * side, rng.uniform(2, 4) * r), (-half, 0, high + r), 0.05 * r)
        made.add(made.weld("frame", "stop") if rng.random() < 0.6 else "frame", metal, stop)
    if rng.random() < 0.4:
        at, tall, up = np.array([half + 0.6 * r, 0, high]), rng.uniform(3, 7) * r, rng.random() < 0.6
        ears = [block((2.4 * r, 0.3 * r, 1.6 * r), (half + 0.2 * r, s * side, high)) for s in (-1, 1)]
        made.add("frame", metal, dowel(at, (side + 0.2 * r) * Y, axle, 8), *ears)
        barrel = ring(rectangle(0.4 * r, 0.9 * wide) + (1.05 * axle + 0.2 * r, 0), 12)
        plate = block((0.25 * r, 0.9 * wide, tall), (0, 0, axle + 0.1 * r + tall / 2))
        grip = block((0.8 * r, 0.5 * wide, 0.25 * r), (0.3 * r, 0, tall))
        leaf = [plate, grip] if up else [turned(s, Y, np.pi / 2) for s in (plate, grip)]
        made.add("gate", finish(rng, "paint", "plastic", "metal"), aimed(barrel, Y, at), *shifted(leaf, at))
        made.hinge("frame", "gate", at, Y if up else -Y, 0.0, rng.uniform(0.8, 1.5))


def _legs(made, rng, lines, stands, r) -> None:
    """Legs from the sloping rails to the ground: upright or splayed pairs with bars, or feet."""
    half, side, low, slope = lines
    skin, pairs = finish(rng, "metal", "dark", "paint"), int(rng.choice([2, 2, 3]))
    splay, t = rng.uniform(0, 3) * r * (rng.random() < 0.4), rng.uniform(0.35, 0.6) * r
    turn = rotation_about(Y, slope)
    for x in np.linspace(-0.85, 0.85, pairs) * half:
        tops = [turn @ (x, s * side, low + 0.2 * t) for s in (-1, 1)]
        feet = [top * (1, 1 + splay / side, 0) for top in tops]
        made.add("frame", skin, rod(feet[0], tops[0], t, 8), rod(feet[1], tops[1], t, 8))
        if not stands:
            made.add("frame", skin, block((2 * t, 2 * side, 0.4 * r), (x, 0, low)))
            continue
        for k in (0.25, 0.9) if rng.random() < 0.5 else (0.5,):
            ends = [foot + k * (top - foot) for foot, top in zip(feet, tops, strict=True)]
            made.add("frame", skin, rod(ends[0], ends[1], 0.7 * t, 8))
        made.add("frame", skin, *(block((3 * t, 3 * t, 0.4 * t), foot + 0.2 * t * Z) for foot in feet))
