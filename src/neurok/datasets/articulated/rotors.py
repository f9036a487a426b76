"""Things that turn on a shaft: water pumps, hand mixers, weather vanes, prize wheels, outboard motors."""

# ruff: noqa: RUF005 — point + (x, y, z) adds vectors here

from __future__ import annotations

from dataclasses import replace

import numpy as np

from neurok.datasets.articulated.finishes import finish
from neurok.datasets.articulated.mechanism import Mechanism
from neurok.datasets.articulated.outlines import arc, curve, rectangle
from neurok.datasets.articulated.panels import border_bars, shifted
from neurok.datasets.articulated.placing import aimed, moved, turned
from neurok.datasets.articulated.solids import ball, block, extrude, lathe, loop, pill, ring, rod, torus, tube
from neurok.shapes.articulated.assembly import painted
from neurok.shapes.shape import Shape

X, Y, Z = np.eye(3)
TAILS = (
    [(-0.5, -0.3), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.3)],
    [(-0.5, -0.1), (0.1, -0.5), (0.7, -0.5), (0.3, 0), (0.7, 0.5), (0.1, 0.5), (-0.5, 0.1)],
    [(-0.5, -0.1), (0.4, -0.2), (0.5, 0.2), (0.6, 0.9), (0.2, 0.9), (-0.5, 0.1)],
)
FIGURES = (  # a cock, a whale, a boat
    [(-0.02, 0), (0.04, 0), (0.06, 0.22), (0.22, 0.3), (0.32, 0.5), (0.5, 0.42), (0.46, 0.62), (0.52, 0.8),
     (0.36, 0.92), (0.26, 0.8), (0.2, 0.62), (0.05, 0.55), (-0.12, 0.66), (-0.16, 0.86), (-0.22, 0.98),
     (-0.3, 0.9), (-0.4, 0.8), (-0.3, 0.78), (-0.28, 0.55), (-0.22, 0.36), (-0.05, 0.22)],
    [(-0.5, 0.2), (-0.42, 0.32), (-0.15, 0.4), (0.15, 0.33), (0.34, 0.24), (0.5, 0.42), (0.46, 0.2),
     (0.5, 0.02), (0.33, 0.14), (0.1, 0.05), (0, 0), (-0.2, 0.02), (-0.42, 0.08)],
    [(-0.35, 0), (0.35, 0), (0.5, 0.18), (0.03, 0.18), (0.03, 0.26), (0.45, 0.26), (0.03, 0.95),
     (-0.02, 0.95), (-0.4, 0.26), (-0.02, 0.26), (-0.02, 0.18), (-0.5, 0.18)],
)  # fmt: skip


def water_pump(rng: np.random.Generator) -> Shape:
    """A round housing on a pipe, legs, a wall or a barrel, worked by a wheel, a crank, a lever or a motor."""
    made = Mechanism("water_pump")
    link = str(rng.choice(["wheel", "crank", "lever", "impeller"], p=[0.25, 0.22, 0.2, 0.33]))
    body, metal = finish(rng, "paint", "dark", "metal", "plastic"), finish(rng, "metal", "brass", "dark")
    deep, reach = rng.uniform(0.7, 1.3), rng.uniform(1.2, 2.6) if link != "impeller" else 1.0
    if link == "impeller":
        _impeller_housing(made, rng, deep, body, metal)
    else:
        profile = [(0.85, -0.5), (1, -0.4), (1, 0.3), (1.15, 0.3), (1.15, 0.5), (0.35, 0.5), (0.25, 0.75)]
        bolts = _around(pill((1, 0, 0), (1, 0, 0.54 * deep), 0.07, 6), int(rng.integers(4, 9)))
        _add(made, "housing", body, aimed(lathe(np.array(profile) * (1, deep), 28), -Y))
        _add(made, "housing", metal, *(aimed(b, -Y) for b in bolts))
        _pump_drive(made, rng, link, reach, -0.75 * deep * Y, metal)
    _pump_mount(made, rng, link, deep, rng.uniform(1.15, 1.8) * max(1.2, reach), body, metal)
    _pump_outlet(made, rng, min(0.35, 0.4 * deep), body, metal)
    front = (0, -0.3 * deep if link == "impeller" else -0.75 * deep - 0.3, 0)
    _fittings(made, rng, metal, [
        ("housing", "nameplate", block((0.06, 0.4 * deep, 0.5), (-1, 0, 0))),
        ("housing", "plug", rod((-0.7, 0, -0.7), (-0.85, 0, -0.85), 0.15, 6)),
        ("housing", "bracket", block((0.5, 0.15, 0.8), (-1.15, 0.2 * deep, 0.1))),
        (link, "cap", aimed(lathe([(0.2, 0), (0, 0.2)], 12), -Y, front)),
    ])  # fmt: skip
    return _scaled(made, rng.uniform(0.06, 0.16)).finish(rng)


