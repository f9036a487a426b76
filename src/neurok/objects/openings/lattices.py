"""Lattice gates: lazy tongs between posts, and safety gates of two leaves."""

from __future__ import annotations

import numpy as np

from neurok.objects.kit.extras import Offer, small_plate, weld_some
from neurok.objects.kit.finishes import finish
from neurok.objects.kit.mechanism import Mechanism
from neurok.objects.kit.panels import barrels, border_bars, pull
from neurok.objects.kit.placing import Y, Z, aimed, shifted
from neurok.objects.kit.solids import ball, block, rod
from neurok.objects.registry import family
from neurok.shapes.robots.assembly import painted
from neurok.shapes.shape import Shape


@family(number=32)
def lattice_gate(rng: np.random.Generator) -> Shape:
    """A gate of lazy tongs between two posts, or a safety gate of two leaves."""
    made = Mechanism("lattice_gate")
    offers = (_lattice if rng.random() < 0.6 else _safety_gate)(made, rng)
    weld_some(made, rng, offers)
    return made.finish(rng, ajar=0.35)


def _lattice(made, rng) -> list[Offer]:
    """Rows of crossing bars that follow the first, a post at each end, and sometimes uprights between."""
    bars, frame = finish(rng, "metal", "wood", "paint"), finish(rng, "metal", "wood", "dark", "paint")
    length, tilt, wide = rng.uniform(0.24, 0.5), rng.uniform(0.6, 1.0), rng.uniform(0.018, 0.035)
    cells, d, lift = int(rng.integers(2, 6)), rng.uniform(0.006, 0.014), rng.uniform(0.04, 0.2)
    rows, gap = int(rng.integers(1, 4 if cells < 4 else 3)), length + rng.uniform(0.02, 0.12)
    w, h, limits = length * np.cos(tilt), length * np.sin(tilt), np.array([0.4 - tilt, 1.3 - tilt])
    grip, tall, out, uprights = 0.3 * wide, lift + rows * gap, d + 0.02, rng.random() < 0.5

    def upright(name, x, low, strip):
        """A slotted post from `low` to the top."""
        made.add(name, frame, _channel(x, low, tall, strip, 2 * grip, d))

    def bar(name, x, z, rise, pins):
        """A bar that rises or falls to (x, z), with pins at (along, up, depth)."""
        solid = block((wide, d, length + wide), bevel=0.15 * d)
        at = (x + w / 2, np.sign(rise) * d / 2, z + h / 2)
        made.add(name, bars, aimed(solid, (w, 0, rise), at))
        for a, b, back in pins:
            made.add(name, frame, rod((x + a, -1.3 * d, z + b), (x + a, back, z + b), grip, 8))

    upright("post", 0.0, 0.0, 0.015)
    leader = ""
    for row in range(rows):
        z, parent = lift + row * gap, "post"
        for k in range(cells):
            x, rising, falling = k * w, f"bar_{2 * (row * cells + k) + 1}", f"bar_{2 * (row * cells + k) + 2}"
            bar(rising, x, z, h, [(0, 0, out), (w, h, out)] if k == cells - 1 else [(0, 0, out)])
            ratio = 2.0 if k else 1.0
            follows = (leader, ratio) if leader else None
            joint = made.hinge(parent, rising, (x, 0, z), -Y, *ratio * limits, follows)
            leader = leader or joint
            bar(falling, x, z, -h, [(0, h, out), (w / 2, h / 2, 1.3 * d)])
            made.hinge(rising, falling, (x + w / 2, 0, z + h / 2), Y, *2 * limits, (leader, 2.0))
            parent = falling
            if uprights and row == 0 and k:
                upright(f"upright_{k}", x, 0.3 * lift, 0.006)
                made.hinge(rising, f"upright_{k}", (x, 0, z), Y, *limits, (leader, 1.0))
        if row == 0:
            upright("end_post", cells * w, 0.3 * lift, 0.015)
            pin = rod((cells * w, -1.3 * d, z), (cells * w, out, z), grip, 8)
            made.add("end_post", frame, pin)
            made.hinge(parent, "end_post", (cells * w, 0, z), -Y, *limits, (leader, 1.0))
    return _post_offers(made, rng, cells * w, tall, 0.3 * lift, d, frame)


