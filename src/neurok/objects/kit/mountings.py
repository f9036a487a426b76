"""More moving parts for a seat, for random assemblies.

They are heads in yokes, wheels in forks, panels and trays on rails, sleeves, caps, bolts, rockers, arms on
pins, turntables, boxes with lids, and gantries. As in `fittings`, each adds parts and joints. Parts touch
their parents and do not move into them.
"""

from __future__ import annotations

import numpy as np

from neurok.objects.kit.finishes import finish
from neurok.objects.kit.fittings import FITTINGS, Fitting, drawer, flap
from neurok.objects.kit.mechanism import Mechanism
from neurok.objects.kit.placing import aimed
from neurok.objects.kit.seats import Seat
from neurok.objects.kit.solids import dowel, ring, rod
from neurok.shapes.shape import Shape

Rng = np.random.Generator


def yoke(made: Mechanism, rng: Rng, parent: str, name: str, seat: Seat) -> None:
    """Two cheeks and a head that tilts between them."""
    w, size = float(rng.uniform(0.4, 0.9)) * seat.width, float(rng.uniform(0.25, 0.6)) * seat.short_side
    t, lift = 0.06 * w, float(rng.uniform(0.75, 1.3)) * size
    cheeks = [
        seat.block((t, 0.5 * size, lift + 0.2 * size), (s * w / 2, 0, (lift + 0.2 * size) / 2))
        for s in (-1, 1)
    ]
    _add(made, rng, parent, *cheeks)
    inner, middle = w - 1.4 * t, seat.point(0, 0, lift)
    if rng.random() < 0.5:
        head = seat.block((inner, size, rng.uniform(0.3, 1.0) * size), (0, 0, lift), 0.05)
    else:
        head = dowel(middle, inner / 2 * seat.u, size / 2, 16)
    _add(made, rng, name, head)
    if rng.random() < 0.5:
        nose = float(rng.uniform(0.1, 0.3)) * size
        _add(
            made, rng, name, seat.block((0.3 * inner, 0.3 * size, nose), (0, 0, lift + size / 2 + 0.3 * nose))
        )
    way = float(rng.uniform(0.4, 0.8))
    made.hinge(parent, name, middle, seat.u, -way, way)


def caster(made: Mechanism, rng: Rng, parent: str, name: str, seat: Seat) -> None:
    """A wheel in a fork, which is fixed or swivels about the seat's normal."""
    r = float(rng.uniform(0.2, 0.42)) * seat.short_side
    wide, lift = float(rng.uniform(0.2, 0.7)) * r, 1.25 * r
    swivels, fork = rng.random() < 0.4, parent
    off = 0.35 * r * swivels
    if swivels:
        fork = f"{name}_fork"
        _add(made, rng, fork, seat.disc(0.4 * r, 0.1 * r, (0, 0, 0)))
        made.spin(parent, fork, seat.at, seat.n)
    x = wide / 2 + 0.12 * r
    cheeks = [
        seat.block((0.12 * r, 0.35 * r, lift + 0.1 * r), (s * x, off / 2, (lift + 0.1 * r) / 2))
        for s in (-1, 1)
    ]
    _add(made, rng, fork, *cheeks)
    _add(made, rng, fork, seat.block((2 * x, 0.35 * r + off, 0.12 * r), (0, off / 2, 0.06 * r)))
    hub = seat.point(0, off, lift)
    tyre = dowel(hub, wide / 2 * seat.u, r, int(rng.choice([12, 20, 28])))
    axle = dowel(hub, (x + 0.1 * r) * seat.u, 0.12 * r, 8)
    _add(made, rng, name, tyre, axle)
    made.spin(fork, name, hub, seat.u)


