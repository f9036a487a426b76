"""Showers, barn doors, boxes with sliding lids and ovens with trays."""

# ruff: noqa: RUF005 — point + (x, y, z) adds vectors here

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from neurok.datasets.articulated.casework import Job, add_feet, hang, open_case
from neurok.datasets.articulated.controls import add_knob
from neurok.datasets.articulated.extras import Spot, weld_on_spots, weld_or_part
from neurok.datasets.articulated.finishes import finish
from neurok.datasets.articulated.mechanism import Mechanism
from neurok.datasets.articulated.outlines import corners, curve
from neurok.datasets.articulated.panels import border_bars, walls
from neurok.datasets.articulated.placing import X, Y, Z, moved, shifted, turned
from neurok.datasets.articulated.sliding import Bay, Lanes, Track, hang_leaf, lay_grooves, some_still
from neurok.datasets.articulated.solids import ball, bar, block, dowel, lathe, prism_along_x, ring, rod, tube
from neurok.shapes.appearance import Material
from neurok.shapes.articulated.assembly import painted
from neurok.shapes.shape import Shape

SHOWERS = {  # lanes of panes from left to right, and which of them move
    "pair": ((1, 0), (False, True)),
    "both": ((0, 1), (True, True)),
    "triple": ((2, 1, 0), (False, True, True)),
    "parting": ((1, 0, 0, 1), (False, True, True, False)),
    "middle": ((0, 1, 0), (False, True, False)),
    "corner": ((1, 0), (False, True)),
    "door": ((0, 0), (False, True)),
}


@dataclass(frozen=True)
class Stall:
    """What the fronts of a shower have in common: sizes of the tray and height, and what panes are like."""

    w: float
    d: float
    low: float
    high: float
    post: float
    t: float
    border: float  # of the frame around a pane; 0: none
    glass: Material
    hung: bool  # from a rail, not in grooves

    def pane(self, job: Job, w: float, h: float) -> list[Shape]:
        """A pane about the origin."""
        bars = border_bars(w, h, 2 * self.t, self.border) if self.border else []
        sheet = block((w - self.border, self.t, h - self.border))
        return [painted(sheet, self.glass), *(painted(p, job.metal) for p in bars)]


def shower_enclosure(rng: np.random.Generator) -> Shape:
    """Panes in a frame or on a rail over a tray: some slide, some stand still, some are hinged."""
    job, layout = Job(rng, "shower_enclosure", "frame"), str(rng.choice(list(SHOWERS)))
    w, d, high = rng.uniform((0.9, 0.75, 1.8), (1.7, 1.0, 2.1))
    low, post, t = rng.uniform((0.04, 0.025, 0.008), (0.15, 0.04, 0.012))
    hung = layout in ("pair", "parting", "corner") and rng.random() < 0.5
    border = 0.0 if hung or rng.random() < 0.4 else rng.uniform(0.02, 0.035)
    stall = Stall(d if layout == "corner" else w, d, low, high, post, t, border, finish(rng, "glass"), hung)
    tray, w, side = finish(rng, "pale", "dark"), stall.w, str(rng.choice(["wall", "pane", "none"]))
    job.still(tray, block((w, d, 0.6 * low), (0, 0, 0.3 * low)), *walls(w, d, low, 0.08))
    plug = lathe([(0.045, 0.55 * low), (0.045, 0.62 * low), (0.03, 0.66 * low)], 16)
    job.fit("frame", "drain", job.metal, plug)
    _shower_front(job, stall, "door", layout, *SHOWERS[layout])
    if layout == "corner":
        front, fittings = job.made, job.fittings
        job.made, job.fittings = Mechanism("side"), []
        _shower_front(job, stall, "side_door", "side", (0, 1), (True, False))
        job.made.turn(Z, np.pi / 2)
        front.pieces, front.joints = front.pieces + job.made.pieces, front.joints + job.made.joints
        for link, name, solids in job.fittings:
            fittings.append((link, name, [turned(p, Z, np.pi / 2) for p in solids]))
        job.made, job.fittings = front, fittings
    elif side != "none":
        for k, name in ((-1, "left"), (1, "right")):
            _shower_side(job, stall, side, f"pane_{name}", k, tray)
    if rng.random() < 0.6:
        job.still(tray, block((w, 0.03, high), (0, d / 2 + 0.01, high / 2)))
        _riser(job, rng, (rng.uniform(-0.25, 0.25) * w, d / 2, high))
    spots = [("frame", (k * 0.35 * w, -d / 2, 0.5 * low), -Y, 0.8 * low) for k in (-1, 1)]
    weld_on_spots(job.made, rng, spots)
    return job.finish()


