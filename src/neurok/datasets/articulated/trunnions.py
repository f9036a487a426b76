"""What tilts on pins between two arms: stage lights and standing mirrors."""

# ruff: noqa: RUF005 — point + (x, y, z) adds vectors here

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from jaxtyping import Float

from neurok.datasets.articulated.casework import open_case
from neurok.datasets.articulated.extras import weld_or_part, weld_some
from neurok.datasets.articulated.finishes import finish
from neurok.datasets.articulated.mechanism import Mechanism
from neurok.datasets.articulated.outlines import arc, corners, curve, inset, lifted, rectangle
from neurok.datasets.articulated.panels import border_bars, walls
from neurok.datasets.articulated.placing import (
    X,
    Y,
    Z,
    aimed,
    around,
    mirrored,
    moved,
    shifted,
    turned,
    upright,
)
from neurok.datasets.articulated.solids import (
    ball,
    block,
    dowel,
    extrude,
    lathe,
    loop,
    prism_along_x,
    ring,
    rod,
    tube,
)
from neurok.shapes.articulated.assembly import painted
from neurok.shapes.shape import Shape

Array = np.ndarray
SIDES = (-1, 1)


@dataclass(frozen=True)
class Unit:
    """A head in its bracket, with the pivot at the origin and the foot of the bracket at z = −drop."""

    head: list[Shape]
    offers: list[tuple[str, list[Shape]]]
    yoke: list[Shape]
    seat: list[Shape]  # what of the base holds the foot
    drop: float
    top: float  # of the head
    reach: float  # how far from the pivot the head and the arms get
    tilt: tuple[float, float]


def stage_light(rng: np.random.Generator) -> Shape:
    """One to three lamp heads that tilt in brackets, which often turn, on a base, stand or pipe."""
    made, count = Mechanism("stage_light"), int(rng.choice([1, 2, 3], p=[0.7, 0.17, 0.13]))
    unit, hangs = _unit(rng, rng.uniform(0.06, 0.16)), rng.random() < 0.4
    sockets = (_hanging if hangs else _standing)(made, rng, count, unit)
    sign, offers = -1 if hangs else 1, []
    turns, apart = rng.random() < 0.72, rng.random() < 0.5
    for k, socket in enumerate(sockets):
        tag = f"_{k + 1}" if count > 1 else ""
        pivot, dummy = socket + sign * unit.drop * Z, k > 0 and rng.random() < 0.2

        def placed(pieces, pivot=pivot):
            return shifted([mirrored(p, 2) for p in pieces] if hangs else pieces, pivot)

        yoke, head = f"yoke{tag}" if turns or apart else "base", f"head{tag}"
        made.part("base", placed(unit.seat))
        made.part(yoke, placed(unit.yoke))
        if turns and not dummy:
            way = rng.uniform(0.8, 3.0)
            made.hinge("base", yoke, socket, Z, -way, way)
        elif yoke != "base":
            made.weld("base", yoke)
        made.part(head, placed(unit.head))
        if dummy:
            made.weld(yoke, head)
        else:
            made.hinge(yoke, head, pivot, sign * X, *unit.tilt)
        offers += [(head, name, placed(pieces)) for name, pieces in unit.offers]
    weld_or_part(made, rng, offers)
    return made.finish(rng, ajar=0.5)


