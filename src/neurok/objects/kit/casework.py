"""Cases with their feet, and the hinged leaves and drawers that close them."""

# ruff: noqa: RUF005 — point + (x, y, z) adds vectors here

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from neurok.objects.kit.extras import weld_or_part
from neurok.objects.kit.finishes import FinishName, finish
from neurok.objects.kit.mechanism import Mechanism, open_up
from neurok.objects.kit.outlines import Vector, corners
from neurok.objects.kit.panels import Fronts, walls
from neurok.objects.kit.placing import X, shifted, turned
from neurok.objects.kit.solids import ball, block, rod
from neurok.shapes.appearance import Material
from neurok.shapes.robots.assembly import painted
from neurok.shapes.shape import Shape

Size = tuple[float, float, float]
JOINERY: tuple[FinishName, ...] = ("wood", "paint", "pale", "metal", "dark")
EDGES = {"left": (-1, 0), "right": (1, 0), "top": (0, 1), "bottom": (0, -1)}  # x and z, seen from the front


class Casework:
    """A piece of casework under construction: its fixed root, materials, and pending fittings."""

    def __init__(self, rng: np.random.Generator, name: str, root: str, kinds: Sequence[FinishName] = JOINERY):
        self.rng, self.made, self.root = rng, Mechanism(name), root
        self.body, self.skin = finish(rng, *kinds), finish(rng, *kinds)
        self.metal = finish(rng, "metal", "brass", "dark")
        self.fronts = Fronts(self.skin, self.metal, int(rng.integers(2**32)))
        self.fittings: list[tuple[str, str, list[Shape]]] = []
        self.is_solid = False  # whether trays lie hidden inside a solid body

    def still(self, material: Material, *solids: Shape) -> None:
        """Add solids to the fixed root."""
        self.made.add(self.root, material, *solids)

    def fit(self, link: str, name: str, material: Material, *solids: Shape) -> None:
        """Add a fitting to a link; `finish` may turn it into a link of its own."""
        self.fittings.append((link, name, [painted(solid, material) for solid in solids]))

    def grip(self, link: str, span: float, at: Vector, upright: bool = False) -> None:
        """Add a handle in the style of the object."""
        self.fittings.append((link, "handle", shifted(self.fronts.pull(span, upright), at)))

    def finish(self, ajar: float = 0.25, mirror: bool = True, opened: Sequence[str] = ()) -> Shape:
        """The object with its fittings; `opened` names hinged links that are drawn open.

        A solid body is drawn closed, because its trays leave it when they slide out.
        """
        weld_or_part(self.made, self.rng, self.fittings)
        for link in opened:
            open_up(self.made, link)
        return self.made.finish(self.rng, 0.0 if self.is_solid else ajar, mirror)


def hang(
    case: Casework,
    name: str,
    pieces: list[Shape],
    size: Size,
    at: Vector,
    side: str,
    reach: float,
    span: float = 0.0,
) -> None:
    """A leaf about `at` that faces −y, hinged along an edge, with a handle opposite if `span` > 0."""
    (w, h, t), (dx, dz), made = size, EDGES[side], case.made
    made.part(name, shifted(pieces, at))
    pin = np.array(at) + (dx * w / 2, -t / 2, dz * h / 2)
    along, edge, r = np.array([abs(dz), 0, abs(dx)]), w if dz else h, 0.45 * t + 0.002
    for share in (-0.36, 0.36):
        mid, half = pin + share * edge * along, min(0.04, 0.08 * edge) * along
        strap = half + (abs(dx) * r, t, abs(dz) * r)
        case.still(case.metal, rod(mid - half, mid, r, 10))
        case.still(case.metal, block(tuple(strap), mid - half / 2 + (dx * r / 2, t / 2, dz * r / 2)))
        case.made.add(name, case.metal, rod(mid, mid + half, r, 10))
    made.hinge(case.root, name, pin, np.cross((-dx, 0, -dz), (0, -1, 0)), 0.0, reach)
    if span:
        inwards = min(0.02, 0.06 * min(w, h))
        by = (dx * (inwards - w / 2), -t / 2, dz * (inwards - h / 2))
        case.grip(name, min(span, 0.5 * w, 0.5 * h), np.add(at, by), dx != 0)


