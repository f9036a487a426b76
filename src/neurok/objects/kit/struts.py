"""Legs of folding furniture: struts of one stock, and leg frames that fold or cross."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from neurok.objects.kit.extras import Offer
from neurok.objects.kit.finishes import FinishName, finish
from neurok.objects.kit.placing import Y, aimed
from neurok.objects.kit.solids import block, pill, rod
from neurok.shapes.appearance import Material
from neurok.shapes.robots.assembly import painted
from neurok.shapes.shape import Shape

Point = tuple[float, float]  # x and z; folding axes point along y


@dataclass(frozen=True)
class Stock:
    """Material of struts: round tube or square bar of one thickness and colour."""

    thick: float
    square: bool
    material: Material

    def strut(self, start, end) -> Shape:
        """A bar from one point to another."""
        start, end = np.asarray(start, np.float64), np.asarray(end, np.float64)
        if not self.square:
            return painted(pill(start, end, self.thick / 2, 8 if self.thick > 0.026 else 6), self.material)
        length = float(np.linalg.norm(end - start)) + 0.9 * self.thick
        bar = block((self.thick, self.thick, length), bevel=0.1 * self.thick)
        return painted(aimed(bar, end - start, (start + end) / 2), self.material)

    def ladder(self, a: Point, b: Point, width: float, rungs: tuple[float, ...] = (1.0,)) -> list[Shape]:
        """Two struts from a to b, `width` apart along y, with rungs at fractions of their length."""
        sides = [self.strut((a[0], y, a[1]), (b[0], y, b[1])) for y in (-width / 2, width / 2)]
        points = [np.add(a, share * np.subtract(b, a)) for share in rungs]
        return sides + [self.strut((x, -width / 2, z), (x, width / 2, z)) for x, z in points]

    def pin(self, at: Point, width: float) -> Shape:
        """A pin along y that protrudes from the parts it holds."""
        x, z, half = *at, width / 2 + 0.8 * self.thick
        return painted(rod((x, -half, z), (x, half, z), 0.35 * self.thick, 10), self.material)

    def lugs(self, at: Point, top: float, width: float) -> list[Shape]:
        """Two hanging plates with a pin between them."""
        x, z, t = *at, self.thick
        size, level = (1.8 * t, 0.4 * t, top - z + 0.8 * t), (top + z) / 2 - 0.4 * t
        offset = width / 2 + 0.7 * t
        return [painted(block(size, (x, s * offset, level), 0.1 * t), self.material) for s in (-1, 1)]

    def shoes(self, at: Point, width: float, material: Material) -> list[Shape]:
        """Two caps around the ends of a rung."""
        size = (1.5 * self.thick, 1.3 * self.thick, 1.5 * self.thick)
        return [painted(block(size, (at[0], s * width / 2, at[1]), 0.002), material) for s in (-1, 1)]


def cut_stock(rng: np.random.Generator, low: float, high: float, *names: FinishName) -> Stock:
    """Stock of a random thickness between two bounds, in one of the named finishes."""
    return Stock(rng.uniform(low, high), rng.random() < 0.4, finish(rng, *names))


def folding_legs(made, name, parent, x, top, drop, width, stock, rungs, side) -> Offer:
    """A leg frame on a pin under `top` with feet on the ground that folds up towards one side of x."""
    z, foot = top - drop, (x, stock.thick / 2)
    made.part(parent, stock.lugs((x, z), top, width))
    made.part(name, stock.ladder((x, z), foot, width, rungs), stock.pin((x, z), width))
    made.hinge(parent, name, (x, 0, z), -side * Y, 0.0, np.pi / 2)
    return name, f"shoes_of_{name}", stock.shoes(foot, width, stock.material)


def crossing_legs(made, rng, parent, width, top, spread, far, stock) -> list[Offer]:
    """Two frames that cross at a pin: the outer one hangs in lugs, the inner one slides along the top.

    Both have one length, so that the inner frame turns by −2θ against the outer and stays under the top.
    """
    t, z, low, x = stock.thick, top - 0.55 * stock.thick, stock.thick / 2, spread / 2
    long, now = np.hypot(spread, z - low), np.arctan2(z - low, spread)
    fold = now - np.arccos(min(np.cos(0.14), (far + x) / long))
    inner, cross, lift = width - 2.4 * t, (z + low) / 2, rng.choice([0.0, 0.0, 0.12, 0.2])
    made.part(parent, stock.lugs((-x, z), top, width))
    made.part("outer_legs", stock.ladder((-x, z), (x, low), width), stock.pin((-x, z), width))
    leader = made.hinge(parent, "outer_legs", (-x, 0, z), -Y, -lift, fold)
    rungs = (0.0, 1.0) if rng.random() < 0.6 else (0.0, 0.85, 1.0)
    made.part("inner_legs", stock.ladder((x, z), (-x, low), inner, rungs))
    for s in (-1, 1):
        pin = rod((0, s * inner / 2, cross), (0, s * (width / 2 + 0.8 * t), cross), 0.35 * t, 10)
        made.add("inner_legs", stock.material, pin)
    made.hinge("outer_legs", "inner_legs", (0, 0, cross), Y, -2 * lift, 2 * fold, (leader, 2.0))
    rubber = finish(rng, "rubber", "plastic")
    ends = (("outer", x, width), ("inner", -x, inner))
    return [(f"{k}_legs", f"{k}_shoes", stock.shoes((a, low), w, rubber)) for k, a, w in ends]
