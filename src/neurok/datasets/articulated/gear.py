"""Gear that is wheeled about, ridden or worked by hand: cases, carts, bicycles, seesaws, presses."""
# ruff: noqa: RUF005 — point + (x, y, z) adds vectors here

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import numpy as np

from neurok.datasets.articulated.finishes import finish
from neurok.datasets.articulated.mechanism import Mechanism
from neurok.datasets.articulated.outlines import curve, rectangle
from neurok.datasets.articulated.panels import barrels, pull, shifted
from neurok.datasets.articulated.placing import aimed, moved, turned
from neurok.datasets.articulated.solids import ball, block, extrude, lathe, pill, ring, rod, torus, tube
from neurok.datasets.articulated.wheels import wheel
from neurok.shapes.articulated.assembly import painted
from neurok.shapes.articulated.transforms import rotation_about
from neurok.shapes.shape import Shape

X, Y, Z = np.eye(3)


def suitcase(rng: np.random.Generator) -> Shape:
    """A trolley case on wheels or a case carried by hand: two shells, hinged at a long side."""
    made = Mechanism("suitcase")
    trolley = rng.random() < 0.6
    low, high = ((0.3, 0.45, 0.18), (0.5, 0.75, 0.32)) if trolley else ((0.2, 0.3, 0.08), (0.4, 0.6, 0.2))
    w, h, d = rng.uniform(low, high)
    skin, metal = finish(rng, "plastic", "fabric", "paint", "dark"), finish(rng, "metal", "dark", "brass")
    wall, split, steps = rng.uniform(0.006, 0.012), rng.uniform(0.4, 0.65), int(rng.choice([1, 4, 4]))
    corner = rng.uniform(0.05, 0.13) * min(w, h)
    depths = {"case": split * d, "lid": (split - 1) * d}
    for link, depth in depths.items():
        _add(made, link, skin, _shell(rng, w, h, depth, wall, corner, steps))
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
        _bail(made, "case", "carry_handle", (0, 0.3 * depths["case"], h), X, Z, 0.4 * w, metal)
    else:
        _bail(made, "case", "carry_handle", (-w / 2, 0.4 * depths["case"], h / 2), Z, -X, 0.3 * h, metal)
    spots = [("lid", "nameplate", block((0.3 * w, 0.008, 0.06 * h),
        (0.1 * w, depths["lid"] - 0.002, 0.75 * h)))]  # fmt: skip
    spots += [(link, f"corner_{2 * j + k + 1}", block((0.05, 0.02, 0.05),
        (-0.42 * w, y, (0.06, h - 0.06)[k]))) for j, (link, y) in enumerate(depths.items())
        for k in range(2)]  # fmt: skip
    spots.append(("lid", "strap", block((0.02, 0.01, h), (0.12 * h, depths["lid"], h / 2))))
    _fittings(made, rng, metal, spots)
    if not trolley:
        _posed(made, Y, np.pi / 2)
    if rng.random() < (0.25 if trolley else 0.6):
        _posed(made, X, -np.pi / 2)
    return made.finish(rng, ajar=0.35)


def _shell(rng, w, h, depth, wall, corner, steps) -> list[Shape]:
    """Half a case, open at y = 0 and as deep as `depth` says, with ribs, a pocket or a plain face."""
    outer, inner = rectangle(w, h, corner, steps), rectangle(w - 2 * wall, h - 2 * wall, corner - wall, steps)
    k = 2 * (steps + 1)
    face = turned(extrude(outer, wall, 0.3 * wall), X, np.pi / 2)
    solids = [moved(face, (0, depth - np.sign(depth) * wall / 2, 0))]
    for first in (0, k):
        way = np.arange(first - 1, first + k) % (2 * k)
        rim = extrude(np.concatenate([outer[way], inner[way[::-1]]]), abs(depth))
        solids.append(moved(turned(rim, X, np.pi / 2), (0, depth / 2, 0)))
    style, ribs = rng.choice(["plain", "ribs", "pocket"]), int(rng.integers(3, 8))
    if style == "ribs":
        xs = (np.arange(ribs) - (ribs - 1) / 2) * 0.8 * w / ribs
        solids += [block((0.35 * w / ribs, 0.012, 0.75 * h), (x, depth, 0), 0.004) for x in xs]
    elif style == "pocket" and depth < 0:
        solids.append(block((0.75 * w, 0.04, 0.4 * h), (0, depth - 0.015, -0.15 * h), 0.012))
    return shifted(solids, (0, 0, h / 2))


def _closures(made, rng, w, h, metal) -> None:
    """Latches over the parting of the shells, or a seam with a tab that runs along it."""
    x, count = -w / 2 - 0.005, int(rng.integers(1, 4))
    if rng.random() < 0.3:
        _add(made, "case", metal, block((0.004, 0.012, 0.7 * h), (-w / 2, 0.002, h / 2)))
        _add(made, "zip_tab", metal, [block((0.012, 0.02, 0.025), (x, 0, 0.2 * h), 0.003),
            block((0.004, 0.012, 0.05), (x, 0, 0.2 * h - 0.03))])  # fmt: skip
        made.slide("case", "zip_tab", Z, 0.0, rng.uniform(0.5, 0.65) * h)
        return
    long, tall = rng.uniform(0.03, 0.06), rng.uniform(0.02, 0.05)
    for k, z in enumerate(np.array([[0.5], [0.22, 0.78], [0.18, 0.5, 0.82]][count - 1]) * h):
        name, axis = f"latch_{k + 1}", (x, 0.4 * long)
        made.part("case", barrels(axis, np.array([z - 0.6 * tall, z + 0.6 * tall]), 0.006, 0.2 * tall, metal))
        made.part(name, barrels(axis, np.array([z]), 0.0055, tall, metal))
        _add(made, name, metal, block((0.006, long, tall), (x, -0.1 * long, z), 0.002))
        made.hinge("case", name, (*axis, 0), -Z, 0.0, rng.uniform(1.2, 2.4))


