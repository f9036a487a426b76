"""Boxes, chests and jars with lids."""

from __future__ import annotations

import numpy as np

from neurok.objects.kit.finishes import finish
from neurok.objects.kit.mechanism import Mechanism
from neurok.objects.kit.outlines import arc, corners
from neurok.objects.kit.panels import pull
from neurok.objects.kit.placing import aimed, moved, sideways, turned
from neurok.objects.kit.solids import ball, block, extrude, lathe, rod, torus
from neurok.objects.registry import family
from neurok.shapes.shape import Shape


@family(number=5)
def lidded_box(rng: np.random.Generator) -> Shape:
    """A chest, crate, tin or jar with a hinged, sliding, lift-off or two-flap lid."""
    made = Mechanism("lidded_box")
    if rng.random() < 0.2:
        return _jar(made, rng).finish(rng, ajar=0.0)
    width, depth, height = rng.uniform(0.15, 1.1), rng.uniform(0.12, 0.6), rng.uniform(0.08, 0.5)
    wall = rng.uniform(0.02, 0.05) * min(width, depth) + 0.004
    body, trim = finish(rng, "wood", "paint", "metal", "plastic"), finish(rng, "dark", "brass", "metal")
    made.add("box", body, _tray(width, depth, height, wall))
    _bands(made, rng, width, depth, height, trim)
    kind = rng.choice(["hinged", "chest", "sliding", "lift", "flaps"], p=[0.25, 0.35, 0.15, 0.1, 0.15])
    lid = body if rng.random() < 0.6 else finish(rng, "wood", "paint", "plastic")
    if kind == "chest":
        _curved_lid(made, rng, width, depth, height, wall, lid, trim)
    elif kind == "flaps":
        _flaps(made, rng, width, depth, height, wall, lid)
    else:
        over = wall * rng.uniform(0.0, 1.0)
        cover = block(
            (width + over, depth + over, 1.5 * wall), (0, 0, height + 0.75 * wall), rng.uniform(0, 0.5) * wall
        )
        made.add("lid", lid, cover)
        made.part("lid", _lid_grip(rng, width, depth, height + 1.5 * wall, trim, kind == "hinged"))
        _lid_joint(made, rng, kind, (width, depth, height))
    return made.finish(rng, ajar=0.0 if kind == "lift" else 0.3)  # a lifted lid would float in mid-air


def _lid_joint(made, rng, kind, size) -> None:
    _, depth, height = size
    if kind == "hinged":
        made.hinge("box", "lid", (0, depth / 2, height), (-1, 0, 0), 0.0, rng.uniform(1.3, 2.0))
    elif kind == "sliding":
        made.slide("box", "lid", (0, -1, 0), 0.0, rng.uniform(0.6, 0.95) * depth)
    else:
        made.slide("box", "lid", (0, 0, 1), 0.0, rng.uniform(0.5, 1.2) * height)


def _tray(width, depth, height, wall) -> list[Shape]:
    """Floor and four walls of an open box on z = 0."""
    x, y = (width - wall) / 2, (depth - wall) / 2
    cut = 0.1 * wall
    sides = [block((wall, depth, height), (s * x, 0, height / 2), cut) for s in (-1, 1)]
    ends = [block((width, wall, height), (0, s * y, height / 2), cut) for s in (-1, 1)]
    return [block((width, depth, wall), (0, 0, wall / 2)), *sides, *ends]


def _bands(made, rng, width, depth, height, trim) -> None:
    """Straps, a rim, corner posts or side handles on the outside."""
    style, t = rng.choice(["plain", "straps", "posts", "rings"]), 0.02 * min(width, depth)
    if style == "straps":
        for x in np.linspace(-0.35, 0.35, int(rng.integers(2, 5))) * width:
            made.add("box", trim, block((0.06 * width, depth + 2 * t, height), (x, 0, height / 2 - t / 2)))
            break
    elif style == "posts":
        posts = [
            block((4 * t, 4 * t, 0.98 * height), (x, y, 0.49 * height), t)
            for x, y in corners(width / 2, depth / 2)
        ]
        made.add("box", trim, posts)
    elif style == "rings":
        for s in (-1, 1):
            hoop = aimed(
                torus(0.15 * height, 0.03 * height, 16, 6), (1, 0, 0), (s * (width / 2 + t), 0, 0.6 * height)
            )
            made.add("box", trim, hoop)


