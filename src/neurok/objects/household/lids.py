"""Objects with loose lids and caps: pots, boxes, tins, and pens."""

from __future__ import annotations

import numpy as np

from neurok.objects.kit.casework import Casework
from neurok.objects.kit.finishes import finish
from neurok.objects.kit.outlines import curve
from neurok.objects.kit.panels import walls
from neurok.objects.kit.placing import X, Y, Z, moved
from neurok.objects.kit.solids import ball, block, lathe, pill, ring, rod, tube
from neurok.objects.registry import family
from neurok.shapes.shape import Shape

Rng = np.random.Generator
SEATS = (0.0, 0.0005, 0.002, -0.002)  # m between a lid and its rim


@family(number=84)
def lidded_pot(rng: Rng) -> Shape:
    """A pot, a pan or a jar whose lid lifts off."""
    case = Casework(
        rng, "lidded_pot", str(rng.choice(["pot", "body", "pan"])), ("metal", "dark", "paint", "pale")
    )
    r, wall = rng.uniform(0.06, 0.16), rng.uniform(0.002, 0.008)
    h, belly, foot = r * rng.uniform(0.45, 1.8), rng.uniform(1.0, 1.12), rng.uniform(0.75, 0.97)
    outside = [(foot * r, 0.0), (belly * r, 0.35 * h), (belly * r, 0.6 * h), (r, h)]
    inside = [(r - wall, h), (belly * r - wall, 0.6 * h), (foot * r - wall, wall)]
    case.still(case.body, lathe(outside + inside, 28))
    _pot_lid(case, r, wall, h)
    _pot_handles(case, r * belly, rng.uniform(0.6, 0.85) * h)
    return case.finish(0.0)


def _pot_lid(case: Casework, r: float, wall: float, h: float) -> None:
    """A lid over, on or inside the rim, with a knob; it moves up."""
    rng, kind, t = case.rng, str(case.rng.choice(["over", "on", "on", "inside"])), 0.003
    z, rise = h + float(rng.choice(SEATS)), rng.uniform(0.02, 0.45) * r
    reach = {"over": 1.04 * r + 0.002, "on": r * rng.uniform(1.0, 1.05), "inside": r - wall - 0.0008}[kind]
    z -= 0.006 if kind == "inside" else 0.0
    dome = [(reach, z), (reach, z + t), (0.75 * reach, z + t + 0.6 * rise), (0.3 * reach, z + t + rise)]
    material = finish(rng, "metal", "glass", "dark") if rng.random() < 0.5 else case.body
    case.made.add("lid", material, lathe(dome, 28))
    if kind == "over":
        skirt = [
            (reach - 0.0016, z + 0.001),
            (reach - 0.0016, z - 0.08 * r),
            (reach, z - 0.08 * r),
            (reach, z + 0.001),
        ]
        case.made.add("lid", material, ring(skirt, 28))
    elif kind == "on" and rng.random() < 0.6:
        plug = [(0.9 * (r - wall), z - 0.06 * r), (r - wall - 0.001, z), (0.5 * r, z + 0.002)]
        case.made.add("lid", material, lathe(plug, 24))
    top, size, knob = z + t + rise, 0.12 * r + 0.006, str(rng.choice(["ball", "mushroom", "loop"]))
    if knob == "ball":
        grip = [ball(size, (0, 0, top + 0.7 * size), 12)]
    elif knob == "mushroom":
        grip = [lathe([(0.5 * size, top - 0.003), (0.4 * size, top + size), (1.3 * size, top + 1.4 * size),
                       (0.9 * size, top + 2 * size)], 16)]  # fmt: skip
    else:
        path = [(-2 * size, 0, top - 0.004), (-1.6 * size, 0, top + 1.5 * size),
                (1.6 * size, 0, top + 1.5 * size), (2 * size, 0, top - 0.004)]  # fmt: skip
        grip = [tube(curve(path, 11), 0.35 * size, 8)]
    case.fit("lid", "knob", finish(rng, "dark", "metal", "wood"), *grip)
    case.made.slide(case.root, "lid", Z, 0.0, rng.uniform(0.5, 1.5) * h)


def _pot_handles(case: Casework, r: float, z: float) -> None:
    """Two ears, a long handle, or none."""
    rng, kind = case.rng, str(case.rng.choice(["ears", "ears", "long", "none"]))
    material, size = finish(rng, "dark", "metal", "wood"), rng.uniform(0.25, 0.4) * r
    if kind == "ears":
        for s in (-1, 1):
            path = [(s * (r - 0.004), -size, z), (s * (r + size), -0.7 * size, z + 0.1 * size),
                    (s * (r + size), 0.7 * size, z + 0.1 * size), (s * (r - 0.004), size, z)]  # fmt: skip
            case.fit(case.root, "ear", material, tube(curve(path, 9), 0.16 * size, 8))
    elif kind == "long":
        end = (r + rng.uniform(0.8, 1.4) * r, 0, z + 0.15 * r)
        case.fit(case.root, "handle", material, pill((r - 0.006, 0, z), end, 0.07 * r, 10))