def _impeller_housing(made, rng, deep, body, metal) -> None:
    """An open drum with a vaned impeller in it, at times a glass door, a motor behind and a bail over it."""
    drum = ring(rectangle(0.16, deep) + (0.92, 0), 28)
    _add(made, "housing", body, aimed(drum, -Y), rod(0.38 * deep * Y, 0.52 * deep * Y, 1, 28))
    spine = curve([(0.1, 0), (0.4, rng.uniform(-0.2, 0.2)), (0.74, rng.uniform(-0.35, 0.35))], 8)
    vane = extrude(np.concatenate([spine + (0, 0.03), spine[::-1] - (0, 0.03)]), 0.45 * deep)
    hub = lathe([(0.2, -0.4 * deep), (0.2, 0.22 * deep), (0.08, 0.32 * deep)], 14)
    wheel = [hub, *_around(vane, int(rng.integers(3, 9)))]
    if rng.random() < 0.6:
        wheel.append(rod(-0.26 * deep * Z, -0.18 * deep * Z, 0.76, 24))
    _add(made, "impeller", finish(rng, "brass", "metal", "plastic"), *(aimed(w, -Y) for w in wheel))
    made.spin("housing", "impeller", (0, 0, 0), Y)
    if rng.random() < 0.5:
        y = -0.5 * deep - 0.05
        _add(made, "cover", finish(rng, "glass"), rod((0, y - 0.05, 0), (0, y + 0.05, 0), 0.98, 28))
        _add(made, "cover", metal, rod((1.06, y, -0.18), (1.06, y, 0.18), 0.07, 8))
        _add(made, "cover", metal, block((0.3, 0.08, 0.2), (0.95, y - 0.03, 0)))
        _add(made, "cover", metal, pill((-0.85, y, 0), (-0.85, y - 0.2, 0), 0.07, 8))
        for z in (-0.26, 0.26):
            knuckle = rod((1.06, y, z - 0.08), (1.06, y, z + 0.08), 0.07, 8)
            _add(made, "housing", metal, knuckle, block((0.25, 0.16, 0.14), (0.97, y + 0.08, z)))
        made.hinge("housing", "cover", (1.06, y, 0), Z, 0.0, rng.uniform(1.2, 2.2))
    m, long, start = rng.uniform(0.6, 0.9), rng.uniform(1.2, 2.4), 0.5 * deep
    rib, levels = (ring(rectangle(0.12, 0.1) + (0.94 * m, 0), 20),
        np.linspace(0.1, 0.95, int(rng.integers(2, 6))))  # fmt: skip
    _add(made, "housing", metal, rod((0, start, 0), (0, start + long, 0), 0.92 * m, 24))
    _add(made, "housing", body, *(aimed(rib, Y, (0, start + long * s, 0)) for s in levels))
    y, wide, tall = start + 0.45 * long, 1.14 * m, m * rng.uniform(1.5, 2.0)
    bow = [(-wide, y, 0), (-wide, y, 0.6 * tall), (0, y, tall), (wide, y, 0.6 * tall), (wide, y, 0)]
    _add(made, "housing", metal, rod((-1.2 * m, y, 0), (1.2 * m, y, 0), 0.09 * m, 8))
    _add(made, "handle", finish(rng, "dark", "metal", "rubber"), tube(curve(bow, 15), 0.08 * m, 8))
    made.hinge("housing", "handle", (0, y, 0), -X, 0.0, 0.85 * float(np.arccos(1.05 * m / tall)))


def _pump_drive(made, rng, link, reach, at, metal) -> None:
    """A spoked wheel with a grip, a crank, or a lever that is rocked, on the shaft at the front."""
    front = at - 0.2 * Y
    _add(made, link, metal, rod(at + 0.1 * Y, at - 0.3 * Y, 0.14, 12))
    if link == "lever":
        end, sweep = front + reach * Z, rng.uniform(0.5, 1.0)
        grip = (front + 0.65 * reach * Z, end) if rng.random() < 0.6 else (end, end - 0.5 * Y)
        _add(made, link, metal, rod(front, end, (0.13, 0.08), 10))
        _add(made, link, finish(rng, "wood", "rubber", "plastic"), pill(*grip, 0.13))
        made.hinge("housing", link, at, Y, -sweep, sweep)
        return
    made.spin("housing", link, at, Y)
    if link == "crank":
        _crank(made, rng, link, front, -Y, reach, metal)
    else:
        wheel = [aimed(w, -Y, front) for w in _spoked(rng, reach, 0.1 * reach)]
        _add(made, link, finish(rng, "paint", "dark", "metal"), *wheel)
        _grip(made, rng, link, front + 0.93 * reach * X, -Y, 0.35 * reach)


def _pump_mount(made, rng, link, deep, h, body, metal) -> None:
    """What the housing stands on: a pipe, legs on a plate, a barrel, or a plate on a wall."""
    kind = str(rng.choice(["pipe", "legs", "barrel", "wall"])) if link != "impeller" else "legs"
    thick = min(0.3, 0.4 * deep)
    if kind == "legs":
        legs = [rod((0.55 * s, y * deep, -0.6), (1.1 * s, y * deep, -h), 0.12, 8) for s in (-1, 1)
            for y in (-0.2, 0.2)]  # fmt: skip
        _add(made, "housing", body, block((2.6, max(1.1 * deep, 1.2), 0.14), (0, 0, -h), 0.02), *legs)
        return
    _add(made, "housing", metal, rod((0, 0, -h), (0, 0, -0.9), thick, 16),
        rod((0, 0, -1.2), (0, 0, -1.08), 1.35 * thick, 16))  # fmt: skip
    if kind == "wall":
        plate = block((2.4, 0.14, rng.uniform(2.5, 3.2)), (0, deep / 2, 0), 0.03)
        _add(made, "housing", finish(rng, "wood", "metal", "dark"), plate)
    elif kind == "pipe":
        _add(made, "housing", body, moved(lathe([(0.9, 0), (0.9, 0.12), (0.3, 0.3)], 20), -h * Z))
    else:
        wide, tall = rng.uniform(1.8, 2.6), rng.uniform(4, 6)
        profile = np.array([(0.9, -1), (1, -0.65), (1, -0.35), (0.9, 0)]) * (wide, tall)
        _add(made, "barrel", finish(rng, "paint", "wood", "plastic"), moved(lathe(profile, 24), -h * Z))
        _add(made, "barrel", metal, moved(torus(0.99 * wide, 0.1, 24, 6), -(h + 0.5 * tall) * Z))
        made.weld("housing", "barrel")


def _pump_outlet(made, rng, thick, body, metal) -> None:
    """A pipe upwards, to the side, or bent over as a spout, with a flange and at times a valve on it."""
    kind, long = str(rng.choice(["up", "side", "spout"])), rng.uniform(1.6, 2.4)
    way, side = (X, Z) if kind == "side" else (Z, X)
    path = np.outer([0.88, 0.75 * long, long], way)
    if kind == "spout":
        path = curve([0.88 * Z, long * Z, (0.8, 0, 1.25 * long), (1.7, 0, 0.9 * long)], 14)
    flange = lathe([(1.25 * thick, -0.1), (1.25 * thick, 0.02)], 16)
    _add(made, "housing", body, tube(path, 0.85 * thick, 14))
    _add(made, "housing", metal, aimed(flange, path[-1] - path[-2], path[-1]))
    if kind != "spout" and rng.random() < 0.4:
        stem = path[1] + (thick + 0.3) * side
        wheel = [aimed(w, side, stem) for w in _spoked(rng, 0.45, 0.12)]
        _add(made, "housing", metal, rod(path[1], stem - 0.06 * side, 0.12, 10))
        _add(made, "valve", finish(rng, "plastic", "paint"), *wheel)
        made.hinge("housing", "valve", stem, side, 0.0, rng.uniform(1.5, 6.2))


