"""Rows of things on axles between two sides: roller conveyors, boards that turn, and games on rods."""

# ruff: noqa: RUF005 — point + (x, y, z) adds vectors here

from __future__ import annotations

import numpy as np

from neurok.datasets.articulated.extras import weld_or_part, weld_some
from neurok.datasets.articulated.finishes import finish
from neurok.datasets.articulated.mechanism import Mechanism
from neurok.datasets.articulated.outlines import angles, corners, rectangle
from neurok.datasets.articulated.panels import border_bars, walls
from neurok.datasets.articulated.placing import X, Y, Z, aimed, moved, shifted, turned
from neurok.datasets.articulated.solids import ball, block, dowel, extrude, lathe, pill, ring, rod
from neurok.shapes.articulated.assembly import painted
from neurok.shapes.articulated.transforms import rotation_about
from neurok.shapes.shape import Shape

SIDES = (-1, 1)


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
    spots = (np.arange(count) - (count - 1) / 2) * pitch
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
        for y in (np.arange(lanes) + 0.5) / lanes * wide - wide / 2:
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
    for s in SIDES:
        web = block((long, thick, tall), (0, s * side, z), 0.1 * thick)
        flange = block((long, 2.5 * thick, 0.6 * thick), (0, s * (side + thick), 0))
        levels = {"channel": SIDES, "angle": (-1,)}.get(kind, ())
        made.add("frame", metal, web)
        made.add("frame", metal, *(moved(flange, (z + k * (tall / 2 - 0.3 * thick)) * Z) for k in levels))
        if kind == "tube":
            ends = [(k * long / 2, s * (side + 0.6 * thick), z - 0.3 * tall) for k in SIDES]
            made.add("frame", metal, rod(ends[0], ends[1], thick, 8))
        if guard:
            top, posts = z + 1.6 * tall, np.linspace(-0.42, 0.42, 3) * long
            y = s * (side + 0.9 * thick)
            made.add("guard", metal, rod((-long / 2, y, top), (long / 2, y, top), 0.6 * thick, 8))
            made.add("guard", metal, *(rod((x, y, z), (x, y, top), 0.5 * thick, 8) for x in posts))


def _roller(rng, kind, r, wide, axle, out) -> list[Shape]:
    """A roller along z: with pins to z = ±out, a hollow one, a row of wheels on a rod, or one wheel."""
    sides, style = int(rng.choice([8, 14, 20])), rng.random()
    if kind == "skate":
        return [ring(rectangle(r - 1.05 * axle, 0.7 * r, 0.1 * r, 1) + ((r + 1.05 * axle) / 2, 0), sides)]
    if kind == "sleeve":
        body = ring(rectangle(r - 1.05 * axle, wide) + ((r + 1.05 * axle) / 2, 0), sides)
        band = ring(rectangle(0.3 * r, 0.2 * r) + (1.05 * r, 0), sides)
        return [body, *(moved(band, s * 0.47 * wide * Z) for s in SIDES if style < 0.4)]
    pin = dowel((0, 0, 0), out * Z, axle, 8)
    if kind == "row":
        places = (np.arange(n := int(rng.integers(3, 7))) + 0.5) / n * wide - wide / 2
        return [pin, *(dowel(z * Z, 0.3 * r * Z, r, sides) for z in places)]
    waist = 1.0 if style < 0.5 else 0.8
    half = [(waist, 0.36), (1, 0.4), (1, 0.48), (0.85, 0.5)]
    rows = [*((a, -z) for a, z in half[::-1]), *half]
    return [pin, lathe(np.multiply(rows, (r, wide)), sides)]


def _cross_bar(made, rng, name, at, side, r, metal) -> None:
    """A bar or a dead roller in place of one that turns, a link of its own or not."""
    link = made.weld("frame", name) if rng.random() < 0.6 else "frame"
    size = (rng.uniform(0.8, 1.6) * r, 2 * side, rng.uniform(0.6, 1.6) * r)
    made.add(link, metal, block(size, at) if rng.random() < 0.7 else dowel(at, side * Y, 0.9 * r, 10))


