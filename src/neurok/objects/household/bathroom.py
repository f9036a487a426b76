"""Taps and toilets."""

# ruff: noqa: RUF005 — point + (x, y, z) adds vectors here

from __future__ import annotations

import numpy as np

from neurok.objects.kit.casework import Casework
from neurok.objects.kit.controls import add_key
from neurok.objects.kit.finishes import FinishName, finish
from neurok.objects.kit.outlines import arc, curve
from neurok.objects.kit.placing import X, Y, Z, aimed, moved
from neurok.objects.kit.solids import ball, block, extrude, lathe, pill, rod, tube
from neurok.objects.registry import family
from neurok.shapes.shape import Shape

Rng = np.random.Generator
CHROME: tuple[FinishName, ...] = ("metal", "metal", "brass", "dark")
CERAMIC: tuple[FinishName, ...] = ("pale", "pale", "pale", "paint")


@family(number=86)
def mixer_tap(rng: Rng) -> Shape:
    """A tap on a basin or a worktop: a spout that swivels, and one lever or two handles."""
    case = Casework(rng, "mixer_tap", str(rng.choice(["base", "body", "tap"])), CHROME)
    r, h = rng.uniform(0.014, 0.028), rng.uniform(0.06, 0.22)
    two = rng.random() < 0.45
    if rng.random() < 0.5:
        slab = (rng.uniform(0.25, 0.6), rng.uniform(0.2, 0.4), 0.02)
        case.still(finish(rng, "pale", "wood", "dark"), block(slab, (0, 0, -0.0099)))
    if two:
        span = rng.uniform(0.08, 0.14)
        case.still(case.body, block((2 * span + 3 * r, 2.6 * r, 0.012), (0, 0, 0.005), 0.003))
        style = str(rng.choice(["cross", "lever", "knob"]))
        for s, name in ((-1, "left_handle"), (1, "right_handle")):
            case.still(case.body, lathe([(r, 0), (0.9 * r, 0.05), (0.6 * r, 0.055)], 18))
            case.made.pieces[-1] = (case.root, moved(case.made.pieces[-1][1], (s * span, 0, 0)))
            _tap_handle(case, name, np.array([s * span, 0, 0.055]), r, style, s)
    case.still(
        case.body, lathe([(1.4 * r, 0), (1.3 * r, 0.008), (r, 0.014), (r, 0.4 * h), (0.9 * r, 0.42 * h)], 20)
    )
    _spout(case, r, h, 0.42 * h)
    if not two:
        _single_lever(case, r, h)
    return case.finish(0.2)


def _spout(case: Casework, r: float, h: float, z: float) -> None:
    """A column with a bent spout that turns about the upright axis or is fixed."""
    rng, reach = case.rng, case.rng.uniform(0.1, 0.24)
    kind = str(rng.choice(["arch", "bent", "straight"]))
    neck = {
        "arch": [
            (0, 0, h),
            (0, 0, h + 0.5 * reach),
            (0, -0.5 * reach, h + reach),
            (0, -reach, h + 0.4 * reach),
        ],
        "bent": [
            (0, 0, h),
            (0, -0.2 * reach, h + 0.3 * reach),
            (0, -0.8 * reach, h + 0.3 * reach),
            (0, -reach, h),
        ],
        "straight": [
            (0, 0, 0.8 * h),
            (0, -0.6 * reach, h),
            (0, -0.9 * reach, h + 0.01),
            (0, -reach, 0.85 * h),
        ],
    }[kind]
    link = "spout" if rng.random() < 0.85 else case.root
    column = lathe(
        [(0.95 * r, z + float(rng.choice([0.0, 0.0006, -0.001]))), (0.95 * r, h), (0.7 * r, h + 0.01)], 20
    )
    nozzle = rod(neck[-1], np.subtract(neck[-1], (0, 0.002, 0.015)), 0.6 * r, 12)
    case.made.add(link, case.body, column, tube(curve(neck, 14), 0.55 * r, 12), nozzle)
    if link != case.root:
        swing = rng.uniform(0.8, 1.6)
        case.made.hinge(case.root, link, (0, 0, z), Z, -swing, swing)