def _shower_front(job, stall: Stall, noun, layout, run, moves) -> None:
    """Panes along the front of the tray and what carries them; at a corner there is no post."""
    low, high, post, t = stall.low, stall.high, stall.post, stall.t
    lanes = Lanes(run, moves, 2 * t if stall.border else t, 0.013, 0.04)
    y, deep, rail, free = 0.005 - stall.d / 2, lanes.depth, 0.04, {"side": -1, "corner": 1}.get(layout)
    ends = [k * (stall.w / 2 - (0.07 if k == free else post)) for k in (-1, 1)]
    for k, end in zip((-1, 1), ends, strict=True):
        if k != free:
            size = (post, deep, high - low + 0.01)
            job.still(job.metal, block(size, (end + k * post / 2, y + deep / 2, (high + low) / 2 - 0.005)))
    low = low if stall.hung else low + 0.02
    mid, span = (ends[0] + ends[1]) / 2, ends[1] - ends[0]
    bay = Bay(mid, (low + high - rail) / 2, span, high - rail - low, y)
    if stall.hung:
        _hung_panes(job, stall, bay, lanes, noun)
        return
    for z, size in ((high - rail / 2, rail), (low - 0.01, 0.02)):
        job.still(job.metal, block((stall.w, deep, size), (0, y + deep / 2, z)))
    if layout == "door":
        _hinged_pane(job, stall, bay, noun)
        return
    tall, wide = bay.h - lay_grooves(job, bay, lanes, 0.015, True, job.metal), lanes.wide(bay.w)
    for i, (x, at, way) in enumerate(lanes.placed(bay)):
        name = f"{noun}_{i + 1}"
        job.made.part(name, shifted(stall.pane(job, wide, tall), (x, at, bay.z)))
        _let_go(job, name, moves[i], way)
        _pane_grip(job, name, moves[i], (x, at, bay.z), (wide, lanes.t), sum(way), run[i] == 0)


def _hung_panes(job, stall: Stall, bay: Bay, lanes: Lanes, noun) -> None:
    """Panes on rollers before others that are clamped to the same rail."""
    t, size, wide = stall.t, job.rng.uniform(0.03, 0.042), lanes.wide(bay.w)
    track = Track("round", bay.y + 0.035, stall.high - 0.05, size)
    half, low = (bay.w + 2 * stall.post) / 2, stall.low + 0.01
    job.still(job.metal, dowel((bay.x, track.y, track.z), (half, 0, 0), 0.3 * size))
    for i, (x, _, way) in enumerate(lanes.placed(bay)):
        name, moves = f"{noun}_{i + 1}", lanes.moves[i]
        y, top = (track.leaf_y(t), track.z - 0.5 * size) if moves else (track.y + 0.3 * size + t / 2, track.z)
        at = np.array([x, y, (low + top) / 2])
        job.made.part(name, shifted(stall.pane(job, wide, top - low), at))
        _let_go(job, name, moves, way)
        _pane_grip(job, name, moves, at, (wide, t), sum(way), True)
        if moves:
            hang_leaf(job, track, name, (x - 0.32 * wide, x + 0.32 * wide), top)
            foot = x + np.sign(sum(way)) * 0.46 * wide
            cheeks = [block((0.03, 0.006, 0.04), (foot, y + k * (t / 2 + 0.004), low)) for k in (-1, 1)]
            job.still(job.metal, *cheeks)
        else:
            job.still(job.metal, block((0.95 * wide, 2.5 * t, 0.03), (x, y, low)))
            bolts = [(x + k * 0.35 * wide, y, track.z - 0.012) for k in (-1, 1)]
            job.fit(name, "clamp", job.metal, *(dowel(p, (0, 2 * t, 0), 0.014, 10) for p in bolts))


def _hinged_pane(job, stall: Stall, bay: Bay, noun) -> None:
    """One pane that stands still and a narrower one on barrels at a post."""
    share, y = job.rng.uniform(0.4, 0.6), bay.y + 2 * stall.t
    wide, h = share * bay.w, bay.h - 0.008
    x = bay.x + (bay.w - wide) / 2
    still = job.made.weld("frame", f"{noun}_1")
    rest = bay.w - wide - 0.004
    job.made.part(still, shifted(stall.pane(job, rest, bay.h), (bay.x - (bay.w - rest) / 2, y, bay.z)))
    size = (wide - 0.006, h, 2 * stall.t)
    hang(job, f"{noun}_2", stall.pane(job, wide - 0.006, h), size, (x, y, bay.z), "right", 1.6)
    _pane_grip(job, f"{noun}_2", True, (x, y, bay.z), (wide, stall.t), 1.0, True)


