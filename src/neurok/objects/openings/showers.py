"""Shower enclosures: sliding, fixed and hinged panes over a tray."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from neurok.objects.kit.casework import Casework, hang
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
    """Common properties of the fronts of a shower: sizes of the tray, height, and style of the panes."""

    w: float
    d: float
    low: float
    high: float
    post: float
    t: float
    border: float  # width of the frame around a pane, 0 for none
    glass: Material
    hung: bool  # panes hang from a rail instead of running in grooves

    def pane(self, case: Casework, w: float, h: float) -> list[Shape]:
        """A pane about the origin."""
        bars = border_bars(w, h, 2 * self.t, self.border) if self.border else []
        sheet = block((w - self.border, self.t, h - self.border))
        return [painted(sheet, self.glass), *(painted(p, case.metal) for p in bars)]


@family(number=54)
def shower_enclosure(rng: np.random.Generator) -> Shape:
    """Sliding, fixed and hinged panes in a frame or on a rail over a tray."""
    case, layout = Casework(rng, "shower_enclosure", "frame"), str(rng.choice(list(SHOWERS)))
    w, d, high = rng.uniform((0.9, 0.75, 1.8), (1.7, 1.0, 2.1))
    low, post, t = rng.uniform((0.04, 0.025, 0.008), (0.15, 0.04, 0.012))
    hung = layout in ("pair", "parting", "corner") and rng.random() < 0.5
    border = 0.0 if hung or rng.random() < 0.4 else rng.uniform(0.02, 0.035)
    stall = Stall(d if layout == "corner" else w, d, low, high, post, t, border, finish(rng, "glass"), hung)
    tray, w, side = finish(rng, "pale", "dark"), stall.w, str(rng.choice(["wall", "pane", "none"]))
    case.still(tray, block((w, d, 0.6 * low), (0, 0, 0.3 * low)), *walls(w, d, low, 0.08))
    plug = lathe([(0.045, 0.55 * low), (0.045, 0.62 * low), (0.03, 0.66 * low)], 16)
    case.fit("frame", "drain", case.metal, plug)
    _front(case, stall, "door", layout, *SHOWERS[layout])
    if layout == "corner":
        _second_front(case, stall)
    elif side != "none":
        for k, name in ((-1, "left"), (1, "right")):
            _side(case, stall, side, f"pane_{name}", k, tray)
    if rng.random() < 0.6:
        case.still(tray, block((w, 0.03, high), (0, d / 2 + 0.01, high / 2)))
        _riser(case, (rng.uniform(-0.25, 0.25) * w, d / 2, high))
    spots = [("frame", (k * 0.35 * w, -d / 2, 0.5 * low), -Y, 0.8 * low) for k in (-1, 1)]
    weld_on_spots(case.made, rng, spots)
    return case.finish()


def _front(case, stall: Stall, noun, layout, run, moves) -> None:
    """Panes along the front of the tray and their frame; a corner has no post."""
    low, high, post, t = stall.low, stall.high, stall.post, stall.t
    lanes = Lanes(run, moves, 2 * t if stall.border else t, 0.013, 0.04)
    y, deep, rail, free = 0.005 - stall.d / 2, lanes.depth, 0.04, {"side": -1, "corner": 1}.get(layout)
    ends = [k * (stall.w / 2 - (0.07 if k == free else post)) for k in (-1, 1)]
    for k, end in zip((-1, 1), ends, strict=True):
        if k != free:
            size = (post, deep, high - low + 0.01)
            case.still(case.metal, block(size, (end + k * post / 2, y + deep / 2, (high + low) / 2 - 0.005)))
    low = low if stall.hung else low + 0.02
    mid, span = (ends[0] + ends[1]) / 2, ends[1] - ends[0]
    bay = Bay(mid, (low + high - rail) / 2, span, high - rail - low, y)
    if stall.hung:
        _hung_panes(case, stall, bay, lanes, noun)
        return
    for z, size in ((high - rail / 2, rail), (low - 0.01, 0.02)):
        case.still(case.metal, block((stall.w, deep, size), (0, y + deep / 2, z)))
    if layout == "door":
        _hinged_pane(case, stall, bay, noun)
        return
    tall, wide = bay.h - lay_grooves(case, bay, lanes, 0.015, True, case.metal), lanes.wide(bay.w)
    for i, (x, at, way) in enumerate(lanes.placed(bay)):
        name = f"{noun}_{i + 1}"
        case.made.part(name, shifted(stall.pane(case, wide, tall), (x, at, bay.z)))
        _let_go(case, name, moves[i], way)
        _pane_grip(case, name, moves[i], (x, at, bay.z), (wide, lanes.t), sum(way), run[i] == 0)


def _second_front(case, stall: Stall) -> None:
    """A second front that meets the first at a corner: built like the first, then turned."""
    front, fittings = case.made, case.fittings
    case.made, case.fittings = Mechanism("side"), []
    _front(case, stall, "side_door", "side", (0, 1), (True, False))
    case.made.turn(Z, np.pi / 2)
    front.pieces += case.made.pieces
    front.joints += case.made.joints
    for link, name, pieces in case.fittings:
        fittings.append((link, name, [turned(p, Z, np.pi / 2) for p in pieces]))
    case.made, case.fittings = front, fittings


def _hung_panes(case, stall: Stall, bay: Bay, lanes: Lanes, noun) -> None:
    """Panes on rollers in front of others that are clamped to the same rail."""
    t, size, wide = stall.t, case.rng.uniform(0.03, 0.042), lanes.wide(bay.w)
    track = Track("round", bay.y + 0.035, stall.high - 0.05, size)
    half, low = (bay.w + 2 * stall.post) / 2, stall.low + 0.01
    case.still(case.metal, dowel((bay.x, track.y, track.z), (half, 0, 0), 0.3 * size))
    for i, (x, _, way) in enumerate(lanes.placed(bay)):
        name, moves = f"{noun}_{i + 1}", lanes.moves[i]
        y, top = (track.leaf_y(t), track.z - 0.5 * size) if moves else (track.y + 0.3 * size + t / 2, track.z)
        at = np.array([x, y, (low + top) / 2])
        case.made.part(name, shifted(stall.pane(case, wide, top - low), at))
        _let_go(case, name, moves, way)
        _pane_grip(case, name, moves, at, (wide, t), sum(way), True)
        if moves:
            hang_leaf(case, track, name, (x - 0.32 * wide, x + 0.32 * wide), top)
            foot = x + np.sign(sum(way)) * 0.46 * wide
            cheeks = [block((0.03, 0.006, 0.04), (foot, y + k * (t / 2 + 0.004), low)) for k in (-1, 1)]
            case.still(case.metal, *cheeks)
        else:
            case.still(case.metal, block((0.95 * wide, 2.5 * t, 0.03), (x, y, low)))
            bolts = [(x + k * 0.35 * wide, y, track.z - 0.012) for k in (-1, 1)]
            case.fit(name, "clamp", case.metal, *(dowel(p, (0, 2 * t, 0), 0.014, 10) for p in bolts))


def _hinged_pane(case, stall: Stall, bay: Bay, noun) -> None:
    """A fixed pane and a narrower one hinged at a post."""
    share, y = case.rng.uniform(0.4, 0.6), bay.y + 2 * stall.t
    wide, h = share * bay.w, bay.h - 0.008
    x = bay.x + (bay.w - wide) / 2
    still = case.made.weld("frame", f"{noun}_1")
    rest = bay.w - wide - 0.004
    case.made.part(still, shifted(stall.pane(case, rest, bay.h), (bay.x - (bay.w - rest) / 2, y, bay.z)))
    size = (wide - 0.006, h, 2 * stall.t)
    hang(case, f"{noun}_2", stall.pane(case, wide - 0.006, h), size, (x, y, bay.z), "right", 1.6)
    _pane_grip(case, f"{noun}_2", True, (x, y, bay.z), (wide, stall.t), 1.0, True)


def _let_go(case, name, moves, way) -> None:
    """A leaf that slides along x, or a fixed one."""
    if moves:
        case.made.slide(case.root, name, X, *way)
    else:
        case.made.weld(case.root, name)


def _pane_grip(case, name, moves, at, size, way, outside) -> None:
    """A handle at the leading edge of a pane, on its outer or inner face; rarely on fixed panes."""
    if not moves and case.rng.random() < 0.8:
        return
    solids = shifted(case.fronts.pull(0.14, True), (0, -size[1] / 2, 0))
    solids = solids if outside else [turned(s, Z, np.pi) for s in solids]
    edge = np.sign(way or 1.0) * (0.06 - size[0] / 2) if moves else 0.3 * size[0]
    case.fittings.append((name, "handle", shifted(solids, np.add(at, edge * X))))


def _side(case, stall: Stall, kind, name, k, tile) -> None:
    """A wall or a pane from front to back at one end."""
    d, low, high = stall.d, stall.low, stall.high
    if kind == "wall":
        case.still(tile, block((0.04, d, high), (k * (stall.w / 2 + 0.019), 0, high / 2)))
        return
    x = k * (stall.w / 2 - 0.012)
    sheet = block((stall.t, d - 0.1, high - low), (x, 0.05, (high + low) / 2))
    case.made.add(case.made.weld("frame", name), stall.glass, sheet)
    case.still(case.metal, *(block((0.024, d, 0.03), (x, 0, z)) for z in (high - 0.015, low + 0.01)))


def _riser(case, at) -> None:
    """A pipe up the back wall with a head and a mixer."""
    (x, y, high), rng = at, case.rng
    z, out = high - rng.uniform(0.05, 0.2), rng.uniform(0.2, 0.35)
    path = curve([(x, y - 0.03, 1.0), (x, y - 0.03, z - 0.1), (x, y - 0.1, z), (x, y - out, z)], 14)
    head = lathe([(0.08, -0.03), (0.09, -0.02), (0.02, 0.01)], 16)
    inlet = rod((x, y, 1.0), (x, y - 0.03, 1.0), 0.02, 10)
    mixer = dowel((x, y - 0.03, 1.0), (0.12, 0, 0), 0.025, 12)
    case.fit("frame", "riser", case.metal, tube(path, 0.011, 8), moved(head, (x, y - out, z)), mixer, inlet)
