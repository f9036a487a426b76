"""Wardrobes, shutters, garage doors, hatches and show cases: openings and what closes them."""

# ruff: noqa: RUF005 — point + (x, y, z) adds vectors here

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import numpy as np

from neurok.datasets.articulated.cranks import fitted
from neurok.datasets.articulated.finishes import finish
from neurok.datasets.articulated.mechanism import Mechanism
from neurok.datasets.articulated.outlines import arc
from neurok.datasets.articulated.panels import LEAF_STYLES, border_bars, leaf, pull, shifted
from neurok.datasets.articulated.placing import moved, turned
from neurok.datasets.articulated.solids import ball, block, extrude, rod
from neurok.shapes.appearance import Material
from neurok.shapes.articulated.assembly import painted
from neurok.shapes.articulated.transforms import rotation_about
from neurok.shapes.shape import Shape

EDGES = {"left": (-1, 0), "right": (1, 0), "top": (0, 1), "bottom": (0, -1)}  # x and z, seen from the front


class Job:
    """An object under construction: what stands still, its materials, and fittings not yet put on."""

    def __init__(self, rng: np.random.Generator, name: str, root: str):
        self.rng, self.made, self.root = rng, Mechanism(name), root
        kinds = ("wood", "paint", "pale", "metal", "dark")
        self.body, self.skin = finish(rng, *kinds), finish(rng, *kinds)
        self.metal, self.seed = finish(rng, "metal", "brass", "dark"), int(rng.integers(2**32))
        self.fittings: list[tuple[str, str, list[Shape]]] = []

    def on(self, link: str, material: Material, *solids: Shape) -> None:
        self.made.part(link, [painted(solid, material) for solid in solids])

    def still(self, material: Material, *solids: Shape) -> None:
        self.on(self.root, material, *solids)

    def fit(self, link: str, name: str, material: Material, *solids: Shape) -> None:
        self.fittings.append((link, name, [painted(solid, material) for solid in solids]))

    def face(self, width: float, height: float, thickness: float, style: str) -> list[Shape]:
        """A leaf that looks as all others of the object do."""
        return leaf(np.random.default_rng(self.seed), width, height, thickness, self.skin, style)

    def grip(self, link: str, span: float, at, upright: bool = False) -> None:
        """A handle as all others of the object are."""
        pieces = pull(np.random.default_rng(self.seed), span, self.metal, upright)
        self.fit(link, "handle", self.metal, *shifted(pieces, at))

    def finish(self) -> Shape:
        """The object; on some, one to four fittings are links of their own, else of their carrier."""
        count = int(self.rng.integers(1, 5)) if self.rng.random() < 0.42 else 0
        apart = set(self.rng.permutation(len(self.fittings))[:count].tolist())
        total, seen = Counter(self.fittings[i][1] for i in apart), Counter()
        for i, (link, name, pieces) in enumerate(self.fittings):
            if i in apart:
                seen[name] += 1
                link = self.made.weld(link, name if total[name] == 1 else f"{name}_{seen[name]}")
            self.made.part(link, pieces)
        return self.made.finish(self.rng)


def sliding_wardrobe(rng: np.random.Generator) -> Shape:
    """Two or three doors that pass each other in or before a carcass, often with drawers below."""
    job = Job(rng, "sliding_wardrobe", "carcass")
    width, depth, height = rng.uniform(1.1, 2.8), rng.uniform(0.5, 0.75), rng.uniform(1.7, 2.5)
    wall, t, gap = rng.uniform(0.018, 0.035), rng.uniform(0.02, 0.035), rng.uniform(0.008, 0.015)
    job.still(job.body, *_shell(width, depth, height, wall))
    span, front, top = width - 2 * wall, -depth / 2, height - wall
    low = _drawers(job, (span, depth, wall), wall, int(rng.integers(0, 3)))
    lanes = [[0, 1], [0, 1], [0, 1, 0], [1, 0, 1], [0, 1, 2], [2, 1, 0]][rng.integers(6)]
    count, deep = len(lanes), (max(lanes) + 1) * (t + gap) + gap
    _bays(job, (span, depth - wall - deep, top - low), low, (deep - wall) / 2, wall, count)
    if rng.random() < 0.4:
        front, span = front - deep, width
        for z, name in ((low - wall / 2, "sill"), (height - wall / 2, "cornice")):
            job.fit("carcass", name, job.body, block((width, deep, wall), (0, front + deep / 2, z)))
    rail, ys = 0.014, [front + gap + t / 2 + lane * (t + gap) for lane in range(max(lanes) + 1)]
    for z in (low + rail / 2, top - rail / 2):
        job.still(job.metal, *(block((span, 0.4 * t, rail), (0, y, z)) for y in ys))
    wide, tall, mid = span / (count - rng.uniform(0.04, 0.12)), top - low - 2 * rail, (low + top) / 2
    step, style = (span - wide) / (count - 1), str(rng.choice(LEAF_STYLES))
    long = rng.uniform(0.1, 0.9) * tall
    for i, lane in enumerate(lanes):
        name, x, y = f"door_{i + 1}", i * step + (wide - span) / 2, ys[lane]
        job.made.part(name, shifted(job.face(wide, tall, t, style), (x, y, mid)))
        edge = x + (-1 if i < count / 2 else 1) * (wide / 2 - 0.025)
        job.fit(name, "handle", job.metal, block((0.03, 0.4 * gap, long), (edge, y - t / 2, mid), 0.1 * gap))
        lower, upper = -i * step, (count - 1 - i) * step
        share = 0.97 if lanes.count(lane) == 1 else 0.24  # two in one lane meet in the middle
        job.made.slide("carcass", name, (1, 0, 0), share * lower, share * upper)
    _feet(job, width, depth)
    return job.finish()