def _telescope(made, rng, w, h, back, metal) -> None:
    """A grip on one or two tubes that draw out of the top of the case, in one or two stages."""
    r = float(rng.uniform(0.007, 0.011))
    y, half = back - 1.4 * r, rng.uniform(0.18, 0.3) * w
    xs, stages = (0.0,) if rng.random() < 0.2 else (-half, half), int(rng.integers(1, 3))
    _add(made, "case", metal, [block((4 * r, 3.2 * r, 0.02), (x, y, h), 0.003) for x in xs])
    parent = "case"
    if stages == 2:
        _add(made, "tube", metal, [rod((x, y, 0.3 * h), (x, y, h + 0.015), 1.3 * r, 10) for x in xs])
        parent = "tube"
        made.slide("case", "tube", Z, 0.0, rng.uniform(0.25, 0.5) * h)
    _add(made, "grip", metal, [rod((x, y, 0.25 * h), (x, y, h + 0.03), r, 10) for x in xs])
    bar = block((2 * half + 0.05, 3 * r, 0.03), (0, y, h + 0.035), 0.006, 3)
    _add(made, "grip", finish(rng, "rubber", "dark", "plastic"), bar)
    made.slide(parent, "grip", Z, 0.0, rng.uniform(0.4, 0.65) * h)


def _case_wheels(made, rng, w, depths, metal) -> None:
    """Four casters under both shells, or two wheels on an axle behind and two feet in front."""
    r, skin = float(rng.uniform(0.018, 0.032)), finish(rng, "rubber", "dark", "plastic")
    if rng.random() < 0.5:
        spots = [(link, (s * 0.36 * w, 0.55 * y, 0)) for link, y in depths.items() for s in (-1, 1)]
        for k, (link, at) in enumerate(spots):
            _caster(made, link, k + 1, np.array(at), 0.8 * r, metal, skin, True)
        return
    y = depths["case"] - 0.8 * r
    for k, s in enumerate((-1, 1)):
        hub = np.array([s * 0.38 * w, y, -0.4 * r])
        _add(made, "case", metal, rod(hub - 1.2 * r * X, hub + 1.2 * r * X, 0.25 * r, 8))
        _add(made, "case", metal, [block((0.2 * r, 1.2 * r, 1.2 * r), hub + (e * 0.95 * r, 0, 0.2 * r))
            for e in (-1, 1)])  # fmt: skip
        made.part(f"wheel_{k + 1}", [moved(p, hub) for p in _roller(r, 1.4 * r, skin, metal)])
        made.spin("case", f"wheel_{k + 1}", hub, X)
        foot = np.array([s * 0.38 * w, 0.5 * depths["lid"], 0])
        _add(made, "lid", skin, rod(foot - 1.4 * r * Z, foot, 0.012, 8))


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
    spots = [("frame", "nameplate", block((0.3 * w, 0.006, 0.02), (0, -d / 2 - 0.002, top - 0.005)))]
    spots += [("drawer_2", "label_plate", block((0.06, 0.006, 0.02),
        (-0.35 * w, -d / 2 - 0.017, edges[1] + 0.025)))] * (len(shares) > 1)  # fmt: skip
    spots += [("frame", f"bumper_{k + 1}", block((0.03, 0.03, 0.06), (s * w / 2, d / 2, bottom + 0.05)))
        for k, s in enumerate((-1, 1))]  # fmt: skip
    spots.append(("frame", "hook", rod((0.2 * w, d / 2 - 0.01, top - 0.1),
        (0.2 * w, d / 2 + 0.05, top - 0.08), 0.006, 8)))  # fmt: skip
    _fittings(made, rng, metal, spots)
    return made.finish(rng)


def _housing(made, w, d, bottom, top, wall, skin) -> None:
    """A cabinet that is open in front."""
    mid, tall = (bottom + top) / 2, top - bottom
    solids = [block((wall, d, tall), (s * (w - wall) / 2, 0, mid), 0.002) for s in (-1, 1)]
    solids += [block((w, d, wall), (0, 0, z), 0.002) for z in (bottom + wall / 2, top - wall / 2)]
    _add(made, "frame", skin, solids, block((w, wall, tall), (0, (d - wall) / 2, mid)))


def _open_frame(made, rng, w, d, floor, bottom, skin, metal) -> None:
    """Four posts below the housing and one or two trays with rims between them."""
    for x, y in _corners(0.5 * w - 0.015, 0.5 * d - 0.015):
        _add(made, "frame", metal, rod((x, y, floor), (x, y, bottom + 0.01), 0.012, 10))
    count = int(rng.integers(1, 3))
    for z in np.linspace(floor, bottom, count, endpoint=False) + 0.01:
        rims = [block((w, 0.01, 0.05), (0, s * d / 2, z + 0.02)) for s in (-1, 1)]
        rims += [block((0.01, d, 0.05), (s * w / 2, 0, z + 0.02)) for s in (-1, 1)]
        _add(made, "frame", skin, block((w, d, 0.012), (0, 0, z)), rims)


def _cart_drawer(made, name, w, d, low, high, wall, handle, front) -> None:
    """A tray behind a front, on two runners that the frame carries."""
    inner, tall, y, long = w - 2 * wall - 0.024, high - low - 0.004, -d / 2, 0.86 * d
    deep, mid = 0.7 * tall, (low + high) / 2
    solids = [block((inner, long, 0.006), (0, y + long / 2, low + 0.006)),
        block((w - 0.004, 0.014, tall), (0, y - 0.007, mid), 0.002)]  # fmt: skip
    solids.append(block((inner, 0.006, deep), (0, y + long, low + deep / 2 + 0.003)))
    solids += [block((0.006, long, deep), (s * inner / 2, y + long / 2, low + deep / 2 + 0.003))
        for s in (-1, 1)]  # fmt: skip
    _add(made, name, front, solids)
    made.part(name, shifted(handle, (0, y - 0.014, mid)))
    _add(made, "frame", front, [block((0.012, 0.9 * d, 0.01), (s * (inner / 2 + 0.008), 0, low + 0.5 * deep))
        for s in (-1, 1)])  # fmt: skip
    made.slide("frame", name, -Y, 0.0, 0.75 * long)


