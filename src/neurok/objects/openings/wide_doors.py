"""Wide doors: sliding wardrobes, roller shutters and garage doors."""

from __future__ import annotations

import numpy as np

from neurok.objects.kit.casework import (
    EDGES,
    Casework,
    add_drawer_row,
    add_drawers,
    add_feet,
    hang,
    open_case,
)
from neurok.objects.kit.finishes import finish
from neurok.objects.kit.mechanism import coupling_polynomial
from neurok.objects.kit.outlines import arc
from neurok.objects.kit.panels import LEAF_STYLES
from neurok.objects.kit.placing import moved, shifted
from neurok.objects.kit.solids import block, prism_along_x, rod
from neurok.objects.registry import family
from neurok.shapes.shape import Shape


@family(number=38)
def sliding_wardrobe(rng: np.random.Generator) -> Shape:
    """Two or three sliding doors in or in front of a carcass, often with drawers below."""
    case = Casework(rng, "sliding_wardrobe", "carcass")
    width, depth, height = rng.uniform(1.1, 2.8), rng.uniform(0.5, 0.75), rng.uniform(1.7, 2.5)
    wall, t, gap = rng.uniform(0.018, 0.035), rng.uniform(0.02, 0.035), rng.uniform(0.008, 0.015)
    case.still(case.body, *open_case(width, depth, height, wall))
    span, front, top = width - 2 * wall, -depth / 2, height - wall
    low = add_drawers(case, (span, depth, wall), wall, int(rng.integers(0, 3)))
    lanes = [[0, 1], [0, 1], [0, 1, 0], [1, 0, 1], [0, 1, 2], [2, 1, 0]][rng.integers(6)]
    count, deep = len(lanes), (max(lanes) + 1) * (t + gap) + gap
    _bays(case, (span, depth - wall - deep, top - low), low, (deep - wall) / 2, wall, count)
    if rng.random() < 0.4:
        front, span = front - deep, width
        for z, name in ((low - wall / 2, "sill"), (height - wall / 2, "cornice")):
            case.fit("carcass", name, case.body, block((width, deep, wall), (0, front + deep / 2, z)))
    rail, ys = 0.014, [front + gap + t / 2 + lane * (t + gap) for lane in range(max(lanes) + 1)]
    for z in (low + rail / 2, top - rail / 2):
        case.still(case.metal, *(block((span, 0.4 * t, rail), (0, y, z)) for y in ys))
    wide, tall, mid = span / (count - rng.uniform(0.04, 0.12)), top - low - 2 * rail, (low + top) / 2
    step, style = (span - wide) / (count - 1), str(rng.choice(LEAF_STYLES))
    long = rng.uniform(0.1, 0.9) * tall
    for i, lane in enumerate(lanes):
        name, x, y = f"door_{i + 1}", i * step + (wide - span) / 2, ys[lane]
        case.made.part(name, shifted(case.fronts.leaf(wide, tall, t, style), (x, y, mid)))
        edge = x + (-1 if i < count / 2 else 1) * (wide / 2 - 0.025)
        case.fit(
            name, "handle", case.metal, block((0.03, 0.4 * gap, long), (edge, y - t / 2, mid), 0.1 * gap)
        )
        lower, upper = -i * step, (count - 1 - i) * step
        share = 0.97 if lanes.count(lane) == 1 else 0.24  # two in one lane meet in the middle
        case.made.slide("carcass", name, (1, 0, 0), share * lower, share * upper)
    add_feet(case, width, depth)
    return case.finish()


def _bays(case, size, low, y, wall, count) -> None:
    """The interior: partitions, and in each bay shelves or a rail for clothes."""
    (width, depth, height), rng, w = size, case.rng, size[0] / count
    for i in range(count):
        x, z = (i + 0.5) * w - width / 2, low + rng.uniform(0.88, 0.94) * height
        if i:
            case.still(case.body, block((0.8 * wall, depth, height), (x - w / 2, y, low + height / 2)))
        for level in range(int(rng.integers(0, 4))):
            case.still(case.body, block((w, depth, 0.7 * wall), (x, y, low + height * (level + 1) / 4.2)))
        case.still(case.metal, rod((x - w / 2, y, z), (x + w / 2, y, z), 0.014, 10))


