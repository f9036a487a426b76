"""Fixed parts for a seat: boards, boxes, grips, rings, pegs, tubes and ribs."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from neurok.objects.kit.placing import aimed
from neurok.objects.kit.seats import Seat
from neurok.objects.kit.solids import ball, rod, torus, tube
from neurok.shapes.shape import Shape


def board(rng: np.random.Generator, seat: Seat) -> list[Shape]:
    a, b = rng.uniform(0.3, 0.95, 2) * (seat.width, seat.height)
    t = float(rng.uniform(0.02, 0.12)) * seat.short_side
    return [seat.block((a, b, t), (0, 0, t / 2), rng.choice([0, 0.1]))]


def box(rng: np.random.Generator, seat: Seat) -> list[Shape]:
    a, b = rng.uniform(0.2, 0.8, 2) * (seat.width, seat.height)
    t = float(rng.uniform(0.1, 0.6)) * seat.scale
    return [seat.block((a, b, t), (0, 0, t / 2), rng.choice([0, 0.1]))]


def upright(rng: np.random.Generator, seat: Seat) -> list[Shape]:
    """A board on its edge: a fin, a rib, a bracket; sometimes several."""
    t, b = float(rng.uniform(0.02, 0.08)) * seat.short_side, float(rng.uniform(0.3, 0.9)) * seat.height
    tall, count = float(rng.uniform(0.1, 0.6)) * seat.scale, int(rng.integers(1, 5))
    return [
        seat.block((t, b, tall), (x * seat.width, 0, tall / 2))
        for x in np.linspace(-0.4, 0.4, count + 2)[1:-1]
    ]


def peg(rng: np.random.Generator, seat: Seat) -> list[Shape]:
    """A rod on the seat, sometimes with a ball or a plate on it."""
    r, tall = float(rng.uniform(0.03, 0.25)) * seat.short_side, float(rng.uniform(0.1, 0.9)) * seat.scale
    tip = seat.point(0, 0, tall)
    solids = [rod(seat.at, tip, r, int(rng.choice([6, 10, 16])))]
    if rng.random() < 0.3:
        solids.append(ball(1.5 * r, tip, 12))
    return solids


def disc(rng: np.random.Generator, seat: Seat) -> list[Shape]:
    r = float(rng.uniform(0.15, 0.48)) * seat.short_side
    return [seat.disc(r, float(rng.uniform(0.1, 1.0)) * r, (0, 0, 0), int(rng.choice([6, 8, 12, 24])))]


def grip(rng: np.random.Generator, seat: Seat) -> list[Shape]:
    """A handle: a bar on two feet, or one bent rod."""
    wide = float(rng.uniform(0.3, 0.9)) * (seat.width if rng.random() < 0.5 else seat.height)
    u = (
        0.5
        * wide
        * (seat.u if wide <= seat.width and rng.random() < 0.5 else seat.v * min(1.0, seat.height / wide))
    )
    r, lift = float(rng.uniform(0.02, 0.05)) * wide, float(rng.uniform(0.08, 0.25)) * wide
    ends = [seat.at - u, seat.at - u + lift * seat.n, seat.at + u + lift * seat.n, seat.at + u]
    if rng.random() < 0.5:
        return [tube(np.stack(ends), r, 8)]
    return [
        rod(ends[0], ends[1], r, 8),
        rod(ends[3], ends[2], r, 8),
        rod(ends[1] - 0.1 * u, ends[2] + 0.1 * u, r, 8),
    ]


def eye(rng: np.random.Generator, seat: Seat) -> list[Shape]:
    """A ring that lies or stands on the seat."""
    r = float(rng.uniform(0.15, 0.4)) * seat.short_side
    thick = float(rng.uniform(0.1, 0.3)) * r
    if rng.random() < 0.5:
        return [aimed(torus(r, thick, 20), seat.n, seat.point(0, 0, 0.8 * thick))]
    return [aimed(torus(r, thick, 20), seat.u, seat.point(0, 0, r + 0.8 * thick))]


FIXTURES: tuple[Callable[[np.random.Generator, Seat], list[Shape]], ...] = (
    board, box, upright, peg, disc, grip, grip, eye,
)  # fmt: skip
