"""Stands with rows of boards, prisms or drums that turn."""

from __future__ import annotations

import numpy as np

from neurok.datasets.articulated.extras import weld_or_part
from neurok.datasets.articulated.finishes import finish
from neurok.datasets.articulated.mechanism import Mechanism
from neurok.datasets.articulated.outlines import angles, corners
from neurok.datasets.articulated.panels import border_bars
from neurok.datasets.articulated.placing import X, Y, Z, moved, shifted, turned
from neurok.datasets.articulated.solids import block, dowel, extrude, rod
from neurok.shapes.articulated.assembly import painted
from neurok.shapes.articulated.transforms import rotation_about
from neurok.shapes.shape import Shape

SIDES = (-1, 1)


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