@family(number=85)
def loose_lid_box(rng: Rng) -> Shape:
    """A cardboard, wooden or tin box whose lid lifts off."""
    case = Casework(rng, "loose_lid_box", str(rng.choice(["box", "body", "tin"])))
    w, d, h = rng.uniform((0.08, 0.08, 0.04), (0.45, 0.32, 0.3))
    t = rng.uniform(0.002, 0.012)
    if rng.random() < 0.3:
        case.still(case.body, block((w, d, h), (0, 0, h / 2), rng.choice([0.0, 0.006])))
    else:
        case.still(case.body, *walls(w, d, h, t), block((w - t, d - t, t), (0, 0, t / 2)))
    gap, z = float(rng.choice([0.0004, 0.001, 0.003, -0.0008])), h + float(rng.choice(SEATS))
    material, skirt = case.skin, rng.uniform(0.08, 0.6) * h
    kind = str(rng.choice(["skirt", "skirt", "board"]))
    over = 2 * (t + gap) if kind == "skirt" else float(rng.choice([0.0, 0.006, 0.02, -2 * t]))
    case.made.add("lid", material, block((w + over, d + over, t), (0, 0, z + t / 2), 0.15 * t))
    if kind == "skirt":
        rim = walls(w + over, d + over, skirt, t)
        case.made.add("lid", material, *(moved(side, (0, 0, z - skirt + 0.0005)) for side in rim))
    elif rng.random() < 0.6:
        plug = (w - 2 * t - 0.004, d - 2 * t - 0.004, 0.012)
        case.made.add("lid", material, block(plug, (0, 0, z - 0.004)))
    grip = str(rng.choice(["none", "none", "knob", "bar"]))
    if grip == "knob":
        knob = lathe(
            [(0.006, z + t - 0.002), (0.006, z + t + 0.008), (0.014, z + t + 0.014), (0.01, z + t + 0.02)], 14
        )
        case.fit("lid", "knob", case.metal, knob)
    elif grip == "bar":
        case.fit("lid", "handle", case.metal, block((0.3 * w, 0.02, 0.02), (0, 0, z + t + 0.008), 0.003))
    label = block((0.3 * w, 0.002, 0.2 * h), (0, -d / 2, 0.25 * h))
    case.fit(case.root, "label", finish(rng, "pale", "plastic"), label)
    case.made.slide(case.root, "lid", Z, 0.0, rng.uniform(0.8, 1.6) * h)
    return case.finish(0.0)


@family(number=101)
def capped_pen(rng: Rng) -> Shape:
    """An upright or lying pen, marker or stick whose cap pulls off, or a pen with a button to press."""
    case = Casework(
        rng, "capped_pen", str(rng.choice(["barrel", "body", "pen"])), ("plastic", "metal", "dark", "paint")
    )
    slim = rng.random() < 0.7
    long = rng.uniform(0.11, 0.16) if slim else rng.uniform(0.06, 0.14)
    r = rng.uniform(0.004, 0.009) if slim else rng.uniform(0.01, 0.03)
    sides = int(rng.choice([6, 8, 20, 20]))
    share = rng.uniform(0.25, 0.5)
    if slim and rng.random() < 0.3:
        _click_pen(case, long, r, sides)
    else:
        seam, gap = (1 - share) * long, float(rng.choice([0.0, 0.0003, 0.001, -0.0005]))
        over = float(rng.choice([0.0, 0.0, 0.06, 0.15])) * r
        tip = [
            (r, 0.0),
            (r, seam),
            (0.75 * r, seam),
            (0.7 * r, seam + 0.5 * share * long),
            (0.1 * r, seam + 0.7 * share * long),
        ]
        case.still(case.body, lathe(tip, sides))
        top = seam + share * long
        outside = [(0.78 * r, seam + gap), (r + over, seam + gap), (r + over, top - 0.2 * r), (0.85 * r, top)]
        case.made.add("cap", case.skin, _cup(outside, 0.78 * r, top - 0.15 * long * share, sides))
        if slim and rng.random() < 0.7:
            clip = block(
                (0.5 * r, 0.3 * r, 0.7 * share * long),
                (0, -r - over - 0.25 * r, top - 0.38 * share * long),
                0.1 * r,
            )
            root = block((0.5 * r, 0.7 * r, 0.3 * r), (0, -r - over, top - 0.2 * r))
            case.made.add("cap", case.metal, clip, root)
        case.made.slide(case.root, "cap", Z, 0.0, rng.uniform(0.7, 1.3) * share * long)
        if rng.random() < 0.5:
            band = lathe([(1.06 * r + over, 0.3 * seam), (1.06 * r + over, 0.34 * seam)], sides)
            case.still(case.metal, band)
    if slim or rng.random() < 0.3:
        case.made.turn(rng.choice([X, Y]), float(rng.choice([-1, 1])) * np.pi / 2)
        case.made.turn(Z, rng.uniform(0, 2 * np.pi))
    return case.finish(0.0)


def _cup(outside: list[tuple[float, float]], inner: float, floor: float, sides: int) -> Shape:
    """A cap that is open below: its profile runs from the inner floor down to the rim and up to the top."""
    return lathe([(0.02 * inner, floor), (inner, floor), *outside], sides)


def _click_pen(case: Casework, long: float, r: float, sides: int) -> None:
    """A pen with a cone, a clip and a button at its end."""
    cone = [(0.15 * r, 0.0), (0.35 * r, 0.02 * long), (r, 0.2 * long), (r, long), (0.6 * r, long)]
    case.still(case.body, lathe(cone, sides))
    travel = case.rng.uniform(0.004, 0.008)
    case.made.add("button", case.metal, rod((0, 0, long - 0.01), (0, 0, long + travel + 0.003), 0.45 * r, 12))
    case.made.slide(case.root, "button", -Z, 0.0, travel)
    clip = block((0.5 * r, 0.3 * r, 0.3 * long), (0, -1.3 * r, 0.8 * long), 0.1 * r)
    case.still(case.metal, clip, block((0.5 * r, 0.8 * r, 0.3 * r), (0, -r, 0.94 * long)))
