"""Low cupboards with sliding doors in grooves, on rails or hung in front."""

# ruff: noqa: RUF005 — point + (x, y, z) adds vectors here

from __future__ import annotations

import numpy as np

from neurok.objects.kit.casework import Casework, add_feet, drawer_tray, hang, open_case
from neurok.objects.kit.extras import Spot, weld_on_spots
from neurok.objects.kit.finishes import finish
from neurok.objects.kit.lanes import Bay, Lanes, lay_grooves, which_move
from neurok.objects.kit.outlines import arc, cells
from neurok.objects.kit.placing import X, Y, Z, aimed, shifted, upright
from neurok.objects.kit.solids import block, extrude, lathe, ring, tube
from neurok.objects.kit.tracks import Track, hang_leaf
from neurok.objects.registry import family
from neurok.shapes.robots.assembly import painted
from neurok.shapes.shape import Shape

LEAVES = ("flat", "framed", "glazed", "planks", "coffered", "battens")
RUNS = ((0, 1), (0, 1), (1, 0), (0, 1, 0), (1, 0, 1), (0, 1, 2))


@family(number=53)
def sideboard(rng: np.random.Generator) -> Shape:
    """A low cupboard with sliding doors in grooves, on rails or in front, and other doors and drawers."""
    case = Casework(rng, "sideboard", "carcass")
    width, depth, height = rng.uniform((0.9, 0.34, 0.4), (2.4, 0.55, 0.95))
    wall = rng.uniform(0.016, 0.032)
    case.still(case.body, *open_case(width, depth, height, wall))
    bay = Bay(0.0, height / 2, width - 2 * wall, height - 2 * wall, -depth / 2)
    style, kind = str(rng.choice(LEAVES)), str(rng.choice(["cup", "strip", "bar", "hole", "notch", "none"]))
    if rng.random() < 0.3:
        _hung_doors(case, bay, depth, wall, style, kind)
    else:
        for number in range(int(rng.choice([0, 1, 1, 2]))):
            bay = _side_bay(case, bay, wall, depth, style, number + 1)
        _doors_in_lanes(case, bay, depth, wall, style, kind)
    spots: list[Spot] = [
        ("carcass", (s * width / 2, 0, rng.uniform(0.4, 0.8) * height), s * X, 0.1) for s in (-1, 1)
    ]
    if rng.random() < 0.4:
        over = rng.uniform(0.0, 0.03)
        top = block((width + 2 * over, depth + over, wall), (0, over / 2, height + 0.49 * wall), 0.2 * wall)
        case.fit("carcass", "top", finish(rng, "wood", "pale", "dark"), top)
    else:
        spots.append(("carcass", (0.3 * width, 0, height), Z, 0.15))
    if rng.random() < 0.25:
        tall, x, y = rng.uniform(0.1, 0.25), 0.4 * width, 0.4 * depth
        for s in (-1, 1):
            path = [(s * x, y, 0.002), (s * x, y, -tall), (s * x, -y, -tall), (s * x, -y, 0.002)]
            case.fit("carcass", "runner", case.metal, tube(path, 0.012, 8))
    else:
        add_feet(case, width, depth)
    if len(case.made.joints) < 7:
        weld_on_spots(case.made, rng, spots)
    return case.finish()


def _doors_in_lanes(case, bay, depth, wall, style, kind) -> None:
    """Two or three doors in grooves or on rails between floor and top, with shelves behind them."""
    rng, t, gap = case.rng, case.rng.uniform(0.01, 0.018), case.rng.uniform(0.005, 0.009)
    run = RUNS[int(rng.integers(2 if bay.w < 0.8 else 6))]
    lanes = Lanes(run, which_move(rng, len(run), 0.45), t, gap, rng.uniform(0.02, 0.06))
    deep, step = depth - lanes.depth - 0.6 * wall, bay.w / len(run)
    for x in bay.x + bay.w / 2 - step * np.arange(1, len(run)):
        if rng.random() < 0.7:
            case.still(case.body, block((wall, deep, bay.h), (x, bay.y + lanes.depth + deep / 2, bay.z)))
    if rng.random() < 0.6:
        shelf = block((bay.w, 0.9 * deep, 0.8 * wall), (bay.x, bay.y + lanes.depth + 0.55 * deep, bay.z))
        case.still(case.body, shelf)
    material = case.metal if rng.random() < 0.5 else case.body
    tall = bay.h - lay_grooves(case, bay, lanes, rng.uniform(0.008, 0.016), rng.random() < 0.6, material)
    noun, pulls = str(rng.choice(["door", "panel", "front"])), rng.random() < 0.3
    size, wide = rng.uniform(0.02, 0.035), lanes.wide(bay.w)
    for i, (x, y, way) in enumerate(lanes.placed(bay)):
        name, side = f"{noun}_{i + 1}", -1 if i < len(run) / 2 else 1
        still = not lanes.moves[i]
        pull = "none" if still and not pulls else kind
        case.made.part(name, shifted(_front(case, wide, tall, t, style, pull, side), (x, y, bay.z)))
        at = np.array([x + side * (wide / 2 - 1.6 * size), y - t / 2, bay.z])
        _flush_pull(case, name, pull, run[i] == 0, at, size, gap, tall)
        if still:
            case.made.weld("carcass", name)
            clip = block((0.03, lanes.depth, 0.012), (x, bay.y + lanes.depth / 2, bay.z - bay.h / 2 + 0.006))
            case.fit(name, "clip", case.metal, clip)
        else:
            case.made.slide("carcass", name, X, *way)


