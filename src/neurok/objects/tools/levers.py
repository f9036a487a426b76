"""Nutcrackers, staplers and clamps."""

from __future__ import annotations

import numpy as np

from neurok.objects.kit.extras import weld_some
from neurok.objects.kit.finishes import finish
from neurok.objects.kit.mechanism import Mechanism
from neurok.objects.kit.outlines import arc, curve
from neurok.objects.kit.pivots import (
    BODIES,
    TRIMS,
    collar_around,
    flat_bar,
    laid_or_stood,
    leaf_layers,
    limb_along,
    pin_cap,
    pin_leaves,
    rivet,
    strip_outline,
    threaded,
)
from neurok.objects.kit.placing import X, Y, Z, aimed, mirrored, moved, shifted, turned
from neurok.objects.kit.solids import ball, block, dowel, extrude, lathe, rod, torus, tube
from neurok.objects.registry import family
from neurok.shapes.robots.assembly import painted
from neurok.shapes.shape import Shape


@family(number=23)
def nutcracker(rng: np.random.Generator) -> Shape:
    """Two arms with cups or ridges: on one pin at the end, on two pins of a head, or crossing."""
    made, kind = Mechanism("nutcracker"), rng.choice(["end", "head", "crossing"])
    body, trim = finish(rng, "wood", *BODIES), finish(rng, "metal", "brass", "dark")
    length, thick, eye = rng.uniform((0.11, 0.007, 0.007), (0.2, 0.014, 0.011))
    width, cup, deep, rim = rng.uniform((0.9 * eye, 0.011, 0.007, 0.001), (1.5 * eye, 0.017, 0.013, 0.004))
    side, spacing = (-1 if kind == "crossing" else 1), (1.1 * eye if kind == "head" else 0.0)
    top, seat = rim + deep + 0.3 * width, side * (1.6 * eye + cup + 0.005)
    start = np.array([1.6 * eye, side * 0.95 * eye + spacing])
    tip = np.array([length, side * (rng.uniform(0.6, 1.6) * top + 0.5 * width)])
    layers, bowls, seed = leaf_layers(rng, thick), rng.random() < 0.6, int(rng.integers(2**31))
    hub, pins = ("head", (-spacing, spacing)) if kind == "head" else ("arm_1", (0.0,))
    if kind == "head":
        layers = ([(0.0, thick)],) * 2
        plates = [(s * 0.65 * thick, 0.3 * thick) for s in (-1, 1)]
        made.add(hub, trim, *pin_leaves(plates, [(0, y) for y in pins], 2 * eye))
    span = 1.6 * thick if kind == "head" else thick
    made.add(hub, trim, *(moved(rivet(0.6 * eye, span), y * Y) for y in pins))
    for k in range(2):
        draw = np.random.default_rng(seed)
        if kind == "crossing":
            solids = pin_leaves(layers[k], [-start, (0, 0), start], (width, 2 * eye, width))
            solids.append(flat_bar([-start, (seat, top), (seat - cup, top)], width, thick))
            grip = curve([start, (0.45 * length, -1.1 * top), tip], 14)
        else:
            solids = pin_leaves(layers[k], [(0, spacing), start], (2 * eye, 1.1 * width))
            grip = curve([start, (seat, top), (0.6 * length, 1.2 * top), tip], 16)
        pieces = [painted(s, body) for s in solids] + limb_along(draw, grip, width, thick, body, trim)
        pieces += [painted(s, trim) for s in _bite(draw, bowls, (seat, rim), cup, deep, thick)]
        made.part(f"arm_{k + 1}", [mirrored(p, 1) for p in pieces] if k else pieces)
    reach = rng.uniform(0.4, 0.9)
    if kind == "head":
        made.hinge(hub, "arm_1", spacing * Y, Z, 0, 0.6 * reach)
    made.hinge(hub, "arm_2", -spacing * Y, -side * Z, 0, 0.6 * reach if kind == "head" else reach)
    end = np.array([*tip, 0])
    offers = [
        *((f"arm_{k + 1}", f"cap_{k + 1}", ball(0.75 * width, end * (1, 1 - 2 * k, 1), 12)) for k in (0, 1)),
        ("arm_1", "ring", moved(torus(0.7 * width, 0.15 * width, 16, 6), end + 0.8 * width * X)),
        (hub, "cover", moved(pin_cap(0.75 * eye), (0, spacing, (0.8 if kind == "head" else 0.5) * thick))),
    ]
    weld_some(made, rng, offers, TRIMS, in_order=True)
    return laid_or_stood(made, rng, 0.3).finish(rng, ajar=0.35)