def _bays(job, size, low, y, wall, count) -> None:
    """What stands behind the doors: partitions, and in each bay shelves or a rail for clothes."""
    (width, depth, height), rng, w = size, job.rng, size[0] / count
    for i in range(count):
        x, z = (i + 0.5) * w - width / 2, low + rng.uniform(0.88, 0.94) * height
        if i:
            job.still(job.body, block((0.8 * wall, depth, height), (x - w / 2, y, low + height / 2)))
        for level in range(int(rng.integers(0, 4))):
            job.still(job.body, block((w, depth, 0.7 * wall), (x, y, low + height * (level + 1) / 4.2)))
        job.still(job.metal, rod((x - w / 2, y, z), (x + w / 2, y, z), 0.014, 10))


def roller_cabinet(rng: np.random.Generator) -> Shape:
    """A box with shutters that run up or to the side behind a fascia, or a slatted roll top on an arc."""
    job = Job(rng, "roller_cabinet", "box")
    (_roll_top if rng.random() < 0.3 else _shutters)(job, rng)
    return job.finish()


def _shutters(job, rng) -> None:
    """One to three panels in grooves, each in a lane of its own, that go behind a fascia."""
    is_up, count = rng.random() < 0.6, int(rng.choice([1, 2, 3], p=[0.45, 0.35, 0.2]))
    length, across, depth = rng.uniform(0.3, 0.7) / count**0.5, rng.uniform(0.3, 1.1), rng.uniform(0.25, 0.6)
    t, gap, wall = rng.uniform(0.01, 0.02), rng.uniform(0.008, 0.012), rng.uniform(0.014, 0.03)
    total, front, ribbed = (count + rng.uniform(1.08, 1.25)) * length, -depth / 2, rng.random() < 0.7
    width, height = (across, total) if is_up else (total, across)

    def bar(start, end, broad, y, thick, side=0.0, bevel=0.0) -> Shape:
        """A block from `start` to `end` along the way of the shutters, `broad` across it."""
        along, mid = end - start, (start + end) / 2
        if is_up:
            return block((broad, thick, along), (side, y, wall + mid), bevel)
        return block((along, thick, broad), (mid - total / 2, y, wall + across / 2 + side), bevel)

    job.still(job.body, *_shell(width + 2 * wall, depth, height + 2 * wall, wall))
    fascia = bar(count * length, total, across, front + wall / 2, wall)
    job.fit("box", "fascia", finish(rng, "wood", "paint"), fascia)
    lanes, pitch = front + wall + gap + t / 2 + np.arange(count) * (t + gap), t + gap
    for y in (lanes[0] - pitch / 2, *(lanes + pitch / 2)):
        job.still(job.metal, *(bar(0, total, 0.02, y, 0.8 * gap, s * (across / 2 - 0.01)) for s in (-1, 1)))
    leader, coupled, slats = None, rng.random() < 0.5, int(np.clip(length / rng.uniform(0.025, 0.06), 3, 16))
    for k, y in enumerate(lanes):
        name, start, end = "shutter" if count == 1 else f"shutter_{k + 1}", k * length, (k + 1.04) * length
        job.on(name, job.skin, bar(start, end, across - 0.004, y, 0.4 * t if ribbed else t))
        marks = np.linspace(start, end, slats + 1)
        for a, b in zip(marks[:-1] + 0.002, marks[1:] - 0.002, strict=True) if ribbed else ():
            job.on(name, job.skin, bar(a, b, across - 0.006, y, t, bevel=0.3 * t))
        follows = (leader, (count - k) / count) if leader and coupled else None
        way, travel = (0, 0, 1) if is_up else (1, 0, 0), (count - k) * (1 - 0.3 / count) * length
        joint = job.made.slide("box", name, way, 0.0, travel, follows)
        leader = leader or joint
    x, z = (0, wall + 0.12 * length) if is_up else (0.12 * length - total / 2, wall + across / 2)
    first, at = "shutter" if count == 1 else "shutter_1", (x, lanes[0] - t / 2, z)
    job.grip(first, min(0.14, 0.3 * length), at, not is_up)
    near, far = lanes[-1] + pitch, depth / 2 - wall / 2
    for share in np.linspace(-0.5, 0.5, int(rng.integers(2, 5)))[1:-1]:
        at = (0, (near + far) / 2, wall + height / 2 + share * height)
        job.still(job.body, block((width, far - near, 0.8 * wall), at))
    _feet(job, width, depth)


