"""Doors, windows and gates."""

# ruff: noqa: RUF005 — point + (x, y, z) adds vectors here

from __future__ import annotations

import numpy as np

from neurok.objects.kit.finishes import finish
from neurok.objects.kit.mechanism import Mechanism
from neurok.objects.kit.panels import LEAF_STYLES, barrels, border_bars, leaf, pull
from neurok.objects.kit.placing import moved, shifted, turned
from neurok.objects.kit.solids import ball, block, lathe, pill, rod
from neurok.objects.registry import family
from neurok.shapes.robots.assembly import painted
from neurok.shapes.shape import Shape

LEAF_GAP = 0.003  # metres between a leaf and its frame


@family(number=0)
def door(rng: np.random.Generator) -> Shape:
    """A door of one or two leaves in a frame, swinging or sliding, often with a lever that turns."""
    made = Mechanism("door")
    double, slides = rng.random() < 0.3, rng.random() < 0.2
    width, height = rng.uniform(0.65, 1.0) * (1.7 if double else 1), rng.uniform(1.8, 2.4)
    thickness, jamb = rng.uniform(0.03, 0.06), rng.uniform(0.05, 0.12)
    depth = thickness + rng.uniform(0.02, 0.1)
    body, frame = finish(rng, "wood", "paint", "pale"), finish(rng, "wood", "pale", "metal")
    outer = (width + 2 * jamb, height + 2 * jamb)
    bars = border_bars(*outer, depth, jamb, 0.004)[: 4 if rng.random() < 0.5 else 3]
    bars = bars if len(bars) == 4 else [*bars[:2], moved(bars[2], (0, 0, height + jamb))]
    made.add("frame", frame, [moved(b, (0, depth / 2, height / 2)) for b in bars])
    if rng.random() < 0.4:
        cornice = block((outer[0] + 0.1, depth + 0.06, 0.08), (0, depth / 2, height + jamb + 0.03), 0.02)
        made.add("frame", frame, cornice)
    style = str(rng.choice(LEAF_STYLES))
    sides = (-1, 1) if double else (-1,)
    for side in sides:
        _door_leaf(made, rng, side, (width / len(sides), height, thickness), body, style, slides, width)
    return made.finish(rng)


def _door_leaf(made, rng, side, size, body, style, slides, opening) -> None:
    """A leaf from the jamb on `side` inwards, its front in the plane y = 0 or, if it slides, before it."""
    width, height, thickness = size
    edge, y = side * opening / 2, -thickness / 2 - LEAF_GAP if slides else thickness / 2
    name = "leaf" if opening == width else ("left" if side < 0 else "right") + "_leaf"
    seat = 0.03 if slides else -LEAF_GAP  # a sliding leaf overlaps its frame
    panel = leaf(rng, width + 2 * seat * (opening == width), height + 2 * seat, thickness, body, style)
    made.part(name, shifted(panel, (edge - side * width / 2, y, height / 2)))
    metal = finish(rng, "metal", "brass", "dark")
    if slides:
        rail = painted(
            rod(
                (side * 1.02 * opening, -0.03, height + 0.05),
                (-side * 0.6 * opening, -0.03, height + 0.05),
                0.02,
                8,
            ),
            metal,
        )
        made.part("frame", rail)
        made.slide("frame", name, (side, 0, 0), 0.0, 0.9 * width)
    else:
        levels = np.linspace(0.12, 0.88, int(rng.integers(2, 5))) * height
        made.part("frame", barrels((edge, -0.006), levels, 0.012, 0.09, metal))
        made.hinge("frame", name, (edge, -0.006, 0), (0, 0, side), 0.0, rng.uniform(1.4, 2.2))
    lock = (edge - side * 0.91 * width, y - thickness / 2, rng.uniform(0.42, 0.5) * height)
    if rng.random() < 0.6 and not slides:
        _lever(made, rng, name, lock, side, metal)
    else:
        made.part(name, shifted(pull(rng, rng.uniform(0.12, 0.4), metal, upright=True), lock))


def _lever(made, rng, leaf_name, at, side, metal) -> None:
    """A lever or round knob on a plate, turning about the leaf's normal."""
    name, at = f"{leaf_name}_handle", np.array(at)
    plate = block((0.05, 0.012, rng.uniform(0.08, 0.25)), at, 0.004, 3)
    made.add(leaf_name, metal, plate)
    reach = rng.uniform(0.1, 0.14)
    neck = rod(at, at + (0, -0.055, 0), 0.011, 10)
    if rng.random() < 0.7:
        grip = pill(at + (0, -0.055, 0), at + (side * reach, -0.055, 0), rng.uniform(0.008, 0.013))
        made.add(name, metal, neck, grip)
        made.hinge(leaf_name, name, at, (0, side, 0), 0.0, rng.uniform(0.6, 1.0))
    else:
        made.add(name, metal, neck, ball(0.032, at + (0, -0.07, 0)))
        made.add(name, metal, block((0.012, 0.02, 0.045), at + (0, -0.1, 0), 0.003))
        made.hinge(leaf_name, name, at, (0, 1, 0), -1.2, 1.2)