def _end_pieces(made, rng, half, high, lines, metal) -> None:
    """At one end a stop, at the other a gate or a flap on an axle between the rails, or neither."""
    wide, side, r, axle = lines
    if rng.random() < 0.4:
        stop = block((0.4 * r, 2 * side, rng.uniform(2, 4) * r), (-half, 0, high + r), 0.05 * r)
        made.add(made.weld("frame", "stop") if rng.random() < 0.6 else "frame", metal, stop)
    if rng.random() < 0.4:
        at, tall, up = np.array([half + 0.6 * r, 0, high]), rng.uniform(3, 7) * r, rng.random() < 0.6
        ears = [block((2.4 * r, 0.3 * r, 1.6 * r), (half + 0.2 * r, s * side, high)) for s in SIDES]
        made.add("frame", metal, dowel(at, (side + 0.2 * r) * Y, axle, 8), *ears)
        barrel = ring(rectangle(0.4 * r, 0.9 * wide) + (1.05 * axle + 0.2 * r, 0), 12)
        plate = block((0.25 * r, 0.9 * wide, tall), (0, 0, axle + 0.1 * r + tall / 2))
        grip = block((0.8 * r, 0.5 * wide, 0.25 * r), (0.3 * r, 0, tall))
        leaf = [plate, grip] if up else [turned(s, Y, np.pi / 2) for s in (plate, grip)]
        made.add("gate", finish(rng, "paint", "plastic", "metal"), aimed(barrel, Y, at), *shifted(leaf, at))
        made.hinge("frame", "gate", at, Y if up else -Y, 0.0, rng.uniform(0.8, 1.5))


def _legs(made, rng, lines, stands, r) -> None:
    """Legs from the rails, which slope, to the ground: upright or splayed pairs with bars; or feet."""
    half, side, low, slope = lines
    skin, pairs = finish(rng, "metal", "dark", "paint"), int(rng.choice([2, 2, 3]))
    splay, t = rng.uniform(0, 3) * r * (rng.random() < 0.4), rng.uniform(0.35, 0.6) * r
    turn = rotation_about(Y, slope)
    for x in np.linspace(-0.85, 0.85, pairs) * half:
        tops = [turn @ (x, s * side, low + 0.2 * t) for s in SIDES]
        feet = [top * (1, 1 + splay / side, 0) for top in tops]
        made.add("frame", skin, rod(feet[0], tops[0], t, 8), rod(feet[1], tops[1], t, 8))
        if not stands:
            made.add("frame", skin, block((2 * t, 2 * side, 0.4 * r), (x, 0, low)))
            continue
        for k in (0.25, 0.9) if rng.random() < 0.5 else (0.5,):
            ends = [foot + k * (top - foot) for foot, top in zip(feet, tops, strict=True)]
            made.add("frame", skin, rod(ends[0], ends[1], 0.7 * t, 8))
        made.add("frame", skin, *(block((3 * t, 3 * t, 0.4 * t), foot + 0.2 * t * Z) for foot in feet))