def _unit(rng, r) -> Unit:
    """A lamp head between the arms of a yoke, or on a lug between two small ears."""
    skin, metal = finish(rng, "dark", "metal", "paint", "plastic"), finish(rng, "metal", "dark", "brass")
    solids, offers = _lamp(rng, r, skin)
    everything = [*solids, *(p for _, pieces in offers for p in pieces)]
    pin, gap, lug = rng.uniform(0.07, 0.14) * r, rng.uniform(0.02, 0.08) * r, rng.random() < 0.25
    half = max(np.abs(p.vertices[:, 0]).max() for p in everything) + gap
    if lug:
        lift = rng.uniform(0.28, 0.4) * r - min(p.vertices[:, 2].min() for p in everything)
        half = rng.uniform(0.1, 0.2) * r + gap
        inner = half - gap
        tongue = [block((2 * inner, 0.3 * r, lift), (0, 0, lift / 2)), dowel(0 * X, inner * X, 0.15 * r)]
        solids, everything = shifted(solids, lift * Z), shifted(everything, lift * Z)
        solids += [painted(s, metal) for s in tongue]
        offers = [(name, shifted(pieces, lift * Z)) for name, pieces in offers]
    points = np.concatenate([p.vertices for p in everything])
    far = np.linalg.norm(points, axis=1).max()
    room = _room(points, rng.uniform(0.2, 0.6) * r if lug else rng.uniform(0.5, 1.02) * far) + 0.2 * r
    deep = 0.16 * r if lug else rng.uniform(0.15, 0.35) * r
    yoke, thick, room, low = bracket(rng, half, room, np.inf if lug else far, deep)
    foot, seat, drop = _foot(rng, r, room, low)
    bolts = [rod(s * 0.5 * (half - gap) * X, s * (half + 1.3 * thick) * X, pin, 12) for s in SIDES]
    knob = lathe([(2.2 * pin, 0), (2.2 * pin, pin), (1.5 * pin, 1.8 * pin)], int(rng.choice([6, 8, 16])))
    if rng.random() < 0.6:
        bolts += [aimed(knob, s * X, s * (half + thick) * X) for s in SIDES[int(rng.integers(2)) :]]
    on_head = rng.random() < 0.5
    trim, frame = [painted(b, metal) for b in bolts], finish(rng, "dark", "metal", "paint")
    yoke = [painted(s, frame) for s in [*yoke, *foot]] + ([] if on_head else trim)
    want = rng.uniform(0.4, 1.9, 2)
    tilt = (-_swing(points, room - 0.15 * r, -want[0]), _swing(points, room - 0.15 * r, want[1]))
    reach = max(far, half + 2 * thick + 2 * pin)
    head, seat = solids + (trim if on_head else []), [painted(s, metal) for s in seat]
    return Unit(head, offers, yoke, seat, drop, points[:, 2].max(), reach, tilt)


def _lamp(rng, r, skin) -> tuple[list[Shape], list[tuple[str, list[Shape]]]]:
    """A lamp head about the origin that faces −y, and what is mounted on it."""
    kind = str(rng.choice(["can", "box", "snout", "barrel", "batten", "globe"]))
    sides, trim = int(rng.choice([8, 14, 24])), finish(rng, "dark", "metal", "paint")
    front, rear = r * rng.uniform((0.7, 0.5), (1.5, 1.2))
    face, square = np.array([r, r]), kind in ("box", "batten")
    if kind == "can":
        rows = [(0.6 * r, -rear), (r, -0.5 * rear), (r, front), (0.9 * r, front), (0.9 * r, 0.7 * front)]
        solids = [aimed(lathe([*rows, (0, 0.7 * front)], sides), -Y)]
    elif kind == "globe":
        bowl = arc(r, -np.pi / 2, rng.uniform(0.5, 0.9), 9).round(9)
        face, front, rear = np.full(2, bowl[-1, 0]), bowl[-1, 1], r
        solids = [aimed(lathe(bowl, sides), -Y)]
    elif kind == "barrel":
        wide, front = rng.uniform(0.45, 0.65) * r, 1.5 * front
        face = np.full(2, 1.15 * wide)
        rows = [(wide, -0.2 * r), (wide, 0.6 * front), (1.15 * wide, 0.62 * front), (1.15 * wide, front)]
        solids = [aimed(lathe([*rows, (wide, front), (wide, 0.8 * front), (0, 0.8 * front)], sides), -Y)]
        solids.append(block((1.6 * r, 0.8 * r + rear, 1.5 * r), (0, (rear - 0.4 * r) / 2, 0), 0.1 * r))
    else:
        face = r * rng.uniform(*([(1.6, 0.4), (3.5, 0.8)] if kind == "batten" else [(0.7, 0.7), (1.1, 1.1)]))
        solids = [block((2 * face[0], front + rear, 2 * face[1]), (0, (rear - front) / 2, 0), 0.08 * r)]
    if kind == "snout":
        face = np.full(2, 0.9 * face.min())
        rows = np.multiply([(1, 0.9), (1, 1.4), (0.9, 1.4), (0.9, 1), (0, 1)], (face[0], front))
        solids.append(aimed(lathe(rows, sides), -Y))
        front *= 1.4
    offers = _lamp_extras(rng, r, face, front, rear, square)
    return [painted(s, skin) for s in solids], [(n, [painted(s, trim) for s in made]) for n, made in offers]