@family(number=1)
def window(rng: np.random.Generator) -> Shape:
    """A window: casements on hinges, an awning, a sash that rises, or panes that slide."""
    made = Mechanism("window")
    width, height = rng.uniform(0.5, 1.6), rng.uniform(0.6, 1.5)
    border, depth = rng.uniform(0.04, 0.08), rng.uniform(0.07, 0.14)
    frame, sash = finish(rng, "pale", "wood", "paint"), finish(rng, "pale", "wood", "paint", "metal")
    made.add("frame", frame, border_bars(width + 2 * border, height + 2 * border, depth, border, 0.004))
    sill = block(
        (width + 4 * border, depth + rng.uniform(0.05, 0.15), 0.03), (0, -0.04, -height / 2 - border), 0.005
    )
    made.add("frame", frame, sill)
    if rng.random() < 0.3:
        made.add(
            "frame", frame, block((width + 3 * border, depth + 0.04, 0.05), (0, 0, height / 2 + border), 0.01)
        )
    kind = rng.choice(["casement", "double", "awning", "sash", "sliding"])
    thickness = rng.uniform(0.03, 0.05)
    if kind in ("casement", "double"):
        _casements(made, rng, width, height, thickness, depth, sash, kind == "double")
    elif kind == "awning":
        pane = shifted(
            leaf(rng, width - 2 * LEAF_GAP, height - 2 * LEAF_GAP, thickness, sash, "glazed"),
            (0, thickness / 2 - depth / 2, 0),
        )
        made.part("sash", pane)
        made.part(
            "sash",
            shifted(pull(rng, 0.12, finish(rng, "metal", "brass")), (0, -depth / 2, 0.03 - height / 2)),
        )
        made.hinge(
            "frame", "sash", (0, -depth / 2, height / 2 - LEAF_GAP), (-1, 0, 0), 0.0, rng.uniform(0.6, 1.3)
        )
    else:
        _sliding_panes(made, rng, width, height, 0.4 * depth, sash, vertical=kind == "sash")
    return made.finish(rng)


def _casements(made, rng, width, height, thickness, depth, sash, double) -> None:
    metal = finish(rng, "metal", "brass", "dark")
    sides = (-1, 1) if double else (-1,)
    span = width / len(sides)
    for side in sides:
        name, edge = "sash" if not double else ("left" if side < 0 else "right") + "_sash", side * width / 2
        pane = leaf(rng, span - 2 * LEAF_GAP, height - 2 * LEAF_GAP, thickness, sash, "glazed")
        made.part(name, shifted(pane, (edge - side * span / 2, (thickness - depth) / 2, 0)))
        made.part(
            "frame", barrels((edge, -depth / 2 - 0.004), np.array([-0.35, 0.35]) * height, 0.01, 0.06, metal)
        )
        opens = rng.uniform(1.2, 2.4)
        made.hinge("frame", name, (edge, -depth / 2 - 0.004, 0), (0, 0, side), 0.0, opens)
        made.part(
            name, shifted(pull(rng, 0.1, metal, upright=True), (edge - side * (span - 0.03), -depth / 2, 0))
        )


def _sliding_panes(made, rng, width, height, thickness, sash, vertical) -> None:
    """Two panes, one behind the other: the front one slides, sometimes the other too."""
    share = rng.uniform(0.5, 0.56)
    size = (width, share * height) if vertical else (share * width, height)
    offset = np.array([0, 0, height - size[1]]) if vertical else np.array([width - size[0], 0, 0])
    both = rng.random() < 0.4
    for sign, name in ((-1, "front_sash"), (1, "rear_sash")):
        at = sign * offset / 2 + (0, sign * 0.55 * thickness, 0)
        moves = sign < 0 or both
        made.part(name if moves else "frame", shifted(leaf(rng, *size, thickness, sash, "glazed"), at))
        if moves:
            made.slide("frame", name, -sign * offset, 0.0, 0.95 * float(np.linalg.norm(offset)))
    grip = pull(rng, 0.1, finish(rng, "metal", "dark"), upright=not vertical)
    front = -offset / 2 + (0, -1.05 * thickness, 0)
    edge = (0, 0, -size[1] / 2 + 0.03) if vertical else (0.03 - size[0] / 2, 0, 0)
    made.part("front_sash", shifted(grip, front + edge))