def hand_mixer(rng: np.random.Generator) -> Shape:
    """A beater whose crank wheel drives two whisks, or a motor body with two, by hand or on a stand."""
    made = Mechanism("hand_mixer")
    (_crank_beater if rng.random() < 0.5 else _motor_mixer)(made, rng)
    return made.finish(rng)


def _crank_beater(made, rng) -> None:
    """A frame around an upright wheel, a pinion with a whisk at either side of it, and a handle on top."""
    metal, body = finish(rng, "metal", "brass"), finish(rng, "metal", "paint", "dark", "plastic")
    big, pinion, t = rng.uniform(0.03, 0.055), rng.uniform(0.009, 0.014), rng.uniform(0.003, 0.006)
    a, drive, bar, tall = pinion + t / 2, 0.85 * big, rng.uniform(0.005, 0.009), 2 * big + 0.02
    inner, top = 2 * (a + pinion) + 0.012, tall / 2 + bar
    out = inner / 2 + 1.5 * bar
    _add(made, "frame", body, *border_bars(inner + 2 * bar, 2 * top, 1.6 * bar, bar, 0.15 * bar))
    _beater_handle(made, rng, top, inner)
    spoke, tooth = (block((0.75 * big, 0.18 * big, 0.8 * t), (0.48 * big, 0, 0)),
        block((0.14 * big, 0.05 * big, 1.6 * t), (drive, 0, 0)))  # fmt: skip
    gear = [ring(rectangle(0.2 * big, t) + (0.9 * big, 0), 32), rod(-t * Z, t * Z, 0.2 * big),
            *_around(spoke, int(rng.integers(3, 7))), *_around(tooth, int(rng.integers(20, 36)))]  # fmt: skip
    _add(made, "wheel", finish(rng, "paint", "metal", "plastic"), *(aimed(s, X) for s in gear))
    _add(made, "wheel", metal, rod((-inner / 2 - bar, 0, 0), (out + bar, 0, 0), 0.1 * big, 10))
    leader = made.spin("frame", "wheel", (0, 0, 0), X)
    _crank(made, rng, "wheel", out * X, X, rng.uniform(0.9, 1.5) * big, metal)
    whisk, stem = _whisk(rng, 1.2 * a), tall / 2 + rng.uniform(0.02, 0.06)
    star = extrude(arc(np.resize([[1.0], [0.75]], (20, 1)) * pinion, 0, 1.9 * np.pi, 20), 0.006)
    for name, s in (("whisk_1", 1), ("whisk_2", -1)):
        at = np.array([s * a, 0, -drive])
        _add(made, name, metal, moved(star, at), rod(at, (s * a, 0, -stem), 0.003, 8))
        _add(made, name, metal, *(moved(turned(w, Z, s * 0.4), (s * a, 0, -stem)) for w in whisk))
        made.spin("frame", name, at, Z, follows=(leader, -s * drive / pinion))
    _fittings(made, rng, metal, [
        ("frame", "nameplate", block((0.6 * inner, 0.002, 0.7 * bar), (0, -0.8 * bar, top - bar / 2))),
        ("frame", "collar", rod((0, 0, top - 0.5 * bar), (0, 0, top + bar), 1.2 * bar, 12)),
        ("wheel", "cap", ball(0.16 * big, (out + bar, 0, 0), 10)),
        ("frame", "cover", block((1.1 * inner, 2.4 * bar, 0.6 * bar), (0, 0, -top), 0.1 * bar)),
    ])  # fmt: skip


def _beater_handle(made, rng, z, wide) -> None:
    """An upright turned grip, a crossbar, or a bow above the frame."""
    kind, long = str(rng.choice(["grip", "crossbar", "bow"])), rng.uniform(0.06, 0.11)
    if kind == "grip":
        profile = np.array([(0.008, 0), (0.012, 0.2), (0.014, 0.6), (0.01, 0.9), (0.005, 1)]) * (1, long)
        solids = [moved(lathe(profile, 16), (0, 0, z - 0.002))]
    elif kind == "crossbar":
        bar = pill((-0.5 * long, 0, z + 0.035), (0.5 * long, 0, z + 0.035), 0.011)
        solids = [rod((0, 0, z - 0.003), (0, 0, z + 0.03), 0.006, 10), bar]
    else:
        x, half = 0.45 * wide, max(wide / 2, 0.03)
        path = [(-x, 0, z - 0.003), (-half, 0, z + 0.03), (half, 0, z + 0.03), (x, 0, z - 0.003)]
        solids = [tube(curve(path, 15), rng.uniform(0.005, 0.009), 10)]
    _add(made, "frame", finish(rng, "wood", "plastic"), *solids)


def _motor_mixer(made, rng) -> None:
    """A motor body with a handle, a speed control and two whisks, at times on a stand with a bowl."""
    body, trim = finish(rng, "pale", "plastic", "metal", "dark"), finish(rng, "metal", "dark", "pale")
    long, wide, tall = rng.uniform(0.15, 0.22), rng.uniform(0.075, 0.1), rng.uniform(0.055, 0.085)
    side = [(-0.5, -0.3), (-0.42, -0.5), (0.4, -0.5), (0.5, rng.uniform(-0.3, 0.1)), (0.46, 0.3), (0.2, 0.5),
            (-0.35, 0.5), (-0.5, rng.uniform(0.0, 0.4))]  # fmt: skip
    _add(made, "body", body, _sideways(extrude(np.array(side) * (long, tall), wide, 0.1 * tall)))
    top, back = tall / 2 + rng.uniform(0.035, 0.05), rng.choice([0.3, 0.46]) * long
    bow = [(0, -0.3 * long, 0.45 * tall), (0, -0.3 * long, top), (0, 0.2 * long, top), (0, back, 0.2 * tall)]
    _add(made, "body", finish(rng, "rubber", "dark", "pale"),
        tube(curve(bow, 15), rng.uniform(0.011, 0.015), 10))  # fmt: skip
    a, y = rng.uniform(0.2, 0.28) * wide, -rng.uniform(0.22, 0.34) * long
    whisk, leader = _whisk(rng, 1.2 * a), None
    for name, s in (("whisk_1", 1), ("whisk_2", -1)):
        at = np.array([s * a, y, -tall / 2])
        _add(made, "body", trim, rod(at + 0.005 * Z, at - 0.008 * Z, 0.7 * a, 14))
        _add(made, name, finish(rng, "metal"), rod(at, at - 0.045 * Z, 0.003, 8))
        _add(made, name, finish(rng, "metal"), *(moved(turned(w, Z, s * 0.4), at - 0.045 * Z) for w in whisk))
        leader = made.spin("body", name, at, Z, follows=leader and (leader, -1.0))
    paint, spot = finish(rng, "plastic", "dark", "metal"), np.array([0, -0.4 * long + 0.015, tall / 2])
    if rng.random() < 0.5:
        _add(made, "dial", paint, rod(spot - 0.004 * Z, spot + 0.006 * Z, 0.016, 18),
            block((0.004, 0.026, 0.006), spot + 0.008 * Z))  # fmt: skip
        made.hinge("body", "dial", spot, -Z, 0.0, rng.uniform(1.5, 4.5))
    else:
        _add(made, "switch", paint, block((0.016, 0.018, 0.014), (0, 0.0, top + 0.015), 0.002))
        made.slide("body", "switch", Y, 0.0, rng.uniform(0.01, 0.02))
    if rng.random() < 0.4:
        _mixer_stand(made, rng, y, 0.045 + np.ptp(whisk[0].vertices[:, 2]) + tall / 2, 0.42 * long,
            -tall / 2 - 0.012, wide)  # fmt: skip
    cord = curve(
        [(0, 0.46 * long, -0.2 * tall), (0, 0.6 * long, -0.2 * tall), (0.02, 0.75 * long, -0.4 * tall)], 9
    )
    _fittings(made, rng, trim, [
        ("body", "nameplate", block((0.003, 0.3 * long, 0.25 * tall), (0.5 * wide, 0, -0.1 * tall))),
        ("body", "cover_plate", block((0.003, 0.12 * long, 0.3 * tall), (-0.5 * wide, 0.1 * long, 0))),
        ("body", "cord", tube(cord, 0.005, 8)),
        ("whisk_1", "collar", rod((a, y, -tall / 2 - 0.02), (a, y, -tall / 2 - 0.03), 0.5 * a, 12)),
    ])  # fmt: skip


