"""Outboard motors."""

from __future__ import annotations

import numpy as np

from neurok.objects.kit.extras import weld_some
from neurok.objects.kit.finishes import finish
from neurok.objects.kit.mechanism import Mechanism
from neurok.objects.kit.outlines import arc
from neurok.objects.kit.placing import X, Y, Z, aimed, around, moved, sideways
from neurok.objects.kit.propellers import propeller
from neurok.objects.kit.solids import block, dowel, extrude, lathe, pill, rod
from neurok.objects.registry import family
from neurok.shapes.shape import Shape

CLAMP_HOOK = (  # side view, in metres
    (0.012, 0.015), (-0.12, 0.015), (-0.12, -0.16), (-0.095, -0.16), (-0.095, -0.03),
    (-0.035, -0.03), (-0.035, -0.2), (-0.01, -0.2), (0.012, -0.02),
)  # fmt: skip


@family(number=37)
def outboard_motor(rng: np.random.Generator) -> Shape:
    """A stern clamp, a leg that tilts and steers in it, a tiller and a propeller."""
    made = Mechanism("outboard_motor")
    electric, metal = rng.random() < 0.35, finish(rng, "metal", "dark", "pale")
    body, steer = finish(rng, "dark", "paint", "pale", "plastic"), rng.uniform(0.45, 0.8)
    w, drop, y = rng.uniform(0.06, 0.11), rng.uniform(0.13, 0.2), rng.uniform(0.055, 0.075)
    low, head, front = -rng.uniform(0.5, 0.85), rng.uniform(0.2, 0.32), y - 0.055
    _clamp(made, rng, w, metal)
    barrel, sleeve = rod(-0.85 * w * X, 0.85 * w * X, 0.02), rod((0, y, 0.03), (0, y, -drop), 0.024)
    made.add("carrier", metal, barrel, sleeve, block((0.03, y, 0.03), (0, y / 2, 0)))
    made.hinge("clamp", "carrier", (0, 0, 0), X, 0.0, rng.uniform(0.7, 1.1))
    if electric and rng.random() < 0.6:
        knob = pill((0, y, 0.042), (0.045, y, 0.042), 0.007, 8)
        made.add("collar", finish(rng, "plastic", "dark"), rod((0, y, 0.028), (0, y, 0.055), 0.03), knob)
        made.hinge("carrier", "collar", (0, y, 0), Z, -steer, steer)
        made.slide("collar", "leg", Z, -0.6 * (head - 0.1), 0.5 * (-low - drop - 0.1))
    else:
        made.hinge("carrier", "leg", (0, y, 0), Z, -steer, steer)
    if electric:
        made.add("leg", metal, rod((0, y, head), (0, y, low), 0.014))
        made.add("leg", body, block((0.09, 0.14, rng.uniform(0.06, 0.09)), (0, y, head), 0.015, 3))
    else:
        head = 0.11
        y = _powerhead(made, rng, y, front, drop, low, body, metal)
    hub = _gearcase(made, rng, y, low, electric, body)
    if electric or rng.random() < 0.6:
        _tiller(made, rng, np.array([0, front - 0.01, head]), metal)
    skeg = extrude(np.array([(-0.04, 0), (0.05, 0), (0.06, -0.13), (0.03, -0.13)]), 0.008)
    skin = finish(rng, "metal", "pale", "brass")
    offers = [
        ("leg", "skeg", sideways(skeg, (0, y, low - 0.02))),
        ("clamp", "nameplate", block((0.004, 0.07, 0.025), (w + 0.012, -0.06, -0.008))),
        ("leg", "anode", block((0.05, 0.03, 0.03), (0, y, low + 0.08))),
        ("propeller", "nut", rod((0, hub, low), (0, hub + 0.02, low), 0.014, 6)),
    ]
    weld_some(made, rng, offers, skin)
    return made.finish(rng)


def _clamp(made, rng, w, metal) -> None:
    """Two hooks over the stern, joined by a plate and a tube, each with a screw and its handle."""
    hook = extrude(np.array(CLAMP_HOOK), 0.022)
    bar, long = rng.uniform(0.025, 0.04), rng.uniform(0.05, 0.08)
    made.add("clamp", metal, rod(-(w + 0.03) * X, (w + 0.03) * X, 0.012))
    made.add("clamp", metal, block((2 * w, 0.02, 0.1), (0, -0.023, -0.14)))
    for name, s in (("screw_1", -1), ("screw_2", 1)):
        at = np.array([s * w, -0.12, -0.13])
        pad, end = at + 0.035 * Y, at - long * Y
        made.add("clamp", metal, sideways(hook, s * w * X), rod(at - 0.006 * Y, at + 0.03 * Y, 0.018))
        stem = [rod(end, pad, 0.008), rod(pad, pad + 0.008 * Y, 0.02)]
        made.add(name, finish(rng, "metal", "dark"), stem, pill(end - bar * Z, end + bar * Z, 0.006, 8))
        made.spin("clamp", name, at, Y)


