"""Microwave ovens and ovens."""

from __future__ import annotations

import numpy as np

from neurok.objects.kit.casework import Casework
from neurok.objects.kit.controls import add_key, add_knob
from neurok.objects.kit.extras import clutter
from neurok.objects.kit.finishes import FinishName, finish
from neurok.objects.kit.fits import Fit, draw_carcass, draw_fit, hinge_front, slide_front, split
from neurok.objects.kit.lanes import Bay
from neurok.objects.kit.outlines import cells, corners
from neurok.objects.kit.placing import Y, Z, shifted
from neurok.objects.kit.solids import block, lathe, ring, rod
from neurok.objects.registry import family
from neurok.shapes.shape import Shape

SHEET: tuple[FinishName, ...] = ("pale", "metal", "dark", "dark", "paint")


@family(number=80)
def microwave_oven(rng: np.random.Generator) -> Shape:
    """A microwave oven: a door beside a control panel with keys or knobs, and a plate that turns."""
    case = Casework(rng, "microwave_oven", str(rng.choice(["body", "housing", "microwave"])), SHEET)
    w, d, h = rng.uniform((0.42, 0.3, 0.24), (0.62, 0.48, 0.38))
    wall = rng.uniform(0.012, 0.03)
    bay, is_solid = draw_carcass(case, (w, d, h), wall)
    fit = draw_fit(
        rng, wall, (0.012, 0.035), is_solid or rng.random() < 0.8, ("bar", "bar", "none", "lip"), ("flat",)
    )
    parts, share = fit.cover(bay), rng.uniform(0.22, 0.32)
    if rng.random() < 0.85:
        (door, panel), side = split(parts, [1 - share, share], fit.gap), "left"
    else:
        (panel, door), side = split(parts, [share, 1 - share], fit.gap), "right"
    hinge_front(case, fit, "door", door, side, rng.uniform(1.5, 2.2))
    _window(case, fit, "door", door)
    _control_panel(case, fit, panel, fit.grip == "none")
    if not is_solid:
        case.still(
            case.body,
            block(
                (wall, d - fit.room - 0.01, bay.h),
                (panel.x + (panel.w / 2 if side == "right" else -panel.w / 2), (fit.room + 0.01) / 2, bay.z),
            ),
        )
        _turning_plate(case, fit, Bay(door.x, bay.z - bay.h / 2, door.w, bay.h, 0.02), d)
    for x, y in corners(0.4 * w, 0.4 * d):
        case.fit(case.root, "foot", finish(rng, "dark"), rod((x, y, -0.012), (x, y, 0.002), 0.014, 10))
    if rng.random() < 0.2:
        case.made.part(case.root, clutter(rng, (0, 0, h - 0.001), 0.8 * w, 0.6 * d))
    return case.finish(0.15, mirror=False)


def _window(case: Casework, fit: Fit, name: str, front: Bay) -> None:
    """A dark pane on the face of a door."""
    size = (case.rng.uniform(0.6, 0.78) * front.w, 0.004, case.rng.uniform(0.5, 0.72) * front.h)
    drop = 0.06 * front.h
    pane = block(size, (front.x, front.y - fit.t / 2, front.z - drop), 0.001)
    case.made.add(name, finish(case.rng, "dark", "glass"), pane)


