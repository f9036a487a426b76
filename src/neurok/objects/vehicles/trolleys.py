"""Suitcases and tool carts."""

# ruff: noqa: RUF005 — point + (x, y, z) adds vectors here

from __future__ import annotations

from itertools import pairwise

import numpy as np

from neurok.objects.kit.casters import add_caster, roller
from neurok.objects.kit.extras import weld_some
from neurok.objects.kit.finishes import finish
from neurok.objects.kit.mechanism import Mechanism
from neurok.objects.kit.outlines import corners, rectangle
from neurok.objects.kit.panels import barrels, pull
from neurok.objects.kit.placing import X, Y, Z, shifted, upright
from neurok.objects.kit.solids import block, dowel, extrude, rod, tube
from neurok.objects.registry import family
from neurok.shapes.shape import Shape


@family(number=48)
def suitcase(rng: np.random.Generator) -> Shape:
    """A trolley case on wheels or a hand-held case: two shells, hinged at a long side."""
    made = Mechanism("suitcase")
    trolley = rng.random() < 0.6
    low, high = ((0.3, 0.45, 0.18), (0.5, 0.75, 0.32)) if trolley else ((0.2, 0.3, 0.08), (0.4, 0.6, 0.2))
    w, h, d = rng.uniform(low, high)
    skin, metal = finish(rng, "plastic", "fabric", "paint", "dark"), finish(rng, "metal", "dark", "brass")
    wall, split, steps = rng.uniform(0.006, 0.012), rng.uniform(0.4, 0.65), int(rng.choice([1, 4, 4]))
    corner = rng.uniform(0.05, 0.13) * min(w, h)
    depths = {"case": split * d, "lid": (split - 1) * d}
    for link, depth in depths.items():
        made.add(link, skin, _shell(rng, w, h, depth, wall, corner, steps))
    pin, knuckles = 0.006, np.linspace(0.25, 0.75, 2 * int(rng.integers(1, 4))) * h
    length = 0.5 * (0.6 * h / (len(knuckles) - 1)) if len(knuckles) > 2 else 0.1 * h
    for k, link in enumerate(("case", "lid")):
        levels = knuckles + (k - 0.5) * length
        made.part(link, barrels((w / 2 + 0.4 * pin, 0), levels, pin, length, metal))
    made.hinge("case", "lid", (w / 2 + 0.4 * pin, 0, 0), Z, 0.0, rng.uniform(1.4, 3.0))
    _closures(made, rng, w, h, metal)
    if trolley:
        _telescope(made, rng, w, h, depths["case"] - wall, metal)
        _case_wheels(made, rng, w, depths, metal)
        _bail(made, (0, 0.3 * depths["case"], h), X, Z, 0.4 * w, metal)
    else:
        _bail(made, (-w / 2, 0.4 * depths["case"], h / 2), Z, -X, 0.3 * h, metal)
    plate = block((0.3 * w, 0.008, 0.06 * h), (0.1 * w, depths["lid"] - 0.002, 0.75 * h))
    offers = [("lid", "nameplate", plate)]
    offers += [
        (link, f"corner_{2 * j + k + 1}", block((0.05, 0.02, 0.05), (-0.42 * w, y, (0.06, h - 0.06)[k])))
        for j, (link, y) in enumerate(depths.items())
        for k in range(2)
    ]
    offers.append(("lid", "strap", block((0.02, 0.01, h), (0.12 * h, depths["lid"], h / 2))))
    weld_some(made, rng, offers, metal)
    if not trolley:
        made.turn(Y, np.pi / 2)
    if rng.random() < (0.25 if trolley else 0.6):
        made.turn(X, -np.pi / 2)
    return made.finish(rng, ajar=0.35)


def _shell(rng, w, h, depth, wall, corner, steps) -> list[Shape]:
    """Half a case of a given depth, open at y = 0, with ribs, a pocket or a plain face."""
    outer = rectangle(w, h, corner, steps)
    inner = rectangle(w - 2 * wall, h - 2 * wall, max(corner - wall, 1e-3), steps)
    k = 2 * (steps + 1)
    solids = [upright(extrude(outer, wall, 0.3 * wall), (0, depth - np.sign(depth) * wall / 2, 0))]
    for first in (0, k):
        way = np.arange(first - 1, first + k) % (2 * k)
        rim = extrude(np.concatenate([outer[way], inner[way[::-1]]]), abs(depth))
        solids.append(upright(rim, (0, depth / 2, 0)))
    style, ribs = rng.choice(["plain", "ribs", "pocket"]), int(rng.integers(3, 8))
    if style == "ribs":
        xs = (np.arange(ribs) - (ribs - 1) / 2) * 0.8 * w / ribs
        solids += [block((0.35 * w / ribs, 0.012, 0.75 * h), (x, depth, 0), 0.004) for x in xs]
    elif style == "pocket" and depth < 0:
        solids.append(block((0.75 * w, 0.04, 0.4 * h), (0, depth - 0.015, -0.15 * h), 0.012))
    return shifted(solids, (0, 0, h / 2))