def _lamp_extras(rng, r, face, front, rear, square) -> list[tuple[str, list[Shape]]]:
    """Some of: barn doors, a lens, a grille, a rim, fins and a handle behind, a power box."""
    (a, c), t, offers = face, 0.03 * r, []
    if (style := rng.random()) < 0.35:
        long, splay = rng.uniform(0.5, 1.1) * c, rng.uniform(0.1, 0.7)
        leaf = turned(block((1.9 * a, 1.1 * long, t), (0, -0.45 * long, 0)), X, -splay)
        wing = turned(block((t, 1.1 * long, 1.6 * c), (0, -0.45 * long, 0)), Z, 0.15)
        top, side = moved(leaf, (0, -front, c - t)), moved(wing, (a - t, -front, 0))
        doors = [top, mirrored(top, 2), side, mirrored(side, 0)][: int(rng.choice([2, 4]))]
        offers += [(f"flap_{k + 1}", [door]) for k, door in enumerate(doors)]
    elif style < 0.6 and not square:
        hoop = ring(rectangle(0.1 * r, 0.3 * r) + np.array([a, 0]), 16)
        offers.append(("rim", [aimed(hoop, -Y, (0, -front, 0))]))
    elif style < 0.6:
        offers.append(("visor", [block((2 * a, 0.6 * c, t), (0, -front - 0.28 * c, c - t))]))
    if rng.random() < 0.5:
        spots = np.linspace(-0.6, 0.6, int(rng.integers(2, 6)))
        tall = 1.8 * c * (np.ones_like(spots) if square else np.sqrt(1 - spots**2))
        bars = [block((0.1 * r, t, h), (x * a, -front, 0)) for x, h in zip(spots, tall, strict=True)]
        bars.append(block((1.8 * a, t, 0.1 * r), (0, -front, 0)))
        offers.append(("grille", bars))
    elif square:
        cells = max(1, round(a / c))
        spots = (np.arange(cells) + 0.5) / cells * 2 * a - a
        offers.append(("lens", [dowel((x, -front, 0), 0.05 * r * Y, 0.75 * min(c, a), 14) for x in spots]))
    if rng.random() < 0.5:
        high = rng.uniform(0.3, 0.5) * c
        bow = curve([(0, 0, -high), (0, 0.35 * r, -high), (0, 0.35 * r, high), (0, 0, high)], 10)
        offers.append(("handle", [tube(bow + (rear - 0.14 * r) * Y, 0.05 * r, 8)]))
    elif rng.random() < 0.5:
        fins = np.linspace(-0.35, 0.35, int(rng.integers(3, 7)))
        offers.append(("cooler", [block((t, 0.3 * r, 0.7 * c), (x * a, rear, 0)) for x in fins]))
    if rng.random() < 0.3:
        offers.append(("box", [block((0.7 * a, 0.6 * rear, 0.5 * c), (0, 0.4 * rear, -c), 0.05 * r)]))
    return offers


def _room(points: Float[Array, "n 3"], wish: float) -> float:
    """How far below its pivot a head leaves space: as wished, and enough to tilt a little."""
    angle = np.linspace(-0.4, 0.4, 9)[:, None]
    return max(wish, -(points[:, 1] * np.sin(angle) + points[:, 2] * np.cos(angle)).min())


def _swing(points: Float[Array, "n 3"], room: float, want: float) -> float:
    """How far, up to `want`, points turn about x before one of them is lower than −room."""
    angle = np.linspace(0, want, 41)
    lowest = (points[:, 1] * np.sin(angle)[:, None] + points[:, 2] * np.cos(angle)[:, None]).min(1)
    hits = np.flatnonzero(lowest < -room)
    return float(abs(angle[max(hits[0] - 1, 1)] if len(hits) else want))


