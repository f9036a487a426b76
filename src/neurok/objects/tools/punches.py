"""Punches, presses and corkscrews with levers on pins."""

from __future__ import annotations

import numpy as np

from neurok.objects.kit.extras import weld_some
from neurok.objects.kit.finishes import finish
from neurok.objects.kit.mechanism import Mechanism, coupling_polynomial
from neurok.objects.kit.outlines import arc, curve, rectangle, row
from neurok.objects.kit.pivots import (
    STRIPS,
    TRIMS,
    flat_bar,
    flat_strip,
    flush_pin,
    pin_leaves,
    set_down,
    threaded,
)
from neurok.objects.kit.placing import X, Y, Z, aimed, mirrored, moved, shifted, swung
from neurok.objects.kit.solids import ball, bar, block, disc, extrude, ring, rod, torus, tube
from neurok.objects.registry import family
from neurok.shapes.shape import Shape


@family(number=72)
def lever_press_punch(rng: np.random.Generator) -> Shape:
    """A bench punch with levers on a fork or mast, levers on or in a flat body, or a winged corkscrew."""
    made = Mechanism("lever_press_punch")
    make = [_bench_punch, _palm_punch, _winged_screw][int(rng.choice(3, p=[0.42, 0.33, 0.25]))]
    skin, steel = finish(rng, "paint", "dark", "metal", "plastic"), finish(rng, "metal", "brass", "dark")
    make(made, rng, skin, steel)
    return set_down(made, rng, 0.4 if make is _palm_punch else 1.0).finish(rng)


def _bench_punch(made, rng, skin, steel) -> None:
    """One or two levers, pinned in the middle, that press punches down through guides on a base."""
    front, rear, half = rng.uniform((0.06, 0.04, 0.004), (0.13, 0.1, 0.008))
    floor, thick, tilt, press = rng.uniform((0.006, 0.006, 0.12, 1.1), (0.014, 0.014, 0.32, 1.7))
    count, forked, press = int(rng.integers(1, 3)), rng.random() < 0.5, tilt * press
    x, r = front * rng.uniform(0.4, 0.6), 0.3 * thick

    def sole(angle):
        """Height of a lever's underside over the punch, relative to the pin."""
        return x * np.tan(tilt - angle) - half / np.cos(tilt - angle)

    stroke = sole(0.0) - sole(press)
    high = max(front, rear) * np.sin(tilt) + 2 * half + rng.choice([0.006, rng.uniform(0.01, 0.07)])
    high = floor + max(high, 2 * stroke - sole(0.0) + 0.014)
    wall, mast = rng.uniform((0.003, 0.008), (0.006, 0.014))
    pitch = thick + 0.001 + (0.0 if forked else mast)
    levels = row(count, pitch) + (pitch / 2 if count == 1 and not forked else 0.0)
    span = count * pitch + 2 * wall if forked else pitch + thick
    size, middle = 1.1 * (front + rear), (front - rear) / 2
    deep = span + rng.uniform(0.01, 0.04)
    made.add("base", skin, block((size, floor, deep), (middle, floor / 2, 0), 0.15 * floor))
    cheeks = [(s * 0.5 * (count * pitch + wall), wall) for s in (-1, 1)] if forked else [(0.0, mast)]
    widths = half * rng.uniform((4, 2.4), (6, 3.2))
    made.add("base", skin, pin_leaves(cheeks, [(0, 0.5 * floor + 0.5 * widths[0]), (0, high)], widths))
    made.add("base", steel, moved(flush_pin(0.8 * half, -span / 2, span / 2, 0.25 * half), high * Y))
    grips = _lever_solids(rng, (front, rear, half, thick), x + r)
    colours = (steel, finish(rng, "rubber", "plastic", "wood"))
    for k, z in enumerate(levels, 1):
        name, at = f"lever_{k}" if count > 1 else "lever", np.array([0, high, z])
        for material, solid in zip(colours, swung(grips, tilt, at), strict=False):
            made.add(name, material, solid)
        leader = made.hinge("base", name, at, -Z, 0.0, press)
        _guided_punch(made, f"punch_{k}", (x, z, r), (floor, high + sole(0.0), stroke), steel)
        made.slide(
            "base", f"punch_{k}", Y, -stroke, 0.0, follows=(leader, coupling_polynomial(sole, 0.0, press))
        )
    foot = block((0.1 * size, 0.3 * floor, 0.9 * span), (0, -0.1 * floor, 0))
    ruler = block((0.06 * size, 0.3 * floor, 0.95 * deep), (0.85 * front, floor, 0), 0.05 * floor)
    offers = [
        ("base", "label", block((0.3 * rear, 0.1 * floor, 0.5 * span), (-0.7 * rear, floor, 0))),
        ("base", "ruler", ruler),
        *(("base", f"foot_{k}", moved(foot, (middle + s * 0.4 * size) * X)) for k, s in ((1, -1), (2, 1))),
    ]
    weld_some(made, rng, offers, TRIMS)