def _mixer_stand(made, rng, y, drop, rear, z, wide) -> None:
    """A foot with a column that the body tips up on, and a bowl under the whisks."""
    body, floor, r = finish(rng, "pale", "plastic", "metal"), -drop - 0.03, rng.uniform(0.095, 0.12)
    back = max(rear + 0.04, y + r + 0.06)
    base = block((1.6 * r, back - y + 0.8 * r, 0.02), (0, (back + y - 0.8 * r) / 2, floor - 0.01), 0.006, 3)
    column = curve([(0, back - 0.02, floor - 0.005), (0, back - 0.01, floor / 2), (0, rear, z - 0.01)], 9)
    ears = [rod((s * 0.45 * wide, rear, z), (s * 0.18 * wide, rear, z), 0.012, 12) for s in (-1, 1)]
    pin = rod((-0.18 * wide, rear, z), (0.18 * wide, rear, z), 0.012, 12)
    _add(made, "stand", body, base, tube(column, 0.02, 12), *ears,
        block((0.88 * wide, 0.016, 0.01), (0, rear, z - 0.012)))  # fmt: skip
    _add(made, "body", body, pin, block((0.3 * wide, 0.02, 0.016), (0, rear, z + 0.01)))
    made.hinge("stand", "body", (0, rear, z), -X, 0.0, rng.uniform(0.5, 0.9))
    profile = [(0.5, 0), (0.85, 0.35), (1, 1), (0.97, 1), (0.8, 0.35), (0, 0.12)]
    bowl = lathe(np.array(profile) * (r, rng.uniform(0.07, 0.09)), 26)
    _add(made, "bowl", finish(rng, "metal", "glass", "pale"), moved(bowl, (0, y, floor)))
    made.spin("stand", "bowl", (0, y, floor), Z)


def _whisk(rng, reach) -> list[Shape]:
    """Wires, blades or a hook that hang from the origin."""
    style, r, long = (str(rng.choice(["balloon", "paddle", "hook"])), reach * rng.uniform(0.75, 1.0),
        rng.uniform(0.05, 0.09))  # fmt: skip
    if style == "hook":
        angle, swell = np.linspace(0, 3.5 * np.pi, 24), 0.7 * r * np.sin(np.linspace(0, 2.6, 24))
        return [
            tube(np.c_[swell * np.cos(angle), swell * np.sin(angle), np.linspace(0, -long, 24)], 0.0028, 8)
        ]
    plane = (
        arc((r, long / 2), 0, 2 * np.pi, 21)[:-1] if style == "balloon" else rectangle(2 * r, long, 0.6 * r)
    )
    wire = moved(
        loop(np.c_[plane[:, 0], 0 * plane[:, 0], plane[:, 1]], rng.uniform(0.0017, 0.0028), 6), -long / 2 * Z
    )
    count = int(rng.integers(2, 4))
    return [turned(wire, Z, np.pi * i / count) for i in range(count)]


def weather_vane(rng: np.random.Generator) -> Shape:
    """A mast on a base with a vane on it: a figure, an arrow or a small plane, often with a cup rotor."""
    made = Mechanism("weather_vane")
    kind = str(rng.choice(["figure", "arrow", "plane", "pair"], p=[0.4, 0.25, 0.15, 0.2]))
    metal, h = finish(rng, "metal", "dark", "brass", "pale"), rng.uniform(0.4, 1.3)
    t = h * rng.uniform(0.01, 0.016)
    reach, cups = h * rng.uniform(0.18, 0.35), kind == "pair" or rng.random() < 0.35
    _add(made, "mast", metal, rod((0, 0, 0), (0, 0, h), (1.4 * t, t), 12))
    _mast_base(made, rng, h, t)
    at, hub = h * Z, 0.62 * h * Z + rng.uniform(0.14, 0.2) * X
    if kind == "pair":
        ends = [h * Z + s * (reach + 0.06) * X for s in (-1, 1)]
        at, hub = (e + 0.06 * Z for e in ends)
        _add(made, "mast", metal, rod(*ends, 0.8 * t, 10),
            *(rod(e - t * Z, e + 0.06 * Z, 0.8 * t, 10) for e in ends))  # fmt: skip
    elif cups and kind == "arrow" and rng.random() < 0.6:
        at, hub = 0.8 * h * Z, h * Z
    elif cups:
        elbow = hub - 0.05 * Z
        _add(made, "mast", metal, rod(elbow * Z, elbow, 0.7 * t, 8), rod(elbow - t * Z, hub, 0.7 * t, 8))
    elif rng.random() < 0.7:
        arm = h * rng.uniform(0.12, 0.2) * X
        tip = (ball(1.5 * t, arm, 10) if rng.random() < 0.5
            else aimed(lathe([(2 * t, 0), (0, 5 * t)], 8), X, arm))  # fmt: skip
        _add(
            made,
            "cross",
            metal,
            *(
                moved(s, 0.7 * h * Z)
                for s in (ball(2 * t), *_around(tip, 4), *_around(rod(0 * X, arm, 0.6 * t, 8), 4))
            ),
        )
        made.weld("mast", "cross")
    _vane(made, rng, kind, at, reach, t)
    if cups:
        _cups(made, rng, hub, t)
    _fittings(made, rng, finish(rng, "metal", "brass", "dark"), [
        ("mast", "box", block((8 * t, 6 * t, 10 * t), (0, -3.5 * t, 0.4 * h), 0.6 * t)),
        ("mast", "ball", ball(3 * t, (0, 0, 0.52 * h), 14)),
        ("mast", "collar", rod((0, 0, 0.3 * h), (0, 0, 0.3 * h + 4 * t), 2 * t, 12)),
        ("vane", "weight", ball(1.7 * t, at + 2 * t * Z - 0.5 * reach * X, 12)),
    ])  # fmt: skip
    return made.finish(rng, ajar=0.4)