def _let_go(job, name, moves, way) -> None:
    """A leaf on its way along x, or one that stands still."""
    if moves:
        job.made.slide(job.root, name, X, *way)
    else:
        job.made.weld(job.root, name)


def _pane_grip(job, name, moves, at, size, way, outside) -> None:
    """A handle at the edge that leads when a pane shuts, on its outer or inner face; on few still panes."""
    if not moves and job.rng.random() < 0.8:
        return
    solids = shifted(job.fronts.pull(0.14, True), (0, -size[1] / 2, 0))
    solids = solids if outside else [turned(s, Z, np.pi) for s in solids]
    edge = np.sign(way or 1.0) * (0.06 - size[0] / 2) if moves else 0.3 * size[0]
    job.fittings.append((name, "handle", shifted(solids, np.add(at, edge * X))))


def _shower_side(job, stall: Stall, kind, name, k, tile) -> None:
    """A wall or a pane from front to back at one end."""
    d, low, high = stall.d, stall.low, stall.high
    if kind == "wall":
        job.still(tile, block((0.04, d, high), (k * (stall.w / 2 + 0.019), 0, high / 2)))
        return
    x = k * (stall.w / 2 - 0.012)
    sheet = block((stall.t, d - 0.1, high - low), (x, 0.05, (high + low) / 2))
    job.made.add(job.made.weld("frame", name), stall.glass, sheet)
    job.still(job.metal, *(block((0.024, d, 0.03), (x, 0, z)) for z in (high - 0.015, low + 0.01)))


def _riser(job, rng, at) -> None:
    """A pipe up the back wall with a head and a mixer."""
    x, y, high = at
    z, out = high - rng.uniform(0.05, 0.2), rng.uniform(0.2, 0.35)
    path = curve([(x, y - 0.03, 1.0), (x, y - 0.03, z - 0.1), (x, y - 0.1, z), (x, y - out, z)], 14)
    head = lathe([(0.08, -0.03), (0.09, -0.02), (0.02, 0.01)], 16)
    mixer = [
        dowel((x, y - 0.03, 1.0), (0.12, 0, 0), 0.025, 12),
        rod((x, y, 1.0), (x, y - 0.03, 1.0), 0.02, 10),
    ]
    job.fit("frame", "riser", job.metal, tube(path, 0.011, 8), moved(head, (x, y - out, z)), *mixer)


def barn_door(rng: np.random.Generator) -> Shape:
    """A door or two on wheels over an opening in a wall or a frame; some hang on straps with pins instead."""
    job, twin, swings = Job(rng, "barn_door", "wall"), rng.random() < 0.4, rng.random() < 0.18
    w, high, thick, t = rng.uniform((0.75, 1.9, 0.07, 0.03), (1.05, 2.25, 0.16, 0.045))
    count, kind = 1 + twin, str(rng.choice(["flat", "round", "channel"]))
    size, span, moves = rng.uniform(0.035, 0.055), count * w, some_still(rng, count, 0.35)
    y = -t / 2 - 0.012 if kind == "channel" else -t - 0.012
    track = Track(kind, y, high + rng.uniform(0.08, 0.14), size)
    left, right = (span / 2 + (1.05 * w if moves[k] and not swings else 0.2) for k in (0, -1))
    right = right if twin else span / 2 + rng.uniform(0.12, 0.4)
    _wall(job, rng, (span - 0.06, high - 0.03, thick), (-left, right), track.z + 2.5 * size)
    if not swings:
        job.still(job.metal, *track.rail(-left, right, 0.002))
    style = str(rng.choice(["flat", "framed", "glazed", "planks", "planks", "coffered"]))
    brace, rolls, reach = str(rng.choice(["none", "z", "x"])), rng.random() < 0.35, rng.uniform(0.15, 0.35)
    for k in range(count):
        x, name, side = (k + 0.5) * w - span / 2, f"door_{k + 1}" if twin else "door", 2 * k - 1
        top = high if swings else track.z - 0.8 * size
        leaf, at = _barn_leaf(job, w - 0.004, top - 0.02, t, style, brace), np.array([x, 0, top / 2 + 0.01])
        if swings:
            _strap_leaf(job, name, leaf, at - (t / 2 + 0.004) * Y, (w - 0.004, top - 0.02, t), side)
        else:
            at[1] = track.leaf_y(t)
            job.made.part(name, shifted(leaf, at))
        job.grip(name, reach, at + (-side * 0.42 * w, -t / 2 - (t / 2 + 0.004) * swings, -0.05 * high), True)
        if not swings:
            _let_roll(job, track, name, at, (w, top, t), side, moves[k], rolls)
    weld_on_spots(job.made, rng, [("wall", (right - 0.06, 0, z * high), -Y, 0.08) for z in (0.5, 0.6)])
    return job.finish()


