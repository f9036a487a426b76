"""Things on a desk: laptops, lamps, monitors, turntables, fans, books."""

from __future__ import annotations

import numpy as np

from neurok.datasets.articulated.finishes import finish
from neurok.datasets.articulated.mechanism import Mechanism
from neurok.datasets.articulated.outlines import arc, rectangle
from neurok.datasets.articulated.placing import aimed, moved, turned
from neurok.datasets.articulated.solids import ball, block, extrude, lathe, rod, torus, tube
from neurok.shapes.articulated.assembly import painted
from neurok.shapes.shape import Shape


def laptop(rng: np.random.Generator) -> Shape:
    """A base with keys and a screen on a hinge; in convertibles the screen also turns about its stalk."""
    made = Mechanism("laptop")
    width, depth = rng.uniform(0.26, 0.42), rng.uniform(0.18, 0.28)
    base, lid = rng.uniform(0.012, 0.035), rng.uniform(0.005, 0.014)
    corner = float(rng.uniform(0.004, 0.02))
    body, dark = finish(rng, "metal", "dark", "paint", "pale"), finish(rng, "dark")
    made.part("base", painted(moved(extrude(rectangle(width, depth, corner, 4), base, 0.002), (0, 0, base / 2)), body))
    _keys(made, rng, width, depth, base, finish(rng, "dark", "pale"))
    hinge_at = (0, depth / 2 - 0.006, base + 0.002)
    panel = moved(extrude(rectangle(width, depth, corner, 4), lid, 0.002), (0, 0, base + 0.004 + lid / 2))
    made.part("screen", painted(panel, body if rng.random() < 0.7 else finish(rng, "metal", "dark")))
    margin = rng.uniform(0.008, 0.02)
    made.part("screen", painted(block((width - 2 * margin, depth - 2.6 * margin, 0.001), (0, -0.003, base + 0.0042)), dark))
    if rng.random() < 0.6:
        badge = extrude(arc(0.018, 0, 2 * np.pi, int(rng.integers(4, 13)))[:-1], 0.001)
        made.part("screen", painted(moved(badge, (0, 0, base + 0.004 + lid)), finish(rng, "metal", "plastic")))
    stalk = rng.random() < 0.15
    for x in (0.0,) if stalk else np.array([-0.35, 0.35]) * width:
        barrel = rod((x - 0.06 * width, *hinge_at[1:]), (x + 0.06 * width, *hinge_at[1:]), 0.006, 10)
        made.part("turner" if stalk else "base", painted(barrel, dark))
    if stalk:
        made.spin("base", "turner", hinge_at, (0, 0, 1))
    made.hinge("turner" if stalk else "base", "screen", hinge_at, (-1, 0, 0), 0.0, rng.uniform(1.9, 2.5))
    return made.finish(rng, ajar=0.0 if stalk else 0.5)


def _keys(made, rng, width, depth, top, material) -> None:
    rows, columns = int(rng.integers(4, 7)), int(rng.integers(9, 14))
    pitch = np.array([0.86 * width / columns, 0.5 * depth / rows])
    for r in range(rows):
        skip = 4 if r == 0 else 0  # the lowest row has a long bar in its middle
        for c in range(columns):
            if skip and abs(c - (columns - 1) / 2) < skip / 2:
                continue
            at = ((c - (columns - 1) / 2) * pitch[0], (r - 0.4) * pitch[1] - 0.02, top)
            made.part("base", painted(block((*(0.85 * pitch), 0.003), at), material))
    made.part("base", painted(block((3.6 * pitch[0], 0.85 * pitch[1], 0.003), (0, -0.4 * pitch[1] - 0.02, top)), material))
    pad = block((rng.uniform(0.2, 0.35) * width, 0.24 * depth, 0.0015), (0, -0.32 * depth, top), 0.0)
    made.part("base", painted(pad, finish(rng, "dark", "metal")))