def _mast_base(made, rng, h, t) -> None:
    """A round foot, three legs, a saddle over a ridge, a stepped block, or a bracket on a wall."""
    kind, r = str(rng.choice(["foot", "legs", "saddle", "block", "wall"])), h * rng.uniform(0.12, 0.22)
    if kind == "foot":
        solids = [lathe([(r, 0), (r, 0.12 * r), (0.4 * r, 0.3 * r), (2 * t, 0.8 * r)], 24)]
    elif kind == "legs":
        solids = _around(tube([(0, 0, 1.6 * r), (1.3 * r, 0, -0.2 * r), (1.5 * r, 0, -0.2 * r)], 0.8 * t, 8),
            int(rng.integers(3, 5)))  # fmt: skip
    elif kind == "saddle":
        slope, board = rng.uniform(0.4, 0.9), block((r, 1.1 * r, 1.2 * t), (r / 2, 0, 0))
        solids = _around(turned(board, Y, slope), 2) + [lathe([(0.3 * r, -0.1 * r), (2 * t, 0.5 * r)], 16)]
    elif kind == "block":
        solids = [
            block((s * r, s * r, 0.3 * r), (0, 0, (1.8 - s) * 0.6 * r), 0.03 * r) for s in (1.8, 1.3, 0.8)
        ]
    else:
        solids = [rod((0, 0, z * h), (0, 0.6 * r, z * h), 1.2 * t, 10) for z in (0.08, 0.42)]
        solids.append(block((0.7 * r, 1.2 * t, 0.5 * h), (0, 0.6 * r, 0.25 * h), 0.3 * t))
    _add(made, "mast", finish(rng, "metal", "dark", "wood", "paint"), *solids)


def _vane(made, rng, kind, at, reach, t) -> None:
    """A sleeve on the mast with a pointer and a tail, a figure on it, or a body with a propeller."""
    skin, metal, z = (finish(rng, "brass", "metal", "dark", "paint"), finish(rng, "metal", "dark"),
        at + 2 * t * Z)  # fmt: skip
    tail = np.array(TAILS[int(rng.integers(3))]) * (0.5 * reach, rng.uniform(0.35, 0.6) * reach)
    _add(made, "vane", metal, rod(at - 3 * t * Z, at + 4 * t * Z, 1.8 * t, 12))
    _add(made, "vane", skin, _upright(extrude(tail, 0.6 * t), z + 0.55 * reach * X))
    made.spin("mast", "vane", at, Z)
    if kind == "plane":
        profile = np.array([(0.5 * t, -0.7), (2 * t, -0.3), (3.5 * t, 0.4), (2.5 * t, 0.6)]) * (1, reach)
        nose, screw = (z - 0.62 * reach * X,
            _screw(rng, rng.uniform(0.2, 0.4) * reach, int(rng.integers(2, 7))))  # fmt: skip
        _add(made, "vane", skin, aimed(lathe(profile, 16), -X, z))
        _add(made, "propeller", metal, *(aimed(s, -X, nose) for s in screw))
        made.spin("vane", "propeller", nose, X)
        return
    head = aimed(lathe([(2.5 * t, 0), (0, 7 * t)], int(rng.choice([4, 12]))), -X, z - 0.88 * reach * X)
    _add(made, "vane", metal, rod(z - 0.9 * reach * X, z + 0.7 * reach * X, 0.7 * t, 8), head)
    if kind == "figure":
        outline = np.array(FIGURES[int(rng.integers(3))]) * reach * rng.uniform(0.8, 1.3)
        _add(made, "vane", skin, _upright(extrude(outline, 0.9 * t), z))


def _cups(made, rng, at, t) -> None:
    """Three or four hollow half balls around a hub."""
    r, c, count = rng.uniform(0.06, 0.12), rng.uniform(0.02, 0.032), int(rng.integers(3, 5))
    half = arc(c, -np.pi / 2, 0, 6).round(9)
    cup = aimed(lathe([*half, *(0.86 * half[::-1])], 14), Y, (r, 0, 0))
    hub = lathe([(1.8 * t, -2 * t), (1.8 * t, t), (0, 2.5 * t)], 14)
    arms = _around(rod((0, 0, 0), (r - 0.9 * c, 0, 0), 0.35 * t, 6), count)
    _add(made, "cups", finish(rng, "dark", "metal", "plastic"), *(moved(s, at) for s in _around(cup, count)))
    _add(made, "cups", finish(rng, "metal", "dark"), *(moved(s, at) for s in (hub, *arms)))
    made.spin("mast", "cups", at, Z)