def _front(case, w, h, t, style, kind, side) -> list[Shape]:
    """A leaf about the origin: with a finger hole or notch, of battens, or like the other fronts."""
    if kind == "hole":
        x, a, b = side * (w / 2 - 0.06), 0.035, min(0.12, 0.4 * h)
        left, right, over = x - a / 2 + w / 2, w / 2 - x - a / 2, (h - b) / 2
        stiles = ((left, left / 2 - w / 2), (right, w / 2 - right / 2))
        solids = [block((wide, t, h), (mid, 0, 0)) for wide, mid in stiles]
        solids += [block((a, t, over), (x, 0, s * (h - over) / 2)) for s in (-1, 1)]
        return [painted(solid, case.skin) for solid in solids]
    if kind == "notch":
        bite = arc(0.03, np.pi / 2, 3 * np.pi / 2, 9) + (w / 2, 0)
        outline = np.array([(w / 2, h / 2), (-w / 2, h / 2), (-w / 2, -h / 2), (w / 2, -h / 2), *bite[::-1]])
        return [painted(upright(extrude(outline * (side, 1), t)), case.skin)]
    if style == "battens":
        count = int(np.clip(w / 0.035, 6, 24))
        slats = [block((0.6 * w / count, 0.55 * t, 0.995 * h), (x, -0.22 * t, 0)) for x in cells(count, w)]
        return [painted(solid, case.skin) for solid in (block((w, 0.5 * t, h), (0, 0.25 * t, 0)), *slats)]
    return case.fronts.leaf(w, h, t, style)


def _flush_pull(case, name, kind, is_first, at, size, gap, tall) -> None:
    """A handle that other leaves can pass: a cup, a strip, or a protruding handle on the first lane."""
    if kind == "bar" and is_first:
        case.grip(name, min(0.15, 0.4 * tall), at, True)
    elif kind in ("cup", "bar"):
        rim = ring(np.array([(0.75, 0), (1, 0), (0.95, 1), (0.8, 1)]) * (size, 0.7 * gap), 20)
        floor = lathe([(0.8 * size, 0.0), (0.8 * size, 0.15 * gap)], 20)
        case.fit(name, "pull", case.metal, aimed(rim, -Y, at), aimed(floor, -Y, at))
    elif kind == "strip":
        case.fit(name, "pull", case.metal, block((0.8 * size, gap, 0.6 * tall), at, 0.1 * gap))


def _side_bay(case, bay: Bay, wall, depth, style, number) -> Bay:
    """A bay cut off one end, with a hinged door, drawers, a panel or nothing. Returns the remaining bay."""
    rng, side = case.rng, int(case.rng.choice([-1, 1]))
    w = rng.uniform(0.2, 0.3) * bay.w
    x = bay.x + side * (bay.w - w) / 2
    board = (bay.x + side * (bay.w / 2 - w - wall / 2), 0, bay.z)
    case.still(case.body, block((wall, 0.99 * depth, bay.h), board))
    kind, t = str(rng.choice(["door", "door", "drawers", "panel", "shelves"])), min(0.02, wall)
    name, size = f"{'front' if kind == 'panel' else 'door'}_side_{number}", (w - 0.004, bay.h - 0.004, t)
    if kind == "door":
        leaf = _front(case, *size, style, "none", side)
        hang(case, name, leaf, size, (x, bay.y + t / 2, bay.z), rng.choice(["left", "right"]), 1.6, 0.12)
    elif kind == "panel":
        leaf = _front(case, w, bay.h, t, style, "none", side)
        case.made.part(case.made.weld("carcass", name), shifted(leaf, (x, bay.y + t / 2, bay.z)))
        if rng.random() < 0.5:
            case.grip(name, 0.1, (x - side * 0.4 * w, bay.y, bay.z), True)
    elif kind == "drawers":
        _drawers(case, Bay(x, bay.z, w, bay.h, bay.y), depth, t, number)
    else:
        shelf = (x, 0.05 * depth, bay.z + rng.uniform(-0.2, 0.2) * bay.h)
        case.still(case.body, block((w, 0.85 * depth, wall), shelf))
    return Bay(bay.x - side * (w + wall) / 2, bay.z, bay.w - w - wall, bay.h, bay.y)


