"""Drawing compasses and calipers."""

from __future__ import annotations

import numpy as np

from neurok.geometry.rotations import rotation_about
from neurok.objects.kit.extras import weld_some
from neurok.objects.kit.finishes import finish
from neurok.objects.kit.mechanism import Mechanism
from neurok.objects.kit.outlines import arc, curve
from neurok.objects.kit.pivots import (
    BODIES,
    TRIMS,
    collar_around,
    flat_bar,
    laid_or_stood,
    leaf_layers,
    limb_along,
    pin_cap,
    pin_leaves,
    rivet,
    threaded,
)
from neurok.objects.kit.placing import X, Y, Z, aimed, mirrored, moved, shifted, turned
from neurok.objects.kit.solids import block, extrude, lathe, rod, torus, tube
from neurok.objects.registry import family
from neurok.shapes.robots.assembly import painted
from neurok.shapes.shape import Shape


@family(number=25)
def drawing_compass(rng: np.random.Generator) -> Shape:
    """Two legs with needles, leads or pencils on a head: free, symmetric, or set by a screw."""
    made = Mechanism("drawing_compass")
    body, trim = finish(rng, *BODIES), finish(rng, "metal", "brass", "dark")
    length, thick, eye, slim = rng.uniform((0.09, 0.005, 0.006, 0.55), (0.19, 0.009, 0.01, 0.9))
    width, half = slim * eye, 0.55 * slim * eye + 0.0006
    knees = [(), (1,), (0,), (0, 1)][rng.choice(4, p=[0.5, 0.15, 0.15, 0.2])]
    splay = rng.uniform(0.25, 0.4) if knees else rng.choice([0.0, rng.uniform(0.1, 0.35)])
    even, layers, seed = rng.random() < 0.6, leaf_layers(rng, thick), int(rng.integers(2**31))
    root = _head(made, rng, even, eye, thick, layers[0], trim)
    tools = rng.permutation(["needle", rng.choice(["needle", "lead", "pencil"])])
    knee = -rng.uniform(0.45, 0.6) * length
    for k, sign in enumerate((-1, 1)):
        name, stop = f"leg_{k + 1}", knee + 1.3 * width if k in knees else -length
        upper = pin_leaves(layers[k], [(0, 0), (half, -1.8 * eye)], (1.9 * eye, 1.1 * width))
        path = np.linspace((half, -1.8 * eye), (half, stop), 6)
        limb = limb_along(np.random.default_rng(seed), path, width, 0.9 * thick, body, trim)
        lower, tool = [], _tool(rng, tools[k], (half, -length), width, trim)
        if k in knees:
            fork, tongue = leaf_layers(rng, 0.9 * thick)
            upper += pin_leaves(fork, [(half, stop), (half, knee)], width)
            upper.append(moved(rivet(0.3 * width, 0.9 * thick), (half, knee, 0)))
            shank = [(half, knee - 1.3 * width), (half, -length)]
            lower = pin_leaves(tongue, [(half, knee), shank[0]], width)
            lower.append(flat_bar(shank, (width, 0.8 * width), 0.85 * thick))
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
    offers = [
        ("leg_2", "band_2", turned(band, Z, splay)),
        ("leg_1", "band_1", turned(mirrored(band, 0), Z, -splay)),
        (root, "cover", moved(pin_cap(0.7 * eye), (0, 0, (0.78 if even else 0.48) * thick))),
    ]
    weld_some(made, rng, offers, TRIMS, in_order=True)
    return laid_or_stood(made, rng, 0.85).finish(rng, ajar=0.4)


def _tool(rng, kind, at, width, trim) -> list[Shape]:
    """The tip of a leg: a needle, a lead, or a pencil in a collar at its side."""
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


def _swung(point, angle) -> np.ndarray:
    """A point turned about the z axis."""
    return rotation_about(Z, angle) @ np.asarray(point)


@family(number=26)
def caliper(rng: np.random.Generator) -> Shape:
    """A beam with a sliding jaw, or two curved legs on a pin."""
    made = Mechanism("caliper")
    (_beam_caliper if rng.random() < 0.6 else _leg_caliper)(made, rng)
    return laid_or_stood(made, rng, 0.5).finish(rng, ajar=0.45)


