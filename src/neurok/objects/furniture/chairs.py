"""Folding chairs: the seat follows the legs."""

from __future__ import annotations

import numpy as np

from neurok.objects.kit.finishes import finish
from neurok.objects.kit.mechanism import Mechanism, coupling_polynomial
from neurok.objects.kit.placing import X, moved, turned
from neurok.objects.kit.solids import bar, block, pill, rod
from neurok.objects.registry import family
from neurok.shapes.robots.assembly import painted
from neurok.shapes.shape import Shape


@family(number=15)
def folding_chair(rng: np.random.Generator) -> Shape:
    """Two crossing frames and a seat, which follows the legs with its rear edge on the back frame.

    Let d(θ) be the distance of the seat's hinge from the line of the back frame. A seat of length s has the
    angle asin(d / s) to that line. It lies in the line when the chair is folded.
    """
    made = Mechanism("folding_chair")
    width, high = rng.uniform(0.38, 0.5), rng.uniform(0.75, 0.95)
    foot, top = np.array([-rng.uniform(0.2, 0.28), 0.0]), np.array([rng.uniform(0.2, 0.3), high])
    rear, hinge = (
        np.array([rng.uniform(0.2, 0.3), 0.0]),
        np.array([-rng.uniform(0.2, 0.26), rng.uniform(0.42, 0.48)]),
    )
    back = (top - foot) / np.linalg.norm(top - foot)
    normal = np.array([back[1], -back[0]])
    cross = _crossing(foot, top, rear, hinge)
    on_back = foot + back * (hinge[1] + 0.005 - foot[1]) / back[1]
    length = float(np.linalg.norm(on_back - hinge))
    frame, cloth = finish(rng, "metal", "wood", "dark", "paint"), finish(rng, "fabric", "wood", "plastic")
    square, r = rng.random() < 0.4, rng.uniform(0.009, 0.015)
    inner = width / 2 - 2.4 * r
    made.add("back", frame, _frame(foot, top, (foot + 0.12 * back, top), width / 2, r, square))
    _backrest(made, rng, width, top, back, cloth)
    made.add("legs", frame, _frame(rear, hinge, (rear + 0.15 * (hinge - rear), hinge), inner, r, square))
    pins = [rod((s * (inner - r), *cross), (s * (width / 2 + 1.2 * r), *cross), 0.7 * r, 10) for s in (-1, 1)]
    made.add("legs", frame, pins)
    made.part("seat", _seat(rng, hinge, length, 2 * inner - 3 * r, r, cloth, frame))
    u = hinge - cross
    fold = float(np.arccos(np.clip(u @ back / np.linalg.norm(u), -1, 1))) * rng.uniform(0.9, 0.98)

    def tilt(t: np.ndarray) -> np.ndarray:
        """asin(d / s) when the legs have turned by t."""
        turned_u = np.stack([np.cos(t) * u[0] + np.sin(t) * u[1], np.cos(t) * u[1] - np.sin(t) * u[0]], -1)
        return np.arcsin(np.clip((turned_u + cross - foot) @ -normal / length, -1, 1))

    leader = made.hinge("back", "legs", (0, *cross), -X, 0.0, fold)
    # in the world the seat turns up by tilt(0) − tilt(θ) while the legs turn down by θ
    swing = coupling_polynomial(lambda t: t + (tilt(np.zeros(1)) - tilt(t)), 0.0, fold)
    made.hinge("legs", "seat", (0, *hinge), X, 0.0, 2 * fold + 1.0, follows=(leader, swing))
    return made.finish(rng, ajar=0.35)


def _frame(low, high, levels, x, r, square) -> list[Shape]:
    """Two legs in planes ±x from one point of the yz plane to another, and bars between them."""
    legs = [_leg(np.array([s * x, *low]), np.array([s * x, *high]), r, square) for s in (-1, 1)]
    return legs + [rod((-x, *p), (x, *p), 0.8 * r, 8) for p in levels]


def _crossing(a, b, c, d):
    """Intersection of the lines ab and cd."""
    t = np.linalg.solve(np.stack([b - a, c - d], 1), c - a)[0]
    return a + t * (b - a)


def _leg(start, end, r, square) -> Shape:
    if square:
        return bar(start, end, 1.8 * r, 1.8 * r, 0.2 * r)
    return pill(start, end, r, 10)


def _backrest(made, rng, width, top, back, cloth) -> None:
    """A panel, slats across, or a rail near the top of the back frame."""
    span, style = rng.uniform(0.15, 0.3), rng.choice(["panel", "slats"])
    count = 1 if style == "panel" else int(rng.integers(2, 5))
    tall = span / count * (1.0 if count == 1 else 0.6)
    for i in range(count):
        centre = top - back * (0.03 + (i + 0.5) * span / count)
        slab = turned(block((width, 0.014, tall), bevel=0.003), X, -np.arctan2(*back))
        made.add("back", cloth, moved(slab, (0, *centre)))


def _seat(rng, hinge, length, width, r, cloth, frame) -> list[Shape]:
    """A plate or slats from the hinge to the rear, level."""
    z, y = hinge[1] + 1.2 * r, hinge[0]
    barrel = painted(rod((-width / 2, y, hinge[1]), (width / 2, y, hinge[1]), 1.1 * r, 10), frame)
    if rng.random() < 0.5:
        return [barrel, painted(block((width, length, 0.018), (0, y + length / 2, z), 0.006, 3), cloth)]
    count = int(rng.integers(4, 8))
    slats = [
        block((width, 0.75 * length / count, 0.014), (0, y + (i + 0.5) * length / count, z), 0.003)
        for i in range(count)
    ]
    rails = [block((0.02, length, 0.012), (s * 0.4 * width, y + length / 2, z - 0.012)) for s in (-1, 1)]
    return [barrel, *(painted(p, cloth) for p in slats), *(painted(p, frame) for p in rails)]
