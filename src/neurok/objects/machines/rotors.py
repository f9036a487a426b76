"""Water pumps and hand mixers: rotors in a housing or a frame, cranked or driven."""

# ruff: noqa: RUF005 — point + (x, y, z) adds vectors here

from __future__ import annotations

import numpy as np

from neurok.objects.kit.extras import weld_some
from neurok.objects.kit.finishes import finish
from neurok.objects.kit.mechanism import Mechanism
from neurok.objects.kit.outlines import arc, corners, curve, rectangle
from neurok.objects.kit.panels import border_bars
from neurok.objects.kit.placing import X, Y, Z, aimed, around, moved, sideways, turned
from neurok.objects.kit.solids import ball, block, extrude, lathe, loop, pill, ring, rod, torus, tube
from neurok.objects.registry import family
from neurok.shapes.shape import Shape


@family(number=33)
def water_pump(rng: np.random.Generator) -> Shape:
    """A round housing on a pipe, legs, a wall or a barrel, driven by a wheel, a crank, a lever or a motor."""
    made = Mechanism("water_pump")
    link = str(rng.choice(["wheel", "crank", "lever", "impeller"], p=[0.25, 0.22, 0.2, 0.33]))
    body, metal = finish(rng, "paint", "dark", "metal", "plastic"), finish(rng, "metal", "brass", "dark")
    deep, reach = rng.uniform(0.7, 1.3), rng.uniform(1.2, 2.6) if link != "impeller" else 1.0
    if link == "impeller":
        _impeller_housing(made, rng, deep, body, metal)
    else:
        profile = [(0.85, -0.5), (1, -0.4), (1, 0.3), (1.15, 0.3), (1.15, 0.5), (0.35, 0.5), (0.25, 0.75)]
        bolts = around(pill((1, 0, 0), (1, 0, 0.54 * deep), 0.07, 6), int(rng.integers(4, 9)))
        made.add("housing", body, aimed(lathe(np.array(profile) * (1, deep), 28), -Y))
        made.add("housing", metal, *(aimed(b, -Y) for b in bolts))
        _pump_drive(made, rng, link, reach, -0.75 * deep * Y, metal)
    _pump_mount(made, rng, link, deep, rng.uniform(1.15, 1.8) * max(1.2, reach), body, metal)
    _pump_outlet(made, rng, min(0.35, 0.4 * deep), body, metal)
    front = (0, -0.3 * deep if link == "impeller" else -0.75 * deep - 0.3, 0)
    offers = [
        ("housing", "nameplate", block((0.06, 0.4 * deep, 0.5), (-1, 0, 0))),
        ("housing", "plug", rod((-0.7, 0, -0.7), (-0.85, 0, -0.85), 0.15, 6)),
        ("housing", "bracket", block((0.5, 0.15, 0.8), (-1.15, 0.2 * deep, 0.1))),
        (link, "cap", aimed(lathe([(0.2, 0), (0, 0.2)], 12), -Y, front)),
    ]
    weld_some(made, rng, offers, metal)
    made.scale(rng.uniform(0.06, 0.16))
    return made.finish(rng)