def prize_wheel(rng: np.random.Generator) -> Shape:
    """A big upright wheel with fields and pegs on a stand, and a pointer that the pegs push aside."""
    made = Mechanism("prize_wheel")
    count, peg, dark = (int(rng.integers(6, 21)), rng.uniform(0.04, 0.07),
        finish(rng, "dark", "metal", "wood", "paint"))  # fmt: skip
    carrier = _wheel_stand(made, rng, dark)
    _wheel_face(made, rng, count, peg)
    made.spin(carrier, "wheel", (0, 0, 0), Y)
    tips = [[(-1, 0.4), (0, -1), (1, 0.4), (0, 0.9)], [(-0.5, -1), (0.5, -1), (0.5, 0.6), (-0.5, 0.6)],
        [(0, -1), (0.9, -0.2), (0.3, -0.2), (0.3, 0.6), (-0.3, 0.6), (-0.3, -0.2), (-0.9, -0.2)]]  # fmt: skip
    flag, y = np.array(tips[int(rng.integers(3))]) * (rng.uniform(0.05, 0.09), 0.17), -0.025 - 0.6 * peg
    _add(made, "pointer", finish(rng, "plastic", "paint", "rubber", "brass"),
        _upright(extrude(flag, 0.5 * peg), (0, y, 1.12)))  # fmt: skip
    _add(made, carrier, finish(rng, "metal"), rod((0, y - peg, 1.12), (0, 0.1, 1.12), 0.022, 10))
    made.hinge(carrier, "pointer", (0, y, 1.12), Y, -rng.uniform(0.3, 0.7), rng.uniform(0.3, 0.7))
    if rng.random() < 0.25:
        pin = pill((0.2, -0.05, 0), (0.2, -0.1, 0), 0.02, 6)
        _add(made, "disc", finish(rng, "plastic", "pale"), rod((0, -0.02, 0), (0, -0.055, 0), 0.3, 24))
        _add(made, "disc", dark, *(turned(pin, Y, a) for a in 0.4 * np.pi * np.arange(5)))
        made.spin("wheel", "disc", (0, -0.05, 0), Y)
    _fittings(made, rng, finish(rng, "paint", "plastic", "wood"), [
        (carrier, "sign", block((rng.uniform(0.7, 1.4), 0.05, 0.22), (0, 0.1, 1.3), 0.005)),
        ("wheel", "cap", aimed(lathe([(0.09, 0), (0.07, 0.05), (0, 0.07)], 16), -Y, (0, -0.05, 0))),
        ("wheel", "handle", aimed(lathe([(0.02, 0), (0.035, 0.1), (0, 0.15)], 12), -Y, (0.8, -0.01, 0))),
        (carrier, "plate", block((0.3, 0.03, 0.3), (0, 0.12, 0), 0.005)),
    ])  # fmt: skip
    return _scaled(made, rng.uniform(0.18, 0.75)).finish(rng, ajar=0.35)


def _wheel_face(made, rng, count, peg) -> None:
    """Coloured fields on a disc or on spokes, pegs between them, a rim and a hub."""
    paints = [finish(rng, "plastic", "paint", "pale") for _ in range(int(rng.integers(2, 6)))]
    step, inner = np.pi / count, 0.02 if rng.random() < 0.65 else rng.uniform(0.5, 0.75)
    field = np.r_[
        arc(0.97, np.pi / 2 - step, np.pi / 2 + step, 5), arc(inner, np.pi / 2 + step, np.pi / 2 - step, 3)
    ]
    for i, solid in enumerate(_around(extrude(field, 0.04), count)):
        _add(made, "wheel", paints[i % len(paints)], _upright(solid))
    trim, pin = (finish(rng, "dark", "metal", "brass", "wood"),
        pill((0, 0.94, 0), (0, 0.94, 0.025 + peg), 0.014, 6))  # fmt: skip
    if inner > 0.1:
        spoke = block((0.9 * inner, 0.05, 0.035), (0.55 * inner, 0, 0))
        _add(made, "wheel", trim, *(_upright(s) for s in _around(spoke, int(rng.integers(3, 9)))))
    _add(made, "wheel", finish(rng, "metal", "brass"),
        *(_upright(turned(p, Z, step)) for p in _around(pin, count)))  # fmt: skip
    _add(made, "wheel", trim, _upright(ring(rectangle(0.04, 0.06) + (0.99, 0), 40)),
        rod((0, -0.04, 0), (0, 0.06, 0), 0.12, 20))  # fmt: skip


def _wheel_stand(made, rng, dark) -> str:
    """A post, one that is drawn out, legs, a frame or a wall board; the link that carries the axle."""
    kind, low = str(rng.choice(["stand", "post", "legs", "wall", "frame"])), rng.uniform(1.3, 2.6)
    wide, carrier = rng.uniform(0.04, 0.08), "post" if kind == "post" else "stand"
    y = 0.1 + wide
    if kind == "wall":
        solids = [block((0.7, 0.05, 2.5), (0, 0.12, 0), 0.01)]
    elif kind == "frame":
        feet = [block((0.12, 1, 0.06), (s * 1.2, 0.1, -low), 0.01) for s in (-1, 1)]
        bars = shifted(border_bars(2.5, 1.25 + low, 0.1, 0.1), (0, 0.1, (1.25 - low) / 2))
        solids = [*bars, block((2.4, 0.08, 0.1), (0, 0.1, 0)), *feet, block((0.08, 0.08, 0.3), (0, 0.1, 1.1))]
    elif kind == "legs":
        solids = [rod((0, y, 1.2), (s * 0.8, y, -low), wide, 10) for s in (-1, 1)]
        solids += [rod((0, y, 0.6), (0, 0.9, -low), wide, 10),
            block((1, 0.08, 0.1), (0, 0.1 + 0.5 * wide, 0))]  # fmt: skip
    else:
        feet = ((-0.7, -0.4), (0.7, -0.4), (-0.6, 0.6), (0.6, 0.6))
        solids = [pill((0, y, -low), (a, y + b, -low - 0.02), 1.2 * wide, 8) for a, b in feet]
        _add(made, carrier, finish(rng, "metal", "dark"), rod((0, y, 0.02 - low), (0, y, 1.25), wide, 14))
    if kind == "post":
        solids.append(rod((0, y, -low), (0, y, -1.05), 1.3 * wide, 14))
        made.slide("stand", "post", Z, 0.0, rng.uniform(0.4, 0.8) * min(low - 1.05, 0.5))
    _add(made, "stand", dark, *solids)
    _add(made, carrier, finish(rng, "metal"), rod((0, -0.01, 0), (0, y, 0), 0.05, 12))
    return carrier