def _closures(made, rng, w, h, metal) -> None:
    """Latches over the parting line of the shells, or a seam with a sliding tab."""
    x, count = -w / 2 - 0.005, int(rng.integers(1, 4))
    if rng.random() < 0.3:
        made.add("case", metal, block((0.004, 0.012, 0.7 * h), (-w / 2, 0.002, h / 2)))
        made.add("zip_tab", metal, block((0.012, 0.02, 0.025), (x, 0, 0.2 * h), 0.003))
        made.add("zip_tab", metal, block((0.004, 0.012, 0.05), (x, 0, 0.2 * h - 0.03)))
        made.slide("case", "zip_tab", Z, 0.0, rng.uniform(0.5, 0.65) * h)
        return
    long, tall = rng.uniform(0.03, 0.06), rng.uniform(0.02, 0.05)
    for k, z in enumerate(np.array([[0.5], [0.22, 0.78], [0.18, 0.5, 0.82]][count - 1]) * h):
        name, axis = f"latch_{k + 1}", (x, 0.4 * long)
        made.part("case", barrels(axis, np.array([z - 0.6 * tall, z + 0.6 * tall]), 0.006, 0.2 * tall, metal))
        made.part(name, barrels(axis, np.array([z]), 0.0055, tall, metal))
        made.add(name, metal, block((0.006, long, tall), (x, -0.1 * long, z), 0.002))
        made.hinge("case", name, (*axis, 0), -Z, 0.0, rng.uniform(1.2, 2.4))


def _telescope(made, rng, w, h, back, metal) -> None:
    """A grip on one or two telescopic tubes at the top of the case, in one or two stages."""
    r = float(rng.uniform(0.007, 0.011))
    y, half = back - 1.4 * r, rng.uniform(0.18, 0.3) * w
    xs, stages = (0.0,) if rng.random() < 0.2 else (-half, half), int(rng.integers(1, 3))
    made.add("case", metal, [block((4 * r, 3.2 * r, 0.02), (x, y, h), 0.003) for x in xs])
    parent = "case"
    if stages == 2:
        made.add("tube", metal, [rod((x, y, 0.3 * h), (x, y, h + 0.015), 1.3 * r, 10) for x in xs])
        parent = "tube"
        made.slide("case", "tube", Z, 0.0, rng.uniform(0.25, 0.5) * h)
    made.add("grip", metal, [rod((x, y, 0.25 * h), (x, y, h + 0.03), r, 10) for x in xs])
    bar = block((2 * half + 0.05, 3 * r, 0.03), (0, y, h + 0.035), 0.006, 3)
    made.add("grip", finish(rng, "rubber", "dark", "plastic"), bar)
    made.slide(parent, "grip", Z, 0.0, rng.uniform(0.4, 0.65) * h)


def _case_wheels(made, rng, w, depths, metal) -> None:
    """Four casters under both shells, or two wheels on an axle behind and two feet in front."""
    r, skin = float(rng.uniform(0.018, 0.032)), finish(rng, "rubber", "dark", "plastic")
    if rng.random() < 0.5:
        spots = [(link, (s * 0.36 * w, 0.55 * y, 0)) for link, y in depths.items() for s in (-1, 1)]
        for k, (link, at) in enumerate(spots):
            add_caster(made, link, k + 1, np.array(at), 0.8 * r, metal, skin, True)
        return
    y = depths["case"] - 0.8 * r
    for k, s in enumerate((-1, 1)):
        hub = np.array([s * 0.38 * w, y, -0.4 * r])
        made.add("case", metal, dowel(hub, 1.2 * r * X, 0.25 * r, 8))
        cheeks = [block((0.2 * r, 1.2 * r, 1.2 * r), hub + (e * 0.95 * r, 0, 0.2 * r)) for e in (-1, 1)]
        made.add("case", metal, cheeks)
        made.part(f"wheel_{k + 1}", shifted(roller(r, 1.4 * r, skin, metal), hub))
        made.spin("case", f"wheel_{k + 1}", hub, X)
        foot = np.array([s * 0.38 * w, 0.5 * depths["lid"], 0])
        made.add("lid", skin, rod(foot - 1.4 * r * Z, foot, 0.012, 8))


