"""Cupboards with hinged doors: wardrobes, kitchen units, wall cabinets and mirror cabinets."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from neurok.objects.kit.casework import Casework
from neurok.objects.kit.extras import clutter
from neurok.objects.kit.finishes import finish
from neurok.objects.kit.fits import (
    STYLES,
    Fit,
    add_divider,
    add_shelves,
    draw_carcass,
    draw_fit,
    hinge_doors,
    hinge_front,
    slide_front,
    split,
)  # fmt: skip
from neurok.objects.kit.lanes import Bay
from neurok.objects.kit.placing import X, shifted
from neurok.objects.kit.solids import block, dowel, ring, rod, tube
from neurok.objects.registry import family
from neurok.shapes.shape import Shape

AJAR = 0.15  # probability that an object is drawn partly open
MIRROR_GRIPS = ("none", "none", "lip", "pull")


@family(number=75)
def hinged_wardrobe(rng: np.random.Generator) -> Shape:
    """A wardrobe with one to four doors, some with drawers below them or inside."""
    case = Casework(rng, "hinged_wardrobe", str(rng.choice(["carcass", "body", "wardrobe"])))
    count = int(rng.choice([1, 2, 2, 2, 3, 3, 4]))
    w, d, h = count * rng.uniform(0.38, 0.55), rng.uniform(0.42, 0.65), rng.uniform(1.6, 2.3)
    wall, plinth = rng.uniform(0.016, 0.03), float(rng.choice([0.0, rng.uniform(0.04, 0.1)]))
    bay, is_solid = draw_carcass(case, (w, d, h - plinth), wall, plinth)
    fit = draw_fit(rng, wall, (0.015, 0.03), is_solid)
    if plinth:
        case.still(case.body, block((0.98 * w, 0.92 * d, plinth), (0, 0.03 * d, plinth / 2)))
    front = fit.cover(bay)
    if plinth and not fit.is_inset and rng.random() < 0.3:  # doors down to the floor
        front = replace(front, z=front.z - plinth / 2 + 0.002, h=front.h + plinth - 0.004)
    if rng.random() < 0.35:
        low, front = split(front, [rng.uniform(0.15, 0.3), 1.0], fit.gap, is_row=False)
        _drawer_rows(case, fit, low, 0.85 * d, int(rng.integers(1, 3)), count)
    names = _doors_in_a_row(case, fit, front, count, None if is_solid else (bay, d, wall))
    inside = [] if is_solid else _wardrobe_inside(case, fit, bay, (d, wall), count)
    if rng.random() < 0.3:
        over = rng.uniform(0.01, 0.05)
        crown = block((w + 2 * over, d + over, over), (0, -over / 2, h + 0.49 * over), 0.2 * over)
        case.fit(case.root, "cornice", case.body, crown)
    return case.finish(AJAR if not inside else 0.0, mirror=False, opened=names if inside else ())


def _doors_in_a_row(
    case: Casework, fit: Fit, front: Bay, count: int, inner: tuple[Bay, float, float] | None
) -> list[str]:
    """Doors hinged on the outer sides. Returns their names.

    A third door hinges on a random side, in a hollow case on a board.
    """
    noun, reach = str(case.rng.choice(["door", "leaf", "front"])), case.rng.uniform(1.6, 2.4)
    middle = str(case.rng.choice(["left", "right"]))
    sides = {1: [middle], 2: ["left", "right"], 3: ["left", middle, "right"], 4: ["left", "right"] * 2}[count]
    names = [noun] if count == 1 else [f"{noun}_{k + 1}" for k in range(count)]
    if count == 2:
        names = [f"left_{noun}", f"right_{noun}"]
    height = case.rng.choice([0.0, -0.1])
    parts = split(front, [1] * count, fit.gap)
    for k, (name, part, side) in enumerate(zip(names, parts, sides, strict=True)):
        hinge_front(case, fit, name, part, side, reach, height)
        if inner and ((side == "left" and k) or (side == "right" and k == 1 and count == 3)):
            add_divider(case, fit, *inner, part.x + (part.w if side == "right" else -part.w) / 2)
    return names


def _wardrobe_inside(case: Casework, fit: Fit, bay: Bay, board: tuple[float, float], count: int) -> list[str]:
    """A rail, shelves, and sometimes drawers. Returns the names of the drawers."""
    rng, (depth, wall), top = case.rng, board, bay.z + bay.h / 2
    case.still(case.metal, dowel((0, 0.05 * depth, top - 0.12), bay.w / 2 * X, 0.012, 10))
    if rng.random() < 0.6:
        add_shelves(case, fit, replace(bay, z=top - 0.12, h=0.2), depth, wall, 1)
    if len(case.made.joints) > count or rng.random() < 0.8:
        return []
    names = [f"inner_drawer_{k + 1}" for k in range(int(rng.integers(1, 4)))]
    wide, low, tall = 0.7 * bay.w / min(count, 2), bay.z - bay.h / 2, rng.uniform(0.14, 0.2)
    inner = replace(fit, lap=0.0, t=0.016, style="flat", grip=str(rng.choice(["none", "pull"])))
    y = bay.y + fit.room + rng.uniform(0.05, 0.12)
    for k, name in enumerate(names):
        place = Bay(0.0, low + (k + 0.5) * tall, wide, tall - 0.006, y)
        slide_front(case, inner, name, place, 0.7 * depth, rng.uniform(0.5, 0.75))
    for s in (-1, 1):
        tower = (wall, 0.7 * depth, len(names) * tall)
        case.still(case.body, block(tower, (s * (wide + wall) / 2, y + 0.35 * depth, low + tower[2] / 2)))
    return names


def _drawer_rows(case: Casework, fit: Fit, front: Bay, depth: float, rows: int, columns: int) -> None:
    """A grid of drawers."""
    travel, number = case.rng.uniform(0.55, 0.8), 0
    for row in split(front, [1] * rows, fit.gap, is_row=False):
        for part in split(row, [1] * min(columns, 3), fit.gap):
            number += 1
            slide_front(case, fit, f"drawer_{number}", part, depth, travel)


@family(number=76)
def kitchen_unit(rng: np.random.Generator) -> Shape:
    """A row of kitchen base units with doors and drawers under a worktop."""
    case = Casework(rng, "kitchen_unit", str(rng.choice(["carcass", "unit", "base"])))
    widths = rng.uniform(0.3, 0.8, int(rng.integers(1, 5)))
    w, d, h, plinth = widths.sum(), rng.uniform(0.5, 0.62), rng.uniform(0.68, 0.8), rng.uniform(0.07, 0.14)
    wall = rng.uniform(0.015, 0.022)
    bay, is_solid = draw_carcass(case, (w, d, h), wall, plinth)
    fit = draw_fit(rng, wall, (0.015, 0.024), is_solid)
    toe = block((0.995 * w, d - 0.06, plinth), (0, 0.03, plinth / 2))
    case.fit(case.root, "plinth", finish(rng, "dark", "metal", "pale"), toe)
    columns = split(fit.cover(bay), widths, fit.gap)
    for part in columns[1:]:
        add_divider(case, fit, bay, d, wall, part.x - part.w / 2)
    for number, part in enumerate(columns, 1):
        _kitchen_column(case, fit, part, d, number)
    _worktop(case, (w, d, h + plinth))
    return case.finish(AJAR, mirror=False)


def _kitchen_column(case: Casework, fit: Fit, front: Bay, depth: float, number: int) -> None:
    """A door, two doors, drawers, a drawer above doors, or rarely nothing."""
    rng, travel = case.rng, case.rng.uniform(0.55, 0.85)
    kind = str(
        rng.choice(["door", "door", "drawers", "both", "both", "open"] if number > 1 else ["door", "both"])
    )
    if kind == "open":
        return
    if kind == "drawers":
        shares = np.sort(rng.uniform(0.5, 1.2, int(rng.integers(2, 5))))[::-1]
        for k, part in enumerate(split(front, shares, fit.gap, is_row=False)):
            slide_front(case, fit, f"drawer_{number}_{k + 1}", part, 0.85 * depth, travel)
        return
    if kind == "both":
        front, top = split(front, [1.0, rng.uniform(0.2, 0.35)], fit.gap, is_row=False)
        slide_front(case, fit, f"drawer_{number}", top, 0.85 * depth, travel)
    reach, height = rng.uniform(1.57, 2.3), rng.choice([1.0, 0.9, 0.5])
    if front.w > 0.5:
        names = [f"left_door_{number}", f"right_door_{number}"]
        return hinge_doors(case, fit, names, front, reach, height)
    hinge_doors(case, fit, [f"door_{number}"], front, reach, height, str(rng.choice(["left", "right"])))


def _worktop(case: Casework, size: tuple[float, float, float]) -> None:
    """A worktop, often with a sink, a hob or small objects on it."""
    (w, d, h), rng = size, case.rng
    t, over, kind = (
        rng.uniform(0.012, 0.05),
        rng.uniform(0.0, 0.04),
        str(rng.choice(["bare", "hob", "sink", "things"])),
    )
    slab = block((w + 2 * over, d + over, t), (0, -over / 2, h + t / 2 - 0.0005), rng.choice([0.0, 0.1]) * t)
    case.fit(case.root, "worktop", finish(rng, "wood", "pale", "dark", "metal"), slab)
    x = rng.uniform(-0.2, 0.2) * w
    if kind == "hob":
        wide = min(0.8 * w, 0.55)
        plate = block((wide, 0.75 * d, 0.008), (x, 0, h + t + 0.003), 0.002)
        rings = [ring([(0.06, 0), (0.09, 0), (0.09, 0.012), (0.06, 0.012)], 16)] * 2
        spots = [(x - 0.22 * wide, 0.1 * d, h + t), (x + 0.22 * wide, -0.1 * d, h + t)]
        burners = [piece for piece, at in zip(rings, spots, strict=True) for piece in shifted([piece], at)]
        case.fit(case.root, "hob", finish(rng, "dark"), plate, *burners)
    elif kind == "sink":
        rim = block((min(0.8 * w, 0.6), 0.7 * d, 0.006), (x, 0, h + t + 0.002), 0.002)
        neck = [
            (x, 0.3 * d, h + t),
            (x, 0.3 * d, h + t + 0.25),
            (x, 0.2 * d, h + t + 0.3),
            (x, 0.05 * d, h + t + 0.22),
        ]
        case.fit(case.root, "sink", finish(rng, "metal"), rim, tube(neck, 0.012, 8))
    elif kind == "things":
        case.made.part(case.root, clutter(rng, (0, 0.1 * d, h + t - 0.001), 0.8 * w, 0.5 * d))


@family(number=77)
def wall_cabinet(rng: np.random.Generator) -> Shape:
    """A cabinet on a wall with doors, or with flaps that lift up."""
    case = Casework(rng, "wall_cabinet", str(rng.choice(["cabinet", "carcass", "box"])))
    widths = rng.uniform(0.3, 0.75, int(rng.integers(1, 4)))
    w, d, h, wall = widths.sum(), rng.uniform(0.25, 0.4), rng.uniform(0.35, 0.95), rng.uniform(0.014, 0.022)
    bay, is_solid = draw_carcass(case, (w, d, h), wall)
    fit = draw_fit(rng, wall, (0.012, 0.024), is_solid)
    flaps = h < 0.5 or rng.random() < 0.25
    columns = split(fit.cover(bay), widths, fit.gap)
    if not is_solid and rng.random() < 0.7:
        add_shelves(case, fit, bay, d, wall, int(rng.integers(1, 3)))
    for number, part in enumerate(columns, 1):
        if number > 1:
            add_divider(case, fit, bay, d, wall, part.x - part.w / 2)
        if flaps:
            _lift_up(case, fit, part, number)
        else:
            _upper_doors(case, fit, part, number)
    if rng.random() < 0.3:
        plate = block((w + rng.uniform(0.05, 0.4), 0.02, h + 0.2), (0, d / 2 + 0.009, h / 2))
        case.fit(case.root, "wall", finish(rng, "pale", "paint"), plate)
    if rng.random() < 0.3:
        case.made.part(case.root, clutter(rng, (0, 0, h - 0.001), 0.8 * w, 0.6 * d))
    return case.finish(AJAR, mirror=False)


def _lift_up(case: Casework, fit: Fit, front: Bay, number: int) -> None:
    """One or two flaps above each other, hinged at the top."""
    count = 2 if front.h > 0.6 else 1
    for k, part in enumerate(split(front, [1] * count, fit.gap, is_row=False)):
        name = f"flap_{number}" if count == 1 else f"flap_{number}_{k + 1}"
        hinge_front(case, replace(fit, pin=0.0), name, part, "top", case.rng.uniform(1.2, 1.75))


def _upper_doors(case: Casework, fit: Fit, front: Bay, number: int) -> None:
    """One door or two, with grips near the lower end."""
    reach, height = case.rng.uniform(1.57, 2.3), case.rng.choice([-1.0, -0.8, -0.4])
    if front.w > 0.5:
        return hinge_doors(case, fit, [f"left_door_{number}", f"right_door_{number}"], front, reach, height)
    side = str(case.rng.choice(["left", "right"]))
    hinge_doors(case, fit, [f"door_{number}"], front, reach, height, side)


@family(number=79)
def mirror_cabinet(rng: np.random.Generator) -> Shape:
    """A shallow bathroom cabinet with mirrors on its doors, often with a lamp or a shelf."""
    case = Casework(rng, "mirror_cabinet", str(rng.choice(["cabinet", "body"])))
    count = int(rng.integers(1, 4))
    w, d, h = count * rng.uniform(0.28, 0.45), rng.uniform(0.1, 0.2), rng.uniform(0.45, 0.85)
    wall = rng.uniform(0.01, 0.018)
    bay, is_solid = draw_carcass(case, (w, d, h), wall)
    styles = ("flat",) if rng.random() < 0.7 else STYLES[:4]
    fit = replace(
        draw_fit(rng, wall, (0.006, 0.02), is_solid, MIRROR_GRIPS, styles), barrels=rng.random() < 0.3
    )
    front = fit.cover(bay)
    if rng.random() < 0.2:
        low, front = split(front, [0.2, 1.0], fit.gap, is_row=False)
        slide_front(case, fit, "drawer", low, 0.8 * d, 0.7)
    names = _doors_in_a_row(case, fit, front, count, None if is_solid else (bay, d, wall))
    pane, border = finish(rng, "glass", "metal"), float(rng.choice([0.0, 0.02, 0.04]))
    for name, part in zip(names, split(front, [1] * count, fit.gap), strict=True):
        size = (part.w - 2 * border - 0.002, 0.003, part.h - 2 * border - 0.002)
        if fit.grip != "lip":
            case.made.add(name, pane, block(size, (part.x, part.y - fit.t / 2 - 0.001, part.z)))
    if not is_solid:
        add_shelves(case, fit, bay, d, 0.006, int(rng.integers(1, 4)))
    if rng.random() < 0.4:
        half, y = 0.3 * w, -d / 2 - rng.uniform(0.02, 0.08)
        lamp = [
            rod((-half, y, h + 0.03), (half, y, h + 0.03), 0.02, 12),
            block((0.05, d / 2 - y, 0.012), (0, y / 2 + d / 4, h + 0.005)),
        ]
        case.fit(case.root, "lamp", finish(rng, "pale"), *lamp, block((0.02, 0.02, 0.04), (0, y, h + 0.015)))
    if rng.random() < 0.3:
        ledge = block((w, d + 0.06, 0.012), (0, -0.03, -0.1))
        sides = [block((0.012, d, 0.11), (s * (w / 2 - 0.006), 0, -0.05)) for s in (-1, 1)]
        case.fit(case.root, "shelf", case.body, ledge, *sides)
    return case.finish(AJAR, mirror=False)