def _beam_caliper(made, rng) -> None:
    """A beam with jaws at its end and on a carriage, marks and a gauge; sometimes a large wooden one."""
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
    made.add("beam", body, beam, *blades)
    made.add("beam", trim, *(moved(mark, x * X) for x in ticks))
    made.add("carriage", body, *shifted([mirrored(b, 0) for b in blades], gap * X))
    made.add("carriage", body, *shifted(collar_around(run, tall, deep, wall), (gap + run / 2) * X))
    if upper and rng.random() < 0.6:
        start, back = np.array([[gap + 0.3 * run, 0, 0], [length, 0, 0]]) - (0.5 * deep + wall) * Z
        made.add("carriage", trim, rod(start, back, 0.3 * deep, 8))
    slide = made.slide("beam", "carriage", X, 0, 0.97 * length - run - gap)
    _gauge(
        made,
        rng,
        slide,
        np.array([gap + 0.5 * run, 0.1 * tall, 0.5 * deep + wall]),
        (run, tall, deep),
        length,
    )
    if rng.random() < 0.5:
        at = np.array([gap + 0.85 * run, -0.7 * tall - wall, 0])
        wheel = lathe(np.multiply([(0.8, -0.4), (1, 0), (0.8, 0.4)], (0.3 * tall, deep)), 16)
        made.add("roller", trim, moved(wheel, at))
        made.spin("carriage", "roller", at, Z)
    if rng.random() < 0.6:
        at = np.array([gap + rng.uniform(0.3, 0.7) * run, 0.5 * tall, 0])
        rows = [(0.08, 0), (0.08, 0.4), (0.2, 0.4), (0.2, 0.7)]
        made.add("screw", trim, aimed(lathe(np.multiply(rows, tall), 12), Y, at))
        made.spin("carriage", "screw", at, Y)
    offers = [
        ("beam", "cap", block((0.2 * tall, 1.1 * tall, 1.3 * deep), length * X, 0.1 * deep)),
        ("beam", "nameplate", block((0.5 * root, edge, 0.1 * deep), (-0.55 * root, 0, 0.52 * deep))),
        ("carriage", "bracket", block((0.15 * run, 0.5 * tall, deep), (gap + 0.55 * run, -0.6 * tall, 0))),
    ]
    weld_some(made, rng, offers, TRIMS, in_order=True)


def _gauge(made, rng, slide, at, size, length) -> None:
    """The scale of a carriage: marks, a display, or a dial with a coupled needle."""
    (run, tall, deep), kind = size, rng.choice(["marks", "display", "dial"])
    if kind == "display":
        box = block((0.75 * run, 1.5 * tall, 0.8 * deep), at + 0.35 * deep * Z, 0.15 * deep)
        made.add("carriage", finish(rng, "dark", "plastic"), box)
        glass = block((0.45 * run, 0.7 * tall, 0.1 * deep), at + 0.76 * deep * Z)
        made.add("carriage", finish(rng, "glass", "pale"), glass)
    elif kind == "dial":
        rows = np.multiply([(0.8, -0.1), (1, 0.4), (1, 0.8), (0.85, 0.9)], (tall, deep))
        made.add("carriage", finish(rng, "pale", "dark"), moved(lathe(rows, 28), at))
        hand = flat_bar([(0, -0.1 * tall), (0, 0.7 * tall)], (0.14 * tall, 0.05 * tall), 0.12 * deep)
        made.add("needle", finish(rng, "brass", "plastic"), moved(hand, at + 0.95 * deep * Z))
        made.spin("carriage", "needle", at, -Z, (slide, 4 * np.pi / length))


