"""Scissors, pliers, tongs and umbrellas."""

# ruff: noqa: RUF005 — point + (x, y, z) adds vectors here

from __future__ import annotations

import numpy as np

from neurok.objects.kit.finishes import finish
from neurok.objects.kit.mechanism import Mechanism
from neurok.objects.kit.outlines import arc, curve, lifted
from neurok.objects.kit.placing import mirrored, moved, shifted, turned
from neurok.objects.kit.solids import ball, block, extrude, lathe, loop, rod, tube
from neurok.objects.registry import family
from neurok.shapes.robots.assembly import painted
from neurok.shapes.shape import Shape


@family(number=12)
def scissors(rng: np.random.Generator) -> Shape:
    """Two blades on one pin: scissors, shears or snips, handles as rings, ovals or plain grips."""
    made = Mechanism("scissors")
    blade, wide = rng.uniform(0.05, 0.16), rng.uniform(0.008, 0.016)
    handle, t = rng.uniform(0.05, 0.11), rng.uniform(0.0015, 0.003)
    steel, grip = finish(rng, "metal", "dark"), finish(rng, "plastic", "dark", "metal")
    point, style = rng.uniform(0.0, 0.4), str(rng.choice(["ring", "oval", "grip", "bow"]))
    half = _blade(rng, blade, wide, handle, t, point, style, steel, grip)
    return _pair(
        made, rng, half, ("blade", "other_blade"), t, 0.35 * wide, steel, rng.uniform(0.6, 1.1)
    ).finish(rng, ajar=0.4)


def _blade(rng, length, wide, handle, t, point, style, steel, grip) -> list[Shape]:
    """Half a pair, blade along +x, its cutting edge on y = −0.2 wide; handle along −x on the +y side."""
    edge = -0.2 * wide
    outline = [
        (-0.2 * length, edge + 0.3 * wide),
        (0, edge),
        (length, edge),
        (length * (1 - 0.3 * point), edge + 0.35 * wide),
        (0.3 * length, edge + 0.9 * wide),
        (0, edge + wide),
        (-0.2 * length, edge + 1.2 * wide),
    ]
    pieces = [painted(extrude(np.array(outline), t, 0.2 * t), steel)]
    neck = curve([(-0.15 * length, 0.5 * wide), (-0.5 * handle, 0.9 * wide), (-0.65 * handle, 1.2 * wide)], 6)
    pieces.append(painted(tube(lifted(neck), 0.3 * wide, 8, rounded=True), grip))
    size = {"ring": (0.4, 0.35), "oval": (0.6, 0.34), "bow": (0.5, 0.28), "grip": (0.9, 0.0)}[style]
    if style == "grip":
        path = curve(
            [(-0.5 * handle, 0.9 * wide), (-1.0 * handle, 2.4 * wide), (-1.6 * handle, 1.9 * wide)], 9
        )
        return [*pieces, painted(tube(lifted(path), 0.42 * wide, 10, rounded=True), grip)]
    a, b = size[0] * handle, max(size[1] * handle, 0.012)
    ring = arc((a, b), 0, 2 * np.pi, 19)[:-1] + (-0.6 * handle - a, 0.75 * wide + b)
    return [*pieces, painted(loop(lifted(ring), rng.uniform(0.22, 0.4) * wide, 8), grip)]


def _pair(made, rng, half, names, t, pin, steel, opens) -> Mechanism:
    """A half and its mirror image, one above the other on a pin; one is fixed, or both turn coupled."""
    lift = 0.55 * t
    made.part(names[0], shifted(half, (0, 0, lift)))
    made.part(names[1], [moved(mirrored(p, 1), (0, 0, -lift)) for p in half])
    screw = painted(lathe([(pin, -1.6 * t), (pin, 1.6 * t), (0.5 * pin, 2 * t)], 14), steel)
    if rng.random() < 0.5:
        made.part(names[0], screw)
        made.hinge(names[0], names[1], (0, 0, 0), (0, 0, 1), 0.0, opens)
    else:
        made.part("pin", screw)
        leader = made.hinge("pin", names[1], (0, 0, 0), (0, 0, 1), 0.0, opens / 2)
        made.hinge("pin", names[0], (0, 0, 0), (0, 0, -1), 0.0, opens / 2, follows=(leader, 1.0))
    return made


