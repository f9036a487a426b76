"""Chains of links."""

# ruff: noqa: RUF005 — point + (x, y, z) adds vectors here

from __future__ import annotations

import numpy as np

from neurok.objects.kit.finishes import finish
from neurok.objects.kit.mechanism import Mechanism
from neurok.objects.kit.outlines import arc, rectangle
from neurok.objects.kit.placing import Y, aimed, moved, turned, upright
from neurok.objects.kit.solids import ball, block, dowel, extrude, loop, rod
from neurok.objects.registry import family
from neurok.shapes.robots.assembly import painted
from neurok.shapes.shape import Shape


@family(number=22)
def chain(rng: np.random.Generator) -> Shape:
    """Three to nine links: oval rings, beads, folding rule, or plates with pins; hanging, lying or coiled."""
    made = Mechanism("chain")
    kind, count = rng.choice(["rings", "beads", "rule", "plates"]), int(rng.integers(3, 10))
    pitch, metal, other = (
        rng.uniform(0.03, 0.12),
        finish(rng, "metal", "brass", "dark", "plastic"),
        finish(rng, "paint", "wood", "metal"),
    )
    thick = pitch * rng.uniform(0.08, 0.14)
    bend = rng.uniform(-0.5, 0.5) if kind in ("rule", "plates") else 0.0
    at, heading = np.zeros(3), -np.pi / 2 if kind in ("rings", "beads") else rng.uniform(-1, 1)
    if kind in ("rings", "beads"):
        made.add("anchor", other, block((pitch, pitch, 0.2 * pitch), (0, 0, 0.5 * pitch), 0.03 * pitch))
        made.add("anchor", other, rod((0, 0, -0.3 * thick), (0, 0, 0.5 * pitch), thick, 8))
    parent = "anchor" if made.pieces else ""
    for i in range(count):
        step = pitch * np.array([np.cos(heading), 0, np.sin(heading)])
        name = f"link_{i + 1}"
        made.part(name, _chain_link(str(kind), at, at + step, thick, i, metal if i % 2 else other))
        if parent and kind in ("rings", "beads"):
            made.socket(parent, name, at, rng.uniform(0.4, 0.8))
        elif parent:
            reach = rng.uniform(0.7, 1.4) * (1.0 if kind == "rule" else 0.6)
            made.hinge(parent, name, at, Y, -reach, reach)
        at, parent, heading = at + step, name, heading + bend * rng.uniform(0.3, 1.0)
    if kind == "rings" and rng.random() < 0.5:
        made.add(parent, metal, ball(0.45 * pitch, at - (0, 0, 0.35 * pitch), 12))
    return made.finish(rng, ajar=0.4)


def _chain_link(kind, start, end, thick, index, material) -> list[Shape]:
    middle, pitch = (start + end) / 2, float(np.linalg.norm(end - start))
    if kind == "rings":
        half = pitch / 2 + thick
        oval = np.concatenate(
            [
                arc(0.3 * pitch, -np.pi / 2, np.pi / 2, 8) + (half - 0.3 * pitch, 0),
                arc(0.3 * pitch, np.pi / 2, 1.5 * np.pi, 8) - (half - 0.3 * pitch, 0),
            ]
        )
        flat = (
            np.c_[oval[:, 0], oval[:, 1], np.zeros(16)]
            if index % 2
            else np.c_[oval[:, 0], np.zeros(16), oval[:, 1]]
        )
        along = (end - start) / pitch
        frame = np.stack([along, Y, np.cross(along, Y)])
        return [painted(loop(flat @ frame + middle, thick, 7), material)]
    if kind == "beads":
        return [
            painted(ball(0.36 * pitch, middle, 12), material),
            painted(rod(start, end, 0.7 * thick, 6), material),
        ]
    if kind == "rule":
        lift = 0.5 * thick * (-1) ** index * Y
        bar = aimed(block((0.28 * pitch, thick, 1.2 * pitch), bevel=0.1 * thick), end - start, middle + lift)
        pin = dowel(start, 1.3 * thick * Y, 0.09 * pitch, 10)
        return [painted(bar, material)] + ([painted(pin, material)] if index else [])
    inner = index % 2
    plate = upright(extrude(rectangle(1.5 * pitch, 0.5 * pitch, 0.24 * pitch, 4), thick))
    plate = turned(plate, Y, -np.arctan2((end - start)[2], (end - start)[0]))
    plain = [moved(plate, middle + s * (0.35 * pitch - 1.2 * thick * inner) * Y) for s in (-1, 1)]
    pins = [dowel(p, 0.4 * pitch * Y, 0.1 * pitch, 10) for p in (start, end)]
    return [painted(p, material) for p in plain] + ([] if inner else [painted(p, material) for p in pins])