def _impeller_housing(made, rng, deep, body, metal) -> None:
    """An open drum with a vaned impeller, and sometimes a glass door, a motor behind or a bail above."""
    drum = ring(rectangle(0.16, deep) + (0.92, 0), 28)
    made.add("housing", body, aimed(drum, -Y), rod(0.38 * deep * Y, 0.52 * deep * Y, 1, 28))
    spine = curve([(0.1, 0), (0.4, rng.uniform(-0.2, 0.2)), (0.74, rng.uniform(-0.35, 0.35))], 8)
    vane = extrude(np.concatenate([spine + (0, 0.03), spine[::-1] - (0, 0.03)]), 0.45 * deep)
    hub = lathe([(0.2, -0.4 * deep), (0.2, 0.22 * deep), (0.08, 0.32 * deep)], 14)
    wheel = [hub, *around(vane, int(rng.integers(3, 9)))]
    if rng.random() < 0.6:
        wheel.append(rod(-0.26 * deep * Z, -0.18 * deep * Z, 0.76, 24))
    made.add("impeller", finish(rng, "brass", "metal", "plastic"), *(aimed(w, -Y) for w in wheel))
    made.spin("housing", "impeller", (0, 0, 0), Y)
    if rng.random() < 0.5:
        y = -0.5 * deep - 0.05
        made.add("cover", finish(rng, "glass"), rod((0, y - 0.05, 0), (0, y + 0.05, 0), 0.98, 28))
        made.add("cover", metal, rod((1.06, y, -0.18), (1.06, y, 0.18), 0.07, 8))
        made.add("cover", metal, block((0.3, 0.08, 0.2), (0.95, y - 0.03, 0)))
        made.add("cover", metal, pill((-0.85, y, 0), (-0.85, y - 0.2, 0), 0.07, 8))
        for z in (-0.26, 0.26):
            knuckle = rod((1.06, y, z - 0.08), (1.06, y, z + 0.08), 0.07, 8)
            made.add("housing", metal, knuckle, block((0.25, 0.16, 0.14), (0.97, y + 0.08, z)))
        made.hinge("housing", "cover", (1.06, y, 0), Z, 0.0, rng.uniform(1.2, 2.2))
    m, long, start = rng.uniform(0.6, 0.9), rng.uniform(1.2, 2.4), 0.5 * deep
    rib = ring(rectangle(0.12, 0.1) + (0.94 * m, 0), 20)
    levels = np.linspace(0.1, 0.95, int(rng.integers(2, 6)))
    made.add("housing", metal, rod((0, start, 0), (0, start + long, 0), 0.92 * m, 24))
    made.add("housing", body, *(aimed(rib, Y, (0, start + long * s, 0)) for s in levels))
    y, wide, tall = start + 0.45 * long, 1.14 * m, m * rng.uniform(1.5, 2.0)
    bow = [(-wide, y, 0), (-wide, y, 0.6 * tall), (0, y, tall), (wide, y, 0.6 * tall), (wide, y, 0)]
    made.add("housing", metal, rod((-1.2 * m, y, 0), (1.2 * m, y, 0), 0.09 * m, 8))
    made.add("handle", finish(rng, "dark", "metal", "rubber"), tube(curve(bow, 15), 0.08 * m, 8))
    made.hinge("housing", "handle", (0, y, 0), -X, 0.0, 0.85 * float(np.arccos(1.05 * m / tall)))


def _pump_drive(made, rng, link, reach, at, metal) -> None:
    """A spoked wheel with a grip, a crank, or a rocking lever on the shaft at the front."""
    front = at - 0.2 * Y
    made.add(link, metal, rod(at + 0.1 * Y, at - 0.3 * Y, 0.14, 12))
    if link == "lever":
        end, sweep = front + reach * Z, rng.uniform(0.5, 1.0)
        grip = (front + 0.65 * reach * Z, end) if rng.random() < 0.6 else (end, end - 0.5 * Y)
        made.add(link, metal, rod(front, end, (0.13, 0.08), 10))
        made.add(link, finish(rng, "wood", "rubber", "plastic"), pill(*grip, 0.13))
        made.hinge("housing", link, at, Y, -sweep, sweep)
        return
    made.spin("housing", link, at, Y)
    if link == "crank":
        _crank(made, rng, link, front, -Y, reach, metal)
    else:
        wheel = [aimed(w, -Y, front) for w in _spoked(rng, reach, 0.1 * reach)]
        made.add(link, finish(rng, "paint", "dark", "metal"), *wheel)
        _grip(made, rng, link, front + 0.93 * reach * X, -Y, 0.35 * reach)


def _pump_mount(made, rng, link, deep, h, body, metal) -> None:
    """The support of the housing: a pipe, legs on a plate, a barrel, or a plate on a wall."""
    kind = str(rng.choice(["pipe", "legs", "barrel", "wall"])) if link != "impeller" else "legs"
    thick = min(0.3, 0.4 * deep)
    if kind == "legs":
        feet = corners(1, 0.2 * deep)
        legs = [rod((0.55 * s, y, -0.6), (1.1 * s, y, -h), 0.12, 8) for s, y in feet]
        made.add("housing", body, block((2.6, max(1.1 * deep, 1.2), 0.14), (0, 0, -h), 0.02), *legs)
        return
    pipe, collar = (
        rod((0, 0, -h), (0, 0, -0.9), thick, 16),
        rod((0, 0, -1.2), (0, 0, -1.08), 1.35 * thick, 16),
    )
    made.add("housing", metal, pipe, collar)
    if kind == "wall":
        plate = block((2.4, 0.14, rng.uniform(2.5, 3.2)), (0, deep / 2, 0), 0.03)
        made.add("housing", finish(rng, "wood", "metal", "dark"), plate)
    elif kind == "pipe":
        made.add("housing", body, moved(lathe([(0.9, 0), (0.9, 0.12), (0.3, 0.3)], 20), -h * Z))
    else:
        wide, tall = rng.uniform(1.8, 2.6), rng.uniform(4, 6)
        profile = np.array([(0.9, -1), (1, -0.65), (1, -0.35), (0.9, 0)]) * (wide, tall)
        made.add("barrel", finish(rng, "paint", "wood", "plastic"), moved(lathe(profile, 24), -h * Z))
        made.add("barrel", metal, moved(torus(0.99 * wide, 0.1, 24, 6), -(h + 0.5 * tall) * Z))
        made.weld("housing", "barrel")