def _roll_top(job, rng) -> None:
    """A curved shutter of slats about an axis between two cheeks, as bread bins and bureaus have it."""
    r, width, wall = rng.uniform(0.15, 0.4), rng.uniform(0.3, 1.1), rng.uniform(0.012, 0.025)
    t, base, big, x = rng.uniform(0.3, 0.5) * wall, rng.uniform(0.03, 0.2), r + wall, (width + wall) / 2
    cheek = _drawn_out([*arc(big, np.pi, np.pi / 2, 14), (big, big), (big, -wall), (-big, -wall)], wall)
    groove = _drawn_out(_band(r - 2.2 * t, r - t, 0.1, np.pi), 0.01)
    for s in (-1, 1):
        job.still(job.body, moved(cheek, (s * x, 0, 0)))
        job.still(job.metal, moved(groove, (s * (x - wall / 2), 0, 0)))
    job.still(job.body, block((width, r, wall), (0, r / 2 + wall, r + wall / 2)))
    job.still(job.body, block((width, wall, big), (0, r + wall / 2, r / 2)))
    job.still(job.body, block((width, 2 * r, wall), (0, wall / 2, -wall / 2)))
    span, count = rng.uniform(1.5, 1.62), int(rng.integers(6, 16))
    job.on("shutter", job.skin, _drawn_out(_band(r - t, r - 0.6 * t, np.pi - span, np.pi), width - 0.004))
    for a in np.pi - (np.arange(count) + 0.5) * span / count:
        half = 0.46 * span / count
        slat = _band(r - 0.8 * t, r - 0.1 * t, a - half, a + half, 3)
        job.on("shutter", job.skin, _drawn_out(slat, width - 0.006))
    job.grip("shutter", min(0.12, 0.3 * width), (0, -r, 0.12 * r))
    job.made.hinge("box", "shutter", (0, 0, 0), (-1, 0, 0), 0.0, rng.uniform(1.15, 1.4))
    if base < 0.08:
        return _feet(job, width, 2 * big, -wall)
    job.still(job.body, *_shell(width + 2 * wall, 2 * big, base, wall, -wall - base))
    return _drawer_row(job, (width, 2 * big, wall), -base, base - 2 * wall, ["drawer"])


def garage_door(rng: np.random.Generator) -> Shape:
    """A frame with a leaf that runs up under the ceiling, folding sections, or leaves on side hinges."""
    job = Job(rng, "garage_door", "frame")
    width, height, jamb = rng.uniform(2.1, 3.4), rng.uniform(1.9, 2.5), rng.uniform(0.08, 0.16)
    beam, x, style = rng.uniform(0.1, 0.35), (width + jamb) / 2, str(rng.choice(LEAF_STYLES))
    job.still(job.body, *(block((jamb, jamb, height), (s * x, 0, height / 2)) for s in (-1, 1)))
    job.still(job.body, block((width + 2 * jamb, jamb, beam), (0, 0, height + beam / 2)))
    if rng.random() < 0.5:
        pier, deep, stone = rng.uniform(0.15, 0.5), rng.uniform(1.0, 2.0) * jamb, finish(rng, "pale", "paint")
        for at in ((s * (width + 2 * jamb + pier) / 2, 0, (height + beam) / 2) for s in (-1, 1)):
            job.fit("frame", "wall", stone, block((pier, deep, height + beam), at))
    kind, size = rng.choice(["over", "up", "side", "hung"]), (width, height, rng.uniform(0.03, 0.05))
    if kind == "over":
        _over_leaf(job, rng, size, style)
    elif kind == "up":
        _folding(job, "panel", (0, 0, height), (0, 0, -1), (height / 2, width - 0.02, size[2]), 2, style)
    elif kind == "side":
        _folding_sides(job, rng, size, style)
    else:
        _hung_leaves(job, rng, size, jamb, style)
    return job.finish()