def panel(made: Mechanism, rng: Rng, parent: str, name: str, seat: Seat) -> None:
    """One or two panels that slide along the seat between two rails."""
    t, count = float(rng.uniform(0.015, 0.04)) * seat.short_side, int(rng.integers(1, 3))
    h = float(rng.uniform(0.6, 0.9)) * seat.height
    for s in (-1, 1):
        rail = seat.block(
            (seat.width, 0.06 * seat.height, (1.2 + count) * t),
            (0, s * (h / 2 + 0.03 * seat.height), (1.2 + count) * t / 2),
        )
        _add(made, rng, parent, rail)
    w = float(rng.uniform(0.35, 0.52)) * seat.width
    room = seat.width - w
    for k in range(count):
        own = name if count == 1 else f"{name}_{k + 1}"
        at = (-1, 1)[k] * room / 2
        _add(made, rng, own, seat.block((w, h, 0.8 * t), (at, 0, (0.5 + 1.05 * k) * t)))
        if rng.random() < 0.6:
            knob = seat.block(
                (0.06 * w, 0.25 * h, 0.5 * t), (at + (-1, 1)[k] * 0.4 * w, 0, (1.05 * k + 1.1) * t)
            )
            if k == count - 1:
                _add(made, rng, own, knob)
        ends = (0.0, 0.9 * room) if k == 0 else (-0.9 * room, 0.0)
        made.slide(parent, own, seat.u, *ends)


def tray(made: Mechanism, rng: Rng, parent: str, name: str, seat: Seat) -> None:
    """A board on two runners, often with a rim, that slides beyond the edge of the seat."""
    w, b = float(rng.uniform(0.5, 0.9)) * seat.width, float(rng.uniform(0.6, 0.95)) * seat.height
    t = float(rng.uniform(0.02, 0.06)) * seat.short_side
    for s in (-1, 1):
        _add(made, rng, parent, seat.block((0.08 * w, seat.height, 1.5 * t), (s * 0.4 * w, 0, 0.75 * t)))
    _add(made, rng, name, seat.block((w, b, t), (0, 0, 2.0 * t)))
    if rng.random() < 0.6:
        tall = float(rng.uniform(0.1, 0.4)) * b
        sides = [seat.block((t, b, tall), (s * (w - t) / 2, 0, 2.5 * t + tall / 2)) for s in (-1, 1)]
        ends = [seat.block((w - 2 * t, t, tall), (0, s * (b - t) / 2, 2.5 * t + tall / 2)) for s in (-1, 1)]
        _add(made, rng, name, *sides, *ends)
    made.slide(parent, name, (1.0, -1.0)[rng.integers(2)] * seat.v, 0.0, rng.uniform(0.3, 0.8) * b)


def sleeve(made: Mechanism, rng: Rng, parent: str, name: str, seat: Seat) -> None:
    """A collar that slides along a pole, often with an arm."""
    r, tall = float(rng.uniform(0.05, 0.15)) * seat.short_side, float(rng.uniform(0.6, 1.4)) * seat.scale
    _add(made, rng, parent, rod(seat.at, seat.point(0, 0, tall), r, 12))
    own, at = float(rng.uniform(0.12, 0.3)) * tall, float(rng.uniform(0.1, 0.5)) * tall
    outer = float(rng.uniform(1.4, 2.2)) * r
    _add(made, rng, name, _collar(seat, 1.04 * r, outer, at, own))
    if rng.random() < 0.6:
        reach = float(rng.uniform(2.0, 6.0)) * outer
        _add(
            made, rng, name, seat.block((reach, outer, 0.3 * own), (0.9 * outer + reach / 2, 0, at + own / 2))
        )
    if rng.random() < 0.7:
        made.slide(parent, name, seat.n, -0.9 * at, 0.9 * (tall - at - own))
    else:
        made.spin(parent, name, seat.at, seat.n)