def outboard_motor(rng: np.random.Generator) -> Shape:
    """A clamp for the stern of a boat, a leg that is lifted and steered in it, a tiller and a propeller."""
    made = Mechanism("outboard_motor")
    electric, metal = rng.random() < 0.35, finish(rng, "metal", "dark", "pale")
    body, steer = finish(rng, "dark", "paint", "pale", "plastic"), rng.uniform(0.45, 0.8)
    w, drop, y = rng.uniform(0.06, 0.11), rng.uniform(0.13, 0.2), rng.uniform(0.055, 0.075)
    low, head, front = -rng.uniform(0.5, 0.85), rng.uniform(0.2, 0.32), y - 0.055
    _clamp(made, rng, w, metal)
    barrel, sleeve = rod(-0.85 * w * X, 0.85 * w * X, 0.02), rod((0, y, 0.03), (0, y, -drop), 0.024)
    _add(made, "carrier", metal, barrel, sleeve, block((0.03, y, 0.03), (0, y / 2, 0)))
    made.hinge("clamp", "carrier", (0, 0, 0), X, 0.0, rng.uniform(0.7, 1.1))
    if electric and rng.random() < 0.6:
        knob = pill((0, y, 0.042), (0.045, y, 0.042), 0.007, 8)
        _add(made, "collar", finish(rng, "plastic", "dark"), rod((0, y, 0.028), (0, y, 0.055), 0.03), knob)
        made.hinge("carrier", "collar", (0, y, 0), Z, -steer, steer)
        made.slide("collar", "leg", Z, -0.6 * (head - 0.1), 0.5 * (-low - drop - 0.1))
    else:
        made.hinge("carrier", "leg", (0, y, 0), Z, -steer, steer)
    if electric:
        _add(made, "leg", metal, rod((0, y, head), (0, y, low), 0.014))
        _add(made, "leg", body, block((0.09, 0.14, rng.uniform(0.06, 0.09)), (0, y, head), 0.015, 3))
    else:
        head = 0.11
        y = _powerhead(made, rng, y, front, drop, low, body, metal)
    hub = _gearcase(made, rng, y, low, electric, body)
    if electric or rng.random() < 0.6:
        _tiller(made, rng, np.array([0, front - 0.01, head]), metal)
    skeg = extrude(np.array([(-0.04, 0), (0.05, 0), (0.06, -0.13), (0.03, -0.13)]), 0.008)
    _fittings(made, rng, finish(rng, "metal", "pale", "brass"), [
        ("leg", "skeg", _sideways(skeg, (0, y, low - 0.02))),
        ("clamp", "nameplate", block((0.004, 0.07, 0.025), (w + 0.012, -0.06, -0.008))),
        ("leg", "anode", block((0.05, 0.03, 0.03), (0, y, low + 0.08))),
        ("propeller", "nut", rod((0, hub, low), (0, hub + 0.02, low), 0.014, 6)),
    ])  # fmt: skip
    return made.finish(rng)


def _clamp(made, rng, w, metal) -> None:
    """Two hooks over the stern, joined by a plate and a tube, each with a screw and its handle."""
    hook = [(0.012, 0.015), (-0.12, 0.015), (-0.12, -0.16), (-0.095, -0.16), (-0.095, -0.03),
            (-0.035, -0.03), (-0.035, -0.2), (-0.01, -0.2), (0.012, -0.02)]  # fmt: skip
    bar, long = rng.uniform(0.025, 0.04), rng.uniform(0.05, 0.08)
    _add(made, "clamp", metal, rod(-(w + 0.03) * X, (w + 0.03) * X, 0.012),
        block((2 * w, 0.02, 0.1), (0, -0.023, -0.14)))  # fmt: skip
    for name, s in (("screw_1", -1), ("screw_2", 1)):
        at = np.array([s * w, -0.12, -0.13])
        pad, end = at + 0.035 * Y, at - long * Y
        _add(made, "clamp", metal, _sideways(extrude(np.array(hook), 0.022), s * w * X),
            rod(at - 0.006 * Y, at + 0.03 * Y, 0.018))  # fmt: skip
        _add(made, name, finish(rng, "metal", "dark"), rod(end, pad, 0.008),
            rod(pad, pad + 0.008 * Y, 0.02), pill(end - bar * Z, end + bar * Z, 0.006, 8))  # fmt: skip
        made.spin("clamp", name, at, Y)


def _powerhead(made, rng, y, front, drop, low, body, metal) -> float:
    """An engine under its cowl above the leg, held by two arms at the carrier; where the leg stands."""
    leg = y + rng.uniform(0.09, 0.11)
    foil = arc((rng.uniform(0.018, 0.028), rng.uniform(0.04, 0.055)), 0, 2 * np.pi, 17)[:-1]
    _add(made, "leg", body, moved(extrude(foil, 0.08 - low), (0, leg, (0.08 + low) / 2)))
    _add(
        made,
        "leg",
        metal,
        *(block((0.036, leg - y + 0.02, 0.02), (0, (leg + y) / 2, z)) for z in (0.042, -drop - 0.012)),
    )
    wide, deep, tall = rng.uniform(0.18, 0.28), rng.uniform(0.26, 0.36), rng.uniform(0.2, 0.34)
    middle, link = front + deep / 2, str(rng.choice(["cowl", "leg"]))
    cap = [(-0.5, 0), (0.5, 0), (0.5, 0.6), (rng.uniform(0.2, 0.45), 1), (rng.uniform(-0.45, -0.1), 0.95),
        (-0.5, 0.6)]  # fmt: skip
    shell = extrude(np.array(cap) * (deep, tall), wide, 0.12 * wide)
    _add(made, "leg", metal, block((0.9 * wide, 0.95 * deep, 0.06), (0, middle, 0.09), 0.02, 3))
    _add(made, link, finish(rng, "dark", "paint", "pale", "metal"), _sideways(shell, (0, middle, 0.11)))
    _add(made, link, finish(rng, "pale", "plastic"),
        block((1.01 * wide, 0.7 * deep, 0.03), (0, middle, 0.11 + 0.35 * tall)))  # fmt: skip
    if link == "cowl":
        made.weld("leg", "cowl")
    if rng.random() < 0.5:
        at = np.array([0.46 * wide, front + 0.3 * deep, 0.095])
        end = at + 0.02 * X
        _add(made, "lever", finish(rng, "dark", "plastic"), rod(at - 0.02 * X, end, 0.014),
            pill(end, end - 0.09 * Y, 0.007, 8))  # fmt: skip
        made.hinge("leg", "lever", at, X, -0.5, 0.5)
    return leg