def _bite(rng, bowls, at, cup, deep, thick) -> list[Shape]:
    """The grip for the nut: a cup that opens towards −y, or a row of ridges."""
    low = np.array([*at, 0])
    if bowls:
        rows = np.multiply([(0.4, 0), (0.8, 0.25), (1, 1), (0.85, 1), (0.65, 0.4), (0, 0.25)], (cup, deep))
        return [aimed(lathe(rows, 18), -Y, low + deep * Y)]
    size = 2 * cup / (count := int(rng.integers(4, 8)))
    tooth = rod(-0.5 * thick * Z, 0.5 * thick * Z, 0.45 * size, 8)
    places = [low + ((k + 0.5) * size - cup) * X + 0.45 * size * Y for k in range(count)]
    plate = block((2 * cup, deep - 0.2 * size, thick), low + (0.5 * deep + 0.3 * size) * Y)
    return [plate, *(moved(tooth, p) for p in places)]


@family(number=24)
def stapler(rng: np.random.Generator) -> Shape:
    """A base with an anvil, cheeks with a pin at the rear, an arm, and often a magazine with a pusher."""
    made = Mechanism("stapler")
    body, trim, metal = finish(rng, *BODIES), finish(rng, "dark", "plastic", "paint"), finish(rng, "metal")
    length, width, tail = rng.uniform((0.09, 0.022, 0.012), (0.3, 0.045, 0.03))
    floor, gap, high = rng.uniform((0.006, 0.006, 0.01), (0.014, 0.014, 0.016))
    low, nose = floor + gap, length - rng.uniform(0.0, 0.01)
    pin = np.array([0, low + 0.5 * high, 0])
    plan = [(1, 1, 1), (1.3, 0.8, 1.2), (1, 1.1, 1.7), (0.9, 1.4, 0.9)][int(rng.integers(4))]
    spine = np.c_[np.linspace(-tail, length, 9), np.zeros(9)]
    outline = strip_outline(spine, width * np.interp(np.linspace(0, 2, 9), range(3), plan))
    sole = turned(extrude(outline, floor, 0.15 * floor), X, -np.pi / 2)
    made.add("base", trim, moved(sole, 0.5 * floor * Y))
    cheeks = [(s * 0.45 * width, 0.12 * width) for s in (-1, 1)]
    ears = pin_leaves(cheeks, [(0, 0.8 * high), pin[:2]], 1.5 * high)
    made.add("base", metal, *ears, moved(rivet(0.25 * high, 1.04 * width), pin))
    if rng.random() < 0.4:
        points = length * np.array([(0.2, 0, 0), (0.3, 0, 0), (0.45, 0, 0)])
        bent = points + np.outer((0.9 * floor, floor + 0.3 * gap, low), Y)
        made.add("base", metal, tube(curve(bent, 8), 0.0012, 6))
    _anvil(made, rng, np.array([0.93 * length, floor, 0]), 0.32 * width, metal)
    if loaded := rng.random() < 0.7:
        _magazine(made, rng, (nose, low, high, 0.62 * width), body, metal)
        made.hinge("base", "magazine", pin, Z, -0.6 * gap / length, rng.uniform(0.4, 1.0))
    _stapler_arm(made, rng, (nose, low + high * loaded, pin[1]), width, high, body)
    made.hinge("magazine" if loaded else "base", "arm", pin, Z, 0, rng.uniform(0.35, 0.8))
    foot = block((0.12 * length, 0.004, 0.7 * width), bevel=0.001)
    offers = [
        *(("base", f"foot_{k + 1}", moved(foot, (x * length, -0.0015, 0))) for k, x in ((0, 0.1), (1, 0.85))),
        ("base", "nameplate", block((0.3 * length, 0.002, 0.3 * width), (0.45 * length, floor + 0.0005, 0))),
        ("base", "bracket", block((0.006, 0.004, 0.6 * width), (-0.7 * tail, floor + 0.0015, 0), 0.001)),
    ]
    weld_some(made, rng, offers, TRIMS, in_order=True)
    return laid_or_stood(made, rng, 1.0).finish(rng, ajar=0.4)


