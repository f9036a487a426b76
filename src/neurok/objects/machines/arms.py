"""Robot arms and excavators."""

# ruff: noqa: RUF005 — point + (x, y, z) adds vectors here

from __future__ import annotations

from itertools import pairwise

import numpy as np

from neurok.objects.kit.finishes import finish
from neurok.objects.kit.mechanism import Mechanism
from neurok.objects.kit.outlines import arc, rectangle
from neurok.objects.kit.placing import Y, Z, aimed, moved, turned, upright
from neurok.objects.kit.solids import bar, block, dowel, extrude, lathe, pill, rod, tube
from neurok.objects.registry import family
from neurok.shapes.robots.assembly import painted
from neurok.shapes.shape import Shape


@family(number=20)
def robot_arm(rng: np.random.Generator) -> Shape:
    """A turning base, two to four bending links, a wrist that rolls, and a gripper with coupled fingers."""
    made = Mechanism("robot_arm")
    scale, body, dark = (
        rng.uniform(0.3, 1.2),
        finish(rng, "paint", "plastic", "pale", "metal"),
        finish(rng, "dark", "metal"),
    )
    r = rng.uniform(0.06, 0.1) * scale
    made.add(
        "base", dark, lathe([(2 * r, 0), (2 * r, 0.4 * r), (1.3 * r, 0.9 * r)], int(rng.choice([4, 8, 24])))
    )
    shoulder = np.array([0, 0, rng.uniform(2.0, 3.0) * r])
    made.add("turret", body, lathe([(1.2 * r, 0.85 * r), (1.2 * r, 1.3 * r), (0.9 * r, shoulder[2])], 20))
    made.add("turret", dark, dowel(shoulder, 1.3 * r * Y, 0.9 * r, 16))
    made.hinge("base", "turret", (0, 0, 0.9 * r), Z, -2.8, 2.8)
    at, parent, tilt = shoulder, "turret", rng.uniform(-0.4, 0.3)
    count, shell = int(rng.integers(2, 5)), str(rng.choice(["round", "box", "twin"]))
    for i in range(count):
        size = r * (1 - 0.17 * i)
        end = at + rng.uniform(0.3, 0.5) * scale * (2.6 / (count + 0.6)) * np.array(
            [np.sin(tilt), 0, np.cos(tilt)]
        )
        name, reach = f"link_{i + 1}", rng.uniform(0.35, 0.65)
        made.part(name, _arm_link(at, end, size, shell, body, dark))
        made.hinge(parent, name, at, Y, -reach, reach)
        at, parent, tilt = end, name, tilt + rng.uniform(0.4, 1.2)
    along = np.array([np.sin(tilt), 0, np.cos(tilt)])
    wrist = 0.55 * r
    made.add(
        "wrist", body, rod(at - 0.3 * wrist * along, at + 2.5 * wrist * along, (1.1 * wrist, 0.9 * wrist), 14)
    )
    made.spin(parent, "wrist", at, along)
    _gripper(made, rng, at + 2.5 * wrist * along, along, wrist, dark)
    return made.finish(rng, ajar=0.4)


def _arm_link(start, end, r, shell, body, dark) -> list[Shape]:
    joints = [painted(dowel(p, r * Y, 0.8 * r, 16), dark) for p in (start, end)]
    if shell == "round":
        return [*joints, painted(pill(start, end, 0.72 * r), body)]
    if shell == "box":
        return [*joints, painted(bar(start, end, 1.1 * r, 1.2 * r, 0.15 * r), body)]
    bars = [rod(start + s * Y, end + s * Y, 0.3 * r, 10) for s in (-0.7 * r, 0.7 * r)]
    return [*joints, *(painted(b, body) for b in bars)]


def _gripper(made, rng, at, along, r, dark) -> None:
    """Two fingers that slide together, or two to four that curl together; all follow the first."""
    made.add("wrist", dark, aimed(block((1.4 * r, 3.2 * r, 0.6 * r), bevel=0.1 * r), along, at))
    side, leader = Y, ""
    metal, slides = finish(rng, "metal", "dark", "plastic"), rng.random() < 0.5
    across = np.cross(along, side)
    count = 2 if slides else int(rng.integers(2, 5))
    for i in range(count):
        a = 2 * np.pi * i / count
        out = np.cos(a) * side + np.sin(a) * across
        root = at + 1.2 * r * out + 0.2 * r * along
        name, follows = f"finger_{i + 1}", (leader, 1.0) if leader else None
        tip = root + 2.6 * r * along
        if slides:
            finger = aimed(block((0.8 * r, 0.5 * r, 2.6 * r), bevel=0.08 * r), along, (root + tip) / 2)
            made.add(name, metal, finger)
            joint = made.slide("wrist", name, -out, 0.0, 0.9 * r, follows, at=root)
        else:
            elbow = root + 1.4 * r * along + 0.5 * r * out
            made.add(name, metal, tube([root, elbow, tip], [0.35 * r, 0.3 * r, 0.15 * r], 8, rounded=True))
            joint = made.hinge("wrist", name, root, np.cross(along, out), -0.35, 0.3, follows)
        leader = leader or joint


