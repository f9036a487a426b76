"""Letter boxes, cat flaps, hatches and display cases."""

# ruff: noqa: RUF005 — point + (x, y, z) adds vectors here

from __future__ import annotations

import numpy as np

from neurok.objects.kit.casework import EDGES, Casework, add_drawers, add_feet, hang, open_case
from neurok.objects.kit.finishes import finish
from neurok.objects.kit.outlines import corners
from neurok.objects.kit.panels import LEAF_STYLES, border_bars, leaf
from neurok.objects.kit.placing import moved, shifted, turned
from neurok.objects.kit.solids import block, prism_along_x, rod
from neurok.objects.registry import family
from neurok.shapes.robots.assembly import painted
from neurok.shapes.shape import Shape


@family(number=41)
def hatch_box(rng: np.random.Generator) -> Shape:
    """A letter box, a cat flap in a panel, or a hatch in a wall, a floor or the slope of a cellar."""
    make = [_letter_box, _cat_flap, _hatch][rng.integers(3)]
    case = Casework(rng, "hatch_box", "box" if make is _letter_box else "frame")
    make(case, rng)
    return case.finish()


def _letter_box(case, rng) -> None:
    """A box on a wall or a post with a flap over its slot and a door."""
    width, depth, height = rng.uniform(0.22, 0.5), rng.uniform(0.1, 0.35), rng.uniform(0.25, 0.6)
    wall, slot, front = rng.uniform(0.006, 0.014), rng.uniform(0.25, 0.4) * height, -depth / 2
    mid, y, low = height - slot / 2, front - 1.5 * wall, height - slot
    case.still(case.body, *open_case(width, depth, height, wall))
    case.still(case.body, *shifted(border_bars(width, slot, wall, 0.25 * slot), (0, front - wall / 2, mid)))
    size, side = (0.86 * width, 0.7 * slot, wall), str(rng.choice(["top", "top", "bottom"]))
    hang(case, "flap", case.fronts.leaf(*size, "flat"), size, (0, y, mid), side, rng.uniform(0.9, 1.6))
    if rng.random() < 0.6:
        plate = (rng.uniform(0.3, 0.6) * width, 0.4 * wall, 0.25 * slot)
        case.fit("flap", "nameplate", case.metal, block(plate, (0, y - 0.6 * wall, mid)))
    size, side = (width - 0.004, low - 0.004, wall), str(rng.choice(["left", "bottom", "right"]))
    face = case.fronts.leaf(*size, str(rng.choice(["flat", "framed", "glazed"])))
    hang(case, "door", face, size, (0, front - wall / 2, low / 2), side, rng.uniform(1.2, 1.8), 0.05)
    if rng.random() < 0.5:
        roof = (width + 4 * wall, depth + 6 * wall, 1.2 * wall)
        case.fit("box", "roof", case.skin, block(roof, (0, -wall, height + 0.5 * wall), 0.3 * wall))
    if rng.random() < 0.35:
        foot, post = -rng.uniform(0.5, 1.1), rng.uniform(0.02, 0.035)
        plate = block((0.2, 0.2, 0.02), (0, 0, foot + 0.01))
        case.fit("box", "post", case.metal, rod((0, 0, foot), (0, 0, 0.5 * wall), post, 12), plate)


def _cat_flap(case, rng) -> None:
    """A flap that hangs from a pin in a frame, in a piece of door or wall, with a catch below."""
    width, height, t = rng.uniform(0.16, 0.35), rng.uniform(0.17, 0.4), rng.uniform(0.012, 0.03)
    rim, deep, around = rng.uniform(0.025, 0.05), rng.uniform(1.2, 4.0) * t, rng.uniform(-0.1, 0.25)
    outer = width + 2 * rim, height + 2 * rim
    case.still(case.body, *border_bars(*outer, deep, rim, 0.1 * t))
    if around > 0.03:
        case.still(case.skin, *border_bars(outer[0] + 2 * around, outer[1] + 2 * around, 0.9 * t, around))
    pin, inward, size = height / 2 - 0.3 * t, rng.uniform(0.9, 1.4), (0.94 * width, 0.96 * height)
    case.still(case.metal, rod((-width / 2, 0, pin), (width / 2, 0, pin), 0.3 * t, 10))
    skin, style = finish(rng, "glass", "plastic", "pale"), str(rng.choice(["flat", "framed", "glazed"]))
    case.made.part("flap", shifted(leaf(rng, *size, 0.5 * t, skin, style), (0, 0, pin - size[1] / 2)))
    case.made.hinge("frame", "flap", (0, 0, pin), (1, 0, 0), rng.choice([-1, -0.8, 0]) * inward, inward)
    if rng.random() < 0.6:
        x, z, y = rng.uniform(-0.3, 0.3) * width, -(height + rim) / 2, -deep / 2
        case.made.add("catch", case.metal, rod((x, y, z), (x, y - 0.5 * t, z), 0.3 * rim, 12))
        case.made.add(
            "catch", case.metal, block((0.2 * rim, 0.4 * t, 0.8 * rim), (x, y - 0.6 * t, z - 0.1 * rim))
        )
        case.made.hinge(
            "frame", "catch", (x, y, z), (0, -1, 0), -rng.uniform(0.5, 1.5), rng.uniform(0.5, 1.5)
        )
    plate = block((0.3 * width, 0.3 * t, 0.5 * rim), (0, -deep / 2, (height + rim) / 2))
    case.fit("frame", "nameplate", case.metal, plate)
    weight = block((0.2 * width, 0.8 * t, 0.06 * height), (0, 0, pin - 0.94 * size[1]))
    case.fit("flap", "weight", case.metal, weight)


