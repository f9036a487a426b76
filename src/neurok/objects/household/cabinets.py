"""Low cabinets with drawers and flaps: dressers, side tables, television benches, shoe cabinets, beds."""

# ruff: noqa: RUF005 — point + (x, y, z) adds vectors here

from __future__ import annotations

from dataclasses import replace

import numpy as np

from neurok.objects.kit.casework import Casework
from neurok.objects.kit.extras import clutter
from neurok.objects.kit.finishes import finish
from neurok.objects.kit.fits import (
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
from neurok.objects.kit.outlines import corners
from neurok.objects.kit.solids import ball, block, rod
from neurok.objects.registry import family
from neurok.shapes.shape import Shape

DRAWER_STYLES = ("flat", "flat", "flat", "framed", "coffered")
AJAR = 0.15  # probability that an object is drawn partly open


@family(number=88)
def dresser(rng: np.random.Generator) -> Shape:
    """A chest of drawers in rows of different heights, sometimes with a mirror above."""
    case = Casework(rng, "dresser", str(rng.choice(["carcass", "body", "dresser"])))
    columns = int(rng.choice([1, 1, 2, 2, 3]))
    rows = min(int(rng.integers(2, 6)), 12 // columns)
    w, d = columns * rng.uniform(0.35, 0.7), rng.uniform(0.35, 0.55)
    h, foot = rows * rng.uniform(0.13, 0.26), float(rng.choice([0.0, rng.uniform(0.03, 0.2)]))
    wall = rng.uniform(0.014, 0.025)
    bay, is_solid = draw_carcass(case, (w, d, h), wall, foot)
    fit, number = draw_fit(rng, wall, is_solid=is_solid, styles=DRAWER_STYLES), 0
    shares, travel = np.sort(rng.uniform(0.6, 1.2, rows))[::-1], rng.uniform(0.5, 0.85)
    for k, row in enumerate(split(fit.cover(bay), shares, fit.gap, is_row=False)):
        for part in split(row, [1] * columns, fit.gap):
            if not k:
                _divide(case, fit, bay, (d, wall), part)
            number += 1
            slide_front(case, fit, f"drawer_{number}", part, 0.85 * (d - fit.room), travel)
    _feet(case, (w, d), foot)
    _top(case, (w, d, h + foot))
    return case.finish(AJAR, mirror=False)


@family(number=89)
def side_table(rng: np.random.Generator) -> Shape:
    """A bedside, hall or coffee table: a top on legs over one or two drawers, sometimes with a door below."""
    case = Casework(rng, "side_table", str(rng.choice(["frame", "table", "body"])))
    w, d, h = rng.uniform((0.35, 0.3, 0.4), (1.3, 0.6, 0.85))
    tall, wall = rng.uniform(0.1, 0.2), rng.uniform(0.012, 0.022)
    has_door = w < 0.6 and rng.random() < 0.4
    box = h * rng.uniform(0.6, 0.85) if has_door else tall
    bay, is_solid = draw_carcass(case, (w, d, box), wall, h - box)
    fit = draw_fit(rng, wall, (0.01, 0.022), is_solid)
    front, count = fit.cover(bay), 1 if w < 0.6 else int(rng.integers(1, 4))
    if has_door:
        front, top = split(front, [1.0, rng.uniform(0.3, 0.6)], fit.gap, is_row=False)
        hinge_doors(
            case, fit, ["door"], front, rng.uniform(1.6, 2.2), 0.5, str(rng.choice(["left", "right"]))
        )
        front = top
    for k, part in enumerate(split(front, [1] * count, fit.gap), 1):
        _divide(case, fit, bay, (d, wall), part)
        slide_front(
            case,
            fit,
            f"drawer_{k}" if count > 1 else "drawer",
            part,
            0.8 * (d - fit.room),
            rng.uniform(0.5, 0.8),
        )
    _feet(case, (w, d), h - box)
    if rng.random() < 0.4 and h - box > 0.2:
        case.still(case.body, block((0.94 * w, 0.9 * d, 0.015), (0, 0, 0.3 * (h - box))))
    _top(case, (w, d, h))
    return case.finish(AJAR, mirror=False)


@family(number=90)
def tv_bench(rng: np.random.Generator) -> Shape:
    """A low bench with drawers, flaps that drop down, doors and open compartments."""
    case = Casework(rng, "tv_bench", str(rng.choice(["carcass", "bench", "body"])))
    widths = rng.uniform(0.35, 0.7, int(rng.integers(2, 5)))
    w, d, h = widths.sum(), rng.uniform(0.35, 0.5), rng.uniform(0.25, 0.55)
    foot, wall = float(rng.choice([0.0, rng.uniform(0.04, 0.18)])), rng.uniform(0.014, 0.022)
    bay, is_solid = draw_carcass(case, (w, d, h), wall, foot)
    fit = draw_fit(rng, wall, (0.012, 0.022), is_solid)
    columns = split(fit.cover(bay), widths, fit.gap)
    for part in columns[1:] if not is_solid else ():
        add_divider(case, fit, bay, d, wall, part.x - part.w / 2)
    for number, part in enumerate(columns, 1):
        _bench_column(case, fit, part, d, number)
    _feet(case, (w, d), foot)
    screen = 0.6 * w
    if rng.random() < 0.3:
        z = h + foot
        panel = block((screen, 0.03, 0.56 * screen), (0, 0.05, z + 0.04 + 0.28 * screen))
        stand = [
            block((0.4 * screen, 0.2, 0.01), (0, 0.05, z + 0.004)),
            block((0.06, 0.03, 0.06), (0, 0.05, z + 0.03)),
        ]
        case.fit(case.root, "television", finish(rng, "dark"), panel, *stand)
    else:
        _top(case, (w, d, h + foot))
    return case.finish(AJAR, mirror=False)


def _bench_column(case: Casework, fit: Fit, part: Bay, depth: float, number: int) -> None:
    """A flap, drawers, a door, or nothing."""
    rng = case.rng
    kind = str(rng.choice(["flap", "flap", "drawers", "door", "open"] if number > 1 else ["flap", "drawers"]))
    if kind == "flap":
        hinge_front(case, fit, f"flap_{number}", part, "bottom", rng.uniform(1.3, 1.6))
    elif kind == "door":
        side = str(rng.choice(["left", "right"]))
        hinge_doors(case, fit, [f"door_{number}"], part, rng.uniform(1.6, 2.2), 0.0, side)
    elif kind == "drawers":
        for k, row in enumerate(split(part, [1] * int(rng.integers(1, 3)), fit.gap, is_row=False), 1):
            slide_front(
                case, fit, f"drawer_{number}_{k}", row, 0.8 * (depth - fit.room), rng.uniform(0.5, 0.8)
            )


@family(number=91)
def shoe_cabinet(rng: np.random.Generator) -> Shape:
    """A shallow cabinet with flaps that tilt out about their lower edges, sometimes with a drawer above."""
    case = Casework(rng, "shoe_cabinet", str(rng.choice(["carcass", "cabinet", "body"])))
    columns, rows = int(rng.integers(1, 3)), int(rng.integers(1, 5))
    w, d, h = columns * rng.uniform(0.4, 0.75), rng.uniform(0.16, 0.32), rows * rng.uniform(0.32, 0.48)
    wall, foot = rng.uniform(0.014, 0.02), float(rng.choice([0.0, 0.0, rng.uniform(0.03, 0.12)]))
    bay, is_solid = draw_carcass(case, (w, d, h), wall, foot)
    fit = draw_fit(rng, wall, (0.012, 0.022), is_solid, styles=DRAWER_STYLES)
    front, number, reach = fit.cover(bay), 0, rng.uniform(0.5, 1.1)
    if rng.random() < 0.3:
        front, top = split(front, [1.0, 0.2], fit.gap, is_row=False)
        for k, part in enumerate(split(top, [1] * columns, fit.gap), 1):
            slide_front(case, fit, f"drawer_{k}", part, 0.75 * (d - fit.room), 0.7)
    for row in split(front, [1] * rows, fit.gap, is_row=False):
        for part in split(row, [1] * columns, fit.gap):
            number += 1
            hinge_front(case, fit, f"flap_{number}", part, "bottom", reach)
    _feet(case, (w, d), foot)
    _top(case, (w, d, h + foot))
    return case.finish(AJAR, mirror=False)


@family(number=92)
def bureau(rng: np.random.Generator) -> Shape:
    """A writing bureau: a front that drops to a writing board, over drawers or doors."""
    case = Casework(rng, "bureau", str(rng.choice(["carcass", "bureau", "body"])))
    w, d, h = rng.uniform((0.6, 0.35, 0.95), (1.0, 0.5, 1.5))
    foot, wall = rng.uniform(0.0, 0.2), rng.uniform(0.015, 0.025)
    bay, is_solid = draw_carcass(case, (w, d, h), wall, foot)
    fit = draw_fit(rng, wall, (0.014, 0.025), is_solid)
    low, board = split(fit.cover(bay), [rng.uniform(0.9, 1.6), 1.0], fit.gap, is_row=False)
    hinge_front(
        case, fit, str(rng.choice(["flap", "drop_front", "door"])), board, "bottom", rng.uniform(1.5, 1.6)
    )
    if rng.random() < 0.6:
        for k, part in enumerate(split(low, [1] * int(rng.integers(2, 5)), fit.gap, is_row=False), 1):
            slide_front(case, fit, f"drawer_{k}", part, 0.85 * (d - fit.room), rng.uniform(0.5, 0.8))
    else:
        hinge_doors(case, fit, ["left_door", "right_door"], low, rng.uniform(1.6, 2.2), 0.6)
    if not is_solid:
        inner = replace(bay, z=board.z, h=board.h - 0.02)
        add_shelves(case, fit, inner, d, 0.012, int(rng.integers(1, 3)))
        case.still(
            case.body, block((bay.w, d - fit.room - 0.02, wall), (0, fit.room / 2, board.z - board.h / 2))
        )
    _feet(case, (w, d), foot)
    _top(case, (w, d, h + foot))
    return case.finish(AJAR, mirror=False)


@family(number=93)
def storage_bed(rng: np.random.Generator) -> Shape:
    """A bed with drawers along its side under the mattress."""
    case = Casework(rng, "storage_bed", str(rng.choice(["frame", "bed", "base"])))
    w, d, h = rng.uniform((1.6, 0.8, 0.22), (2.1, 1.6, 0.4))
    wall, foot = rng.uniform(0.018, 0.03), float(rng.choice([0.0, rng.uniform(0.03, 0.15)]))
    bay, is_solid = draw_carcass(case, (w, d, h), wall, foot)
    fit = draw_fit(rng, wall, (0.015, 0.025), is_solid)
    for k, part in enumerate(split(fit.cover(bay), [1] * int(rng.integers(1, 5)), fit.gap), 1):
        _divide(case, fit, bay, (d, wall), part)
        slide_front(case, fit, f"drawer_{k}", part, min(0.7, 0.7 * d), rng.uniform(0.5, 0.8))
    top, soft = h + foot, rng.uniform(0.1, 0.25)
    case.still(
        finish(rng, "pale", "fabric"),
        block((0.98 * w, 0.97 * d, soft), (0, 0, top + soft / 2 - 0.001), 0.04, 3),
    )
    side = float(rng.choice([-1, 1]))
    if rng.random() < 0.8:
        board = block((0.05, d, top + rng.uniform(0.3, 0.7)), (0, 0, 0))
        tall = np.ptp(board.vertices[:, 2])
        case.fit(
            case.root,
            "headboard",
            case.skin,
            board.with_(vertices=board.vertices + (side * (w / 2 + 0.024), 0, tall / 2)),
        )
    for y in (-0.24, 0.24) if d > 1.2 else (0.0,):
        pillow = block((0.4, 0.6, 0.12), (side * (w / 2 - 0.25), y * d, top + soft + 0.05), 0.04, 3)
        case.fit(case.root, "pillow", finish(rng, "pale", "fabric"), pillow)
    _feet(case, (w, d), foot)
    return case.finish(AJAR, mirror=False)


def _divide(case: Casework, fit: Fit, bay: Bay, board: tuple[float, float], part: Bay) -> None:
    """A thin upright board at the left edge of every front but the first, in a hollow body."""
    x = part.x - part.w / 2 - fit.gap / 2
    if not case.is_solid and x > bay.x - bay.w / 2 + 0.02:
        add_divider(case, fit, bay, board[0], min(board[1], 0.006), x)


def _feet(case: Casework, size: tuple[float, float], low: float) -> None:
    """Four legs, four balls or a plinth of a given height."""
    (w, d), rng = size, case.rng
    if low <= 0.005:
        return
    kind = str(rng.choice(["plinth", "square", "round", "ball"]))
    if kind == "plinth" and low < 0.15:
        return case.still(case.body, block((0.95 * w, 0.9 * d, low + 0.001), (0, 0.03 * d, low / 2)))
    thick = min(0.025, 0.5 * low + 0.008)
    for x, y in corners(w / 2 - 1.2 * thick, d / 2 - 1.2 * thick):
        if kind == "square":
            leg = block((1.6 * thick, 1.6 * thick, low + 0.002), (x, y, low / 2))
        elif kind == "ball" and low < 0.08:
            leg = ball(low / 2 + 0.002, (x, y, low / 2), 12)
        else:
            leg = rod((x, y, 0), (x, y, low + 0.002), (0.6 * thick, thick), 12)
        case.fit(case.root, "leg", case.skin if kind == "square" else case.metal, leg)


def _top(case: Casework, size: tuple[float, float, float]) -> None:
    """A thicker top, a mirror, small objects, or nothing on a cabinet."""
    (w, d, z), rng = size, case.rng
    if rng.random() < 0.5:
        over, t = rng.uniform(0.0, 0.03), rng.uniform(0.01, 0.035)
        slab = block(
            (w + 2 * over, d + over, t), (0, -over / 2, z + t / 2 - 0.0005), rng.choice([0.0, 0.15]) * t
        )
        case.fit(
            case.root, "top", case.body if rng.random() < 0.5 else finish(rng, "wood", "pale", "dark"), slab
        )
        z += t
    if rng.random() < 0.3:
        case.made.part(case.root, clutter(rng, (0, 0.05 * d, z - 0.001), 0.8 * w, 0.6 * d))