def _let_roll(job, track: Track, name, at, size, side, moves, rolls) -> None:
    """A leaf on the rail with a guide at the floor, or one on battens before the wall."""
    (w, top, t), (x, y, _) = size, at
    if not moves:
        deep = 0.002 - y - t / 2
        job.made.weld("wall", name)
        battens = [(x + s * 0.46 * w, y + (t + deep) / 2, 0.5 * top) for s in (-1, 1)]
        job.still(job.body, *(block((0.06, deep, 0.9 * top), p) for p in battens))
        return
    joint = job.made.slide("wall", name, X, *sorted((0.0, side * 0.94 * w)))
    hang_leaf(job, track, name, (x - 0.33 * w, x + 0.33 * w), top, joint if rolls else "")
    foot, front = x + side * 0.47 * w, y - t / 2 - 0.012
    guide = [block((0.05, -front, 0.012), (foot, front / 2, 0.006))]
    guide += [block((0.05, 0.008, 0.05), (foot, y + s * (t / 2 + 0.007), 0.025)) for s in (-1, 1)]
    job.still(job.metal, *guide)


def _wall(job, rng, opening, ends, crown) -> None:
    """A wall or a timber frame with an opening, its front in the plane y = 0, perhaps with a casing."""
    w, h, thick = opening
    if rng.random() < 0.6:
        for a, b in ((ends[0], -w / 2), (w / 2, ends[1])):
            job.still(job.body, block((b - a, thick, crown), ((a + b) / 2, thick / 2, crown / 2)))
        job.still(job.body, block((w, thick, crown - h), (0, thick / 2, (crown + h) / 2)))
    else:
        for x in {ends[0] + 0.05, -w / 2 - 0.05, w / 2 + 0.05, ends[1] - 0.05}:
            job.still(job.body, block((0.1, thick, h), (x, thick / 2, h / 2), 0.004))
        beam = block(
            (ends[1] - ends[0], thick, crown - h), (sum(ends) / 2, thick / 2, (crown + h) / 2), 0.004
        )
        job.still(job.body, beam, block((ends[1] - ends[0], thick, 0.012), (sum(ends) / 2, thick / 2, 0.006)))
    if rng.random() < 0.4:
        back = shifted(border_bars(w + 0.2, h + 0.1, 0.02, 0.1), (0, thick + 0.009, h / 2 + 0.05))
        job.still(finish(rng, "wood", "pale"), *back[:2], back[3])


def _barn_leaf(job, w, h, t, style, brace) -> list[Shape]:
    """A leaf about the origin, perhaps with ledges and a diagonal or a cross of boards on it."""
    leaf = job.fronts.leaf(w, h, t if brace == "none" else 0.7 * t, style)
    if brace == "none":
        return leaf
    x, z = 0.42 * w, 0.36 * h
    boards = [block((0.96 * w, 0.3 * t, 0.1), (0, 0, s * 0.42 * h)) for s in (-1, 1)]
    boards += [
        bar((-s * x, 0, -z), (s * x, 0, z), 0.09, 0.3 * t) for s in ((1, -1) if brace == "x" else (1,))
    ]
    return shifted(leaf, (0, 0.15 * t, 0)) + [painted(moved(b, (0, -0.34 * t, 0)), job.body) for b in boards]


def _strap_leaf(job, name, leaf, at, size, side) -> None:
    """A leaf on barrels at its outer edge with long straps over its front."""
    w, h, t = size
    hang(job, name, leaf, size, at, "left" if side < 0 else "right", job.rng.uniform(1.5, 2.2))
    for z in (-0.36 * h, 0.36 * h):
        strap = block((0.7 * w, 0.01, 0.05), at + (side * 0.15 * w, -t / 2 - 0.003, z))
        job.fit(name, "strap", job.metal, strap)


