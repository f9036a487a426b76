"""Dishwashers and washing machines."""

from __future__ import annotations

import numpy as np

from neurok.objects.kit.casework import Casework, open_case
from neurok.objects.kit.controls import add_key, add_knob
from neurok.objects.kit.extras import clutter
from neurok.objects.kit.finishes import FinishName, finish
from neurok.objects.kit.fits import Fit, draw_carcass, draw_fit, hinge_front, slide_front, split
from neurok.objects.kit.lanes import Bay
from neurok.objects.kit.outlines import arc, cells, corners
from neurok.objects.kit.placing import X, Y, aimed, moved, shifted, upright
from neurok.objects.kit.solids import block, dowel, extrude, lathe, ring, rod
from neurok.objects.registry import family
from neurok.shapes.shape import Shape

ENAMEL: tuple[FinishName, ...] = ("pale", "pale", "pale", "metal", "dark")


@family(number=82)
def dishwasher(rng: np.random.Generator) -> Shape:
    """A dishwasher with a door that drops down; if it is open, racks slide out."""
    case = Casework(rng, "dishwasher", str(rng.choice(["body", "tub", "cabinet"])), ENAMEL)
    w, d, h = rng.uniform((0.43, 0.48, 0.65), (0.65, 0.62, 0.8))
    foot, wall = rng.uniform(0.04, 0.12), rng.uniform(0.012, 0.035)
    bay, is_solid = draw_carcass(case, (w, d, h), wall, foot)
    grips = ("bar", "bar", "lip", "none", "pull")
    fit = draw_fit(rng, wall, (0.018, 0.06), is_solid or rng.random() < 0.8, grips, ("flat",))
    front, keys = fit.cover(bay), int(rng.integers(0, 6))
    if rng.random() < 0.5:
        front, strip = split(front, [1.0, rng.uniform(0.1, 0.18)], fit.gap, is_row=False)
        plate = block((strip.w, fit.t + 0.004, strip.h), (0, strip.y + 0.002, strip.z))
        case.still(case.skin, plate)
        _keys(case, case.root, strip, fit.t, keys)
    hinge_front(case, fit, "door", front, "bottom", rng.uniform(1.4, 1.62))
    toe = block((0.97 * w, 0.85 * d, foot), (0, 0.06 * d, foot / 2))
    case.fit(case.root, "plinth", finish(rng, "dark", "metal"), toe)
    racks = [] if is_solid or rng.random() < 0.65 else _baskets(case, fit, bay, d)
    if rng.random() < 0.2:
        case.made.part(case.root, clutter(rng, (0, 0, h + foot - 0.001), 0.8 * w, 0.6 * d))
    return case.finish(0.0 if racks else 0.15, mirror=False, opened=["door"] if racks else ())


def _keys(case: Casework, parent: str, strip: Bay, t: float, count: int) -> None:
    """Keys in a row on a strip, and a display."""
    rng, face, material = case.rng, strip.y - t / 2, finish(case.rng, "metal", "dark", "pale")
    size, is_round = 0.35 * min(strip.h, 0.06), rng.random() < 0.4
    for k, x in enumerate(0.1 * strip.w + cells(count, 0.6 * strip.w) if count else (), 1):
        rise = rng.uniform(0.002, 0.005)
        at = (strip.x + x, face, strip.z)
        add_key(case.made, material, parent, f"button_{k}", at, (size, size, rise), is_round)
    display = block((0.15 * strip.w, 0.004, 0.5 * strip.h), (strip.x - 0.35 * strip.w, face, strip.z))
    case.still(finish(rng, "glass", "dark"), display)


