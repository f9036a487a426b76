"""Ovens, cabinets and racks with trays on runners."""

from __future__ import annotations

import numpy as np

from neurok.objects.kit.casework import Casework, add_feet, hang, open_case
from neurok.objects.kit.controls import add_knob
from neurok.objects.kit.extras import Spot, weld_on_spots
from neurok.objects.kit.lanes import Bay, which_move
from neurok.objects.kit.outlines import cells, corners
from neurok.objects.kit.panels import walls
from neurok.objects.kit.placing import X, Y, shifted
from neurok.objects.kit.solids import block, dowel, rod, tube
from neurok.objects.registry import family
from neurok.shapes.shape import Shape


@family(number=57)
def rack_oven(rng: np.random.Generator) -> Shape:
    """A cabinet or rack with sheet, wire or slatted trays on runners, and sometimes an open door."""
    case = Casework(rng, "rack_oven", "cabinet")
    is_rack = rng.random() < 0.3
    w, d, h = rng.uniform((0.45, 0.45, 0.5), (0.9, 0.8, 1.6))
    wall = 0.035 if is_rack else rng.uniform(0.02, 0.07)
    crown = 0.0 if is_rack or rng.random() < 0.5 else rng.uniform(0.08, 0.16)
    if is_rack:
        _frame(case, (w, d, h), wall)
    else:
        case.still(case.body, *open_case(w, d, h, wall))
    door = "none" if is_rack else str(rng.choice(["none", "drop" if h < 0.9 else "side", "side"]))
    _trays(case, Bay(0.0, h / 2, w - 2 * wall, h - 2 * wall, -d / 2), d, door != "none")
    if door != "none":
        t = min(rng.uniform(0.02, 0.04), 0.5 * wall + 0.01)
        size = (w - wall, h - wall, t)
        side = "bottom" if door == "drop" else str(rng.choice(["left", "right"]))
        leaf = case.fronts.leaf(*size, str(rng.choice(["flat", "glazed", "framed"])))
        reach = np.pi / 2 if door == "drop" else rng.uniform(1.8, 2.2)
        hang(case, "door", leaf, size, (0, -d / 2 - t / 2 - 0.002, h / 2), side, reach, 0.2)
    spots = _control_head(case, (w, d, h), crown) if crown else []
    spots += [("cabinet", (s * w / 2, 0, 0.6 * h), s * X, 0.12) for s in (-1, 1) if not is_rack]
    add_feet(case, w, d)
    if len(case.made.joints) < 6:
        weld_on_spots(case.made, rng, spots)
    if door == "none":
        return case.finish()
    return case.finish(ajar=0.0, opened=["door"])


def _frame(case, size, post) -> None:
    """Four posts with beams around their feet and heads."""
    w, d, h = size
    for x, y in corners((w - post) / 2, (d - post) / 2):
        case.still(case.body, block((post, post, h), (x, y, h / 2), 0.003))
    for z in (post / 2, h - post / 2):
        case.still(case.body, *(block((post, d, post), (s * (w - post) / 2, 0, z)) for s in (-1, 1)))
        case.still(case.body, block((w, post, post), (0, (d - post) / 2, z)))
    case.still(case.body, block((w, d, 0.3 * post), (0, 0, h - 0.15 * post)))


