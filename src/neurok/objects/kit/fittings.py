"""Moving fittings for a seat: flaps, drawers, dials, levers, sliders, buttons, rotors, arms and posts.

Each adds parts and joints to a mechanism. Parts touch their parents and do not move into them.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from neurok.objects.kit.finishes import finish
from neurok.objects.kit.mechanism import Mechanism
from neurok.objects.kit.outlines import angles
from neurok.objects.kit.seats import Seat
from neurok.objects.kit.solids import ball, pill, rod

Fitting = Callable[[Mechanism, np.random.Generator, str, str, Seat], None]


def flap(made: Mechanism, rng: np.random.Generator, parent: str, name: str, seat: Seat) -> None:
    """A panel on the seat, hinged along any of its four edges, often with a knob at the opposite edge."""
    a, b = rng.uniform(0.75, 1.0, 2) * (seat.width, seat.height)
    t = float(rng.uniform(0.03, 0.1)) * seat.short_side
    panel = seat.block((a, b, t), (0, 0, t / 2), rng.choice([0, 0.1]))
    made.add(name, _skin(rng), panel)
    x, y = [(-1, 0), (1, 0), (0, -1), (0, 1)][rng.integers(4)]
    if rng.random() < 0.7:
        r = 0.4 * t + 0.02 * seat.short_side
        made.add(name, _metal(rng), ball(r, seat.point(-0.42 * a * x, -0.42 * b * y, t + 0.5 * r), 10))
    if rng.random() < 0.4:
        length, axis = (b, (0, 0.3)) if x else (a, (0.3, 0))
        ends = [
            seat.point(x * a / 2 + s * axis[0] * length, y * b / 2 + s * axis[1] * length, 0.8 * t)
            for s in (-1, 1)
        ]
        made.add(parent, _metal(rng), rod(ends[0], ends[1], 0.5 * t, 8))
    edge = seat.point(x * a / 2, y * b / 2, t)
    made.hinge(parent, name, edge, np.cross(seat.direction(-x, -y, 0), seat.n), 0.0, rng.uniform(0.8, 2.2))


def drawer(made: Mechanism, rng: np.random.Generator, parent: str, name: str, seat: Seat) -> None:
    """A front on the seat with a body behind it, which slides out."""
    a, b = rng.uniform(0.7, 1.0, 2) * (seat.width, seat.height)
    t, length = float(rng.uniform(0.03, 0.08)) * seat.short_side, float(rng.uniform(0.4, 0.9)) * seat.depth
    skin = _skin(rng)
    made.add(name, skin, seat.block((a, b, t), (0, 0, t / 2)))
    made.add(name, skin, seat.block((0.9 * a, 0.85 * b, length), (0, 0, -length / 2)))
    if rng.random() < 0.8:
        grip = seat.block(
            (rng.uniform(0.1, 0.5) * a, 0.06 * b, 1.2 * t), (0, rng.uniform(-0.2, 0.3) * b, 1.6 * t)
        )
        made.add(name, _metal(rng), grip)
    made.slide(parent, name, seat.n, 0.0, rng.uniform(0.5, 0.9) * length)


def dial(made: Mechanism, rng: np.random.Generator, parent: str, name: str, seat: Seat) -> None:
    """A knob or a wheel with a mark that turns about the seat's normal."""
    r = float(rng.uniform(0.2, 0.48)) * seat.short_side
    t = float(rng.choice([rng.uniform(0.1, 0.3), rng.uniform(0.5, 1.5)])) * r
    knob = seat.disc(r, t, (0, 0, 0), int(rng.choice([6, 8, 12, 24])))
    made.add(name, _skin(rng), knob)
    mark, reach = _metal(rng), rng.uniform(0.5, 1.3) * r
    if rng.random() < 0.5:
        made.add(name, mark, seat.block((reach, 0.2 * r, 0.3 * t), (reach / 2, 0, 1.1 * t)))
    else:
        handle = pill(
            seat.point(0.7 * r, 0, 0.9 * t),
            seat.point(0.7 * r, 0, t + rng.uniform(0.4, 1.0) * r),
            0.12 * r,
            8,
        )
        made.add(name, mark, handle)
    if rng.random() < 0.5:
        made.spin(parent, name, seat.at, seat.n)
    else:
        made.hinge(parent, name, seat.at, seat.n, -rng.uniform(0.5, 2.5), rng.uniform(0.5, 2.5))


def lever(made: Mechanism, rng: np.random.Generator, parent: str, name: str, seat: Seat) -> None:
    """A stick on a socket that tips about an axis along the seat."""
    r = float(rng.uniform(0.03, 0.08)) * seat.short_side
    length, lift = float(rng.uniform(0.4, 1.2)) * seat.scale, 1.2 * r
    made.add(parent, _skin(rng), seat.block((4 * r, 4 * r, 1.4 * r), (0, 0, 0.7 * r)))
    lean = rng.uniform(-0.4, 0.4, 2) * length
    foot, tip = seat.point(0, 0, lift), seat.point(lean[0], lean[1], lift + length)
    made.add(name, _metal(rng), pill(foot, tip, r, 10))
    if rng.random() < 0.6:
        knob = ball(rng.uniform(1.5, 2.5) * r, tip, 12)
        made.add(name, _skin(rng), knob)
    way = rng.uniform(0.4, 0.9)
    made.hinge(parent, name, foot, [seat.u, seat.v][rng.integers(2)], -way, way)