def _bail(made, at, along, out, span, metal) -> None:
    """A carrying handle on a face towards −y that swings up."""
    at, r = np.asarray(at) + 0.008 * out, 0.007
    ends = [at + s * span / 2 * along for s in (-1, 1)]
    path = [ends[0], ends[0] - 0.03 * Y + 0.02 * along, ends[1] - 0.03 * Y - 0.02 * along, ends[1]]
    made.add("carry_handle", metal, tube(path, r, 8, rounded=True))
    made.add("case", metal, [dowel(e, 0.012 * along, 1.3 * r, 10) for e in ends])
    made.hinge("case", "carry_handle", at, np.cross(-Y, out), 0.0, np.pi / 2)


@family(number=49)
def tool_cart(rng: np.random.Generator) -> Shape:
    """Drawers in a cabinet or under the tray of an open frame, on casters, with a shelf that folds up."""
    made = Mechanism("tool_cart")
    w, d, h, r = rng.uniform((0.4, 0.32, 0.5, 0.03), (0.9, 0.5, 0.85, 0.06))
    skin, metal = finish(rng, "paint", "plastic", "metal", "dark"), finish(rng, "metal", "dark")
    open_frame, floor, wall = rng.random() < 0.45, 2.5 * r, 0.015
    top, bottom = floor + h, floor + (rng.uniform(0.45, 0.65) * h if open_frame else 0.0)
    _housing(made, w, d, bottom, top, wall, skin)
    if open_frame:
        _open_frame(made, rng, w, d, floor, bottom, skin, metal)
    shares = rng.uniform(0.5, 1.5, int(rng.integers(1, 3) if open_frame else rng.integers(2, 7)))
    edges = bottom + wall + np.r_[0.0, np.cumsum(shares) / shares.sum()] * (top - bottom - 2 * wall)
    seed, front, door = int(rng.integers(2**32)), finish(rng, "paint", "metal", "pale"), rng.random() < 0.3
    for k, (low, high) in enumerate(pairwise(edges)):
        handle = pull(np.random.default_rng(seed), min(0.4 * w, 0.2, 1.5 * (high - low)), metal)
        if door and k == 0 and (high - low > 0.15):
            _cart_door(made, w, d, low, high, handle, front, metal, rng.uniform(1.5, 2.2))
        else:
            _cart_drawer(made, f"drawer_{k + 1}", w, d, low, high, wall, handle, front)
    _cart_feet(made, rng, w, d, r, floor, metal)
    sides = [(), (1,), (1,), (-1, 1)][int(rng.integers(4))]
    for s in sides:
        _side_shelf(made, rng, s, w, d, top, min(0.75 * (top - floor), 0.5), skin, metal, sides)
    if not sides or rng.random() < 0.4:
        _cart_lid(made, rng, w, d, top, skin, metal)
    offers = [("frame", "nameplate", block((0.3 * w, 0.006, 0.02), (0, -d / 2 - 0.002, top - 0.005)))]
    if len(shares) > 1:
        label = block((0.06, 0.006, 0.02), (-0.35 * w, -d / 2 - 0.017, edges[1] + 0.025))
        offers.append(("drawer_2", "label_plate", label))
    offers += [
        ("frame", f"bumper_{k + 1}", block((0.03, 0.03, 0.06), (s * w / 2, d / 2, bottom + 0.05)))
        for k, s in enumerate((-1, 1))
    ]
    hook = rod((0.2 * w, d / 2 - 0.01, top - 0.1), (0.2 * w, d / 2 + 0.05, top - 0.08), 0.006, 8)
    offers.append(("frame", "hook", hook))
    weld_some(made, rng, offers, metal)
    return made.finish(rng)


def _housing(made, w, d, bottom, top, wall, skin) -> None:
    """A cabinet, open in front."""
    mid, tall = (bottom + top) / 2, top - bottom
    solids = [block((wall, d, tall), (s * (w - wall) / 2, 0, mid), 0.002) for s in (-1, 1)]
    solids += [block((w, d, wall), (0, 0, z), 0.002) for z in (bottom + wall / 2, top - wall / 2)]
    made.add("frame", skin, solids, block((w, wall, tall), (0, (d - wall) / 2, mid)))


def _open_frame(made, rng, w, d, floor, bottom, skin, metal) -> None:
    """Four posts below the housing and one or two trays with rims between them."""
    for x, y in corners(0.5 * w - 0.015, 0.5 * d - 0.015):
        made.add("frame", metal, rod((x, y, floor), (x, y, bottom + 0.01), 0.012, 10))
    count = int(rng.integers(1, 3))
    for z in np.linspace(floor, bottom, count, endpoint=False) + 0.01:
        rims = [block((w, 0.01, 0.05), (0, s * d / 2, z + 0.02)) for s in (-1, 1)]
        rims += [block((0.01, d, 0.05), (s * w / 2, 0, z + 0.02)) for s in (-1, 1)]
        made.add("frame", skin, block((w, d, 0.012), (0, 0, z)), rims)