def _baskets(case: Casework, fit: Fit, bay: Bay, depth: float) -> list[str]:
    """Wire racks above each other that slide out over the open door. Returns their names."""
    rng, names = case.rng, ["lower_rack", "upper_rack", "cutlery_tray"][: int(case.rng.integers(2, 4))]
    long, low = 0.78 * (depth - fit.room), bay.z - bay.h / 2
    y, wide = bay.y + fit.room + 0.02 + long / 2, bay.w - 0.014
    for name, share, tall in zip(names, (0.12, 0.5, 0.86), (0.16, 0.13, 0.04), strict=False):
        z = low + share * bay.h
        case.made.add(name, case.metal, *shifted(_basket(wide, long, tall), (0, y, z)))
        case.made.slide(case.root, name, -Y, 0.0, rng.uniform(0.5, 0.8) * long)
        rails = [block((0.02, long, 0.008), (s * (bay.w / 2 - 0.009), y, z - 0.009)) for s in (-1, 1)]
        case.still(case.metal, *rails)
    return names


def _basket(w: float, d: float, tall: float) -> list[Shape]:
    """An open basket about the z axis on z = 0: two frames, posts and wires."""
    bars = []
    for z in (0.0, tall):
        bars += [block((w, 0.006, 0.006), (0, s * (d / 2 - 0.003), z)) for s in (-1, 1)]
        bars += [block((0.006, d, 0.006), (s * (w / 2 - 0.003), 0, z)) for s in (-1, 1)]
    wires = [rod((x, -d / 2, 0), (x, d / 2, 0), 0.002, 5) for x in cells(9, w)]
    posts = [rod((x, s * (d / 2 - 0.003), 0), (x, s * (d / 2 - 0.003), tall), 0.002, 5)
             for x in cells(6, w) for s in (-1, 1)]  # fmt: skip
    sides = [rod((s * (w / 2 - 0.003), y, 0), (s * (w / 2 - 0.003), y, tall), 0.002, 5)
             for y in cells(5, d) for s in (-1, 1)]  # fmt: skip
    return [*bars, *wires, *posts, *sides]


@family(number=83)
def washing_machine(rng: np.random.Generator) -> Shape:
    """A washing machine or dryer with a round door in front, or with a lid on top."""
    case = Casework(rng, "washing_machine", str(rng.choice(["body", "housing", "machine"])), ENAMEL)
    size = rng.uniform((0.5, 0.45, 0.78), (0.7, 0.68, 0.98))
    (_top_loader if rng.random() < 0.3 else _front_loader)(case, size)
    w, d, _ = size
    if rng.random() < 0.6:
        for x, y in corners(0.42 * w, 0.42 * d):
            case.fit(case.root, "foot", finish(rng, "dark"), rod((x, y, -0.025), (x, y, 0.002), 0.02, 10))
    return case.finish(0.15, mirror=False)


def _front_loader(case: Casework, size: np.ndarray) -> None:
    """A round door on a solid or hollow body, a drum, and controls above."""
    (w, d, h), rng = size, case.rng
    strip = rng.uniform(0.12, 0.17) * h
    r, z = rng.uniform(0.28, 0.36) * w, rng.uniform(0.42, 0.5) * (h - strip)
    is_hollow, face = rng.random() < 0.5, -d / 2
    if is_hollow:
        case.still(case.body, *open_case(w, d - 0.012, h, 0.02))
        quarters = shifted(_holed_panel(w, h - strip, 0.82 * r, 0.012, z), (0, face, 0))
        case.still(case.body, *quarters, block((w, 0.012, strip), (0, face, h - strip / 2)))
        _drum(case, 0.86 * r, 0.75 * d, np.array([0, face + 0.02, z]))
        face -= 0.006
    else:
        case.still(case.body, block((w, d, h), (0, 0, h / 2), rng.choice([0.0, 0.012])))
    _porthole(case, r, np.array([0, face, z]), is_hollow)
    _machine_controls(case, Bay(0.0, h - strip / 2, w, strip, face), d)
    if rng.random() < 0.25:
        case.made.part(case.root, clutter(rng, (0, 0, h - 0.001), 0.8 * w, 0.6 * d))


def _holed_panel(w: float, h: float, r: float, t: float, z: float) -> list[Shape]:
    """An upright panel on z = 0 with a round hole about height z, in four pieces."""
    pieces = []
    for quarter, (x, top) in enumerate([(w / 2, h - z), (-w / 2, h - z), (-w / 2, -z), (w / 2, -z)]):
        start, end = quarter * np.pi / 2, (quarter + 1) * np.pi / 2
        first, last = ((x, 0), (0, top)) if quarter % 2 == 0 else ((0, top), (x, 0))
        outline = np.array([first, (x, top), last, *arc(r, end, start, 8)])
        pieces.append(upright(extrude(outline, t), (0, 0, z)))
    return pieces


