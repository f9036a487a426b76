"""Hand tools of arms on pins and jaws on bars: nutcrackers, staplers, compasses, calipers, clamps."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from neurok.datasets.articulated.finishes import finish
from neurok.datasets.articulated.mechanism import Mechanism
from neurok.datasets.articulated.outlines import arc, curve
from neurok.datasets.articulated.panels import shifted
from neurok.datasets.articulated.placing import aimed, mirrored, moved, turned
from neurok.datasets.articulated.solids import ball, block, extrude, lathe, loop, rod, torus, tube
from neurok.shapes.articulated.assembly import painted
from neurok.shapes.articulated.transforms import rotation_about
from neurok.shapes.shape import Shape

X, Y, Z = np.eye(3)
BODIES = ("metal", "brass", "dark", "paint", "plastic")


def nutcracker(rng: np.random.Generator) -> Shape:
    """Two arms with cups or ridges: on one pin at the end, on two pins of a head, or crossing."""
    made, kind = Mechanism("nutcracker"), rng.choice(["end", "head", "crossing"])
    body, trim = finish(rng, "wood", *BODIES), finish(rng, "metal", "brass", "dark")
    length, thick, eye = rng.uniform((0.11, 0.007, 0.007), (0.2, 0.014, 0.011))
    width, cup, deep, rim = rng.uniform((0.9 * eye, 0.011, 0.007, 0.001), (1.5 * eye, 0.017, 0.013, 0.004))
    side, spacing = (-1 if kind == "crossing" else 1), (1.1 * eye if kind == "head" else 0.0)
    top, seat = rim + deep + 0.3 * width, side * (1.6 * eye + cup + 0.005)
    start = np.array([1.6 * eye, side * 0.95 * eye + spacing])
    tip = np.array([length, side * (rng.uniform(0.6, 1.6) * top + 0.5 * width)])
    layers, bowls, seed = _layers(rng, thick), rng.random() < 0.6, int(rng.integers(2**31))
    hub, pins = ("head", (-spacing, spacing)) if kind == "head" else ("arm_1", (0.0,))
    if kind == "head":
        layers = ([(0.0, thick)],) * 2
        plates = [(s * 0.65 * thick, 0.3 * thick) for s in (-1, 1)]
        _add(made, hub, trim, *_leaf(plates, [(0, y) for y in pins], 2 * eye))
    span = 1.6 * thick if kind == "head" else thick
    _add(made, hub, trim, *(moved(_rivet(0.6 * eye, span), y * Y) for y in pins))
    for k in range(2):
        draw = np.random.default_rng(seed)
        if kind == "crossing":
            solids = _leaf(layers[k], [-start, (0, 0), start], (width, 2 * eye, width))
            solids.append(_bar([-start, (seat, top), (seat - cup, top)], width, thick))
            grip = curve([start, (0.45 * length, -1.1 * top), tip], 14)
        else:
            solids = _leaf(layers[k], [(0, spacing), start], (2 * eye, 1.1 * width))
            grip = curve([start, (seat, top), (0.6 * length, 1.2 * top), tip], 16)
        pieces = [painted(s, body) for s in solids] + _limb(draw, grip, width, thick, body, trim)
        pieces += [painted(s, trim) for s in _bite(draw, bowls, (seat, rim), cup, deep, thick)]
        made.part(f"arm_{k + 1}", [mirrored(p, 1) for p in pieces] if k else pieces)
    reach = rng.uniform(0.4, 0.9)
    if kind == "head":
        made.hinge(hub, "arm_1", spacing * Y, Z, 0, 0.6 * reach)
    made.hinge(hub, "arm_2", -spacing * Y, -side * Z, 0, 0.6 * reach if kind == "head" else reach)
    end = np.array([*tip, 0])
    _fit(made, rng, [
        *((f"arm_{k + 1}", f"cap_{k + 1}", ball(0.75 * width, end * (1, 1 - 2 * k, 1), 12)) for k in (0, 1)),
        ("arm_1", "ring", moved(torus(0.7 * width, 0.15 * width, 16, 6), end + 0.8 * width * X)),
        (hub, "cover", moved(_cap(0.75 * eye), (0, spacing, (0.8 if kind == "head" else 0.5) * thick))),
    ])  # fmt: skip
    return _placed(made, rng, 0.3).finish(rng, ajar=0.35)


def stapler(rng: np.random.Generator) -> Shape:
    """A base with an anvil, cheeks with a pin at the rear, an arm, and often a magazine with a pusher."""
    made = Mechanism("stapler")
    body, trim, metal = finish(rng, *BODIES), finish(rng, "dark", "plastic", "paint"), finish(rng, "metal")
    length, width, tail = rng.uniform((0.09, 0.022, 0.012), (0.3, 0.045, 0.03))
    floor, gap, high = rng.uniform((0.006, 0.006, 0.01), (0.014, 0.014, 0.016))
    low, nose = floor + gap, length - rng.uniform(0.0, 0.01)
    pin = np.array([0, low + 0.5 * high, 0])
    plan = [(1, 1, 1), (1.3, 0.8, 1.2), (1, 1.1, 1.7), (0.9, 1.4, 0.9)][int(rng.integers(4))]
    spine = np.c_[np.linspace(-tail, length, 9), np.zeros(9)]
    outline = _strip(spine, width * np.interp(np.linspace(0, 2, 9), range(3), plan))
    sole = turned(extrude(outline, floor, 0.15 * floor), X, -np.pi / 2)
    _add(made, "base", trim, moved(sole, 0.5 * floor * Y))
    ears = _leaf([(s * 0.45 * width, 0.12 * width) for s in (-1, 1)], [(0, 0.8 * high), pin[:2]], 1.5 * high)
    _add(made, "base", metal, *ears, moved(_rivet(0.25 * high, 1.04 * width), pin))
    if rng.random() < 0.4:
        points = length * np.array([(0.2, 0, 0), (0.3, 0, 0), (0.45, 0, 0)])
        bent = points + np.outer((0.9 * floor, floor + 0.3 * gap, low), Y)
        _add(made, "base", metal, tube(curve(bent, 8), 0.0012, 6))
    _anvil(made, rng, np.array([0.93 * length, floor, 0]), 0.32 * width, metal)
    if loaded := rng.random() < 0.7:
        _magazine(made, rng, (nose, low, high, 0.62 * width), body, metal)
        made.hinge("base", "magazine", pin, Z, -0.6 * gap / length, rng.uniform(0.4, 1.0))
    _stapler_arm(made, rng, (nose, low + high * loaded, pin[1]), width, high, body)
    made.hinge("magazine" if loaded else "base", "arm", pin, Z, 0, rng.uniform(0.35, 0.8))
    foot = block((0.12 * length, 0.004, 0.7 * width), bevel=0.001)
    _fit(made, rng, [
        *(("base", f"foot_{k + 1}", moved(foot, (x * length, -0.0015, 0))) for k, x in ((0, 0.1), (1, 0.85))),
        ("base", "nameplate", block((0.3 * length, 0.002, 0.3 * width), (0.45 * length, floor + 0.0005, 0))),
        ("base", "bracket", block((0.006, 0.004, 0.6 * width), (-0.7 * tail, floor + 0.0015, 0), 0.001)),
    ])  # fmt: skip
    return _placed(made, rng, 1.0).finish(rng, ajar=0.4)


def _anvil(made, rng, at, radius, metal) -> None:
    """The plate that bends staples: part of the base, or a disc of its own that can be turned about."""
    link = "anvil" if rng.random() < 0.4 else "base"
    disc = lathe([(radius, -0.002), (radius, 0.0014), (0.85 * radius, 0.002)], 20)
    _add(made, link, metal, aimed(disc, Y, at), block((0.5 * radius, 0.0012, radius), at + 0.002 * Y))
    if link == "anvil":
        made.spin("base", "anvil", at, Y)


def _magazine(made, rng, lines, body, metal) -> None:
    """A trough for staples, open above, with or without a pusher in it."""
    nose, low, high, width = lines
    wall, size, back = 0.1 * width, nose + 0.3 * high, rng.uniform(0.2, 0.5) * nose
    sides = [block((size, high, wall), (0, 0.5 * high, s * 0.45 * width)) for s in (-1, 1)]
    front = block((wall, high, width), (0.5 * (size - wall), 0.5 * high, 0))
    trough = shifted([block((size, wall, width)), *sides, front], (nose - size / 2, low, 0))
    sleeve = np.outer((1, 1), (low + 0.5 * high) * Y) + np.outer((-0.645, 0.645), width * Z)
    trough.append(rod(*sleeve, 0.3 * high))
    _add(made, "magazine", metal, *trough)
    if rng.random() < 0.5:
        _add(made, "pusher", body, block((0.08 * nose, 0.7 * high, 0.8 * width), (back, low + 0.4 * high, 0)))
        made.slide("magazine", "pusher", X, 0, 0.8 * (nose - back))


def _stapler_arm(made, rng, lines, width, high, body) -> None:
    """The arm that is pressed, with ears on the pin at the rear and a rounded back."""
    nose, low, centre = lines
    bulge, blunt = rng.uniform((0.8, 0.6), (2.0, 1.2)) * high
    rear, front = (-0.4 * high, low + 0.0005), (nose + 0.003, low + 0.0005)
    back = [(nose + 0.003, low + blunt), (0.6 * nose, low + bulge), (0.2 * nose, low + 0.9 * bulge)]
    side = np.concatenate([[rear, front], curve([*back, (-0.4 * high, low + 0.4 * bulge)], 14)])
    cheeks = [(s * 0.345 * width, 0.07 * width) for s in (-1, 1)]
    ears = _leaf(cheeks, [(0, centre), (0.3 * high, low + 0.4 * bulge)], 1.1 * high)
    _add(made, "arm", body, extrude(side, 0.76 * width, 0.05 * high), *ears)
    if rng.random() < 0.4:
        pad = tube([(*back[1], 0), (0.85 * nose, low + 0.9 * blunt, 0)], 0.25 * width, 12, rounded=True)
        _add(made, "arm", finish(rng, "rubber", "dark"), moved(pad, -0.05 * width * Y))


def drawing_compass(rng: np.random.Generator) -> Shape:
    """Two legs on a head: free, kept even by the head, or set by a screw; needles, leads, pencils, knees."""
    made = Mechanism("drawing_compass")
    body, trim = finish(rng, *BODIES), finish(rng, "metal", "brass", "dark")
    length, thick, eye, slim = rng.uniform((0.09, 0.005, 0.006, 0.55), (0.19, 0.009, 0.01, 0.9))
    width, half = slim * eye, 0.55 * slim * eye + 0.0006
    knees = [(), (1,), (0,), (0, 1)][rng.choice(4, p=[0.5, 0.15, 0.15, 0.2])]
    splay = rng.uniform(0.25, 0.4) if knees else rng.choice([0.0, rng.uniform(0.1, 0.35)])
    even, layers, seed = rng.random() < 0.6, _layers(rng, thick), int(rng.integers(2**31))
    root = _head(made, rng, even, eye, thick, layers[0], trim)
    tools = rng.permutation(["needle", rng.choice(["needle", "lead", "pencil"])])
    knee = -rng.uniform(0.45, 0.6) * length
    for k, sign in enumerate((-1, 1)):
        name, stop = f"leg_{k + 1}", knee + 1.3 * width if k in knees else -length
        upper = _leaf(layers[k], [(0, 0), (half, -1.8 * eye)], (1.9 * eye, 1.1 * width))
        path = np.linspace((half, -1.8 * eye), (half, stop), 6)
        limb = _limb(np.random.default_rng(seed), path, width, 0.9 * thick, body, trim)
        lower, tool = [], _tool(rng, tools[k], (half, -length), width, trim)
        if k in knees:
            fork, tongue = _layers(rng, 0.9 * thick)
            upper += _leaf(fork, [(half, stop), (half, knee)], width)
            upper.append(moved(_rivet(0.3 * width, 0.9 * thick), (half, knee, 0)))
            shank = [(half, knee - 1.3 * width), (half, -length)]
            lower = _leaf(tongue, [(half, knee), shank[0]], width)
            lower.append(_bar(shank, (width, 0.8 * width), 0.85 * thick))
        end = f"lower_{name}" if k in knees else name
        pieces = [(name, painted(s, body)) for s in upper] + [(name, p) for p in limb]
        pieces += [(end, painted(s, body)) for s in lower] + [(end, p) for p in tool]
        for link, piece in pieces:
            made.part(link, turned(mirrored(piece, 0) if k == 0 else piece, Z, sign * splay))
        if k in knees:
            made.hinge(name, end, _swung((sign * half, knee, 0), sign * splay), -sign * Z, 0, 0.3)
    leader = _legs(made, rng, even, root, 0.1 if splay else 0.0, 0.35)
    if leader and not knees and rng.random() < 0.8:
        at = [_swung((s * half, -2.95 * eye, 0), s * splay) for s in (-1, 1)]
        _spindle(made, rng, leader, even, at, width, trim)
    band = block((1.1 * width, 2 * width, thick), (half, -0.35 * length, 0), 0.1 * width)
    _fit(made, rng, [
        ("leg_2", "band_2", turned(band, Z, splay)),
        ("leg_1", "band_1", turned(mirrored(band, 0), Z, -splay)),
        (root, "cover", moved(_cap(0.7 * eye), (0, 0, (0.78 if even else 0.48) * thick))),
    ])  # fmt: skip
    return _placed(made, rng, 0.85).finish(rng, ajar=0.4)


def _head(made, rng, even, eye, thick, layer, trim) -> str:
    """Cheeks with the pin and a handle to turn by; without cheeks they sit on the first leg. The link."""
    link, cheeks = ("head", [(s * 0.65 * thick, 0.3 * thick) for s in (-1, 1)]) if even else ("leg_1", layer)
    yoke = block((1.4 * eye, eye, 1.5 * thick), (0, 1.7 * eye, 0), 0.1 * eye)
    _add(made, link, trim, *_leaf(cheeks, [(0, 0), (0, 1.9 * eye)], 1.6 * eye), yoke)
    _add(made, link, trim, _rivet(0.5 * eye, (1.6 if even else 1) * thick))
    if rng.random() < 0.25:
        _add(made, link, trim, moved(torus(0.8 * eye, 0.2 * eye, 24, 8), 2.8 * eye * Y))
    rows = [(1.0 + 0.15 * (k % 2), z) for k, z in enumerate(np.linspace(0, 1, int(rng.integers(4, 10))))]
    size = rng.uniform((0.25, 1.2), (0.5, 3.0)) * eye
    knob = lathe(np.multiply([*rows, (0.5, 1.08)], size), 14)
    _add(made, link, finish(rng, "metal", "dark", "brass"), aimed(knob, Y, 2.1 * eye * Y))
    return link


def _tool(rng, kind, at, width, trim) -> list[Shape]:
    """What a leg ends in: a needle, a lead, or a pencil held by a collar at its side."""
    top, end = np.array([*at, 0]) + width * Y, np.array([*at, 0]) - 2.2 * width * Y
    if kind == "needle":
        return [painted(rod(top, end, (0.3 * width, 0.03 * width), 10), trim)]
    if kind == "lead":
        sleeve = rod(top, end + 1.1 * width * Y, (0.45 * width, 0.3 * width), 12)
        return [painted(sleeve, trim), painted(rod(top, end, 0.15 * width, 8), finish(rng, "dark"))]
    out = (0.5 * width + 0.0045) * X
    neck, back = end + 0.009 * Y + out, top + rng.uniform(0.3, 0.55) * abs(at[1]) * Y + out
    shaft = tube([back, neck, end + out], (0.0036, 0.0036, 0.0004), 6)
    collar = aimed(torus(0.0043, 0.0014, 16, 6), Y, top + out)
    return [painted(shaft, finish(rng, "paint", "wood", "plastic")), painted(collar, trim)]


def _legs(made, rng, even, root, inward, outward) -> str:
    """Joints of a pair of legs below their pin: both on a head, or one on the other. What leads, if any."""
    if not even:
        return made.hinge(root, "leg_2", (0, 0, 0), Z, -2 * inward, 2 * outward)
    leader = made.hinge(root, "leg_1", (0, 0, 0), -Z, -inward, outward)
    follows = (leader, 1.0) if rng.random() < 0.7 else None
    made.hinge(root, "leg_2", (0, 0, 0), Z, -inward, outward, follows)
    return leader if follows else ""


def _spindle(made, rng, leader, even, at, width, trim) -> None:
    """A screw across a pair of legs that stays level as they part, and a wheel on its outer end."""
    (left, right), wheel = at, rng.uniform(0.8, 1.4) * width
    outer, far = left - (0.6 * width + 0.8 * wheel) * X, right + 0.75 * abs(left[1]) * X
    _add(made, "spindle", trim, aimed(_thread(0.2 * width, far[0] - outer[0], 14), X, outer))
    made.hinge("leg_1", "spindle", left, Z, -0.4, 0.8, (leader, 1.0 if even else 0.5))
    rows = np.multiply([(0.8, -0.2), (1, -0.1), (1, 0.1), (0.8, 0.2)], wheel)
    _add(made, "wheel", trim, aimed(lathe(rows, int(rng.integers(10, 20))), X, outer + 0.15 * wheel * X))
    made.spin("spindle", "wheel", outer, X)


def caliper(rng: np.random.Generator) -> Shape:
    """A beam with a jaw that runs along it, or two curved legs on a pin."""
    made = Mechanism("caliper")
    (_beam_caliper if rng.random() < 0.6 else _leg_caliper)(made, rng)
    return _placed(made, rng, 0.5).finish(rng, ajar=0.45)


def _beam_caliper(made, rng) -> None:
    """A beam with jaws at its end and on a carriage, marks, a gauge; now and then a large wooden one."""
    scale = 4.0 if rng.random() < 0.2 else 1.0
    body, trim = finish(rng, "metal", "dark", "wood", "plastic"), finish(rng, "metal", "dark")
    length, tall, deep = scale * rng.uniform((0.13, 0.012, 0.0035), (0.3, 0.018, 0.006))
    drop, root, run, peak = tall * rng.uniform((2.0, 0.9, 2.2, 1.2), (3.6, 1.4, 3.5, 2.0))
    gap, wall, upper, edge = scale * rng.choice([0.0003, 0.01]), 0.35 * deep, rng.random() < 0.6, 0.45 * tall
    beam = block((length + root, tall, deep), ((length - root) / 2, 0, 0), 0.08 * deep)
    ticks = length * np.linspace(0.05, 0.95, int(rng.integers(8, 24)))
    mark = block((0.03 * tall, 0.4 * tall, 0.1 * deep), (0, -0.25 * tall, 0.5 * deep))
    jaws = [[(-root, -edge), (-0.35 * root, -drop), (0, -drop), (0, -edge)]]
    if upper:
        jaws.append([(0, edge), (0, peak), (-0.2 * root, 1.1 * tall), (-root, edge)])
    blades = [extrude(np.array(j), 0.95 * deep, 0.05 * deep) for j in jaws]
    _add(made, "beam", body, beam, *blades)
    _add(made, "beam", trim, *(moved(mark, x * X) for x in ticks))
    _add(made, "carriage", body, *shifted([mirrored(b, 0) for b in blades], gap * X))
    _add(made, "carriage", body, *shifted(_collar(run, tall, deep, wall), (gap + run / 2) * X))
    if upper and rng.random() < 0.6:
        start, back = np.array([[gap + 0.3 * run, 0, 0], [length, 0, 0]]) - (0.5 * deep + wall) * Z
        _add(made, "carriage", trim, rod(start, back, 0.3 * deep, 8))
    made.slide("beam", "carriage", X, 0, 0.97 * length - run - gap)
    _gauge(made, rng, np.array([gap + 0.5 * run, 0.1 * tall, 0.5 * deep + wall]), (run, tall, deep), length)
    if rng.random() < 0.5:
        at = np.array([gap + 0.85 * run, -0.7 * tall - wall, 0])
        wheel = lathe(np.multiply([(0.8, -0.4), (1, 0), (0.8, 0.4)], (0.3 * tall, deep)), 16)
        _add(made, "roller", trim, moved(wheel, at))
        made.spin("carriage", "roller", at, Z)
    if rng.random() < 0.6:
        at = np.array([gap + rng.uniform(0.3, 0.7) * run, 0.5 * tall, 0])
        rows = [(0.08, 0), (0.08, 0.4), (0.2, 0.4), (0.2, 0.7)]
        _add(made, "screw", trim, aimed(lathe(np.multiply(rows, tall), 12), Y, at))
        made.spin("carriage", "screw", at, Y)
    _fit(made, rng, [
        ("beam", "cap", block((0.2 * tall, 1.1 * tall, 1.3 * deep), length * X, 0.1 * deep)),
        ("beam", "nameplate", block((0.5 * root, edge, 0.1 * deep), (-0.55 * root, 0, 0.52 * deep))),
        ("carriage", "bracket", block((0.15 * run, 0.5 * tall, deep), (gap + 0.55 * run, -0.6 * tall, 0))),
    ])  # fmt: skip


def _gauge(made, rng, at, size, length) -> None:
    """What a carriage shows: nothing but marks, a display, or a dial whose needle follows it."""
    (run, tall, deep), kind = size, rng.choice(["marks", "display", "dial"])
    if kind == "display":
        box = block((0.75 * run, 1.5 * tall, 0.8 * deep), at + 0.35 * deep * Z, 0.15 * deep)
        _add(made, "carriage", finish(rng, "dark", "plastic"), box)
        glass = block((0.45 * run, 0.7 * tall, 0.1 * deep), at + 0.76 * deep * Z)
        _add(made, "carriage", finish(rng, "glass", "pale"), glass)
    elif kind == "dial":
        rows = np.multiply([(0.8, -0.1), (1, 0.4), (1, 0.8), (0.85, 0.9)], (tall, deep))
        _add(made, "carriage", finish(rng, "pale", "dark"), moved(lathe(rows, 28), at))
        hand = _bar([(0, -0.1 * tall), (0, 0.7 * tall)], (0.14 * tall, 0.05 * tall), 0.12 * deep)
        _add(made, "needle", finish(rng, "brass", "plastic"), moved(hand, at + 0.95 * deep * Z))
        made.spin("carriage", "needle", at, -Z, ("carriage_slide", 4 * np.pi / length))


def _leg_caliper(made, rng) -> None:
    """Legs that bow out around what is measured, or tips turned outwards; a screw or a wing holds them."""
    body, trim = finish(rng, "metal", "brass", "dark", "wood"), finish(rng, "metal", "brass")
    length, thick, eye, slim = rng.uniform((0.1, 0.005, 0.008, 0.7), (0.3, 0.01, 0.014, 1.0))
    width, half, even, root = slim * eye, 0.6 * slim * eye, rng.random() < 0.5, "leg_1"
    layers, start, bow = _layers(rng, thick), (half, -1.8 * eye), rng.uniform(0.15, 0.4) * length
    points = [(half, -0.5 * length), (half, -0.9 * length), (half + rng.uniform(0.5, 1.5) * width, -length)]
    if rng.random() < 0.6:
        points = [(half + 0.8 * bow, -0.3 * length), (half + bow, -0.6 * length), (0.3 * width, -length)]
    path = curve([start, *points], 20)
    limb = _bar(path, np.linspace(width, rng.uniform(0.35, 0.6) * width, 20), 0.9 * thick, 0.06 * thick)
    if even:
        root = _head(made, rng, True, eye, thick, layers[0], trim)
    else:
        _add(made, root, trim, _rivet(0.7 * eye, thick))
    for k in range(2):
        solids = [*_leaf(layers[k], [(0, 0), start], (2 * eye, 1.1 * width)), limb]
        _add(made, f"leg_{k + 1}", body, *(solids if k else [mirrored(s, 0) for s in solids]))
    leader = _legs(made, rng, even, root, 0.0, 0.4)
    near = np.array([*path[np.abs(path[:, 1] + rng.uniform(0.2, 0.3) * length).argmin()], 0])
    if leader and rng.random() < 0.5:
        _spindle(made, rng, leader, even, [near * (-1, 1, 1), near], 0.8 * width, trim)
    elif not even:
        angle = np.arctan2(near[1], near[0])
        wing = _bar(arc(np.hypot(*near[:2]), -np.pi - angle, angle + 0.8, 24), 0.6 * width, 0.25 * thick)
        _add(made, "leg_1", trim, moved(wing, 0.57 * thick * Z))
        rows = np.multiply([(0.15, 0), (0.15, 0.75), (0.5, 0.75), (0.5, 1.3)], (width, thick))
        _add(made, "screw", trim, moved(lathe(rows, 12), near))
        made.spin("leg_2", "screw", near, Z)
    plate = block((0.4 * width, width, 0.001), (*path[6], 0.45 * thick))
    _fit(made, rng, [
        ("leg_2", "nameplate", plate),
        ("leg_1", "plate", mirrored(plate, 0)),
        (root, "cover", moved(_cap(0.8 * eye), (0, 0, (0.78 if even else 0.48) * thick))),
    ])  # fmt: skip


def clamp(rng: np.random.Generator) -> Shape:
    """A spring clamp of two arms, a bar clamp with a jaw that runs on its bar, or a screw in a bow."""
    made = Mechanism("clamp")
    (_spring_clamp if rng.random() < 0.4 else _screw_clamp)(made, rng)
    return _placed(made, rng, 0.6).finish(rng, ajar=0.4)


def _spring_clamp(made, rng) -> None:
    """Two arms that do not cross, on ears about a pin with a coil; pads on the jaws, some of them loose."""
    body, trim = finish(rng, "wood", *BODIES), finish(rng, "metal", "dark", "plastic")
    size, soft = rng.uniform(0.6, 1.8), finish(rng, "rubber", "plastic")
    jaw, grip, wide = size * rng.uniform((0.035, 0.05, 0.012), (0.06, 0.08, 0.022))
    width, ear, pad = size * rng.uniform((0.005, 0.006, 0.005), (0.008, 0.009, 0.008))
    off, sheet, gap, loose = rng.uniform(1.5, 1.9) * ear, 0.12 * wide, 0.0012 * size, rng.random() < 0.5
    end, tip = (grip, rng.uniform(0.3, 0.5) * grip + off), (-jaw, pad + 0.5 * width + gap)
    path = curve([tip, (-0.5 * jaw, rng.uniform(1.0, 1.6) * off), (0, off), end], 18)
    coil = arc(0.65 * ear, 0, 2 * np.pi * rng.integers(3, 6), 48)
    _add(made, "arm_1", trim, tube(np.c_[coil, np.linspace(-0.4, 0.4, 48) * wide], 0.13 * ear, 5))
    _add(made, "arm_1", trim, _rivet(0.4 * ear, wide + 4 * sheet))
    seat, seed = np.array([-jaw, tip[1] - 0.3 * width, 0]), int(rng.integers(2**31))
    sole = (rng.uniform(1.5, 2.5) * pad, 0.6 * pad, 0.95 * wide)
    foot = [block(sole, (-jaw, 0.3 * pad + gap, 0), 0.1 * pad)]
    foot.append(rod(seat - 0.4 * wide * Z, seat + 0.4 * wide * Z, 0.5 * pad, 10))
    for k, name in enumerate(("arm_1", "arm_2")):
        outer = 0.5 * wide + (k + 0.4) * sheet
        ears = _leaf([(s * outer, 1.1 * sheet) for s in (-1, 1)], [(0, 0), (0, off)], (2 * ear, 1.6 * width))
        ears.append(block((width, 0.6 * width, 2 * outer), (0, off, 0)))
        limb = _limb(np.random.default_rng(seed), path, width, wide, body, trim)
        pieces, link = [painted(s, body) for s in ears] + limb, f"pad_{k + 1}" if loose else name
        made.part(name, [mirrored(p, 1) for p in pieces] if k else pieces)
        _add(made, link, soft, *([mirrored(f, 1) for f in foot] if k else foot))
        if loose:
            made.hinge(name, link, seat * (1, 1 - 2 * k, 1), Z, -0.15, 0.15)
    reach = rng.uniform(1.4, 1.8) * np.arctan((end[1] - 0.8 * width) / grip)
    made.hinge("arm_1", "arm_2", (0, 0, 0), Z, 0, reach)
    sleeve = _bar(path[-5:], 1.5 * width, 1.15 * wide)
    cover = moved(_cap(0.7 * ear), (0.5 * wide + 2 * sheet) * Z)
    grips = [("arm_1", "grip_1", sleeve), ("arm_2", "grip_2", mirrored(sleeve, 1))]
    _fit(made, rng, [*grips, ("arm_1", "cover", cover)])


def _screw_clamp(made, rng) -> None:
    """A screw against a fixed jaw, held by a jaw on a bar or by the other end of a bow."""
    body, trim = finish(rng, "metal", "paint", "dark"), finish(rng, "metal", "dark", "brass")
    size, onbar = rng.uniform(0.5, 2.0), rng.random() < 0.6
    reach, wide, deep, gap = size * rng.uniform((0.05, 0.012, 0.007, 0.03), (0.1, 0.02, 0.011, 0.06))
    head = 0.6 * wide + 0.45 * deep + gap
    stem, high = head + size * rng.uniform(0.01, 0.03), reach * Y
    frame, holder = ("bar", "jaw") if onbar else ("frame", "frame")
    if onbar:
        length, root = stem + size * rng.uniform(0.1, 0.35), 0.5 * wide + 0.3 * deep
        bar = block((length + 0.4 * wide, wide, deep), (0.5 * length - 0.2 * wide, 0, 0), 0.1 * deep)
        _add(made, "bar", trim, bar)
        arm = _bar([(0, -0.3 * wide), (0, reach)], (1.3 * wide, 0.9 * wide), 1.5 * deep, 0.15 * deep)
        _add(made, "bar", body, arm)
        tall = reach - root + 0.6 * wide
        post = block((1.1 * wide, tall, 1.5 * deep), (stem, root + 0.5 * tall, 0), 0.15 * deep)
        _add(made, "jaw", body, post, *shifted(_collar(1.3 * wide, wide, deep, 0.35 * deep), stem * X))
        made.slide("bar", "jaw", X, -0.1 * gap, length - stem - 0.7 * wide)
    else:
        bend, straight = 0.4 * reach, rng.uniform(0.6, 0.8) * reach
        left = arc(bend, np.pi, 1.5 * np.pi, 7) + bend
        right = arc(bend, 1.5 * np.pi, 2 * np.pi, 7) + np.array([stem - bend, bend])
        bow = np.concatenate([[(0, reach), (0, straight)], left, right, [(stem, straight), (stem, reach)]])
        boss = rod((stem - 0.6 * wide) * X + high, (stem + 0.6 * wide) * X + high, 0.75 * deep, 16)
        _add(made, "frame", body, _bar(bow, 0.9 * wide, 1.3 * deep, 0.15 * deep), boss)
    _add(made, frame, body, rod(high, high + 0.6 * wide * X, 0.9 * deep, 16))
    sizes = (rng.uniform(0.3, 0.42) * deep, 0.9 * deep, gap)
    _clamp_screw(made, rng, holder, (head, stem + 0.6 * wide + gap, reach), sizes, trim)
    face, top = (0.75 * deep, 0.6 * wide) if onbar else (0.65 * deep, 0.45 * wide)
    label = block((0.25 * gap, 0.5 * wide, 0.2 * deep), (0.6 * stem, 0, face - 0.2 * deep * onbar))
    _fit(made, rng, [
        (frame, "cover", block((0.5 * wide, 0.5 * wide, 0.002), (0, 0.8 * reach, face))),
        (frame, "nameplate", label),
        (holder, "bracket", block((0.6 * wide, 0.3 * wide, deep), (stem, reach + top, 0), 0.1 * deep)),
    ])  # fmt: skip


def _clamp_screw(made, rng, holder, span, sizes, trim) -> None:
    """A screw along x with a pad on its tip and a handle: a grip, a knob, or a bar through its head."""
    (tip, end, y), (radius, pad, gap) = span, sizes
    front, back, at = np.array([tip, y, 0]), np.array([end, y, 0]), np.array([end + 2 * radius, y, 0])
    head = rod(back, back + 4 * radius * X, 1.5 * radius, 14)
    _add(made, "screw", trim, aimed(_thread(radius, end - tip, 22), X, front), head)
    advance = made.slide(holder, "screw", -X, 0, 0.85 * gap)
    foot = lathe([(pad, 0), (pad, 0.2 * pad), (0.6 * radius + 0.3 * pad, 0.5 * pad)], 18)
    _add(made, "pad", finish(rng, "metal", "plastic", "rubber"), aimed(foot, X, front - 0.45 * pad * X))
    if rng.random() < 0.5:
        made.socket("screw", "pad", front, 0.15)
    else:
        made.spin("screw", "pad", front, X)
    style = rng.choice(["grip", "knob", "bar"])
    if style == "bar":
        long = rng.uniform(4, 8) * radius
        ends = [at - long * Z, at + long * Z]
        _add(made, "handle", trim, rod(*ends, 0.6 * radius, 10), *(ball(0.95 * radius, e, 10) for e in ends))
        made.slide("screw", "handle", Z, -0.7 * (long - 2.5 * radius), 0.7 * (long - 2.5 * radius))
        return
    stretch = (2.6, rng.uniform(12, 18)) if style == "grip" else rng.uniform((3.5, 3), (5, 5))
    rows = np.multiply([(0.6, 0), (0.8, 0.1), (1, 0.3), (0.85, 0.6), (1, 0.85), (0.6, 1)], stretch)
    knob = aimed(lathe(radius * rows, int(rng.integers(6, 18))), X, at)
    _add(made, "handle", finish(rng, "wood", "plastic", "paint"), knob)
    made.spin("screw", "handle", at, X, (advance, 4 * np.pi / gap))


def _add(made, link, material, *solids) -> None:
    """Solids of one material that belong to a link."""
    made.part(link, [painted(s, material) for s in solids])


def _swung(point, angle) -> np.ndarray:
    """A point turned about the z axis."""
    return rotation_about(Z, angle) @ np.asarray(point)


def _strip(path, width) -> np.ndarray:
    """The outline of a band along a plane path, its width one number or one per point, with round ends."""
    path = np.asarray(path, np.float64)
    half = np.broadcast_to(np.asarray(width, np.float64), len(path)) / 2
    along = np.gradient(path, axis=0)
    heading = np.arctan2(along[:, 1], along[:, 0])
    side = (half * [-np.sin(heading), np.cos(heading)]).T[1:-1]
    first = path[0] + arc(half[0], heading[0] + 0.5 * np.pi, heading[0] + 1.5 * np.pi, 9)
    last = path[-1] + arc(half[-1], heading[-1] - 0.5 * np.pi, heading[-1] + 0.5 * np.pi, 9)
    return np.concatenate([first, path[1:-1] - side, last, (path[1:-1] + side)[::-1]])


def _bar(path, width, thick, bevel=0.0) -> Shape:
    """A flat bar along a plane path."""
    return extrude(_strip(path, width), thick, bevel)


def _leaf(layer, path, width) -> list[Shape]:
    """Thin bars about a pin, one at each level of a layer."""
    return [moved(_bar(path, width, high), z * Z) for z, high in layer]


def _layers(rng, thick) -> tuple[list, list]:
    """Levels and thicknesses of two arms' leaves on one pin: lapped, or a tongue in a fork."""
    if rng.random() < 0.5:
        return [(-thick / 4, thick / 2)], [(thick / 4, thick / 2)]
    return [(-thick / 3, thick / 3), (thick / 3, thick / 3)], [(0.0, thick / 3)]