def desk_lamp(rng: np.random.Generator) -> Shape:
    """A base, an arm of two to four links that bend in one plane, and a shade on a hinge or a ball."""
    made = Mechanism("desk_lamp")
    body, trim = finish(rng, "plastic", "metal", "dark", "paint"), finish(rng, "metal", "dark", "brass")
    radius, foot = rng.uniform(0.07, 0.12), rng.uniform(0.015, 0.04)
    if rng.random() < 0.7:
        made.part("base", painted(lathe([(radius, 0), (radius, 0.5 * foot), (0.7 * radius, foot), (0.02, foot)], 24), body))
    else:
        made.part("base", painted(block((1.8 * radius, 1.5 * radius, foot), (0, 0, foot / 2), 0.006, 3), body))
    post = foot + rng.uniform(0.02, 0.08)
    made.part("base", painted(rod((0, 0, foot), (0, 0, post), 0.018), trim))
    made.part("post", painted(ball(0.021, (0, 0, post), 12), trim))
    made.hinge("base", "post", (0, 0, post), (0, 0, 1), -2.5, 2.5)
    at, parent, tilt = np.array([0, 0, post]), "post", rng.uniform(-0.5, 0.0)
    count = int(rng.integers(2, 5))
    for i in range(count):
        length = rng.uniform(0.35, 0.6) / count * 1.3
        end = at + length * np.array([np.sin(tilt), 0, np.cos(tilt)])
        name, reach = f"arm_{i + 1}", rng.uniform(0.35, 0.6)
        made.part(name, _arm(rng, at, end, body, trim))
        made.hinge(parent, name, at, (0, 1, 0), -reach, reach)
        at, parent, tilt = end, name, tilt + rng.uniform(0.5, 1.9) / count * 1.4
    _shade(made, rng, parent, at, tilt, body)
    return made.finish(rng, ajar=0.4)


def _arm(rng, start, end, body, trim) -> list[Shape]:
    """A link between two pivots: one rod, two parallel bars, or a flat bar with a spring."""
    style, pins = rng.choice(["rod", "twin", "flat"]), [rod(p - (0, 0.018, 0), p + (0, 0.018, 0), 0.013, 10) for p in (start, end)]
    if style == "twin":
        bars = [rod(start + (0, s, 0), end + (0, s, 0), 0.004, 8) for s in (-0.011, 0.011)]
    elif style == "rod":
        bars = [rod(start, end, rng.uniform(0.006, 0.01), 10)]
    else:
        bars = [aimed(block((0.008, 0.02, float(np.linalg.norm(end - start)))), end - start, (start + end) / 2)]
        coil = start + np.linspace(0.15, 0.6, 28)[:, None] * (end - start)
        phase = np.linspace(0, 14 * np.pi, 28)
        side = np.cross(end - start, (0, 1, 0)) / np.linalg.norm(end - start)
        bars.append(tube(coil + 0.012 * (np.cos(phase)[:, None] * side + np.sin(phase)[:, None] * np.array([0, 1, 0])), 0.002, 4))
    return [painted(p, trim) for p in pins] + [painted(b, body) for b in bars]


def _shade(made, rng, parent, at, tilt, body) -> None:
    mouth, deep, neck = rng.uniform(0.05, 0.09), rng.uniform(0.08, 0.14), rng.uniform(0.015, 0.03)
    bulge = rng.uniform(0.5, 1.0)
    outer = [(0, 0), (neck, 0), (neck, 0.3 * deep), (bulge * mouth, 0.6 * deep), (mouth, deep)]
    inner = [(r - 0.003, z - 0.001) for r, z in outer[:2:-1]]
    along = np.array([np.sin(tilt + 0.9), 0, np.cos(tilt + 0.9)])
    made.part("head", painted(aimed(lathe([*outer, *inner, (0, 0.55 * deep)], 20), along, at - 0.01 * along), body))
    made.part("head", painted(ball(0.45 * mouth, at + 0.75 * deep * along, 12), finish(rng, "pale")))
    if rng.random() < 0.5:
        made.part("head", painted(ball(0.02, at, 12), finish(rng, "metal")))
        made.socket(parent, "head", at, 0.5)
    else:
        made.hinge(parent, "head", at, (0, 1, 0), -rng.uniform(0.4, 0.9), rng.uniform(0.4, 0.9))