def sliding_lid_box(rng: np.random.Generator) -> Shape:
    """A long box whose lid runs in grooves, under lips or in a dovetail; some lids or fronts do otherwise."""
    made, kind = (
        Mechanism("sliding_lid_box"),
        str(rng.choice(["one", "one", "two", "front", "front", "hinged"])),
    )
    long = rng.uniform(0.15, 0.4) if rng.random() < 0.7 else rng.uniform(0.4, 0.8)
    wide, high, wall = rng.uniform((0.2, 0.15, 0.02), (0.7, 0.45, 0.04)) * long
    body, trim = (
        finish(rng, "wood", "paint", "pale", "plastic"),
        finish(rng, "metal", "brass", "dark", "wood"),
    )
    base = rng.uniform(0.14, 0.25) * long if kind != "front" and rng.random() < 0.35 else 0.0
    size = (long, wide, high, wall)
    made.add("box", body, block((long, wide, wall), (long / 2, 0, base + wall / 2), 0.1 * wall))
    if kind == "hinged":
        _hinged_lid(made, rng, size, base, body, trim)
    else:
        _grooved_lids(made, rng, size, base, body, trim, kind == "two")
    for x in np.linspace(0, long, int(rng.integers(2, 5)))[1:-1]:
        made.add("box", body, block((0.5 * wall, wide - 2 * wall, 0.6 * high), (x, 0, base + 0.3 * high)))
    if base:
        _box_drawer(made, rng, size, base, body, trim)
    if kind != "front" and rng.random() < 0.5:
        feet = [(long / 2 + x, y, 0) for x, y in corners(0.45 * long, 0.42 * wide)]
        made.add("box", trim, *(ball(0.7 * wall, p, 8) for p in feet))
    spots = [("box", (k * long, s * wide / 2, base + 0.4 * high), s * Y, 0.3 * high)
             for k, s in ((0.3, -1), (0.7, -1), (0.5, 1))]  # fmt: skip
    weld_on_spots(made, rng, spots)
    if kind == "front":
        made.turn(X, np.pi / 2)
        made.turn(Y, -np.pi / 2)
    elif rng.random() < 0.5:
        made.turn(Z, -np.pi / 2)
    return made.finish(rng, ajar=0.35)


def _grooved_lids(made, rng, size, base, body, trim, twin) -> None:
    """Long walls that hold a lid by its edges, and one lid or two that meet in the middle."""
    (long, wide, high, wall), style = size, str(rng.choice(["groove", "lip", "dovetail"]))
    top, y0, y1, g = base + high, wide / 2 - wall, wide / 2, 0.5 * wall
    lip, b = rng.uniform(0.4, 0.8) * wall, rng.uniform(0.5, 1.0) * wall
    under, c = top - lip - b, 0.04 * wall
    upper = {
        "groove": [(y0, top), (y0, top - lip), (y0 + g, top - lip), (y0 + g, under), (y0, under)],
        "lip": [(y0 - g, top), (y0 - g, top - lip), (y0, top - lip), (y0, under), (y0 - g, under),
                (y0 - g, under - lip), (y0, under - lip)],
        "dovetail": [(y0, top), (y0 + g, under), (y0, under)],
    }[style]  # fmt: skip
    section = np.array([(y0, base), (y1, base), (y1, top), *upper])
    for s in (-1, 1):
        made.add("box", body, moved(prism_along_x(section * (s, 1), long), (long / 2, 0, 0)))
    for x, is_low in ((wall / 2, twin), (long - wall / 2, True)):
        h = (under if is_low else top) - base
        made.add("box", body, block((wall, 2 * y0 + 0.1 * wall, h - 0.001), (x, 0, base + h / 2), 0.1 * wall))
    half = {"groove": (y0 + g, y0 + g), "lip": (y0, y0), "dovetail": (y0 + g, y0 + 0.1 * g)}[style]
    above = top if style == "dovetail" else top - lip
    sheet = np.array(
        [(c - half[0], under), (half[0] - c, under), (half[1] - c, above - c), (c - half[1], above - c)]
    )
    skin = body if rng.random() < 0.4 else finish(rng, "wood", "glass", "paint", "plastic")
    ends, grip = (
        [(long / 2, 0.0, -1), (long / 2, long, 1)] if twin else [(wall, long, 1)],
        int(rng.integers(2**32)),
    )
    moves, raised = some_still(rng, len(ends), 0.35), rng.random() < 0.4
    for k, (start, end, way) in enumerate(ends):
        name, run = f"lid_{k + 1}" if twin else "lid", abs(end - start) - 0.001
        made.add(name, skin, moved(prism_along_x(sheet, run), ((start + end) / 2 + 0.0005 * way, 0, 0)))
        if raised:
            panel = block(
                (0.6 * run, 1.2 * y0, 0.3 * b), (start + way * 0.36 * run, 0, above + 0.1 * b), 0.1 * b
            )
            made.add(name, skin, panel)
        place = (end - way * 0.15 * run, 0, above - c)
        _lid_grip(made, np.random.default_rng(grip), name, place, y0 - 1.2 * g, wall, trim)
        if moves[k]:
            made.slide("box", name, way * X, 0.0, rng.uniform(0.7, 0.9) * run)
        else:
            made.weld("box", name)
            bead = block(
                (0.5 * wall, 1.4 * y0, above - under + wall),
                (end + 0.24 * way * wall, 0, (above + under - wall) / 2),
            )
            made.add("box", trim, bead)


