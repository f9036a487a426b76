"""Panels with tabs that slide in slots, and with knobs, buttons and lamps."""

# ruff: noqa: RUF005 — point + (x, y, z) adds vectors here

from __future__ import annotations

import numpy as np

from neurok.geometry.rotations import rotation_about
from neurok.objects.kit.controls import add_button, add_knob
from neurok.objects.kit.extras import weld_on_spots
from neurok.objects.kit.finishes import finish
from neurok.objects.kit.mechanism import Mechanism, grounded
from neurok.objects.kit.outlines import corners, lifted, rectangle
from neurok.objects.kit.panels import walls
from neurok.objects.kit.placing import X, Y, Z, moved, shifted, turned
from neurok.objects.kit.solids import (
    ball,
    bar,
    block,
    extrude,
    loop,
    prism_along_x,
    rod,
    scaled_lathe,
)
from neurok.objects.registry import family
from neurok.shapes.shape import Shape

ZONES = {
    "upright": 1.3,
    "level": 3.2,
    "slanted": 2.8,
    "knobs": 1.7,
    "buttons": 1.4,
    "lamps": 0.9,
    "grille": 2.2,
}


@family(number=59)
def slot_panel(rng: np.random.Generator) -> Shape:
    """An instrument front, wall plate or heater front: tabs in slots beside knobs, buttons and lamps."""
    made, p = Mechanism("slot_panel"), rng.uniform(0.02, 0.045)
    slots = rng.choice(["upright", "level", "slanted"], int(rng.integers(1, 3))).tolist()
    kinds = ["knobs", "knobs", "buttons", "lamps", "grille"]
    others = rng.choice(kinds, int(rng.integers(0, 5 - len(slots)))).tolist()
    zones = [str(z) for z in rng.permutation(slots + others)]
    widths = np.array([ZONES[z] for z in zones]) * p * rng.uniform(1.0, 1.25)
    high, t, skin = rng.uniform(2.6, 4.0) * p, rng.uniform(0.08, 0.2) * p, rng.uniform(0.06, 0.14) * p
    wide, border = widths.sum() + 0.4 * p, str(rng.choice(["cut", "lip", "frame", "rails"]))
    body = finish(rng, "metal", "pale", "paint", "dark", "plastic")
    trim = finish(rng, "dark", "metal", "rubber")
    board = block((wide, high + 0.4 * p, t), (0, high / 2, -t / 2), 0.2 * t)
    made.add("panel", trim if border == "cut" else body, board)
    screw = scaled_lathe([(1, -0.5), (1, 0.3), (0.5, 0.6)], 0.07 * p, 8)
    places = [(x, y + high / 2, 0) for x, y in corners(0.5 * wide - 0.1 * p, 0.5 * high + 0.1 * p)]
    made.add("panel", trim, *(moved(screw, at) for at in places))
    face = skin if border == "cut" else 0.0
    seed, left = int(rng.integers(2**32)), -0.5 * widths.sum()
    for number, (zone, width) in enumerate(zip(zones, widths, strict=True), 1):
        at = np.array([left + width / 2, high / 2, 0.0])
        if zone in slots:
            cell, sizes = (at, width, high), (p, skin, border, seed)
            _slot_zone(made, rng, zone, (number, 4 - len(slots)), cell, sizes, (body, trim))
        else:
            if border == "cut":
                made.add("panel", body, block((width, high, skin), at + 0.5 * skin * Z))
            _side_zone(made, rng, zone, number, at + face * Z, width, high, p)
        left += width
    rims = [((0.5 * wide, high / 2, -t / 2), X), ((0, high + 0.2 * p, -t / 2), Y)]
    weld_on_spots(made, rng, [("panel", at, along, t) for at, along in rims])
    _stand(made, rng, wide, high, t, p)
    return grounded(made).finish(rng)