def _pump_outlet(made, rng, thick, body, metal) -> None:
    """A pipe upwards, sideways, or bent as a spout, with a flange and sometimes a valve."""
    kind, long = str(rng.choice(["up", "side", "spout"])), rng.uniform(1.6, 2.4)
    way, side = (X, Z) if kind == "side" else (Z, X)
    path = np.outer([0.88, 0.75 * long, long], way)
    if kind == "spout":
        path = curve([0.88 * Z, long * Z, (0.8, 0, 1.25 * long), (1.7, 0, 0.9 * long)], 14)
    flange = lathe([(1.25 * thick, -0.1), (1.25 * thick, 0.02)], 16)
    made.add("housing", body, tube(path, 0.85 * thick, 14))
    made.add("housing", metal, aimed(flange, path[-1] - path[-2], path[-1]))
    if kind != "spout" and rng.random() < 0.4:
        stem = path[1] + (thick + 0.3) * side
        wheel = [aimed(w, side, stem) for w in _spoked(rng, 0.45, 0.12)]
        made.add("housing", metal, rod(path[1], stem - 0.06 * side, 0.12, 10))
        made.add("valve", finish(rng, "plastic", "paint"), *wheel)
        made.hinge("housing", "valve", stem, side, 0.0, rng.uniform(1.5, 6.2))


def _spoked(rng, r, t) -> list[Shape]:
    """A wheel about z: a round or flat rim, straight or bent spokes, and a hub."""
    section = arc(0.5 * t, 0, 1.75 * np.pi, 8) if rng.random() < 0.6 else rectangle(t, 0.8 * t)
    rim = ring(section + (0.94 * r, 0), 28)
    path = curve([(0.05 * r, 0, 0), (0.5 * r, rng.choice([0.0, 0.0, 0.25]) * r, 0), (0.94 * r, 0, 0)], 6)
    spokes = around(tube(path, 0.3 * t, 6), int(rng.integers(3, 8)))
    return [rim, rod(-0.6 * t * Z, 0.6 * t * Z, 0.16 * r), *spokes]


@family(number=34)
def hand_mixer(rng: np.random.Generator) -> Shape:
    """A crank beater with two whisks, or a motor mixer with two, hand-held or on a stand."""
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
    made.add("frame", body, *border_bars(inner + 2 * bar, 2 * top, 1.6 * bar, bar, 0.15 * bar))
    _beater_handle(made, rng, top, inner)
    spoke = block((0.75 * big, 0.18 * big, 0.8 * t), (0.48 * big, 0, 0))
    tooth = block((0.14 * big, 0.05 * big, 1.6 * t), (drive, 0, 0))
    gear = [
        ring(rectangle(0.2 * big, t) + (0.9 * big, 0), 32),
        rod(-t * Z, t * Z, 0.2 * big),
        *around(spoke, int(rng.integers(3, 7))),
        *around(tooth, int(rng.integers(20, 36))),
    ]
    made.add("wheel", finish(rng, "paint", "metal", "plastic"), *(aimed(s, X) for s in gear))
    made.add("wheel", metal, rod((-inner / 2 - bar, 0, 0), (out + bar, 0, 0), 0.1 * big, 10))
    leader = made.spin("frame", "wheel", (0, 0, 0), X)
    _crank(made, rng, "wheel", out * X, X, rng.uniform(0.9, 1.5) * big, metal)
    whisk, stem = _whisk(rng, 1.2 * a), tall / 2 + rng.uniform(0.02, 0.06)
    star = extrude(arc(np.resize([[1.0], [0.75]], (20, 1)) * pinion, 0, 1.9 * np.pi, 20), 0.006)
    for name, s in (("whisk_1", 1), ("whisk_2", -1)):
        at = np.array([s * a, 0, -drive])
        made.add(name, metal, moved(star, at), rod(at, (s * a, 0, -stem), 0.003, 8))
        made.add(name, metal, *(moved(turned(w, Z, s * 0.4), (s * a, 0, -stem)) for w in whisk))
        made.spin("frame", name, at, Z, follows=(leader, -s * drive / pinion))
    offers = [
        ("frame", "nameplate", block((0.6 * inner, 0.002, 0.7 * bar), (0, -0.8 * bar, top - bar / 2))),
        ("frame", "collar", rod((0, 0, top - 0.5 * bar), (0, 0, top + bar), 1.2 * bar, 12)),
        ("wheel", "cap", ball(0.16 * big, (out + bar, 0, 0), 10)),
        ("frame", "cover", block((1.1 * inner, 2.4 * bar, 0.6 * bar), (0, 0, -top), 0.1 * bar)),
    ]
    weld_some(made, rng, offers, metal)


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
    made.add("frame", finish(rng, "wood", "plastic"), *solids)