def _control_panel(case: Casework, fit: Fit, panel: Bay, has_opener: bool) -> None:
    """A fixed panel beside the door with a display, keys or knobs, and a long key that opens the door."""
    rng, face, low = case.rng, panel.y - fit.t / 2, panel.z - panel.h / 2
    back = block((panel.w, fit.t + 0.004, panel.h), (panel.x, panel.y + 0.002, panel.z))
    case.still(finish(rng, "dark", "pale", "metal"), back)
    display = block((0.7 * panel.w, 0.003, 0.1 * panel.h), (panel.x, face, panel.z + 0.38 * panel.h))
    case.still(finish(rng, "glass", "dark"), display)
    material, t = finish(rng, "metal", "pale", "plastic"), rng.uniform(0.002, 0.005)
    if has_opener or rng.random() < 0.3:
        at = (panel.x, face, low + 0.1 * panel.h)
        add_key(case.made, material, case.root, "open_button", at, (0.75 * panel.w, 0.1 * panel.h, 2 * t))
    if rng.random() < 0.5:
        for k, z in enumerate(np.linspace(0.3, 0.7, int(rng.integers(1, 3))) * panel.h + low):
            at = np.array([panel.x, face, z])
            add_knob(case.made, rng, case.root, f"knob_{k + 1}", at, -Y, 0.25 * panel.w)
        return
    columns, rows = int(rng.integers(1, 4)), int(rng.integers(2, 4))
    size = (0.6 * panel.w / columns, 0.28 * panel.h / rows, t)
    spots = [(x, z) for z in cells(rows, 0.45 * panel.h) for x in cells(columns, 0.8 * panel.w)]
    for k, (x, z) in enumerate(spots, 1):
        add_key(
            case.made,
            material,
            case.root,
            f"button_{k}",
            (panel.x + x, face, panel.z + 0.03 * panel.h + z),
            size,
        )


def _turning_plate(case: Casework, fit: Fit, floor: Bay, depth: float) -> None:
    """A glass plate that turns on the floor of the oven."""
    r = 0.42 * min(floor.w, depth - fit.room - 0.05)
    plate = lathe([(0.3 * r, 0.0), (0.85 * r, 0.006), (r, 0.015), (0.97 * r, 0.016), (0.8 * r, 0.009)], 20)
    at = np.array([floor.x, floor.y, floor.z])
    case.made.add("turntable", finish(case.rng, "glass"), *shifted([plate], at))
    case.made.spin(case.root, "turntable", at, Z)


@family(number=81)
def kitchen_oven(rng: np.random.Generator) -> Shape:
    """An oven for a wall or a stove: doors that drop down, knobs above them, sometimes a drawer below."""
    case = Casework(rng, "kitchen_oven", str(rng.choice(["body", "oven", "housing", "stove"])), SHEET)
    is_stove = rng.random() < 0.5
    w, d = rng.uniform(0.5, 0.95), rng.uniform(0.45, 0.62)
    h = rng.uniform(0.8, 0.92) if is_stove else rng.uniform(0.42, 0.72)
    wall, foot = rng.uniform(0.015, 0.04), rng.uniform(0.02, 0.08) if is_stove else 0.0
    bay, is_solid = draw_carcass(case, (w, d, h), wall, foot)
    fit = draw_fit(
        rng,
        wall,
        (0.02, 0.06),
        is_solid or rng.random() < 0.8,
        ("bar", "bar", "bar", "lip", "none"),
        ("flat",),
    )
    front = fit.cover(bay)
    front, strip = split(front, [1.0, rng.uniform(0.14, 0.25)], fit.gap, is_row=False)
    if is_stove and rng.random() < 0.6:
        low, front = split(front, [rng.uniform(0.2, 0.35), 1.0], fit.gap, is_row=False)
        slide_front(case, fit, str(rng.choice(["drawer", "warming_drawer"])), low, 0.8 * d, 0.6)
    doors = (
        split(front, [1.0, rng.uniform(0.5, 1.0)], fit.gap, is_row=False)
        if h > 0.65 and rng.random() < 0.25
        else [front]
    )
    reach = rng.uniform(1.4, 1.65)
    names = ["door"] if len(doors) == 1 else ["lower_door", "upper_door"]
    for name, part in zip(names, doors, strict=True):
        hinge_front(case, fit, name, part, "bottom", reach)
        _window(case, fit, name, part)
    _knob_strip(case, fit, strip)
    racks = [] if is_solid or len(doors) > 1 or rng.random() < 0.8 else _racks(case, fit, bay, front, d)
    if is_stove:
        _hob(case, (w, d, h + foot), foot)
    return case.finish(0.0 if racks else 0.15, mirror=False, opened=names if racks else ())