def _hatch(case, rng) -> None:
    """One or two leaves on an upright frame, on one that leans back on cheeks, or on one over a shaft."""
    width, height, deep = rng.uniform(0.4, 1.5), rng.uniform(0.4, 1.4), rng.uniform(0.06, 0.3)
    rim, t, style = rng.uniform(0.04, 0.1), rng.uniform(0.02, 0.04), str(rng.choice(LEAF_STYLES))
    lean = float(rng.choice([0.0, np.pi / 2, rng.uniform(0.6, 1.2)]))
    case.still(case.body, *shifted(border_bars(width, height, deep, rim), (0, deep / 2, 0)))
    if lean == 0 and rng.random() < 0.6:
        case.still(case.body, block((width - rim, 0.01, height - rim), (0, deep - 0.008, 0)))
    sides = ["left", "right"] if rng.random() < 0.45 else [str(rng.choice(list(EDGES)))]
    span, reach = rng.uniform(0.08, 0.16), rng.uniform(1.2, 1.9)
    for side in sides:
        size = ((width - rim) / len(sides) - 0.002, height - rim, t)
        x, name = EDGES[side][0] * (width - rim - size[0]) / 2, f"{side}_hatch" if sides[1:] else "hatch"
        hang(case, name, case.fronts.leaf(*size, style), size, (x, -t / 2, 0), side, reach, span)
    _leant(case, lean)
    if 0 < lean < np.pi / 2:
        y, z, low = 0.5 * height * np.sin(lean), 0.5 * height * np.cos(lean), rng.uniform(0.02, 0.2) + deep
        cheek = prism_along_x([(-y, -z), (y, z), (y, -z - low), (-y, -z - low)], 0.8 * rim)
        for s in (-1, 1):
            case.fit("frame", "cheek", case.body, moved(cheek, (s * (width - rim) / 2, 0, 0)))


def _leant(case, angle) -> None:
    """Lean all links and joints added so far back about the x axis."""
    case.made.turn((1, 0, 0), -angle)
    case.fittings = [(a, b, [turned(p, (1, 0, 0), -angle) for p in ps]) for a, b, ps in case.fittings]


@family(number=42)
def display_case(rng: np.random.Generator) -> Shape:
    """Glass on a base: an upright case with sliding panes or doors, or a table with a glass lid."""
    case, is_table, glass = Casework(rng, "display_case", "base"), rng.random() < 0.35, finish(rng, "glass")
    width, depth, height = rng.uniform(0.4, 1.5), rng.uniform(0.3, 0.6), rng.uniform(0.4, 1.6)
    height *= 0.2 if is_table else 1.0
    bar, wall = rng.uniform(0.015, 0.035), rng.uniform(0.015, 0.03)
    low = _case_base(case, rng, (width, depth, wall), int(rng.integers(0, 2 if is_table else 4)))
    x, y, mid, top = (width - bar) / 2, (depth - bar) / 2, low + height / 2, low + height
    for s in (-1, 1):
        case.still(case.metal, *(block((bar, bar, height), (s * x, e * y, mid)) for e in (-1, 1)))
        case.still(glass, block((0.006, depth - 1.5 * bar, height), (s * x, 0, mid)))
    pane = (width - 1.5 * bar, 0.006, height)
    case.still(glass if rng.random() < 0.5 else case.body, block(pane, (0, y, mid)))
    if is_table:
        case.still(glass, block(pane, (0, -y, mid)))
        _case_lid(case, rng, width, depth, top, bar)
    else:
        case.fit("base", "cover", case.body, block((width, depth, wall), (0, 0, top + wall / 2), 0.2 * wall))
        for z in low + height * np.arange(1, rng.integers(1, 5)) / 4.5:
            case.still(glass, block((width - bar, depth - bar - 0.06, 0.008), (0, 0.03, z)))
        front = _sliding_panes if rng.random() < 0.45 else _glass_doors
        front(case, rng, (width, depth, height), mid, bar, glass)
    if rng.random() < 0.5:
        sign = block((0.3 * width, 0.008, 0.4 * wall + 0.01), (0, -depth / 2 - 0.003, low - wall / 2))
        case.fit("base", "nameplate", case.metal, sign)
    return case.finish()