def _motor_mixer(made, rng) -> None:
    """A motor body with a handle, a speed control and two whisks, sometimes on a stand with a bowl."""
    body, trim = finish(rng, "pale", "plastic", "metal", "dark"), finish(rng, "metal", "dark", "pale")
    long, wide, tall = rng.uniform(0.15, 0.22), rng.uniform(0.075, 0.1), rng.uniform(0.055, 0.085)
    front, rear = rng.uniform(-0.3, 0.1), rng.uniform(0.0, 0.4)
    side = [(-0.5, -0.3), (-0.42, -0.5), (0.4, -0.5), (0.5, front)]
    side += [(0.46, 0.3), (0.2, 0.5), (-0.35, 0.5), (-0.5, rear)]
    made.add("body", body, sideways(extrude(np.array(side) * (long, tall), wide, 0.1 * tall)))
    top, back = tall / 2 + rng.uniform(0.035, 0.05), rng.choice([0.3, 0.46]) * long
    bow = [(0, -0.3 * long, 0.45 * tall), (0, -0.3 * long, top), (0, 0.2 * long, top), (0, back, 0.2 * tall)]
    soft = finish(rng, "rubber", "dark", "pale")
    made.add("body", soft, tube(curve(bow, 15), rng.uniform(0.011, 0.015), 10))
    a, y = rng.uniform(0.2, 0.28) * wide, -rng.uniform(0.22, 0.34) * long
    whisk, leader = _whisk(rng, 1.2 * a), None
    for name, s in (("whisk_1", 1), ("whisk_2", -1)):
        at = np.array([s * a, y, -tall / 2])
        made.add("body", trim, rod(at + 0.005 * Z, at - 0.008 * Z, 0.7 * a, 14))
        made.add(name, finish(rng, "metal"), rod(at, at - 0.045 * Z, 0.003, 8))
        made.add(name, finish(rng, "metal"), *(moved(turned(w, Z, s * 0.4), at - 0.045 * Z) for w in whisk))
        leader = made.spin("body", name, at, Z, follows=leader and (leader, -1.0))
    _speed_control(made, rng, np.array([0, -0.4 * long + 0.015, tall / 2]), top)
    if rng.random() < 0.4:
        drop = 0.045 + np.ptp(whisk[0].vertices[:, 2]) + tall / 2
        _mixer_stand(made, rng, y, drop, 0.42 * long, -tall / 2 - 0.012, wide)
    cord = [(0, 0.46 * long, -0.2 * tall), (0, 0.6 * long, -0.2 * tall), (0.02, 0.75 * long, -0.4 * tall)]
    offers = [
        ("body", "nameplate", block((0.003, 0.3 * long, 0.25 * tall), (0.5 * wide, 0, -0.1 * tall))),
        ("body", "cover_plate", block((0.003, 0.12 * long, 0.3 * tall), (-0.5 * wide, 0.1 * long, 0))),
        ("body", "cord", tube(curve(cord, 9), 0.005, 8)),
        ("whisk_1", "collar", rod((a, y, -tall / 2 - 0.02), (a, y, -tall / 2 - 0.03), 0.5 * a, 12)),
    ]
    weld_some(made, rng, offers, trim)


def _speed_control(made, rng, spot, top) -> None:
    """A dial on the body, or a switch that slides along the handle."""
    paint = finish(rng, "plastic", "dark", "metal")
    if rng.random() < 0.5:
        made.add("dial", paint, rod(spot - 0.004 * Z, spot + 0.006 * Z, 0.016, 18))
        made.add("dial", paint, block((0.004, 0.026, 0.006), spot + 0.008 * Z))
        made.hinge("body", "dial", spot, -Z, 0.0, rng.uniform(1.5, 4.5))
    else:
        made.add("switch", paint, block((0.016, 0.018, 0.014), (0, 0.0, top + 0.015), 0.002))
        made.slide("body", "switch", Y, 0.0, rng.uniform(0.01, 0.02))