def bracket(
    rng: np.random.Generator, half: float, room: float, reach: float, deep: float
) -> tuple[list[Shape], float, float, float]:
    """Arms on either side of a pivot at the origin, at x = ±half, joined below z = −room.

    Solids, how thick the arms are, the room that there is, and the z of the lowest face.
    """
    kind, t = str(rng.choice(["strap", "bent", "cast", "hoop"])), rng.uniform(0.25, 0.6) * deep
    x = half + t / 2
    eyes = [dowel((s * x, 0, 0), t / 2 * X, rng.uniform(0.55, 0.8) * deep, 14) for s in SIDES]
    if kind == "hoop" and room > 0.4 * reach:
        radius = max(reach, half) + t
        path = np.insert(arc(radius, np.pi, 2 * np.pi, 17), 1, 0.0, 1)
        links = [rod(s * half * X, s * radius * X, 0.5 * deep, 12) for s in SIDES]
        return [tube(path, t / 2, 8), *links], radius - half, radius - t / 2, -radius - t / 2
    if kind == "bent":
        bend = min(0.3 * half, 0.3 * room)
        low, side = room + 0.3 * bend + t / 2, arc(bend, np.pi, 1.5 * np.pi, 5) + (bend - x, bend)
        left = np.r_[[(-x, low)], side]
        path = np.r_[left, (left * (-1, 1))[::-1]] - (0, low)
        return [tube(np.insert(path, 1, 0.0, 1), t / 2, 8), *eyes], t, low - t / 2, -low - t / 2
    bar = block((2 * half + 2 * t, deep, t), (0, 0, -room - t / 2))
    if kind == "cast":
        foot, drop = rng.uniform(0.7, 1.6) * deep, room + t / 2
        outline = [(-0.5 * deep, 0), (-foot, -drop), (foot, -drop), (0.5 * deep, 0)]
        bar = block((2 * half + 2 * t, 2 * foot, t), (0, 0, -room - t / 2), 0.1 * t)
        arms = [moved(prism_along_x(outline, t), s * x * X) for s in SIDES]
    else:
        arms = [block((t, deep, room + t), (s * x, 0, -(room + t) / 2)) for s in SIDES]
    return [bar, *arms, *eyes], t, room, -room - t


def _foot(rng, r, room, low) -> tuple[list[Shape], list[Shape], float]:
    """Below a bracket: a stud in a collar, a disc that lies in the base, or a bolt up from the base.

    Solids of the bracket, of the base, and how far below the pivot the base is.
    """
    kind, stud, tall = str(rng.choice(["stud", "disc", "bolt"])), *rng.uniform((0.08, 0.1), (0.2, 0.5)) * r
    if kind == "disc":
        wide, sunk = rng.uniform(0.3, 0.8) * r, rng.uniform(0.0, 0.6) * 0.15 * r
        drop = 0.15 * r - sunk - low
        return [lathe([(wide, -drop - sunk), (wide, low + 0.01 * r)], 20)], [], drop
    if kind == "bolt":
        nut = lathe([(1.7 * stud, -room), (1.7 * stud, 0.1 * r - room)], 6)
        washer = lathe([(2.2 * stud, low - 0.01 * r), (2.2 * stud, -room)], 14)
        return [washer], [rod((0, 0, low - 0.1 * r), (0, 0, 0.13 * r - room), stud, 10), nut], 0.01 * r - low
    drop = tall - low
    section = rectangle(0.6 * stud, 0.7 * tall) + np.array([1.32 * stud, -drop + 0.3 * tall])
    return [rod((0, 0, -drop - 0.05 * r), (0, 0, low + 0.01 * r), stud, 14)], [ring(section, 16)], drop