def _cart_drawer(made, name, w, d, low, high, wall, handle, front) -> None:
    """A tray behind a front, on two runners that the frame carries."""
    inner, tall, y, long = w - 2 * wall - 0.024, high - low - 0.004, -d / 2, 0.86 * d
    deep, mid = 0.7 * tall, (low + high) / 2
    solids = [
        block((inner, long, 0.006), (0, y + long / 2, low + 0.006)),
        block((w - 0.004, 0.014, tall), (0, y - 0.007, mid), 0.002),
    ]
    solids.append(block((inner, 0.006, deep), (0, y + long, low + deep / 2 + 0.003)))
    solids += [
        block((0.006, long, deep), (s * inner / 2, y + long / 2, low + deep / 2 + 0.003)) for s in (-1, 1)
    ]
    made.add(name, front, solids)
    made.part(name, shifted(handle, (0, y - 0.014, mid)))
    for s in (-1, 1):
        made.add(
            "frame", front, block((0.012, 0.9 * d, 0.01), (s * (inner / 2 + 0.008), 0, low + 0.5 * deep))
        )
    made.slide("frame", name, -Y, 0.0, 0.75 * long)


def _cart_door(made, w, d, low, high, handle, front, metal, reach) -> None:
    """A door over the lowest cell, hinged at its right edge."""
    y, mid, tall = -d / 2, (low + high) / 2, high - low - 0.004
    made.add("door", front, block((w - 0.004, 0.014, tall), (0, y - 0.007, mid), 0.002))
    made.part("door", shifted(handle, (-0.3 * w, y - 0.014, mid)))
    made.part("frame", barrels((w / 2, y - 0.012), mid + np.array([-0.3, 0.3]) * tall, 0.007, 0.05, metal))
    made.hinge("frame", "door", (w / 2, y - 0.012, 0), Z, 0.0, reach)


def _cart_feet(made, rng, w, d, r, floor, metal) -> None:
    """Four casters, of which all or two swivel, or two wheels at one end and two legs at the other."""
    skin, style = finish(rng, "rubber", "dark", "plastic"), rng.choice(["all", "two", "legs"])
    for k, (x, y) in enumerate(corners(0.5 * w - 0.05, 0.5 * d - 0.06)):
        at = np.array([x, y, floor])
        if style == "legs" and x < 0:
            made.add("frame", metal, rod(at * (1, 1, 0), at + (0, 0, 0.005), 0.015, 10))
        else:
            swivels = bool(style == "all" or (style == "two" and x > 0))
            add_caster(made, "frame", k + 1, at, r, metal, skin, swivels)


def _side_shelf(made, rng, s, w, d, top, long, skin, metal, sides) -> None:
    """A board at a side of the cart that folds up until it is level."""
    wide, long, x = rng.uniform(0.6, 0.95) * d, rng.uniform(0.6, 1.0) * long, s * (w / 2 + 0.011)
    name = "shelf" if len(sides) == 1 else f"shelf_{1 if s < 0 else 2}"
    z = top - 0.011
    made.add(name, skin, block((0.016, wide, long), (x + s * 0.002, 0, z - 0.5 * long - 0.008), 0.003))
    made.add(name, metal, rod((x, -0.2 * wide, z), (x, 0.2 * wide, z), 0.01, 10))
    for e in (-1, 1):
        made.add("frame", metal, rod((x, e * 0.22 * wide, z), (x, e * 0.45 * wide, z), 0.011, 10))
    made.hinge("frame", name, (x, 0, z), (0, -s, 0), 0.0, np.pi / 2)


def _cart_lid(made, rng, w, d, top, skin, metal) -> None:
    """A shallow well on top under a lid that is hinged at the back."""
    deep, y = rng.uniform(0.03, 0.1), d / 2 + 0.004
    solids = [block((w, 0.01, deep), (0, s * (d / 2 - 0.005), top + deep / 2)) for s in (-1, 1)]
    solids += [block((0.01, d, deep), (s * (w / 2 - 0.005), 0, top + deep / 2)) for s in (-1, 1)]
    made.add("frame", skin, solids)
    made.add("lid", skin, block((w, d, 0.02), (0, 0, top + deep + 0.01), 0.004))
    made.part("lid", shifted(pull(rng, min(0.15, 0.3 * w), metal), (0, -d / 2, top + deep + 0.01)))
    for x in (-0.3 * w, 0.3 * w):
        made.add("frame", metal, rod((x - 0.04, y, top + deep), (x + 0.04, y, top + deep), 0.008, 10))
    made.hinge("frame", "lid", (0, y, top + deep), -X, 0.0, rng.uniform(1.2, 1.8))