def _cart_door(made, w, d, low, high, handle, front, metal, reach) -> None:
    """A door over the lowest cell, hinged at its right edge."""
    y, mid, tall = -d / 2, (low + high) / 2, high - low - 0.004
    _add(made, "door", front, block((w - 0.004, 0.014, tall), (0, y - 0.007, mid), 0.002))
    made.part("door", shifted(handle, (-0.3 * w, y - 0.014, mid)))
    made.part("frame", barrels((w / 2, y - 0.012), mid + np.array([-0.3, 0.3]) * tall, 0.007, 0.05, metal))
    made.hinge("frame", "door", (w / 2, y - 0.012, 0), Z, 0.0, reach)


def _cart_feet(made, rng, w, d, r, floor, metal) -> None:
    """Four casters of which all or two swivel, or two wheels at one end and two legs at the other."""
    skin, style = finish(rng, "rubber", "dark", "plastic"), rng.choice(["all", "two", "legs"])
    for k, (x, y) in enumerate(_corners(0.5 * w - 0.05, 0.5 * d - 0.06)):
        at = np.array([x, y, floor])
        if style == "legs" and x < 0:
            _add(made, "frame", metal, rod(at * (1, 1, 0), at + (0, 0, 0.005), 0.015, 10))
        else:
            _caster(made, "frame", k + 1, at, r, metal, skin, style == "all" or (style == "two" and x > 0))


def _side_shelf(made, rng, s, w, d, top, long, skin, metal, sides) -> None:
    """A board that hangs at a side of the cart and is folded up until it is level."""
    wide, long, x = rng.uniform(0.6, 0.95) * d, rng.uniform(0.6, 1.0) * long, s * (w / 2 + 0.011)
    name = "shelf" if len(sides) == 1 else f"shelf_{1 if s < 0 else 2}"
    z = top - 0.011
    _add(made, name, skin, block((0.016, wide, long), (x + s * 0.002, 0, z - 0.5 * long - 0.008), 0.003))
    _add(made, name, metal, rod((x, -0.2 * wide, z), (x, 0.2 * wide, z), 0.01, 10))
    _add(made, "frame", metal, [rod((x, e * 0.22 * wide, z), (x, e * 0.45 * wide, z), 0.011, 10)
        for e in (-1, 1)])  # fmt: skip
    made.hinge("frame", name, (x, 0, z), (0, -s, 0), 0.0, np.pi / 2)


def _cart_lid(made, rng, w, d, top, skin, metal) -> None:
    """A shallow well on top under a lid that is hinged behind."""
    deep, y = rng.uniform(0.03, 0.1), d / 2 + 0.004
    solids = [block((w, 0.01, deep), (0, s * (d / 2 - 0.005), top + deep / 2)) for s in (-1, 1)]
    solids += [block((0.01, d, deep), (s * (w / 2 - 0.005), 0, top + deep / 2)) for s in (-1, 1)]
    _add(made, "frame", skin, solids)
    _add(made, "lid", skin, block((w, d, 0.02), (0, 0, top + deep + 0.01), 0.004))
    made.part("lid", shifted(pull(rng, min(0.15, 0.3 * w), metal), (0, -d / 2, top + deep + 0.01)))
    _add(made, "frame", metal, [rod((x - 0.04, y, top + deep), (x + 0.04, y, top + deep), 0.008, 10)
        for x in (-0.3 * w, 0.3 * w)])  # fmt: skip
    made.hinge("frame", "lid", (0, y, top + deep), -X, 0.0, rng.uniform(1.2, 1.8))