def _single_lever(case: Casework, r: float, h: float) -> None:
    """A lever at the side of the body that turns about its axle."""
    rng, side = case.rng, float(case.rng.choice([-1, 1]))
    z, long = 0.25 * h, rng.uniform(0.06, 0.11)
    at = np.array([side * 0.7 * r, 0, z])
    case.still(case.body, aimed(lathe([(0.75 * r, 0), (0.75 * r, 0.9 * r)], 16), side * X, at))
    tip = at + side * 0.95 * r * X
    hub = aimed(lathe([(0.72 * r, 0), (0.72 * r, 0.5 * r), (0.4 * r, 0.6 * r)], 16), side * X, tip)
    start = tip + side * 0.3 * r * X
    arm = pill(start, start + long * (0.25 * side * X + 0.97 * Z), 0.2 * r, 8)
    case.made.add("lever", case.skin if rng.random() < 0.3 else case.body, hub, arm)
    case.made.hinge(case.root, "lever", tip, X, rng.uniform(-0.8, 0.0), rng.uniform(0.6, 1.3))


def _tap_handle(case: Casework, name: str, at: np.ndarray, r: float, style: str, side: int) -> None:
    """A handle that turns about an upright axis."""
    z, h = at + 0.0003 * Z, 1.2 * r
    solids = [moved(lathe([(0.7 * r, 0), (0.8 * r, h), (0.5 * r, 1.3 * h)], 16), z)]
    top = z + 0.9 * h * Z
    if style == "cross":
        solids += [pill(top - 1.8 * r * a, top + 1.8 * r * a, 0.25 * r, 8) for a in (X, Y)]
    elif style == "lever":
        solids.append(pill(top, top + 3 * r * side * X, 0.25 * r, 8))
    else:
        ribs = [
            ball(0.35 * r, top + 0.75 * r * np.array([np.cos(a), np.sin(a), 0]), 8)
            for a in np.arange(6) * np.pi / 3
        ]
        solids += ribs
    case.made.add(name, case.body, *solids)
    case.made.hinge(case.root, name, at, -side * Z, 0.0, case.rng.uniform(1.2, 3.0))


@family(number=87)
def toilet(rng: Rng) -> Shape:
    """A toilet with a seat, a lid, and a cistern with keys or a lever."""
    case = Casework(rng, "toilet", str(rng.choice(["bowl", "body", "toilet"])), CERAMIC)
    w, d, h = rng.uniform((0.34, 0.42, 0.36), (0.4, 0.52, 0.44))
    outline = _oval(w, d, rng.uniform(0.5, 1.0))
    _bowl(case, outline, (w, d, h))
    back = d / 2
    deep, tall = rng.uniform(0.15, 0.2), rng.uniform(0.28, 0.4)
    is_wall = rng.random() < 0.2
    if is_wall:
        case.still(
            finish(rng, "pale", "paint"), block((0.7, 0.05, h + 0.6), (0, back + 0.095, (h + 0.6) / 2))
        )
        case.still(case.body, block((0.6 * w, 0.1, 0.2), (0, back + 0.04, h - 0.12)))
        key = (0, back + 0.07, h + 0.4)
        case.still(case.metal, block((0.24, 0.01, 0.16), key))
        for k, x in enumerate((-0.055, 0.055), 1):
            at = (x, back + 0.066, h + 0.4)
            add_key(case.made, case.metal, case.root, f"flush_button_{k}", at, (0.09, 0.12, 0.005))
    else:
        _cistern(case, (w * rng.uniform(0.95, 1.15), deep, tall), back + deep / 2 - 0.03, h)
    _seat_and_lid(case, outline, h, back - 0.05)
    is_loose = any(joint.child == "cistern_lid" for joint in case.made.joints)
    return case.finish(0.0 if is_loose else 0.2)


def _oval(w: float, d: float, square: float) -> np.ndarray:
    """An outline that is round in front (−y) and straighter at the back."""
    front = arc((w / 2, 0.6 * d), np.pi, 2 * np.pi, 17)
    back = arc((w / 2, 0.4 * d * square), 0, np.pi, 9)[1:-1]
    return np.concatenate([front + (0, 0.1 * d), back + (0, 0.1 * d)])


def _bowl(case: Casework, outline: np.ndarray, size: tuple[float, float, float]) -> None:
    """A bowl on a foot, closed by a flat rim with a hollow in it."""
    w, d, h = size
    rim = moved(extrude(outline, 0.3 * h, 0.01), (0, 0, 0.85 * h))
    waist = moved(extrude(0.8 * outline, 0.3 * h), (0, 0.03, 0.6 * h))
    foot = block((0.62 * w, 0.75 * d, 0.55 * h), (0, 0.1 * d, 0.275 * h), 0.03, 4)
    case.still(case.body, rim, waist, foot)
    water = extrude(0.62 * outline, 0.004)
    case.still(finish(case.rng, "glass", "dark"), moved(water, (0, -0.02, h)))