def _hung_leaves(job, rng, size, jamb, style) -> None:
    """One or two leaves flush with the front of the frame, on strap hinges."""
    width, height, t = size
    sides = ["left"] if width < 2.6 and rng.random() < 0.3 else ["left", "right"]
    for side in sides:
        s, w, name = EDGES[side][0], width / len(sides), f"{side}_door" if sides[1:] else "door"
        x, own = s * (width - w) / 2, (w - 0.01, height - 0.01, t)
        face, at = job.face(*own, style), (x, (t - jamb) / 2, height / 2)
        _hang(job, name, face, own, at, side, rng.uniform(1.3, 1.8))
        for z in (0.15, 0.85):
            strap = block((0.7 * w, 0.3 * t, 0.07), (x + s * 0.13 * w, -jamb / 2, z * height))
            job.fit(name, "strap", job.metal, strap)
        job.grip(name, 0.2, (x - s * 0.45 * w, -jamb / 2, 0.45 * height), True)


def _over_leaf(job, rng, size, style) -> None:
    """A leaf whose top runs back on two rails while pins lower down climb between guides on the jambs."""
    width, height, t = size
    w, top, r = width - 0.12, height - 0.06, 0.025
    d, made = rng.uniform(0.55, 0.95) * top, job.made
    for s in (-1, 1):
        x = s * (width / 2 - 0.02)
        for y in (-0.03, 0.03):
            job.still(job.metal, block((0.04, 0.012, d + 0.05), (x, y, top - d / 2 - r - 0.08)))
        job.still(job.metal, block((0.04, d + 0.2, 0.02), (x, d / 2 + 0.05, top - r - 0.01)))
        job.still(job.metal, block((0.04, 0.04, top - r), (x, d + 0.13, (top - r) / 2)))
        job.on("trolley", job.metal, rod((x - 0.02, 0, top), (x + 0.02, 0, top), r, 12))
        job.on("leaf", job.metal, rod((s * 0.4 * w, 0, top - d), (x, 0, top - d), 0.015, 10))
    job.still(job.metal, block((width, 0.04, 0.05), (0, d + 0.13, top - r - 0.03)))
    job.on("trolley", job.metal, rod((-width / 2, 0, top), (width / 2, 0, top), 0.012, 10))
    made.part("leaf", shifted(job.face(w, height - 0.02, t, style), (0, 0, height / 2)))
    job.grip("leaf", 0.2, (0, -t / 2, rng.uniform(0.03, 0.05) * height))
    run = made.slide("frame", "trolley", (0, 1, 0), 0.0, 0.95 * d)
    turn = fitted(lambda u: np.arcsin(u / d), 0.0, 0.95 * d)
    made.hinge("trolley", "leaf", (0, 0, top), (-1, 0, 0), 0.0, 1.3, (run, turn))


def _folding_sides(job, rng, size, style) -> None:
    """Upright sections under a rail that fold to one side or to both."""
    (width, height, t), both = size, rng.random() < 0.5
    job.still(job.metal, block((width, 0.5 * t, 0.03), (0, 0, height - 0.015)))
    count = 2 if both else int(rng.choice([2, 4]))
    for s in (-1, 1) if both else (-1,):
        name = "panel" if not both else "left_panel" if s < 0 else "right_panel"
        own = (width / count / (1 + both), height - 0.03, t)
        _folding(job, name, (s * width / 2, 0, height / 2 - 0.015), (-s, 0, 0), own, count, style)


def _folding(job, name, start, way, size, count, style) -> None:
    """Sections one after another from `start`, folding to a zigzag whose every other edge stays in plane."""
    (length, across, t), parent, leader, reach = size, "frame", None, job.rng.uniform(1.1, 1.35)
    start, way = np.asarray(start, np.float64), np.asarray(way, np.float64)
    axis = np.cross(way, (0, -1, 0))
    for k in range(count):
        part, sign = f"{name}_{k + 1}", 1 if k % 2 == 0 else -1
        edge = start + k * length * way + (0, -0.5 * sign * t, 0)
        own = (length - 0.008, across) if way[0] else (across, length - 0.008)
        job.made.part(part, shifted(job.face(*own, t, style), start + (k + 0.5) * length * way))
        for share in (-0.4, 0.0, 0.4):
            mid, half = edge + share * across * axis, 0.06 * axis
            job.on(parent, job.metal, rod(mid - half, mid, 0.5 * t, 10))
            job.on(part, job.metal, rod(mid, mid + half, 0.5 * t, 10))
        limit, follows = (2 * reach, (leader, 2.0)) if leader else (reach, None)
        joint = job.made.hinge(parent, part, edge, sign * axis, 0.0, limit, follows)
        parent, leader = part, leader or joint
    end = start + (count - 0.06) * length * way + (0, -0.5 * t, 0)
    job.grip(parent, 0.18, end, bool(way[0]))


