"""Shower enclosures: panes over a tray that slide, stand still or are hinged."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from neurok.objects.kit.casework import Job, hang
from neurok.objects.kit.extras import weld_on_spots
from neurok.objects.kit.finishes import finish
from neurok.objects.kit.lanes import Bay, Lanes, lay_grooves
from neurok.objects.kit.mechanism import Mechanism
from neurok.objects.kit.outlines import curve
from neurok.objects.kit.panels import border_bars, walls
from neurok.objects.kit.placing import X, Y, Z, moved, shifted, turned
from neurok.objects.kit.solids import block, dowel, lathe, rod, tube
from neurok.objects.kit.tracks import Track, hang_leaf
from neurok.objects.registry import family
from neurok.shapes.appearance import Material
from neurok.shapes.robots.assembly import painted
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


@family(number=54)
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
    _front(job, stall, "door", layout, *SHOWERS[layout])
    if layout == "corner":
        _second_front(job, stall)
    elif side != "none":
        for k, name in ((-1, "left"), (1, "right")):
            _side(job, stall, side, f"pane_{name}", k, tray)
    if rng.random() < 0.6:
        job.still(tray, block((w, 0.03, high), (0, d / 2 + 0.01, high / 2)))
        _riser(job, (rng.uniform(-0.25, 0.25) * w, d / 2, high))
    spots = [("frame", (k * 0.35 * w, -d / 2, 0.5 * low), -Y, 0.8 * low) for k in (-1, 1)]
    weld_on_spots(job.made, rng, spots)
    return job.finish()


def _front(job, stall: Stall, noun, layout, run, moves) -> None:
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


def _second_front(job, stall: Stall) -> None:
    """Another front, that meets the first at a corner: built as that one is, then turned."""
    front, fittings = job.made, job.fittings
    job.made, job.fittings = Mechanism("side"), []
    _front(job, stall, "side_door", "side", (0, 1), (True, False))
    job.made.turn(Z, np.pi / 2)
    front.pieces += job.made.pieces
    front.joints += job.made.joints
    for link, name, pieces in job.fittings:
        fittings.append((link, name, [turned(p, Z, np.pi / 2) for p in pieces]))
    job.made, job.fittings = front, fittings


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


def _side(job, stall: Stall, kind, name, k, tile) -> None:
    """A wall or a pane from front to back at one end."""
    d, low, high = stall.d, stall.low, stall.high
    if kind == "wall":
        job.still(tile, block((0.04, d, high), (k * (stall.w / 2 + 0.019), 0, high / 2)))
        return
    x = k * (stall.w / 2 - 0.012)
    sheet = block((stall.t, d - 0.1, high - low), (x, 0.05, (high + low) / 2))
    job.made.add(job.made.weld("frame", name), stall.glass, sheet)
    job.still(job.metal, *(block((0.024, d, 0.03), (x, 0, z)) for z in (high - 0.015, low + 0.01)))


def _riser(job, at) -> None:
    """A pipe up the back wall with a head and a mixer."""
    (x, y, high), rng = at, job.rng
    z, out = high - rng.uniform(0.05, 0.2), rng.uniform(0.2, 0.35)
    path = curve([(x, y - 0.03, 1.0), (x, y - 0.03, z - 0.1), (x, y - 0.1, z), (x, y - out, z)], 14)
    head = lathe([(0.08, -0.03), (0.09, -0.02), (0.02, 0.01)], 16)
    inlet = rod((x, y, 1.0), (x, y - 0.03, 1.0), 0.02, 10)
    mixer = dowel((x, y - 0.03, 1.0), (0.12, 0, 0), 0.025, 12)
    job.fit("frame", "riser", job.metal, tube(path, 0.011, 8), moved(head, (x, y - out, z)), mixer, inlet)