def slider(made: Mechanism, rng: np.random.Generator, parent: str, name: str, seat: Seat) -> None:
    """A block on a rail along the seat's longer side."""
    is_wide = seat.width > seat.height
    length, across = (seat.width, seat.height) if is_wide else (seat.height, seat.width)
    long = float(rng.uniform(0.7, 1.0)) * length
    size, t = float(rng.uniform(0.12, 0.4)) * long, float(rng.uniform(0.04, 0.12)) * across
    wide, tall = float(rng.uniform(0.15, 0.8)) * across, float(rng.uniform(0.05, 0.4)) * across

    def on_rail(along: float, over: float, up: float, at: tuple[float, float]):
        extent = (along, over, up) if is_wide else (over, along, up)
        return seat.block(extent, (at[0], 0, at[1]) if is_wide else (0, at[0], at[1]))

    made.add(parent, _metal(rng), on_rail(long, 0.4 * wide, t, (0, t / 2)))
    at = float(rng.uniform(-0.5, 0.5)) * (long - size)
    made.add(name, _skin(rng), on_rail(size, wide, tall, (at, t + tall / 2)))
    ends = (np.array([-1, 1]) * (long - size) / 2) - at
    made.slide(parent, name, seat.u if is_wide else seat.v, ends[0], ends[1])


def button(made: Mechanism, rng: np.random.Generator, parent: str, name: str, seat: Seat) -> None:
    """A small button that is pressed into the seat."""
    r, t = float(rng.uniform(0.1, 0.35)) * seat.short_side, float(rng.uniform(0.08, 0.3)) * seat.short_side
    if rng.random() < 0.5:
        head = seat.disc(r, t, (0, 0, 0))
    else:
        head = seat.block((2 * r, rng.uniform(0.5, 2) * r, t), (0, 0, t / 2), 0.1)
    made.add(name, _skin(rng), head)
    made.slide(parent, name, -seat.n, 0.0, rng.uniform(0.4, 0.9) * t)


def rotor(made: Mechanism, rng: np.random.Generator, parent: str, name: str, seat: Seat) -> None:
    """Blades about a hub on a short shaft."""
    reach, blades = float(rng.uniform(0.35, 0.8)) * seat.scale, int(rng.integers(2, 6))
    hub, lift = float(rng.uniform(0.1, 0.2)) * reach, float(rng.uniform(0.15, 0.6)) * reach
    made.add(parent, _metal(rng), rod(seat.at, seat.point(0, 0, lift), 0.5 * hub, 10))
    made.add(name, _metal(rng), seat.disc(hub, 1.5 * hub, (0, 0, lift)))
    skin, width = _skin(rng), float(rng.uniform(0.5, 1.6)) * hub
    for angle in angles(blades):
        tip = seat.point(reach * np.cos(angle), reach * np.sin(angle), lift + 0.75 * hub)
        made.add(name, skin, rod(seat.point(0, 0, lift + 0.75 * hub), tip, (0.4 * width, width), 6))
    made.spin(parent, name, seat.at, seat.n)


def arm(made: Mechanism, rng: np.random.Generator, parent: str, name: str, seat: Seat) -> None:
    """One to three links in a row, with parallel or alternating hinge axes."""
    r = float(rng.uniform(0.04, 0.1)) * seat.short_side
    place, way = seat.point(0, 0, 1.5 * r), seat.n
    made.add(parent, _skin(rng), seat.block((5 * r, 5 * r, 1.5 * r), (0, 0, 0.75 * r)))
    axis = [seat.u, seat.v][rng.integers(2)]
    carrier = parent
    for k in range(int(rng.integers(1, 4))):
        link, length = f"{name}_{k + 1}", float(rng.uniform(0.3, 0.8)) * seat.scale
        way = way + rng.uniform(-0.8, 0.8) * np.cross(axis, seat.n) + 0.2 * seat.n
        end = place + length * way / np.linalg.norm(way)
        made.add(link, _skin(rng), pill(place, end, r, 10))
        made.hinge(carrier, link, place, axis, -rng.uniform(0.3, 0.8), rng.uniform(0.3, 0.8))
        carrier, place = link, end
        axis = axis if rng.random() < 0.7 else [seat.u, seat.v][rng.integers(2)]
    if rng.random() < 0.5:
        made.add(carrier, _metal(rng), ball(2 * r, place, 12))


def post(made: Mechanism, rng: np.random.Generator, parent: str, name: str, seat: Seat) -> None:
    """A telescopic post: a tube with one or two sliding stages."""
    r, length = float(rng.uniform(0.06, 0.2)) * seat.short_side, float(rng.uniform(0.4, 1.0)) * seat.scale
    made.add(parent, _skin(rng), rod(seat.at, seat.point(0, 0, length), r, 14))
    carrier, top = parent, length
    for k in range(int(rng.integers(1, 3))):
        stage, r, out = f"{name}_{k + 1}", 0.75 * r, float(rng.uniform(0.05, 0.3)) * length
        made.add(
            stage, _metal(rng), rod(seat.point(0, 0, top - 0.8 * length), seat.point(0, 0, top + out), r, 14)
        )
        made.slide(carrier, stage, seat.n, 0.0, rng.uniform(0.3, 0.6) * length)
        carrier, top = stage, top + out
    cap = float(rng.uniform(1.0, 4.0)) * r
    made.add(carrier, _skin(rng), seat.block((2 * cap, 2 * cap, 0.5 * r), (0, 0, top + 0.25 * r)))


def _skin(rng: np.random.Generator):
    return finish(rng, "wood", "paint", "plastic", "pale", "dark")


def _metal(rng: np.random.Generator):
    return finish(rng, "metal", "brass", "dark", "rubber")


FITTINGS: tuple[Fitting, ...] = (
    flap,
    flap,
    flap,
    drawer,
    drawer,
    dial,
    lever,
    slider,
    button,
    rotor,
    arm,
    post,
)