def swivel_monitor(rng: np.random.Generator) -> Shape:
    """A screen that tilts, and on most stands rises, swivels, or turns to portrait."""
    made = Mechanism("swivel_monitor")
    width = rng.uniform(0.4, 0.85)
    height, thick = width * rng.uniform(0.42, 0.72), rng.uniform(0.012, 0.05)
    body, trim = finish(rng, "dark", "metal", "pale"), finish(rng, "metal", "dark", "pale")
    foot, z = rng.uniform(0.012, 0.025), height / 2 + rng.uniform(0.08, 0.16)
    if rng.random() < 0.5:
        made.part("base", painted(moved(lathe([(0.16, 0), (0.16, 0.6 * foot), (0.14, foot), (0.03, foot)], 26), (0, 0.05, 0)), trim))
    else:
        made.part("base", painted(block((0.4 * width, 0.22, foot), (0, 0.05, foot / 2), 0.004, 3), trim))
    stem, at = "base", np.array([0, 0.075, z])
    if rng.random() < 0.6:
        made.part("swivel", painted(moved(lathe([(0.05, foot - 0.002), (0.05, foot + 0.012), (0.03, foot + 0.02)], 18), (0, 0.075, 0)), trim))
        made.hinge(stem, "swivel", (0, 0.075, foot), (0, 0, 1), -rng.uniform(0.5, 1.5), rng.uniform(0.5, 1.5))
        stem = "swivel"
    column = rng.uniform(0.03, 0.07)
    if rng.random() < 0.6:
        made.part(stem, painted(block((column, 0.03, z - foot), (0, 0.085, (z + foot) / 2), 0.004, 3), trim))
        made.part("carriage", painted(block((1.4 * column, 0.05, 0.09), (0, 0.08, z), 0.006), body))
        made.slide(stem, "carriage", (0, 0, 1), -min(0.1, z - height / 2 - foot - 0.01), 0.0)
        stem = "carriage"
    else:
        made.part(stem, painted(rod((0, 0.075, foot), (0, 0.075, z + 0.02), column / 2), trim))
    made.part("arm", painted(rod((-0.03, *at[1:]), (0.03, *at[1:]), 0.018), trim), painted(rod(at, (0, 0.01, z), 0.014), trim))
    made.hinge(stem, "arm", at, (1, 0, 0), -rng.uniform(0.1, 0.25), rng.uniform(0.1, 0.3))
    _screen(made, rng, width, height, thick, z, body)
    return made.finish(rng)


def _screen(made, rng, width, height, thick, z, body) -> None:
    pivots = rng.random() < 0.4
    name = "screen" if pivots else "arm"
    made.part(name, painted(moved(turned(extrude(rectangle(width, height, 0.01, 3), thick, 0.002), (1, 0, 0), np.pi / 2), (0, -thick / 2 + 0.012, z)), body))
    made.part(name, painted(block((0.5 * width, 0.03, 0.5 * height), (0, 0.02, z), 0.012), body))
    border = rng.uniform(0.008, 0.025)
    glass = block((width - 2 * border, 0.002, height - 2 * border), (0, 0.012 - thick, z + rng.uniform(0, 0.4) * border))
    made.part(name, painted(glass, finish(rng, "dark", "paint")))
    if pivots:
        made.hinge("arm", "screen", (0, 0, z), (0, -1, 0), 0.0, np.pi / 2)


def turntable(rng: np.random.Generator) -> Shape:
    """A record player (platter, arm, often a lid), a tray on a foot, or a stand with a globe."""
    made = Mechanism("turntable")
    body, trim = finish(rng, "wood", "dark", "pale", "paint"), finish(rng, "metal", "brass", "dark")
    kind = rng.choice(["player", "tray", "globe"], p=[0.55, 0.25, 0.2])
    if kind == "player":
        _record_player(made, rng, body, trim)
    elif kind == "tray":
        tiers, r, z = int(rng.integers(1, 4)), rng.uniform(0.14, 0.25), 0.02
        made.part("foot", painted(lathe([(0.6 * r, 0), (0.5 * r, 0.015), (0.06 * r, 0.025)], 24), body))
        made.part("tray", painted(rod((0, 0, z), (0, 0, z + 0.04 + 0.12 * (tiers - 1)), 0.05 * r, 10), trim))
        for i in range(tiers):
            level, size = z + 0.03 + 0.12 * i, r * 0.8**i
            made.part("tray", painted(moved(lathe([(0.1 * r, -0.006), (size, 0), (1.03 * size, 0.02), (0.98 * size, 0.02), (0.95 * size, 0.006), (0, 0.006)], 26), (0, 0, level)), body))
            spots = int(rng.integers(2, 6))
            for a in np.arange(spots) * 2 * np.pi / spots + rng.uniform(0, 6):
                item = lathe([(0.016, 0), (0.022, 0.02), (0.018, rng.uniform(0.04, 0.08)), (0, 0.08)], 10)
                made.part("tray", painted(moved(item, (0.6 * size * np.cos(a), 0.6 * size * np.sin(a), level + 0.005)), finish(rng, "plastic", "paint")))
        made.spin("foot", "tray", (0, 0, z), (0, 0, 1))
    else:
        _globe(made, rng, body, trim)
    return made.finish(rng)


