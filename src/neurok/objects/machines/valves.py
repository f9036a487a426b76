"""Valves on the branches of a pipe."""

from __future__ import annotations

import numpy as np

from neurok.objects.kit.extras import Spot, weld_on_spots
from neurok.objects.kit.finishes import finish
from neurok.objects.kit.mechanism import Mechanism
from neurok.objects.kit.outlines import angles, curve
from neurok.objects.kit.panels import pull
from neurok.objects.kit.placing import X, Y, Z, aimed, moved, shifted, turned
from neurok.objects.kit.solids import ball, block, lathe, pill, rod, scaled_lathe, torus, tube
from neurok.objects.registry import family
from neurok.shapes.shape import Shape


@family(number=46)
def valve_manifold(rng: np.random.Generator) -> Shape:
    """A header with branches, each with a hand wheel, a quarter-turn lever or a gate; on legs or a board."""
    made, r = Mechanism("valve_manifold"), rng.uniform(0.012, 0.05)
    count, pitch = int(rng.integers(2, 6)), rng.uniform(5.5, 8.0) * r
    bore, long = rng.uniform(1.0, 1.5) * r, count * pitch
    pipe, accent = finish(rng, "metal", "brass", "paint", "dark"), finish(rng, "plastic", "paint", "dark")
    made.add("header", pipe, rod(-long / 2 * X, long / 2 * X, bore, 16))
    main = str(rng.choice(["none", "wheel", "lever"]))
    spots: list[Spot] = [("header", (-long / 2 - 0.3 * bore, 0, 0), -X, 1.6 * bore)]
    ends = [k * (long / 2) * X for k in (-1, 1)]
    made.add("header", pipe, *(aimed(_flange(bore), X, e) for e in ends))
    if main != "none":
        at = ends[1] + 2 * bore * X
        _valve(made, rng, main, "main_" + main, at, np.pi / 2, bore, 0.8 * pitch, pipe, accent)
    middle, top = rng.uniform(4.5, 6.0) * r, rng.uniform(8.5, 12.0) * r
    finale, mixed = str(rng.choice(["flange", "header", "nozzle", "cap"])), rng.random() < 0.7
    first = str(rng.choice(["wheel", "lever", "gate"]))
    for i in range(count):
        x = (i + 0.5) * pitch - long / 2
        z, kind = middle + (1.5 * r * (i % 2) if mixed and finale != "nozzle" else 0.0), first
        if mixed:
            kind = str(rng.choice(["wheel", "lever", "gate"]))
        made.add("header", pipe, rod((x, 0, 0), (x, 0, z - 0.3 * r), r, 14))
        made.add("header", pipe, rod((x, 0, z + 0.3 * r), (x, 0, top), r, 14))
        spots += _valve(made, rng, kind, f"{kind}_{i + 1}", np.array([x, 0, z]), 0.0, r, pitch, pipe, accent)
        made.add("header", pipe, *_pipe_end(finale, np.array([x, 0, top]), r))
    if finale == "header":
        made.add("header", pipe, rod((-long / 2, 0, top), (long / 2, 0, top), bore, 16))
    between = (int(rng.integers(1, count)) - count / 2) * pitch
    _gauge(made, rng, (between, 0, 0), r, bore)
    weld_on_spots(made, rng, spots)
    _pipe_stand(made, rng, long, bore, r, top)
    return made.finish(rng)


def _flange(r) -> Shape:
    """A flange about z = 0."""
    return lathe([(1.6 * r, -0.3 * r), (1.6 * r, 0.3 * r)], 16)


