"""Bodies of random assemblies: blocks, cases of boards, tables, columns, drums and walls, with seats.

The solids of a body do not move against each other. `random_assemblies` turns some of the solids outside its
core into parts of their own.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from neurok.objects.kit.outlines import corners
from neurok.objects.kit.seats import Seat, seats_of
from neurok.objects.kit.solids import block, lathe, rod
from neurok.shapes.shape import Shape


class Body(NamedTuple):
    """Core solids, seats on them, further fixed solids, and the opening of a case."""

    core: list[Shape]
    seats: list[Seat]
    others: list[Shape]
    opening: Seat | None = None


def solid(rng: np.random.Generator) -> Body:
    """A block, often on a plate or on feet."""
    size = np.exp(rng.uniform(np.log(0.12), 0.0, 3))
    centre = np.array([0, 0, size[2] / 2])
    others = []
    if rng.random() < 0.5:
        wide, thin = rng.uniform(0.9, 1.5), float(rng.uniform(0.02, 0.08))
        others.append(block((wide * size[0], wide * size[1], thin), (0, 0, -thin / 2)))
    elif rng.random() < 0.5:
        others += legs(rng, size[0], size[1], 0.0, float(rng.uniform(0.03, 0.3)))
    return Body([block(tuple(size), centre, rng.choice([0.0, 0.03]))], seats_of(centre, size), others)


def case(rng: np.random.Generator) -> Body:
    """A case of boards, open at the front, often with shelves."""
    size = np.exp(rng.uniform(np.log(0.35), 0.0, 3))
    w, d, h = size
    t = float(rng.uniform(0.015, 0.05)) * float(size.min())
    core, others = [
        block((w, t, h), (0, d / 2 - t / 2, h / 2)),
        *(block((t, d - t, h), (s * (w - t) / 2, -t / 2, h / 2)) for s in (-1, 1)),
        block((w - 2 * t, d - t, t), (0, -t / 2, t / 2)),
    ], []  # fmt: skip
    closed = rng.random() < 0.85
    if closed:
        core.append(block((w - 2 * t, d - t, t), (0, -t / 2, h - t / 2)))
    for z in np.linspace(0, h, int(rng.integers(0, 4)) + 2)[1:-1]:
        deep = rng.uniform(0.6, 0.9) * (d - t)
        others.append(block((w - 2 * t, deep, t), (0, d / 2 - t - deep / 2, z)))
    if rng.random() < 0.4:
        others += legs(rng, w, d, 0.0, float(rng.uniform(0.05, 0.4)))
    centre = np.array([0, 0, h / 2])
    top, front, back, left, right = seats_of(centre, size)
    return Body(core, [left, right, back, *([top] if closed else [])], others, front)


def table(rng: np.random.Generator) -> Body:
    """A slab on legs or on a column: seats on it, below it and at its edge."""
    w, d = np.exp(rng.uniform(np.log(0.4), 0.0, 2))
    h, t = float(rng.uniform(0.3, 0.8)), float(rng.uniform(0.02, 0.1))
    on_legs = rng.random() < 0.7
    if on_legs:
        others = legs(rng, w, d, h, h)
    else:
        r = float(rng.uniform(0.03, 0.08))
        foot = float(rng.uniform(0.15, 0.3))
        others = [rod((0, 0, 0), (0, 0, h), r), lathe([(foot, 0), (foot, 0.03)])]
    top, front, *_ = seats_of(np.array([0, 0, h + t / 2]), np.array([w, d, t]))
    below = Seat(np.array([0, 0, h]), np.array([1.0, 0, 0]), np.array([0, -1.0, 0]), np.array([0, 0, -1.0]),
                 0.6 * w, 0.6 * d, t)  # fmt: skip
    return Body([block((w, d, t), (0, 0, h + t / 2))], [top, front, *([below] if on_legs else [])], others)


def column(rng: np.random.Generator) -> Body:
    """A foot, a pole, and a head that carries the seats."""
    r, h = float(rng.uniform(0.02, 0.06)), float(rng.uniform(0.3, 1.0))
    wide, t = float(rng.uniform(0.12, 0.35)), float(rng.uniform(0.02, 0.06))
    foot = (
        lathe([(wide, 0), (wide, t)])
        if rng.random() < 0.5
        else block((2 * wide, 1.6 * wide, t), (0, 0, t / 2))
    )
    head = rng.uniform(0.1, 0.4, 3)
    centre = np.array([0, 0, t + h + head[2] / 2])
    top = block(tuple(head), centre, rng.choice([0.0, 0.02]))
    return Body([top], seats_of(centre, head), [rod((0, 0, t), (0, 0, t + h), r), foot])


def drum(rng: np.random.Generator) -> Body:
    """A turned body: a pot, a vase, a barrel, a tower. One seat, on top."""
    r, h = float(rng.uniform(0.15, 0.5)), float(rng.uniform(0.2, 1.0))
    bulge = r * rng.uniform(0.7, 1.3)
    sides = int(rng.choice([8, 12, 24, 32]))
    pot = lathe([(r, 0), (bulge, 0.5 * h), (r, h)], sides)
    wide = 1.15 * max(r, bulge)
    others = [lathe([(wide, -0.05), (wide, 0)], sides)] if rng.random() < 0.5 else []
    top = seats_of(np.array([0, 0, h / 2]), np.array([1.4 * r, 1.4 * r, h]))[0]
    return Body([pot], [top], others)


def wall(rng: np.random.Generator) -> Body:
    """An upright plate, with or without a rim or a foot; both faces are seats."""
    w, h = np.exp(rng.uniform(np.log(0.3), 0.0, 2))
    t = float(rng.uniform(0.02, 0.08))
    centre = np.array([0, 0, h / 2])
    foot = [block((w, float(rng.uniform(0.2, 0.5)), t), (0, 0, -t / 2))] if rng.random() < 0.4 else []
    return Body([block((w, t, h), centre)], seats_of(centre, np.array([w, t, h]))[1:3], foot)


def legs(rng: np.random.Generator, w: float, d: float, top: float, length: float) -> list[Shape]:
    """Four legs below the corners of a rectangle, or two boards below its ends."""
    if rng.random() < 0.3:
        t = 0.08 * w
        return [block((t, 0.9 * d, length), (s * 0.42 * w, 0, top - length / 2)) for s in (-1, 1)]
    r = float(rng.uniform(0.04, 0.08)) * min(w, d)
    feet = corners(0.42 * w, 0.42 * d)
    if rng.random() < 0.5:
        return [block((2 * r, 2 * r, length), (x, y, top - length / 2)) for x, y in feet]
    return [rod((x, y, top - length), (x, y, top), r, 10) for x, y in feet]


BODIES: tuple[Callable[[np.random.Generator], Body], ...] = (
    solid,
    solid,
    case,
    case,
    case,
    table,
    column,
    drum,
    wall,
)
