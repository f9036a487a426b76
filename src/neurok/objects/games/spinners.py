"""Weather vanes and prize wheels that spin on a mast or a stand."""

# ruff: noqa: RUF005 — point + (x, y, z) adds vectors here

from __future__ import annotations

import numpy as np

from neurok.objects.kit.extras import weld_some
from neurok.objects.kit.finishes import finish
from neurok.objects.kit.mechanism import Mechanism
from neurok.objects.kit.outlines import arc, rectangle
from neurok.objects.kit.panels import border_bars
from neurok.objects.kit.placing import X, Y, Z, aimed, around, shifted, turned, upright
from neurok.objects.kit.propellers import propeller
from neurok.objects.kit.solids import ball, block, extrude, lathe, pill, ring, rod, tube
from neurok.objects.registry import family
from neurok.shapes.shape import Shape

TAILS = (
    [(-0.5, -0.3), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.3)],
    [(-0.5, -0.1), (0.1, -0.5), (0.7, -0.5), (0.3, 0), (0.7, 0.5), (0.1, 0.5), (-0.5, 0.1)],
    [(-0.5, -0.1), (0.4, -0.2), (0.5, 0.2), (0.6, 0.9), (0.2, 0.9), (-0.5, 0.1)],
)
POINTERS = (  # a drop, a bar, an arrow
    [(-1, 0.4), (0, -1), (1, 0.4), (0, 0.9)],
    [(-0.5, -1), (0.5, -1), (0.5, 0.6), (-0.5, 0.6)],
    [(0, -1), (0.9, -0.2), (0.3, -0.2), (0.3, 0.6), (-0.3, 0.6), (-0.3, -0.2), (-0.9, -0.2)],
)
FIGURES = (  # a cock, a whale, a boat
    [(-0.02, 0), (0.04, 0), (0.06, 0.22), (0.22, 0.3), (0.32, 0.5), (0.5, 0.42), (0.46, 0.62), (0.52, 0.8),
     (0.36, 0.92), (0.26, 0.8), (0.2, 0.62), (0.05, 0.55), (-0.12, 0.66), (-0.16, 0.86), (-0.22, 0.98),
     (-0.3, 0.9), (-0.4, 0.8), (-0.3, 0.78), (-0.28, 0.55), (-0.22, 0.36), (-0.05, 0.22)],
    [(-0.5, 0.2), (-0.42, 0.32), (-0.15, 0.4), (0.15, 0.33), (0.34, 0.24), (0.5, 0.42), (0.46, 0.2),
     (0.5, 0.02), (0.33, 0.14), (0.1, 0.05), (0, 0), (-0.2, 0.02), (-0.42, 0.08)],
    [(-0.35, 0), (0.35, 0), (0.5, 0.18), (0.03, 0.18), (0.03, 0.26), (0.45, 0.26), (0.03, 0.95),
     (-0.02, 0.95), (-0.4, 0.26), (-0.02, 0.26), (-0.02, 0.18), (-0.5, 0.18)],
)  # fmt: skip