def _drum(case: Casework, r: float, deep: float, at: np.ndarray) -> None:
    """A drum with three ribs, open to the front, that turns about the y axis."""
    cup = ring(
        [
            (0.96 * r, 0),
            (r, 0),
            (r, -deep),
            (0.05 * r, -deep),
            (0.05 * r, -0.97 * deep),
            (0.96 * r, -0.97 * deep),
        ],
        20,
    )
    hub = lathe([(0.1 * r, -1.02 * deep), (0.1 * r, -0.95 * deep)], 10)
    rib = block((0.12 * r, 0.2 * r, 0.8 * deep), (0.9 * r, 0, -0.5 * deep))
    ribs = [rib.with_(vertices=rib.vertices @ turn) for turn in map(_about_z, (0.0, 2.1, 4.2))]
    case.made.add("drum", finish(case.rng, "metal"), *(aimed(s, -Y, at) for s in (cup, hub, *ribs)))
    case.made.spin(case.root, "drum", at, -Y)
    back = block((0.3 * r, 0.06, 0.3 * r), at + np.array([0, 1.02 * deep + 0.03, 0]))
    case.still(case.metal, back)


def _about_z(angle: float) -> np.ndarray:
    c, s = np.cos(angle), np.sin(angle)
    return np.array([[c, s, 0], [-s, c, 0], [0, 0, 1]])


def _porthole(case: Casework, r: float, at: np.ndarray, is_hollow: bool) -> None:
    """A round door with a window, hinged at a side, and a grip opposite."""
    rng, side, t = case.rng, int(case.rng.choice([-1, 1])), case.rng.uniform(0.02, 0.05)
    gap = float(rng.choice([0.0, 0.0005, rng.uniform(0.001, 0.005), -0.004]))
    frame = ring([(0.66 * r, gap), (r, gap), (0.98 * r, gap + t), (0.72 * r, gap + t)], 28)
    bulge = rng.uniform(-0.3, 1.0) * t
    bowl = [(0.5 * r, -0.05 if is_hollow else gap), (0.68 * r, gap + 0.1 * t), (0.7 * r, gap + 0.7 * t)]
    glass = lathe([*bowl, (0.45 * r, gap + t + 0.6 * bulge), (0, gap + t + 0.8 * bulge)], 24)
    case.made.add(
        "door", case.skin if rng.random() < 0.5 else finish(rng, "metal", "dark"), aimed(frame, -Y, at)
    )
    case.made.add("door", finish(rng, "glass", "dark"), aimed(glass, -Y, at))
    if rng.random() < 0.5:
        seat = ring([(1.03 * r, -0.002), (1.12 * r, -0.002), (1.1 * r, 0.5 * t), (1.03 * r, 0.5 * t)], 28)
        case.still(finish(rng, "metal", "pale", "dark"), aimed(seat, -Y, at))
    pin = at + np.array([side * 1.02 * r, -gap - t * rng.choice([0.3, 1.0]), 0])
    lug = block(
        (0.05 * r + 0.01, t + gap + 0.004, 0.5 * r), at + np.array([side * 1.04 * r, -(t + gap) / 2, 0])
    )
    case.still(case.metal, lug)
    case.made.hinge(case.root, "door", pin, (0, 0, side), 0.0, rng.uniform(1.5, 2.4))
    if rng.random() < 0.8:
        grip = block((0.12 * r, 0.03, 0.45 * r), at + np.array([-side * 0.86 * r, -gap - t - 0.01, 0]), 0.005)
        case.fit("door", "handle", case.metal, grip)