@family(number=2)
def gate(rng: np.random.Generator) -> Shape:
    """A gate between two posts: one or two wings on hinges, a sliding wing, or a barrier that lifts."""
    made = Mechanism("gate")
    width, height = rng.uniform(1.0, 3.2), rng.uniform(0.8, 1.9)
    post = rng.uniform(0.08, 0.2)
    body, stone = finish(rng, "wood", "dark", "metal", "paint"), finish(rng, "pale", "wood", "dark")
    made.add(
        "posts", finish(rng, "dark", "pale"), block((width + 4 * post, 3 * post, 0.06), (0, 0, -0.03), 0.01)
    )
    for side in (-1, 1):
        made.add("posts", stone, _post(rng, side * (width / 2 + post / 2), post, height + 0.2))
    kind = rng.choice(["wing", "wings", "slide", "barrier"], p=[0.3, 0.35, 0.2, 0.15])
    style = str(rng.choice(["bars", "arched", "boards", "braced"]))
    if kind == "barrier":
        _barrier(made, rng, width, post, height, body)
    elif kind == "slide":
        wing = _wing(rng, width + 0.6 * post, height, style)
        made.add("wing", body, shifted(wing, (0, -post / 2 - 0.025, 0.08)))
        made.slide("posts", "wing", (1, 0, 0), 0.0, 0.9 * width)
    else:
        sides = (-1, 1) if kind == "wings" else (-1,)
        for side in sides:
            span, edge = width / len(sides), side * width / 2
            name = "wing" if len(sides) == 1 else ("left" if side < 0 else "right") + "_wing"
            wing = _wing(rng, span - 0.02, height, style)
            made.add(name, body, shifted(wing, (edge - side * span / 2, 0, 0.08)))
            made.part("posts", barrels((edge, 0), np.array([0.25, 0.8]) * height, 0.02, 0.1, body))
            made.hinge(
                "posts", name, (edge, 0, 0), (0, 0, side), -rng.uniform(0.0, 1.4), rng.uniform(1.2, 1.6)
            )
    return made.finish(rng)


def _post(rng, x, width, height) -> list[Shape]:
    shaft = block((width, width, height), (x, 0, height / 2), 0.1 * width)
    cap = rng.choice(["flat", "ball", "pyramid"])
    if cap == "ball":
        return [shaft, ball(0.5 * width, (x, 0, height + 0.35 * width))]
    top = moved(
        lathe(
            [(0.75 * width, 0), (0.75 * width, 0.15 * width), (0, (0.2 if cap == "flat" else 0.7) * width)], 4
        ),
        (0, 0, height),
    )
    return [shaft, moved(turned(top, (0, 0, 1), np.pi / 4), (x, 0, 0))]


def _wing(rng, width, height, style) -> list[Shape]:
    """A wing about x = 0 with its foot at z = 0, thin along y."""
    t = rng.uniform(0.025, 0.04)
    count = int(np.clip(width / rng.uniform(0.1, 0.16), 5, 16))
    xs = np.linspace(-0.5, 0.5, count) * (width - t)
    arch = (
        rng.uniform(0.1, 0.3) * height * (1 - (2 * xs / width) ** 2) if style == "arched" else np.zeros(count)
    )
    rails = [
        block((width, 0.8 * t, 0.06), (0, 0, z))
        for z in np.array([0.12, 0.82, 0.5][: int(rng.integers(2, 4))]) * height
    ]
    if style in ("boards", "braced"):
        pitch = 0.8 * width / count
        uprights = [block((pitch, t, height), (x, 0, height / 2), 0.004) for x in xs * (1 - pitch / width)]
    else:
        tops = [
            rod((x, 0, 0.02), (x, 0, 0.95 * height + a), 0.4 * t, 8) for x, a in zip(xs, arch, strict=True)
        ]
        tips = [
            moved(lathe([(0.4 * t, 0), (0.8 * t, t), (0, 3 * t)], 8), (x, 0, 0.95 * height + a))
            for x, a in zip(xs, arch, strict=True)
        ]
        uprights = tops + tips
    if style == "braced":
        brace = turned(
            block((0.95 * np.hypot(width, 0.6 * height), 1.4 * t, 0.07), (0, 0, 0.47 * height)),
            (0, 1, 0),
            -np.arctan2(0.6 * height, width),
            (0, 0, 0.47 * height),
        )
        rails.append(brace)
    return uprights + rails


def _barrier(made, rng, width, post, height, body) -> None:
    """A striped boom that lifts about one post, with a counterweight behind it."""
    z, y, pivot = 0.85 * height, -post / 2 - 0.04, -width / 2 - post / 2
    stripes = int(rng.integers(4, 9))
    other = finish(rng, "plastic", "pale")
    pitch = (width + post) / stripes
    for i in range(stripes):
        at = (pivot + (i + 0.5) * pitch, y, z)
        made.add("boom", other if i % 2 else body, block((1.01 * pitch, 0.05, 0.09), at, 0.01))
    made.add("boom", body, block((0.45, 0.06, 0.18), (pivot - 0.22, y, z), 0.02))
    made.add("boom", finish(rng, "metal"), rod((pivot, 0, z), (pivot, y - 0.04, z), 0.05))
    made.hinge("posts", "boom", (pivot, 0, z), (0, -1, 0), 0.0, rng.uniform(1.2, 1.5))
