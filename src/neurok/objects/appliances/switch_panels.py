"""Panels of switches, rockers, buttons, knobs and faders."""

# ruff: noqa: RUF005 — point + (x, y, z) adds vectors here

from __future__ import annotations

import numpy as np

from neurok.geometry.rotations import rotation_about
from neurok.objects.kit.controls import add_button, add_knob
from neurok.objects.kit.extras import Spot, weld_on_spots
from neurok.objects.kit.finishes import finish
from neurok.objects.kit.mechanism import Mechanism
from neurok.objects.kit.outlines import corners, rectangle
from neurok.objects.kit.panels import walls
from neurok.objects.kit.placing import X, Y, Z, moved, shifted, turned
from neurok.objects.kit.solids import (
    ball,
    block,
    dowel,
    extrude,
    prism_along_x,
    ring,
    rod,
    scaled_lathe,
)
from neurok.objects.registry import family
from neurok.shapes.shape import Shape


@family(number=43)
def switch_panel(rng: np.random.Generator) -> Shape:
    """Rows of switches, rockers, buttons, knobs and faders on a wall plate, a box or a slanted desk."""
    made, p = Mechanism("switch_panel"), rng.uniform(0.025, 0.05)
    kinds = rng.choice(["switch", "rocker", "button", "knob", "fader"], int(rng.integers(1, 5)))
    columns, lamps = int(rng.integers(1 if len(kinds) > 1 else 2, 6)), rng.random() < 0.6
    columns = min(columns, 16 // len(kinds))
    heights = [*np.where(kinds == "fader", 2.9, 1.5) * p, *([0.8 * p] if lamps else [])]
    pitch = rng.uniform(1.05, 1.3) * p
    width, height, t = columns * pitch + rng.uniform(0.7, 1.2) * p, sum(heights) + 0.5 * p, 0.12 * p
    body, dark = finish(rng, "metal", "pale", "paint", "dark", "plastic"), finish(rng, "dark", "rubber")
    corner = rng.uniform(0.05, 0.3) * p
    made.add("panel", body, moved(extrude(rectangle(width, height, corner), t, 0.2 * t), (0, 0, -t / 2)))
    screws = corners(width / 2 - 0.2 * p, height / 2 - 0.2 * p)
    made.add("panel", dark, *(rod((*s, -0.01 * p), (*s, 0.04 * p), 0.07 * p, 8) for s in screws))
    spots: list[Spot] = [("panel", (width / 2, 0, -t / 2), X, t)]
    y, labelled = 0.25 * p - height / 2, rng.random() < 0.7
    for row, tall in enumerate(heights):
        count = int(rng.integers(max(1, columns - 1), columns + 1)) if row < len(kinds) else columns
        wide = pitch * columns / count
        for column in range(count):
            x = (column + 0.5) * wide - pitch * columns / 2
            if row == len(kinds):
                _lamp(made, rng, f"lamp_{column + 1}", (x, y + tall / 2, 0), 0.2 * p)
                continue
            number = row * columns + column + 1
            kind = str(kinds[row]) if rng.random() < 0.85 else str(rng.choice(["switch", "button", "knob"]))
            spots += _control(made, rng, kind, f"{kind}_{number}", (x, y + tall / 2 - 0.1 * p), p, tall)
            if labelled and rng.random() < 0.6:
                plate = block((0.7 * p, 0.16 * p, 0.04 * p), (x, y + tall - 0.12 * p, 0.015 * p), 0.01 * p)
                made.add(f"label_{number}", finish(rng, "pale", "paint", "dark"), plate)
                made.weld("panel", f"label_{number}")
        y += tall
    weld_on_spots(made, rng, spots)
    _housing(made, rng, width, height, t)
    return made.finish(rng)


def _control(made, rng, kind, name, at, p, tall) -> list[Spot]:
    """One control on the plane z = 0 of a panel, in a cell about `p` wide. Returns spots for extras."""
    at = np.array([*at, 0.0])
    if kind == "switch":
        return _toggle(made, rng, name, at, p)
    if kind == "rocker":
        return _rocker(made, rng, name, at, p)
    if kind == "fader":
        return _fader(made, rng, name, at, p, tall - 0.6 * p)
    if kind == "button":
        return add_button(made, rng, "panel", name, at, Z, rng.uniform(0.24, 0.36) * p)
    if rng.random() < 0.6:
        r = 0.46 * p
        ticks = [
            turned(block((0.08 * p, 0.025 * p, 0.02 * p), (r, 0, 0.005 * p)), Z, a)
            for a in np.linspace(-0.8, 3.94, int(rng.integers(5, 12)))
        ]
        made.add("panel", finish(rng, "pale", "dark"), *shifted(ticks, at))
    return add_knob(made, rng, "panel", name, at, Z, rng.uniform(0.26, 0.38) * p)


def _toggle(made, rng, name, at, p) -> list[Spot]:
    """A bat on a ball in a threaded bush, thrown from one side to the other."""
    seat, long, lean = at + 0.08 * p * Z, rng.uniform(0.45, 0.8) * p, rng.uniform(0.25, 0.45)
    axis = X if rng.random() < 0.8 else Y
    metal = finish(rng, "metal", "brass", "dark")
    section = p * np.array([(0.1, -0.02), (0.22, -0.02), (0.22, 0.1), (0.1, 0.14)])
    made.add("panel", metal, moved(ring(section, int(rng.choice([6, 16]))), at))
    tip = seat + long * Z
    bat = block((0.2 * p, 0.12 * p, 0.9 * long), seat + 0.55 * long * Z, 0.03 * p)
    if rng.random() < 0.6:
        bat = rod(seat, tip, (0.05 * p, rng.uniform(0.06, 0.11) * p), 10)
    solids = [turned(s, axis, -lean, seat) for s in (ball(0.1 * p, seat, 10), bat)]
    made.add(name, finish(rng, "metal", "dark", "plastic"), *solids)
    made.hinge("panel", name, seat, axis, 0.0, 2 * lean)
    end = rotation_about(axis, -lean) @ Z
    return [(name, seat + long * end, end, 0.25 * p)]


def _rocker(made, rng, name, at, p) -> list[Spot]:
    """A paddle of a shallow V on a pin between the cheeks of its frame."""
    half, w, lean = rng.uniform(0.3, 0.42) * p, rng.uniform(0.35, 0.7) * p, rng.uniform(0.14, 0.22)
    frame = walls(w + 0.1 * p, 2 * half + 0.1 * p, 0.11 * p, 0.05 * p)
    made.add("panel", finish(rng, "dark", "pale", "metal"), shifted(frame, at))
    dip = rng.uniform(0.04, 0.08)
    outline = np.array([(-1, 0), (0, -0.09), (1, 0), (1, 0.11), (0, dip), (-1, 0.11)]) * (0.97 * half, p)
    seat = at + 0.1 * p * Z
    paddle = turned(moved(prism_along_x(outline, 0.94 * w), seat), X, -lean, seat)
    made.add(name, finish(rng, "plastic", "pale", "dark"), paddle)
    made.add(name, finish(rng, "metal"), dowel(seat, 0.52 * w * X, 0.03 * p, 8))
    made.hinge("panel", name, seat, X, 0.0, 2 * lean)
    return []


def _fader(made, rng, name, at, p, long) -> list[Spot]:
    """A cap on a stem between two rails with stops at their ends."""
    gap, start = 0.1 * p, at - 0.5 * long * Y
    rails = [block((0.08 * p, long, 0.06 * p), at + (s * (gap / 2 + 0.04 * p), 0, 0.02 * p)) for s in (-1, 1)]
    stops = [block((gap + 0.16 * p, 0.08 * p, 0.1 * p), at + (0, s * long / 2, 0.04 * p)) for s in (-1, 1)]
    made.add("panel", finish(rng, "dark", "metal"), *rails, *stops)
    w, d, h = rng.uniform(0.35, 0.6) * p, rng.uniform(0.25, 0.45) * p, rng.uniform(0.16, 0.35) * p
    start = start + (0.5 * d + 0.05 * p) * Y
    solids = [
        block((gap, 0.6 * d, 0.12 * p), start + 0.06 * p * Z),
        block((w, d, h), start + (0.1 * p + h / 2) * Z, 0.06 * p),
    ]
    made.add(name, finish(rng, "dark", "plastic", "pale"), *solids)
    mark = block((0.9 * w, 0.06 * p, 0.03 * p), start + (0.1 * p + h) * Z)
    made.add(name, finish(rng, "pale", "plastic"), mark)
    made.slide("panel", name, Y, 0.0, long - d - 0.1 * p)
    return [(name, start + (0.1 * p + h) * Z, Z, 0.8 * d)]


def _lamp(made, rng, name, at, r) -> None:
    """A signal lamp: a lens in a bezel, glued to the panel."""
    bezel = scaled_lathe([(1, -0.05), (1, 0.3), (0.8, 0.45)], r)
    lens = scaled_lathe([(0.75, 0.3), (0.7, 0.7), (0.4, 1), (0, 1.1)], r)
    made.add(name, finish(rng, "metal", "dark"), moved(bezel, at))
    made.add(name, finish(rng, "plastic"), moved(lens, at))
    made.weld("panel", name)


def _housing(made, rng, width, height, t) -> None:
    """The support of a panel: a wall, a lying or standing box, or a slanted desk. Turns the panel to it."""
    style = str(rng.choice(["plate", "flat", "upright", "desk"]))
    link, body = "panel" if rng.random() < 0.5 else "box", finish(rng, "metal", "paint", "dark", "wood")
    lean = {"flat": 0.0, "desk": rng.uniform(0.25, 1.1)}.get(style, np.pi / 2)
    if style in ("flat", "upright"):
        deep = rng.uniform(0.25, 0.8) * min(width, height)
        box = block((0.98 * width, 0.98 * height, deep), (0, 0, -t - 0.499 * deep), 0.03 * deep)
        made.add(link, body, box)
    made.turn(X, lean)
    if style == "desk":
        edges = [rotation_about(X, lean) @ (0, k * 0.49 * height, -t) for k in (-1, 1)]
        floor = edges[0][2] - rng.uniform(0.1, 0.4) * height
        outline = [edges[0][1:], edges[1][1:], (edges[1][1], floor), (edges[0][1], floor)]
        made.add(link, body, prism_along_x(np.array(outline), 0.98 * width))
    if link == "box" and style != "plate":
        made.weld("panel", "box")