@family(number=39)
def roller_cabinet(rng: np.random.Generator) -> Shape:
    """A box with shutters that slide up or sideways behind a fascia, or a slatted roll top on an arc."""
    case = Casework(rng, "roller_cabinet", "box")
    (_roll_top if rng.random() < 0.3 else _shutters)(case, rng)
    return case.finish()


def _shutters(case, rng) -> None:
    """One to three panels that slide behind a fascia in grooves, each in its own lane."""
    is_up, count = rng.random() < 0.6, int(rng.choice([1, 2, 3], p=[0.45, 0.35, 0.2]))
    length, across, depth = rng.uniform(0.3, 0.7) / count**0.5, rng.uniform(0.3, 1.1), rng.uniform(0.25, 0.6)
    t, gap, wall = rng.uniform(0.01, 0.02), rng.uniform(0.008, 0.012), rng.uniform(0.014, 0.03)
    total, front, ribbed = (count + rng.uniform(1.08, 1.25)) * length, -depth / 2, rng.random() < 0.7
    width, height = (across, total) if is_up else (total, across)

    def bar(start, end, broad, y, thick, side=0.0, bevel=0.0) -> Shape:
        """A block from `start` to `end` along the way of the shutters, `broad` across it."""
        along, mid = end - start, (start + end) / 2
        if is_up:
            return block((broad, thick, along), (side, y, wall + mid), bevel)
        return block((along, thick, broad), (mid - total / 2, y, wall + across / 2 + side), bevel)

    case.still(case.body, *open_case(width + 2 * wall, depth, height + 2 * wall, wall))
    fascia = bar(count * length, total, across, front + wall / 2, wall)
    case.fit("box", "fascia", finish(rng, "wood", "paint"), fascia)
    lanes, pitch = front + wall + gap + t / 2 + np.arange(count) * (t + gap), t + gap
    for y in (lanes[0] - pitch / 2, *(lanes + pitch / 2)):
        case.still(case.metal, *(bar(0, total, 0.02, y, 0.8 * gap, s * (across / 2 - 0.01)) for s in (-1, 1)))
    leader, coupled, slats = None, rng.random() < 0.5, int(np.clip(length / rng.uniform(0.025, 0.06), 3, 16))
    for k, y in enumerate(lanes):
        name, start, end = "shutter" if count == 1 else f"shutter_{k + 1}", k * length, (k + 1.04) * length
        case.made.add(name, case.skin, bar(start, end, across - 0.004, y, 0.4 * t if ribbed else t))
        marks = np.linspace(start, end, slats + 1)
        for a, b in zip(marks[:-1] + 0.002, marks[1:] - 0.002, strict=True) if ribbed else ():
            case.made.add(name, case.skin, bar(a, b, across - 0.006, y, t, bevel=0.3 * t))
        follows = (leader, (count - k) / count) if leader and coupled else None
        way, travel = (0, 0, 1) if is_up else (1, 0, 0), (count - k) * (1 - 0.3 / count) * length
        joint = case.made.slide("box", name, way, 0.0, travel, follows)
        leader = leader or joint
    x, z = (0, wall + 0.12 * length) if is_up else (0.12 * length - total / 2, wall + across / 2)
    first, at = "shutter" if count == 1 else "shutter_1", (x, lanes[0] - t / 2, z)
    case.grip(first, min(0.14, 0.3 * length), at, not is_up)
    near, far = lanes[-1] + pitch, depth / 2 - wall / 2
    for share in np.linspace(-0.5, 0.5, int(rng.integers(2, 5)))[1:-1]:
        at = (0, (near + far) / 2, wall + height / 2 + share * height)
        case.still(case.body, block((width, far - near, 0.8 * wall), at))
    add_feet(case, width, depth)