def _valve(made, rng, kind, name, at, lie, r, pitch, pipe, accent) -> list[Spot]:
    """A valve about a point of a pipe, its stem towards −y; `lie` turns it from upright about y."""

    def place(*solids):
        """Solids of an upright pipe about the origin, moved to their place."""
        return [moved(turned(s, Y, lie), at) for s in solids]

    if kind == "gate":
        return _gate(made, rng, name, at, place, r, pipe, accent)
    half = np.array([(1.5, 0.5), (1.1, 1.5), (1.6, 1.6), (1.6, 2)])
    body = scaled_lathe(np.concatenate([half[::-1] * (1, -1), half]), r)
    neck = rng.uniform(2.4, 3.2) * r
    profile = [(0.9 * r, 0), (0.9 * r, 0.7 * neck), (1.15 * r, 0.7 * neck), (1.15 * r, 0.85 * neck)]
    bonnet = aimed(lathe([*profile, (0.5 * r, neck)], 12), -Y)
    made.add("header", pipe, place(body, bonnet))
    stem, hub = at - (neck - 0.2 * r) * Y, at - (neck + 0.5 * r) * Y
    if kind == "lever":
        return _quarter_turn(made, rng, name, stem, hub, r, pitch, accent)
    rim = rng.uniform(0.24, 0.38) * pitch
    made.add(name, accent, [aimed(s, -Y, hub) for s in _handwheel(rng, rim, r)])
    made.add(name, finish(rng, "metal"), rod(stem, hub - 0.4 * r * Y, 0.3 * r, 10))
    if rng.random() < 0.35:
        turns, rise, spindle = rng.uniform(6.0, 19.0), rng.uniform(0.8, 1.6) * r, f"stem_{name}"
        lead = made.hinge("header", name, hub, -Y, 0.0, turns)
        made.add(spindle, finish(rng, "metal", "brass"), rod(at - 0.5 * r * Y, hub - 1.2 * r * Y, 0.2 * r, 8))
        made.slide("header", spindle, -Y, 0.0, rise, follows=(lead, rise / turns))
        return []
    made.spin("header", name, hub, -Y)
    return [(name, hub - 0.4 * r * Y, -Y, 0.5 * r)]


def _gate(made, rng, name, at, place, r, pipe, accent) -> list[Spot]:
    """A blade that slides between two plates."""
    a, t = 1.8 * r, 0.3 * r
    plates = [block((2 * a, 2 * a, t), (0, 0, k * t), 0.1 * t) for k in (-1, 1)]
    guides = [block((0.2 * a, 2 * a, 1.2 * t), (k * 0.9 * a, 0, 0)) for k in (-1, 1)]
    flanges = [moved(_flange(r), (0, 0, k * 0.7 * r)) for k in (-1, 1)]
    made.add("header", pipe, place(*plates, *guides, *flanges))
    blade = block((1.6 * a, 2.2 * a, 0.95 * t), (0, -0.15 * a, 0))
    made.add(name, finish(rng, "metal"), place(blade))
    made.part(name, place(*shifted(pull(rng, 1.5 * a, accent), (0, -1.2 * a, 0))))
    made.slide("header", name, -Y, 0.0, rng.uniform(1.2, 1.7) * a)
    return [(name, at - 1.25 * a * Y, -Y, 0.5 * t)]


def _quarter_turn(made, rng, name, stem, hub, r, pitch, accent) -> list[Spot]:
    """A lever with a sleeve, turned by a quarter."""
    long, side = rng.uniform(0.42, 0.58) * pitch, int(rng.choice([-1, 1]))
    bar = block((long, 0.2 * r, 0.55 * r), hub + side * (0.5 * long - 0.4 * r) * X, 0.05 * r)
    sleeve = block((0.5 * long, 0.4 * r, 0.75 * r), hub + side * 0.7 * long * X, 0.15 * r)
    made.add(name, finish(rng, "metal"), rod(stem, hub - 0.3 * r * Y, 0.35 * r, 10), bar)
    made.add(name, accent, sleeve)
    made.hinge("header", name, hub, int(rng.choice([-1, 1])) * Y, 0.0, np.pi / 2)
    return [(name, hub - 0.3 * r * Y, -Y, 0.6 * r)]