def cap(made: Mechanism, rng: Rng, parent: str, name: str, seat: Seat) -> None:
    """A cap on a neck that turns, lifts or flips."""
    r, tall = float(rng.uniform(0.15, 0.4)) * seat.short_side, float(rng.uniform(0.2, 0.8)) * seat.short_side
    _add(made, rng, parent, seat.disc(r, tall, (0, 0, 0), 20))
    t, outer = float(rng.uniform(0.1, 0.4)) * r, float(rng.uniform(1.0, 1.2)) * r
    _add(made, rng, name, seat.disc(outer, t, (0, 0, tall), int(rng.choice([8, 12, 20]))))
    way = rng.random()
    if way < 0.4:
        _add(made, rng, name, seat.block((0.4 * r, 0.1 * r, 0.3 * r), (0, 0, tall + t + 0.15 * r)))
        made.spin(parent, name, seat.at, seat.n)
    elif way < 0.6:
        made.slide(parent, name, seat.n, 0.0, rng.uniform(0.5, 1.5) * tall)
    else:
        edge = seat.point(-outer, 0, tall)
        _add(made, rng, name, seat.block((0.3 * r, 0.3 * r, 0.6 * t), (1.1 * outer, 0, tall + 0.5 * t)))
        _add(made, rng, parent, dowel(edge, 0.3 * r * seat.v, 0.12 * r, 8))
        made.hinge(parent, name, edge, -seat.v, 0.0, rng.uniform(1.0, 2.2))


def bolt(made: Mechanism, rng: Rng, parent: str, name: str, seat: Seat) -> None:
    """A bar with a knob that slides through two guides along the seat."""
    r = float(rng.uniform(0.02, 0.06)) * seat.short_side
    long = float(rng.uniform(0.5, 0.8)) * seat.width
    lift = 2.0 * r
    for x in (-0.25, 0.25):
        _add(made, rng, parent, seat.block((0.1 * long, 5 * r, lift), (x * long, 0, lift / 2)))
    if rng.random() < 0.5:
        bar = rod(seat.point(-long / 2, 0, lift + r), seat.point(long / 2, 0, lift + r), r, 10)
    else:
        bar = seat.block((long, 2 * r, 2 * r), (0, 0, lift + r))
    _add(made, rng, name, bar, seat.block((1.5 * r, 1.5 * r, 3 * r), (0, 0, lift + 3 * r)))
    made.slide(parent, name, seat.u, -rng.uniform(0.1, 0.2) * long, rng.uniform(0.1, 0.2) * long)


def rocker(made: Mechanism, rng: Rng, parent: str, name: str, seat: Seat) -> None:
    """A plate that tips about its middle, or a pedal that tips about one end."""
    a, b = rng.uniform(0.25, 0.7, 2) * (seat.width, seat.height)
    t = float(rng.uniform(0.05, 0.15)) * min(a, b)
    lift, pedal = 0.3 * b, rng.random() < 0.5
    y = -0.45 * b if pedal else 0.0
    _add(made, rng, parent, seat.block((0.5 * a, 0.1 * b, lift), (0, y, lift / 2)))
    _add(made, rng, name, seat.block((a, b, t), (0, 0, lift + t / 2), rng.choice([0, 0.2])))
    way = float(rng.uniform(0.15, 0.35))
    made.hinge(parent, name, seat.point(0, y, lift), seat.u, *((-way, 0.0) if pedal else (-way, way)))


def pointer(made: Mechanism, rng: Rng, parent: str, name: str, seat: Seat) -> None:
    """One or two bars on a pin over the seat: clock hands, latches, wipers or blades."""
    long = float(rng.uniform(0.4, 0.9)) * seat.short_side
    r, count = float(rng.uniform(0.02, 0.06)) * long, int(rng.integers(1, 3))
    _add(made, rng, parent, rod(seat.at, seat.point(0, 0, (1 + 2.2 * count) * r), 0.6 * r, 10))
    pin = float(rng.choice([0.0, 0.05, 0.3, 0.5])) * long
    for k in range(count):
        own = name if count == 1 else f"{name}_{k + 1}"
        angle = rng.uniform(0, 2 * np.pi)
        way = np.cos(angle) * seat.u + np.sin(angle) * seat.v
        middle = seat.point(0, 0, (1 + 2.2 * (k + 0.5)) * r) + (long / 2 - pin) * way
        _add(
            made,
            rng,
            own,
            dowel(middle, long / 2 * way, (r, rng.uniform(0.4, 1.0) * r), 8),
        )
        if rng.random() < 0.5:
            made.spin(parent, own, seat.at, seat.n)
        else:
            made.hinge(parent, own, seat.at, seat.n, -rng.uniform(0.3, 1.5), rng.uniform(0.3, 1.5))