def _drawers(case, bay: Bay, depth, t, number) -> None:
    """Two or three drawers above each other, on boards."""
    count, long = int(case.rng.integers(2, 4)), 0.8 * depth
    tall = bay.h / count
    for k in range(count):
        name, low = f"drawer_{number}_{k + 1}", bay.z - bay.h / 2 + k * tall
        if k:
            case.still(case.body, block((bay.w, 0.9 * depth, t), (bay.x, 0.03 * depth, low)))
        tray = drawer_tray(bay.w - 0.01, 0.5 * tall, long, 0.5 * t)
        floor = low + 0.25 * tall + 0.5 * t + 0.002
        case.made.add(name, case.body, shifted(tray, (bay.x, bay.y + 0.002, floor)))
        face = case.fronts.leaf(bay.w - 0.004, tall - t - 0.004, t, "flat")
        case.made.part(name, shifted(face, (bay.x, bay.y + t / 2, low + tall / 2)))
        case.grip(name, min(0.12, 0.4 * bay.w), (bay.x, bay.y, low + tall / 2))
        case.made.slide("carcass", name, -Y, 0.0, case.rng.uniform(0.6, 0.85) * long)


def _hung_doors(case, bay: Bay, depth, wall, style, kind) -> None:
    """One or two doors on wheels in front of a row of bays; panels close some of the bays."""
    rng, t, size = case.rng, case.rng.uniform(0.014, 0.022), case.rng.uniform(0.018, 0.026)
    count, reach = int(rng.integers(2, 5)), bay.w / 2 + wall
    step, rail = 2 * reach / count, bay.z + bay.h / 2 - 1.6 * size
    case.still(case.body, block((bay.w, wall, 3.2 * size), (0, bay.y + wall / 2, rail)))
    track = Track(str(rng.choice(["flat", "round"])), bay.y - t - 0.004, rail, size)
    y, low, top = track.leaf_y(t), bay.z - bay.h / 2, rail - size
    case.still(case.metal, *track.rail(-reach, reach, bay.y + 0.002))
    ledge, lip = bay.y - y + t / 2 + 0.01, y - t / 2 - 0.006
    case.still(case.metal, block((2 * reach, ledge, 0.006), (0, bay.y - ledge / 2, low - 0.01)))
    case.still(case.metal, block((2 * reach, 0.006, 0.02), (0, lip, low - 0.002)))
    free = [(k,) for k in range(count)] + ([(0, 2), (0, 3), (1, 2), (1, 3)] if count == 4 else [])
    movers = free[int(rng.integers(len(free)))]
    moves = tuple(k in movers for k in range(count))
    centres = (np.arange(count) + 0.5) * step - reach
    lanes = Lanes(tuple(0 if m else 1 for m in moves), moves, t, 0.01)
    ranges = lanes.travel_ranges(centres, 0.98 * step, (-reach, reach))
    for i, (x, way) in enumerate(zip(centres, ranges, strict=True)):
        if i:
            case.still(case.body, block((wall, 0.98 * depth, bay.h), (x - step / 2, 0, bay.z)))
        if not moves[i]:
            if rng.random() < 0.5:
                leaf = _front(case, step - wall, top - low, t, style, "none", 1)
                inset = case.made.weld("carcass", f"panel_{i + 1}")
                case.made.part(inset, shifted(leaf, (x, bay.y + t / 2, (low + top) / 2)))
            continue
        name, side = f"door_{i + 1}", int(rng.choice([-1, 1]))
        leaf = _front(case, 0.98 * step, top - low, t, style, kind, side)
        case.made.part(name, shifted(leaf, (x, y, (low + top) / 2)))
        at = (x + side * (0.49 * step - 0.05), y - t / 2, (low + top) / 2)
        _flush_pull(case, name, kind, True, np.array(at), 0.025, 0.006, top - low)
        case.made.slide("carcass", name, X, *way)
        hang_leaf(case, track, name, (x - 0.34 * step, x + 0.34 * step), top)