def _case_lid(case, rng, width, depth, top, bar) -> None:
    """A glazed frame over the case, hinged along its back."""
    lid = leaf(rng, width, depth, 1.2 * bar, case.metal, "glazed")
    case.made.part("lid", shifted([turned(p, (1, 0, 0), -np.pi / 2) for p in lid], (0, 0, top + 0.6 * bar)))
    edge = np.array([0, depth / 2 + 0.3 * bar, top])
    for x in np.array([-0.35, 0.35]) * width:
        case.still(case.metal, rod(edge + (x - 0.03, 0, 0), edge + (x, 0, 0), 0.4 * bar, 10))
        case.made.add("lid", case.metal, rod(edge + (x, 0, 0), edge + (x + 0.03, 0, 0), 0.4 * bar, 10))
    case.made.hinge("base", "lid", edge, (-1, 0, 0), 0.0, rng.uniform(1.0, 1.7))
    case.grip("lid", 0.08, (0, -depth / 2, top + 0.6 * bar))


def _case_base(case, rng, size, rows) -> float:
    """A plinth, a table on legs, or a chest of drawers below the glass. Returns the height of its top."""
    width, depth, wall = size
    if rows:
        top = add_drawers(case, (width - 2 * wall, depth, wall), wall, rows)
        case.still(case.body, *open_case(width, depth, top, wall))
        add_feet(case, width, depth)
        return top
    top = rng.uniform(0.05, 0.15) if rng.random() < 0.4 else rng.uniform(0.3, 0.8)
    case.still(case.body, block((width, depth, wall), (0, 0, top - wall / 2)))
    if top < 0.2:
        case.still(case.body, block((0.94 * width, 0.92 * depth, top), (0, 0, top / 2 - wall / 2)))
        return top
    thick = rng.uniform(0.012, 0.025)
    for x, y in corners((width - 0.06) / 2, (depth - 0.06) / 2):
        case.fit("base", "leg", case.body, rod((x, y, 0), (x, y, top - wall), (thick, 0.025), 10))
    return top


def _sliding_panes(case, rng, size, mid, bar, glass) -> None:
    """Two panes that pass each other between rails."""
    (width, depth, height), rail = size, 0.4 * bar
    inner, lap = width - 2 * bar, rng.uniform(0.02, 0.06)
    for s in (-1, 1):
        at = (0, -depth / 2 + 0.02, mid + s * (height - rail) / 2)
        case.still(case.metal, block((inner, 0.04, rail), at))
        name, w, y = "left_pane" if s < 0 else "right_pane", (inner + lap) / 2, -depth / 2 + 0.017 + 0.007 * s
        x = s * (inner - w) / 2
        case.made.add(name, glass, block((w, 0.008, height - 2 * rail), (x, y, mid)))
        case.made.slide("base", name, (-s, 0, 0), 0.0, 0.95 * (inner - w))
        grip = block((0.012, 0.004, 0.2 * height), (x + s * (w / 2 - 0.02), y - 0.004, mid))
        case.fit(name, "handle", case.metal, grip)


def _glass_doors(case, rng, size, mid, bar, glass) -> None:
    """One or two framed panes on hinges between the posts."""
    (width, depth, height), both, thick = size, rng.random() < 0.6, rng.uniform(0.6, 0.9) * bar
    sides = ["left", "right"] if width > 0.6 and both else [str(rng.choice(["left", "right", "top"]))]
    for side in sides:
        w, name = (width - 2 * bar) / len(sides) - 0.003, f"{side}_door" if sides[1:] else "door"
        own, x = (w, height - 0.004, thick), EDGES[side][0] * (width - 2 * bar - w) / 2
        pieces = [painted(p, case.metal) for p in border_bars(*own, bar)]
        pieces.append(painted(block((w - 1.5 * bar, 0.008, own[1] - 1.5 * bar)), glass))
        hang(case, name, pieces, own, (x, (thick - depth) / 2, mid), side, rng.uniform(1.2, 1.9), 0.07)
