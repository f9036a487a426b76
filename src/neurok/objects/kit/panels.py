"""Parts of fronts: door leaves, handles, knobs and hinge barrels."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from neurok.objects.kit.finishes import finish
from neurok.objects.kit.outlines import curve
from neurok.objects.kit.placing import aimed, moved, shifted, turned
from neurok.objects.kit.solids import ball, block, lathe, rod, torus, tube
from neurok.shapes.appearance import Material
from neurok.shapes.robots.assembly import painted
from neurok.shapes.shape import Shape

FRONT = (0.0, -1.0, 0.0)
LEAF_STYLES = ("flat", "framed", "glazed", "louvred", "planks", "coffered")


def leaf(
    rng: np.random.Generator, width: float, height: float, thickness: float, body: Material, style: str
) -> list[Shape]:
    """An upright panel about the origin, facing −y, in one of `LEAF_STYLES`."""
    bevel = float(rng.choice([0.05, 0.1, 0.2])) * thickness
    if style == "flat":
        return [painted(block((width, thickness, height), bevel=bevel), body)]
    if style == "planks":
        return _planks(rng, width, height, thickness, body)
    border = float(rng.uniform(0.1, 0.2)) * min(width, height)
    pieces = [painted(p, body) for p in border_bars(width, height, thickness, border, bevel)]
    inner = (width - 1.8 * border, height - 1.8 * border)
    if style == "louvred":
        count = int(np.clip(inner[1] / 0.07, 4, 14))
        slat = block((inner[0], 0.25 * thickness, 1.25 * inner[1] / count))
        levels = (np.arange(count) + 0.5) / count * inner[1] - inner[1] / 2
        return pieces + [painted(moved(turned(slat, (1, 0, 0), 0.5), (0, 0, z)), body) for z in levels]
    fill = finish(rng, "glass") if style == "glazed" else finish(rng, "wood", "paint")
    pieces.append(painted(block((inner[0], 0.3 * thickness, inner[1])), fill))
    bars = int(rng.integers(0, 3)), int(rng.integers(0, 4))
    for k, count in enumerate(bars):
        for step in (np.arange(count) + 1) / (count + 1) - 0.5:
            size = (
                (0.2 * border, 0.6 * thickness, inner[1])
                if k == 0
                else (inner[0], 0.6 * thickness, 0.2 * border)
            )
            at = (step * inner[0], 0, 0) if k == 0 else (0, 0, step * inner[1])
            pieces.append(painted(block(size, at), body))
    if style == "coffered":
        raised = block((0.7 * inner[0], 0.75 * thickness, 0.7 * inner[1]), bevel=0.3 * thickness)
        pieces.append(painted(raised, fill))
    return pieces


def border_bars(width: float, height: float, depth: float, border: float, bevel: float = 0.0) -> list[Shape]:
    """Four bars around an upright opening: two stiles and two rails, about the origin."""
    x, z = (width - border) / 2, (height - border) / 2
    stiles = [block((border, depth, height), (s * x, 0, 0), bevel) for s in (-1, 1)]
    rails = [block((width - 1.9 * border, depth, border), (0, 0, s * z), bevel) for s in (-1, 1)]
    return stiles + rails


def walls(width: float, depth: float, height: float, thickness: float) -> list[Shape]:
    """Four walls around an upward opening about the z axis, on z = 0."""
    bars = border_bars(width, depth, height, thickness)
    return shifted([turned(bar, (1, 0, 0), np.pi / 2) for bar in bars], (0, 0, height / 2))


def _planks(rng, width, height, thickness, body) -> list[Shape]:
    """Upright boards of slightly different shades on two or three ledges."""
    count = int(rng.integers(3, 8))
    pitch = width / count
    boards = [
        painted(block((0.97 * pitch, 0.7 * thickness, height), ((i + 0.5) * pitch - width / 2, 0, 0),
                      0.08 * thickness), body)
        for i in range(count)
    ]  # fmt: skip
    other = finish(rng, "wood", "dark")
    levels = rng.uniform(0.3, 0.42) * height * np.array([-1.0, 1.0, 0.0][: int(rng.integers(2, 4))])
    ledge = (width, thickness, 0.08 * height)
    return boards + [painted(block(ledge, (0, 0, z), 0.1 * thickness), other) for z in levels]


def pull(rng: np.random.Generator, span: float, material: Material, upright: bool = False) -> list[Shape]:
    """A handle about the origin on a front that faces −y: bow, bar, knob, ring, strip or cup."""
    depth = float(rng.uniform(0.25, 0.45)) * span
    style = rng.choice(["bow", "bar", "knob", "button", "ring", "strip"])
    if style == "bow":
        path = curve(
            [(-span / 2, 0, 0), (-0.4 * span, -depth, 0), (0.4 * span, -depth, 0), (span / 2, 0, 0)], 11
        )
        solids = [tube(path, span * rng.uniform(0.04, 0.07), 8)]
    elif style == "bar":
        r = span * rng.uniform(0.04, 0.07)
        posts = [rod((s * 0.35 * span, 0, 0), (s * 0.35 * span, -depth, 0), 0.8 * r, 8) for s in (-1, 1)]
        solids = [*posts, rod((-span / 2, -depth, 0), (span / 2, -depth, 0), r, 10)]
    elif style == "knob":
        r = 0.22 * span
        profile = [
            (0.5 * r, 0),
            (0.35 * r, 0.8 * r),
            (r, 1.3 * r),
            (0.95 * r, 1.8 * r),
            (0.5 * r, 2.1 * r),
            (0, 2.15 * r),
        ]
        solids = [aimed(lathe(profile, 14), FRONT)]
    elif style == "button":
        solids = [
            rod((0, 0, 0), (0, -0.15 * span, 0), 0.09 * span, 8),
            ball(0.17 * span, (0, -0.25 * span, 0), 12),
        ]
    elif style == "ring":
        hoop = aimed(torus(0.22 * span, 0.04 * span, 16, 6), FRONT, (0, -0.07 * span, -0.18 * span))
        solids = [hoop, ball(0.09 * span, (0, -0.03 * span, 0), 8)]
    else:
        solids = [block((span, 0.3 * depth, 0.12 * span), (0, -0.15 * depth, 0), 0.05 * depth)]
    solids = [turned(s, (0, 1, 0), np.pi / 2) for s in solids] if upright else solids
    return [painted(s, material) for s in solids]


@dataclass(frozen=True)
class Fronts:
    """Common style of the doors and drawers of one piece of furniture."""

    body: Material
    metal: Material
    seed: int

    def leaf(self, width: float, height: float, thickness: float, style: str) -> list[Shape]:
        return leaf(np.random.default_rng(self.seed), width, height, thickness, self.body, style)

    def pull(self, span: float, upright: bool = False) -> list[Shape]:
        return pull(np.random.default_rng(self.seed), span, self.metal, upright)


def barrels(at: tuple[float, float], levels: np.ndarray, radius: float, length: float, material: Material):
    """Knuckles of an upright hinge on its axis, one at each height."""
    x, y = at
    return [
        painted(rod((x, y, z - length / 2), (x, y, z + length / 2), radius, 10), material) for z in levels
    ]