@family(number=13)
def pliers(rng: np.random.Generator) -> Shape:
    """Crossing pliers with various jaws, or tongs whose two arms meet at the end."""
    made = Mechanism("pliers")
    steel, grip = finish(rng, "metal", "dark"), finish(rng, "plastic", "rubber", "paint")
    if rng.random() < 0.35:
        return _tongs(made, rng, steel, grip).finish(rng, ajar=0.4)
    jaw, handle, wide = rng.uniform(0.03, 0.08), rng.uniform(0.08, 0.16), rng.uniform(0.012, 0.02)
    t, slim = rng.uniform(0.005, 0.009), rng.uniform(0.15, 0.8)
    # the jaw lies above y = 0, its handle below: a half crosses over at the pin
    upper = [
        (-0.6 * wide, -0.7 * wide),
        (0.3 * wide, -0.7 * wide),
        (0.8 * wide, 0),
        (jaw, 0),
        (jaw, slim * 0.5 * wide),
        (0.7 * wide, 0.9 * wide),
        (0, 0.9 * wide),
        (-0.8 * wide, 0.2 * wide),
    ]
    half = [painted(extrude(np.array(upper), t, 0.15 * t), steel)]
    bend = rng.uniform(1.2, 2.2)
    path = curve(
        [
            (-0.5 * wide, -0.3 * wide),
            (-0.3 * handle, -bend * wide),
            (-0.7 * handle, -0.9 * bend * wide),
            (-handle, -rng.uniform(0.9, 1.6) * wide),
        ],
        12,
    )
    half.append(painted(tube(lifted(path), np.linspace(0.3, 0.24, 12) * wide, 8), steel))
    half.append(painted(tube(lifted(path[4:]), rng.uniform(0.34, 0.45) * wide, 10, rounded=True), grip))
    for x in np.linspace(0.4, 0.9, int(rng.integers(0, 5))) * jaw:
        half.append(painted(block((0.05 * jaw, 0.12 * wide, t), (x, 0.03 * wide, 0)), steel))
    turn = [mirrored(p, 1) for p in half]  # opens in the same sense as scissors
    return _pair(made, rng, turn, ("jaw", "other_jaw"), t, 0.5 * wide, steel, rng.uniform(0.5, 0.9)).finish(
        rng, ajar=0.4
    )


def _tongs(made, rng, steel, grip) -> Mechanism:
    """Two bowed arms on a pin at one end; the second mirrors the first."""
    length, bow = rng.uniform(0.15, 0.35), rng.uniform(0.05, 0.12)
    r, tip = rng.uniform(0.004, 0.008), str(rng.choice(["spoon", "claw", "plain"]))
    path = curve(
        [
            (0, 0.6 * r, 0),
            (0.2 * length, bow * length, 0),
            (0.7 * length, 0.8 * bow * length, 0),
            (length, 1.05 * r, 0),
        ],
        14,
    )
    arm = [tube(path, np.linspace(1.3, 0.8, 14) * r, 8)]
    if tip == "spoon":
        spoon = ball(1.0, sides=12)
        bowl = moved(
            spoon.with_(vertices=spoon.vertices * [4 * r, 0.8 * r, 3 * r]), (length + 2 * r, 1.1 * r, 0)
        )
        arm.append(bowl)
    elif tip == "claw":
        arm += [
            rod((length - r, r, 0), (length + 4 * r, 0.8 * r, s * 2.5 * r), (r, 0.5 * r), 8)
            for s in (-1, 0, 1)
        ]
    painted_arm = [painted(a, steel) for a in arm] + [
        painted(tube(path[3:8], 1.7 * r, 10, rounded=True), grip)
    ] * int(rng.random() < 0.6)
    made.add("pin", steel, lathe([(1.8 * r, -1.6 * r), (1.8 * r, 1.6 * r)], 14))
    made.part("arm", painted_arm)
    made.part("other_arm", [mirrored(p, 1) for p in painted_arm])
    leader = made.hinge("pin", "arm", (0, 0, 0), (0, 0, 1), 0.0, rng.uniform(0.2, 0.45))
    made.hinge("pin", "other_arm", (0, 0, 0), (0, 0, -1), 0.0, made.joints[0].upper, follows=(leader, 1.0))
    return made


