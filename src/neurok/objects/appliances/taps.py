"""Valves and taps."""

# ruff: noqa: RUF005 — point + (x, y, z) adds vectors here

from __future__ import annotations

import numpy as np

from neurok.objects.kit.finishes import finish
from neurok.objects.kit.mechanism import Mechanism
from neurok.objects.kit.outlines import angles, curve
from neurok.objects.kit.placing import X, Y, Z, aimed, moved
from neurok.objects.kit.solids import ball, block, dowel, lathe, rod, torus, tube
from neurok.objects.registry import family
from neurok.shapes.shape import Shape


@family(number=19)
def valve_tap(rng: np.random.Generator) -> Shape:
    """A lever mixer, a tap with one or two heads and sometimes a swinging spout, or a hand-wheel valve."""
    made = Mechanism("valve_tap")
    metal, accent = finish(rng, "metal", "brass", "dark"), finish(rng, "plastic", "metal", "pale")
    kind = rng.choice(["mixer", "heads", "wheel", "lever"])
    if kind in ("wheel", "lever"):
        return _pipe_valve(made, rng, str(kind), metal, accent).finish(rng)
    r, height, reach = rng.uniform(0.016, 0.03), rng.uniform(0.05, 0.25), rng.uniform(0.08, 0.26)
    belly = rng.uniform(0.9, 1.5) * r
    column = lathe(
        [
            (1.7 * r, 0),
            (1.6 * r, 0.006),
            (belly, 0.015),
            (belly, 0.4 * height),
            (r, 0.55 * height),
            (r, height),
        ],
        int(rng.choice([4, 6, 8, 20, 20])),
    )
    made.add("body", metal, column)
    rise = float(rng.choice([0.01, 0.05, 0.1, 0.18])) * rng.uniform(0.8, 1.2)
    path = curve(
        [
            (0, 0, 0.6 * height),
            (0, -0.3 * reach, 0.6 * height + rise),
            (0, -rng.uniform(0.7, 0.9) * reach, 0.6 * height + 0.9 * rise),
            (0, -reach, 0.6 * height + 0.3 * rise - 0.02),
        ],
        14,
    )
    swings = kind == "heads" or rng.random() < 0.3
    nozzle = lathe([(0.65 * r, 0), (0.65 * r, 0.02)], 12)
    mouth = aimed(nozzle, path[-1] - path[-2], path[-1] - (0, 0, 0.005))
    spout = tube(path, np.linspace(0.75, 0.55, 14) * r, 12)
    made.add("spout" if swings else "body", metal, spout, mouth)
    if swings:
        sleeve = moved(lathe([(1.12 * r, 0), (1.12 * r, 1.6 * r)], 18), (0, 0, 0.6 * height - 0.8 * r))
        made.add("spout", metal, sleeve)
        made.hinge("body", "spout", (0, 0, 0.6 * height), Z, -rng.uniform(0.5, 1.5), rng.uniform(0.5, 1.5))
    if kind == "mixer":
        top = np.array([0, 0, height])
        made.add(
            "collar", metal, moved(lathe([(1.05 * r, -0.002), (1.05 * r, 0.6 * r), (0.7 * r, r)], 18), top)
        )
        made.hinge("body", "collar", top, Z, -0.8, 0.8)
        end = top + (0, 0.5 * reach * rng.choice([-1, 1]), 0.3 * reach)
        stick = tube(
            [top + (0, 0, 0.5 * r), top + (0, 0, r), end], [0.5 * r, 0.45 * r, 0.3 * r], 10, rounded=True
        )
        made.add("lever", accent, stick)
        made.hinge("collar", "lever", top + (0, 0, 0.6 * r), X if end[1] > 0 else -X, 0.0, 0.4)
    else:
        _tap_heads(made, rng, r, height, metal, accent)
    return made.finish(rng)