def _handwheel(rng, rim, r) -> list[Shape]:
    """A wheel about z: rim, hub, flat or dished spokes, and sometimes a peg."""
    count, dish, thick = int(rng.integers(3, 7)), rng.choice([0.0, 0.4]) * r, rng.uniform(0.09, 0.14) * rim
    spokes = [
        rod((0, 0, 0), (*(rim * np.array([np.cos(a), np.sin(a)])), dish), 0.7 * thick, 6)
        for a in angles(count)
    ]
    hub = lathe([(0.55 * r, -0.3 * r), (0.55 * r, 0.3 * r)], 12)
    solids = [moved(torus(rim, thick, 20, 6), (0, 0, dish)), hub, *spokes]
    if rng.random() < 0.3:
        solids.append(pill((rim, 0, dish), (rim, 0, dish + 1.5 * r), 1.3 * thick, 8))
    return solids


def _pipe_end(style, at, r) -> list[Shape]:
    """The end of a branch: a flange, a cap, a bend to the front, or nothing where another header goes."""
    if style == "nozzle":
        bend = at + r * curve([(0, 0, -0.1), (0, -0.8, 1.6), (0, -2.4, 1.8), (0, -3.2, 0.6)], 10)
        return [tube(bend, r * np.linspace(1.0, 0.7, 10), 12), ball(r, at, 12)]
    if style == "cap":
        return [moved(lathe([(1.3 * r, -0.8 * r), (1.3 * r, 0.5 * r), (0.8 * r, 0.9 * r), (0, r)], 8), at)]
    return [moved(_flange(r), at)] if style == "flange" else []


def _gauge(made, rng, at, r, bore) -> None:
    """A pressure gauge on the header, with probability ½."""
    if rng.random() < 0.5:
        return
    case, centre = rng.uniform(1.2, 1.7) * r, np.asarray(at) + (bore + 2.6 * r) * Z
    dial = lathe([(case, -0.5 * r), (case, 0.4 * r), (0.9 * case, 0.5 * r)], 20)
    stem, face = (
        rod(at + 0.9 * bore * Z, centre, 0.35 * r, 10),
        [(0.8 * case, 0.4 * r), (0.8 * case, 0.55 * r)],
    )
    made.add("gauge", finish(rng, "dark", "metal", "brass"), stem, aimed(dial, -Y, centre))
    made.add("gauge", finish(rng, "pale"), aimed(lathe(face, 20), -Y, centre))
    made.weld("header", "gauge")


def _pipe_stand(made, rng, long, bore, r, top) -> None:
    """Legs on feet, or clamps on a board behind; on a board the header may run upright."""
    iron = finish(rng, "dark", "metal", "paint")
    link = "frame" if rng.random() < 0.5 else "header"
    ends = [k * rng.uniform(0.36, 0.44) * long for k in (-1, 1)]
    if rng.random() < 0.5:
        tall = rng.uniform(4, 16) * r
        for x in ends:
            made.add(link, iron, rod((x, 0, 0), (x, 0, -tall), 0.7 * r, 10))
            made.add(link, iron, block((2.4 * r, 6 * r, 0.5 * r), (x, 0, -tall), 0.1 * r))
            made.add(link, iron, rod((x - 0.5 * r, 0, 0), (x + 0.5 * r, 0, 0), 1.2 * bore, 16))
        upright = False
    else:
        back = 2.6 * r + bore
        board = block((1.05 * long, 0.5 * r, top + 4 * bore), (0, back, top / 2), 0.1 * r)
        made.add(link, finish(rng, "wood", "metal", "paint"), board)
        for x in ends:
            made.add(link, iron, block((r, back, 1.2 * r), (x, back / 2, 0)))
            made.add(link, iron, rod((x - 0.5 * r, 0, 0), (x + 0.5 * r, 0, 0), 1.2 * bore, 16))
        upright = rng.random() < 0.5
    if link == "frame":
        made.weld("header", "frame")
    if upright:
        made.turn(Y, np.pi / 2)
