"""Fits of fronts to a carcass: inset or overlaid, with gaps, in contact or slightly sunk; and their grips."""

# ruff: noqa: RUF005 — point + (x, y, z) adds vectors here

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from neurok.objects.kit.casework import EDGES, Casework, drawer_tray, open_case
from neurok.objects.kit.lanes import Bay
from neurok.objects.kit.outlines import Vector
from neurok.objects.kit.panels import border_bars
from neurok.objects.kit.placing import Y, shifted
from neurok.objects.kit.solids import bar, block, pill, rod
from neurok.shapes.robots.assembly import painted
from neurok.shapes.shape import Shape

Rng = np.random.Generator
GRIPS = ("pull", "pull", "pull", "bar", "bar", "lip", "none")
MAX_FREE_HINGE = 0.01  # m: largest distance of a hinge axis without arms from the carcass
STYLES = ("flat", "flat", "flat", "framed", "coffered", "glazed", "louvred", "planks")


@dataclass(frozen=True)
class Fit:
    """Fit of the fronts of one object to its carcass. Lengths are metres."""

    t: float  # thickness of a front
    gap: float  # between two fronts and around inset fronts; negative: overlap
    lap: float  # overlap of a front with the boards around the opening; zero if inset
    out: float  # from the plane of the carcass to the back of a front; −t: inset and flush
    pin: float  # depth of hinge axes behind the face, in thicknesses
    barrels: bool  # whether hinge barrels are visible
    grip: str
    style: str

    @property
    def is_inset(self) -> bool:
        return self.lap == 0.0

    @property
    def room(self) -> float:
        """Depth that the fronts take up behind the plane of the carcass."""
        return max(0.0, -self.out)

    def cover(self, bay: Bay) -> Bay:
        """The rectangle of the fronts over an opening; its y is the middle of their thickness."""
        by = -self.gap if self.is_inset else self.lap
        return Bay(bay.x, bay.z, bay.w + 2 * by, bay.h + 2 * by, bay.y - self.out - self.t / 2)


def draw_fit(
    rng: Rng, wall: float, thick: tuple[float, float] = (0.012, 0.028), is_solid: bool = False,
    grips: tuple[str, ...] = GRIPS, styles: tuple[str, ...] = STYLES,
) -> Fit:  # fmt: skip
    """A random fit for boards of thickness `wall`. Fronts of a solid body are never inset."""
    t, gap = float(rng.uniform(*thick)), float(rng.uniform(0.001, 0.006))
    grip, style, barrels = str(rng.choice(grips)), str(rng.choice(styles)), rng.random() < 0.4
    if not is_solid and rng.random() < 0.45:
        gap = float(rng.choice([gap, gap, 0.0005, -0.0015]))
        recess = float(rng.choice([0.0, 0.0, rng.uniform(0.001, 0.005), -rng.uniform(0.1, 0.5) * t]))
        return Fit(t, gap, 0.0, -t - recess, 0.0, barrels, grip, style)
    lap = wall * float(rng.choice([1.0, 1.0, rng.uniform(0.3, 0.95)]))
    out = float(rng.choice([0.0, 0.0005, rng.uniform(0.001, 0.006), -rng.uniform(0.001, 0.004)]))
    return Fit(t, gap, lap, out, float(rng.choice([0.0, 0.0, 0.3, 0.5])), barrels, grip, style)


def draw_carcass(
    case: Casework, size: Vector, wall: float, z: float = 0.0, x: float = 0.0
) -> tuple[Bay, bool]:
    """A case with a back, without one, or as a solid block. Returns its opening, and whether it is solid."""
    w, d, h = (float(s) for s in size)
    kind = str(case.rng.choice(["hollow", "hollow", "backless", "solid"]))
    boards = [block((w, d, h), (0, 0, z + h / 2))] if kind == "solid" else open_case(w, d, h, wall, z)
    case.is_solid = case.is_solid or kind == "solid"
    case.still(case.body, *shifted(boards[:-1] if kind == "backless" else boards, (x, 0, 0)))
    return Bay(x, z + h / 2, w - 2 * wall, h - 2 * wall, -d / 2), kind == "solid"


