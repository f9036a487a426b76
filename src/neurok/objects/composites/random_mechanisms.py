"""Random mechanisms without a category: boxes with random fittings at random places.

Hinges, slides and shafts look alike on every object, so that a model can learn them without categories.
"""

from __future__ import annotations

import numpy as np

from neurok.objects.kit.finishes import finish
from neurok.objects.kit.fittings import FITTINGS
from neurok.objects.kit.mechanism import Mechanism
from neurok.objects.kit.seats import Seat, seats_of
from neurok.objects.kit.solids import block
from neurok.shapes.shape import Shape

MAX_FITTINGS = 6  # moving fittings of one mechanism


def random_mechanism(rng: np.random.Generator) -> Shape:
    """One to six fittings on the faces of a body, or of a second body that moves on the first."""
    made = Mechanism("contraption")  # the category in stores
    size = np.exp(rng.uniform(np.log(0.1), 0.0, 3))
    centre = np.array([0, 0, size[2] / 2])
    skin = finish(rng, "wood", "paint", "metal", "pale", "dark", "plastic")
    made.add("body", skin, block(tuple(size), centre, rng.choice([0.0, 0.03])))
    free = seats_of(centre, size)
    _decorate(made, rng, free, skin)
    if rng.random() < 0.35:
        _second_body(made, rng, free.pop(0))
    _furnish(made, rng, "body", free, int(rng.integers(1, MAX_FITTINGS)))
    return made.finish(rng)


def _furnish(made: Mechanism, rng: np.random.Generator, link: str, seats: list[Seat], count: int) -> None:
    """Fittings on some of the seats: one kind repeated in a grid, or a kind for each cell."""
    for k in rng.permutation(len(seats)):
        if count <= 0:
            return
        columns, rows = [(1, 1), (1, 1), (2, 1), (1, 2), (3, 1), (1, 3), (2, 2)][rng.integers(7)]
        cells = seats[k].cells(columns, rows, float(rng.uniform(0.04, 0.25)))[:count]
        kind = FITTINGS[rng.integers(len(FITTINGS))]
        for cell in cells:
            kind(made, rng, link, f"{link}_{kind.__name__}_{count}", cell)
            count -= 1
            if rng.random() < 0.3:
                kind = FITTINGS[rng.integers(len(FITTINGS))]


def _second_body(made: Mechanism, rng: np.random.Generator, seat: Seat) -> None:
    """A box on top with its own fitting that turns about the vertical or slides."""
    size = np.array([seat.width, seat.height, seat.short_side]) * rng.uniform(
        [0.4, 0.4, 0.2], [0.9, 0.9, 0.8]
    )
    middle = seat.point(0, 0, size[2] / 2)
    made.add("carriage", finish(rng, "paint", "metal", "wood"), block(tuple(size), middle))
    if rng.random() < 0.6:
        made.spin("body", "carriage", seat.at, seat.n)
    else:
        reach = float(rng.uniform(0.2, 0.5)) * seat.width
        made.slide("body", "carriage", seat.u, -reach, reach)
    _furnish(made, rng, "carriage", seats_of(middle, size), 1)


def _decorate(made: Mechanism, rng: np.random.Generator, seats: list[Seat], skin) -> None:
    """Fixed decoration: feet, a base plate, or ridges on a face."""
    if rng.random() < 0.5:
        wide = rng.uniform(1.0, 1.5)
        base = (wide * seats[1].width, wide * seats[3].width, 0.05)
        made.add("body", skin, block(base, (0, 0, -0.025)))
    if rng.random() < 0.4:
        seat = seats.pop(int(rng.integers(1, len(seats))))
        for cell in seat.cells(int(rng.integers(1, 5)), 1, 0.5):
            ridge = cell.block(
                (cell.width, cell.height, 0.04 * seat.short_side), (0, 0, 0.02 * seat.short_side)
            )
            made.add("body", skin, ridge)
