"""Chests with hasps: padlocks, pins or turn buttons."""

# ruff: noqa: RUF005 — point + (x, y, z) adds vectors here

from __future__ import annotations

import numpy as np

from neurok.objects.kit.extras import Spot, weld_on_spots
from neurok.objects.kit.finishes import finish
from neurok.objects.kit.mechanism import Mechanism
from neurok.objects.kit.outlines import arc, corners, curve
from neurok.objects.kit.panels import border_bars, walls
from neurok.objects.kit.placing import X, Y, Z, moved, shifted
from neurok.objects.kit.solids import ball, block, pill, prism_along_x, rod, tube
from neurok.objects.registry import family
from neurok.shapes.shape import Shape


@family(number=45)
def padlocked_chest(rng: np.random.Generator) -> Shape:
    """A chest with a flat, hipped or vaulted lid and hasps with a padlock, a pin or a turn button."""
    made = Mechanism("padlocked_chest")
    wide, t = rng.uniform(0.3, 1.1), rng.uniform(0.012, 0.025)
    deep, high = rng.uniform(0.45, 0.75) * wide, rng.uniform(0.3, 0.6) * wide
    body, iron = finish(rng, "wood", "paint", "metal", "pale"), finish(rng, "dark", "metal", "brass")
    made.add("chest", body, *walls(wide, deep, high, t), block((wide, deep, t), (0, 0, t / 2)))
    brim = _chest_lid(made, rng, wide, deep, high, t, body)
    spots: list[Spot] = [
        ("chest", (0.3 * wide, -deep / 2, 0.4 * high), -Y, 0.2 * high),
        ("lid", (-0.3 * wide, -deep / 2, high + 0.5 * brim), -Y, 0.6 * brim),
    ]
    pin = rng.uniform(0.4, 0.7) * t
    hinges = np.array([-0.32, 0.32] if rng.random() < 0.7 else [-0.38, 0.0, 0.38]) * wide
    pins = [rod((x - 2 * t, deep / 2, high), (x + 2 * t, deep / 2, high), pin, 10) for x in hinges]
    straps = [block((3 * t, 0.3 * t, 0.7 * high), (x, deep / 2, 0.63 * high)) for x in hinges]
    leaves = [block((2.4 * t, 0.4 * t, 0.8 * brim), (x, deep / 2, high + 0.45 * brim)) for x in hinges]
    made.add("chest", iron, pins, straps)
    made.add("lid", iron, leaves)
    made.hinge("chest", "lid", (0, deep / 2, high), -X, 0.0, rng.uniform(1.3, 1.9))
    places = [0.0] if wide < 0.6 or rng.random() < 0.6 else [-0.25 * wide, 0.25 * wide]
    style, seed = str(rng.choice(["padlock", "pin", "button"])), int(rng.integers(2**32))
    for number, x in enumerate(places, 1):
        suffix = f"_{number}" if len(places) > 1 else ""
        _hasp(made, np.random.default_rng(seed), style, suffix, (x, -deep / 2, high), brim, iron)
    if rng.random() < 0.5:
        for number, side in enumerate((-1, 1), 1):
            _bail(made, f"handle_{number}", (side * wide / 2, 0, 0.65 * high), side, 0.22 * deep, iron)
    else:
        spots += [("chest", (side * wide / 2, 0, 0.6 * high), side * X, 0.25 * deep) for side in (-1, 1)]
    if rng.random() < 0.5:
        for x, y in corners(0.455 * wide, deep / 2 - 0.045 * wide):
            shoe = block((0.1 * wide, 0.1 * wide, 0.1 * high), (x, y, 0.04 * high), 0.1 * t)
            made.add("chest", iron, shoe)
    weld_on_spots(made, rng, spots)
    return made.finish(rng)


def _chest_lid(made, rng, wide, deep, high, t, body) -> float:
    """A slab, a hipped roof or a hollow vault with closed ends. Returns the height of its front."""
    brim, style = rng.uniform(0.12, 0.22) * high + 0.03, str(rng.choice(["slab", "hip", "vault"]))
    rise = rng.uniform(0.15, 0.4) * deep
    low, tall, d = high, high + brim, deep / 2
    if style == "slab":
        made.add("lid", body, shifted(walls(wide, deep, brim, t), (0, 0, high)))
        made.add("lid", body, block((wide, deep, t), (0, 0, tall), 0.3 * t))
    elif style == "hip":
        flat, top = rng.uniform(0.4, 0.8) * d, tall + 0.5 * rise
        roof = [(-d, low), (d, low), (d, tall), (flat, top), (-flat, top), (-d, tall)]
        made.add("lid", body, prism_along_x(roof, wide))
    else:
        outer = np.array([(d, low), *(arc((d, rise), 0, np.pi, 13) + (0, tall)), (-d, low)])
        inner = outer * ((d - t) / d, 1) - (0, t) * (outer[:, 1:] > low)
        shell, bands = np.concatenate([outer, inner[::-1]]), int(rng.choice([0, 2, 3]))
        ends = [moved(prism_along_x(outer, t), (k * 0.499 * (wide - t), 0, 0)) for k in (-1, 1)]
        made.add("lid", body, prism_along_x(shell, wide), *ends)
        band = prism_along_x(shell * (1 + 0.25 * t / d, 1) + (0, 0.15 * t), 2 * t)
        places = np.linspace(-0.4, 0.4, bands) * wide
        made.add("lid", finish(rng, "dark", "metal"), *(moved(band, (x, 0, 0)) for x in places))
    return brim