def _lid_grip(made, rng, name, at, half, wall, trim) -> None:
    """A thumb ring, a knob, a strip across or nothing on a lid."""
    kind, r = str(rng.choice(["thumb", "thumb", "knob", "strip", "none"])), min(0.5 * half, 2 * wall)
    if kind == "thumb":
        rim = ring(np.array([(0.7, -0.02), (1, -0.02), (0.95, 0.15), (0.8, 0.15)]) * r, 20)
        made.add(name, trim, moved(rim, at))
    elif kind == "knob":
        made.add(
            name,
            trim,
            rod(at, np.add(at, (0, 0, 0.6 * r)), 0.3 * r, 10),
            ball(0.5 * r, np.add(at, (0, 0, 0.8 * r)), 12),
        )
    elif kind == "strip":
        made.add(
            name,
            trim,
            block((0.8 * wall, 1.6 * half, 0.8 * wall), np.add(at, (0, 0, 0.38 * wall)), 0.15 * wall),
        )


def _hinged_lid(made, rng, size, base, body, trim) -> None:
    """Four plain walls and a lid on knuckles along a long edge."""
    (long, wide, high, wall), b = size, rng.uniform(0.6, 1.0) * size[3]
    top, r = base + high, 0.4 * wall
    made.add("box", body, *shifted(walls(long, wide, high, wall), (long / 2, 0, base)))
    made.add("lid", body, block((long, wide, b), (long / 2, 0, top + b / 2), 0.1 * b))
    for x in np.array([0.2, 0.8]) * long:
        for k, link in enumerate(("box", "lid", "box")):
            middle = np.array([x + (k - 1) * 1.5 * wall, wide / 2 + 0.6 * r, top])
            leaf = block(
                (1.4 * wall, 0.3 * r, 3 * wall), middle + (0, -0.5 * r, 1.5 * wall * (-1, 1)[link == "lid"])
            )
            flap = block(
                (1.4 * wall, 3 * wall, 0.3 * r), (middle[0], wide / 2 - 1.2 * wall, top + b + 0.1 * r)
            )
            made.add(link, trim, dowel(middle, 0.72 * wall * X, r, 10), flap if link == "lid" else leaf)
    _lid_grip(made, rng, "lid", (0.85 * long, 0, top + b), wide / 2 - wall, wall, trim)
    made.hinge("box", "lid", (0, wide / 2 + 0.6 * r, top), -X, 0.0, rng.uniform(1.3, 1.9))


def _box_drawer(made, rng, size, base, body, trim) -> None:
    """A storey under the box with a drawer that comes out at an end or at the front."""
    (long, wide, _, wall), at_front = size, rng.random() < 0.5
    a, b = (wide, long) if at_front else (long, wide)
    case = [block((a, wall, base), (0, s * (b - wall) / 2, base / 2)) for s in (-1, 1)]
    case += [block((wall, b, base), ((wall - a) / 2, 0, base / 2)), block((a, b, wall), (0, 0, wall / 2))]
    slack, t = 0.02 * wall, 0.6 * wall
    inner, tall, run = b - 2 * wall - 2 * slack, base - wall - 2 * slack, a - wall - 2 * slack
    low, x = wall + slack, wall / 2
    tray = [
        block((run, inner, t), (x, 0, low + t / 2)),
        block((wall, inner, tall), ((a - wall) / 2, 0, low + tall / 2)),
    ]
    tray += [block((run, t, 0.7 * tall), (x, s * (inner - t) / 2, low + 0.35 * tall)) for s in (-1, 1)]
    tray.append(block((t, inner, 0.7 * tall), (x - (run - t) / 2, 0, low + 0.35 * tall)))
    knobs = [
        ball(0.16 * tall, (a / 2 + 0.1 * tall, y * inner, low + tall / 2), 10)
        for y in ((0,) if b < a else (-0.25, 0.25))
    ]
    for link, material, solids in (("box", body, case), ("drawer", body, tray), ("drawer", trim, knobs)):
        solids = [turned(p, Z, -np.pi / 2) for p in solids] if at_front else solids
        made.add(link, material, *shifted(solids, (long / 2, 0, 0)))
    made.slide("box", "drawer", -Y if at_front else X, 0.0, rng.uniform(0.5, 0.85) * run)