def bicycle_stand_trainer(rng: np.random.Generator) -> Shape:
    """A bicycle on a kickstand or a trainer with a roller, or a tricycle pedalled at its front wheel."""
    made = Mechanism("bicycle_stand_trainer")
    kind = rng.choice(["kickstand", "trainer", "tricycle"], p=[0.35, 0.35, 0.3])
    trike = kind == "tricycle"
    r, base = rng.uniform((0.14, 0.5), (0.22, 0.75)) if trike else rng.uniform((0.25, 0.95), (0.36, 1.1))
    paint, dark = finish(rng, "paint", "plastic", "metal"), finish(rng, "dark", "metal", "rubber")
    small = r * rng.uniform(0.6, 0.9) if trike else r
    front, rear = np.array([0, -base / 2, r]), np.array([0, base / 2, small])
    head, seat = np.array([0, -0.31 * base, 2.35 * r]), np.array([0, 0.2 * base, rng.uniform(2.2, 2.6) * r])
    gauge, bottom = 0.05 * r, np.array([0, 0.07 * base, 0.95 * r])
    _steering(made, rng, head, front, r, paint, dark)
    seed, spokes, wide = int(rng.integers(2**32)), int(rng.integers(5, 13)), rng.uniform(0.1, 0.16) * r
    made.part("front_wheel", [moved(p, front) for p in wheel(np.random.default_rng(seed), r, wide, spokes)])
    made.spin("fork", "front_wheel", front, X)
    if trike:
        low = seat * (1, 1, 0) + (0, 0, 1.3 * r)
        _add(made, "frame", paint, tube(curve([head - (0, 0, 0.1 * r), low, rear], 9), 2 * gauge, 10))
        track = rng.uniform(0.9, 1.3) * r
        _add(made, "frame", dark, rod(rear - track * X, rear + track * X, 0.8 * gauge, 8))
        for k, s in enumerate((-1, 1)):
            hub, name = rear + s * (track - wide) * X, f"rear_wheel_{k + 1}"
            made.part(name, [moved(p, hub) for p in wheel(np.random.default_rng(seed), small, wide, spokes)])
            made.spin("frame", name, hub, X)
        _saddle(made, rng, low, low + 0.35 * r * Z, r, dark)
        _pedals(made, "front_wheel", front, 0.5 * r, 0.32 * r, dark)
    else:
        bars = [(bottom, seat), (head - 0.4 * r * Z - 0.04 * Y, bottom)]
        bars.append((seat - rng.choice([0.0, 0.45]) * (seat - bottom), head))
        _add(made, "frame", paint, [rod(a, b, 1.2 * gauge, 10) for a, b in bars])
        stays = [(a, rear) for a in (bottom, seat - 0.1 * (seat - bottom))]
        _add(made, "frame", paint, [rod(a + s * 0.1 * r * X, b + s * 0.16 * r * X, gauge, 8)
            for a, b in stays for s in (-1, 1)])  # fmt: skip
        _add(made, "frame", dark, rod(rear - 0.2 * r * X, rear + 0.2 * r * X, 0.6 * gauge, 8))
        _saddle(made, rng, seat, seat + 0.3 * r * Z, r, dark)
        sprocket = aimed(lathe([(0.3 * r, -0.01), (0.3 * r, 0.01)], 20), X, bottom + 0.22 * r * X)
        _add(made, "crank", dark, sprocket, rod(bottom - 0.28 * r * X, bottom + 0.28 * r * X, gauge, 10))
        leader = made.spin("frame", "crank", bottom, X)
        _pedals(made, "crank", bottom, 0.52 * r, 0.3 * r, dark)
        made.part("rear_wheel", [moved(p, rear) for p in wheel(np.random.default_rng(seed), r, wide, spokes)])
        leader = made.spin("frame", "rear_wheel", rear, X, follows=(leader, rng.uniform(1.5, 3.0)))
        if kind == "trainer":
            _trainer(made, rng, rear, r, leader, dark)
        else:
            _kickstand(made, rng, bottom, r, dark)
    spots = [("fork", "bell", ball(0.12 * r, head + (0, 0.2 * r, 0.45 * r), 10))]
    spots.append(("fork", "basket", block((0.9 * r, 0.6 * r, 0.5 * r), head + (0, -0.12 * r, 0.45 * r))))
    spots.append(("fork", "front_guard", block((1.6 * wide, 0.7 * r, 0.05 * r),
        front + (0, 0.17 * r, 1.06 * r))))  # fmt: skip
    lamp = ball(0.12 * r, rear + (0, -0.1 * r, 0) if trike else head - 0.1 * r * Y, 10)
    spots.append(("frame", "lamp", lamp))
    _fittings(made, rng, dark, spots)
    return made.finish(rng, mirror=False)


def _steering(made, rng, head, front, r, paint, dark) -> None:
    """A head tube, and a fork in it with blades down to the axle and a handlebar on top."""
    up, g = (head - front) / np.linalg.norm(head - front), 0.05 * r
    _add(made, "frame", paint, rod(head - 0.45 * r * up, head + 0.05 * r * up, 2.2 * g, 12))
    crown, bar, reach = head - 0.55 * r * up, head + rng.uniform(0.4, 0.6) * r * up, rng.uniform(0.8, 1.1) * r
    crown = front + max(1.14 * r, np.linalg.norm(crown - front)) * up
    blades = [rod(crown + s * 0.18 * r * X, front + s * 0.18 * r * X, g, 8) for s in (-1, 1)]
    blades += [rod(crown - 0.22 * r * X, crown + 0.22 * r * X, 1.3 * g, 8), rod(crown, bar, 1.4 * g, 10)]
    blades.append(rod(front - 0.22 * r * X, front + 0.22 * r * X, 0.7 * g, 8))
    rise, sweep = rng.uniform(-0.15, 0.3) * r, rng.uniform(0.0, 0.5) * r
    bow = [bar + (s * k * reach, sweep * (k - 0.3), rise * (k - 0.3))
        for s, k in ((-1, 1), (-1, 0.3), (1, 0.3), (1, 1))]  # fmt: skip
    _add(made, "fork", paint, blades)
    _add(made, "fork", dark, tube(curve(bow, 9), g, 8))
    grips = [pill(bow[k], bow[k] + 0.3 * r * np.sign(bow[k][0]) * X, 1.5 * g, 8) for k in (0, 3)]
    _add(made, "fork", finish(rng, "rubber", "plastic"), grips)
    limit = rng.uniform(0.5, 0.8)
    made.hinge("frame", "fork", head, up, -limit, limit)


def _saddle(made, rng, foot, top, r, dark) -> None:
    """A seat on a post that is drawn out of the frame."""
    nose = np.array([(-0.1, -0.45), (0.1, -0.45), (0.32, 0.25), (0.2, 0.38), (-0.2, 0.38), (-0.32, 0.25)])
    _add(made, "saddle", dark, rod(foot + 0.3 * (foot - top), top, 0.05 * r, 10),
        moved(extrude(nose * r * rng.uniform(0.8, 1.1), 0.16 * r, 0.05 * r), top))  # fmt: skip
    _add(made, "frame", dark, rod(foot - 0.15 * r * Z, foot + 0.1 * r * Z, 0.08 * r, 10))
    made.slide("frame", "saddle", Z, 0.0, rng.uniform(0.15, 0.3) * r)


def _pedals(made, parent, hub, arm, out, dark) -> None:
    """Two opposed arms on an axle, with a pedal at the end of each."""
    for k, s in enumerate((-1, 1)):
        root, name = hub + s * out * X, f"pedal_{k + 1}"
        tip = root + s * arm * Y
        _add(made, parent, dark, rod(hub, root + 0.02 * s * X, 0.06 * arm, 8), pill(root, tip, 0.08 * arm, 8),
            rod(tip, tip + s * 0.6 * arm * X, 0.04 * arm, 8))  # fmt: skip
        _add(made, name, dark, block((0.45 * arm, 0.4 * arm, 0.14 * arm), tip + s * 0.36 * arm * X))
        made.spin(parent, name, tip, X)