def _hasp(made, rng, style, suffix, at, brim, iron) -> None:
    """A slotted strap on the lid that falls over a staple, and its fastener."""
    x, y, z = at
    u = (0.6 + 1.6 * z) * rng.uniform(0.9, 1.3)  # scale against a small hasp
    w, t, top = rng.uniform(0.03, 0.045) * u, 0.004 * u, z + 0.4 * brim
    eye, slot, y0 = z - rng.uniform(0.02, 0.035) * u, rng.uniform(0.034, 0.044) * u, y - 0.5 * t
    sizes = ((0.6, 0.9), (0.3, 1.05))
    knuckles = [rod((x - k * w, y0, top), (x + k * w, y0, top), r * t, 10) for k, r in sizes]
    leaf = block((1.3 * w, t, 0.4 * brim), (x, y0 + 0.2 * t, top + 0.25 * brim))
    made.add("lid", iron, leaf, knuckles[0])
    low = eye + 0.5 * slot - 0.2 * w
    strap = block((w, t, top - low), (x, y0 - 0.2 * t, (top + low) / 2))
    frame = shifted(border_bars(w, slot + 0.4 * w, t, 0.24 * w), (x, y0 - 0.2 * t, eye))
    made.add(f"hasp{suffix}", iron, strap, *frame, knuckles[1])
    made.hinge("lid", f"hasp{suffix}", (x, y0, top), -X, 0.0, rng.uniform(1.4, 2.4))
    hold = {"button": _turn_button, "pin": _pin, "padlock": _padlock}[style]
    hold(made, rng, suffix, np.array([x, y, eye]), w, u, iron)


def _turn_button(made, rng, suffix, eye, w, u, iron) -> None:
    """A wing across the slot, on a post through it."""
    bar, r = rng.uniform(0.008, 0.012) * u, 0.2 * w
    made.add("chest", iron, rod(eye + 0.002 * Y, eye - bar * Y, r, 10))
    wing = block((1.15 * w, 0.006 * u, 0.3 * w), eye - (bar + 0.003 * u) * Y, 0.001 * u)
    made.add(f"latch{suffix}", iron, wing, rod(eye - bar * Y, eye - (bar + 0.014 * u) * Y, r, 10))
    made.hinge("chest", f"latch{suffix}", eye, Y, 0.0, np.pi / 2)


def _staple(made, eye, u, iron) -> np.ndarray:
    """An arch of wire on the chest. Returns the centre of its hole."""
    points = u * np.array([(0, 0, 11), (0, -20, 11), (0, -24, 0), (0, -20, -11), (0, 0, -11)]) / 1000
    made.add("chest", iron, tube(eye + curve(points, 13) + 0.003 * Y, 0.003 * u, 8))
    return eye - 0.0125 * u * Y


def _pin(made, rng, suffix, eye, w, u, iron) -> None:
    """A pin through the staple that slides out sideways."""
    hole, long = _staple(made, eye, u, iron), rng.uniform(1.2, 1.8) * w
    end = hole + 0.6 * long * X
    pin = [pill(hole - 0.4 * long * X, end, 0.0055 * u, 10), ball(0.009 * u, end, 10)]
    made.add(f"latch{suffix}", finish(rng, "brass", "metal"), *pin)
    made.slide("chest", f"latch{suffix}", X, 0.0, 0.35 * long)


def _padlock(made, rng, suffix, eye, w, u, iron) -> None:
    """A padlock: its shackle hangs in the staple, its body slides off the shackle's legs."""
    hole, shackle, padlock = _staple(made, eye, u, iron), f"shackle{suffix}", f"padlock{suffix}"
    leg, span, r = rng.uniform(0.03, 0.04) * u, rng.uniform(0.3, 0.45) * w, 0.0055 * u
    top = np.insert(arc((span, 0.6 * span), np.pi, 0, 9), 1, 0, 1) - 0.6 * span * Z
    ends = [(k * span, 0, -1.8 * leg) for k in (-1, 1)]
    made.add(shackle, finish(rng, "metal"), tube(hole + [ends[0], *top, ends[1]], r, 8))
    made.hinge("chest", shackle, hole, -X, 0.0, rng.uniform(0.6, 1.2))
    size = (2 * span + 5 * r, 3.2 * r, rng.uniform(1.0, 1.6) * leg)
    middle = hole - (leg + size[2] / 2) * Z
    keyhole = rod(middle - 1.5 * r * Y, middle - 1.8 * r * Y, 0.25 * span, 10)
    made.add(padlock, finish(rng, "brass", "metal", "plastic"), block(size, middle, 0.5 * r), keyhole)
    made.slide(shackle, padlock, -Z, 0.0, 0.5 * leg)


def _bail(made, name, at, side, half, iron) -> None:
    """A handle that hangs from two lugs on a side wall."""
    r = 0.05 * half + 0.003
    seat = np.asarray(at) + side * 1.4 * r * X
    for k in (-1, 1):
        lug = block((3.4 * r, 2.2 * r, 3.4 * r), seat + k * half * Y - side * 0.3 * r * X, 0.3 * r)
        made.add("chest", iron, lug)
    points = [(0, 1, 0), (0, 1, -0.4), (0, 0.6, -0.75), (0, -0.6, -0.75), (0, -1, -0.4), (0, -1, 0)]
    drop = seat + half * curve(points, 16)
    made.add(name, iron, tube(drop, r, 8, rounded=True))
    made.hinge("chest", name, seat, -side * Y, 0.0, 1.4)