def turntable(made: Mechanism, rng: Rng, parent: str, name: str, seat: Seat) -> None:
    """A disc with a load that turns about the seat's normal."""
    r, t = float(rng.uniform(0.25, 0.48)) * seat.short_side, float(rng.uniform(0.02, 0.08)) * seat.short_side
    _add(made, rng, parent, seat.disc(0.5 * r, t, (0, 0, 0)))
    _add(made, rng, name, seat.disc(r, t, (0, 0, t), 24))
    size = rng.uniform(0.2, 1.0, 3) * r
    _add(made, rng, name, seat.block(tuple(size), (rng.uniform(-0.3, 0.3) * r, 0, 2 * t + size[2] / 2)))
    made.spin(parent, name, seat.at, seat.n)


def chest(made: Mechanism, rng: Rng, parent: str, name: str, seat: Seat) -> None:
    """An open box of boards on the seat with a hinged lid."""
    a, b = rng.uniform(0.5, 0.9, 2) * (seat.width, seat.height)
    h = float(rng.uniform(0.2, 0.7)) * min(a, b)
    t = 0.05 * min(a, b)
    _add(made, rng, parent, *_walls(seat, a, b, h, t))
    thick = float(rng.uniform(1.0, 3.0)) * t
    _add(made, rng, name, seat.block((a, b, thick), (0, 0, h + thick / 2), rng.choice([0, 0.1])))
    s = float(rng.choice([-1.0, 1.0]))
    if rng.random() < 0.5:
        _add(made, rng, name, seat.block((0.1 * a, 0.1 * b, 0.6 * thick), (0, -0.53 * s * b, h + thick / 2)))
    if rng.random() < 0.75:
        made.hinge(parent, name, seat.point(0, s * b / 2, h), -s * seat.u, 0.0, rng.uniform(1.0, 2.0))
    else:
        made.slide(parent, name, -s * seat.v, 0.0, rng.uniform(0.4, 0.8) * b)


def bin_(made: Mechanism, rng: Rng, parent: str, name: str, seat: Seat) -> None:
    """A box of boards that slides out of the seat like a drawer."""
    a, b = rng.uniform(0.7, 0.95, 2) * (seat.width, seat.height)
    length, t = float(rng.uniform(0.4, 0.9)) * seat.depth, float(rng.uniform(0.02, 0.05)) * seat.short_side
    _add(made, rng, name, seat.block((a, b, t), (0, 0, t / 2)))
    for s in (-1, 1):
        _add(made, rng, name, seat.block((t, 0.7 * b, length), (s * 0.42 * a, -0.08 * b, -length / 2)))
    _add(made, rng, name, seat.block((0.84 * a, t, length), (0, -0.42 * b, -length / 2)))
    _add(made, rng, name, seat.block((0.84 * a - 2 * t, 0.6 * b, t), (0, -0.08 * b, -length + t / 2)))
    if rng.random() < 0.7:
        _add(made, rng, name, seat.block((0.3 * a, 0.06 * b, 1.5 * t), (0, 0.1 * b, 1.7 * t)))
    made.slide(parent, name, seat.n, 0.0, rng.uniform(0.5, 0.9) * length)


def leaves(made: Mechanism, rng: Rng, parent: str, name: str, seat: Seat) -> None:
    """A pair of doors, hinged at the outer edges of the seat."""
    a, b, t = (
        seat.width / 2,
        float(rng.uniform(0.8, 1.0)) * seat.height,
        float(rng.uniform(0.02, 0.06)) * seat.short_side,
    )
    for k, s in enumerate((-1, 1)):
        own = f"{name}_{k + 1}"
        _add(made, rng, own, seat.block((0.97 * a, b, t), (s * a / 2, 0, t / 2)))
        _add(made, rng, own, seat.block((0.05 * a, 0.2 * b, t), (s * 0.1 * a, 0, 1.5 * t)))
        made.hinge(parent, own, seat.point(s * a, 0, t), -s * seat.v, 0.0, rng.uniform(1.2, 2.2))


