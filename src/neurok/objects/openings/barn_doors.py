"""Barn doors that roll along a rail in front of a wall, or hang on straps."""

# ruff: noqa: RUF005 — point + (x, y, z) adds vectors here

from __future__ import annotations

import numpy as np

from neurok.objects.kit.casework import Casework, hang
from neurok.objects.kit.extras import weld_on_spots
from neurok.objects.kit.finishes import finish
from neurok.objects.kit.lanes import which_move
from neurok.objects.kit.panels import border_bars
from neurok.objects.kit.placing import X, Y, moved, shifted
from neurok.objects.kit.solids import bar, block
from neurok.objects.kit.tracks import Track, hang_leaf
from neurok.objects.registry import family
from neurok.shapes.robots.assembly import painted
from neurok.shapes.shape import Shape


@family(number=55)
def barn_door(rng: np.random.Generator) -> Shape:
    """One or two doors on wheels over an opening in a wall or a frame, or on strap hinges."""
    case, twin, swings = Casework(rng, "barn_door", "wall"), rng.random() < 0.4, rng.random() < 0.18
    w, high, thick, t = rng.uniform((0.75, 1.9, 0.07, 0.03), (1.05, 2.25, 0.16, 0.045))
    count, kind = 1 + twin, str(rng.choice(["flat", "round", "channel"]))
    size, span, moves = rng.uniform(0.035, 0.055), count * w, which_move(rng, count, 0.35)
    y = -t / 2 - 0.012 if kind == "channel" else -t - 0.012
    track = Track(kind, y, high + rng.uniform(0.08, 0.14), size)
    left, right = (span / 2 + (1.05 * w if moves[k] and not swings else 0.2) for k in (0, -1))
    right = right if twin else span / 2 + rng.uniform(0.12, 0.4)
    _wall(case, (span - 0.06, high - 0.03, thick), (-left, right), track.z + 2.5 * size)
    if not swings:
        case.still(case.metal, *track.rail(-left, right, 0.002))
    style = str(rng.choice(["flat", "framed", "glazed", "planks", "planks", "coffered"]))
    brace, rolls, reach = str(rng.choice(["none", "z", "x"])), rng.random() < 0.35, rng.uniform(0.15, 0.35)
    for k in range(count):
        x, name, side = (k + 0.5) * w - span / 2, f"door_{k + 1}" if twin else "door", 2 * k - 1
        top = high if swings else track.z - 0.8 * size
        leaf, at = _leaf(case, w - 0.004, top - 0.02, t, style, brace), np.array([x, 0, top / 2 + 0.01])
        if swings:
            _strap_leaf(case, name, leaf, at - (t / 2 + 0.004) * Y, (w - 0.004, top - 0.02, t), side)
        else:
            at[1] = track.leaf_y(t)
            case.made.part(name, shifted(leaf, at))
        case.grip(name, reach, at + (-side * 0.42 * w, -t / 2 - (t / 2 + 0.004) * swings, -0.05 * high), True)
        if not swings:
            _let_roll(case, track, name, at, (w, top, t), side, moves[k], rolls)
    weld_on_spots(case.made, rng, [("wall", (right - 0.06, 0, z * high), -Y, 0.08) for z in (0.5, 0.6)])
    return case.finish()


def _let_roll(case, track: Track, name, at, size, side, moves, rolls) -> None:
    """A leaf on the rail with a floor guide, or a fixed leaf on battens in front of the wall."""
    (w, top, t), (x, y, _) = size, at
    if not moves:
        deep = 0.002 - y - t / 2
        case.made.weld("wall", name)
        battens = [(x + s * 0.46 * w, y + (t + deep) / 2, 0.5 * top) for s in (-1, 1)]
        case.still(case.body, *(block((0.06, deep, 0.9 * top), p) for p in battens))
        return
    joint = case.made.slide("wall", name, X, *sorted((0.0, side * 0.94 * w)))
    hang_leaf(case, track, name, (x - 0.33 * w, x + 0.33 * w), top, joint if rolls else "")
    foot, front = x + side * 0.47 * w, y - t / 2 - 0.012
    guide = [block((0.05, -front, 0.012), (foot, front / 2, 0.006))]
    guide += [block((0.05, 0.008, 0.05), (foot, y + s * (t / 2 + 0.007), 0.025)) for s in (-1, 1)]
    case.still(case.metal, *guide)


def _wall(case, opening, ends, crown) -> None:
    """A wall or a timber frame with an opening, its front in the plane y = 0, sometimes with a casing."""
    (w, h, thick), rng = opening, case.rng
    if rng.random() < 0.6:
        for a, b in ((ends[0], -w / 2), (w / 2, ends[1])):
            case.still(case.body, block((b - a, thick, crown), ((a + b) / 2, thick / 2, crown / 2)))
        case.still(case.body, block((w, thick, crown - h), (0, thick / 2, (crown + h) / 2)))
    else:
        for x in {ends[0] + 0.05, -w / 2 - 0.05, w / 2 + 0.05, ends[1] - 0.05}:
            case.still(case.body, block((0.1, thick, h), (x, thick / 2, h / 2), 0.004))
        long, mid = ends[1] - ends[0], sum(ends) / 2
        beam = block((long, thick, crown - h), (mid, thick / 2, (crown + h) / 2), 0.004)
        case.still(case.body, beam, block((long, thick, 0.012), (mid, thick / 2, 0.006)))
    if rng.random() < 0.4:
        back = shifted(border_bars(w + 0.2, h + 0.1, 0.02, 0.1), (0, thick + 0.009, h / 2 + 0.05))
        case.still(finish(rng, "wood", "pale"), *back[:2], back[3])


def _leaf(case, w, h, t, style, brace) -> list[Shape]:
    """A leaf about the origin, sometimes with ledges and a diagonal or a cross of boards."""
    leaf = case.fronts.leaf(w, h, t if brace == "none" else 0.7 * t, style)
    if brace == "none":
        return leaf
    x, z = 0.42 * w, 0.36 * h
    boards = [block((0.96 * w, 0.3 * t, 0.1), (0, 0, s * 0.42 * h)) for s in (-1, 1)]
    signs = (1, -1) if brace == "x" else (1,)
    boards += [bar((-s * x, 0, -z), (s * x, 0, z), 0.09, 0.3 * t) for s in signs]
    return shifted(leaf, (0, 0.15 * t, 0)) + [painted(moved(b, (0, -0.34 * t, 0)), case.body) for b in boards]


def _strap_leaf(case, name, leaf, at, size, side) -> None:
    """A leaf on barrels at its outer edge with long straps over its front."""
    w, h, t = size
    hang(case, name, leaf, size, at, "left" if side < 0 else "right", case.rng.uniform(1.5, 2.2))
    for z in (-0.36 * h, 0.36 * h):
        strap = block((0.7 * w, 0.01, 0.05), at + (side * 0.15 * w, -t / 2 - 0.003, z))
        case.fit(name, "strap", case.metal, strap)
