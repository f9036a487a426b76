"""Cranks: winches, wells, and sliders driven through a rod."""

# ruff: noqa: RUF005 — point + (x, y, z) adds vectors here

from __future__ import annotations

import numpy as np

from neurok.objects.kit.finishes import finish
from neurok.objects.kit.mechanism import Mechanism, coupling_polynomial
from neurok.objects.kit.outlines import arc
from neurok.objects.kit.placing import X, Y, Z, aimed, moved, turned
from neurok.objects.kit.solids import ball, block, dowel, extrude, lathe, rod, tube
from neurok.objects.registry import family
from neurok.shapes.shape import Shape


@family(number=17)
def crank(rng: np.random.Generator) -> Shape:
    """A crank: on a winch, over a well with a bucket, or driving a slider through a rod."""
    made = Mechanism("crank")
    kind = rng.choice(["winch", "well", "slider"], p=[0.3, 0.3, 0.4])
    body, metal = finish(rng, "wood", "paint", "metal"), finish(rng, "metal", "dark", "brass")
    if kind == "slider":
        return _slider_crank(made, rng, body, metal).finish(rng, ajar=0.4)
    width, r, z = (
        rng.uniform(0.15, 0.5),
        rng.uniform(0.03, 0.09),
        rng.uniform(0.15, 0.3) if kind == "winch" else rng.uniform(0.6, 0.9),
    )
    t = rng.uniform(0.02, 0.05)
    cheeks = [
        block((t, 3.5 * r, z + 1.3 * r), (s * (width + t) / 2, 0, (z + 1.3 * r) / 2), 0.1 * t)
        for s in (-1, 1)
    ]
    made.add("stand", body, cheeks)
    hollow = lathe(
        [
            (width / 2 + 2 * t, 0),
            (width / 2 + 2 * t, 0.25),
            (width / 2 + 0.5 * t, 0.25),
            (width / 2 + 0.5 * t, 0.02),
            (0, 0.02),
        ],
        22,
    )
    foot = hollow if kind == "well" else block((width + 4 * t, 5 * r, t), (0, 0, t / 2), 0.1 * t)
    made.add("stand", finish(rng, "pale", "dark", "wood"), foot)
    barrel = aimed(lathe([(r, -width / 2 + 0.003), (r, width / 2 - 0.003)], 18), X, (0, 0, z))
    made.add("drum", finish(rng, "wood", "metal"), barrel)
    turns = int(rng.integers(4, 8))
    coil = np.c_[
        np.linspace(-0.35, 0.35, turns * 8) * width, 1.06 * r * arc(1, 0, 2 * np.pi * turns, turns * 8)
    ] + (0, 0, z)
    made.add("drum", finish(rng, "pale", "dark"), tube(coil, 0.09 * r, 5))
    _crank_arm(made, rng, "drum", np.array([width / 2, 0, z]), t, metal)
    if kind == "winch":
        made.spin("stand", "drum", (0, 0, z), X)
        return made.finish(rng)
    _bucket(made, rng, (width / 2 + 0.3 * t) * X, r, z, metal)
    return made.finish(rng)


def _bucket(made, rng, side, r, z, metal) -> None:
    """A bucket on a rope through an eye on a bar of half length `side`; the drum winds it up."""
    drop = rng.uniform(0.25, 0.4) * z
    leader = made.hinge("stand", "drum", (0, 0, z), X, -drop / r, 0.0)
    low = z - 2.2 * r
    guide = np.array([0.0, r + 0.014, z - 1.5 * r])
    made.add("stand", metal, dowel(guide, side, 0.01, 8), ball(0.014, guide))
    made.add("bucket", finish(rng, "pale"), rod((0, r, z), (0, r, low - 0.05), 0.006, 6))
    profile = [(0.6 * r, -1.6 * r), (0.9 * r, 0), (0.8 * r, 0), (0.55 * r, -1.5 * r), (0, -1.5 * r)]
    across, up = 0.85 * r * arc(1, 0, np.pi, 9).T
    bail = tube(np.c_[across, np.full(9, r), low - 0.05 + up], 0.07 * r, 5)
    made.add("bucket", metal, moved(lathe(profile, 14), (0, r, low - 0.05)))
    made.add("bucket", metal, bail)
    made.slide("stand", "bucket", Z, -drop, 0.0, follows=(leader, r))