def _anvil(made, rng, at, radius, metal) -> None:
    """The plate that bends staples: part of the base, or a separate turning disc."""
    link = "anvil" if rng.random() < 0.4 else "base"
    disc = lathe([(radius, -0.002), (radius, 0.0014), (0.85 * radius, 0.002)], 20)
    made.add(link, metal, aimed(disc, Y, at), block((0.5 * radius, 0.0012, radius), at + 0.002 * Y))
    if link == "anvil":
        made.spin("base", "anvil", at, Y)


def _magazine(made, rng, lines, body, metal) -> None:
    """A trough for staples, open above, with or without a pusher in it."""
    nose, low, high, width = lines
    wall, size, back = 0.1 * width, nose + 0.3 * high, rng.uniform(0.2, 0.5) * nose
    sides = [block((size, high, wall), (0, 0.5 * high, s * 0.45 * width)) for s in (-1, 1)]
    front = block((wall, high, width), (0.5 * (size - wall), 0.5 * high, 0))
    trough = shifted([block((size, wall, width)), *sides, front], (nose - size / 2, low, 0))
    sleeve = np.outer((1, 1), (low + 0.5 * high) * Y) + np.outer((-0.645, 0.645), width * Z)
    trough.append(rod(sleeve[0], sleeve[1], 0.3 * high))
    made.add("magazine", metal, *trough)
    if rng.random() < 0.5:
        made.add("pusher", body, block((0.08 * nose, 0.7 * high, 0.8 * width), (back, low + 0.4 * high, 0)))
        made.slide("magazine", "pusher", X, 0, 0.8 * (nose - back))


def _stapler_arm(made, rng, lines, width, high, body) -> None:
    """The pressed arm, with ears on the rear pin and a rounded back."""
    nose, low, centre = lines
    bulge, blunt = rng.uniform((0.8, 0.6), (2.0, 1.2)) * high
    rear, front = (-0.4 * high, low + 0.0005), (nose + 0.003, low + 0.0005)
    back = [(nose + 0.003, low + blunt), (0.6 * nose, low + bulge), (0.2 * nose, low + 0.9 * bulge)]
    side = np.concatenate([[rear, front], curve([*back, (-0.4 * high, low + 0.4 * bulge)], 14)])
    cheeks = [(s * 0.345 * width, 0.07 * width) for s in (-1, 1)]
    ears = pin_leaves(cheeks, [(0, centre), (0.3 * high, low + 0.4 * bulge)], 1.1 * high)
    made.add("arm", body, extrude(side, 0.76 * width, 0.05 * high), *ears)
    if rng.random() < 0.4:
        pad = tube([(*back[1], 0), (0.85 * nose, low + 0.9 * blunt, 0)], 0.25 * width, 12, rounded=True)
        made.add("arm", finish(rng, "rubber", "dark"), moved(pad, -0.05 * width * Y))


@family(number=27)
def clamp(rng: np.random.Generator) -> Shape:
    """A spring clamp of two arms, a bar clamp with a sliding jaw, or a screw in a bow."""
    made = Mechanism("clamp")
    (_spring_clamp if rng.random() < 0.4 else _screw_clamp)(made, rng)
    return laid_or_stood(made, rng, 0.6).finish(rng, ajar=0.4)