def hatch_box(rng: np.random.Generator) -> Shape:
    """A letter box, a cat flap in a panel, or a hatch in a wall, a floor or the slope of a cellar."""
    make = [_letter_box, _cat_flap, _hatch][rng.integers(3)]
    job = Job(rng, "hatch_box", "box" if make is _letter_box else "frame")
    make(job, rng)
    return job.finish()


def _letter_box(job, rng) -> None:
    """A box on a wall or a post, with a flap over its slot and a door to empty it."""
    width, depth, height = rng.uniform(0.22, 0.5), rng.uniform(0.1, 0.35), rng.uniform(0.25, 0.6)
    wall, slot, front = rng.uniform(0.006, 0.014), rng.uniform(0.25, 0.4) * height, -depth / 2
    mid, y, low = height - slot / 2, front - 1.5 * wall, height - slot
    job.still(job.body, *_shell(width, depth, height, wall))
    job.still(job.body, *shifted(border_bars(width, slot, wall, 0.25 * slot), (0, front - wall / 2, mid)))
    size, side = (0.86 * width, 0.7 * slot, wall), str(rng.choice(["top", "top", "bottom"]))
    _hang(job, "flap", job.face(*size, "flat"), size, (0, y, mid), side, rng.uniform(0.9, 1.6))
    if rng.random() < 0.6:
        plate = (rng.uniform(0.3, 0.6) * width, 0.4 * wall, 0.25 * slot)
        job.fit("flap", "nameplate", job.metal, block(plate, (0, y - 0.6 * wall, mid)))
    size, side = (width - 0.004, low - 0.004, wall), str(rng.choice(["left", "bottom", "right"]))
    face, at = job.face(*size, str(rng.choice(["flat", "framed", "glazed"]))), (0, front - wall / 2, low / 2)
    _hang(job, "door", face, size, at, side, rng.uniform(1.2, 1.8), 0.05)
    if rng.random() < 0.5:
        roof = (width + 4 * wall, depth + 6 * wall, 1.2 * wall)
        job.fit("box", "roof", job.skin, block(roof, (0, -wall, height + 0.5 * wall), 0.3 * wall))
    if rng.random() < 0.35:
        foot, post = -rng.uniform(0.5, 1.1), rng.uniform(0.02, 0.035)
        plate = block((0.2, 0.2, 0.02), (0, 0, foot + 0.01))
        job.fit("box", "post", job.metal, rod((0, 0, foot), (0, 0, 0.5 * wall), post, 12), plate)


def _cat_flap(job, rng) -> None:
    """A flap that hangs from a pin in a frame, in a piece of door or wall, with a catch below."""
    width, height, t = rng.uniform(0.16, 0.35), rng.uniform(0.17, 0.4), rng.uniform(0.012, 0.03)
    rim, deep, around = rng.uniform(0.025, 0.05), rng.uniform(1.2, 4.0) * t, rng.uniform(-0.1, 0.25)
    outer = width + 2 * rim, height + 2 * rim
    job.still(job.body, *border_bars(*outer, deep, rim, 0.1 * t))
    if around > 0.03:
        job.still(job.skin, *border_bars(outer[0] + 2 * around, outer[1] + 2 * around, 0.9 * t, around))
    pin, inward, size = height / 2 - 0.3 * t, rng.uniform(0.9, 1.4), (0.94 * width, 0.96 * height)
    job.still(job.metal, rod((-width / 2, 0, pin), (width / 2, 0, pin), 0.3 * t, 10))
    skin, style = finish(rng, "glass", "plastic", "pale"), str(rng.choice(["flat", "framed", "glazed"]))
    job.made.part("flap", shifted(leaf(rng, *size, 0.5 * t, skin, style), (0, 0, pin - size[1] / 2)))
    job.made.hinge("frame", "flap", (0, 0, pin), (1, 0, 0), rng.choice([-1, -0.8, 0]) * inward, inward)
    if rng.random() < 0.6:
        x, z, y = rng.uniform(-0.3, 0.3) * width, -(height + rim) / 2, -deep / 2
        job.on("catch", job.metal, rod((x, y, z), (x, y - 0.5 * t, z), 0.3 * rim, 12))
        job.on("catch", job.metal, block((0.2 * rim, 0.4 * t, 0.8 * rim), (x, y - 0.6 * t, z - 0.1 * rim)))
        job.made.hinge("frame", "catch", (x, y, z), (0, -1, 0), -rng.uniform(0.5, 1.5), rng.uniform(0.5, 1.5))
    plate = block((0.3 * width, 0.3 * t, 0.5 * rim), (0, -deep / 2, (height + rim) / 2))
    job.fit("frame", "nameplate", job.metal, plate)
    weight = block((0.2 * width, 0.8 * t, 0.06 * height), (0, 0, pin - 0.94 * size[1]))
    job.fit("flap", "weight", job.metal, weight)