def _roll_top(case, rng) -> None:
    """A curved shutter of slats about an axis between two cheeks, as on bread bins and bureaus."""
    r, width, wall = rng.uniform(0.15, 0.4), rng.uniform(0.3, 1.1), rng.uniform(0.012, 0.025)
    t, base, big, x = rng.uniform(0.3, 0.5) * wall, rng.uniform(0.03, 0.2), r + wall, (width + wall) / 2
    cheek = prism_along_x([*arc(big, np.pi, np.pi / 2, 14), (big, big), (big, -wall), (-big, -wall)], wall)
    groove = prism_along_x(_band(r - 2.2 * t, r - t, 0.1, np.pi), 0.01)
    for s in (-1, 1):
        case.still(case.body, moved(cheek, (s * x, 0, 0)))
        case.still(case.metal, moved(groove, (s * (x - wall / 2), 0, 0)))
    case.still(case.body, block((width, r, wall), (0, r / 2 + wall, r + wall / 2)))
    case.still(case.body, block((width, wall, big), (0, r + wall / 2, r / 2)))
    case.still(case.body, block((width, 2 * r, wall), (0, wall / 2, -wall / 2)))
    span, count = rng.uniform(1.5, 1.62), int(rng.integers(6, 16))
    case.made.add(
        "shutter", case.skin, prism_along_x(_band(r - t, r - 0.6 * t, np.pi - span, np.pi), width - 0.004)
    )
    for a in np.pi - (np.arange(count) + 0.5) * span / count:
        half = 0.46 * span / count
        slat = _band(r - 0.8 * t, r - 0.1 * t, a - half, a + half, 3)
        case.made.add("shutter", case.skin, prism_along_x(slat, width - 0.006))
    case.grip("shutter", min(0.12, 0.3 * width), (0, -r, 0.12 * r))
    case.made.hinge("box", "shutter", (0, 0, 0), (-1, 0, 0), 0.0, rng.uniform(1.15, 1.4))
    if base < 0.08:
        return add_feet(case, width, 2 * big, -wall)
    case.still(case.body, *open_case(width + 2 * wall, 2 * big, base, wall, -wall - base))
    return add_drawer_row(case, (width, 2 * big, wall), -base, base - 2 * wall, ["drawer"])


def _band(inner, outer, start, end, count=20) -> np.ndarray:
    """The outline of a piece of a ring between two angles."""
    return np.concatenate([arc(outer, start, end, count), arc(inner, end, start, count)])


@family(number=40)
def garage_door(rng: np.random.Generator) -> Shape:
    """A frame with an up-and-over leaf, folding sections, or leaves on side hinges."""
    case = Casework(rng, "garage_door", "frame")
    width, height, jamb = rng.uniform(2.1, 3.4), rng.uniform(1.9, 2.5), rng.uniform(0.08, 0.16)
    beam, x, style = rng.uniform(0.1, 0.35), (width + jamb) / 2, str(rng.choice(LEAF_STYLES))
    case.still(case.body, *(block((jamb, jamb, height), (s * x, 0, height / 2)) for s in (-1, 1)))
    case.still(case.body, block((width + 2 * jamb, jamb, beam), (0, 0, height + beam / 2)))
    if rng.random() < 0.5:
        pier, deep, stone = rng.uniform(0.15, 0.5), rng.uniform(1.0, 2.0) * jamb, finish(rng, "pale", "paint")
        for at in ((s * (width + 2 * jamb + pier) / 2, 0, (height + beam) / 2) for s in (-1, 1)):
            case.fit("frame", "wall", stone, block((pier, deep, height + beam), at))
    kind, size = rng.choice(["over", "up", "side", "hung"]), (width, height, rng.uniform(0.03, 0.05))
    if kind == "over":
        _over_leaf(case, rng, size, style)
    elif kind == "up":
        _folding(case, "panel", (0, 0, height), (0, 0, -1), (height / 2, width - 0.02, size[2]), 2, style)
    elif kind == "side":
        _folding_sides(case, rng, size, style)
    else:
        _hung_leaves(case, rng, size, jamb, style)
    return case.finish()


def _hung_leaves(case, rng, size, jamb, style) -> None:
    """One or two leaves flush with the front of the frame, on strap hinges."""
    width, height, t = size
    sides = ["left"] if width < 2.6 and rng.random() < 0.3 else ["left", "right"]
    for side in sides:
        s, w, name = EDGES[side][0], width / len(sides), f"{side}_door" if sides[1:] else "door"
        x, own = s * (width - w) / 2, (w - 0.01, height - 0.01, t)
        face, at = case.fronts.leaf(*own, style), (x, (t - jamb) / 2, height / 2)
        hang(case, name, face, own, at, side, rng.uniform(1.3, 1.8))
        for z in (0.15, 0.85):
            strap = block((0.7 * w, 0.3 * t, 0.07), (x + s * 0.13 * w, -jamb / 2, z * height))
            case.fit(name, "strap", case.metal, strap)
        case.grip(name, 0.2, (x - s * 0.45 * w, -jamb / 2, 0.45 * height), True)