def rack_oven(rng: np.random.Generator) -> Shape:
    """A cabinet or rack with sheet, wire or slatted trays on runners; some have a door that stands open."""
    job, is_rack = Job(rng, "rack_oven", "cabinet"), rng.random() < 0.3
    w, d, h = rng.uniform((0.45, 0.45, 0.5), (0.9, 0.8, 1.6))
    wall = 0.035 if is_rack else rng.uniform(0.02, 0.07)
    crown = 0.0 if is_rack or rng.random() < 0.5 else rng.uniform(0.08, 0.16)
    if is_rack:
        _rack_frame(job, (w, d, h), wall)
    else:
        job.still(job.body, *open_case(w, d, h, wall))
    door = "none" if is_rack else str(rng.choice(["none", "drop" if h < 0.9 else "side", "side"]))
    _trays(job, rng, Bay(0.0, h / 2, w - 2 * wall, h - 2 * wall, -d / 2), d, door != "none")
    if door != "none":
        t = min(rng.uniform(0.02, 0.04), 0.5 * wall + 0.01)
        size, side = (
            (w - wall, h - wall, t),
            "bottom" if door == "drop" else str(rng.choice(["left", "right"])),
        )
        leaf = job.fronts.leaf(*size, str(rng.choice(["flat", "glazed", "framed"])))
        reach = np.pi / 2 if door == "drop" else rng.uniform(1.8, 2.2)
        hang(job, "door", leaf, size, (0, -d / 2 - t / 2 - 0.002, h / 2), side, reach, 0.2)
    spots = _control_head(job, rng, (w, d, h), crown) if crown else []
    spots += [("cabinet", (s * w / 2, 0, 0.6 * h), s * X, 0.12) for s in (-1, 1) if not is_rack]
    add_feet(job, w, d)
    if len(job.made.joints) < 6:
        weld_on_spots(job.made, rng, spots)
    weld_or_part(job.made, rng, job.fittings)
    if door != "none":
        _open_up(job.made, "door")
    return job.made.finish(rng, ajar=0.25 if door == "none" else 0.0)


def _open_up(made: Mechanism, child: str) -> None:
    """Draw a hinged link, and all that is welded on it, at its upper limit instead of at zero."""
    joint = next(j for j in made.joints if j.child == child)
    links = {child, *(j.child for j in made.joints if j.parent == child)}
    made.pieces = [
        (link, turned(piece, joint.axis, joint.upper, joint.at) if link in links else piece)
        for link, piece in made.pieces
    ]
    made.joints[made.joints.index(joint)] = replace(joint, lower=-joint.upper, upper=0.0)


def _rack_frame(job, size, post) -> None:
    """Four posts with beams around their feet and heads."""
    w, d, h = size
    for x, y in corners((w - post) / 2, (d - post) / 2):
        job.still(job.body, block((post, post, h), (x, y, h / 2), 0.003))
    for z in (post / 2, h - post / 2):
        job.still(job.body, *(block((post, d, post), (s * (w - post) / 2, 0, z)) for s in (-1, 1)))
        job.still(job.body, block((w, post, post), (0, (d - post) / 2, z)))
    job.still(job.body, block((w, d, 0.3 * post), (0, 0, h - 0.15 * post)))