def _limb(rng, path, width, thick, body, trim) -> list[Shape]:
    """An arm along a plane path: a flat bar, one with a sleeve, a turned rod, or bent wire."""
    style = rng.choice(["flat", "sleeve", "turned", "wire"], p=[0.35, 0.25, 0.25, 0.15])
    flat = min(thick, width)
    if style == "wire":
        outline = _strip(path, 0.8 * width)
        return [painted(loop(np.c_[outline, np.zeros(len(outline))], 0.3 * flat, 8), body)]
    if style == "turned":
        swell = 0.5 + rng.uniform(0.02, 0.12) * np.sin(np.linspace(0, rng.integers(1, 6) * np.pi, len(path)))
        return [painted(tube(np.c_[path, np.zeros(len(path))], width * swell, 12, rounded=True), body)]
    bars = [painted(_bar(path, width, thick, rng.uniform(0.02, 0.2) * flat), body)]
    if style == "sleeve":
        bars.append(painted(_bar(path[len(path) // 2 :], 1.15 * width, 1.25 * thick, 0.2 * flat), trim))
    return bars


def _rivet(radius, thick) -> Shape:
    """A pin along z with a head on either face."""
    top = thick / 2
    rows = [(0.6 * radius, -top - 0.35 * radius), (radius, -top), (0.5 * radius, -top)]
    return lathe([*rows, *((r, -z) for r, z in rows[::-1])], 14)


def _cap(radius) -> Shape:
    """A shallow disc for the face of a pin."""
    return lathe([(radius, 0), (radius, 0.1 * radius), (0.6 * radius, 0.4 * radius)], 16)


def _thread(radius, length, turns) -> Shape:
    """A ridged screw from 0 up the z axis."""
    rows = [(0.82 + 0.18 * (k % 2), k / 2 / turns) for k in range(2 * turns + 1)]
    return lathe(np.multiply(rows, (radius, length)), 10)


def _collar(run, tall, deep, wall) -> list[Shape]:
    """Four walls around a bar along x."""
    faces = [block((run, tall + 2 * wall, wall), (0, 0, s * 0.5 * (deep + wall))) for s in (-1, 1)]
    return faces + [block((run, wall, deep), (0, s * 0.5 * (tall + wall), 0)) for s in (-1, 1)]


def _bite(rng, bowls, at, cup, deep, thick) -> list[Shape]:
    """What holds the nut: a cup that opens towards −y, or a row of ridges."""
    low = np.array([*at, 0])
    if bowls:
        rows = np.multiply([(0.4, 0), (0.8, 0.25), (1, 1), (0.85, 1), (0.65, 0.4), (0, 0.25)], (cup, deep))
        return [aimed(lathe(rows, 18), -Y, low + deep * Y)]
    size = 2 * cup / (count := int(rng.integers(4, 8)))
    tooth = rod(-0.5 * thick * Z, 0.5 * thick * Z, 0.45 * size, 8)
    places = [low + ((k + 0.5) * size - cup) * X + 0.45 * size * Y for k in range(count)]
    plate = block((2 * cup, deep - 0.2 * size, thick), low + (0.5 * deep + 0.3 * size) * Y)
    return [plate, *(moved(tooth, p) for p in places)]


def _fit(made, rng, choices) -> None:
    """Now and then one to four rigid fittings as links of their own: parent, name and solid of each."""
    if rng.random() < 0.4:
        count = min(int(rng.integers(1, 5)), len(choices))
        for k in sorted(rng.choice(len(choices), count, replace=False)):
            parent, name, solid = choices[k]
            _add(made, name, finish(rng, "metal", "brass", "dark", "plastic", "rubber"), solid)
            made.weld(parent, name)


def _placed(made, rng, chance) -> Mechanism:
    """The mechanism built in the plane z = 0, by chance stood up so that its y points upwards."""
    if rng.random() < chance:
        stand = rotation_about(X, np.pi / 2)
        made.pieces = [(link, turned(piece, X, np.pi / 2)) for link, piece in made.pieces]
        made.joints = [replace(j, at=stand @ j.at, axis=stand @ j.axis) for j in made.joints]
    return made
