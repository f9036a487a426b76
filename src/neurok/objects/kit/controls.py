"""Knobs and buttons of appliances and panels."""

from __future__ import annotations

import numpy as np

from neurok.objects.kit.extras import Spot
from neurok.objects.kit.finishes import finish
from neurok.objects.kit.mechanism import Mechanism
from neurok.objects.kit.outlines import Vector, arc
from neurok.objects.kit.panels import walls
from neurok.objects.kit.placing import Y, Z, aimed, moved, upright
from neurok.objects.kit.solids import block, extrude, lathe, ring, scaled_lathe
from neurok.shapes.appearance import Material

Rng = np.random.Generator


def add_knob(
    made: Mechanism, rng: Rng, parent: str, name: str, at: np.ndarray, along: np.ndarray, r: float
) -> list[Spot]:
    """A fluted, turned or winged knob with a mark, on a washer. Returns spots for extras on it."""
    h, style = rng.uniform(0.7, 1.3) * r, str(rng.choice(["fluted", "turned", "winged"]))
    if style == "fluted":
        angle = np.linspace(0, 2 * np.pi, 36, endpoint=False)
        rim = (1 + 0.06 * np.sign(np.sin(9 * angle + 0.1)))[:, None] * arc(0.9 * r, 0, 2 * np.pi, 37)[:-1]
        solids = [moved(extrude(rim, h, 0.05 * r), (0, 0, h / 2))]
    elif style == "turned":
        solids = [lathe([(r, 0), (r, 0.15 * h), (0.8 * r, 0.25 * h), (0.7 * r, 0.9 * h), (0.6 * r, h)], 20)]
    else:
        h *= 0.8
        solids = [
            lathe([(r, 0), (0.95 * r, 0.3 * h), (0, 0.3 * h)], 20),
            block((1.7 * r, 0.4 * r, h), (0, 0, h / 2), 0.1 * r),
        ]
    mark = block((0.5 * r, 0.12 * r, 0.1 * r), (0.42 * r, 0, h))
    washer = scaled_lathe([(1.12, -0.05), (1.12, 0.03)], r)
    made.add(parent, finish(rng, "metal", "dark"), aimed(washer, along, at))
    made.add(name, finish(rng, "dark", "plastic", "metal", "pale"), *(aimed(s, along, at) for s in solids))
    made.add(name, finish(rng, "pale", "plastic"), aimed(mark, along, at))
    if rng.random() < 0.2:
        made.spin(parent, name, at, along)
    else:
        made.hinge(parent, name, at, -along, 0.0, rng.uniform(1.5, 5.0))
    return [(name, at + h * along, along, 0.6 * r)]


def add_key(
    made: Mechanism, material: Material, parent: str, name: str, at: Vector, size: Vector,
    is_round: bool = False, faces_front: bool = True,
) -> None:  # fmt: skip
    """A key of (width, height, rise) that is pressed into a face towards −y or upwards."""
    w, h, t = (float(s) for s in size)
    cap = (
        lathe([(w / 2, -t), (w / 2, 0.8 * t), (0.42 * w, t)], 16)
        if is_round
        else block((w, h, 2 * t), bevel=0.15 * t)
    )
    made.add(name, material, upright(cap, at) if faces_front else moved(cap, at))
    made.slide(parent, name, Y if faces_front else -Z, 0.0, 0.7 * t)


def add_button(
    made: Mechanism, rng: Rng, parent: str, name: str, at: np.ndarray, along: np.ndarray, r: float
) -> list[Spot]:
    """A round, square or mushroom button that slides into its collar. Returns spots for extras on it."""
    travel, style = rng.uniform(0.25, 0.5) * r, str(rng.choice(["round", "square", "mushroom"]))
    rim = travel + 0.3 * r
    top = rim + 1.15 * travel
    if style == "square":
        collar = walls(2 * r, 2 * r, rim, 0.2 * r)
        cap = [block((1.62 * r, 1.62 * r, top - travel), (0, 0, (top + travel) / 2))]
    else:
        section = [(0.8 * r, -0.02 * r), (r, -0.02 * r), (r, 0.8 * rim), (0.9 * r, rim), (0.8 * r, rim)]
        collar = [ring(section, 16)]
        cap = [lathe([(0.8 * r, travel), (0.8 * r, top), (0.7 * r, top + 0.08 * r)], 16)]
    if style == "mushroom":
        cap.append(moved(scaled_lathe([(0.6, -0.05), (1.3, 0.1), (1.2, 0.4), (0.6, 0.6)], r), (0, 0, top)))
        top += 0.6 * r
    made.add(parent, finish(rng, "metal", "dark"), *(aimed(s, along, at) for s in collar))
    made.add(name, finish(rng, "plastic", "pale", "dark"), *(aimed(s, along, at) for s in cap))
    made.slide(parent, name, -along, 0.0, travel)
    return [(name, at + top * along, along, 0.8 * r)]
