"""Flat parts on pins: bars and strips, leaves on a common pin, rivets and screws."""

from __future__ import annotations

from collections.abc import Sequence as Many

import numpy as np

from neurok.objects.kit.finishes import FinishName
from neurok.objects.kit.mechanism import Mechanism, grounded
from neurok.objects.kit.outlines import Path, Vector, arc, lifted, rectangle
from neurok.objects.kit.placing import X, Z, moved
from neurok.objects.kit.solids import block, extrude, lathe, loop, tube, washer
from neurok.shapes.appearance import Material
from neurok.shapes.robots.assembly import painted
from neurok.shapes.shape import Shape

BODIES: tuple[FinishName, ...] = ("metal", "brass", "dark", "paint", "plastic")
TRIMS: tuple[FinishName, ...] = ("metal", "brass", "dark", "plastic", "rubber")  # finishes of welded parts
STRIPS = ("round", "square", "waisted", "eyed")  # styles of `flat_strip`
Layer = list[tuple[float, float]]  # level and thickness of the leaves of one arm on a pin


def strip_outline(path: Path, width: float | Vector) -> np.ndarray:
    """The outline of a band with round ends along a plane path; one width, or one per point."""
    path = np.asarray(path, np.float64)
    half = np.broadcast_to(np.asarray(width, np.float64), len(path)) / 2
    along = np.gradient(path, axis=0)
    heading = np.arctan2(along[:, 1], along[:, 0])
    side = (half * [-np.sin(heading), np.cos(heading)]).T[1:-1]
    first = path[0] + arc(half[0], heading[0] + 0.5 * np.pi, heading[0] + 1.5 * np.pi, 9)
    last = path[-1] + arc(half[-1], heading[-1] - 0.5 * np.pi, heading[-1] + 0.5 * np.pi, 9)
    return np.concatenate([first, path[1:-1] - side, last, (path[1:-1] + side)[::-1]])


def flat_bar(path: Path, width: float | Vector, thick: float, bevel: float = 0.0) -> Shape:
    """A flat bar along a plane path."""
    return extrude(strip_outline(path, width), thick, bevel)


def flat_strip(
    style: str, start: float, end: float, eyes: Many[float], width: float, thick: float
) -> list[Shape]:
    """A flat bar along x about the plane z = 0; the style "eyed" has holes."""
    bevel, half = 0.12 * thick, width / 2
    if style == "square":
        outline = rectangle(end - start, width, 0.12 * width, 1)
        return [moved(extrude(outline, thick, bevel), (start + end) / 2 * X)]
    if style != "eyed":
        path = np.c_[np.linspace(start + half, end - half, 7), np.zeros(7)]
        slim = 1 - 0.35 * np.sin(np.linspace(0, np.pi, 7)) * (style == "waisted")
        return [flat_bar(path, width * slim, thick, bevel)]
    hole = 0.26 * width
    eye, lap = washer(hole, half, thick, 18), (half + hole) / 2
    stops = np.array([start, *(x + s * lap for x in sorted(eyes) for s in (-1, 1)), end]).reshape(-1, 2)
    runs = [(a, b) for a, b in stops if b - a > 0.3 * width]
    bars = [block((b - a, 0.8 * width, 0.94 * thick), ((a + b) / 2, 0, 0)) for a, b in runs]
    return [*bars, *(moved(eye, x * X) for x in eyes)]


def pin_leaves(layer: Layer, path: Path, width: float | Vector) -> list[Shape]:
    """Thin bars around a pin, one at each level of a layer."""
    return [moved(flat_bar(path, width, high), z * Z) for z, high in layer]


def leaf_layers(rng: np.random.Generator, thick: float) -> tuple[Layer, Layer]:
    """Levels and thicknesses of two arms' leaves on one pin: lapped, or a tongue in a fork."""
    if rng.random() < 0.5:
        return [(-thick / 4, thick / 2)], [(thick / 4, thick / 2)]
    return [(-thick / 3, thick / 3), (thick / 3, thick / 3)], [(0.0, thick / 3)]


def limb_along(
    rng: np.random.Generator, path: np.ndarray, width: float, thick: float, body: Material, trim: Material
) -> list[Shape]:
    """An arm along a plane path: a flat bar, one with a sleeve, a turned rod, or bent wire."""
    style = rng.choice(["flat", "sleeve", "turned", "wire"], p=[0.35, 0.25, 0.25, 0.15])
    flat = min(thick, width)
    if style == "wire":
        outline = strip_outline(path, 0.8 * width)
        return [painted(loop(lifted(outline), 0.3 * flat, 8), body)]
    if style == "turned":
        swell = 0.5 + rng.uniform(0.02, 0.12) * np.sin(np.linspace(0, rng.integers(1, 6) * np.pi, len(path)))
        return [painted(tube(lifted(path), width * swell, 12, rounded=True), body)]
    bars = [painted(flat_bar(path, width, thick, rng.uniform(0.02, 0.2) * flat), body)]
    if style == "sleeve":
        bars.append(painted(flat_bar(path[len(path) // 2 :], 1.15 * width, 1.25 * thick, 0.2 * flat), trim))
    return bars


def rivet(radius: float, thick: float) -> Shape:
    """A pin along z with a head on either face."""
    top = thick / 2
    rows = [(0.6 * radius, -top - 0.35 * radius), (radius, -top), (0.5 * radius, -top)]
    return lathe([*rows, *((r, -z) for r, z in rows[::-1])], 14)


def flush_pin(radius: float, low: float, high: float, head: float, sides: int = 12) -> Shape:
    """A pin along z from `low` to `high` with a low head beyond either end."""
    rows = [(0.8 * radius, low - head), (radius, low - 0.4 * head), (radius, low), (0.6 * radius, low)]
    rows += [(0.6 * radius, high), (radius, high), (radius, high + 0.4 * head), (0.8 * radius, high + head)]
    return lathe(rows, sides)


def pin_cap(radius: float) -> Shape:
    """A shallow disc for the face of a pin."""
    return lathe([(radius, 0), (radius, 0.1 * radius), (0.6 * radius, 0.4 * radius)], 16)


def threaded(radius: float, length: float, turns: int) -> Shape:
    """A ridged screw from 0 up the z axis."""
    rows = [(0.82 + 0.18 * (k % 2), k / 2 / turns) for k in range(2 * turns + 1)]
    return lathe(np.multiply(rows, (radius, length)), 10)


def collar_around(run: float, tall: float, deep: float, wall: float) -> list[Shape]:
    """Four walls around a bar along x."""
    faces = [block((run, tall + 2 * wall, wall), (0, 0, s * 0.5 * (deep + wall))) for s in (-1, 1)]
    return faces + [block((run, wall, deep), (0, s * 0.5 * (tall + wall), 0)) for s in (-1, 1)]


def laid_or_stood(made: Mechanism, rng: np.random.Generator, chance: float) -> Mechanism:
    """The mechanism in the plane z = 0, or at random stood up with its y axis upwards."""
    if rng.random() < chance:
        made.turn(X, np.pi / 2)
    return made


def set_down(made: Mechanism, rng: np.random.Generator, stood: float) -> Mechanism:
    """The mechanism flat or at random stood up, turned about z, with its lowest point on z = 0."""
    laid_or_stood(made, rng, stood).turn(Z, rng.choice([0.0, rng.uniform(-np.pi, np.pi)]))
    return grounded(made)