def _post_offers(made, rng, x, tall, low, d, frame) -> list[Offer]:
    """A wheel under the far post of some gates, and optional parts on the posts."""
    y = d + 0.015
    if rng.random() < 0.4:
        wheel = rod((x, y - 0.01, low), (x, y + 0.01, low), 0.03, 16)
        made.add("wheel", finish(rng, "rubber", "plastic"), wheel)
        made.spin("end_post", "wheel", (x, y, low), Y)
    handle = shifted(pull(rng, 0.12, frame, upright=True), (x + 0.018, d, 0.5 * tall))
    plates = [small_plate(rng, (0, y + 0.02, k * tall), (0.08, 0.012, 0.06))[0] for k in (0.2, 0.8)]
    knob = [painted(ball(0.028, (x, y, tall), 10), frame)]
    return [("end_post", "handle", handle), ("post", "wall_bracket", plates), ("end_post", "knob", knob)]


def _channel(x, low, high, strip, slot, y) -> list[Shape]:
    """An upright with a slot for pins: two strips and a cap at each end."""
    size, offset, mid = (strip, 0.03, high - low), (slot + strip) / 2, y + 0.015
    solids = [block(size, (x + s * offset, mid, (low + high) / 2)) for s in (-1, 1)]
    solids += [block((slot + 2 * strip, 0.03, 0.016), (x, mid, z)) for z in (low, high)]
    return solids


def _safety_gate(made, rng) -> list[Offer]:
    """Two posts on a sill, with a leaf on each, or two leaves in a row that fold together."""
    body, metal = finish(rng, "metal", "pale", "wood", "dark"), finish(rng, "metal", "dark", "plastic")
    span, tall, t = rng.uniform(0.7, 1.3), rng.uniform(0.65, 1.0), rng.uniform(0.018, 0.03)
    posts = [block((1.4 * t, 1.4 * t, tall + 0.06), (s * (span / 2 + t), 0, tall / 2)) for s in (-1, 1)]
    sill = block((span + 3.4 * t, 1.6 * t, 0.02), (0, 0, -0.03), 0.004)
    made.add("frame", body, [*posts, sill])
    paired, opens, seed = rng.random() < 0.5, rng.uniform(1.2, 1.55), int(rng.integers(2**32))
    edge = rng.uniform(-0.15, 0.15) * span if paired else 0.0
    for name, a, b in (("leaf_1", -span / 2, edge), ("leaf_2", edge, span / 2)):
        pieces = _barred(np.random.default_rng(seed), b - a - 0.4 * t, tall - 0.02, t)
        made.add(name, body, shifted(pieces, ((a + b) / 2, 0, tall / 2)))
    left, right, y = -span / 2 - 0.15 * t, span / 2 + 0.15 * t, -0.7 * t
    levels = tall * np.array([0.12, 0.85])
    made.part("frame", barrels((left, y), levels, 0.4 * t, 0.06, metal))
    leader = made.hinge("frame", "leaf_1", (left, y, 0), -Z, 0.0, opens)
    if paired:
        made.part("frame", barrels((right, y), levels, 0.4 * t, 0.06, metal))
        made.hinge("frame", "leaf_2", (right, y, 0), Z, 0.0, opens)
    else:
        made.part("leaf_1", barrels((edge, -y), levels, 0.4 * t, 0.06, metal))
        made.hinge("leaf_1", "leaf_2", (edge, -y, 0), Z, 0.0, 2 * opens, (leader, 2.0))
    catch = small_plate(rng, (edge - 1.2 * t, -0.6 * t, 0.7 * tall), (1.6 * t, 0.6 * t, 0.06))
    grip = shifted(pull(rng, 0.1, metal, upright=True), (edge + 0.7 * t, -0.5 * t, 0.6 * tall))
    feet = [painted(block((3 * t, 3 * t, 0.015), (s * (span / 2 + t), 0, -0.035)), metal) for s in (-1, 1)]
    return [("leaf_1", "catch", catch), ("leaf_2", "handle", grip), ("frame", "feet", feet)]


def _barred(rng, width, height, t) -> list[Shape]:
    """A leaf of upright bars, level bars, or a panel in a border."""
    pieces, kind = border_bars(width, height, t, 1.1 * t, 0.1 * t), rng.choice(["upright", "level", "panel"])
    x, z = (width - t) / 2, (height - t) / 2
    if kind == "panel":
        pieces.append(block((2 * x, 0.4 * t, 2 * z)))
    elif kind == "upright":
        pieces += [rod((k, 0, -z), (k, 0, z), 0.3 * t, 8) for k in np.linspace(-x, x, int(4 + 12 * x))[1:-1]]
    else:
        pieces += [rod((-x, 0, k), (x, 0, k), 0.3 * t, 8) for k in np.linspace(-z, z, int(4 + 8 * z))[1:-1]]
    return pieces