def _record_player(made, rng, body, trim) -> None:
    width, depth, tall, r = rng.uniform(0.4, 0.48), rng.uniform(0.33, 0.38), rng.uniform(0.05, 0.12), 0.15
    made.part("plinth", painted(block((width, depth, tall), (0, 0, tall / 2), 0.006), body))
    made.part("plinth", [painted(rod((sx * 0.4 * width, sy * 0.4 * depth, -0.02), (sx * 0.4 * width, sy * 0.4 * depth, 0.002), 0.02, 12), finish(rng, "rubber")) for sx in (-1, 1) for sy in (-1, 1)])
    x = r + 0.015 - width / 2
    made.part("platter", painted(moved(lathe([(r, 0), (r, 0.015)], 30), (x, 0, tall)), trim))
    made.part("platter", painted(moved(lathe([(0.97 * r, 0.015), (0.97 * r, 0.018), (0.05, 0.018)], 30), (x, 0, tall)), finish(rng, "dark")))
    made.part("platter", painted(moved(lathe([(0.05, 0.018), (0.05, 0.0195)], 16), (x, 0, tall)), finish(rng, "plastic")), painted(rod((x, 0, tall), (x, 0, tall + 0.03), 0.004, 8), trim))
    made.spin("plinth", "platter", (x, 0, tall), (0, 0, 1))
    pivot = np.array([width / 2 - 0.035, depth / 2 - 0.06, tall + 0.035])
    made.part("plinth", painted(rod(pivot - (0, 0, 0.036), pivot - (0, 0, 0.008), 0.025, 14), trim))
    tip = pivot + (-0.01, -0.2, -0.005)
    made.part("tonearm", painted(rod(pivot - (0, 0, 0.015), pivot + (0, 0, 0.012), 0.016, 12), trim), painted(tube([pivot + (0, 0.04, 0), pivot, (pivot + tip) / 2, tip], 0.004, 8), trim))
    made.part("tonearm", painted(block((0.016, 0.03, 0.01), tip), finish(rng, "dark")), painted(rod(pivot + (0, 0.03, 0), pivot + (0, 0.055, 0), 0.012, 10), finish(rng, "dark")))
    made.hinge("plinth", "tonearm", pivot, (0, 0, -1), 0.0, rng.uniform(0.5, 0.7))
    if rng.random() < 0.6:
        t, h, top = 0.004, 0.075, tall + 0.002
        glass = finish(rng, "glass")
        walls = [block((width, depth, t), (0, 0, top + h)), block((width, t, h), (0, -depth / 2 + t, top + h / 2)), *(block((t, depth, h), (s * (width / 2 - t), 0, top + h / 2)) for s in (-1, 1))]
        made.part("cover", [painted(w, glass) for w in walls])
        made.part("cover", painted(rod((-0.4 * width, depth / 2, top), (0.4 * width, depth / 2, top), 0.006, 8), trim))
        made.hinge("plinth", "cover", (0, depth / 2, top), (-1, 0, 0), 0.0, rng.uniform(1.0, 1.4))