def _slot_zone(made, rng, zone, count, cell, sizes, skins) -> None:
    """One to three slots in a cell of the panel, each with a sliding or fixed tab."""
    (at, width, high), (p, skin, border, seed), (body, trim), (number, max_tabs) = cell, sizes, skins, count
    count = int(rng.integers(1, max_tabs + 1)) if zone == "level" else 1
    gap, lean = rng.uniform(0.14, 0.26) * p, rng.uniform(0.4, 1.2)
    slanted = min(width / np.cos(lean), high / np.sin(lean))
    angle, room = {"upright": (np.pi / 2, high), "level": (0.0, width)}.get(zone, (lean, slanted))
    long, along = rng.uniform(0.68, 0.82) * room, rotation_about(Z, angle)[:, 0]
    levels = (np.arange(count) - 0.5 * (count - 1)) * high / count
    if border == "cut":
        cut = {"level": (long, gap), "upright": (gap, long)}.get(zone, (0.0, 0.0))
        made.add("panel", body, shifted(_pierced(width, high, skin, cut, levels), at))
    style = border if zone != "slanted" or border != "cut" else "lip"
    face = skin if border == "cut" else 0.0
    for k, y in enumerate(levels):
        centre, name = at + y * Y + face * Z, f"tab_{number}" + (f"_{k + 1}" if count > 1 else "")
        made.add("panel", trim, [moved(turned(s, Z, angle), centre) for s in _lips(style, long, gap, p)])
        tab, draw = 0.5 * min(0.5 * p, 0.3 * long), np.random.default_rng(seed)
        start, room = rng.uniform(-0.5, 0.5), long - 2 * tab - 0.1 * p
        _tab(made, draw, name, centre + start * room * along, angle, (tab, gap, p, face))
        if k and rng.random() < 0.12:
            made.weld("panel", name)
        else:
            made.slide("panel", name, along, -(0.5 + start) * room, (0.5 - start) * room)


def _pierced(width, high, skin, cut, levels) -> list[Shape]:
    """A sheet about the origin on z = 0, with a column of openings of size `cut` at given levels."""
    if cut[0] == 0:
        return [block((width, high, skin), 0.5 * skin * Z)]
    side = 0.5 * (width - cut[0])
    solids = [block((side, high, skin), (k * 0.5 * (width - side), 0, 0.5 * skin)) for k in (-1, 1)]
    rims = np.ravel([(y - 0.5 * cut[1], y + 0.5 * cut[1]) for y in levels])
    for low, top in np.array([-0.5 * high, *rims, 0.5 * high]).reshape(-1, 2):
        solids.append(block((cut[0], top - low, skin), (0, 0.5 * (low + top), 0.5 * skin)))
    return solids


def _lips(style: str, long: float, gap: float, p: float) -> list[Shape]:
    """The border of a slot along x: none, a rounded lip, a flat frame, or two rails with stops."""
    if style == "lip":
        across = gap + 0.12 * p
        return [loop(lifted(rectangle(long + 0.1 * p, across, 0.49 * across, 5)), 0.06 * p, 8)]
    if style == "frame":
        return walls(long + 0.24 * p, gap + 0.24 * p, 0.08 * p, 0.12 * p)
    if style == "rails":
        rail, stop = (long, 0.09 * p, 0.14 * p), (0.1 * p, gap + 0.3 * p, 0.18 * p)
        rails = [block(rail, (0, k * 0.5 * (gap + 0.09 * p), 0.06 * p)) for k in (-1, 1)]
        return rails + [block(stop, (k * 0.5 * long, 0, 0.08 * p)) for k in (-1, 1)]
    return []


def _tab(made, rng, name, at, angle, sizes) -> None:
    """A stem in a slot with a head: a blade, block, ball, hammer or wedge, sometimes capped."""
    (half, gap, p, face), style = sizes, str(rng.choice(["blade", "block", "ball", "hammer", "wedge"]))
    out, wide = rng.uniform(0.4, 1.1) * p, rng.uniform(0.25, 0.4) * p
    skin, other = finish(rng, "dark", "plastic", "pale", "metal"), finish(rng, "plastic", "metal", "rubber")
    stem = [block((1.4 * half, 0.9 * gap, 0.24 * p + face), 0.5 * (0.24 * p - face) * Z)]
    slope = np.array([(-half, 0), (half, 0), (0.3 * half, out), (0, out)])
    neck = rod(0.1 * p * Z, out * Z, 0.3 * gap + 0.03 * p, 10)
    heads = {
        "blade": [block((0.5 * half, 0.9 * gap, out), 0.5 * out * Z, 0.02 * p)],
        "block": [block((2 * half, 2 * wide, 0.4 * out), (0.2 * p + 0.2 * out) * Z, 0.04 * p)],
        "ball": [neck, ball(min(half, 0.8 * wide), out * Z, 12)],
        "hammer": [neck, rod(out * Z - 1.3 * wide * Y, out * Z + 1.3 * wide * Y, 0.5 * half, 10)],
        "wedge": [moved(turned(extrude(slope, 1.4 * wide), X, np.pi / 2), 0.2 * p * Z)],
    }
    link = made.weld(name, name.replace("tab", "cap")) if style != "blade" and rng.random() < 0.45 else name
    for part, material, solids in ((name, skin, stem), (link, skin if link == name else other, heads[style])):
        made.add(part, material, [moved(turned(solid, Z, angle), at) for solid in solids])