def _standing(made, rng, count, unit) -> list[Array]:
    """A plate, a box, a pole with feet, or a low or high bar; where brackets stand on it."""
    skin, trim = finish(rng, "dark", "metal", "paint", "wood"), finish(rng, "metal", "dark")
    reach = unit.reach
    kind = str(rng.choice(["plate", "box", "pole", "pole"] if count == 1 else ["bar", "pole"]))
    thick, step = rng.uniform(0.08, 0.2) * reach, rng.uniform(2.05, 2.5) * reach
    places = (np.arange(count) - (count - 1) / 2) * step
    if kind == "plate":
        wide = rng.uniform(0.6, 1.0) * reach
        disc = lathe([(wide, 0), (wide, 0.6 * thick), (0.8 * wide, thick)], int(rng.choice([4, 8, 24])))
        made.add("base", skin, disc)
        return [thick * Z]
    if kind in ("box", "bar"):
        deep, high = rng.uniform((0.8, 0.25), (1.6, 0.6)) * reach if kind == "box" else (0.7 * reach, thick)
        long = rng.uniform(1.0, 1.9) * reach if kind == "box" else places[-1] - places[0] + reach
        made.add("base", skin, block((long, deep, high), (0, 0, thick / 2 + high / 2), 0.06 * high))
        foot, spots = rod((0, 0, 0), 0.6 * thick * Z, 0.06 * reach, 8), corners(0.42 * long, 0.4 * deep)
        label = block((0.4 * long, 0.02 * reach, 0.5 * high), (0, -deep / 2, (thick + high) / 2))
        made.add("base", trim, label, *(moved(foot, (*spot, 0)) for spot in spots))
        return [np.array([x, 0, thick / 2 + high]) for x in places]
    tall, pole, splay = reach * rng.uniform((2.0, 0.06, 0.9), (6.0, 0.12, 1.5))
    made.add("base", trim, rod((0, 0, 0.2 * reach), (0, 0, tall), pole, 14))
    path = [(0, 0, 0.9 * reach), (splay, 0, 0.03 * reach), (1.1 * splay, 0, 0.03 * reach)]
    leg = tube(path, 0.5 * pole, 8)
    if rng.random() < 0.6:
        made.add("base", skin, around(leg, int(rng.integers(3, 5))))
    else:
        made.add("base", skin, lathe([(splay, 0), (splay, thick / 2), (2 * pole, 2 * thick)], 20))
    if count > 1:
        long = places[-1] - places[0] + 0.6 * reach
        made.add("base", skin, block((long, 2.2 * pole, 2 * pole), (0, 0, tall)))
        return [np.array([x, 0, tall + pole]) for x in places]
    made.add("base", skin, lathe([(1.3 * pole, tall - 0.2 * reach), (2 * pole, tall)], 12))
    return [tall * Z]


def _hanging(made, rng, count, unit) -> list[Array]:
    """A pipe or a truss, on posts or not, or a single hook; where brackets hang from it."""
    skin, trim, reach = finish(rng, "metal", "dark", "paint"), finish(rng, "metal", "dark"), unit.reach
    kind = str(rng.choice(["pipe", "truss", "hook"] if count == 1 else ["pipe", "truss"]))
    step, bar = rng.uniform(2.05, 2.5) * reach, rng.uniform(0.08, 0.14) * reach
    places = (np.arange(count) - (count - 1) / 2) * step
    high, out = unit.drop + 0.7 * unit.top + 0.3 * reach, max(places[-1], 0) + rng.uniform(1.1, 1.5) * reach
    if posts := kind in ("pipe", "truss") and rng.random() < 0.45:
        high, out = high + rng.uniform(0.3, 3.0) * reach, out + 0.2 * reach
    level, gap = high + 3 * bar, rng.uniform(2.5, 5.0) * bar
    if kind == "pipe":
        made.add("base", skin, rod((-out, 0, level), (out, 0, level), bar, 14))
    elif kind == "truss":
        chords = [(-gap, level), (gap, level), (0, level + 1.7 * gap)]
        made.add("base", skin, *(rod((-out, y, z), (out, y, z), 0.6 * bar, 10) for y, z in chords))
        knots = np.linspace(-out, out, 2 * int(rng.integers(2, 5)) + 1)
        for s in SIDES:
            ends = [(s * gap, level), (0, level + 1.7 * gap)]
            zigzag = [(x, *ends[k % 2]) for k, x in enumerate(knots)]
            made.add("base", trim, *(rod(a, b, 0.3 * bar, 6) for a, b in pairwise(zigzag)))
        made.add("base", trim, *(block((1.5 * bar, 2 * gap, bar), (x, 0, level)) for x in places))
    if posts:
        legs = [block((3 * bar, 3 * bar, level), (s * out, 0, level / 2)) for s in SIDES]
        sole = block((rng.uniform(3, 8) * bar, rng.uniform(1, 2) * reach, bar))
        made.add("base", skin, *legs, *(moved(sole, (s * out, 0, bar / 2)) for s in SIDES))
        head = block((3 * bar, 2 * gap + bar, 2 * bar), level * Z)
        made.add("base", skin, *(moved(head, s * out * X) for s in SIDES))
    for x in places:
        plate = block((3 * bar, 3.4 * bar, 1.6 * bar), (x, 0, high + 0.8 * bar), 0.1 * bar)
        cap = ring(rectangle(0.7 * bar, 2 * bar) + np.array([1.35 * bar, 0]), 14)
        made.add("base", trim, plate, aimed(cap, X, (x, 0, level)))
        made.add("base", trim, block((bar, bar, bar), (x, 0, high + 1.8 * bar)))
    return [np.array([x, 0, high]) for x in places]