def add_divider(case: Casework, fit: Fit, bay: Bay, depth: float, wall: float, x: float) -> None:
    """An upright board behind the fronts."""
    deep = depth - fit.room - 0.02
    case.still(case.body, block((wall, deep, bay.h), (x, bay.y + fit.room + 0.001 + deep / 2, bay.z)))


def add_shelves(case: Casework, fit: Fit, bay: Bay, depth: float, wall: float, count: int) -> None:
    """Boards across an opening, behind the fronts."""
    deep = case.rng.uniform(0.7, 0.95) * (depth - fit.room - 0.03)
    for z in np.linspace(-0.5, 0.5, count + 2)[1:-1] * bay.h + bay.z:
        case.still(case.body, block((bay.w, deep, wall), (bay.x, bay.y + depth - 0.01 - deep / 2, z)))


def split(front: Bay, shares: Vector, gap: float, is_row: bool = True) -> list[Bay]:
    """Fronts side by side from the left, or above each other from below, with gaps between them."""
    whole, n = front.w if is_row else front.h, len(shares)
    sizes = np.asarray(shares, np.float64) / np.sum(shares) * (whole - gap * (n - 1))
    starts = np.cumsum(sizes + gap) - sizes - gap - whole / 2
    return [
        replace(front, x=front.x + a + s / 2, w=s) if is_row else replace(front, z=front.z + a + s / 2, h=s)
        for a, s in zip(starts.tolist(), sizes.tolist(), strict=True)
    ]


def hinge_front(
    case: Casework, fit: Fit, name: str, front: Bay, side: str, reach: float, height: float = 0.0
) -> None:
    """A front hinged along an edge, with a grip on the opposite side.

    `height` is the position of the grip along the edge of a door, from −1 to 1.
    """
    (dx, dz), at = EDGES[side], np.array([front.x, front.y, front.z])
    case.made.part(name, shifted(_leaf(case, fit, front, (-dx, -dz)), at))
    pin = at + (dx * front.w / 2, (fit.pin - 0.5) * fit.t, dz * front.h / 2)
    case.made.hinge(case.root, name, pin, np.cross((-dx, 0, -dz), -Y), 0.0, reach)
    along, edge = np.array([abs(dz), 0, abs(dx)]), front.w if dz else front.h
    if fit.barrels:
        _add_barrels(case, fit, name, pin, along, edge)
    if not fit.is_inset and (1 - fit.pin) * fit.t + fit.out > MAX_FREE_HINGE:
        _add_arms(case, fit, pin, along, edge)
    _add_grip(case, fit, name, front, (-dx, -dz), height)


def hinge_doors(
    case: Casework, fit: Fit, names: list[str], front: Bay, reach: float, height: float = 0.0, side: str = ""
) -> None:
    """One door hinged on a side, or two doors hinged on the outer sides."""
    for name, part, at in zip(
        names, split(front, [1] * len(names), fit.gap), [side] if side else ["left", "right"], strict=True
    ):
        hinge_front(case, fit, name, part, at, reach, height)


def slide_front(case: Casework, fit: Fit, name: str, front: Bay, depth: float, travel: float) -> None:
    """A drawer: a front with a grip in its middle, and behind it an open tray unless the body is solid."""
    case.made.part(name, shifted(_leaf(case, fit, front, (0, 1)), (front.x, front.y, front.z)))
    if not case.is_solid:
        _add_tray(case, fit, name, front, depth)
    case.made.slide(case.root, name, -Y, 0.0, travel * depth)
    _add_grip(case, fit, name, front, (0, 0), 0.0)


def _add_tray(case: Casework, fit: Fit, name: str, front: Bay, depth: float) -> None:
    """The tray of a drawer, often with runners at its sides."""
    runner = 0.011 if case.fronts.seed % 5 < 3 and front.w > 0.2 else 0.0
    wide, tall = front.w - 2 * (fit.lap + runner + 0.003), front.h * 0.62
    at = np.array([front.x, front.y + 0.4 * fit.t, front.z - 0.08 * front.h])
    case.made.add(name, case.body, shifted(drawer_tray(wide, tall, depth, min(0.012, 0.04 * front.w)), at))
    if runner:
        rail = (runner, 0.9 * depth, min(0.03, 0.3 * tall))
        sides = [block(rail, (s * (wide + runner) / 2, 0.5 * depth, 0)) for s in (-1, 1)]
        case.made.add(name, case.metal, shifted(sides, at))