def _kickstand(made, rng, bottom, r, dark) -> None:
    """A leg at the left chainstay that is kicked up behind."""
    at, foot = bottom + (-0.3 * r, 0.5 * r, 0), np.array([-0.75 * r, bottom[1] + 0.55 * r, 0])
    _add(made, "frame", dark, rod(at - 0.06 * r * X, at + 0.35 * r * X, 0.08 * r, 10))
    _add(made, "kickstand", dark, tube([at, at - (0.12 * r, 0, 0.1 * r), foot], 0.05 * r, 8),
        ball(0.09 * r, foot, 10))  # fmt: skip
    made.hinge("frame", "kickstand", at, X, 0.0, rng.uniform(1.2, 1.6))


def _trainer(made, rng, rear, r, leader, dark) -> None:
    """A stand that clamps the rear axle, and a roller under its wheel."""
    wide, small, drop = rng.uniform(0.7, 1.0) * r, rng.uniform(0.1, 0.2) * r, 0.35 * r
    skin = finish(rng, "paint", "dark", "metal")
    for s in (-1, 1):
        clamp, toe = rear + s * 0.2 * r * X, np.array([s * wide, rear[1], -drop])
        legs = [rod(clamp, toe + e * 0.7 * r * Y, 0.05 * r, 8) for e in (-1, 1)]
        legs.append(rod(clamp - 0.1 * r * s * X, clamp + 0.2 * r * s * X, 0.09 * r, 10))
        _add(made, "stand", skin, legs)
    for e in (-0.7, 0.7):
        ends = [np.array([s * wide, rear[1] + e * r, -drop]) for s in (-1, 1)]
        _add(made, "stand", skin, pill(*ends, 0.06 * r, 8))
    made.weld("frame", "stand")
    axle = rear + (r + small) * np.array([0, 0.6, -0.8])
    for s in (-1, 1):
        _add(made, "stand", skin, rod(axle + s * 0.35 * r * X,
            np.array([s * 0.35 * r, rear[1] + 0.7 * r, -drop]), 0.05 * r, 8))  # fmt: skip
    _add(made, "stand", skin, rod(axle - 0.4 * r * X, axle + 0.4 * r * X, 0.3 * small, 8))
    made.part("roller", [moved(p, axle) for p in _roller(small, 0.4 * r, dark, skin)])
    made.spin("stand", "roller", axle, X, follows=(leader, -r / small))


def seesaw(rng: np.random.Generator) -> Shape:
    """A beam with seats on a stand, its head sometimes turning too, alone or beside a swing or a rider."""
    made = Mechanism("seesaw")
    half, high, g = rng.uniform(0.9, 1.7), rng.uniform(0.35, 0.75), rng.uniform(0.03, 0.05)
    skin, steel = finish(rng, "wood", "paint", "plastic"), finish(rng, "metal", "paint", "dark")
    holder, cheek = _seesaw_stand(made, rng, high, g, steel, finish(rng, "wood", "paint"))
    _beam(made, rng, half, high, g, cheek, skin, steel)
    limit = float(np.clip(0.75 * np.arcsin(min(high / half, 0.9)), 0.12, 0.45))
    made.hinge(holder, "beam", (0, 0, high), Y, -limit, limit)
    mate = rng.choice(["none", "swing", "rider"]) if holder == "stand" else "none"
    if mate == "swing":
        _swing(made, rng, steel, skin)
    elif mate == "rider":
        _rider(made, rng, steel)
    spots = [("stand", f"anchor_{k + 1}", block((0.12, 0.12, 0.04), (0, s * 0.3, 0.015)))
        for k, s in enumerate((-1, 1))]  # fmt: skip
    spots += [("beam", f"bumper_{k + 1}", block((0.12, 0.12, 0.1), (s * 0.93 * half, 0, high - g - 0.04)))
        for k, s in enumerate((-1, 1))]  # fmt: skip
    spots.append(("beam", "cover_plate", block((0.2, 2.1 * g, 0.02), (0, 0, high + g), 0.005)))
    _fittings(made, rng, steel, spots)
    return made.finish(rng, ajar=0.4)


def _seesaw_stand(made, rng, high, g, steel, wood) -> tuple[str, float]:
    """Two trestles, or a post with a fork that stands or turns; what holds the pin, and how wide it is."""
    style, cheek = rng.choice(["trestles", "fork", "head"]), rng.uniform(2.2, 3.2) * g
    if style == "trestles":
        spread = rng.uniform(0.25, 0.45)
        legs = [rod((e * spread, s * 1.4 * cheek, 0), (0, s * cheek, high), 0.8 * g, 10) for s in (-1, 1)
            for e in (-1, 1)]  # fmt: skip
        legs += [rod((e * spread, -0.32, 0.02), (e * spread, 0.32, 0.02), 0.8 * g, 10) for e in (-1, 1)]
        _add(made, "stand", steel, legs, block((0.1, 0.7, 0.04), (0, 0, 0.02)))
        _add(made, "stand", wood, [block((2 * spread, 0.05, 0.04), (0, s * 0.3, 0.02)) for s in (-1, 1)])
        _add(made, "stand", steel, rod((0, -1.3 * cheek, high), (0, 1.3 * cheek, high), 0.5 * g, 12))
        return "stand", cheek
    neck, sides = high - 3.2 * g, int(rng.choice([4, 16]))
    _add(made, "stand", wood, block((0.5, 0.7, 0.05), (0, 0, 0.025), 0.008),
        rod((0, 0, 0), (0, 0, neck), rng.uniform(1.5, 2.5) * g, sides))  # fmt: skip
    holder = "stand" if style == "fork" else "yoke"
    _add(made, holder, steel, block((3 * g, 2 * cheek + g, 0.8 * g), (0, 0, neck + 0.4 * g), 0.004),
        [block((2.2 * g, 0.5 * g, 4.5 * g), (0, s * cheek, high - 1.0 * g), 0.004) for s in (-1, 1)],
        rod((0, -1.3 * cheek, high), (0, 1.3 * cheek, high), 0.5 * g, 12))  # fmt: skip
    if style == "head":
        made.spin("stand", "yoke", (0, 0, neck), Z)
    return holder, cheek