@family(number=21)
def excavator(rng: np.random.Generator) -> Shape:
    """Tracks or wheels, a turning cab, boom, stick and bucket, with rams along the boom."""
    made = Mechanism("excavator")
    s = float(rng.choice([0.1, 1.0])) * rng.uniform(1.0, 1.8)
    paint, dark, glass = (
        finish(rng, "plastic", "paint", "brass"),
        finish(rng, "dark", "rubber"),
        finish(rng, "glass", "dark"),
    )
    for side in (-1, 1):
        if rng.random() < 0.75 or side > 0:
            belt = extrude(rectangle(1.7 * s, 0.36 * s, 0.179 * s, 6), 0.25 * s)
            made.add("tracks", dark, upright(belt, (0, side * 0.5 * s, 0.18 * s)))
        else:
            belt = block((1.7 * s, 0.25 * s, 0.36 * s), (0, side * 0.5 * s, 0.18 * s), 0.1 * s)
            made.add("tracks", dark, belt)
        rollers = [
            rod((x * s, side * 0.37 * s, 0.18 * s), (x * s, side * 0.64 * s, 0.18 * s), 0.1 * s, 12)
            for x in (-0.6, -0.2, 0.2, 0.6)
        ]
        made.add("tracks", paint, rollers)
    made.add("tracks", dark, block((0.8 * s, 0.9 * s, 0.15 * s), (0, 0, 0.25 * s)))
    made.add("tracks", dark, rod((0, 0, 0.2 * s), (0, 0, 0.42 * s), 0.3 * s, 18))
    made.add(
        "house",
        paint,
        block((1.3 * s, 1.0 * s, 0.3 * s), (-0.2 * s, 0, 0.55 * s), 0.05 * s),
        block(
            (0.4 * s, rng.uniform(0.85, 1.0) * s, rng.uniform(0.2, 0.4) * s),
            (-0.6 * s, 0, 0.75 * s),
            0.06 * s,
        ),
    )
    tall = rng.uniform(0.45, 0.6) * s
    made.add(
        "house", paint, block((0.5 * s, 0.4 * s, tall), (0.1 * s, 0.28 * s, 0.68 * s + tall / 2), 0.04 * s)
    )
    made.add(
        "house", glass, block((0.42 * s, 0.41 * s, 0.6 * tall), (0.11 * s, 0.285 * s, 0.74 * s + tall / 2))
    )
    made.spin("tracks", "house", (0, 0, 0.4 * s), Z)
    root, knee = (
        np.array([0.35, -0.12, 0.65]) * s,
        np.array([rng.uniform(0.8, 1.1), -0.12, rng.uniform(1.5, 1.8)]) * s,
    )
    elbow = np.array([rng.uniform(1.6, 1.9), -0.12, rng.uniform(1.3, 1.6)]) * s
    wrist = elbow + np.array([rng.uniform(-0.1, 0.35), 0, -rng.uniform(0.75, 1.0)]) * s
    made.add("boom", paint, _beam([root, knee, elbow], 0.1 * s))
    ram = rod(root + (0.12 * s, 0, 0), (root + knee) / 2 + (0.17 * s, 0, 0), 0.035 * s, 8)
    made.add("boom", finish(rng, "metal"), ram)
    made.add("house", dark, dowel(root, 0.14 * s * Y, 0.08 * s, 12))
    made.hinge("house", "boom", root, Y, -0.35, 0.3)
    made.add("stick", paint, _beam([elbow + 0.2 * (elbow - wrist), elbow, wrist], 0.07 * s))
    made.add("stick", dark, dowel(elbow, 0.12 * s * Y, 0.06 * s, 12))
    made.hinge("boom", "stick", elbow, Y, -0.7, 0.4)
    made.add("bucket", dark, _bucket(rng, wrist, s))
    made.hinge("stick", "bucket", wrist, Y, -0.9, 0.7)
    return made.finish(rng, ajar=0.4)


def _beam(points, half) -> list[Shape]:
    """A box beam along a polyline, thick at its corners."""
    pieces = [bar(a, b, 1.5 * half, 1.5 * half, 0.2 * half) for a, b in pairwise(points)]
    return pieces + [dowel(p, 0.85 * half * Y, 0.85 * half, 12) for p in points]


def _bucket(rng, at, s) -> list[Shape]:
    """A scoop: a bent wall, two cheeks and a lip, below its pin."""
    r, wide = rng.uniform(0.2, 0.28) * s, rng.uniform(0.35, 0.55) * s
    outer, inner = arc(r, 0.6, 3.9, 12), arc(0.88 * r, 3.9, 0.6, 12)

    def place(solid, y) -> Shape:
        return moved(turned(upright(solid), Y, np.pi * 0.55), at + (0.0, y, -0.8 * r))

    wall = place(extrude(np.concatenate([outer, inner]), wide), 0.0)
    cheeks = [place(extrude(outer, 0.04 * s), y) for y in (-wide / 2, wide / 2)]
    lip = place(moved(block((0.2 * s, 0.05 * s, 0.9 * wide)), (*outer[-1], 0)), 0.0)
    lug = dowel(at, 0.1 * s * Y, 0.07 * s, 10)
    return [wall, *cheeks, lip, lug]
