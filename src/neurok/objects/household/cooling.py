"""Refrigerators, chest freezers and cooler boxes."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from neurok.objects.kit.casework import Casework
from neurok.objects.kit.extras import clutter
from neurok.objects.kit.finishes import FinishName, finish
from neurok.objects.kit.fits import (
    Fit,
    add_shelves,
    draw_carcass,
    draw_fit,
    gasket,
    hinge_front,
    slide_front,
    split,
)  # fmt: skip
from neurok.objects.kit.lanes import Bay
from neurok.objects.kit.outlines import corners
from neurok.objects.kit.panels import walls
from neurok.objects.kit.placing import X, shifted
from neurok.objects.kit.solids import block, dowel, rod, tube
from neurok.objects.registry import family
from neurok.shapes.shape import Shape

ENAMEL: tuple[FinishName, ...] = ("pale", "pale", "metal", "dark", "paint")
GRIPS = ("bar", "bar", "lip", "none", "pull")
LAYOUTS = ("single", "stacked", "stacked", "side by side", "french", "drawers")


@family(number=73)
def refrigerator(rng: np.random.Generator) -> Shape:
    """A refrigerator with one to four doors, or with freezer drawers below."""
    case = Casework(rng, "refrigerator", str(rng.choice(["body", "cabinet", "fridge"])), ENAMEL)
    layout = str(rng.choice(LAYOUTS))
    w = rng.uniform(0.75, 1.0) if layout in ("side by side", "french") else rng.uniform(0.48, 0.75)
    d, h = rng.uniform(0.5, 0.7), rng.uniform(0.7, 1.6) if layout == "single" else rng.uniform(1.4, 2.0)
    wall, foot = rng.uniform(0.025, 0.06), float(rng.choice([0.0, rng.uniform(0.015, 0.07)]))
    bay, is_solid = draw_carcass(case, (w, d, h), wall, foot)
    fit = draw_fit(rng, wall, (0.025, 0.08), is_solid or rng.random() < 0.9, GRIPS, ("flat",))
    fit = replace(fit, barrels=rng.random() < 0.2)
    if not is_solid:
        add_shelves(case, fit, bay, d, 0.008, int(rng.integers(2, 6)))
    bins = not is_solid and not fit.is_inset and rng.random() < 0.6
    _compartments(case, fit, layout, fit.cover(bay), d, bins)
    _under_and_on(case, (w, d, h), foot)
    return case.finish(0.15, mirror=False)


def _compartments(case: Casework, fit: Fit, layout: str, front: Bay, depth: float, bins: bool) -> None:
    """Doors and drawers of a layout."""
    rng, side = case.rng, str(case.rng.choice(["left", "right"]))
    if layout in ("french", "drawers"):
        low, front = split(front, [rng.uniform(0.4, 0.7), 1.0], fit.gap, is_row=False)
        for k, part in enumerate(split(low, [1] * int(rng.integers(1, 4)), fit.gap, is_row=False)):
            slide_front(case, fit, f"freezer_drawer_{k + 1}", part, 0.75 * depth, rng.uniform(0.5, 0.75))
    doors = [("door", front, side)]
    if layout == "stacked":
        share = float(rng.choice([rng.uniform(0.4, 0.8), rng.uniform(1.5, 3.0)]))
        parts = split(front, [share, 1.0], fit.gap, is_row=False)
        names = ["freezer_door", "fridge_door"][:: 1 if share < 1 else -1]
        doors = [(name, part, side) for name, part in zip(names, parts, strict=True)]
    elif layout in ("side by side", "french"):
        share = 1.0 if layout == "french" else rng.uniform(0.6, 1.0)
        parts = split(front, [share, 1.0], fit.gap)
        doors = [("left_door", parts[0], "left"), ("right_door", parts[1], "right")]
    reach, height = rng.uniform(1.6, 2.3), float(rng.choice([0.0, 0.0, -0.3, 0.3]))
    for name, part, at in doors:
        hinge_front(case, fit, name, part, at, reach, height)
        _dress(case, fit, name, part, bins)


def _dress(case: Casework, fit: Fit, name: str, front: Bay, bins: bool) -> None:
    """A seal behind a door, bins inside it, and sometimes a dispenser on it."""
    rng, back = case.rng, front.y + fit.t / 2
    if not fit.is_inset and rng.random() < 0.5:
        case.made.add(name, finish(rng, "rubber", "pale"), *gasket(front, fit))
    if bins:
        deep, margin = rng.uniform(0.05, 0.1), fit.lap + 0.05
        for z in np.linspace(-0.35, 0.3, int(rng.integers(2, 4))) * front.h + front.z:
            tray = walls(front.w - 2 * margin, deep, 0.07, 0.004)
            tray.append(block((front.w - 2 * margin, deep, 0.004), (0, 0, 0.002)))
            case.made.add(
                name, finish(rng, "glass", "pale"), *shifted(tray, (front.x, back + deep / 2 - 0.003, z))
            )
    if front.h > 0.9 and rng.random() < 0.15:
        plate = block(
            (0.45 * front.w, 0.01, 0.3), (front.x, front.y - fit.t / 2, front.z + 0.1 * front.h), 0.003
        )
        case.fit(name, "dispenser", finish(rng, "dark"), plate)


def _under_and_on(case: Casework, size: tuple[float, float, float], foot: float) -> None:
    """A plinth or feet below, and sometimes small objects on top."""
    (w, d, h), rng = size, case.rng
    if foot and rng.random() < 0.5:
        case.still(finish(rng, "dark", "metal"), block((0.95 * w, 0.9 * d, foot), (0, 0.03 * d, foot / 2)))
    elif foot:
        for x, y in corners(0.42 * w, 0.42 * d):
            case.fit(case.root, "foot", finish(rng, "dark"), rod((x, y, 0), (x, y, foot + 0.002), 0.02, 10))
    if rng.random() < 0.25:
        case.made.part(case.root, clutter(rng, (0, 0.05 * d, h + foot - 0.001), 0.8 * w, 0.6 * d))


@family(number=74)
def cold_chest(rng: np.random.Generator) -> Shape:
    """A chest freezer or a cooler box with one or two lids hinged at the back."""
    is_cooler = rng.random() < 0.5
    case = Casework(rng, "cold_chest", str(rng.choice(["body", "chest", "box"])), ENAMEL)
    if is_cooler:
        case.skin, case.body = finish(rng, "plastic", "pale"), finish(rng, "plastic", "pale", "paint")
    size = (
        rng.uniform((0.3, 0.22, 0.25), (0.8, 0.42, 0.45))
        if is_cooler
        else rng.uniform((0.55, 0.5, 0.75), (1.6, 0.75, 0.95))
    )
    w, d, h = size
    wall = rng.uniform(0.05, 0.1) * (0.5 if is_cooler else 0.9)
    if rng.random() < 0.7:
        case.still(case.body, *walls(w, d, h, wall), block((w - wall, d - wall, wall), (0, 0, wall / 2)))
    else:
        case.still(case.body, block((w, d, h), (0, 0, h / 2), rng.choice([0.004, 0.02]), 4))
    _chest_lids(case, size, wall, 1 if is_cooler or w < 1.2 else int(rng.integers(1, 3)))
    if is_cooler and rng.random() < 0.6:
        _bail(case, size)
    if rng.random() < 0.5:
        r = 0.05 * h + 0.01
        for x, y in corners(0.4 * w, 0.4 * d):
            case.fit(case.root, "wheel", finish(rng, "rubber"), dowel((x, y, 0), 0.015 * X, r, 14))
    if rng.random() < 0.5:
        grille = block((0.25 * w, 0.01, 0.25 * h), (0.3 * w, -d / 2, 0.2 * h), 0.002)
        case.fit(case.root, "grille", finish(rng, "dark", "metal"), grille)
    return case.finish(0.15)


def _chest_lids(case: Casework, size: np.ndarray, wall: float, count: int) -> None:
    """Lids side by side on or in the rim, each with a grip at its front edge."""
    rng, (w, d, h) = case.rng, size
    t, over = rng.uniform(0.08, 0.2) * min(d, h), float(rng.choice([0.0, 0.008, -0.004]))
    gap, pin = float(rng.choice([0.0, 0.0005, 0.003, -0.003])), float(rng.choice([0.0, 0.0, 0.5]))
    wide, deep, z, material = w / count + 2 * over - 0.002, d + 2 * over, h + gap, case.skin
    grip, barrels, reach = (
        str(rng.choice(["lip", "bar", "none", "plate"])),
        rng.random() < 0.4,
        rng.uniform(1.2, 1.9),
    )
    for k in range(count):
        x, name = (k + 0.5) / count * w - w / 2, "lid" if count == 1 else f"lid_{k + 1}"
        case.made.add(
            name, material, block((wide, deep, t), (x, 0, z + t / 2), rng.choice([0.08, 0.25]) * t, 4)
        )
        if rng.random() < 0.5:
            plug = (wide - 2.3 * wall, deep - 2.3 * wall, 0.4 * t)
            case.made.add(name, finish(rng, "pale"), block(plug, (x, 0, z - 0.15 * t)))
        front = -deep / 2
        if grip == "lip":
            case.fit(
                name,
                "handle",
                material,
                block((0.3 * wide, 0.03, 0.3 * t), (x, front - 0.012, z + 0.4 * t), 0.004),
            )
        elif grip == "bar":
            bow = ((-0.15, 0.002), (-0.13, -0.035), (0.13, -0.035), (0.15, 0.002))
            path = [(x + share * wide, front + out, z + t / 2) for share, out in bow]
            case.fit(name, "handle", case.metal, tube(path, 0.008, 8))
        elif grip == "plate":
            case.fit(
                name,
                "latch",
                case.metal,
                block((0.06, 0.012, 1.2 * t), (x, front - 0.005, z + 0.2 * t), 0.002),
            )
        back = deep / 2 + 0.004
        for s in (-0.3, 0.3) if barrels else ():
            case.still(
                case.metal, dowel((x + s * wide, back, z + pin * t), 0.05 * wide * X, 0.1 * t + 0.003, 10)
            )
        case.made.hinge(case.root, name, (x, deep / 2, z + pin * t), -X, 0.0, reach)


def _bail(case: Casework, size: np.ndarray) -> None:
    """A carrying handle on pins at the ends, which rests behind the box and swings to its front."""
    (w, d, h), r = size, case.rng.uniform(0.006, 0.012)
    x, z, back = w / 2 + 1.6 * r, 0.72 * h, d / 2 + 0.03 + r
    path = [(-x, 0, z), (-x, back, z), (x, back, z), (x, 0, z)]
    pins = [dowel((s * (w / 2 + r), 0, z), 1.6 * r * X, 1.4 * r, 10) for s in (-1, 1)]
    case.made.add("carry_handle", finish(case.rng, "dark", "metal", "pale"), tube(path, r, 8), *pins)
    case.made.hinge(case.root, "carry_handle", (0, 0, z), X, 0.0, np.pi)