def rail_grip(case: Casework, link: str, start: Vector, end: Vector, out: float, r: float) -> None:
    """A round or square bar between two points of a face towards −y, on two posts."""
    a, b = np.asarray(start, np.float64), np.asarray(end, np.float64)
    square, by = case.fronts.seed % 2, np.array([0, -out, 0])
    posts = [a + share * (b - a) for share in (0.12, 0.88)]
    solids = [rod(p + 0.002 * Y, p + by, 0.7 * r, 8) for p in posts]
    rail = bar(a + by, b + by, 1.8 * r, 1.8 * r, 0.3 * r) if square else pill(a + by, b + by, r, 10)
    case.fit(link, "handle", case.metal, *solids, rail)


def gasket(front: Bay, fit: Fit) -> list[Shape]:
    """A seal behind a front that fills the gap to the carcass."""
    deep = max(fit.out, 0.004)
    bars = border_bars(front.w - 0.03, front.h - 0.03, deep, 0.02)
    return shifted(bars, (front.x, front.y + (fit.t + deep) / 2, front.z))


def _leaf(case: Casework, fit: Fit, front: Bay, towards: tuple[int, int]) -> list[Shape]:
    """The panel of a front about the origin; for the grip "lip" its edge is thinned to a lip."""
    w, h, t, (dx, dz) = front.w, front.h, fit.t, towards
    if fit.grip != "lip":
        style = fit.style if min(w, h) > 0.16 else "flat"
        return case.fronts.leaf(w, h, t, style)
    s, across = min(0.03, 0.2 * min(w, h)), abs(dx)
    slab = block((w - across * s, t, h - abs(dz) * s), (-dx * s / 2, 0, -dz * s / 2), 0.1 * t)
    size = (s, 0.4 * t, h) if across else (w, 0.4 * t, s)
    strip = block(size, (dx * (w - s) / 2, 0.3 * t, dz * (h - s) / 2))
    return [painted(slab, case.skin), painted(strip, case.body)]


def _add_barrels(case: Casework, fit: Fit, name: str, pin: np.ndarray, along: np.ndarray, edge: float):
    """Two knuckles on a hinge axis, one half of each on the carcass."""
    r, half = min(0.008, 0.3 * fit.t + 0.002), min(0.035, 0.1 * edge)
    for share in (-0.36, 0.36):
        mid = pin + share * edge * along
        case.still(case.metal, rod(mid - half * along, mid, r, 8))
        case.made.add(name, case.metal, rod(mid, mid + half * along, r, 8))


def _add_arms(case: Casework, fit: Fit, pin: np.ndarray, along: np.ndarray, edge: float) -> None:
    """Two arms that hold the hinge axis of a thick front in front of the carcass."""
    back = pin + ((1 - fit.pin) * fit.t + fit.out + 0.004) * Y
    for share in (-0.44, 0.44):
        by = share * edge * along
        case.still(case.metal, bar(pin - 0.004 * Y + by, back + by, 0.009, 0.009))


def _add_grip(
    case: Casework, fit: Fit, name: str, front: Bay, towards: tuple[int, int], height: float
) -> None:
    """The grip of a front near the edge `towards`, or in its middle."""
    (dx, dz), inwards = towards, min(0.04, 0.15 * min(front.w, front.h))
    at = np.array([front.x, front.y - fit.t / 2, front.z])
    at += (dx * (front.w / 2 - inwards), 0, dz * (front.h / 2 - inwards))
    if dx:
        at[2] += height * (front.h / 2 - min(0.12, 0.25 * front.h))
    edge = front.h if dx else front.w
    if fit.grip == "pull":
        case.grip(name, min(0.16, 0.35 * edge, 0.5 * min(front.w, front.h)), at, dx != 0)
    elif fit.grip == "bar":
        share = 0.2 if dx and abs(height) > 0.3 else 0.36
        half = min(share * edge, 0.5) * np.array([1 - abs(dx), 0, abs(dx)])
        rail_grip(case, name, at - half, at + half, min(0.04, 0.2 * edge), min(0.008, 0.03 * edge))