def _trays(job, rng, bay: Bay, d, shut) -> None:
    """Trays over each other on ledges, on rods or in channels; some of them stand still."""
    count, runner = int(rng.integers(2, 6)), str(rng.choice(["ledge", "rods", "channel"]))
    style, noun = str(rng.choice(["sheet", "wire", "slats"])), str(rng.choice(["tray", "rack", "shelf"]))
    pitch, gap = bay.h / count, rng.uniform(0.012, 0.022)
    front = bay.y + (0.06 if shut else rng.uniform(0.0, 0.03))
    long, wide = 0.97 * (d / 2 - front) - 0.02, bay.w - 2 * gap
    mid, rim = front + long / 2, min(rng.uniform(0.015, 0.05), 0.4 * pitch)
    moves, grips = some_still(rng, count, 0.35), rng.random() < 0.6
    wheels = runner != "rods" and rng.random() < 0.5
    seed = int(rng.integers(2**32))
    for k in range(count):
        name, low = f"{noun}_{k + 1}", bay.z - bay.h / 2 + (k + 0.3) * pitch
        for s in (-1, 1):
            x = s * bay.w / 2
            job.still(job.metal, *_runner(runner, x, s, gap, (bay.y + d / 2 - 0.01, d - 0.03), low))
            if wheels:
                for y in (mid + 0.4 * long, mid - 0.1 * long):
                    axle = dowel((x - 0.6 * s * gap, y, low + 0.4 * gap), (0.45 * gap, 0, 0), 0.38 * gap, 12)
                    job.fit(name, "wheel", job.metal, axle)
        job.made.add(name, job.metal, *shifted(_tray(style, wide, long, rim), (0, mid, low)))
        if grips:
            bow = _bow(np.random.default_rng(seed), 0.3 * wide, 0.04)
            job.fit(name, "handle", job.metal, *shifted(bow, (0, front, low + 0.4 * rim)))
        if moves[k]:
            job.made.slide("cabinet", name, -Y, 0.0, rng.uniform(0.5, 0.8) * long)
        else:
            job.made.weld("cabinet", name)
            angles = [
                block((2 * gap, 0.03, 0.012), (s * (bay.w / 2 - 0.95 * gap), mid, low + 0.006))
                for s in (-1, 1)
            ]
            job.fit(name, "angle", job.body, *angles)


def _bow(rng, span, out) -> list[Shape]:
    """A bow of wire or a bent plate that stands out towards −y."""
    if rng.random() < 0.5:
        path = [(-span / 2, 0.003, 0), (-span / 2, -out, 0), (span / 2, -out, 0), (span / 2, 0.003, 0)]
        return [tube(path, 0.004, 8)]
    return [block((span, out, 0.003), (0, -out / 2, 0)), block((span, 0.003, 0.014), (0, -out, -0.006))]


def _runner(kind, x, s, gap, along, low) -> list[Shape]:
    """What carries one side of a tray whose underside is at `low`."""
    y, long = along
    if kind == "rods":
        line = rod(
            (x - s * gap, y - long / 2, low - 0.0045), (x - s * gap, y + long / 2, low - 0.0045), 0.004, 8
        )
        ends = [
            block((gap + 0.006, 0.008, 0.008), (x - s * gap / 2, y + k * 0.46 * long, low - 0.005))
            for k in (-1, 1)
        ]
        return [line, *ends]
    ledge = [block((1.8 * gap, long, 0.003), (x - 0.9 * s * gap, y, low - 0.002)),
             block((0.003, long, 1.2 * gap), (x - 0.001 * s, y, low + 0.6 * gap))]  # fmt: skip
    roof = block((0.9 * gap, long, 0.003), (x - 0.45 * s * gap, y, low + 1.1 * gap))
    return [*ledge, roof] if kind == "channel" else ledge


def _tray(style, w, d, rim) -> list[Shape]:
    """A tray about the z axis that stands on z = 0: a sheet with a rim, wires, or slats in a frame."""
    if style == "sheet":
        return [block((w, d, 0.003), (0, 0, 0.0015)), *walls(w, d, rim, 0.004)]
    frame = [block((0.01, d, 0.01), (s * (w / 2 - 0.005), 0, 0.005)) for s in (-1, 1)]
    frame += [block((w, 0.01, 0.01), (0, s * (d / 2 - 0.005), 0.005)) for s in (-1, 1)]
    count = int(np.clip(w / 0.04, 6, 18))
    places = (np.arange(count) + 0.5) / count * w - w / 2
    if style == "slats":
        return frame + [block((0.5 * w / count, d, 0.006), (x, 0, 0.005)) for x in places]
    return frame + [rod((x, -d / 2, 0.006), (x, d / 2, 0.006), 0.003, 6) for x in places]


def _control_head(job, rng, size, crown) -> list[Spot]:
    """A box on top of the cabinet with knobs that turn and others that do not; spots for extras on them."""
    w, d, h = size
    deep = rng.uniform(0.4, 1.0) * d
    job.still(job.skin, block((w, deep, crown), (0, (deep - d) / 2, h + crown / 2 - 0.001), 0.004))
    spots = []
    for k, x in enumerate(np.linspace(-0.35, 0.35, int(rng.integers(1, 4))) * w):
        at = np.array([x, -d / 2, h + crown / 2])
        spots += add_knob(job.made, rng, "cabinet", f"knob_{k + 1}", at, -Y, 0.2 * crown)
        if rng.random() < 0.3:
            job.made.joints.pop()
            job.made.weld("cabinet", f"knob_{k + 1}")
    return spots