def _lever_solids(rng, size, bare) -> list[Shape]:
    """A lever along x with its pin at the origin, with a plain, padded, ball or sleeve end beyond `bare`."""
    front, rear, half, thick = size
    kink = rng.choice([0.0, rng.uniform(0.3, 1.0)]) * half
    path = np.array([(-rear, kink), (-0.5 * rear, 0.3 * kink), (0, 0), (0.5 * front, 0), (front, 0)])
    limb, tip = flat_bar(path, 2 * half, thick, 0.1 * thick), np.array([front - 0.5 * half, 0.9 * half, 0])
    style = str(rng.choice(["plain", "pad", "ball", "sleeve"]))
    if style == "plain":
        return [limb]
    if style == "pad":
        return [limb, block((0.25 * front, 0.9 * half, 1.02 * thick), tip - 0.1 * front * X, 0.2 * half)]
    if style == "ball":
        return [limb, ball(0.48 * thick, tip, 12)]
    sleeve = [(bare + 1.5 * half, 0), (front, 0)]
    return [limb, flat_bar(sleeve, 2.4 * half, 1.04 * thick, 0.2 * half)]


def _guided_punch(made, name, at, heights, steel) -> None:
    """A round punch along y between two guides on the base, over a die."""
    (x, z, r), (floor, top, stroke) = at, heights
    low, rim = floor + stroke, top - stroke - 0.002
    made.add(name, steel, rod((x, low, z), (x, top, z), r, 14))
    places = [(x + s * 1.5 * r, (rim + 0.7 * floor) / 2, z) for s in (-1, 1)]
    guides = [block((0.9 * r, rim - 0.7 * floor, 2.4 * r), place) for place in places]
    die = aimed(ring(rectangle(0.5 * r, 0.002) + np.array([1.3 * r, 0]), 14), Y, (x, floor, z))
    made.add("base", steel, guides, die)


def _palm_punch(made, rng, skin, steel) -> None:
    """Levers on or between plates, pinned in the middle: one, two side by side, or two that cross."""
    long, plan = rng.uniform(0.09, 0.15), str(rng.choice(["one", "beside", "crossing"]))
    wide, thick, wall = long * rng.uniform((0.4, 0.03, 0.02), (0.65, 0.055, 0.05))
    width, sandwich, gap = wide * rng.uniform(0.13, 0.2), rng.random() < 0.5, 0.12 * thick
    size = (long * rng.uniform(0.6, 0.9), wide)
    outline = rectangle(*size, rng.uniform(0.1, 0.45) * wide, int(rng.choice([1, 5])))
    plate = extrude(outline, wall, 0.15 * wall)
    made.add("body", skin, plate)
    layers = 2 if plan == "crossing" else 1
    top = wall / 2 + layers * (thick + gap) + gap
    lines = {"one": [(0.0, 0.0)], "beside": [(-1, 0.0), (1, 0.0)], "crossing": [(0, -1.0), (0, 1.0)]}[plan]
    aside, splay = 0.24 * wide, rng.uniform(0.15, 0.4) if plan == "crossing" else 0.0
    front, rear = rng.uniform(0.45, 0.75) * long, rng.uniform(0.5, 0.9) * long
    inward = 0.8 * (aside - 0.6 * width) / max(front, rear) if plan == "beside" else rng.uniform(0.15, 0.3)
    shape, ends = str(rng.choice(STRIPS)), str(rng.choice(["plain", "disc", "tab"]))
    for k, (side, way) in enumerate(lines, 1):
        name, height = f"lever_{k}" if plan != "one" else "lever", wall / 2 + gap + thick / 2
        at = np.array([0.0, side * aside, height + (k - 1) * (layers - 1) * (thick + gap)])
        limb = flat_strip(shape, -rear, front, [0.0], width, thick)
        limb += _lever_ends(ends, front, rear, width, thick)
        made.add(name, steel, swung(limb, way * splay, at))
        pin = flush_pin(0.38 * width, -wall / 2, top + wall if sandwich else at[2] + thick / 2, 0.5 * gap)
        made.add("body", steel, moved(pin, (*at[:2], 0)))
        made.hinge("body", name, at, (-way or -side or 1) * Z, -rng.uniform(0.3, 1.0) * inward, inward)
    post = rod((0, 0, 0), (0, 0, top + wall / 2), 0.04 * wide, 10)
    if sandwich:
        made.add("body", steel, [moved(post, s * 0.45 * wide * Y) for s in (-1, 1)])
        link = made.weld("body", "cover") if rng.random() < 0.4 else "body"
        made.add(link, skin, moved(plate, (top + wall / 2) * Z))
    upper, edge = (top + wall if sandwich else -wall / 2), np.abs(outline[:, 0]).max()
    strap = block((0.08 * long, 0.9 * wide, 0.8 * wall), (-0.2 * long, 0, -0.6 * wall), 0.1 * wall)
    offers = [
        ("body", "label", block((0.25 * long, 0.3 * wide, 0.3 * wall), (0.15 * long, 0, upper))),
        ("body", "ring", moved(torus(0.12 * wide, 0.03 * wide, 16, 6), (-edge - 0.1 * wide, 0, 0))),
        ("body", "strap", strap),
    ]
    weld_some(made, rng, offers, TRIMS)