def _trays(case, bay: Bay, d, shut) -> None:
    """Trays above each other on ledges, on rods or in channels; some are fixed."""
    rng, count = case.rng, int(case.rng.integers(2, 6))
    runner = str(rng.choice(["ledge", "rods", "channel"]))
    style, noun = str(rng.choice(["sheet", "wire", "slats"])), str(rng.choice(["tray", "rack", "shelf"]))
    pitch, gap = bay.h / count, rng.uniform(0.012, 0.022)
    front = bay.y + (0.06 if shut else rng.uniform(0.0, 0.03))
    long, wide = 0.97 * (d / 2 - front) - 0.02, bay.w - 2 * gap
    mid, rim = front + long / 2, min(rng.uniform(0.015, 0.05), 0.4 * pitch)
    moves, grips = which_move(rng, count, 0.35), rng.random() < 0.6
    wheels = runner != "rods" and rng.random() < 0.5
    seed = int(rng.integers(2**32))
    for k in range(count):
        name, low = f"{noun}_{k + 1}", bay.z - bay.h / 2 + (k + 0.3) * pitch
        for s in (-1, 1):
            x = s * bay.w / 2
            case.still(case.metal, *_runner(runner, x, s, gap, (bay.y + d / 2 - 0.01, d - 0.03), low))
            if wheels:
                for y in (mid + 0.4 * long, mid - 0.1 * long):
                    axle = dowel((x - 0.6 * s * gap, y, low + 0.4 * gap), (0.45 * gap, 0, 0), 0.38 * gap, 12)
                    case.fit(name, "wheel", case.metal, axle)
        case.made.add(name, case.metal, shifted(_tray(style, wide, long, rim), (0, mid, low)))
        if grips:
            bow = _bow(np.random.default_rng(seed), 0.3 * wide, 0.04)
            case.fit(name, "handle", case.metal, *shifted(bow, (0, front, low + 0.4 * rim)))
        if moves[k]:
            case.made.slide("cabinet", name, -Y, 0.0, rng.uniform(0.5, 0.8) * long)
        else:
            case.made.weld("cabinet", name)
            ends = [(s * (bay.w / 2 - 0.95 * gap), mid, low + 0.006) for s in (-1, 1)]
            case.fit(name, "angle", case.body, *(block((2 * gap, 0.03, 0.012), end) for end in ends))


def _bow(rng, span, out) -> list[Shape]:
    """A bow of wire or a bent plate that stands out towards −y."""
    if rng.random() < 0.5:
        path = [(-span / 2, 0.003, 0), (-span / 2, -out, 0), (span / 2, -out, 0), (span / 2, 0.003, 0)]
        return [tube(path, 0.004, 8)]
    return [block((span, out, 0.003), (0, -out / 2, 0)), block((span, 0.003, 0.014), (0, -out, -0.006))]


def _runner(kind, x, s, gap, along, low) -> list[Shape]:
    """The support of one side of a tray whose underside is at `low`."""
    y, long = along
    if kind == "rods":
        line = dowel((x - s * gap, y, low - 0.0045), long / 2 * Y, 0.004, 8)
        ends = [(x - s * gap / 2, y + k * 0.46 * long, low - 0.005) for k in (-1, 1)]
        return [line, *(block((gap + 0.006, 0.008, 0.008), end) for end in ends)]
    ledge = [block((1.8 * gap, long, 0.003), (x - 0.9 * s * gap, y, low - 0.002)),
             block((0.003, long, 1.2 * gap), (x - 0.001 * s, y, low + 0.6 * gap))]  # fmt: skip
    roof = block((0.9 * gap, long, 0.003), (x - 0.45 * s * gap, y, low + 1.1 * gap))
    return [*ledge, roof] if kind == "channel" else ledge


def _tray(style, w, d, rim) -> list[Shape]:
    """A tray about the z axis on z = 0: a sheet with a rim, wires, or slats in a frame."""
    if style == "sheet":
        return [block((w, d, 0.003), (0, 0, 0.0015)), *walls(w, d, rim, 0.004)]
    frame = [block((0.01, d, 0.01), (s * (w / 2 - 0.005), 0, 0.005)) for s in (-1, 1)]
    frame += [block((w, 0.01, 0.01), (0, s * (d / 2 - 0.005), 0.005)) for s in (-1, 1)]
    count = int(np.clip(w / 0.04, 6, 18))
    if style == "slats":
        return frame + [block((0.5 * w / count, d, 0.006), (x, 0, 0.005)) for x in cells(count, w)]
    return frame + [rod((x, -d / 2, 0.006), (x, d / 2, 0.006), 0.003, 6) for x in cells(count, w)]


def _control_head(case, size, crown) -> list[Spot]:
    """A box on top of the cabinet with turning and fixed knobs. Returns spots for extras on them."""
    (w, d, h), rng = size, case.rng
    deep = rng.uniform(0.4, 1.0) * d
    case.still(case.skin, block((w, deep, crown), (0, (deep - d) / 2, h + crown / 2 - 0.001), 0.004))
    spots = []
    for k, x in enumerate(np.linspace(-0.35, 0.35, int(rng.integers(1, 4))) * w):
        at = np.array([x, -d / 2, h + crown / 2])
        spots += add_knob(case.made, rng, "cabinet", f"knob_{k + 1}", at, -Y, 0.2 * crown)
        if rng.random() < 0.3:
            case.made.joints.pop()
            case.made.weld("cabinet", f"knob_{k + 1}")
    return spots