def _gearcase(made, rng, y, low, electric, body) -> float:
    """A torpedo at the foot of the leg with a propeller behind it; the end of its hub."""
    fat, long, r = rng.uniform(0.03, 0.042), rng.uniform(0.09, 0.15), rng.uniform(0.09, 0.13)
    profile = np.array([(0, -1), (0.5, -0.9), (1, -0.5), (1, 0.7), (0.8, 1)]) * (fat, long)
    _add(made, "leg", body, aimed(lathe(profile, 18), Y, (0, y, low)))
    if not electric:
        _add(made, "leg", body, block((0.12, 0.26, 0.008), (0, y + 0.07, low + r + 0.02), 0.003))
    at = np.array([0, y + long, low])
    screw = [aimed(s, Y, at) for s in _screw(rng, r, int(rng.integers(2, 6)))]
    _add(made, "propeller", finish(rng, "metal", "dark", "brass", "plastic"), *screw)
    made.spin("leg", "propeller", at, Y)
    return y + long + 0.28 * r


def _tiller(made, rng, at, metal) -> None:
    """A steering arm at the front that folds up, with a throttle grip that often turns."""
    long, link = rng.uniform(0.25, 0.42), "grip" if rng.random() < 0.7 else "tiller"
    end, rib = at - 0.65 * long * Y, block((0.006, 0.004, 0.3 * long), (0.017, 0, 0.17 * long))
    _add(made, "leg", metal, *(block((0.008, 0.05, 0.03), at + s * 0.024 * X + 0.01 * Y) for s in (-1, 1)))
    _add(made, "tiller", metal, rod(at - 0.03 * X, at + 0.03 * X, 0.012), rod(at, end, (0.014, 0.011)))
    made.hinge("leg", "tiller", at, -X, 0.0, rng.uniform(0.9, 1.3))
    ribs = [aimed(s, -Y, end) for s in _around(rib, 6)]
    _add(made, link, finish(rng, "rubber", "dark"), rod(end + 0.01 * Y, end - 0.35 * long * Y, 0.017), *ribs)
    if link == "grip":
        made.hinge("tiller", "grip", end, Y, -rng.uniform(0.2, 0.8), rng.uniform(0.4, 1.2))


def _screw(rng, r, count) -> list[Shape]:
    """Hub and pitched blades of a propeller about z, which points to its tip."""
    hub = lathe([(0.2 * r, -0.2 * r), (0.2 * r, 0.2 * r), (rng.uniform(0.02, 0.15) * r, 0.32 * r)], 14)
    blade = extrude(arc((0.44 * r, rng.uniform(0.14, 0.34) * r), 0, 2 * np.pi, 15)[:-1], 0.035 * r)
    return [hub, *_around(moved(turned(blade, X, rng.uniform(0.35, 0.7)), 0.56 * r * X), count)]


def _spoked(rng, r, t) -> list[Shape]:
    """A wheel about z: a round or flat rim, straight or bent spokes, and a hub."""
    section = arc(0.5 * t, 0, 1.75 * np.pi, 8) if rng.random() < 0.6 else rectangle(t, 0.8 * t)
    rim = ring(section + (0.94 * r, 0), 28)
    path = curve([(0.05 * r, 0, 0), (0.5 * r, rng.choice([0.0, 0.0, 0.25]) * r, 0), (0.94 * r, 0, 0)], 6)
    return [rim, rod(-0.6 * t * Z, 0.6 * t * Z, 0.16 * r),
        *_around(tube(path, 0.3 * t, 6), int(rng.integers(3, 8)))]  # fmt: skip


def _crank(made, rng, link, at, out, reach, metal) -> None:
    """An arm on the end of a shaft, straight or bowed outwards, with a grip."""
    t, angle = rng.uniform(0.06, 0.09) * reach, rng.uniform(-np.pi, np.pi)
    arm = reach * (np.cos(angle) * np.cross(out, Z) + np.sin(angle) * Z)
    path = curve([at, at + 0.5 * arm + rng.choice([0.0, 1.6]) * t * out, at + arm], 7)
    _add(made, link, metal, rod(at - 1.2 * t * out, at + t * out, 1.7 * t), tube(path, 0.75 * t, 8))
    _grip(made, rng, link, at + arm, out, rng.uniform(0.45, 0.75) * reach)


def _grip(made, rng, link, at, out, long) -> None:
    """A handle on a pin, which often turns on it."""
    own, r = "grip" if rng.random() < 0.6 else link, rng.uniform(0.13, 0.2) * long
    profile = [(0.6 * r, 0.1 * long), (r, 0.3 * long), (rng.uniform(0.7, 1.1) * r, 0.7 * long),
        (0.6 * r, 0.98 * long)]  # fmt: skip
    _add(made, link, finish(rng, "metal"), rod(at - 0.12 * long * out, at + 1.02 * long * out, 0.35 * r, 8))
    _add(made, own, finish(rng, "wood", "dark", "plastic"), aimed(lathe(profile, 14), out, at))
    if own == "grip":
        made.spin(link, "grip", at, out)


def _fittings(made, rng, material, offers) -> None:
    """Now and then one to four of the solids offered as (parent, name, solid), each a rigid link."""
    if rng.random() < 0.4:
        for i in rng.permutation(len(offers))[: int(rng.integers(1, 5))]:
            parent, name, solid = offers[i]
            _add(made, name, material, solid)
            made.weld(parent, name)


def _add(made, link, material, *solids) -> None:
    """Solids of one material as part of a link."""
    made.part(link, [painted(s, material) for s in solids])


def _scaled(made, size) -> Mechanism:
    """The mechanism with all its lengths multiplied."""
    made.pieces = [(link, piece.with_(vertices=size * piece.vertices)) for link, piece in made.pieces]
    by = {"prismatic": size}
    made.joints = [
        replace(j, at=size * j.at, lower=j.lower * by.get(j.kind, 1), upper=j.upper * by.get(j.kind, 1))
        for j in made.joints
    ]
    return made


def _around(solid, count) -> list[Shape]:
    """Copies of a solid evenly about z."""
    return [turned(solid, Z, 2 * np.pi * i / count) for i in range(count)]


def _upright(solid, at=(0.0, 0.0, 0.0)) -> Shape:
    """What lies in the xy plane, stood up to face −y, at a point."""
    return moved(turned(solid, X, np.pi / 2), at)


def _sideways(solid, at=(0.0, 0.0, 0.0)) -> Shape:
    """What lies in the xy plane, stood up with its x along y, at a point."""
    return moved(turned(_upright(solid), Z, np.pi / 2), at)