def _spring_clamp(made, rng) -> None:
    """Two arms on ears about a pin with a coil, without crossing; pads on the jaws, sometimes tilting."""
    body, trim = finish(rng, "wood", *BODIES), finish(rng, "metal", "dark", "plastic")
    size, soft = rng.uniform(0.6, 1.8), finish(rng, "rubber", "plastic")
    jaw, grip, wide = size * rng.uniform((0.035, 0.05, 0.012), (0.06, 0.08, 0.022))
    width, ear, pad = size * rng.uniform((0.005, 0.006, 0.005), (0.008, 0.009, 0.008))
    off, sheet, gap, loose = rng.uniform(1.5, 1.9) * ear, 0.12 * wide, 0.0012 * size, rng.random() < 0.5
    end, tip = (grip, rng.uniform(0.3, 0.5) * grip + off), (-jaw, pad + 0.5 * width + gap)
    path = curve([tip, (-0.5 * jaw, rng.uniform(1.0, 1.6) * off), (0, off), end], 18)
    coil = arc(0.65 * ear, 0, 2 * np.pi * rng.integers(3, 6), 48)
    made.add("arm_1", trim, tube(np.c_[coil, np.linspace(-0.4, 0.4, 48) * wide], 0.13 * ear, 5))
    made.add("arm_1", trim, rivet(0.4 * ear, wide + 4 * sheet))
    seat, seed = np.array([-jaw, tip[1] - 0.3 * width, 0]), int(rng.integers(2**31))
    sole = (rng.uniform(1.5, 2.5) * pad, 0.6 * pad, 0.95 * wide)
    foot = [block(sole, (-jaw, 0.3 * pad + gap, 0), 0.1 * pad)]
    foot.append(dowel(seat, 0.4 * wide * Z, 0.5 * pad, 10))
    for k, name in enumerate(("arm_1", "arm_2")):
        outer = 0.5 * wide + (k + 0.4) * sheet
        cheeks = [(s * outer, 1.1 * sheet) for s in (-1, 1)]
        ears = pin_leaves(cheeks, [(0, 0), (0, off)], (2 * ear, 1.6 * width))
        ears.append(block((width, 0.6 * width, 2 * outer), (0, off, 0)))
        limb = limb_along(np.random.default_rng(seed), path, width, wide, body, trim)
        pieces, link = [painted(s, body) for s in ears] + limb, f"pad_{k + 1}" if loose else name
        made.part(name, [mirrored(p, 1) for p in pieces] if k else pieces)
        made.add(link, soft, *([mirrored(f, 1) for f in foot] if k else foot))
        if loose:
            made.hinge(name, link, seat * (1, 1 - 2 * k, 1), Z, -0.15, 0.15)
    reach = rng.uniform(1.4, 1.8) * np.arctan((end[1] - 0.8 * width) / grip)
    made.hinge("arm_1", "arm_2", (0, 0, 0), Z, 0, reach)
    sleeve = flat_bar(path[-5:], 1.5 * width, 1.15 * wide)
    cover = moved(pin_cap(0.7 * ear), (0.5 * wide + 2 * sheet) * Z)
    grips = [("arm_1", "grip_1", sleeve), ("arm_2", "grip_2", mirrored(sleeve, 1))]
    weld_some(made, rng, [*grips, ("arm_1", "cover", cover)], TRIMS, in_order=True)