def _lever_ends(style, front, rear, width, thick) -> list[Shape]:
    """The ends of a flat lever along x: plain, a disc in front, or finger tabs at the rear."""
    if style == "disc":
        return [moved(disc(0.7 * width, thick), (front - 0.5 * width) * X)]
    tab = block((0.15 * rear, 1.2 * width, 0.9 * thick), (0.1 * rear - rear, 0, 0), 0.2 * thick)
    return [tab] if style == "tab" else []


def _winged_screw(made, rng, skin, steel) -> None:
    """Two levers with toothed hubs that push a ridged spindle down as they rise."""
    tall, r, hub, wall = rng.uniform((0.09, 0.003, 0.008, 0.002), (0.14, 0.0045, 0.013, 0.004))
    thick, rise, out = 2.2 * r, rng.uniform(1.5, 2.2), r + hub
    travel, foot, plane = hub * rise, rng.uniform(0.013, 0.018), 1.1 * r + 0.5 * wall + 0.0003
    cheeks = [(s * plane, wall) for s in (-1, 1)]
    made.add("body", skin, pin_leaves(cheeks, [(-out, tall), (out, tall)], 1.9 * hub))
    legs = [bar((0, tall, s * plane), (0, 0, s * foot), wall, 1.2 * hub) for s in (-1, 1)]
    made.add("body", skin, legs, aimed(torus(foot, rng.uniform(0.0025, 0.004), 20, 8), Y))
    pin = flush_pin(0.45 * hub, -plane - wall / 2, plane + wall / 2, 0.12 * hub)
    made.add("body", steel, [moved(pin, (s * out, tall, 0)) for s in (-1, 1)])
    teeth = hub * np.where(np.arange(24) % 2, 0.86, 1.0)[:, None] * arc(1.0, 0, 2 * np.pi, 25)[:-1]
    length, width = rng.uniform(0.7, 0.82) * tall, rng.uniform(0.7, 1.0) * hub
    bend = [(0.25 * hub, -0.25 * length), (0.6 * hub, -0.7 * length), (0.6 * hub, -length)]
    widths = width * np.linspace(1, rng.uniform(0.9, 1.6), 10)
    grip = flat_bar(curve([(0, -0.85 * hub), *bend], 10), widths, thick, 0.1 * thick)
    wing = [extrude(teeth, thick), grip]
    for k, s in enumerate((1, -1), 1):
        limb = shifted(wing, (out, tall, 0))
        made.add(f"lever_{k}", steel, limb if s > 0 else [mirrored(p, 0) for p in limb])
    leader = made.hinge("body", "lever_1", (out, tall, 0), Z, 0.0, rise)
    made.hinge("body", "lever_2", (-out, tall, 0), -Z, 0.0, rise, follows=(leader, 1.0))
    low, top = 0.55 * tall, tall + 1.2 * hub + travel
    made.add("spindle", steel, aimed(threaded(r, top - low, 14), Y, low * Y))
    made.slide("body", "spindle", -Y, 0.0, travel, follows=(leader, hub))
    coil = arc(0.8 * r, 0, 2 * np.pi * 5, 61)
    worm = tube(np.c_[coil[:, 0], np.linspace(low + 0.002, 0.06 * tall, 61), coil[:, 1]], 0.35 * r, 6)
    handle, wide = "spindle", rng.uniform(0.012, 0.03)
    if rng.random() < 0.5:
        handle = "handle"
        made.spin("spindle", handle, (0, top, 0), Y)
    made.add(handle, steel, worm, rod((0, top - 0.002, 0), (0, top + 0.006, 0), 1.1 * r, 12))
    knobs = [
        rod((-wide, top + 0.008, 0), (wide, top + 0.008, 0), 1.2 * r, 12),
        moved(torus(wide, r, 20, 8), (0, top + wide + 0.004, 0)),
    ]
    made.add(handle, skin, knobs[int(rng.integers(2))])
    end = np.array([out + 0.6 * hub, tall - length, 0])
    tips = [("lever_1", "tip_1", end), ("lever_2", "tip_2", end * (-1, 1, 1))]
    weld_some(made, rng, [(link, name, ball(0.6 * width, at, 12)) for link, name, at in tips], TRIMS)