@family(number=14)
def umbrella(rng: np.random.Generator) -> Shape:
    """Ribs with gores that follow a runner on the shaft; upwards opens. Mostly drawn open."""
    made = Mechanism("umbrella")
    garden = rng.random() < 0.3
    scale = rng.uniform(2.0, 2.8) if garden else rng.uniform(0.8, 1.0)
    ribs, length = int(rng.integers(5, 11)), rng.uniform(0.45, 0.6) * scale
    droop, r = rng.uniform(0.15, 0.4), 0.006 * scale
    top, hub = scale, 0.012 * scale
    body, steel = finish(rng, "metal", "wood", "dark"), finish(rng, "metal", "dark")
    made.add("shaft", body, rod((0, 0, 0.08 * scale), (0, 0, top + 0.06 * scale), r, 10))
    made.add("shaft", steel, ball(1.6 * hub, (0, 0, top), 12))
    made.part("shaft", _foot(rng, scale, r, garden))
    fold = 1.45 - droop  # radians from the drawn, open pose to along the shaft
    travel = rng.uniform(0.25, 0.4) * length
    runner = top - 0.45 * length
    collar = moved(
        lathe([(2.2 * hub, -0.02 * scale), (2.2 * hub, 0.02 * scale), (1.2 * hub, 0.035 * scale)], 12),
        (0, 0, runner),
    )
    made.add("runner", steel, collar)
    leader = made.slide("shaft", "runner", (0, 0, -1), 0.0, travel)
    colours = [finish(rng, "fabric", "plastic") for _ in range(int(rng.integers(1, 3)))]
    for i in range(ribs):
        a = 2 * np.pi * (i + 0.5) / ribs
        name = f"rib_{i + 1}"
        rib = [
            turned(p, (0, 0, 1), a)
            for p in _rib(length, droop, r, hub, top, ribs, steel, colours[i % len(colours)])
        ]
        made.part(name, rib)
        axis = (-np.sin(a), np.cos(a), 0)
        made.hinge(
            "shaft",
            name,
            (hub * np.cos(a), hub * np.sin(a), top),
            axis,
            0.0,
            fold,
            follows=(leader, fold / travel),
        )
    return made.finish(rng, ajar=0.25)


def _rib(length, droop, r, hub, top, ribs, steel, colour) -> list[Shape]:
    """A rib in the xz plane with its gore: two thin sheets that slope to its sides."""
    steps = np.linspace(0, 1, 6)
    x, z = hub + length * steps * np.cos(droop * steps), top - length * steps * np.sin(droop * steps)
    half = np.tan(np.pi / ribs) * x
    spine = np.c_[x, np.zeros(6), z]
    sides = [np.c_[x, s * half, z + 0.002] for s in (-1, 0, 1)]
    upper, t = np.stack(sides, 1) + (0, 0, 0.3 * r), np.array([0, 0, 0.25 * r])
    return [painted(tube(spine, 0.5 * r, 6), steel), painted(_sheet(upper, t), colour)]


def _sheet(grid, thickness) -> Shape:
    """A grid of points (rows, columns) thickened by a copy shifted by `thickness`."""
    rows, columns = grid.shape[:2]
    n = rows * columns
    index = np.arange(n).reshape(rows, columns)
    a, b, c, d = (
        index[i : rows - 1 + i, j : columns - 1 + j].ravel() for i, j in ((0, 0), (1, 0), (1, 1), (0, 1))
    )
    upper = np.concatenate([np.stack([a, b, c], 1), np.stack([a, c, d], 1)])
    rim = np.concatenate([index[:-1, 0], index[-1, :-1], index[:0:-1, -1], index[0, :0:-1]])
    after = np.roll(rim, -1)
    walls = np.concatenate([np.stack([after, rim, rim + n], 1), np.stack([after, rim + n, after + n], 1)])
    points = grid.reshape(-1, 3)
    return Shape(
        np.concatenate([points + thickness, points]), np.concatenate([upper, upper[:, ::-1] + n, walls])
    )


def _foot(rng, scale, r, garden) -> list[Shape]:
    """A crook, a knob, or for garden umbrellas a heavy disc."""
    material = finish(rng, "wood", "plastic", "dark")
    if garden:
        pole = rod((0, 0, 0.0), (0, 0, 0.1 * scale), 1.5 * r, 10)
        return [
            painted(pole, material),
            painted(
                lathe([(0.14 * scale, 0), (0.13 * scale, 0.03 * scale), (0.03 * scale, 0.05 * scale)], 20),
                material,
            ),
        ]
    if rng.random() < 0.6:
        hook = lifted(arc(0.05 * scale, 0, -np.pi, 9) - (0.05 * scale, 0))[:, [0, 2, 1]]
        path = np.concatenate([[[0, 0, 0.16 * scale]], hook + (0, 0, 0.06 * scale)])
        return [painted(tube(path, 1.8 * r, 8, rounded=True), material)]
    return [
        painted(rod((0, 0, 0.02 * scale), (0, 0, 0.14 * scale), 2.4 * r, 10), material),
        painted(ball(3 * r, (0, 0, 0.02 * scale), 12), material),
    ]