def vanity_mirror(rng: np.random.Generator) -> Shape:
    """A mirror or board on pins: in a fork on a stem, between posts on a base, or in a frame on feet."""
    made, kind = Mechanism("vanity_mirror"), str(rng.choice(["fork", "fork", "posts", "cheval"]))
    wood, metal = finish(rng, "wood", "paint", "pale", "dark", "metal"), finish(rng, "metal", "brass", "dark")
    size = rng.uniform(0.4, 0.9) if kind == "cheval" else rng.uniform(0.14, 0.4)
    wide, high = size * rng.uniform((0.7, 0.8), (1.2, 1.6))
    thick, pin = rng.uniform((0.02, 0.012), (0.07, 0.025)) * size
    panel, offers = _mirror(rng, wide, high, thick, wood)
    points = np.concatenate([p.vertices for p in [*panel, *(p for _, pieces in offers for p in pieces)]])
    edge, reach = np.abs(points[:, 0]).max(), np.linalg.norm(points, axis=1).max()
    half, deep = edge + rng.uniform(0.01, 0.04) * size, rng.uniform(0.03, 0.08) * size + pin
    room = np.hypot(points[:, 1], points[:, 2]).max() + 0.03 * size
    if kind == "fork":
        holder, pivot, thick = _fork(made, rng, (half, room, reach, deep), wood, metal)
    else:
        holder, thick = "base", rng.uniform(0.8, 1.3) * deep
        pivot = _posts(made, rng, (half, room, thick), kind == "cheval", wood, metal)
    made.part("mirror", shifted(panel, pivot))
    bolts = [rod(s * (edge - 0.1 * wide) * X, s * (half + 1.2 * thick) * X, pin, 16) for s in SIDES]
    if rng.random() < 0.6:
        bolts += [ball(2.2 * pin, s * (half + 1.2 * thick + pin) * X, 10) for s in SIDES]
    made.add("mirror" if rng.random() < 0.6 else holder, metal, *shifted(bolts, pivot))
    if rng.random() < 0.3:
        made.spin(holder, "mirror", pivot, X)
    else:
        made.hinge(holder, "mirror", pivot, X, -rng.uniform(0.3, 1.5), rng.uniform(0.3, 1.5))
    weld_or_part(made, rng, [("mirror", name, shifted(pieces, pivot)) for name, pieces in offers])
    return made.finish(rng, ajar=0.5)