def turning_boards(rng: np.random.Generator) -> Shape:
    """A stand with one or more rows of boards, prisms or cubes, each on pins or on a rod of the frame."""
    made, level = Mechanism("turning_boards"), rng.random() < 0.45
    rows = int(rng.choice([1, 1, 1, 2, 2, 3]))
    count = int(rng.integers(1 if rows > 1 else 2, 9 // rows + 1))
    kind = str(rng.choice(["plaque", "plaque", "framed", "prism", "drum"]))
    if kind in ("plaque", "framed") and level:
        count = min(count, 3)  # more would be a louvre
    pitch, pins = rng.uniform(0.08, 0.4), str(rng.choice(["stub", "stud", "rod"]))
    long = pitch * rng.uniform(*((0.5, 1.2) if rows == 3 else (0.5, 2.5)))
    if (size := rows * long + count * pitch) > 2.2:
        pitch, long = 2.2 / size * pitch, 2.2 / size * long
    least = min(pitch, long)
    border, pin, gap = rng.uniform((0.1, 0.025, 0.02), (0.3, 0.05, 0.08)) * least
    solids, sweep = _board(rng, kind, pitch, long - border - 2 * gap)
    wide, tall, deep = count * pitch + 2 * border, rows * long + border, rng.uniform(0.8, 2.2) * border
    turn = np.pi / 2 if level else 0.0
    low = rng.uniform(0.1, 0.9) * tall if rng.random() < 0.6 else 0.0
    centre = (low + (wide if level else tall) / 2) * Z

    def place(shapes):
        return shifted([turned(s, Y, turn) for s in shapes], centre)

    frame = finish(rng, "metal", "wood", "dark", "paint", "pale")
    bars = border_bars(wide, tall, deep, border)
    bars += [block((wide, deep, border), (0, 0, k * long - tall / 2 + border / 2)) for k in range(1, rows)]
    made.add("frame", frame, place(bars))
    _board_stand(made, rng, (tall, wide) if level else (wide, tall), (low, deep, border, sweep), frame)
    metal, skins = finish(rng, "metal", "brass", "dark"), [finish(rng, "paint", "plastic", "wood", "glass")]
    if rng.random() < 0.4:
        skins.append(finish(rng, "paint", "plastic", "wood"))
    still = rng.random(rows * count) < (0.25 if rng.random() < 0.35 else 0.0)
    still[int(rng.integers(rows * count))] = False
    start = rng.uniform(-1.2, 1.2) * (rng.random() < 0.4)
    solids = [turned(s, Z, start) for s in solids]
    way = rng.uniform(0.4, 1.6) if rng.random() < 0.4 else np.inf
    axis, hang = rotation_about(Y, turn) @ Z, long / 2 - border / 2 - gap
    for k in range(rows * count):
        x, z = (k // rows + 0.5 - count / 2) * pitch, (k % rows + 0.5 - rows / 2) * long
        name, at = f"board_{k + 1}", np.array([x, 0, z])
        made.add(name, skins[k % len(skins)], place(shifted(solids, at)))
        if still[k]:
            cleat = block((0.5 * sweep, min(0.5 * sweep, deep), 2 * gap + 0.1 * hang))
            made.add("frame", metal, place([moved(cleat, at + s * (hang + 0.3 * gap) * Z) for s in SIDES]))
            made.weld("frame", name)
            continue
        pegs, collars = _pegs(hang, gap, border, pin, pins == "rod")
        made.add(name if pins == "stub" else "frame", metal, place(shifted(pegs, at)))
        made.add("frame", metal, place(shifted(collars, at)))
        there = rotation_about(Y, turn) @ at + centre
        if np.isinf(way):
            made.spin("frame", name, there, axis)
        else:
            made.hinge("frame", name, there, axis, -way, way)
    return made.finish(rng, ajar=0.45)


def _pegs(hang, gap, border, pin, through) -> tuple[list[Shape], list[Shape]]:
    """Pins along z at both ends of a board of half length `hang`, or one rod; and collars about them."""
    tip = hang + gap + 0.4 * border
    pegs = [rod(s * 0.9 * hang * Z, s * tip * Z, pin, 8) for s in SIDES]
    collars = [dowel(s * tip * Z, 0.4 * (border + gap) * Z, 1.8 * pin, 12) for s in SIDES]
    return ([dowel((0, 0, 0), tip * Z, pin, 8)] if through else pegs), collars


def _board(rng, kind, pitch, tall) -> tuple[list[Shape], float]:
    """What turns, about the origin with its axis along z, and how far from the axis it gets."""
    sweep = rng.uniform(0.4, 0.485) * pitch
    if kind in ("prism", "drum"):
        sides = int(rng.integers(3, 5)) if kind == "prism" else int(rng.choice([6, 8, 16]))
        outline = sweep * np.c_[np.cos(a := angles(sides) + np.pi / 2), np.sin(a)]
        solids = [extrude(outline, tall)]
        if rng.random() < 0.4:
            rim = extrude(outline, 0.04 * tall)
            solids = [extrude(0.9 * outline, tall), *(moved(rim, s * 0.47 * tall * Z) for s in SIDES)]
        return solids, sweep
    thick = rng.uniform(0.06, 0.16) * min(pitch, tall)
    wide = 2 * np.sqrt(sweep**2 - (0.7 * thick) ** 2)
    if kind == "plaque":
        return [block((wide, thick, tall), (0, 0, 0), rng.choice([0, 0.2]) * thick)], sweep
    border = rng.uniform(0.08, 0.15) * min(wide, tall)
    fill = block((0.9 * wide, 0.5 * thick, 0.9 * tall))
    label = block((0.5 * wide, 0.8 * thick, 0.3 * tall), (0, 0, 0.1 * tall))
    return [*border_bars(wide, tall, thick, border), fill, label], sweep


def _board_stand(made, rng, size, lines, frame) -> None:
    """What a frame stands on: legs with feet when it is high up, else a plate, two feet or nothing."""
    (wide, tall), (low, deep, border, sweep) = size, lines
    foot = max(rng.uniform(0.25, 0.5) * (low + 0.6 * tall), 1.5 * deep)
    offers, top, x = [], low + tall, wide / 2 - border / 2
    if low:
        leg = block((border, 0.9 * deep, low + 0.5 * border), (0, 0, (low + 0.5 * border) / 2))
        legs = [moved(leg, s * x * X) for s in SIDES]
        soles = [block((1.2 * border, foot, 0.5 * border), (s * x, 0, 0.25 * border)) for s in SIDES]
        made.add("frame", frame, *legs, *soles)
        if rng.random() < 0.5:
            made.add("frame", frame, block((wide - border, 0.5 * deep, 0.6 * border), (0, 0, 0.4 * low)))
    elif rng.random() < 0.4:
        plate = block((1.1 * wide, foot, 0.5 * border), (0, 0, -0.2 * border), 0.05 * border)
        made.add("frame", frame, plate)
    elif rng.random() < 0.7:
        soles = [block((border, foot, 0.6 * border), (s * x, 0, 0)) for s in SIDES]
        offers += [("frame", "foot", [painted(sole, frame)]) for sole in soles]
    skin = finish(rng, "paint", "plastic", "wood", "pale")
    if rng.random() < 0.3:
        size = (rng.uniform(0.4, 1.0) * wide, 0.5 * deep, 1.5 * border)
        sign = block(size, (0, 0, top + 0.7 * border), 0.05 * border)
        offers.append(("frame", "sign", [painted(sign, skin)]))
    if rng.random() < 0.25:
        back = max(sweep, deep / 2) + 0.03 * wide
        plate = block((wide, 0.02 * wide, tall), (0, back, low + tall / 2))
        spacer, spots = (
            block((border, back, border), (0, back / 2, low + tall / 2)),
            corners(x, (tall - border) / 2),
        )
        spacers = [moved(spacer, (a, 0, b)) for a, b in spots]
        offers.append(("frame", "back", [painted(s, skin) for s in (plate, *spacers)]))
    weld_or_part(made, rng, offers)


def table_game(rng: np.random.Generator) -> Shape:
    """A walled field with rods across it that carry figures or paddles and have grips outside."""
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
        _game_rod(made, draw, f"rod_{k + 1}", at, lines, (metal, teams[k % 2]), figures)
        _bearings(made, at, (wide, wall, bar, top), saddle, metal)
        if way is None:
            made.spin("box", f"rod_{k + 1}", at, Y)
        else:
            made.hinge("box", f"rod_{k + 1}", at, Y, -way, way)
    if rng.random() < 0.5:
        _score(made, rng, (size, wide, wall, top, max(1, 9 - count)), metal)
    if rng.random() < 0.35:
        _ball_tray(made, rng, (size, wide, floor - wall), body, metal)
    _game_legs(made, rng, (size, wide, floor - 1.5 * wall), body, stands)
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
    line, spot = (
        block((0.2 * wall, wide, 0.1 * wall), floor * Z),
        dowel(floor * Z, 0.04 * wall * Z, 0.1 * wide),
    )
    made.add("box", finish(rng, "pale", "dark"), line, spot)
    tall, mid = top - low, (top + low) / 2
    for s in SIDES:
        made.add(
            "box", body, block((size + 2 * wall, wall, tall), (0, s * (wide + wall) / 2, mid), 0.1 * wall)
        )
        x, lip = s * (size + wall) / 2, 0.35 * (top - floor)
        if not goal:
            made.add("box", body, block((wall, wide, tall), (x, 0, mid)))
            continue
        span = (wide - goal) / 2
        made.add("box", body, *(block((wall, span, tall), (x, k * (goal + span) / 2, mid)) for k in SIDES))
        made.add("box", body, block((wall, goal, lip), (x, 0, top - lip / 2)))


def _game_rod(made, rng, name, at, lines, skins, count) -> None:
    """A rod along y with figures or paddles, collars, a grip outside one wall and a cap outside the other."""
    (wide, wall, bar, reach, out), (metal, team) = lines, skins
    end, grip, side = wide / 2 + wall, str(rng.choice(["round", "fluted", "ball"])), np.sign(out)
    tip, hold = at + side * (end + abs(out)) * Y, at + side * (end + 0.4 * abs(out)) * Y
    tail, collar = at - side * (end + 0.3 * abs(out)) * Y, dowel(at, bar * Y, 1.8 * bar, 10)
    made.add(name, metal, rod(tail, tip, bar, 8))
    made.add(name, metal, *(moved(collar, s * (wide / 2 - 1.2 * bar) * Y) for s in SIDES))
    knob = rod(hold, tip, (2 * bar, 2.6 * bar), 6 if grip == "fluted" else 14)
    if grip == "ball":
        knob = ball(3 * bar, tip, 10)
    made.add(name, finish(rng, "dark", "rubber", "wood"), dowel(tail, bar * Y, 1.7 * bar, 10), knob)
    kind, slot = str(rng.choice(["figure", "paddle", "peg", "blade"])), (wide - 5 * bar) / count
    player = _player(kind, reach, min(slot, reach), bar)
    for k in range(count):
        made.add(name, team, shifted(player, at + (k + 0.5 - count / 2) * slot * Y))


def _player(kind, reach, wide, bar) -> list[Shape]:
    """A figure or paddle about a rod along y, down to z = −reach and not as far up."""
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
    """What holds a rod at the two walls: blocks on top of them, or bushes in them."""
    wide, wall, bar, top = lines
    for s in SIDES:
        spot = at + s * (wide + wall) / 2 * Y
        if saddle:
            seat = block((6 * bar, 0.8 * wall, 4 * bar), (*spot[:2], top + 1.5 * bar), 0.3 * bar)
            made.add("box", metal, seat)
        else:
            bush = ring(rectangle(bar, 1.3 * wall) + (1.55 * bar, 0), 12)
            made.add("box", metal, aimed(bush, Y, spot))


def _score(made, rng, lines, metal) -> None:
    """Beads on a wire over one end wall, each with a stretch of its own to slide along."""
    size, wide, wall, top, most = lines
    x, r, count, span = (size + wall) / 2, 0.75 * wall, int(rng.integers(1, min(4, most + 1))), 0.7 * wide
    z, cell, skin = top + r, span / count, finish(rng, "plastic", "wood", "brass")
    posts = [block((0.4 * wall, 0.3 * wall, 2 * r), (x, s * span / 2, z - 0.3 * r)) for s in SIDES]
    made.add("box", metal, dowel((x, 0, z), span / 2 * Y, 0.25 * r, 8), *posts)
    for k in range(count):
        y, long = k * cell - span / 2 + 0.5 * r + 0.15 * wall, rng.uniform(0.7, 1.2) * r
        bead = ring(rectangle(0.7 * r, long, 0.15 * r, 1) + (0.6 * r, 0), 10)
        made.add(f"bead_{k + 1}", skin, aimed(bead, Y, (x, y + long / 2, z)))
        made.slide("box", f"bead_{k + 1}", Y, 0.0, cell - 1.1 * r - long)


def _ball_tray(made, rng, lines, body, metal) -> None:
    """A tray in runners under the field that is drawn out to the front."""
    size, wide, low = lines
    a, long, tall = rng.uniform((0.15, 0.4, 0.03), (0.3, 0.7, 0.045)) * (size, wide, size)
    x, y, t = rng.uniform(-0.2, 0.2) * size, -wide / 2, 0.1 * tall
    front = block((1.1 * a, t, tall), (0, -long / 2, tall / 2))
    tray = [*walls(a, long, 0.8 * tall, t), block((a, long, t), (0, 0, t / 2)), front]
    made.add("tray", body, shifted(tray, (x, y + long / 2, low - tall - t)))
    made.add("tray", metal, ball(2.5 * t, (x, y - 2.5 * t, low - 0.5 * tall - t), 10))
    for s in SIDES:
        runner = block((t, 0.98 * long, tall + 2 * t), (s * (a / 2 + 0.6 * t), 0, -tall / 2 - 0.5 * t))
        lip = block((3 * t, 0.98 * long, t), (s * (a / 2 - 0.4 * t), 0, -tall - 1.5 * t))
        made.add("box", metal, shifted([runner, lip], (x, y + 0.52 * long, low)))
    made.slide("box", "tray", -Y, 0.0, rng.uniform(0.4, 0.8) * long)


def _game_legs(made, rng, lines, body, stands) -> None:
    """Four legs, two end boards or four short feet from the ground to the field."""
    size, wide, top = lines
    t, x, y = (0.03 if stands else 0.018) * size, 0.47 * size, 0.46 * wide
    if rng.random() < 0.35:
        board = block((1.3 * t, 1.7 * y, top + t), (0, 0, (top + t) / 2), 0.1 * t)
        made.add("box", body, *(moved(board, s * x * X) for s in SIDES))
        return
    square = rng.random() < 0.5
    for a, b in corners(x, y):
        leg = block((2 * t, 2 * t, top + t), (a, b, (top + t) / 2), 0.1 * t)
        made.add("box", body, leg if square else rod((a, b, 0), (a, b, top + t), (0.7 * t, 1.1 * t), 10))
    if stands and rng.random() < 0.5:
        made.add("box", body, *(block((t, 2 * y, 1.5 * t), (s * x, 0, 0.25 * top)) for s in SIDES))