def _globe(made, rng, body, trim) -> None:
    r, tilt = rng.uniform(0.1, 0.2), rng.uniform(0.0, 0.5)
    centre, axis = np.array([0, 0, 1.45 * r + 0.03]), np.array([np.sin(tilt), 0, np.cos(tilt)])
    made.part("stand", painted(lathe([(0.7 * r, 0), (0.65 * r, 0.02), (0.1 * r, 0.05), (0.06 * r, 0.45 * r)], 22), body))
    meridian = np.array([centre + 1.15 * r * (np.cos(a) * axis + np.sin(a) * np.array([-axis[2], 0, axis[0]])) for a in np.linspace(0, np.pi, 17)])
    made.part("stand", painted(tube(meridian, 0.04 * r, 8), trim))
    foot = meridian[np.linalg.norm(meridian - (0, 0, 0.3 * r), axis=1).argmin()]
    made.part("stand", painted(rod((0, 0, 0.3 * r), foot, 0.07 * r, 10), trim))
    made.part("globe", painted(aimed(ball(r, sides=24), axis, centre), finish(rng, "paint", "plastic")))
    made.part("globe", painted(aimed(torus(r, 0.012 * r, 24, 6), axis, centre), trim), painted(rod(centre - 1.15 * r * axis, centre + 1.15 * r * axis, 0.03 * r, 8), trim))
    lumps = [ball(rng.uniform(0.25, 0.5) * r, sides=10) for _ in range(int(rng.integers(3, 7)))]
    land = finish(rng, "paint", "wood")
    for lump in lumps:
        d = rng.normal(size=3)
        made.part("globe", painted(moved(aimed(lump.with_(vertices=lump.vertices * [1, 0.7, 0.12]), d), centre + r * 0.97 * d / np.linalg.norm(d)), land))
    made.spin("stand", "globe", centre, axis)


def book(rng: np.random.Generator) -> Shape:
    """A book, folder or calendar: covers on a spine and a few stiff leaves, some coupled so that they fan."""
    made = Mechanism("book")
    width, height = rng.uniform(0.12, 0.28), rng.uniform(0.16, 0.36)
    board, pages = rng.uniform(0.002, 0.006), int(rng.integers(1, 6))
    leaf = rng.uniform(0.002, 0.009)
    thick = pages * leaf + 2 * board
    cover, paper = finish(rng, "fabric", "paint", "plastic", "dark"), finish(rng, "pale")
    made.part("back", painted(block((width, height, board), (width / 2, 0, board / 2), 0.1 * board), cover))
    _spine(made, rng, height, thick, cover)
    fanned, leader = rng.random() < 0.4, ""
    opens = rng.uniform(2.2, 3.0)
    names = [*(f"page_{i + 1}" for i in range(pages)), "front"]
    for i, name in reversed(list(enumerate(names))):
        z = board + (i + 0.5) * leaf if name != "front" else thick - board / 2
        inset = 0.005 if name != "front" else 0.0
        sheet = block((width - 2 * inset, height - 2 * inset, 0.98 * leaf if inset else board), (width / 2, 0, z), 0.0 if inset else 0.1 * board)
        made.part(name, painted(sheet, paper if inset else cover))
        share = (i + 1) / len(names)
        follows = (leader, share) if fanned and leader else None
        joint = made.hinge("back", name, (0, 0, z), (0, -1, 0), 0.0, opens * share if fanned else opens - 0.04 * (pages - i), follows)
        leader = leader or joint
    if rng.random() < 0.7:
        made.part("front", painted(block((0.6 * width, 0.2 * height, 0.0015), (0.5 * width, 0.2 * height, thick)), finish(rng, "brass", "pale", "paint")))
    return made.finish(rng, ajar=0.4 if fanned else 0.0)


def _spine(made, rng, height, thick, cover) -> None:
    """A round back, a row of rings, or a flat strip along x = 0."""
    style = rng.choice(["round", "rings", "flat"])
    if style == "rings":
        for y in np.linspace(-0.42, 0.42, int(rng.integers(4, 12))) * height:
            made.part("back", painted(aimed(torus(0.62 * thick, 0.08 * thick + 0.0005, 14, 5), (0, 1, 0), (0, y, thick / 2)), finish(rng, "metal")))
    elif style == "round":
        half = np.concatenate([arc((0.35 * thick, thick / 2), np.pi / 2, 1.5 * np.pi, 9)])
        made.part("back", painted(moved(turned(extrude(half, height), (1, 0, 0), np.pi / 2), (0, 0, thick / 2)), cover))
    else:
        made.part("back", painted(block((0.003, height, thick), (-0.0015, 0, thick / 2)), cover))