def _mirror(rng, wide, high, thick, wood) -> tuple[list[Shape], list[tuple[str, list[Shape]]]]:
    """A pane about the origin that faces −y, in a frame of some kind, and ornaments of it."""
    kind = str(rng.choice(["round", "oval", "square", "cut", "arch"]))
    frame = str(rng.choice(["tube", "board", "bars", "none"]))
    glass, offers = finish(rng, "glass", "metal", "pale"), []
    high = wide if kind == "round" else high
    if kind in ("round", "oval"):
        outline = arc((wide / 2, high / 2), 0, 2 * np.pi, int(rng.choice([13, 25, 33])))[:-1]
    elif kind == "arch":
        dome = arc((wide / 2, 0.25 * high), 0, np.pi, 13) + np.array([0, 0.25 * high])
        outline = np.concatenate([dome, [(-wide / 2, -high / 2), (wide / 2, -high / 2)]])
    else:
        outline = rectangle(wide, high, rng.uniform(0.05, 0.2) * wide, 1 if kind == "cut" else 4)
        outline = outline if kind == "cut" or rng.random() < 0.4 else rectangle(wide, high)
    border = rng.uniform(0.03, 0.1) * wide
    if frame == "bars" and len(outline) == 4:
        solids = border_bars(wide, high, 1.4 * thick, border)
    elif frame == "tube":
        solids = [upright(loop(lifted(outline), 0.9 * thick, 8))]
    elif frame == "none":
        solids = [block((0.12 * wide, 1.6 * thick, 0.1 * wide), (s * 0.46 * wide, 0, 0)) for s in SIDES]
    else:
        solids = [upright(extrude(outline, thick, 0.1 * thick), 0.3 * thick * Y)]
    inner = inset(outline, border if frame == "board" else 0.2 * border)
    pane = upright(extrude(inner, 0.5 * thick), -0.3 * thick * Y)
    dome = arc((0.25 * wide, 0.12 * high), 0, np.pi, 9)
    dome = np.r_[dome, [(-0.22 * wide, -0.1 * high), (0.22 * wide, -0.1 * high)]]
    crest = upright(extrude(dome, 0.6 * thick), (0, 0.4 * thick, 0.97 * high / 2))
    grip = dowel((0, -0.8 * thick, -0.47 * high), (0, 0.8 * thick, 0), 0.02 * wide + 0.2 * thick, 12)
    if rng.random() < 0.35:
        offers.append(("crest", [painted(crest, wood)]))
    if rng.random() < 0.35:
        offers.append(("knob", [painted(grip, finish(rng, "metal", "brass"))]))
    return [*(painted(s, wood) for s in solids), painted(pane, glass)], offers


def _fork(made, rng, lines, wood, metal) -> tuple[str, Array, float]:
    """A bracket on a stem over a foot or box, in which it may turn; its link, its pivot, how thick it is."""
    half, room, reach, deep = lines
    solids, thick, room, low = bracket(rng, half, room, reach, deep)
    turns, stem = rng.random() < 0.5, rng.uniform(0.25, 0.5) * deep + 0.03 * half
    tall, foot = rng.uniform(0.1, 1.6) * half, rng.uniform(0.6, 1.0) * half
    if rng.random() < 0.35:
        top = _drawer_box(made, rng, 2.2 * foot, 1.4 * foot, rng.uniform(0.3, 0.5) * foot + 0.02, wood)
    elif rng.random() < 0.3:
        top = 0.35 * foot
        leg = rod((0, 0, top - stem), (1.2 * foot, 0, 0.5 * stem), 0.7 * stem, 8)
        legs = around(leg, int(rng.integers(3, 5)))
        made.add("base", wood, *legs, lathe([(1.5 * stem, top - 3 * stem), (1.5 * stem, top)], 12))
    else:
        top = rng.uniform(0.08, 0.2) * foot
        plate = lathe([(foot, 0), (foot, 0.5 * top), (2 * stem, top)], int(rng.choice([4, 6, 20])))
        made.add("base", wood, plate)
    pivot = (top + tall - low) * Z
    holder = "fork" if turns or rng.random() < 0.3 else "base"
    made.add(holder, metal, *shifted(solids, pivot))
    made.add(holder, metal, rod((0, 0, top - 0.3 * stem), (0, 0, top + tall + 0.5 * thick), stem, 12))
    if turns or rng.random() < 0.5:
        cup = ring(rectangle(0.6 * stem, 1.4 * stem) + np.array([1.32 * stem, top + 0.6 * stem]), 14)
        made.add("base", metal, cup)
    if turns:
        way = rng.uniform(0.6, 3.0)
        made.hinge("base", holder, top * Z, Z, -way, way)
    elif holder == "fork":
        made.weld("base", holder)
    return holder, pivot, min(thick, deep) if thick < half else thick


