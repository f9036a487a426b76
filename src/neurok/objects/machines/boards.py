"""Stands with rows of turning boards, prisms or drums."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from neurok.geometry.rotations import rotation_about
from neurok.objects.kit.extras import weld_or_part
from neurok.objects.kit.finishes import finish
from neurok.objects.kit.mechanism import Mechanism
from neurok.objects.kit.outlines import angles, corners, row
from neurok.objects.kit.panels import border_bars
from neurok.objects.kit.placing import X, Y, Z, moved, shifted, turned
from neurok.objects.kit.solids import block, dowel, extrude, rod
from neurok.objects.registry import family
from neurok.shapes.robots.assembly import painted
from neurok.shapes.shape import Shape


@dataclass(frozen=True)
class Grid:
    """A frame with cells in which boards turn about z, or about x if the frame lies on its side."""

    rows: int
    count: int  # of cells in a row
    pitch: float  # width of a cell
    long: float  # height of a cell
    border: float
    pin: float
    gap: float  # between a board and the frame
    deep: float
    low: float  # height of the frame's lower edge
    on_side: bool

    @property
    def size(self) -> tuple[float, float]:
        """Width and height of the upright frame."""
        return self.count * self.pitch + 2 * self.border, self.rows * self.long + self.border

    @property
    def stood(self) -> tuple[float, float]:
        """Width and height of the frame in its final orientation."""
        wide, tall = self.size
        return (tall, wide) if self.on_side else (wide, tall)

    @property
    def hang(self) -> float:
        """Half the length of a board."""
        return self.long / 2 - self.border / 2 - self.gap

    @property
    def turn(self) -> float:
        """The angle about y by which the upright frame is turned."""
        return np.pi / 2 if self.on_side else 0.0

    @property
    def centre(self) -> np.ndarray:
        """Final centre of the frame."""
        return (self.low + self.stood[1] / 2) * Z

    def placed(self, shapes: Iterable[Shape]) -> list[Shape]:
        """Shapes of the upright frame about the origin, moved to their final place."""
        return shifted([turned(shape, Y, self.turn) for shape in shapes], self.centre)


@family(number=66)
def turning_boards(rng: np.random.Generator) -> Shape:
    """A stand with rows of boards, prisms or cubes, each on pins or on a rod of the frame."""
    made, on_side = Mechanism("turning_boards"), rng.random() < 0.45
    rows = int(rng.choice([1, 1, 1, 2, 2, 3]))
    count = int(rng.integers(1 if rows > 1 else 2, 9 // rows + 1))
    kind = str(rng.choice(["plaque", "plaque", "framed", "prism", "drum"]))
    if kind in ("plaque", "framed") and on_side:
        count = min(count, 3)  # more would look like a louvre
    pitch, pins = rng.uniform(0.08, 0.4), str(rng.choice(["stub", "stud", "rod"]))
    long = pitch * rng.uniform(*((0.5, 1.2) if rows == 3 else (0.5, 2.5)))
    if (size := rows * long + count * pitch) > 2.2:
        pitch, long = 2.2 / size * pitch, 2.2 / size * long
    border, pin, gap = rng.uniform((0.1, 0.025, 0.02), (0.3, 0.05, 0.08)) * min(pitch, long)
    board, sweep = _board(rng, kind, pitch, long - border - 2 * gap)
    deep = rng.uniform(0.8, 2.2) * border
    low = rng.uniform(0.1, 0.9) * (rows * long + border) if rng.random() < 0.6 else 0.0
    grid = Grid(rows, count, pitch, long, border, pin, gap, deep, low, on_side)
    skin = finish(rng, "metal", "wood", "dark", "paint", "pale")
    _frame(made, grid, skin)
    _stand(made, rng, grid, sweep, skin)
    _boards(made, rng, grid, board, sweep, pins)
    return made.finish(rng, ajar=0.45)


def _frame(made, grid: Grid, skin) -> None:
    """Bars around the boards and between their rows."""
    (wide, tall), border = grid.size, grid.border
    bars = border_bars(wide, tall, grid.deep, border)
    levels = [k * grid.long - tall / 2 + border / 2 for k in range(1, grid.rows)]
    bars += [block((wide, grid.deep, border), (0, 0, z)) for z in levels]
    made.add("frame", skin, grid.placed(bars))


def _boards(made, rng, grid: Grid, board, sweep, pins) -> None:
    """A board in every cell, on pins or a rod; cleats fix some of them."""
    metal, skins = finish(rng, "metal", "brass", "dark"), [finish(rng, "paint", "plastic", "wood", "glass")]
    if rng.random() < 0.4:
        skins.append(finish(rng, "paint", "plastic", "wood"))
    total = grid.rows * grid.count
    still = rng.random(total) < (0.25 if rng.random() < 0.35 else 0.0)
    still[int(rng.integers(total))] = False
    start = rng.uniform(-1.2, 1.2) * (rng.random() < 0.4)
    board = [turned(s, Z, start) for s in board]
    way = rng.uniform(0.4, 1.6) if rng.random() < 0.4 else np.inf
    matrix, xs, zs = rotation_about(Y, grid.turn), row(grid.count, grid.pitch), row(grid.rows, grid.long)
    pegs, collars = _pegs(grid, pins == "rod")
    cleat = block((0.5 * sweep, min(0.5 * sweep, grid.deep), 2 * grid.gap + 0.1 * grid.hang))
    for k in range(total):
        name, at = f"board_{k + 1}", np.array([xs[k // grid.rows], 0, zs[k % grid.rows]])
        made.add(name, skins[k % len(skins)], grid.placed(shifted(board, at)))
        if still[k]:
            cleats = [moved(cleat, at + s * (grid.hang + 0.3 * grid.gap) * Z) for s in (-1, 1)]
            made.add("frame", metal, grid.placed(cleats))
            made.weld("frame", name)
            continue
        made.add(name if pins == "stub" else "frame", metal, grid.placed(shifted(pegs, at)))
        made.add("frame", metal, grid.placed(shifted(collars, at)))
        pivot, axis = matrix @ at + grid.centre, matrix @ Z
        if np.isinf(way):
            made.spin("frame", name, pivot, axis)
        else:
            made.hinge("frame", name, pivot, axis, -way, way)


def _pegs(grid: Grid, through) -> tuple[list[Shape], list[Shape]]:
    """Pins along z at both ends of a board, or one rod, with collars."""
    hang, gap, border, pin = grid.hang, grid.gap, grid.border, grid.pin
    tip = hang + gap + 0.4 * border
    pegs = [rod(s * 0.9 * hang * Z, s * tip * Z, pin, 8) for s in (-1, 1)]
    collars = [dowel(s * tip * Z, 0.4 * (border + gap) * Z, 1.8 * pin, 12) for s in (-1, 1)]
    return ([dowel((0, 0, 0), tip * Z, pin, 8)] if through else pegs), collars


def _board(rng, kind, pitch, tall) -> tuple[list[Shape], float]:
    """The turning part with its axis along z, and its largest distance from the axis."""
    sweep = rng.uniform(0.4, 0.485) * pitch
    if kind in ("prism", "drum"):
        sides = int(rng.integers(3, 5)) if kind == "prism" else int(rng.choice([6, 8, 16]))
        outline = sweep * np.c_[np.cos(a := angles(sides) + np.pi / 2), np.sin(a)]
        solids = [extrude(outline, tall)]
        if rng.random() < 0.4:
            rim = extrude(outline, 0.04 * tall)
            solids = [extrude(0.9 * outline, tall), *(moved(rim, s * 0.47 * tall * Z) for s in (-1, 1))]
        return solids, sweep
    thick = rng.uniform(0.06, 0.16) * min(pitch, tall)
    wide = 2 * np.sqrt(sweep**2 - (0.7 * thick) ** 2)
    if kind == "plaque":
        return [block((wide, thick, tall), (0, 0, 0), rng.choice([0, 0.2]) * thick)], sweep
    border = rng.uniform(0.08, 0.15) * min(wide, tall)
    fill = block((0.9 * wide, 0.5 * thick, 0.9 * tall))
    label = block((0.5 * wide, 0.8 * thick, 0.3 * tall), (0, 0, 0.1 * tall))
    return [*border_bars(wide, tall, thick, border), fill, label], sweep


def _stand(made, rng, grid: Grid, sweep, frame) -> None:
    """The support of a frame: legs with feet for a raised frame, else a plate, two feet or nothing."""
    (wide, tall), low, deep, border = grid.stood, grid.low, grid.deep, grid.border
    foot = max(rng.uniform(0.25, 0.5) * (low + 0.6 * tall), 1.5 * deep)
    offers, top, x = [], low + tall, wide / 2 - border / 2
    if low:
        leg = block((border, 0.9 * deep, low + 0.5 * border), (0, 0, (low + 0.5 * border) / 2))
        legs = [moved(leg, s * x * X) for s in (-1, 1)]
        soles = [block((1.2 * border, foot, 0.5 * border), (s * x, 0, 0.25 * border)) for s in (-1, 1)]
        made.add("frame", frame, *legs, *soles)
        if rng.random() < 0.5:
            made.add("frame", frame, block((wide - border, 0.5 * deep, 0.6 * border), (0, 0, 0.4 * low)))
    elif rng.random() < 0.4:
        plate = block((1.1 * wide, foot, 0.5 * border), (0, 0, -0.2 * border), 0.05 * border)
        made.add("frame", frame, plate)
    elif rng.random() < 0.7:
        soles = [block((border, foot, 0.6 * border), (s * x, 0, 0)) for s in (-1, 1)]
        offers += [("frame", "foot", [painted(sole, frame)]) for sole in soles]
    skin = finish(rng, "paint", "plastic", "wood", "pale")
    if rng.random() < 0.3:
        size = (rng.uniform(0.4, 1.0) * wide, 0.5 * deep, 1.5 * border)
        sign = block(size, (0, 0, top + 0.7 * border), 0.05 * border)
        offers.append(("frame", "sign", [painted(sign, skin)]))
    if rng.random() < 0.25:
        back = max(sweep, deep / 2) + 0.03 * wide
        plate = block((wide, 0.02 * wide, tall), (0, back, low + tall / 2))
        spacer = block((border, back, border), (0, back / 2, low + tall / 2))
        spacers = [moved(spacer, (a, 0, b)) for a, b in corners(x, (tall - border) / 2)]
        offers.append(("frame", "back", [painted(s, skin) for s in (plate, *spacers)]))
    weld_or_part(made, rng, offers)