def gantry(made: Mechanism, rng: Rng, parent: str, name: str, seat: Seat) -> None:
    """A beam on two rails, a carriage on the beam, and sometimes a tool that slides up and down."""
    h, r = float(rng.uniform(0.2, 0.6)) * seat.short_side, 0.03 * seat.scale
    for s in (-1, 1):
        _add(made, rng, parent, seat.block((seat.width, r, r), (0, s * 0.42 * seat.height, r / 2)))
    posts = [seat.block((r, r, h), (0, s * 0.42 * seat.height, r + h / 2)) for s in (-1, 1)]
    beam = seat.block((r, 0.84 * seat.height + r, r), (0, 0, r + h + r / 2))
    _add(made, rng, name, *posts, beam)
    made.slide(parent, name, seat.u, -0.4 * seat.width, 0.4 * seat.width)
    own, size = f"{name}_head", float(rng.uniform(2.0, 4.0)) * r
    _add(made, rng, own, seat.block((size, size, size), (r / 2 + size / 2, 0, r + h + r / 2)))
    made.slide(name, own, seat.v, -0.3 * seat.height, 0.3 * seat.height)
    if rng.random() < 0.5:
        tool, x = f"{name}_tool", r / 2 + 1.25 * size
        _add(made, rng, tool, seat.block((0.5 * size, 0.5 * size, 1.6 * size), (x, 0, r + h + r / 2)))
        made.slide(own, tool, seat.n, -0.5 * h, 0.5 * size)


def folding(made: Mechanism, rng: Rng, parent: str, name: str, seat: Seat) -> None:
    """Two or three leaves in a row, each hinged to the edge of the previous one."""
    b, t = float(rng.uniform(0.5, 0.95)) * seat.height, float(rng.uniform(0.02, 0.05)) * seat.short_side
    count = int(rng.integers(2, 4))
    w = seat.width / count
    carrier = parent
    for k in range(count):
        own, left = f"{name}_{k + 1}", k * w - seat.width / 2
        _add(made, rng, own, seat.block((0.98 * w, b, t), (left + w / 2, 0, t / 2)))
        made.hinge(
            carrier,
            own,
            seat.point(left, 0, t),
            -seat.v,
            0.0,
            rng.uniform(0.4, 0.9) if k else rng.uniform(0.8, 1.4),
        )
        carrier = own


def _collar(seat: Seat, inner: float, outer: float, at: float, length: float) -> Shape:
    section = [(inner, 0.0), (outer, 0.0), (outer, length), (inner, length)]
    return aimed(ring(section, 16), seat.n, seat.point(0, 0, at))


def _walls(seat: Seat, a: float, b: float, h: float, t: float) -> list[Shape]:
    """Four walls and a floor."""
    return [
        seat.block((a, b, t), (0, 0, t / 2)),
        *(seat.block((t, b, h - t), (s * (a - t) / 2, 0, t + (h - t) / 2)) for s in (-1, 1)),
        *(seat.block((a - 2 * t, t, h - t), (0, s * (b - t) / 2, t + (h - t) / 2)) for s in (-1, 1)),
    ]


def _add(made: Mechanism, rng: Rng, link: str, *solids: Shape) -> None:
    made.add(link, finish(rng, "wood", "paint", "plastic", "pale", "dark", "metal"), *solids)


MOUNTINGS: tuple[Fitting, ...] = (
    *FITTINGS,
    yoke, yoke, caster, panel, tray, sleeve, cap, bolt, rocker, pointer, turntable, chest, bin_, leaves,
    leaves, gantry, folding,
)  # fmt: skip
COVERS: tuple[Fitting, ...] = (flap, flap, drawer, bin_, bin_, leaves, panel, folding)
"""Mountings that close an opening."""