@family(number=35)
def weather_vane(rng: np.random.Generator) -> Shape:
    """A mast on a base with a vane on it: a figure, an arrow or a small plane, often with a cup rotor."""
    made = Mechanism("weather_vane")
    kind = str(rng.choice(["figure", "arrow", "plane", "pair"], p=[0.4, 0.25, 0.15, 0.2]))
    metal, h = finish(rng, "metal", "dark", "brass", "pale"), rng.uniform(0.4, 1.3)
    t = h * rng.uniform(0.01, 0.016)
    reach, cups = h * rng.uniform(0.18, 0.35), kind == "pair" or rng.random() < 0.35
    made.add("mast", metal, rod((0, 0, 0), (0, 0, h), (1.4 * t, t), 12))
    _mast_base(made, rng, h, t)
    at, hub = h * Z, 0.62 * h * Z + rng.uniform(0.14, 0.2) * X
    if kind == "pair":
        ends = [h * Z + s * (reach + 0.06) * X for s in (-1, 1)]
        at, hub = (e + 0.06 * Z for e in ends)
        stubs = [rod(e - t * Z, e + 0.06 * Z, 0.8 * t, 10) for e in ends]
        made.add("mast", metal, rod(ends[0], ends[1], 0.8 * t, 10), stubs)
    elif cups and kind == "arrow" and rng.random() < 0.6:
        at, hub = 0.8 * h * Z, h * Z
    elif cups:
        elbow = hub - 0.05 * Z
        made.add("mast", metal, rod(elbow * Z, elbow, 0.7 * t, 8), rod(elbow - t * Z, hub, 0.7 * t, 8))
    elif rng.random() < 0.7:
        _compass_points(made, rng, 0.7 * h * Z, h * rng.uniform(0.12, 0.2) * X, t, metal)
    _vane(made, rng, kind, at, reach, t)
    if cups:
        _cups(made, rng, hub, t)
    skin = finish(rng, "metal", "brass", "dark")
    offers = [
        ("mast", "box", block((8 * t, 6 * t, 10 * t), (0, -3.5 * t, 0.4 * h), 0.6 * t)),
        ("mast", "ball", ball(3 * t, (0, 0, 0.52 * h), 14)),
        ("mast", "collar", rod((0, 0, 0.3 * h), (0, 0, 0.3 * h + 4 * t), 2 * t, 12)),
        ("vane", "weight", ball(1.7 * t, at + 2 * t * Z - 0.5 * reach * X, 12)),
    ]
    weld_some(made, rng, offers, skin)
    return made.finish(rng, ajar=0.4)


def _compass_points(made, rng, at, arm, t, metal) -> None:
    """Four arms with balls or arrowheads on them, fixed to the mast."""
    cone = aimed(lathe([(2 * t, 0), (0, 5 * t)], 8), X, arm)
    tips = around(ball(1.5 * t, arm, 10) if rng.random() < 0.5 else cone, 4)
    made.add("cross", metal, shifted([ball(2 * t), *tips, *around(rod(0 * X, arm, 0.6 * t, 8), 4)], at))
    made.weld("mast", "cross")


def _mast_base(made, rng, h, t) -> None:
    """A round foot, three legs, a saddle over a ridge, a stepped block, or a bracket on a wall."""
    kind, r = str(rng.choice(["foot", "legs", "saddle", "block", "wall"])), h * rng.uniform(0.12, 0.22)
    if kind == "foot":
        solids = [lathe([(r, 0), (r, 0.12 * r), (0.4 * r, 0.3 * r), (2 * t, 0.8 * r)], 24)]
    elif kind == "legs":
        leg = tube([(0, 0, 1.6 * r), (1.3 * r, 0, -0.2 * r), (1.5 * r, 0, -0.2 * r)], 0.8 * t, 8)
        solids = around(leg, int(rng.integers(3, 5)))
    elif kind == "saddle":
        slope, board = rng.uniform(0.4, 0.9), block((r, 1.1 * r, 1.2 * t), (r / 2, 0, 0))
        solids = around(turned(board, Y, slope), 2) + [lathe([(0.3 * r, -0.1 * r), (2 * t, 0.5 * r)], 16)]
    elif kind == "block":
        steps = [(s * r, (1.8 - s) * 0.6 * r) for s in (1.8, 1.3, 0.8)]
        solids = [block((wide, wide, 0.3 * r), (0, 0, z), 0.03 * r) for wide, z in steps]
    else:
        solids = [rod((0, 0, z * h), (0, 0.6 * r, z * h), 1.2 * t, 10) for z in (0.08, 0.42)]
        solids.append(block((0.7 * r, 1.2 * t, 0.5 * h), (0, 0.6 * r, 0.25 * h), 0.3 * t))
    made.add("mast", finish(rng, "metal", "dark", "wood", "paint"), *solids)