def _mixer_stand(made, rng, y, drop, rear, z, wide) -> None:
    """A foot with a column on which the body tips up, and a bowl under the whisks."""
    body, floor, r = finish(rng, "pale", "plastic", "metal"), -drop - 0.03, rng.uniform(0.095, 0.12)
    back = max(rear + 0.04, y + r + 0.06)
    base = block((1.6 * r, back - y + 0.8 * r, 0.02), (0, (back + y - 0.8 * r) / 2, floor - 0.01), 0.006, 3)
    column = curve([(0, back - 0.02, floor - 0.005), (0, back - 0.01, floor / 2), (0, rear, z - 0.01)], 9)
    ears = [rod((s * 0.45 * wide, rear, z), (s * 0.18 * wide, rear, z), 0.012, 12) for s in (-1, 1)]
    pin = rod((-0.18 * wide, rear, z), (0.18 * wide, rear, z), 0.012, 12)
    shelf = block((0.88 * wide, 0.016, 0.01), (0, rear, z - 0.012))
    made.add("stand", body, base, tube(column, 0.02, 12), *ears, shelf)
    made.add("body", body, pin, block((0.3 * wide, 0.02, 0.016), (0, rear, z + 0.01)))
    made.hinge("stand", "body", (0, rear, z), -X, 0.0, rng.uniform(0.5, 0.9))
    profile = [(0.5, 0), (0.85, 0.35), (1, 1), (0.97, 1), (0.8, 0.35), (0, 0.12)]
    bowl = lathe(np.array(profile) * (r, rng.uniform(0.07, 0.09)), 26)
    made.add("bowl", finish(rng, "metal", "glass", "pale"), moved(bowl, (0, y, floor)))
    made.spin("stand", "bowl", (0, y, floor), Z)


def _whisk(rng, reach) -> list[Shape]:
    """Wires, blades or a hook that hang from the origin."""
    style = str(rng.choice(["balloon", "paddle", "hook"]))
    r, long = reach * rng.uniform(0.75, 1.0), rng.uniform(0.05, 0.09)
    if style == "hook":
        angle, swell = np.linspace(0, 3.5 * np.pi, 24), 0.7 * r * np.sin(np.linspace(0, 2.6, 24))
        path = np.c_[swell * np.cos(angle), swell * np.sin(angle), np.linspace(0, -long, 24)]
        return [tube(path, 0.0028, 8)]
    balloon, paddle = arc((r, long / 2), 0, 2 * np.pi, 21)[:-1], rectangle(2 * r, long, 0.6 * r)
    x, z = (balloon if style == "balloon" else paddle).T
    wire = moved(loop(np.c_[x, 0 * x, z], rng.uniform(0.0017, 0.0028), 6), -long / 2 * Z)
    count = int(rng.integers(2, 4))
    return [turned(wire, Z, np.pi * i / count) for i in range(count)]


def _crank(made, rng, link, at, out, reach, metal) -> None:
    """An arm on the end of a shaft, straight or bowed outwards, with a grip."""
    t, angle = rng.uniform(0.06, 0.09) * reach, rng.uniform(-np.pi, np.pi)
    arm = reach * (np.cos(angle) * np.cross(out, Z) + np.sin(angle) * Z)
    path = curve([at, at + 0.5 * arm + rng.choice([0.0, 1.6]) * t * out, at + arm], 7)
    made.add(link, metal, rod(at - 1.2 * t * out, at + t * out, 1.7 * t), tube(path, 0.75 * t, 8))
    _grip(made, rng, link, at + arm, out, rng.uniform(0.45, 0.75) * reach)


def _grip(made, rng, link, at, out, long) -> None:
    """A handle on a pin, which often turns on it."""
    own, r = "grip" if rng.random() < 0.6 else link, rng.uniform(0.13, 0.2) * long
    waist = rng.uniform(0.7, 1.1) * r
    profile = [(0.6 * r, 0.1 * long), (r, 0.3 * long), (waist, 0.7 * long), (0.6 * r, 0.98 * long)]
    made.add(link, finish(rng, "metal"), rod(at - 0.12 * long * out, at + 1.02 * long * out, 0.35 * r, 8))
    made.add(own, finish(rng, "wood", "dark", "plastic"), aimed(lathe(profile, 14), out, at))
    if own == "grip":
        made.spin(link, "grip", at, out)