def add_drawers(case: Casework, size: Size, low: float, rows: int) -> float:
    """Rows of drawers from `low` upwards, each under a board. Returns the height of the last board."""
    columns, tall = int(case.rng.integers(1, 4)), case.rng.uniform(0.12, 0.26)
    for row in range(rows):
        add_drawer_row(case, size, low, tall, [f"drawer_{row * columns + i + 1}" for i in range(columns)])
        case.still(case.body, block((size[0], size[1] - 0.002, size[2]), (0, 0, low + tall + size[2] / 2)))
        low, tall = low + tall + size[2], tall * case.rng.uniform(0.7, 1.0)
    return low


def add_drawer_row(case: Casework, size: Size, low: float, tall: float, names: list[str]) -> None:
    """Drawers side by side, separated by boards: open trays behind flush fronts."""
    (width, depth, wall), mid, long = size, low + tall / 2, 0.85 * size[1]
    pitch, style = width / len(names), ["flat", "coffered", "framed"][case.fronts.seed % 3]
    for i, name in enumerate(names):
        x, w = (i + 0.5) * pitch - width / 2, pitch - wall - 0.004
        if i:
            case.still(case.body, block((wall, depth, tall), (x - pitch / 2, 0, mid)))
        tray = drawer_tray(w - 0.01, 0.7 * tall, long, 0.4 * wall)
        case.made.add(name, case.body, shifted(tray, (x, -depth / 2 + 0.002, low + 0.35 * tall)))
        case.made.part(
            name, shifted(case.fronts.leaf(w, tall - 0.004, wall, style), (x, (wall - depth) / 2, mid))
        )
        case.grip(name, min(0.16, 0.4 * w, 0.6 * tall), (x, -depth / 2, mid))
        case.made.slide(case.root, name, (0, -1, 0), 0.0, case.rng.uniform(0.6, 0.85) * long)


def add_feet(case: Casework, width: float, depth: float, z: float = 0.0) -> None:
    """A plinth, four legs or four balls under a case, or nothing."""
    kind, tall = case.rng.choice(["none", "plinth", "leg", "foot"]), case.rng.uniform(0.04, 0.15)
    if kind == "plinth":
        plinth = block((0.94 * width, 0.9 * depth, tall), (0, 0.02, z - tall / 2))
        case.fit(case.root, "plinth", case.body, plinth)
    for x, y in corners(0.94 * width / 2, 0.9 * depth / 2) if kind in ("leg", "foot") else ():
        leg = rod((x, y, z - tall), (x, y, z + 0.003), (0.012, 0.02), 10)
        case.fit(
            case.root, str(kind), case.body, leg if kind == "leg" else ball(0.025, (x, y, z - 0.018), 12)
        )


def open_case(width: float, depth: float, height: float, wall: float, z: float = 0.0) -> list[Shape]:
    """Two sides, floor, top and back of a case on height `z`, open towards −y."""
    mid, inner = z + height / 2, width - 2 * wall
    sides = [block((wall, depth, height), (s * (width - wall) / 2, 0, mid)) for s in (-1, 1)]
    decks = [block((inner, depth, wall), (0, 0, mid + s * (height - wall) / 2)) for s in (-1, 1)]
    back = block((inner, 0.6 * wall, height - 2 * wall), (0, depth / 2 - 0.3 * wall, mid))
    return [*sides, *decks, back]


def drawer_tray(width: float, height: float, length: float, wall: float) -> list[Shape]:
    """A tray about the plane z = 0, open upwards, that extends back from y = 0."""
    return [turned(piece, X, -np.pi / 2) for piece in open_case(width, height, length, wall)]


def open_tray(width: float, depth: float, height: float, wall: float) -> list[Shape]:
    """Four walls and a floor about the z axis, on z = 0."""
    return [*walls(width, depth, height, wall), block((width, depth, wall), (0, 0, wall / 2))]