def _over_leaf(case, rng, size, style) -> None:
    """An up-and-over leaf: its top runs back on two rails while lower pins climb in guides on the jambs."""
    width, height, t = size
    w, top, r = width - 0.12, height - 0.06, 0.025
    d, made = rng.uniform(0.55, 0.95) * top, case.made
    for s in (-1, 1):
        x = s * (width / 2 - 0.02)
        for y in (-0.03, 0.03):
            case.still(case.metal, block((0.04, 0.012, d + 0.05), (x, y, top - d / 2 - r - 0.08)))
        case.still(case.metal, block((0.04, d + 0.2, 0.02), (x, d / 2 + 0.05, top - r - 0.01)))
        case.still(case.metal, block((0.04, 0.04, top - r), (x, d + 0.13, (top - r) / 2)))
        case.made.add("trolley", case.metal, rod((x - 0.02, 0, top), (x + 0.02, 0, top), r, 12))
        case.made.add("leaf", case.metal, rod((s * 0.4 * w, 0, top - d), (x, 0, top - d), 0.015, 10))
    case.still(case.metal, block((width, 0.04, 0.05), (0, d + 0.13, top - r - 0.03)))
    case.made.add("trolley", case.metal, rod((-width / 2, 0, top), (width / 2, 0, top), 0.012, 10))
    made.part("leaf", shifted(case.fronts.leaf(w, height - 0.02, t, style), (0, 0, height / 2)))
    case.grip("leaf", 0.2, (0, -t / 2, rng.uniform(0.03, 0.05) * height))
    run = made.slide("frame", "trolley", (0, 1, 0), 0.0, 0.95 * d)
    turn = coupling_polynomial(lambda u: np.arcsin(u / d), 0.0, 0.95 * d)
    made.hinge("trolley", "leaf", (0, 0, top), (-1, 0, 0), 0.0, 1.3, (run, turn))


def _folding_sides(case, rng, size, style) -> None:
    """Upright sections under a rail that fold to one side or both."""
    (width, height, t), both = size, rng.random() < 0.5
    case.still(case.metal, block((width, 0.5 * t, 0.03), (0, 0, height - 0.015)))
    count = 2 if both else int(rng.choice([2, 4]))
    for s in (-1, 1) if both else (-1,):
        name = "panel" if not both else "left_panel" if s < 0 else "right_panel"
        own = (width / count / (1 + both), height - 0.03, t)
        _folding(case, name, (s * width / 2, 0, height / 2 - 0.015), (-s, 0, 0), own, count, style)


def _folding(case, name, start, way, size, count, style) -> None:
    """Sections in a row from `start` that fold to a zigzag; every other edge stays in the plane."""
    (length, across, t), parent, leader, reach = size, "frame", None, case.rng.uniform(1.1, 1.35)
    start, way = np.asarray(start, np.float64), np.asarray(way, np.float64)
    axis = np.cross(way, (0, -1, 0))
    for k in range(count):
        part, sign = f"{name}_{k + 1}", 1 if k % 2 == 0 else -1
        edge = start + k * length * way + (0, -0.5 * sign * t, 0)
        own = (length - 0.008, across) if way[0] else (across, length - 0.008)
        case.made.part(part, shifted(case.fronts.leaf(*own, t, style), start + (k + 0.5) * length * way))
        for share in (-0.4, 0.0, 0.4):
            mid, half = edge + share * across * axis, 0.06 * axis
            case.made.add(parent, case.metal, rod(mid - half, mid, 0.5 * t, 10))
            case.made.add(part, case.metal, rod(mid, mid + half, 0.5 * t, 10))
        limit, follows = (2 * reach, (leader, 2.0)) if leader else (reach, None)
        joint = case.made.hinge(parent, part, edge, sign * axis, 0.0, limit, follows)
        parent, leader = part, leader or joint
    end = start + (count - 0.06) * length * way + (0, -0.5 * t, 0)
    case.grip(parent, 0.18, end, bool(way[0]))