def _vane(made, rng, kind, at, reach, t) -> None:
    """A sleeve on the mast with a pointer and a tail, a figure on it, or a body with a propeller."""
    skin, metal = finish(rng, "brass", "metal", "dark", "paint"), finish(rng, "metal", "dark")
    z = at + 2 * t * Z
    tail = np.array(TAILS[int(rng.integers(3))]) * (0.5 * reach, rng.uniform(0.35, 0.6) * reach)
    made.add("vane", metal, rod(at - 3 * t * Z, at + 4 * t * Z, 1.8 * t, 12))
    made.add("vane", skin, upright(extrude(tail, 0.6 * t), z + 0.55 * reach * X))
    made.spin("mast", "vane", at, Z)
    if kind == "plane":
        profile = np.array([(0.5 * t, -0.7), (2 * t, -0.3), (3.5 * t, 0.4), (2.5 * t, 0.6)]) * (1, reach)
        screw = propeller(rng, rng.uniform(0.2, 0.4) * reach, int(rng.integers(2, 7)))
        nose = z - 0.62 * reach * X
        made.add("vane", skin, aimed(lathe(profile, 16), -X, z))
        made.add("propeller", metal, *(aimed(s, -X, nose) for s in screw))
        made.spin("vane", "propeller", nose, X)
        return
    head = aimed(lathe([(2.5 * t, 0), (0, 7 * t)], int(rng.choice([4, 12]))), -X, z - 0.88 * reach * X)
    made.add("vane", metal, rod(z - 0.9 * reach * X, z + 0.7 * reach * X, 0.7 * t, 8), head)
    if kind == "figure":
        outline = np.array(FIGURES[int(rng.integers(3))]) * reach * rng.uniform(0.8, 1.3)
        made.add("vane", skin, upright(extrude(outline, 0.9 * t), z))


def _cups(made, rng, at, t) -> None:
    """Three or four hollow half balls around a hub."""
    r, c, count = rng.uniform(0.06, 0.12), rng.uniform(0.02, 0.032), int(rng.integers(3, 5))
    half = arc(c, -np.pi / 2, 0, 6).round(9)
    cup = aimed(lathe(np.concatenate([half, 0.86 * half[::-1]]), 14), Y, (r, 0, 0))
    hub = lathe([(1.8 * t, -2 * t), (1.8 * t, t), (0, 2.5 * t)], 14)
    arms = around(rod((0, 0, 0), (r - 0.9 * c, 0, 0), 0.35 * t, 6), count)
    made.add("cups", finish(rng, "dark", "metal", "plastic"), *shifted(around(cup, count), at))
    made.add("cups", finish(rng, "metal", "dark"), *shifted((hub, *arms), at))
    made.spin("mast", "cups", at, Z)


@family(number=36)
def prize_wheel(rng: np.random.Generator) -> Shape:
    """A large upright wheel with fields and pegs on a stand, and a pointer that the pegs push aside."""
    made = Mechanism("prize_wheel")
    count, peg = int(rng.integers(6, 21)), rng.uniform(0.04, 0.07)
    dark = finish(rng, "dark", "metal", "wood", "paint")
    carrier = _wheel_stand(made, rng, dark)
    _wheel_face(made, rng, count, peg)
    made.spin(carrier, "wheel", (0, 0, 0), Y)
    flag = np.array(POINTERS[int(rng.integers(3))]) * (rng.uniform(0.05, 0.09), 0.17)
    y, soft = -0.025 - 0.6 * peg, finish(rng, "plastic", "paint", "rubber", "brass")
    made.add("pointer", soft, upright(extrude(flag, 0.5 * peg), (0, y, 1.12)))
    made.add(carrier, finish(rng, "metal"), rod((0, y - peg, 1.12), (0, 0.1, 1.12), 0.022, 10))
    made.hinge(carrier, "pointer", (0, y, 1.12), Y, -rng.uniform(0.3, 0.7), rng.uniform(0.3, 0.7))
    if rng.random() < 0.25:
        pin = pill((0.2, -0.05, 0), (0.2, -0.1, 0), 0.02, 6)
        made.add("disc", finish(rng, "plastic", "pale"), rod((0, -0.02, 0), (0, -0.055, 0), 0.3, 24))
        made.add("disc", dark, *(turned(pin, Y, a) for a in 0.4 * np.pi * np.arange(5)))
        made.spin("wheel", "disc", (0, -0.05, 0), Y)
    skin = finish(rng, "paint", "plastic", "wood")
    offers = [
        (carrier, "sign", block((rng.uniform(0.7, 1.4), 0.05, 0.22), (0, 0.1, 1.3), 0.005)),
        ("wheel", "cap", aimed(lathe([(0.09, 0), (0.07, 0.05), (0, 0.07)], 16), -Y, (0, -0.05, 0))),
        ("wheel", "handle", aimed(lathe([(0.02, 0), (0.035, 0.1), (0, 0.15)], 12), -Y, (0.8, -0.01, 0))),
        (carrier, "plate", block((0.3, 0.03, 0.3), (0, 0.12, 0), 0.005)),
    ]
    weld_some(made, rng, offers, skin)
    made.scale(rng.uniform(0.18, 0.75))
    return made.finish(rng, ajar=0.35)