def _curved_lid(made, rng, width, depth, height, wall, lid, trim) -> None:
    """A barrel lid: half an ellipse over the depth, hollow, with closed ends."""
    rise = rng.uniform(0.2, 0.5) * depth
    outer = arc((depth / 2, rise), 0, np.pi, 13)
    inner = arc((depth / 2 - wall, rise - wall), np.pi, 0, 13)
    shell, cheek = extrude(np.concatenate([outer, inner]), width), extrude(outer, wall)

    made.add("lid", lid, sideways(shell, (0, 0, height)))
    made.add("lid", lid, [sideways(cheek, (s * (width - wall) / 2, 0, height)) for s in (-1, 1)])
    strap = extrude(
        np.concatenate([arc((depth / 2 + 0.3 * wall, rise + 0.3 * wall), 0, np.pi, 13), inner]), 0.06 * width
    )
    if rng.random() < 0.6:
        straps = [
            sideways(strap, (x * width, 0, height)) for x in np.linspace(-0.35, 0.35, int(rng.integers(2, 4)))
        ]
        made.add("lid", trim, straps)
    hasp = block(
        (0.1 * width, 0.6 * wall, 0.2 * height),
        (0, -depth / 2 - 0.3 * wall, height - 0.02 * height),
        0.1 * wall,
    )
    made.add("lid", trim, hasp)
    made.hinge("box", "lid", (0, depth / 2, height), (-1, 0, 0), 0.0, rng.uniform(1.2, 1.9))


def _flaps(made, rng, width, depth, height, wall, lid) -> None:
    """Two half lids; sometimes the second follows the first."""
    leader, opens, coupled = "", rng.uniform(1.5, 2.4), rng.random() < 0.5
    for side in (-1, 1):
        name = "left_flap" if side < 0 else "right_flap"
        flap = block(
            (width / 2 - 0.002, depth, wall), (side * (width / 4 + 0.001), 0, height + wall / 2), 0.2 * wall
        )
        made.add(name, lid, flap)
        follows = (leader, 1.0) if side > 0 and coupled else None
        leader = made.hinge("box", name, (side * width / 2, 0, height), (0, side, 0), 0.0, opens, follows)


def _lid_grip(rng, width, depth, top, trim, at_front) -> list[Shape]:
    y = -0.4 * depth if at_front else 0.0
    knob = pull(rng, min(0.3 * width, 0.15), trim)
    return [moved(turned(p, (1, 0, 0), -np.pi / 2), (0, y, top - 0.001)) for p in knob]


def _jar(made, rng) -> Mechanism:
    """A turned pot whose lid lifts, screws (coupled turn and rise), or tips on a hinge."""
    radius, height = rng.uniform(0.04, 0.18), rng.uniform(0.08, 0.35)
    belly, wall = rng.uniform(0.9, 1.3) * radius, 0.08 * radius
    body, trim = finish(rng, "paint", "pale", "metal", "glass"), finish(rng, "wood", "metal", "dark")
    outer = [
        (0.8 * radius, 0),
        (belly, 0.3 * height),
        (belly, 0.6 * height),
        (radius, 0.9 * height),
        (radius, height),
    ]
    inner = [(r - wall, max(z, wall)) for r, z in outer[::-1]]
    made.add("box", body, lathe([*outer, *inner, (0, wall)], 22))
    dome = rng.uniform(0.1, 0.6) * radius
    profile = [
        (1.05 * radius, height),
        (1.05 * radius, height + 0.15 * radius),
        (0.6 * radius, height + 0.15 * radius + 0.8 * dome),
        (0, height + 0.15 * radius + dome),
    ]
    made.add("lid", trim if rng.random() < 0.5 else body, lathe(profile, 22))
    made.add("lid", trim, ball(0.2 * radius, (0, 0, height + 0.25 * radius + dome), 12))
    kind = rng.choice(["lift", "screw", "tip"])
    if kind == "tip":
        pin = rod(
            (-0.3 * radius, 1.05 * radius, height), (0.3 * radius, 1.05 * radius, height), 0.08 * radius, 8
        )
        made.add("box", trim, pin)
        made.hinge("box", "lid", (0, 1.05 * radius, height), (-1, 0, 0), 0.0, rng.uniform(1.2, 1.8))
    elif kind == "screw":
        turn = made.hinge("box", "collar", (0, 0, height), (0, 0, 1), 0.0, 2 * np.pi)
        band = [
            (radius - wall, 0.93 * height),
            (1.1 * radius, 0.93 * height),
            (1.1 * radius, height),
            (radius - wall, height),
        ]
        made.add("collar", trim, lathe(band, 22))
        made.slide("collar", "lid", (0, 0, 1), 0.0, 0.3 * radius, follows=(turn, 0.3 * radius / (2 * np.pi)))
    else:
        made.slide("box", "lid", (0, 0, 1), 0.0, rng.uniform(0.4, 0.9) * height)
    return made
