"""Bolts in keepers, with turning handles and latches beside them."""

# ruff: noqa: RUF005 — point + (x, y, z) adds vectors here

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from neurok.objects.kit.finishes import finish
from neurok.objects.kit.mechanism import Mechanism, grounded
from neurok.objects.kit.outlines import arc, corners, curve, rectangle
from neurok.objects.kit.pivots import collar_around
from neurok.objects.kit.placing import X, Y, Z, aimed, moved, shifted, turned
from neurok.objects.kit.solids import ball, block, ring, rod, scaled_lathe, tube
from neurok.objects.openings.locks import METALS, TURNERS
from neurok.objects.registry import family
from neurok.shapes.shape import Shape


@dataclass(frozen=True)
class BoltStock:
    """Section of a bolt and style of its keepers."""

    wide: float
    high: float
    keeper: str

    @property
    def is_round(self) -> bool:
        return self.keeper in ("barrel", "arch")

    @property
    def size(self) -> float:
        return float(np.sqrt(self.wide * self.high))

    @property
    def level(self) -> float:
        """Height of the bolt's axis above the ground of the keepers."""
        return (0.84 if self.keeper in ("barrel", "sleeve") else 0.55) * self.high


@family(number=58)
def bolt_latch(rng: np.random.Generator) -> Shape:
    """One or two bolts in keepers on a plate, a board or a door's edge, often beside turning parts."""
    made, keeper = Mechanism("bolt_latch"), str(rng.choice(["barrel", "arch", "sleeve", "bridge", "channel"]))
    high, is_flat = rng.uniform(0.006, 0.016), keeper not in ("barrel", "arch") and rng.random() < 0.7
    stock = BoltStock(high * (rng.uniform(1.6, 4.0) if is_flat else 1.0), high, keeper)
    base, tailed = str(rng.choice(["plate", "board", "door"])), rng.random() < 0.4
    s = stock.size
    run, grip, travel = rng.uniform((0.8, 0.7, 2.0), (1.6, 1.1, 7.0)) * s
    guide = rng.uniform(4, 12) * s if tailed else travel + run + 2.4 * grip
    front, back, shift = guide / 2 + 0.5 * run, -guide / 2 - 0.6 * run, rng.choice([0, 0.5, 1]) * travel
    tip, strike = front + rng.uniform(0.85, 1.0) * travel, front + 0.35 * travel + run / 2
    struck, half = base == "door" or rng.random() < 0.6, 0.6 * stock.wide + 1.2 * s
    rows = [0.0] if rng.random() < 0.7 else [0.0, -2 * half]
    beside = [int(k) for k in rng.permutation([-1, 1])[: int(rng.choice([0, 1, 1, 2]))]]
    q = rng.uniform(0.09, 0.14) * (front - back)
    low, room = rows[-1] - half, 3.4 * q
    spans = [(low, half), (low - room * (-1 in beside), half + room * (1 in beside))]
    floor = _ground(made, rng, base, (back - 1.2 * run, front, strike + run), spans, struck)
    places = [0.0] if keeper == "channel" else [-guide / 2, guide / 2, *([0.0] if tailed else [])]
    held, seed = back - grip if tailed else front - run - grip, int(rng.integers(2**32))
    apart = len(rows) == 1 and rng.random() < 0.5
    for y, suffix in zip(rows, ("", "_2"), strict=False):
        runs = [(base, x, 2 * front if keeper == "channel" else run) for x in places]
        runs += [("frame" if base == "door" else base, strike, run)] * struck
        draw = np.random.default_rng(seed)
        trim, iron = finish(draw, *METALS), finish(draw, *METALS)
        for k, (link, x, long) in enumerate(runs, 1):
            link = made.weld(link, f"keeper{suffix}_{k}") if apart else link
            made.add(link, trim, shifted(_keeper(stock, long), (x, y, 0)))
        ends = np.array([min(back, held - 0.6 * grip) if tailed else back, tip, held]) - shift
        _bolt(made, draw, f"bolt{suffix}", stock, (*ends, y), grip, tailed, iron)
        made.slide(f"keeper{suffix}_1" if apart else base, f"bolt{suffix}", -X, -shift, travel - shift)
    for side in beside:
        kind, x = str(rng.choice(list(TURNERS))), rng.uniform(back + 3 * q, front - 3 * q)
        at = np.array([x, spans[0][(side + 1) // 2] + side * 1.7 * q, floor])
        TURNERS[kind](made, rng, base, f"{kind}_{(side + 3) // 2}", at, q, side)
    made.turn(Z, rng.choice([0.0, 0.0, 0.5, 1.0, -0.5]) * np.pi)
    made.turn(X, 0.0 if rng.random() < 0.25 else np.pi / 2)
    return grounded(made).finish(rng)


def _ground(made, rng, base, xs, spans, struck) -> float:
    """The ground of the keepers at z = 0: a plate, or plates on a board or on a door. Returns its face."""
    (start, front, end), (narrow, full) = xs, spans
    iron, wood = finish(rng, *METALS, "paint"), finish(rng, "wood", "paint", "pale", "dark")
    t, deep = rng.uniform((0.002, 0.012), (0.004, 0.04))
    gap, reach, inwards = 0.004 * (end - start), 0.15 * (end - start), 0.1 * (narrow[1] - narrow[0])

    def sheet(link: str, left: float, right: float, span: tuple[float, float]) -> None:
        centre, size = np.array([left + right, sum(span)]) / 2, np.array([right - left, span[1] - span[0]])
        made.add(link, iron, block((*size, t), (*centre, -t / 2), rng.choice([0.0, 0.3]) * t))
        screw = scaled_lathe([(1, -0.5), (1, 0.2), (0.6, 0.5)], 0.8 * inwards, 10)
        spots = np.array(corners(*(0.5 * size - inwards)))
        made.add(link, iron, *(moved(screw, (*(centre + c), 0)) for c in spots))

    def slab(link: str, left: float, right: float) -> None:
        size = (right - left, full[1] - full[0] + 2 * reach, deep)
        made.add(link, wood, block(size, ((left + right) / 2, sum(full) / 2, -t - deep / 2), 0.06 * deep))

    if base == "plate":
        sheet(base, start, end if struck else front, full)
        return 0.0
    slab(base, start - reach, front + gap if base == "door" else end + reach)
    sheet(base, start, front, narrow)
    if base == "door":
        slab(made.weld(base, "frame"), front + 2 * gap, end + reach)
    if struck:
        sheet("frame" if base == "door" else base, front + 2 * gap, end, narrow)
    return -t


def _keeper(stock: BoltStock, run: float) -> list[Shape]:
    """A keeper of a bolt along x on z = 0: a barrel, wire arches, a sleeve, a bridge or a channel."""
    w, h, z, wall = 1.08 * stock.wide, 1.08 * stock.high, stock.level, 0.3 * stock.high
    if stock.keeper == "barrel":
        hoop = aimed(ring(rectangle(wall, run) + (0.5 * (w + wall), 0), 16), X, z * Z)
        return [hoop, block((run, 2.2 * w, 0.8 * wall), (0, 0, 0.4 * wall))]
    if stock.keeper == "arch":
        a = 0.5 * (w + wall)
        over = np.insert(arc(a, np.pi, 0, 9), 0, 0, 1) + z * Z
        wire = tube([(0, -a, -0.1 * wall), *over, (0, a, -0.1 * wall)], 0.5 * wall, 8)
        return [moved(wire, k * (0.5 * run - 0.5 * wall) * X) for k in (-1, 1)]
    if stock.keeper == "sleeve":
        return shifted(collar_around(run, w, h, wall), z * Z)
    lip, solids = 0.3 * stock.wide if stock.keeper == "channel" else 0.5 * w, []
    for k in (-1, 1):
        solids.append(block((run, wall, h + wall), (0, k * 0.5 * (w + wall), 0.5 * (h + wall))))
        solids.append(block((run, lip + wall, wall), (0, k * 0.5 * (w + wall - lip), h + 0.5 * wall)))
        solids.append(block((run, 2 * wall, 0.6 * wall), (0, k * (0.5 * w + 1.5 * wall), 0.3 * wall)))
    return solids


def _bolt(made, rng, name, stock, place, grip, tailed, iron) -> None:
    """A rod or bar with a handle: a knob, a ball, a bent tail, a tab, or a ring that turns in a lug."""
    (back, tip, x, y), s, r = place, stock.size, 0.5 * stock.wide
    top, kind = np.array([x, y, stock.level]), str(rng.choice(["knob", "ball", "tab", "ring", "bent"]))
    if stock.is_round:
        path = np.array([(back, 0, 0), (tip - r, 0, 0), (tip - 0.2 * r, 0, 0), (tip, 0, 0)]) + top * (0, 1, 1)
        made.add(name, iron, tube(path, r * np.array([1, 1, 0.9, 0.6]), 14))
    else:
        size = (tip - back, stock.wide, stock.high)
        made.add(name, iron, block(size, ((back + tip) / 2, *top[1:]), rng.choice([0.0, 0.15]) * stock.high))
    if kind == "ring":
        return _ring(made, rng, name, top + 0.5 * stock.high * Z, grip, iron)
    way = Z + rng.choice([0.0, -0.6, 0.6]) * Y * (stock.keeper == "barrel")
    way, stem = way / np.linalg.norm(way), 0.5 * stock.high + rng.uniform(0.5, 1.4) * s
    link = made.weld(name, name.replace("bolt", "handle")) if rng.random() < 0.4 else name
    thin, skin = min(0.35 * stock.wide, 0.5 * grip), finish(rng, *METALS, "plastic", "wood")
    if stock.keeper == "channel":
        thin = min(thin, 0.18 * stock.wide)
    if kind == "bent":
        end = top + (stem + 2 * s) * way - 1.5 * s * X * tailed
        made.add(link, iron, tube(curve([top, top + stem * way, end], 8), thin, 10, rounded=True))
    elif kind == "tab":
        tall = stem + 1.5 * s
        made.add(link, skin, block((1.4 * grip, 2 * thin, tall), top + 0.5 * tall * Z, 0.1 * thin))
    else:
        made.add(link, iron, rod(top, top + (stem + 0.3 * grip) * way, thin, 10))
        rows = [(0.4, 0), (1, 0.4), (1, 0.9), (0.6, 1.2)]
        head = scaled_lathe(rows, 0.95 * grip, 14)
        if kind == "ball":
            head = ball(0.95 * grip, 0.8 * grip * Z, 12)
        made.add(link, skin, aimed(head, way, top + stem * way))
    return None


def _ring(made, rng, name, at, grip, iron) -> None:
    """A bow of wire; its straight side turns in a lug on the bolt."""
    pin, deep = at + grip * Z, rng.uniform(1.6, 2.6) * grip
    lug = block((0.7 * grip, 0.5 * grip, 1.1 * grip), at + 0.45 * grip * Z)
    made.add(name, iron, lug, rod(pin - 0.35 * grip * X, pin + 0.35 * grip * X, 0.4 * grip, 12))
    bow = curve([(-0.8, 0, 0), (-0.8, 0.5, 0), (0, 1, 0), (0.8, 0.5, 0), (0.8, 0, 0)], 15) * (grip, deep, 1)
    solids = [tube(bow, 0.18 * grip, 8, rounded=True), rod(-0.8 * grip * X, 0.8 * grip * X, 0.18 * grip, 8)]
    link = name.replace("bolt", "ring")
    made.add(link, iron, [moved(turned(solid, X, 0.7), pin) for solid in solids])
    made.hinge(name, link, pin, X, -0.2, rng.uniform(0.6, 1.1))