def _side_zone(made, rng, zone, number, at, width, high, p) -> None:
    """A column of knobs, buttons or lamps, or a fixed grille."""
    if zone == "grille":
        bars = int(rng.integers(4, 9))
        rows = (np.arange(bars) + 0.5) / bars * 0.8 * high - 0.4 * high
        solids = [block((0.8 * width, 0.35 * high / bars, 0.12 * p), at + (0, y, 0.05 * p)) for y in rows]
        link = made.weld("panel", f"grille_{number}") if rng.random() < 0.4 else "panel"
        made.add(link, finish(rng, "dark", "metal"), *solids)
        return
    count = int(rng.integers(1, 3))
    for k, y in enumerate((np.arange(count) - 0.5 * (count - 1)) * 0.9 * high / count):
        name, spot = f"{zone[:-1]}_{number}" + (f"_{k + 1}" if count > 1 else ""), at + y * Y
        if zone == "buttons":
            add_button(made, rng, "panel", name, spot, Z, rng.uniform(0.22, 0.36) * p)
        elif zone == "knobs" and rng.random() < 0.8:
            add_knob(made, rng, "panel", name, spot, Z, rng.uniform(0.35, 0.6) * p)
        else:
            rows = [(1, -0.05), (1, 0.3), (0.75, 0.45), (0.7, 0.9), (0.4, 1.15)]
            size = rng.uniform(0.18, 0.28) * p if zone == "lamps" else rng.uniform(0.35, 0.55) * p
            lens = moved(scaled_lathe(rows, size), spot)
            made.add(made.weld("panel", name), finish(rng, "plastic", "glass", "pale"), lens)


def _stand(made, rng, wide, high, t, p) -> None:
    """The support of a panel: a wall, a box, a desk, or two stays. Turns the panel to it."""
    style, lean = str(rng.choice(["wall", "flat", "desk", "upright", "stays"])), np.pi / 2
    link, body = "panel" if rng.random() < 0.5 else "box", finish(rng, "metal", "paint", "dark", "wood")
    tall, deep = high + 0.3 * p, rng.uniform(0.3, 0.8) * high
    if style == "desk":
        lean = rng.uniform(0.4, 1.1)
        low, top = (rotation_about(X, lean) @ (0, y, -0.99 * t) for y in (-0.15 * p, high + 0.15 * p))
        floor = low[2] - rng.uniform(0.1, 0.4) * high
        wedge = prism_along_x([low[1:], top[1:], (top[1], floor), (low[1], floor)], 0.97 * wide)
        made.add(link, body, turned(wedge, X, -lean))
    elif style in ("flat", "upright"):
        lean = 0.0 if style == "flat" else lean
        made.add(link, body, block((0.97 * wide, tall, deep), (0, high / 2, -t - 0.499 * deep), 0.03 * deep))
        feet = [(x, high / 2 + y) for x, y in corners(0.4 * wide, 0.4 * tall)]
        if style == "flat" and rng.random() < 0.5:
            sole = -t - deep
            made.add(
                link, body, *(rod((*f, sole - 0.2 * p), (*f, sole + 0.1 * deep), 0.15 * p, 10) for f in feet)
            )
    elif style == "stays":
        legs = [block((0.15 * p, 0.2 * p, deep), (x * wide, -0.1 * p, -t - 0.45 * deep)) for x in (-0.4, 0.4)]
        stays = [
            bar((x * wide, 0.9 * high, -0.6 * t), (x * wide, 0, -t - 0.85 * deep), 0.15 * p, 0.15 * p)
            for x in (-0.4, 0.4)
        ]
        made.add("panel", body, *legs, *stays)
        lean -= rng.uniform(0.0, 0.2)
    if link == "box" and style in ("desk", "flat", "upright"):
        made.weld("panel", "box")
    made.turn(X, lean)