def _screw_clamp(made, rng) -> None:
    """A screw against a fixed jaw, in a jaw on a bar or in the other end of a bow."""
    body, trim = finish(rng, "metal", "paint", "dark"), finish(rng, "metal", "dark", "brass")
    size, onbar = rng.uniform(0.5, 2.0), rng.random() < 0.6
    reach, wide, deep, gap = size * rng.uniform((0.05, 0.012, 0.007, 0.03), (0.1, 0.02, 0.011, 0.06))
    head = 0.6 * wide + 0.45 * deep + gap
    stem, high = head + size * rng.uniform(0.01, 0.03), reach * Y
    frame, holder = ("bar", "jaw") if onbar else ("frame", "frame")
    if onbar:
        length, root = stem + size * rng.uniform(0.1, 0.35), 0.5 * wide + 0.3 * deep
        bar = block((length + 0.4 * wide, wide, deep), (0.5 * length - 0.2 * wide, 0, 0), 0.1 * deep)
        made.add("bar", trim, bar)
        arm = flat_bar([(0, -0.3 * wide), (0, reach)], (1.3 * wide, 0.9 * wide), 1.5 * deep, 0.15 * deep)
        made.add("bar", body, arm)
        tall = reach - root + 0.6 * wide
        post = block((1.1 * wide, tall, 1.5 * deep), (stem, root + 0.5 * tall, 0), 0.15 * deep)
        made.add("jaw", body, post, *shifted(collar_around(1.3 * wide, wide, deep, 0.35 * deep), stem * X))
        made.slide("bar", "jaw", X, -0.1 * gap, length - stem - 0.7 * wide)
    else:
        bend, straight = 0.4 * reach, rng.uniform(0.6, 0.8) * reach
        left = arc(bend, np.pi, 1.5 * np.pi, 7) + bend
        right = arc(bend, 1.5 * np.pi, 2 * np.pi, 7) + np.array([stem - bend, bend])
        bow = np.concatenate([[(0, reach), (0, straight)], left, right, [(stem, straight), (stem, reach)]])
        boss = rod((stem - 0.6 * wide) * X + high, (stem + 0.6 * wide) * X + high, 0.75 * deep, 16)
        made.add("frame", body, flat_bar(bow, 0.9 * wide, 1.3 * deep, 0.15 * deep), boss)
    made.add(frame, body, rod(high, high + 0.6 * wide * X, 0.9 * deep, 16))
    sizes = (rng.uniform(0.3, 0.42) * deep, 0.9 * deep, gap)
    _clamp_screw(made, rng, holder, (head, stem + 0.6 * wide + gap, reach), sizes, trim)
    face, top = (0.75 * deep, 0.6 * wide) if onbar else (0.65 * deep, 0.45 * wide)
    label = block((0.25 * gap, 0.5 * wide, 0.2 * deep), (0.6 * stem, 0, face - 0.2 * deep * onbar))
    offers = [
        (frame, "cover", block((0.5 * wide, 0.5 * wide, 0.002), (0, 0.8 * reach, face))),
        (frame, "nameplate", label),
        (holder, "bracket", block((0.6 * wide, 0.3 * wide, deep), (stem, reach + top, 0), 0.1 * deep)),
    ]
    weld_some(made, rng, offers, TRIMS, in_order=True)


def _clamp_screw(made, rng, holder, span, sizes, trim) -> None:
    """A screw along x with a pad on its tip and a handle: a grip, a knob, or a bar through its head."""
    (tip, end, y), (radius, pad, gap) = span, sizes
    front, back, at = np.array([tip, y, 0]), np.array([end, y, 0]), np.array([end + 2 * radius, y, 0])
    head = rod(back, back + 4 * radius * X, 1.5 * radius, 14)
    made.add("screw", trim, aimed(threaded(radius, end - tip, 22), X, front), head)
    advance = made.slide(holder, "screw", -X, 0, 0.85 * gap)
    foot = lathe([(pad, 0), (pad, 0.2 * pad), (0.6 * radius + 0.3 * pad, 0.5 * pad)], 18)
    made.add("pad", finish(rng, "metal", "plastic", "rubber"), aimed(foot, X, front - 0.45 * pad * X))
    if rng.random() < 0.5:
        made.socket("screw", "pad", front, 0.15)
    else:
        made.spin("screw", "pad", front, X)
    style = rng.choice(["grip", "knob", "bar"])
    if style == "bar":
        long = rng.uniform(4, 8) * radius
        low, high = at - long * Z, at + long * Z
        made.add("handle", trim, rod(low, high, 0.6 * radius, 10))
        made.add("handle", trim, [ball(0.95 * radius, e, 10) for e in (low, high)])
        made.slide("screw", "handle", Z, -0.7 * (long - 2.5 * radius), 0.7 * (long - 2.5 * radius))
        return
    stretch = (2.6, rng.uniform(12, 18)) if style == "grip" else rng.uniform((3.5, 3), (5, 5))
    rows = np.multiply([(0.6, 0), (0.8, 0.1), (1, 0.3), (0.85, 0.6), (1, 0.85), (0.6, 1)], stretch)
    knob = aimed(lathe(radius * rows, int(rng.integers(6, 18))), X, at)
    made.add("handle", finish(rng, "wood", "plastic", "paint"), knob)
    made.spin("screw", "handle", at, X, (advance, 4 * np.pi / gap))