def _crank_arm(made, rng, link, at, t, metal) -> None:
    """An axle end, a straight or bent arm, and a grip that spins freely."""
    reach, grip = rng.uniform(0.1, 0.2), rng.uniform(0.06, 0.12)
    elbow = at + (2.5 * t, 0, 0)
    a = rng.uniform(0, 2 * np.pi)
    tip = elbow + reach * np.array([0, np.cos(a), np.sin(a)])
    made.add(link, metal, rod(at, elbow + (0.4 * t, 0, 0), 0.3 * t, 10), rod(elbow, tip, 0.22 * t, 10))
    made.add("grip", metal, rod(tip - (0.3 * t, 0, 0), tip + (grip, 0, 0), 0.2 * t, 8))
    handle = aimed(
        lathe([(0.4 * t, 0), (0.55 * t, 0.4 * grip), (0.4 * t, 0.9 * grip), (0.2 * t, grip)], 12),
        X,
        tip + (0.01, 0, 0),
    )
    made.add("grip", finish(rng, "wood", "plastic"), handle)
    made.spin(link, "grip", tip, X)


def _slider_crank(made, rng, body, metal) -> Mechanism:
    """Piston: crank angle θ leads; the rod turns by −θ − asin(r sin θ / l), the slider moves along x.

    x(θ) = r cos θ + √(l² − r² sin² θ), fitted by a quartic over the range.
    """
    r, ratio, thick = rng.uniform(0.05, 0.12), rng.uniform(2.5, 4.0), rng.uniform(0.012, 0.025)
    length, z = ratio * r, 1.6 * r
    reach = rng.uniform(1.2, 1.6)
    bed = block((length + 4.5 * r, 1.6 * r, 0.3 * r), (0.5 * length + 0.4 * r, 0, 0.15 * r), 0.02 * r)
    made.add("bed", body, bed)
    made.add("bed", body, block((0.6 * r, 0.5 * r, z), (0, 0.5 * r, z / 2), 0.03 * r))
    far = length + r
    made.add(
        "bed", body, block((2.2 * r, 0.9 * r, z - 0.3 * r), (far - 0.2 * r, 0, (z - 0.3 * r) / 2), 0.02 * r)
    )
    axle = np.array([0, 0, z])
    web = np.concatenate(
        [arc(0.45 * r, np.pi / 2, 1.5 * np.pi, 9), arc(0.3 * r, -np.pi / 2, np.pi / 2, 9) + (r, 0)]
    )
    disc = extrude(web if rng.random() < 0.5 else arc(1.25 * r, 0, 2 * np.pi, 27)[:-1], thick)
    made.add("crank", metal, moved(turned(disc, X, -np.pi / 2), axle + (0, 0.25 * r - thick / 2, 0)))
    made.add("crank", metal, rod(axle, axle + (0, 0.6 * r, 0), 0.14 * r, 10))
    pin = axle + (r, 0, 0)
    made.add("crank", metal, rod(pin + (0, 0.25 * r, 0), pin - (0, 0.15 * r, 0), 0.1 * r, 10))
    leader = made.hinge("bed", "crank", axle, -Y, -reach, reach)
    end = axle + (far, 0, 0)
    link = [
        rod(pin, end, 0.08 * r, 8),
        *(dowel(p, (0, 0.08 * r, 0), 0.18 * r, 12) for p in (pin, end)),
    ]
    for piece in link:
        made.add("rod", finish(rng, "metal", "brass"), piece)
    swing = coupling_polynomial(lambda a: -a - np.arcsin(np.sin(a) / ratio), -reach, reach)
    made.hinge("crank", "rod", pin, -Y, -1.4 * reach, 1.4 * reach, follows=(leader, swing))
    slide = coupling_polynomial(
        lambda a: r * np.cos(a) + np.sqrt(length**2 - (r * np.sin(a)) ** 2), -reach, reach
    )
    head = (
        block((0.9 * r, 0.7 * r, 0.6 * r), end + (0.25 * r, 0, 0), 0.04 * r)
        if rng.random() < 0.5
        else rod(end - (0.2 * r, 0, 0), end + (0.8 * r, 0, 0), 0.3 * r, 18)
    )
    made.add("slider", finish(rng, "paint", "plastic", "metal"), head)
    made.slide("bed", "slider", X, -1.2 * r, 0.01 * r, follows=(leader, slide))
    return made
