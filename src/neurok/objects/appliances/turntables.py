"""Record players, trays and globes that turn on a foot."""

# ruff: noqa: RUF005 — point + (x, y, z) adds vectors here

from __future__ import annotations

import numpy as np

from neurok.objects.kit.finishes import finish
from neurok.objects.kit.mechanism import Mechanism
from neurok.objects.kit.outlines import angles, corners
from neurok.objects.kit.placing import aimed, moved
from neurok.objects.kit.solids import ball, block, dowel, lathe, rod, torus, tube
from neurok.objects.registry import family
from neurok.shapes.shape import Shape


@family(number=8)
def turntable(rng: np.random.Generator) -> Shape:
    """A record player (platter, arm, often a lid), a tray on a foot, or a stand with a globe."""
    made = Mechanism("turntable")
    body, trim = finish(rng, "wood", "dark", "pale", "paint"), finish(rng, "metal", "brass", "dark")
    kind = rng.choice(["player", "tray", "globe"], p=[0.55, 0.25, 0.2])
    if kind == "player":
        _record_player(made, rng, body, trim)
    elif kind == "tray":
        tiers, r, z = int(rng.integers(1, 4)), rng.uniform(0.14, 0.25), 0.02
        made.add("foot", body, lathe([(0.6 * r, 0), (0.5 * r, 0.015), (0.06 * r, 0.025)], 24))
        made.add("tray", trim, rod((0, 0, z), (0, 0, z + 0.04 + 0.12 * (tiers - 1)), 0.05 * r, 10))
        for i in range(tiers):
            level, size = z + 0.03 + 0.12 * i, r * 0.8**i
            plate = moved(
                lathe(
                    [
                        (0.1 * r, -0.006),
                        (size, 0),
                        (1.03 * size, 0.02),
                        (0.98 * size, 0.02),
                        (0.95 * size, 0.006),
                        (0, 0.006),
                    ],
                    26,
                ),
                (0, 0, level),
            )
            made.add("tray", body, plate)
            spots = int(rng.integers(2, 6))
            for a in angles(spots) + rng.uniform(0, 6):
                item = lathe([(0.016, 0), (0.022, 0.02), (0.018, rng.uniform(0.04, 0.08)), (0, 0.08)], 10)
                made.add(
                    "tray",
                    finish(rng, "plastic", "paint"),
                    moved(item, (0.6 * size * np.cos(a), 0.6 * size * np.sin(a), level + 0.005)),
                )
        made.spin("foot", "tray", (0, 0, z), (0, 0, 1))
    else:
        _globe(made, rng, body, trim)
    return made.finish(rng)


def _record_player(made, rng, body, trim) -> None:
    width, depth, tall, r = rng.uniform(0.4, 0.48), rng.uniform(0.33, 0.38), rng.uniform(0.05, 0.12), 0.15
    made.add("plinth", body, block((width, depth, tall), (0, 0, tall / 2), 0.006))
    for foot in corners(0.4 * width, 0.4 * depth):
        made.add("plinth", finish(rng, "rubber"), rod((*foot, -0.02), (*foot, 0.002), 0.02, 12))
    x = r + 0.015 - width / 2
    made.add("platter", trim, moved(lathe([(r, 0), (r, 0.015)], 30), (x, 0, tall)))
    record = moved(lathe([(0.97 * r, 0.015), (0.97 * r, 0.018), (0.05, 0.018)], 30), (x, 0, tall))
    made.add("platter", finish(rng, "dark"), record)
    made.add(
        "platter", finish(rng, "plastic"), moved(lathe([(0.05, 0.018), (0.05, 0.0195)], 16), (x, 0, tall))
    )
    made.add("platter", trim, rod((x, 0, tall), (x, 0, tall + 0.03), 0.004, 8))
    made.spin("plinth", "platter", (x, 0, tall), (0, 0, 1))
    pivot = np.array([width / 2 - 0.035, depth / 2 - 0.06, tall + 0.035])
    made.add("plinth", trim, rod(pivot - (0, 0, 0.036), pivot - (0, 0, 0.008), 0.025, 14))
    tip = pivot + (-0.01, -0.2, -0.005)
    made.add("tonearm", trim, rod(pivot - (0, 0, 0.015), pivot + (0, 0, 0.012), 0.016, 12))
    made.add("tonearm", trim, tube([pivot + (0, 0.04, 0), pivot, (pivot + tip) / 2, tip], 0.004, 8))
    made.add("tonearm", finish(rng, "dark"), block((0.016, 0.03, 0.01), tip))
    made.add("tonearm", finish(rng, "dark"), rod(pivot + (0, 0.03, 0), pivot + (0, 0.055, 0), 0.012, 10))
    made.hinge("plinth", "tonearm", pivot, (0, 0, -1), 0.0, rng.uniform(0.5, 0.7))
    if rng.random() < 0.6:
        t, h, top = 0.004, 0.075, tall + 0.002
        glass = finish(rng, "glass")
        walls = [
            block((width, depth, t), (0, 0, top + h)),
            block((width, t, h), (0, -depth / 2 + t, top + h / 2)),
            *(block((t, depth, h), (s * (width / 2 - t), 0, top + h / 2)) for s in (-1, 1)),
        ]
        made.add("cover", glass, walls)
        made.add("cover", trim, rod((-0.4 * width, depth / 2, top), (0.4 * width, depth / 2, top), 0.006, 8))
        made.hinge("plinth", "cover", (0, depth / 2, top), (-1, 0, 0), 0.0, rng.uniform(1.0, 1.4))


def _globe(made, rng, body, trim) -> None:
    r, tilt = rng.uniform(0.1, 0.2), rng.uniform(0.0, 0.5)
    centre, axis = np.array([0, 0, 1.45 * r + 0.03]), np.array([np.sin(tilt), 0, np.cos(tilt)])
    made.add(
        "stand", body, lathe([(0.7 * r, 0), (0.65 * r, 0.02), (0.1 * r, 0.05), (0.06 * r, 0.45 * r)], 22)
    )
    meridian = np.array(
        [
            centre + 1.15 * r * (np.cos(a) * axis + np.sin(a) * np.array([-axis[2], 0, axis[0]]))
            for a in np.linspace(0, np.pi, 17)
        ]
    )
    made.add("stand", trim, tube(meridian, 0.04 * r, 8))
    foot = meridian[np.linalg.norm(meridian - (0, 0, 0.3 * r), axis=1).argmin()]
    made.add("stand", trim, rod((0, 0, 0.3 * r), foot, 0.07 * r, 10))
    made.add("globe", finish(rng, "paint", "plastic"), aimed(ball(r, sides=24), axis, centre))
    made.add("globe", trim, aimed(torus(r, 0.012 * r, 24, 6), axis, centre))
    made.add("globe", trim, dowel(centre, 1.15 * r * axis, 0.03 * r, 8))
    lumps = [ball(rng.uniform(0.25, 0.5) * r, sides=10) for _ in range(int(rng.integers(3, 7)))]
    land = finish(rng, "paint", "wood")
    for lump in lumps:
        d = rng.normal(size=3)
        patch = moved(
            aimed(lump.with_(vertices=lump.vertices * [1, 0.7, 0.12]), d),
            centre + r * 0.97 * d / np.linalg.norm(d),
        )
        made.add("globe", land, patch)
    made.spin("stand", "globe", centre, axis)