def _beam(made, rng, half, high, g, cheek, skin, steel) -> None:
    """A plank, a pipe or two rails, with a seat and a grip at both ends."""
    style, rows = rng.choice(["plank", "pipe", "rails"]), int(rng.integers(1, 3))
    if style == "plank":
        _add(made, "beam", skin, block((2 * half, 1.6 * cheek, 1.6 * g), (0, 0, high), 0.3 * g))
    elif style == "pipe":
        _add(made, "beam", skin, pill((-half, 0, high), (half, 0, high), g, 12))
    else:
        rails = [rod((-half, s * 0.6 * cheek, high), (half, s * 0.6 * cheek, high), 0.7 * g, 10)
            for s in (-1, 1)]  # fmt: skip
        rungs = [rod((x, -0.6 * cheek, high), (x, 0.6 * cheek, high), 0.5 * g, 8)
            for x in np.linspace(-0.9, 0.9, 7) * half]  # fmt: skip
        _add(made, "beam", skin, rails + rungs)
    _add(made, "beam", steel, rod((0, -0.7 * cheek, high), (0, 0.7 * cheek, high), 1.2 * g, 12))
    cloth, back, apart = finish(rng, "plastic", "wood", "rubber"), rng.random() < 0.4, rng.random() < 0.5
    for k, (s, row) in enumerate((s, row) for row in range(rows) for s in (-1, 1)):
        x, z, link = s * (half - 0.15 - 0.55 * row), high + g, f"seat_{k + 1}" if apart else "beam"
        _add(made, link, cloth, block((0.28, 0.26, 0.05), (x, 0, z + 0.01), 0.015, 3))
        if back:
            _add(made, link, cloth, block((0.04, 0.24, 0.25), (x + s * 0.13, 0, z + 0.13), 0.012))
        if apart:
            made.weld("beam", link)
        post = (x - s * 0.25, 0, z + 0.28)
        _add(made, "beam", steel, [rod((post[0], 0, high), post, 0.016, 8),
            pill((post[0], -0.14, post[2]), (post[0], 0.14, post[2]), 0.018, 8)])  # fmt: skip


def _swing(made, rng, steel, skin) -> None:
    """A trestle behind the seesaw with one to three seats on rods, joined to it by a sill."""
    y, top, count = rng.uniform(1.7, 2.0), rng.uniform(1.6, 2.1), int(rng.integers(1, 4))
    half, drop = 0.35 + 0.3 * count, rng.uniform(0.7, 0.8) * top
    legs = [rod((s * (half + 0.15), y + e * 0.5, 0), (s * half, y, top), 0.035, 10) for s in (-1, 1)
        for e in (-1, 1)]  # fmt: skip
    legs += [rod((-half - 0.05, y, top), (half + 0.05, y, top), 0.04, 12),
        block((0.12, y - 0.45, 0.04), (0, y / 2 - 0.225, 0.02))]  # fmt: skip
    legs.append(block((2 * half + 0.4, 0.1, 0.04), (0, y - 0.5, 0.02)))
    _add(made, "stand", steel, legs)
    for k in range(count):
        x, name = (k - (count - 1) / 2) * 0.6, f"sling_{k + 1}"
        for s in (-0.2, 0.2):
            _add(made, name, steel, aimed(torus(0.048, 0.012, 12, 6), X, (x + s, y, top)),
                rod((x + s, y, top - 0.045), (x + s, y, top - drop), 0.012, 6))  # fmt: skip
        _add(made, name, skin, block((0.46, 0.2, 0.03), (x, y, top - drop), 0.008))
        made.hinge("stand", name, (x, y, top), X, -0.6, 0.6)


def _rider(made, rng, steel) -> None:
    """A spring on a plate, and an animal of boards that rocks on it."""
    y, r, tall = rng.uniform(0.9, 1.2), rng.uniform(0.08, 0.11), rng.uniform(0.25, 0.4)
    phase = np.linspace(0, 2 * np.pi * 4.5, 48)
    coil = np.c_[r * np.cos(phase), y + r * np.sin(phase), np.linspace(0.04, tall, 48)]
    _add(made, "stand", steel, block((0.4, 0.4, 0.05), (0, y, 0.025), 0.01),
        block((0.1, y, 0.04), (0, y / 2, 0.02)), tube(coil, 0.014, 6))  # fmt: skip
    side = np.array([(-0.3, 0.05), (0.3, 0.05), (0.38, 0.3), (0.25, 0.24), (-0.12, 0.2), (-0.2, 0.52),
        (-0.42, 0.42), (-0.32, 0.3)])  # fmt: skip
    side = side * rng.uniform(0.85, 1.2, 2)
    _add(made, "rider", finish(rng, "paint", "plastic"),
        moved(turned(extrude(side, rng.uniform(0.05, 0.16), 0.01), X, np.pi / 2), (0, y, tall)))  # fmt: skip
    _add(made, "rider", steel, block((0.3, 0.26, 0.06), (0.02, y, tall + 0.03), 0.006))
    _add(made, "rider", finish(rng, "rubber", "plastic"),
        block((0.25, 0.24, 0.04), (0.06, y, tall + 0.28), 0.01))  # fmt: skip
    _add(made, "rider", steel, pill((-0.2, y - 0.2, tall + 0.4), (-0.2, y + 0.2, tall + 0.4), 0.018, 8))
    made.hinge("stand", "rider", (0, y, tall), Y, -0.3, 0.3)