def _tap_heads(made, rng, r, height, metal, accent) -> None:
    """One head on top or two at the sides: crosses, discs or levers with limited turns."""
    pair, style = rng.random() < 0.6, rng.choice(["cross", "disc", "lever"])
    spots = [(-0.08, "cold"), (0.08, "hot")] if pair else [(0.0, "head")]
    for x, name in spots:
        top = np.array([x, 0, 0.75 * height if pair else height])
        if pair:
            post = lathe([(1.4 * r, 0), (r, 0.01), (0.8 * r, 0.75 * height)], 16)
            made.add("body", metal, moved(post, (x, 0, 0)), rod((0, 0, 0.012), (x, 0, 0.012), 0.6 * r, 10))
        made.add(name, metal, moved(lathe([(0.5 * r, -0.004), (0.5 * r, 0.8 * r)], 12), top))
        crown = top + (0, 0, 0.9 * r)
        if style == "cross":
            arms = [dowel(crown, 1.5 * r * d, 0.25 * r, 8) for d in (X, Y)]
            made.add(name, accent, arms, ball(0.45 * r, crown, 10))
        elif style == "disc":
            knob = moved(
                lathe(
                    [(0.9 * r, -0.2 * r), (1.2 * r, 0), (1.2 * r, 0.5 * r), (0.8 * r, 0.7 * r)],
                    int(rng.choice([6, 8, 16])),
                ),
                crown,
            )
            made.add(name, accent, knob)
        else:
            arm = tube(
                [crown, crown + (np.sign(x + 0.01) * 2.5 * r, 0, 0.3 * r)],
                [0.45 * r, 0.3 * r],
                10,
                rounded=True,
            )
            made.add(name, accent, arm)
        made.hinge("body", name, top, Z, -rng.uniform(1.5, 3.1), 0.0)


def _pipe_valve(made, rng, kind, metal, accent) -> Mechanism:
    """A pipe with flanges. A hand wheel screws its spindle up, or a lever turns by a quarter."""
    r, length = rng.uniform(0.02, 0.06), rng.uniform(0.15, 0.4)
    made.add("body", metal, rod((-length / 2, 0, 0), (length / 2, 0, 0), r, 18), ball(1.6 * r, (0, 0, 0), 16))
    flange = aimed(lathe([(1.9 * r, -0.2 * r), (1.9 * r, 0.2 * r)], int(rng.choice([6, 20]))), X)
    made.add("body", metal, [moved(flange, (s * (length / 2 - 0.2 * r), 0, 0)) for s in (-1, 1)])
    neck = np.array([0, 0, rng.uniform(2.2, 3.2) * r])
    made.add("body", metal, rod((0, 0, 0), neck, 0.8 * r, 14))
    made.add("body", metal, moved(lathe([(1.1 * r, -0.15 * r), (1.1 * r, 0.15 * r)], 6), neck))
    if kind == "lever":
        reach = rng.uniform(3, 6) * r
        made.add("lever", metal, rod(neck, neck + (0, 0, 0.6 * r), 0.45 * r, 10))
        handle = block((reach + r, 0.7 * r, 0.2 * r), neck + (0.5 * reach - 0.4 * r, 0, 0.6 * r), 0.05 * r)
        made.add("lever", accent, handle)
        made.hinge("body", "lever", neck, Z, 0.0, np.pi / 2)
        return made
    big, tube_r = rng.uniform(2.0, 3.2) * r, 0.22 * r
    crown, spokes = neck + (0, 0, r), int(rng.integers(3, 7))
    made.add("wheel", accent, moved(torus(big, tube_r, 26, 8), crown))
    made.add("wheel", metal, rod(neck, crown + (0, 0, 0.3 * r), 0.45 * r, 12))
    for a in angles(spokes):
        made.add("wheel", accent, rod(crown, crown + big * np.array([np.cos(a), np.sin(a), 0]), 0.15 * r, 6))
    turns = 2 * np.pi * rng.uniform(1.0, 3.0)
    leader = made.hinge("body", "wheel", neck, Z, 0.0, turns)
    made.add("spindle", metal, rod(neck, crown + (0, 0, 0.8 * r), 0.2 * r, 10))
    made.slide("body", "spindle", Z, 0.0, 0.8 * r, follows=(leader, 0.8 * r / turns))
    return made
