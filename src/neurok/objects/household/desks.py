"""Desks with drawers and cupboards."""

from __future__ import annotations

import numpy as np

from neurok.objects.kit.casework import Casework
from neurok.objects.kit.extras import clutter
from neurok.objects.kit.finishes import finish
from neurok.objects.kit.fits import Fit, draw_carcass, draw_fit, hinge_doors, slide_front, split
from neurok.objects.kit.lanes import Bay
from neurok.objects.kit.outlines import corners
from neurok.objects.kit.solids import block, rod
from neurok.objects.registry import family
from neurok.shapes.shape import Shape


@family(number=78)
def office_desk(rng: np.random.Generator) -> Shape:
    """A desk: a top on legs, panels and one or two pedestals with drawers or a cupboard."""
    case = Casework(rng, "office_desk", str(rng.choice(["desk", "frame", "body"])))
    w, d, h = rng.uniform((0.95, 0.5, 0.68), (1.8, 0.85, 0.78))
    t, wall = rng.uniform(0.018, 0.04), rng.uniform(0.014, 0.022)
    top = block((w, d, t), (0, 0, h - t / 2), rng.choice([0.0, 0.2]) * t)
    case.still(case.body if rng.random() < 0.5 else finish(rng, "wood", "pale", "dark"), top)
    sides = [int(rng.choice([-1, 1]))] if rng.random() < 0.6 else [-1, 1]
    wide, low = rng.uniform(0.3, 0.42), float(rng.choice([0.0, rng.uniform(0.03, 0.15)]))
    for side in sides:
        size = (wide, 0.92 * d, h - t - low)
        bay, is_solid = draw_carcass(case, size, wall, low, side * (w - wide) / 2 * 0.99)
        fit = draw_fit(rng, wall, (0.012, 0.022), is_solid)
        _pedestal(case, fit, bay, size[1], "left" if side < 0 else "right")
        if low:
            _feet(case, bay.x, size, low)
    if len(sides) == 1:
        _support(case, -sides[0], (w, d, h - t))
    if rng.random() < 0.4:
        _centre_drawer(case, (w, d, h - t), wide, sides)
    if rng.random() < 0.5:
        panel = block((w - 0.05, 0.015, 0.4 * h), (0, 0.4 * d, h - t - 0.2 * h))
        case.fit(case.root, "modesty_panel", case.body, panel)
    if rng.random() < 0.4:
        case.made.part(case.root, clutter(rng, (0, 0.15 * d, h - 0.001), 0.7 * w, 0.5 * d))
    return case.finish(0.15, mirror=False)


def _pedestal(case: Casework, fit: Fit, bay: Bay, depth: float, where: str) -> None:
    """Drawers, a cupboard, or a drawer above a cupboard."""
    rng, front = case.rng, fit.cover(bay)
    kind, travel = str(rng.choice(["drawers", "drawers", "door", "both"])), rng.uniform(0.55, 0.85)
    if kind == "drawers":
        shares = np.sort(rng.uniform(0.5, 1.3, int(rng.integers(2, 5))))[::-1]
        for k, part in enumerate(split(front, shares, fit.gap, is_row=False)):
            slide_front(case, fit, f"{where}_drawer_{k + 1}", part, 0.85 * depth, travel)
        return
    if kind == "both":
        front, top = split(front, [1.0, rng.uniform(0.25, 0.4)], fit.gap, is_row=False)
        slide_front(case, fit, f"{where}_drawer", top, 0.85 * depth, travel)
    side, height = str(rng.choice(["left", "right"])), float(rng.choice([0.9, 0.5, 0.0]))
    hinge_doors(case, fit, [f"{where}_door"], front, rng.uniform(1.57, 2.2), height, side)


def _feet(case: Casework, x: float, size: tuple[float, float, float], low: float) -> None:
    """Four feet or a plinth under a pedestal."""
    w, d, _ = size
    if case.rng.random() < 0.4:
        case.still(case.body, block((0.94 * w, 0.92 * d, low), (x, 0.02 * d, low / 2)))
        return
    for a, b in corners(0.42 * w, 0.42 * d):
        case.still(case.metal, rod((x + a, b, 0), (x + a, b, low + 0.002), 0.014, 10))


def _support(case: Casework, side: int, size: tuple[float, float, float]) -> None:
    """A panel or two legs under the free end of the top."""
    w, d, h = size
    if case.rng.random() < 0.4:
        case.still(case.body, block((0.025, 0.9 * d, h), (side * (w / 2 - 0.03), 0, h / 2)))
        return
    for y in (-0.42 * d, 0.42 * d):
        case.still(
            case.metal, rod((side * (w / 2 - 0.05), y, 0), (side * (w / 2 - 0.06), y, h + 0.002), 0.018, 10)
        )


def _centre_drawer(case: Casework, size: tuple[float, float, float], wide: float, sides: list[int]) -> None:
    """A flat drawer under the top, on two runners between the supports."""
    (w, d, h), rng = size, case.rng
    room = w - wide * len(sides) - 0.2
    x, tall = (0.0 if len(sides) == 2 else -sides[0] * wide / 2), rng.uniform(0.06, 0.11)
    fit = draw_fit(rng, 0.012, (0.012, 0.02), True)
    place = Bay(x, h - tall / 2 - 0.004, min(room, 0.7), tall, -0.44 * d)
    slide_front(case, fit, "centre_drawer", place, 0.7 * d, 0.6)
    for s in (-1, 1):
        runner = block((0.012, 0.6 * d, 0.5 * tall), (x + s * (place.w / 2 - 0.02), 0, h - 0.25 * tall))
        case.still(case.metal, runner)