def _powerhead(made, rng, y, front, drop, low, body, metal) -> float:
    """An engine and its cowl above the leg, held by two arms at the carrier. Returns y of the leg."""
    leg = y + rng.uniform(0.09, 0.11)
    foil = arc((rng.uniform(0.018, 0.028), rng.uniform(0.04, 0.055)), 0, 2 * np.pi, 17)[:-1]
    made.add("leg", body, moved(extrude(foil, 0.08 - low), (0, leg, (0.08 + low) / 2)))
    for z in (0.042, -drop - 0.012):
        made.add("leg", metal, block((0.036, leg - y + 0.02, 0.02), (0, (leg + y) / 2, z)))
    wide, deep, tall = rng.uniform(0.18, 0.28), rng.uniform(0.26, 0.36), rng.uniform(0.2, 0.34)
    middle, link = front + deep / 2, str(rng.choice(["cowl", "leg"]))
    rear, brow = rng.uniform(0.2, 0.45), rng.uniform(-0.45, -0.1)
    cap = [(-0.5, 0), (0.5, 0), (0.5, 0.6), (rear, 1), (brow, 0.95), (-0.5, 0.6)]
    shell = extrude(np.array(cap) * (deep, tall), wide, 0.12 * wide)
    made.add("leg", metal, block((0.9 * wide, 0.95 * deep, 0.06), (0, middle, 0.09), 0.02, 3))
    made.add(link, finish(rng, "dark", "paint", "pale", "metal"), sideways(shell, (0, middle, 0.11)))
    stripe = block((1.01 * wide, 0.7 * deep, 0.03), (0, middle, 0.11 + 0.35 * tall))
    made.add(link, finish(rng, "pale", "plastic"), stripe)
    if link == "cowl":
        made.weld("leg", "cowl")
    if rng.random() < 0.5:
        at = np.array([0.46 * wide, front + 0.3 * deep, 0.095])
        end = at + 0.02 * X
        lever = [rod(at - 0.02 * X, end, 0.014), pill(end, end - 0.09 * Y, 0.007, 8)]
        made.add("lever", finish(rng, "dark", "plastic"), lever)
        made.hinge("leg", "lever", at, X, -0.5, 0.5)
    return leg


def _gearcase(made, rng, y, low, electric, body) -> float:
    """A torpedo at the foot of the leg with a propeller behind it. Returns y of the hub's end."""
    fat, long, r = rng.uniform(0.03, 0.042), rng.uniform(0.09, 0.15), rng.uniform(0.09, 0.13)
    profile = np.array([(0, -1), (0.5, -0.9), (1, -0.5), (1, 0.7), (0.8, 1)]) * (fat, long)
    made.add("leg", body, aimed(lathe(profile, 18), Y, (0, y, low)))
    if not electric:
        made.add("leg", body, block((0.12, 0.26, 0.008), (0, y + 0.07, low + r + 0.02), 0.003))
    at = np.array([0, y + long, low])
    screw = [aimed(s, Y, at) for s in propeller(rng, r, int(rng.integers(2, 6)))]
    made.add("propeller", finish(rng, "metal", "dark", "brass", "plastic"), *screw)
    made.spin("leg", "propeller", at, Y)
    return y + long + 0.28 * r


def _tiller(made, rng, at, metal) -> None:
    """A steering arm at the front that folds up, with a throttle grip that often turns."""
    long, link = rng.uniform(0.25, 0.42), "grip" if rng.random() < 0.7 else "tiller"
    end, rib = at - 0.65 * long * Y, block((0.006, 0.004, 0.3 * long), (0.017, 0, 0.17 * long))
    made.add("leg", metal, *(block((0.008, 0.05, 0.03), at + s * 0.024 * X + 0.01 * Y) for s in (-1, 1)))
    made.add("tiller", metal, dowel(at, 0.03 * X, 0.012), rod(at, end, (0.014, 0.011)))
    made.hinge("leg", "tiller", at, -X, 0.0, rng.uniform(0.9, 1.3))
    ribs = [aimed(s, -Y, end) for s in around(rib, 6)]
    made.add(link, finish(rng, "rubber", "dark"), rod(end + 0.01 * Y, end - 0.35 * long * Y, 0.017), *ribs)
    if link == "grip":
        made.hinge("tiller", "grip", end, Y, -rng.uniform(0.2, 0.8), rng.uniform(0.4, 1.2))