def _knob_strip(case: Casework, fit: Fit, strip: Bay) -> None:
    """A fixed strip above the door with knobs in a row and a display."""
    rng, face = case.rng, strip.y - fit.t / 2
    bar = block((strip.w, fit.t + 0.004, strip.h), (strip.x, strip.y + 0.002, strip.z))
    case.still(finish(rng, "metal", "dark", "pale"), bar)
    count, seed = int(rng.integers(1, 7)), int(rng.integers(2**32))
    r = min(0.3 * strip.h, 0.028, 0.35 * strip.w / count)
    for k, x in enumerate(np.linspace(-0.4, 0.4, count) * strip.w if count > 1 else [0.3 * strip.w]):
        at = np.array([strip.x + x, face, strip.z])
        add_knob(case.made, np.random.default_rng(seed), case.root, f"knob_{k + 1}", at, -Y, r)
    if count < 5:
        display = block(
            (0.12 * strip.w, 0.004, 0.4 * strip.h),
            (strip.x + (0.0 if count != 3 else 0.2 * strip.w), face, strip.z),
        )
        case.still(finish(rng, "glass", "dark"), display)


def _racks(case: Casework, fit: Fit, bay: Bay, front: Bay, depth: float) -> list[str]:
    """Wire shelves that slide out over the open door, on ledges. Returns their names."""
    rng, low, names = case.rng, front.z - front.h / 2, []
    long, y = 0.75 * depth, bay.y + fit.room + 0.02 + 0.375 * depth
    for k, z in enumerate(low + np.linspace(0.3, 0.75, int(rng.integers(1, 4))) * front.h):
        names.append(f"rack_{k + 1}")
        wide, spots = bay.w - 0.02, cells(9, bay.w - 0.06)
        wires = [rod((x, y - long / 2, z), (x, y + long / 2, z), 0.003, 6) for x in spots]
        rails = [block((wide, 0.008, 0.008), (0, y + s * long / 2, z)) for s in (-1, 1)]
        rails += [block((0.008, long, 0.008), (s * (wide / 2 - 0.004), y, z)) for s in (-1, 1)]
        case.made.add(names[-1], case.metal, *wires, *rails)
        case.made.slide(case.root, names[-1], -Y, 0.0, rng.uniform(0.4, 0.7) * long)
        ledges = [block((0.03, 0.8 * depth, 0.005), (s * (bay.w / 2 - 0.013), y, z - 0.007)) for s in (-1, 1)]
        case.still(case.metal, *ledges)
    return names


def _hob(case: Casework, size: tuple[float, float, float], foot: float) -> None:
    """Burners or plates on top of a stove, a splash back, and a plinth or feet below."""
    (w, d, h), rng = size, case.rng
    is_plate = rng.random() < 0.5
    section = [(0.0, -0.001), (0.08, -0.001), (0.08, 0.01), (0.0, 0.012)]
    burner = (
        lathe(section[1:], 16)
        if is_plate
        else ring([(0.05, -0.001), (0.08, -0.001), (0.07, 0.022), (0.06, 0.022)], 16)
    )
    for x, y in corners(0.24 * w, 0.22 * d):
        case.still(finish(rng, "dark"), *shifted([burner], (x, y, h)))
    if rng.random() < 0.4:
        case.still(case.body, block((w, 0.03, rng.uniform(0.06, 0.2)), (0, d / 2 - 0.015, h + 0.03)))
    if rng.random() < 0.5:
        case.still(finish(rng, "dark"), block((0.96 * w, 0.88 * d, foot), (0, 0.03, foot / 2)))
    else:
        for x, y in corners(0.43 * w, 0.42 * d):
            case.still(case.metal, rod((x, y, 0), (x, y, foot + 0.002), 0.018, 10))