def _posts(made, rng, lines, tall, wood, metal) -> Array:
    """Two posts on a box, a board, or feet of their own with bars between; the pivot between them."""
    half, room, t = lines
    x, deep, round_ = half + t / 2, rng.uniform(0.5, 0.9) * half, rng.random() < 0.4
    if tall:
        top, low = 0.0, rng.uniform(0.05, 0.3) * room + t
        path = [(0, -deep, 0.4 * t), (0, -0.3 * deep, low), (0, 0.3 * deep, low), (0, deep, 0.4 * t)]
        foot = tube(curve(path, 9), 0.5 * t, 8)
        made.add("base", wood, *(moved(foot, s * x * X) for s in SIDES))
        levels = [low, *([low + 0.04 * room + t] if rng.random() < 0.5 else [])]
        made.add("base", wood, *(block((2 * x, 0.8 * t, 0.8 * t), (0, 0, z)) for z in levels))
        low = levels[-1] + 0.5 * t
    elif rng.random() < 0.65:
        top = low = _drawer_box(made, rng, 2 * half + 3 * t, deep, rng.uniform(0.2, 0.5) * half, wood)
    else:
        top = low = 1.2 * t
        made.add("base", wood, block((2 * half + 3 * t, deep, top), (0, 0, top / 2), 0.1 * t))
    z, over, foot_z = low + room, rng.uniform(1.0, 3.0) * t, max(top - 0.1 * t, 0.4 * t)
    for s in SIDES:
        if round_:
            heights = np.linspace(foot_z, z - t, 9)
            rows = [(0.5 * t * (1 if k % 2 else rng.uniform(0.6, 0.9)), h) for k, h in enumerate(heights)]
            made.add("base", wood, moved(lathe([*rows, (0.5 * t, z), (0.4 * t, z + over)], 10), s * x * X))
        else:
            size = (t, rng.uniform(1.0, 1.1) * t, z + over - foot_z)
            made.add("base", wood, block(size, (s * x, 0, (z + over + foot_z) / 2)))
    knob = ball(0.6 * t, (0, 0, z + over + 0.2 * t), 10)
    tops = [("base", f"finial_{k + 1}", moved(knob, s * x * X)) for k, s in enumerate(SIDES)]
    weld_some(made, rng, tops, metal)
    return z * Z


def _drawer_box(made, rng, wide, deep, high, wood) -> float:
    """A case with one to three fronts: drawers, and sometimes one that only looks like it; its top."""
    wall, count = 0.08 * high, int(rng.integers(1, 4))
    made.add("base", wood, *open_case(wide, deep, high, wall))
    pitch, trim = (wide - wall) / count, finish(rng, "metal", "brass", "wood", "pale")
    for k in range(count):
        x, a, h = (k + 0.5) * pitch - (wide - wall) / 2, pitch - 1.2 * wall, high - 2.2 * wall
        if k:
            made.add("base", wood, block((wall, deep, high - wall), (x - pitch / 2, 0, high / 2)))
        link = "base" if count > 1 and rng.random() < 0.3 else f"drawer_{k + 1}"
        y, long = -deep / 2 + 0.6 * wall, 0.8 * deep
        tray = [*walls(a, long, 0.8 * h, 0.5 * wall), block((a, long, 0.5 * wall), (0, 0, 0.25 * wall))]
        made.add(link, wood, block((a, wall, h), (x, y, high / 2)))
        made.add(link, trim, ball(0.12 * high, (x, y - 0.12 * high, high / 2), 10))
        if link != "base":
            made.add(link, wood, *shifted(tray, (x, y + long / 2, 1.1 * wall)))
            made.slide("base", link, -Y, 0.0, rng.uniform(0.4, 0.8) * long)
    return high