def hand_press(rng: np.random.Generator) -> Shape:
    """A base, one column with an arm or two with a crosshead, and a ram worked by a lever or a screw."""
    made = Mechanism("hand_press")
    w, d, t = rng.uniform((0.14, 0.22, 0.02), (0.26, 0.36, 0.05))
    high, ram, twin = rng.uniform(0.28, 0.5), rng.uniform(0.012, 0.02), rng.random() < 0.45
    iron, steel = finish(rng, "paint", "dark", "metal"), finish(rng, "metal", "brass", "dark")
    y, head = 0.0 if twin else -0.2 * d, 2 * ram + rng.uniform(0.05, 0.09)
    _add(made, "base", iron, block((w, d, t), (0, 0, t / 2), 0.006, 2))
    columns = [(s * 0.38 * w, 0.0) for s in (-1, 1)] if twin else [(0.0, 0.32 * d)]
    for x, at in columns:
        solid = rod((x, at, 0.5 * t), (x, at, high + head), rng.uniform(0.014, 0.02) if twin else 0.03, 16)
        if not twin and rng.random() < 0.5:
            solid = block((0.05, 0.07, high + head - 0.5 * t), (0, at, (high + head + 0.5 * t) / 2), 0.006)
        _add(made, "base", steel if twin else iron, solid)
    _press_head(made, w, d, y, high, head, ram, twin, iron)
    if rng.random() < 0.5:
        _screw(made, rng, w, y, high, head, ram, columns if twin else [], steel)
    else:
        _lever(made, rng, w, y, high, head, ram, steel)
    _anvil(made, rng, w, d, t, y, steel)
    spots = [("base", f"foot_{k + 1}", block((0.03, 0.03, 0.012), (x, at, -0.005)))
        for k, (x, at) in enumerate(_corners(0.4 * w, 0.42 * d))]  # fmt: skip
    spots.append(("base", "nameplate", block((0.4 * w, 0.006, 0.6 * t), (0, -d / 2 - 0.001, t / 2))))
    collar = ring(rectangle(ram, 0.012) + (1.4 * ram, 0), 16)
    spots.append(("ram", "collar", moved(collar, (0, y, high - 0.04))))
    _fittings(made, rng, steel, spots)
    return made.finish(rng)


def _press_head(made, w, d, y, high, head, ram, twin, iron) -> None:
    """A block about the channel of the ram: a crosshead between two columns, or an arm from one."""
    z, rear = high + head / 2, 0.32 * d + 0.03
    plates = [block((2 * ram, 0.014, head), (0, y - ram - 0.007, z), 0.002)]
    if twin:
        plates.append(block((2 * ram, 0.014, head), (0, y + ram + 0.007, z), 0.002))
        size, mid, x = (0.52 * w - ram, 2 * ram + 0.028, head), y, (ram + 0.52 * w) / 2
    else:
        plates.append(block((2 * ram, rear - y - ram, head), (0, (rear + y + ram) / 2, z), 0.002))
        size, mid, x = (0.018, rear - y + ram + 0.014, head), (rear + y - ram - 0.014) / 2, ram + 0.009
    plates += [block(size, (s * x, mid, z), 0.003) for s in (-1, 1)]
    _add(made, "base", iron, plates)


def _lever(made, rng, w, y, high, head, ram, steel) -> None:
    """A lever or a star of spokes on a pinion that drives the rack of the ram down."""
    pinion, spokes = rng.uniform(0.012, 0.022), int(rng.choice([1, 1, 3, 4]))
    turn = rng.uniform(1.3, 2.2) if spokes == 1 else rng.uniform(2.0, 4.5)
    at, x = np.array([0, y + ram + pinion, high + head / 2]), w / 2 + rng.uniform(0.02, 0.04)
    low, tall = high - 0.06, head + 0.06 + pinion * turn + 0.02
    teeth = [block((1.2 * ram, 0.006, 0.005), (0, y + ram, z))
        for z in np.arange(low + 0.02, low + tall, 0.011)]  # fmt: skip
    _add(made, "ram", steel, block((2 * ram, 2 * ram, tall), (0, y, low + tall / 2), 0.002), teeth,
        rod((0, y, low - 0.02), (0, y, low), 0.7 * ram, 12))  # fmt: skip
    hub, reach = at + x * X, rng.uniform(0.16, 0.32) if spokes == 1 else rng.uniform(0.1, 0.16)
    _add(made, "lever", steel, rod(at - (0.5 * ram, 0, 0), hub + 0.012 * X, 0.6 * pinion, 12),
        rod(hub - 0.012 * X, hub + 0.016 * X, 1.3 * pinion, 16))  # fmt: skip
    knob, lean = finish(rng, "dark", "plastic", "rubber"), rng.uniform(-0.5, 0.4)
    for angle in lean + 2 * np.pi * np.arange(spokes) / spokes:
        tip = hub + reach * np.array([0, -np.sin(angle), np.cos(angle)])
        _add(made, "lever", steel, rod(hub, tip, (0.008, 0.006), 10))
        _add(made, "lever", knob, ball(0.016, tip, 12))
    leader = made.hinge("base", "lever", at, X, 0.0, turn)
    made.slide("base", "ram", -Z, 0.0, pinion * turn, follows=(leader, pinion))


def _screw(made, rng, w, y, high, head, ram, columns, steel) -> None:
    """A threaded spindle through the head that turns as its platen goes down, with a bar, arm or wheel."""
    stroke, pitch = rng.uniform(0.05, 0.12), rng.uniform(0.02, 0.05)
    low, top = high - 0.06, high + head + 0.04 + stroke
    size = (0.76 * w + 0.07, 0.12, 0.022) if columns else (0.6 * w, 0.09, 0.02)
    _add(made, "ram", steel, block(size, (0, y, low), 0.004),
        rod((0, y, low), (0, y, low + 0.025), 1.4 * ram, 14))  # fmt: skip
    sleeve = ring(rectangle(0.017, 0.04) + (0.0215, 0), 14)
    _add(made, "ram", steel, [moved(sleeve, (a, b, low)) for a, b in columns])
    if not columns:
        _add(made, "ram", steel, rod((0, y + ram + 0.025, low), (0, y + ram + 0.025, high + head + stroke),
            0.007))  # fmt: skip
    leader = made.slide("base", "ram", -Z, 0.0, stroke)
    nut = ring(rectangle(0.4 * ram, 0.016) + (1.2 * ram, 0), 14)
    _add(made, "base", steel, moved(nut, (0, y, high + head + 0.007)))
    levels = np.arange(low + 0.02, top, 0.006)
    thread = np.c_[np.where(np.arange(len(levels)) % 2, ram, 0.85 * ram), levels]
    _add(made, "screw", steel, moved(lathe(thread, 12), (0, y, 0)))
    made.spin("ram", "screw", (0, y, 0), Z, follows=(leader, -2 * np.pi / pitch))
    hub, reach, skin = np.array([0, y, top]), rng.uniform(0.08, 0.2), finish(rng, "paint", "dark", "wood")
    grip, arms = made.weld("screw", "handle") if rng.random() < 0.5 else "screw", int(rng.integers(1, 5))
    _add(made, grip, steel, rod(hub - 0.012 * Z, hub + 0.014 * Z, 1.4 * ram, 14))
    for angle in 2 * np.pi * np.arange(arms) / arms + rng.uniform(0, np.pi):
        tip = hub + reach * np.array([np.cos(angle), np.sin(angle), 0])
        _add(made, grip, steel, rod(hub, tip, 0.008, 8))
        if arms < 3:
            _add(made, grip, skin, ball(0.028 - 0.004 * arms, tip, 12))
    if arms > 2:
        _add(made, grip, skin, moved(torus(reach, 0.01, 24, 8), hub))