def _leg_caliper(made, rng) -> None:
    """Legs that bow outwards, or tips turned outwards; a screw or a wing holds them."""
    body, trim = finish(rng, "metal", "brass", "dark", "wood"), finish(rng, "metal", "brass")
    length, thick, eye, slim = rng.uniform((0.1, 0.005, 0.008, 0.7), (0.3, 0.01, 0.014, 1.0))
    width, half, even, root = slim * eye, 0.6 * slim * eye, rng.random() < 0.5, "leg_1"
    layers, start, bow = leaf_layers(rng, thick), (half, -1.8 * eye), rng.uniform(0.15, 0.4) * length
    points = [(half, -0.5 * length), (half, -0.9 * length), (half + rng.uniform(0.5, 1.5) * width, -length)]
    if rng.random() < 0.6:
        points = [(half + 0.8 * bow, -0.3 * length), (half + bow, -0.6 * length), (0.3 * width, -length)]
    path = curve([start, *points], 20)
    limb = flat_bar(path, np.linspace(width, rng.uniform(0.35, 0.6) * width, 20), 0.9 * thick, 0.06 * thick)
    if even:
        root = _head(made, rng, True, eye, thick, layers[0], trim)
    else:
        made.add(root, trim, rivet(0.7 * eye, thick))
    for k in range(2):
        solids = [*pin_leaves(layers[k], [(0, 0), start], (2 * eye, 1.1 * width)), limb]
        made.add(f"leg_{k + 1}", body, *(solids if k else [mirrored(s, 0) for s in solids]))
    leader = _legs(made, rng, even, root, 0.0, 0.4)
    near = np.array([*path[np.abs(path[:, 1] + rng.uniform(0.2, 0.3) * length).argmin()], 0])
    if leader and rng.random() < 0.5:
        _spindle(made, rng, leader, even, [near * (-1, 1, 1), near], 0.8 * width, trim)
    elif not even:
        angle = np.arctan2(near[1], near[0])
        wing = flat_bar(arc(np.hypot(*near[:2]), -np.pi - angle, angle + 0.8, 24), 0.6 * width, 0.25 * thick)
        made.add("leg_1", trim, moved(wing, 0.57 * thick * Z))
        rows = np.multiply([(0.15, 0), (0.15, 0.75), (0.5, 0.75), (0.5, 1.3)], (width, thick))
        made.add("screw", trim, moved(lathe(rows, 12), near))
        made.spin("leg_2", "screw", near, Z)
    plate = block((0.4 * width, width, 0.001), (*path[6], 0.45 * thick))
    offers = [
        ("leg_2", "nameplate", plate),
        ("leg_1", "plate", mirrored(plate, 0)),
        (root, "cover", moved(pin_cap(0.8 * eye), (0, 0, (0.78 if even else 0.48) * thick))),
    ]
    weld_some(made, rng, offers, TRIMS, in_order=True)


def _head(made, rng, even, eye, thick, layer, trim) -> str:
    """Cheeks with the pin and a handle, or both on the first leg. Returns their link."""
    link, cheeks = ("head", [(s * 0.65 * thick, 0.3 * thick) for s in (-1, 1)]) if even else ("leg_1", layer)
    yoke = block((1.4 * eye, eye, 1.5 * thick), (0, 1.7 * eye, 0), 0.1 * eye)
    made.add(link, trim, *pin_leaves(cheeks, [(0, 0), (0, 1.9 * eye)], 1.6 * eye), yoke)
    made.add(link, trim, rivet(0.5 * eye, (1.6 if even else 1) * thick))
    if rng.random() < 0.25:
        made.add(link, trim, moved(torus(0.8 * eye, 0.2 * eye, 24, 8), 2.8 * eye * Y))
    rows = [(1.0 + 0.15 * (k % 2), z) for k, z in enumerate(np.linspace(0, 1, int(rng.integers(4, 10))))]
    size = rng.uniform((0.25, 1.2), (0.5, 3.0)) * eye
    knob = lathe(np.multiply([*rows, (0.5, 1.08)], size), 14)
    made.add(link, finish(rng, "metal", "dark", "brass"), aimed(knob, Y, 2.1 * eye * Y))
    return link


def _legs(made, rng, even, root, inward, outward) -> str:
    """Joints of a pair of legs: both on a head, or one on the other. Returns the leading joint, if any."""
    if not even:
        return made.hinge(root, "leg_2", (0, 0, 0), Z, -2 * inward, 2 * outward)
    leader = made.hinge(root, "leg_1", (0, 0, 0), -Z, -inward, outward)
    follows = (leader, 1.0) if rng.random() < 0.7 else None
    made.hinge(root, "leg_2", (0, 0, 0), Z, -inward, outward, follows)
    return leader if follows else ""


def _spindle(made, rng, leader, even, at, width, trim) -> None:
    """A screw across a pair of legs that stays level as they open, with a wheel on its outer end."""
    (left, right), wheel = at, rng.uniform(0.8, 1.4) * width
    outer, far = left - (0.6 * width + 0.8 * wheel) * X, right + 0.75 * abs(left[1]) * X
    made.add("spindle", trim, aimed(threaded(0.2 * width, far[0] - outer[0], 14), X, outer))
    made.hinge("leg_1", "spindle", left, Z, -0.4, 0.8, (leader, 1.0 if even else 0.5))
    rows = np.multiply([(0.8, -0.2), (1, -0.1), (1, 0.1), (0.8, 0.2)], wheel)
    made.add("wheel", trim, aimed(lathe(rows, int(rng.integers(10, 20))), X, outer + 0.15 * wheel * X))
    made.spin("spindle", "wheel", outer, X)