def _cistern(case: Casework, size: tuple[float, float, float], y: float, z: float) -> None:
    """A cistern behind the bowl with a lid that lifts off, and a key or a lever."""
    (w, d, h), rng = size, case.rng
    case.still(
        case.body, block((w, d, h), (0, y, z + h / 2), 0.01, 3), block((0.6 * w, d, 0.16), (0, y, z - 0.06))
    )
    top = z + h + float(rng.choice([0.0, 0.001, -0.002]))
    cover = block((w + 0.015, d + 0.015, 0.03), (0, y, top + 0.015), 0.006)
    link = "cistern_lid" if rng.random() < 0.4 else case.root
    case.made.add(link, case.body, cover)
    if link != case.root:
        case.made.slide(case.root, link, Z, 0.0, rng.uniform(0.1, 0.3))
    if rng.random() < 0.6:
        count = int(rng.integers(1, 3))
        for k in range(count):
            x = 0.0 if count == 1 else 0.03 * (2 * k - 1)
            at = (x, y, top + 0.03)
            name = "flush_button" if count == 1 else f"flush_button_{k + 1}"
            add_key(case.made, case.metal, link, name, at, (0.045, 0.045, 0.006), True, False)
        return
    at = np.array([-0.35 * w, y - d / 2, z + 0.8 * h])
    case.still(case.metal, rod(at, at - 0.012 * Y, 0.014, 12))
    pin = at - 0.012 * Y
    case.made.add(
        "flush_lever",
        case.metal,
        rod(pin + 0.004 * Y, pin - 0.008 * Y, 0.01, 12),
        pill(pin - 0.004 * Y, pin + 0.08 * X - 0.01 * Y, 0.006, 8),
    )
    case.made.hinge(case.root, "flush_lever", pin, Y, 0.0, rng.uniform(0.4, 0.9))


def _seat_and_lid(case: Casework, outline: np.ndarray, h: float, back: float) -> None:
    """A ring seat and a lid over it, on one axis at the back. Lifting the seat lifts the lid."""
    rng, t, gap = case.rng, case.rng.uniform(0.012, 0.022), float(case.rng.choice([0.0005, 0.002, 0.005]))
    material = case.body if rng.random() < 0.6 else finish(rng, "wood", "dark", "paint")
    z, reach = h + gap, rng.uniform(1.45, 1.6)
    pin = np.array([0, back - 0.02, z + float(rng.choice([0.2, 0.5, 1.0])) * t])
    ends = (0.12, -0.12)
    rods = [rod((x - 0.02, pin[1], pin[2]), (x + 0.02, pin[1], pin[2]), 0.011, 12) for x in ends]
    rods += [rod((x, pin[1], h - 0.01), (x, pin[1], pin[2]), 0.008, 10) for x in ends]
    case.still(finish(rng, "metal", "pale"), *rods)
    keep = outline[:, 1].max() - back + 0.012
    shape = outline * 0.99
    shape[:, 1] = np.minimum(shape[:, 1], shape[:, 1].max() - keep)
    case.made.add("seat", material, moved(_frame(shape, 0.62, t), (0, 0, z + t / 2)))
    case.made.hinge(case.root, "seat", pin, -X, 0.0, reach)
    if rng.random() < 0.8:
        above = z + t + gap
        cover = moved(extrude(shape * (1, 1), t * 0.8, 0.2 * t), (0, 0, above + 0.4 * t))
        case.made.add("lid", material, cover)
        case.made.hinge("seat", "lid", pin, -X, 0.0, rng.uniform(1.5, 1.75))


def _frame(outline: np.ndarray, share: float, t: float) -> Shape:
    """A flat ring between an outline and its smaller copy: quadrilateral bands between four rims."""
    middle = outline.mean(0)
    inner = middle + share * (outline - middle)
    k, rings = len(outline), []
    for ring, z in ((outline, -t / 2), (outline, t / 2), (inner, t / 2), (inner, -t / 2)):
        rings.append(np.c_[ring, np.full(k, z)])
    here, after = np.arange(k), (np.arange(k) + 1) % k
    faces = []
    for a, b in ((0, 1), (1, 2), (2, 3), (3, 0)):
        p, q, r, s = a * k + here, a * k + after, b * k + after, b * k + here
        faces += [np.stack([p, q, r], 1), np.stack([p, r, s], 1)]
    return Shape(np.concatenate(rings), np.concatenate(faces))