def _hatch(job, rng) -> None:
    """One or two leaves on a frame that stands upright, leans back on cheeks, or lies over a shaft."""
    width, height, deep = rng.uniform(0.4, 1.5), rng.uniform(0.4, 1.4), rng.uniform(0.06, 0.3)
    rim, t, style = rng.uniform(0.04, 0.1), rng.uniform(0.02, 0.04), str(rng.choice(LEAF_STYLES))
    lean = float(rng.choice([0.0, np.pi / 2, rng.uniform(0.6, 1.2)]))
    job.still(job.body, *shifted(border_bars(width, height, deep, rim), (0, deep / 2, 0)))
    if lean == 0 and rng.random() < 0.6:
        job.still(job.body, block((width - rim, 0.01, height - rim), (0, deep - 0.008, 0)))
    sides = ["left", "right"] if rng.random() < 0.45 else [str(rng.choice(list(EDGES)))]
    span, reach = rng.uniform(0.08, 0.16), rng.uniform(1.2, 1.9)
    for side in sides:
        size = ((width - rim) / len(sides) - 0.002, height - rim, t)
        x, name = EDGES[side][0] * (width - rim - size[0]) / 2, f"{side}_hatch" if sides[1:] else "hatch"
        _hang(job, name, job.face(*size, style), size, (x, -t / 2, 0), side, reach, span)
    _leant(job, lean)
    if 0 < lean < np.pi / 2:
        y, z, low = 0.5 * height * np.sin(lean), 0.5 * height * np.cos(lean), rng.uniform(0.02, 0.2) + deep
        cheek = _drawn_out([(-y, -z), (y, z), (y, -z - low), (-y, -z - low)], 0.8 * rim)
        for s in (-1, 1):
            job.fit("frame", "cheek", job.body, moved(cheek, (s * (width - rim) / 2, 0, 0)))


def _leant(job, angle) -> None:
    """All that is made so far, leant back about the x axis."""
    turn, made = rotation_about(np.array([1.0, 0, 0]), -angle), job.made
    made.pieces = [(link, turned(p, (1, 0, 0), -angle)) for link, p in made.pieces]
    made.joints = [replace(j, at=turn @ j.at, axis=turn @ j.axis) for j in made.joints]
    job.fittings = [(a, b, [turned(p, (1, 0, 0), -angle) for p in ps]) for a, b, ps in job.fittings]


def display_case(rng: np.random.Generator) -> Shape:
    """Glass on a base: an upright case with panes that slide or doors, or a table with a lid of glass."""
    job, is_table, glass = Job(rng, "display_case", "base"), rng.random() < 0.35, finish(rng, "glass")
    width, depth, height = rng.uniform(0.4, 1.5), rng.uniform(0.3, 0.6), rng.uniform(0.4, 1.6)
    height *= 0.2 if is_table else 1.0
    bar, wall = rng.uniform(0.015, 0.035), rng.uniform(0.015, 0.03)
    low = _case_base(job, rng, (width, depth, wall), int(rng.integers(0, 2 if is_table else 4)))
    x, y, mid, top = (width - bar) / 2, (depth - bar) / 2, low + height / 2, low + height
    for s in (-1, 1):
        job.still(job.metal, *(block((bar, bar, height), (s * x, e * y, mid)) for e in (-1, 1)))
        job.still(glass, block((0.006, depth - 1.5 * bar, height), (s * x, 0, mid)))
    pane = (width - 1.5 * bar, 0.006, height)
    job.still(glass if rng.random() < 0.5 else job.body, block(pane, (0, y, mid)))
    if is_table:
        job.still(glass, block(pane, (0, -y, mid)))
        _case_lid(job, rng, width, depth, top, bar)
    else:
        job.fit("base", "cover", job.body, block((width, depth, wall), (0, 0, top + wall / 2), 0.2 * wall))
        for z in low + height * np.arange(1, rng.integers(1, 5)) / 4.5:
            job.still(glass, block((width - bar, depth - bar - 0.06, 0.008), (0, 0.03, z)))
        front = _sliding_panes if rng.random() < 0.45 else _glass_doors
        front(job, rng, (width, depth, height), mid, bar, glass)
    if rng.random() < 0.5:
        sign = block((0.3 * width, 0.008, 0.4 * wall + 0.01), (0, -depth / 2 - 0.003, low - wall / 2))
        job.fit("base", "nameplate", job.metal, sign)
    return job.finish()