def _wheel_face(made, rng, count, peg) -> None:
    """Coloured fields on a disc or on spokes, pegs between them, a rim and a hub."""
    paints = [finish(rng, "plastic", "paint", "pale") for _ in range(int(rng.integers(2, 6)))]
    step, inner = np.pi / count, 0.02 if rng.random() < 0.65 else rng.uniform(0.5, 0.75)
    left, right = np.pi / 2 + step, np.pi / 2 - step
    field = np.concatenate([arc(0.97, right, left, 5), arc(inner, left, right, 3)])
    for i, solid in enumerate(around(extrude(field, 0.04), count)):
        made.add("wheel", paints[i % len(paints)], upright(solid))
    trim = finish(rng, "dark", "metal", "brass", "wood")
    if inner > 0.1:
        spoke = block((0.9 * inner, 0.05, 0.035), (0.55 * inner, 0, 0))
        made.add("wheel", trim, *(upright(s) for s in around(spoke, int(rng.integers(3, 9)))))
    pins = around(pill((0, 0.94, 0), (0, 0.94, 0.025 + peg), 0.014, 6), count)
    made.add("wheel", finish(rng, "metal", "brass"), *(upright(turned(p, Z, step)) for p in pins))
    rim, hub = ring(rectangle(0.04, 0.06) + (0.99, 0), 40), rod((0, -0.04, 0), (0, 0.06, 0), 0.12, 20)
    made.add("wheel", trim, upright(rim), hub)


def _wheel_stand(made, rng, dark) -> str:
    """A fixed or telescopic post, legs, a frame or a wall board. Returns the link that carries the axle."""
    kind, low = str(rng.choice(["stand", "post", "legs", "wall", "frame"])), rng.uniform(1.3, 2.6)
    wide, carrier = rng.uniform(0.04, 0.08), "post" if kind == "post" else "stand"
    y = 0.1 + wide
    if kind == "wall":
        solids = [block((0.7, 0.05, 2.5), (0, 0.12, 0), 0.01)]
    elif kind == "frame":
        feet = [block((0.12, 1, 0.06), (s * 1.2, 0.1, -low), 0.01) for s in (-1, 1)]
        bars = shifted(border_bars(2.5, 1.25 + low, 0.1, 0.1), (0, 0.1, (1.25 - low) / 2))
        solids = [*bars, block((2.4, 0.08, 0.1), (0, 0.1, 0)), *feet, block((0.08, 0.08, 0.3), (0, 0.1, 1.1))]
    elif kind == "legs":
        solids = [rod((0, y, 1.2), (s * 0.8, y, -low), wide, 10) for s in (-1, 1)]
        solids.append(rod((0, y, 0.6), (0, 0.9, -low), wide, 10))
        solids.append(block((1, 0.08, 0.1), (0, 0.1 + 0.5 * wide, 0)))
    else:
        feet = ((-0.7, -0.4), (0.7, -0.4), (-0.6, 0.6), (0.6, 0.6))
        solids = [pill((0, y, -low), (a, y + b, -low - 0.02), 1.2 * wide, 8) for a, b in feet]
        made.add(carrier, finish(rng, "metal", "dark"), rod((0, y, 0.02 - low), (0, y, 1.25), wide, 14))
    if kind == "post":
        solids.append(rod((0, y, -low), (0, y, -1.05), 1.3 * wide, 14))
        made.slide("stand", "post", Z, 0.0, rng.uniform(0.4, 0.8) * min(low - 1.05, 0.5))
    made.add("stand", dark, *solids)
    made.add(carrier, finish(rng, "metal"), rod((0, -0.01, 0), (0, y, 0), 0.05, 12))
    return carrier
