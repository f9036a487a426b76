"""Random assemblies: bodies of many solids with random mountings, and fixed parts that look movable.

Random mechanisms have one part for each joint. Here fixed joints connect several parts (boards of a case,
legs, a grip, a box) to one rigid body.
"""

from __future__ import annotations

import numpy as np

from neurok.objects.kit.bodies import BODIES
from neurok.objects.kit.finishes import finish
from neurok.objects.kit.fixtures import FIXTURES
from neurok.objects.kit.mechanism import Mechanism
from neurok.objects.kit.mountings import COVERS, MOUNTINGS
from neurok.objects.kit.seats import Seat, seats_of
from neurok.objects.kit.solids import block
from neurok.shapes.shape import Shape

MAX_MOUNTINGS = 7  # mountings of one assembly; some have several parts
SEPARATE_PART_PROBABILITY = 0.6  # of fixed solids as parts of their own
GRIDS = ((1, 1), (1, 1), (1, 1), (2, 1), (1, 2), (3, 1), (1, 3), (2, 2), (4, 1), (1, 4))


def random_assembly(rng: np.random.Generator) -> Shape:
    """One body with up to seven mountings and some fixtures, sometimes with a moving carriage."""
    made = Mechanism("assembly")
    core, seats, others, opening = BODIES[rng.integers(len(BODIES))](rng)
    apart, skin = SEPARATE_PART_PROBABILITY * (rng.random() < 0.5), _skin(rng)
    made.add("body", skin, core)
    _fix(made, rng, "body", others, apart)
    if len(seats) > 1 and rng.random() < 0.25:
        _carriage(made, rng, seats.pop(int(rng.integers(len(seats)))))
    if opening is not None:
        _close(made, rng, opening)
    _furnish(made, rng, "body", seats, int(rng.integers(1, MAX_MOUNTINGS + 1)), apart)
    return made.finish(rng)


def _close(made: Mechanism, rng: np.random.Generator, opening: Seat) -> None:
    """One or several covers over an opening, with walls between them; some cells remain open."""
    columns, rows = GRIDS[rng.integers(len(GRIDS))]
    deep, t = 0.9 * opening.depth, 0.03 * opening.short_side
    for k in range(1, columns):
        x = (k / columns - 0.5) * opening.width
        made.add("body", _skin(rng), opening.block((t, 0.98 * opening.height, deep), (x, 0, -deep / 2)))
    for k in range(1, rows):
        y = (k / rows - 0.5) * opening.height
        made.add("body", _skin(rng), opening.block((0.98 * opening.width, t, deep), (0, y, -deep / 2)))
    kind = COVERS[rng.integers(len(COVERS))]
    for cell in opening.cells(columns, rows, 0.02):
        if rng.random() < 0.85:
            kind(made, rng, "body", f"body {len(made.joints) + 1}", cell)
        if rng.random() < 0.2:
            kind = COVERS[rng.integers(len(COVERS))]


def _furnish(
    made: Mechanism, rng: np.random.Generator, link: str, seats: list[Seat], count: int, apart: float
) -> None:
    """Mountings, at least one, and fixtures on the seats, several of one kind in a grid."""
    for k in rng.permutation(len(seats)):
        columns, rows = GRIDS[rng.integers(len(GRIDS))]
        cells = seats[k].cells(columns, rows, float(rng.uniform(0.03, 0.25)))
        kind = MOUNTINGS[rng.integers(len(MOUNTINGS))]
        moves = rng.random() < 0.65 or all(joint.kind == "fixed" for joint in made.joints)
        for cell in cells:
            name = f"{link} {len(made.joints) + 1}"
            if moves and count > 0:
                kind(made, rng, link, name, cell)
                count -= 1
            elif not moves:
                _fix(made, rng, link, FIXTURES[rng.integers(len(FIXTURES))](rng, cell), max(apart, 0.5))


def _carriage(made: Mechanism, rng: np.random.Generator, seat: Seat) -> None:
    """A block with its own mountings that turns about the normal of a seat or slides along it."""
    size = np.array([seat.width, seat.height, seat.short_side]) * rng.uniform(
        [0.3, 0.3, 0.15], [0.8, 0.8, 0.7]
    )
    world = np.abs(seat.direction(*size))
    middle = seat.point(0, 0, size[2] / 2)
    made.add("carriage", _skin(rng), block(tuple(world), middle))
    if rng.random() < 0.5:
        made.spin("body", "carriage", seat.at, seat.n)
    else:
        reach = float(rng.uniform(0.1, 0.5)) * (seat.width - size[0]) + 0.02 * seat.width
        made.slide("body", "carriage", seat.u, -reach, reach)
    free = [s for s in seats_of(middle, world) if s.n @ seat.n > -0.5]
    _furnish(made, rng, "carriage", free[:2], int(rng.integers(1, 3)), 0.0)


def _fix(made: Mechanism, rng: np.random.Generator, link: str, solids: list[Shape], apart: float) -> None:
    """Solids fixed to a link: in its own geometry, or as parts joined to the parts that they touch."""
    skin, alone, still = _skin(rng), rng.random() < apart, [link]
    for solid in solids:
        own = link
        if alone:
            near = min((p for p in made.pieces if p[0] in still), key=lambda p: _gap(p[1], solid))[0]
            own = made.weld(near, f"{link} {len(made.joints) + 1}")
            still.append(own)
        made.add(own, skin, solid)


def _gap(one: Shape, other: Shape) -> float:
    """Distance of the bounding boxes of two solids."""
    (low, high), (lower, higher) = one.bounds, other.bounds
    return float(np.linalg.norm(np.maximum(np.maximum(low - higher, lower - high), 0.0)))


def _skin(rng: np.random.Generator):
    return finish(rng, "wood", "paint", "metal", "pale", "dark", "plastic")