def _case_lid(job, rng, width, depth, top, bar) -> None:
    """A glazed frame over the case, on knuckles along its back."""
    lid = leaf(rng, width, depth, 1.2 * bar, job.metal, "glazed")
    job.made.part("lid", shifted([turned(p, (1, 0, 0), -np.pi / 2) for p in lid], (0, 0, top + 0.6 * bar)))
    edge = np.array([0, depth / 2 + 0.3 * bar, top])
    for x in np.array([-0.35, 0.35]) * width:
        job.still(job.metal, rod(edge + (x - 0.03, 0, 0), edge + (x, 0, 0), 0.4 * bar, 10))
        job.on("lid", job.metal, rod(edge + (x, 0, 0), edge + (x + 0.03, 0, 0), 0.4 * bar, 10))
    job.made.hinge("base", "lid", edge, (-1, 0, 0), 0.0, rng.uniform(1.0, 1.7))
    job.grip("lid", 0.08, (0, -depth / 2, top + 0.6 * bar))


def _case_base(job, rng, size, rows) -> float:
    """A plinth, a table on legs, or a chest of drawers that carries the glass; how high its top is."""
    width, depth, wall = size
    if rows:
        top = _drawers(job, (width - 2 * wall, depth, wall), wall, rows)
        job.still(job.body, *_shell(width, depth, top, wall))
        _feet(job, width, depth)
        return top
    top = rng.uniform(0.05, 0.15) if rng.random() < 0.4 else rng.uniform(0.3, 0.8)
    job.still(job.body, block((width, depth, wall), (0, 0, top - wall / 2)))
    if top < 0.2:
        job.still(job.body, block((0.94 * width, 0.92 * depth, top), (0, 0, top / 2 - wall / 2)))
        return top
    thick = rng.uniform(0.012, 0.025)
    for x, y in _corners(width - 0.06, depth - 0.06):
        job.fit("base", "leg", job.body, rod((x, y, 0), (x, y, top - wall), (thick, 0.025), 10))
    return top


def _sliding_panes(job, rng, size, mid, bar, glass) -> None:
    """Two panes that pass each other between rails."""
    (width, depth, height), rail = size, 0.4 * bar
    inner, lap = width - 2 * bar, rng.uniform(0.02, 0.06)
    for s in (-1, 1):
        at = (0, -depth / 2 + 0.02, mid + s * (height - rail) / 2)
        job.still(job.metal, block((inner, 0.04, rail), at))
        name, w, y = "left_pane" if s < 0 else "right_pane", (inner + lap) / 2, -depth / 2 + 0.017 + 0.007 * s
        x = s * (inner - w) / 2
        job.on(name, glass, block((w, 0.008, height - 2 * rail), (x, y, mid)))
        job.made.slide("base", name, (-s, 0, 0), 0.0, 0.95 * (inner - w))
        grip = block((0.012, 0.004, 0.2 * height), (x + s * (w / 2 - 0.02), y - 0.004, mid))
        job.fit(name, "handle", job.metal, grip)


def _glass_doors(job, rng, size, mid, bar, glass) -> None:
    """One or two framed panes on knuckles, between the posts."""
    (width, depth, height), both, thick = size, rng.random() < 0.6, rng.uniform(0.6, 0.9) * bar
    sides = ["left", "right"] if width > 0.6 and both else [str(rng.choice(["left", "right", "top"]))]
    for side in sides:
        w, name = (width - 2 * bar) / len(sides) - 0.003, f"{side}_door" if sides[1:] else "door"
        own, x = (w, height - 0.004, thick), EDGES[side][0] * (width - 2 * bar - w) / 2
        pieces = [painted(p, job.metal) for p in border_bars(*own, bar)]
        pieces.append(painted(block((w - 1.5 * bar, 0.008, own[1] - 1.5 * bar)), glass))
        _hang(job, name, pieces, own, (x, (thick - depth) / 2, mid), side, rng.uniform(1.2, 1.9), 0.07)