def _anvil(made, rng, w, d, t, y, steel) -> None:
    """What the ram presses on: a notched disc that turns, a plate between two rails, or a plain block."""
    style, r = rng.choice(["disc", "plate", "block"]), min(0.36 * w - 0.022, 0.2 * d)
    if style == "disc":
        _add(made, "anvil", steel, moved(lathe([(r, t), (r, t + 0.022)], 20), (0, y, 0)))
        jaws = [turned(block((0.5 * r, 0.25 * r * k, 0.012), (0.75 * r, 0, t + 0.026)), Z, 1.57 * k)
            for k in range(1, 5)]  # fmt: skip
        _add(made, "anvil", steel, [moved(j, (0, y, 0)) for j in jaws])
        made.spin("base", "anvil", (0, y, 0), Z)
    elif style == "plate":
        _add(made, "base", steel, [block((0.012, 0.5 * d, 0.02), (s * r, y, t + 0.01)) for s in (-1, 1)])
        _add(made, "anvil", steel, block((2 * r - 0.012, 0.4 * d, 0.016), (0, y, t + 0.009), 0.002))
        made.slide("base", "anvil", -Y, 0.0, rng.uniform(0.15, 0.3) * d)
    else:
        _add(made, "base", steel, block((1.4 * r, 1.4 * r, 0.03), (0, y, t + 0.015), 0.003))


def _add(made, link, material, *solids) -> None:
    """Geometry of one material for a link: solids and lists of solids."""
    for solid in solids:
        made.part(link, [painted(s, material) for s in ([solid] if isinstance(solid, Shape) else solid)])


def _caster(made, parent, index, at, r, metal, skin, swivels) -> None:
    """A wheel in a fork below a point; the fork turns under a plate or is part of what it carries."""
    wide, hub = 0.7 * r, at + (0, 0.5 * r, -1.5 * r)
    fork = f"caster_{index}" if swivels else parent
    _add(made, parent, metal, block((1.8 * r, 1.8 * r, 0.16 * r), at - 0.08 * r * Z, 0.03 * r))
    solids = [rod(at, at - 0.4 * r * Z, 0.3 * r, 10),
        block((1.9 * wide, 0.7 * r, 0.14 * r), at + (0, 0.1 * r, -0.38 * r))]  # fmt: skip
    solids += [rod(at + (s * 0.8 * wide, 0.1 * r, -0.35 * r), hub + s * 0.8 * wide * X, 0.14 * r, 8)
        for s in (-1, 1)]  # fmt: skip
    solids.append(rod(hub - 0.9 * wide * X, hub + 0.9 * wide * X, 0.14 * r, 8))
    _add(made, fork, metal, solids)
    if swivels:
        made.spin(parent, fork, at, Z)
    made.part(f"wheel_{index}", [moved(p, hub) for p in _roller(r, wide, skin, metal)])
    made.spin(fork, f"wheel_{index}", hub, X)


def _roller(r, wide, skin, metal) -> list[Shape]:
    """A small wheel about x, with a bar across its faces."""
    profile = [(0.88 * r, -wide / 2), (r, -0.35 * wide), (r, 0.35 * wide), (0.88 * r, wide / 2)]
    return [painted(aimed(lathe(profile, 18), X), skin),
        painted(block((1.08 * wide, 0.25 * r, 1.3 * r)), metal)]  # fmt: skip


def _bail(made, parent, name, at, along, out, span, metal) -> None:
    """A carrying handle that lies on a face towards −y and is raised."""
    at, r = np.asarray(at) + 0.008 * out, 0.007
    ends = [at + s * span / 2 * along for s in (-1, 1)]
    path = [ends[0], ends[0] - 0.03 * Y + 0.02 * along, ends[1] - 0.03 * Y - 0.02 * along, ends[1]]
    _add(made, name, metal, tube(path, r, 8, rounded=True))
    _add(made, parent, metal, [rod(e - 0.012 * along, e + 0.012 * along, 1.3 * r, 10) for e in ends])
    made.hinge(parent, name, at, np.cross(-Y, out), 0.0, np.pi / 2)


def _fittings(made, rng, material, spots) -> None:
    """On two objects in five, one to four rigid extras as links of their own: (parent, name, solid)."""
    if rng.random() < 0.4:
        for k in rng.permutation(len(spots))[: int(rng.integers(1, 5))]:
            parent, name, solid = spots[k]
            made.part(made.weld(parent, name), painted(solid, material))


def _posed(made, axis, angle) -> None:
    """Turn all that has been made, joints too."""
    matrix = rotation_about(axis, angle)
    made.pieces = [(link, turned(piece, axis, angle)) for link, piece in made.pieces]
    made.joints = [replace(j, at=matrix @ j.at, axis=matrix @ j.axis) for j in made.joints]


def _corners(x, y) -> list[tuple[float, float]]:
    return [(s * x, e * y) for s in (-1, 1) for e in (-1, 1)]