def _machine_controls(case: Casework, strip: Bay, depth: float) -> None:
    """A panel with a detergent drawer at one end, a dial and keys."""
    rng, side = case.rng, int(case.rng.choice([-1, -1, -1, 1]))
    t = float(rng.choice([0.006, 0.015]))
    wide = rng.uniform(0.26, 0.36) * strip.w
    panel = block((strip.w - wide, t, strip.h - 0.004), (-side * wide / 2, strip.y - t / 2 + 0.001, strip.z))
    case.still(finish(rng, "pale", "dark", "metal"), panel)
    fit = draw_fit(rng, 0.01, (0.01, 0.02), True, ("lip", "none", "bar"), ("flat",))
    place = Bay(
        strip.x + side * (strip.w - wide) / 2,
        strip.z,
        wide - 0.008,
        strip.h - 0.01,
        strip.y - fit.out - fit.t / 2,
    )
    slide_front(case, fit, str(rng.choice(["detergent_drawer", "drawer"])), place, 0.45 * depth, 0.6)
    dial = np.array([strip.x - side * rng.uniform(0.0, 0.3) * strip.w, strip.y - t, strip.z])
    add_knob(case.made, rng, case.root, "dial", dial, -Y, 0.3 * strip.h)
    material, count = finish(rng, "metal", "dark", "pale"), int(rng.integers(0, 5))
    for k, x in enumerate(cells(count, 0.2 * strip.w) if count else (), 1):
        at = (dial[0] + side * (0.12 * strip.w + 0.32 * strip.h) + x * 0.8, strip.y - t, strip.z)
        add_key(case.made, material, case.root, f"button_{k}", at, (0.03 * strip.w, 0.2 * strip.h, 0.004))


def _top_loader(case: Casework, size: np.ndarray) -> None:
    """A lid hinged at the back of the top, before a console with knobs and keys."""
    (w, d, h), rng = size, case.rng
    case.still(case.body, block((w, d, h), (0, 0, h / 2), rng.choice([0.0, 0.015])))
    deep, tall = rng.uniform(0.14, 0.22) * d, rng.uniform(0.08, 0.18)
    back = d / 2 - deep
    case.still(case.skin, block((w, deep, tall), (0, d / 2 - deep / 2, h + tall / 2 - 0.002), 0.008))
    gap, t = float(rng.choice([0.0, 0.0005, 0.003, -0.003])), rng.uniform(0.012, 0.04)
    share = float(rng.choice([0.96, 0.99, rng.uniform(0.65, 0.9)]))
    long = share * (d - deep) - 0.01
    y, z = back - 0.006 - long / 2, h + gap
    material = finish(rng, "pale", "glass", "dark") if rng.random() < 0.5 else case.skin
    case.made.add("lid", material, block((share * w, long, t), (0, y, z + t / 2), 0.2 * t, 3))
    case.made.hinge(
        case.root,
        "lid",
        (0, y + long / 2, z + rng.choice([0.0, 0.5, 1.0]) * t),
        -X,
        0.0,
        rng.uniform(1.2, 1.6),
    )
    kind = str(rng.choice(["none", "lip", "bar"]))
    if kind == "lip":
        case.fit(
            "lid",
            "handle",
            case.metal,
            block((0.3 * w, 0.02, 0.4 * t), (0, y - long / 2 - 0.006, z + 0.6 * t), 0.002),
        )
    elif kind == "bar":
        case.fit(
            "lid", "handle", case.metal, dowel((0, y - 0.42 * long, z + t + 0.006), 0.12 * w * X, 0.008, 10)
        )
    face, count = np.array([0, back, h + 0.5 * tall]), int(rng.integers(1, 4))
    for k, x in enumerate(cells(count, 0.6 * w) + 0.1 * w, 1):
        add_knob(case.made, rng, case.root, f"knob_{k}", face + x * X, -Y, 0.28 * tall)
    _keys(case, case.root, Bay(-0.3 * w, h + 0.5 * tall, 0.3 * w, tall, back), 0.0, int(rng.integers(0, 4)))
    basin = lathe([(0.3 * w, -0.01), (0.3 * w, 0.004), (0.28 * w, 0.004)], 20)
    case.still(case.metal, moved(basin, (0, y, h - 0.006)))