def _hang(job, name, pieces, size, at, side, reach, span=0.0) -> None:
    """A leaf about `at` that faces −y, on knuckles along an edge, perhaps with a handle across from it."""
    (w, h, t), (dx, dz), made = size, EDGES[side], job.made
    made.part(name, shifted(pieces, at))
    pin = np.array(at) + (dx * w / 2, -t / 2, dz * h / 2)
    along, edge, r = np.array([abs(dz), 0, abs(dx)]), w if dz else h, 0.45 * t + 0.002
    for share in (-0.36, 0.36):
        mid, half = pin + share * edge * along, min(0.04, 0.08 * edge) * along
        strap = half + (abs(dx) * r, t, abs(dz) * r)
        job.still(job.metal, rod(mid - half, mid, r, 10))
        job.still(job.metal, block(strap, mid - half / 2 + (dx * r / 2, t / 2, dz * r / 2)))
        job.on(name, job.metal, rod(mid, mid + half, r, 10))
    made.hinge(job.root, name, pin, np.cross((-dx, 0, -dz), (0, -1, 0)), 0.0, reach)
    if span:
        inwards = min(0.02, 0.06 * min(w, h))
        by = (dx * (inwards - w / 2), -t / 2, dz * (inwards - h / 2))
        job.grip(name, min(span, 0.5 * w, 0.5 * h), np.add(at, by), dx != 0)


def _drawers(job, size, low, rows) -> float:
    """Rows of drawers from `low` upwards, each under a board; how high the last board is."""
    columns, tall = int(job.rng.integers(1, 4)), job.rng.uniform(0.12, 0.26)
    for row in range(rows):
        _drawer_row(job, size, low, tall, [f"drawer_{row * columns + i + 1}" for i in range(columns)])
        job.still(job.body, block((size[0], size[1] - 0.002, size[2]), (0, 0, low + tall + size[2] / 2)))
        low, tall = low + tall + size[2], tall * job.rng.uniform(0.7, 1.0)
    return low


def _drawer_row(job, size, low, tall, names) -> None:
    """Drawers side by side with boards between them: open trays behind flush fronts."""
    (width, depth, wall), mid, long = size, low + tall / 2, 0.85 * size[1]
    pitch, style = width / len(names), ["flat", "coffered", "framed"][job.seed % 3]
    for i, name in enumerate(names):
        x, w = (i + 0.5) * pitch - width / 2, pitch - wall - 0.004
        if i:
            job.still(job.body, block((wall, depth, tall), (x - pitch / 2, 0, mid)))
        tray = [turned(p, (1, 0, 0), -np.pi / 2) for p in _shell(w - 0.01, 0.7 * tall, long, 0.4 * wall)]
        job.on(name, job.body, *shifted(tray, (x, -depth / 2 + 0.002, low + 0.35 * tall)))
        job.made.part(name, shifted(job.face(w, tall - 0.004, wall, style), (x, (wall - depth) / 2, mid)))
        job.grip(name, min(0.16, 0.4 * w, 0.6 * tall), (x, -depth / 2, mid))
        job.made.slide(job.root, name, (0, -1, 0), 0.0, job.rng.uniform(0.6, 0.85) * long)


def _feet(job, width, depth, z=0.0) -> None:
    """A plinth, four legs or four balls under a case, or nothing."""
    kind, tall = job.rng.choice(["none", "plinth", "leg", "foot"]), job.rng.uniform(0.04, 0.15)
    if kind == "plinth":
        plinth = block((0.94 * width, 0.9 * depth, tall), (0, 0.02, z - tall / 2))
        job.fit(job.root, "plinth", job.body, plinth)
    for x, y in _corners(0.94 * width, 0.9 * depth) if kind in ("leg", "foot") else ():
        leg = rod((x, y, z - tall), (x, y, z + 0.003), (0.012, 0.02), 10)
        job.fit(job.root, str(kind), job.body, leg if kind == "leg" else ball(0.025, (x, y, z - 0.018), 12))


def _corners(width, depth) -> list[tuple[float, float]]:
    return [(sx * width / 2, sy * depth / 2) for sx in (-1, 1) for sy in (-1, 1)]


def _shell(width, depth, height, wall, z=0.0) -> list[Shape]:
    """Two sides, floor, top and back of a case that stands on `z` and is open towards −y."""
    mid, inner = z + height / 2, width - 2 * wall
    sides = [block((wall, depth, height), (s * (width - wall) / 2, 0, mid)) for s in (-1, 1)]
    decks = [block((inner, depth, wall), (0, 0, mid + s * (height - wall) / 2)) for s in (-1, 1)]
    back = block((inner, 0.6 * wall, height - 2 * wall), (0, depth / 2 - 0.3 * wall, mid))
    return [*sides, *decks, back]


def _band(inner, outer, start, end, count=20) -> np.ndarray:
    """The outline of a piece of a ring between two angles."""
    return np.concatenate([arc(outer, start, end, count), arc(inner, end, start, count)])


def _drawn_out(outline, length: float) -> Shape:
    """An outline of y and z drawn out along x, about x = 0."""
    shape = extrude(np.array(outline), length)
    return shape.with_(vertices=shape.vertices[:, [2, 0, 1]])
