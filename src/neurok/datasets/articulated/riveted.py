"""Flat parts that lie on each other and turn about a pin: folding rules, pocket knives, decks of cards."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import numpy as np

from neurok.datasets.articulated.extras import weld_some
from neurok.datasets.articulated.finishes import finish
from neurok.datasets.articulated.mechanism import Mechanism
from neurok.datasets.articulated.outlines import rectangle
from neurok.datasets.articulated.pivots import TRIMS, flat_bar, laid_or_stood, pin_cap, strip_outline
from neurok.datasets.articulated.placing import X, Y, Z, mirrored, moved, shifted, turned
from neurok.datasets.articulated.solids import block, extrude, lathe, ring, rod, torus
from neurok.shapes.shape import Shape

STRIPS = ("round", "square", "waisted", "eyed")
LEAVES = {"cards": "card", "blades": "blade", "sticks": "stick", "keys": "key"}  # kinds of decks
TOOLS = {"spear": "blade", "clip": "long_blade", "sheepsfoot": "short_blade"}  # kinds with other names


def flush_pin(radius: float, low: float, high: float, head: float, sides: int = 12) -> Shape:
    """A pin along z from `low` to `high` with a low head beyond either end."""
    rows = [(0.8 * radius, low - head), (radius, low - 0.4 * head), (radius, low), (0.6 * radius, low)]
    rows += [(0.6 * radius, high), (radius, high), (radius, high + 0.4 * head), (0.8 * radius, high + head)]
    return lathe(rows, sides)


def eyelet(radius: float, low: float, high: float, head: float, sides: int = 16) -> Shape:
    """A hollow post along z with a flange beyond either end."""
    inner, outer = 0.35 * radius, 0.6 * radius
    section = [(inner, low - head), (radius, low - head), (radius, low), (outer, low)]
    section += [(outer, high), (radius, high), (radius, high + head), (inner, high + head)]
    return ring(section, sides)


def flat_strip(style: str, start: float, end: float, eyes, width: float, thick: float) -> list[Shape]:
    """A flat bar along x about the plane z = 0, in the style "eyed" with true holes at the eyes' places."""
    bevel, half = 0.12 * thick, width / 2
    if style == "square":
        outline = rectangle(end - start, width, 0.12 * width, 1)
        return [moved(extrude(outline, thick, bevel), (start + end) / 2 * X)]
    if style != "eyed":
        path = np.c_[np.linspace(start + half, end - half, 7), np.zeros(7)]
        slim = 1 - 0.35 * np.sin(np.linspace(0, np.pi, 7)) * (style == "waisted")
        return [flat_bar(path, width * slim, thick, bevel)]
    hole = 0.26 * width
    eye, lap = ring(rectangle(half - hole, thick) + np.array([(half + hole) / 2, 0]), 18), (half + hole) / 2
    stops = np.array([start, *(x + s * lap for x in sorted(eyes) for s in (-1, 1)), end]).reshape(-1, 2)
    bars = [
        block((b - a, 0.8 * width, 0.94 * thick), ((a + b) / 2, 0, 0))
        for a, b in stops
        if b - a > 0.3 * width
    ]
    return [*bars, *(moved(eye, x * X) for x in eyes)]


def set_down(made: Mechanism, rng: np.random.Generator, stood: float) -> Mechanism:
    """The mechanism laid flat or by chance stood up, turned about z, with its lowest point on z = 0."""
    laid_or_stood(made, rng, stood).turn(Z, rng.choice([0.0, rng.uniform(-np.pi, np.pi)]))
    rise = -min(piece.vertices[:, 2].min() for _, piece in made.pieces) * Z
    made.pieces = [(link, moved(piece, rise)) for link, piece in made.pieces]
    made.joints = [replace(joint, at=joint.at + rise) for joint in made.joints]
    return made


def folding_rule(rng: np.random.Generator) -> Shape:
    """Flat links in a row, each riveted on the one before: in stairs, in two planes, or single and double."""
    made, plan = Mechanism("folding_rule"), str(rng.choice(["stair", "even", "double"], p=[0.6, 0.2, 0.2]))
    count, shape = int(rng.integers(3, 9)), str(rng.choice(STRIPS))
    long, slim, flat, gap = rng.uniform((0.08, 0.08, 0.12, 0.1), (0.24, 0.22, 0.32, 0.3))
    width, sides = slim * long, int(rng.choice([8, 12, 18]))
    thick, inset = flat * width, width * rng.uniform(0.5, 1.1)
    pitch, head = (1 + gap) * thick, 0.9 * gap * thick
    long *= rng.choice([1.0, rng.uniform(0.86, 0.97)]) ** np.arange(count)
    skins = [finish(rng, "wood", "metal", "plastic", "paint", "pale", "dark") for _ in range(2)]
    trim, apart = finish(rng, "brass", "metal", "dark"), count <= 6 and rng.random() < 0.35
    turns, low, high = _folds(rng, plan, count - 1)
    stuck = int(rng.integers(count - 1)) if count > 3 and rng.random() < 0.4 else -1
    turns[stuck] = turns[stuck] if stuck < 0 else 0.0
    ticks = int(rng.integers(4, 11)) if shape != "eyed" and rng.random() < 0.5 else 0
    start = heading = float(rng.choice([0.0, rng.uniform(-0.5, 0.5)]))
    at = np.zeros(3)
    for k in range(count):
        heading += turns[k - 1] if k else 0.0
        spliced, name = k == stuck + 1 and stuck >= 0, f"link_{k + 1}"
        back = 1.3 * width + inset if spliced else inset
        eyes = [0.0] * (k > 0) + [long[k]] * (k < count - 1) + [-1.3 * width] * spliced
        strip = flat_strip(shape, -back, long[k] + inset, eyes, width, thick)
        mark = block((0.03 * width, 0.35 * width, 0.8 * head), (0, 0.3 * width, thick / 2))
        strip += [moved(mark, x * X) for x in np.linspace(0.15, 0.85, ticks) * long[k]]
        levels = {"stair": [k], "even": [k % 2], "double": [-1, 1] if k % 2 else [0]}[plan]
        place = [moved(turned(s, Z, heading), at + z * pitch * Z) for s in strip for z in levels]
        made.add(name, skins[k % 2], place)
        if len(levels) > 1:
            core = block((0.25 * long[k], 0.5 * width, 2 * pitch - thick), (0.5 * long[k], 0, 0))
            made.add(name, skins[k % 2], moved(turned(core, Z, heading), at))
        if k:
            span = {"stair": (k - 1, k), "even": (0, 1), "double": (-1, 1)}[plan]
            reach = (span[0] * pitch - thick / 2, span[1] * pitch + thick / 2)
            pin = moved(flush_pin(rng.uniform(0.25, 0.4) * width, *reach, head, sides), at)
            owner = made.weld(f"link_{k}", f"pin_{k}") if apart else f"link_{k}"
            made.add(owner, trim, pin)
            if spliced:
                made.add(owner, trim, moved(pin, turned_x(heading, -1.3 * width)))
                made.weld(f"link_{k}", name)
            else:
                made.hinge(f"link_{k}", name, at, Z, low[k - 1] - turns[k - 1], high[k - 1] - turns[k - 1])
        at = at + turned_x(heading, long[k])
    _rule_extras(made, rng, (start, heading), at + pitch * levels[-1] * Z, (inset, width, thick), plan, count)
    return set_down(made, rng, 0.3).finish(rng, ajar=0.4)


def turned_x(angle: float, length: float) -> np.ndarray:
    """The point at a distance from the origin in a direction of the plane z = 0."""
    return length * np.array([np.cos(angle), np.sin(angle), 0.0])


def _folds(rng, plan, count) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """How far each link of a rule is turned on the one before, and between which angles it can turn."""
    way = rng.choice([-1, 1]) * (-1.0) ** np.arange(count)
    pose = rng.choice(["folded", "part", "straight"], p=[0.35, 0.52, 0.13])
    if plan != "stair":
        reach = rng.uniform(0.9, 1.35)
        turns = way * {"folded": 1.0, "part": rng.uniform(0.2, 1, count), "straight": 0.0}[pose] * reach
        return turns, np.full(count, -reach), np.full(count, reach)
    turns = {"folded": np.pi, "straight": 0.0, "part": rng.uniform(0.4, 2.8, count)}[pose] * way
    if rng.random() < 0.4:
        return turns, np.full(count, -np.pi), np.full(count, np.pi)
    return turns, np.minimum(way * np.pi, 0), np.maximum(way * np.pi, 0)


def _rule_extras(made, rng, headings, end, size, plan, count) -> None:
    """Metal tips beyond the ends, a clip under the first link and a label or hook on the last."""
    (first, heading), (inset, width, thick), last = headings, size, f"link_{count}"
    tip = block((0.3 * width, 0.9 * width, 0.9 * thick), ((inset + 0.1 * width), 0, 0), 0.1 * thick)
    hook = [tip, block((0.12 * width, 0.9 * width, 2.5 * thick), (inset + 0.3 * width, 0, 0.8 * thick))]
    final = [moved(turned(s, Z, heading), end) for s in hook]
    label = block((1.6 * width, 0.6 * width, 0.15 * thick), (-2.3 * width, 0, 0.55 * thick))
    clip = [block((3 * width, 0.5 * width, 0.2 * thick), (2.5 * width, 0, -1.3 * thick))]
    clip.append(block((0.4 * width, 0.5 * width, thick), (1.1 * width, 0, -0.9 * thick)))
    offers = [
        (last, *((("hook", final), ("tip", final[:1]))[int(rng.integers(2))])),
        (last, "label", moved(turned(label, Z, heading), end)),
    ]
    if plan != "double":
        offers.append(("link_1", "clip", [turned(s, Z, first) for s in clip]))
    weld_some(made, rng, offers, TRIMS)


def pocket_knife(rng: np.random.Generator) -> Shape:
    """Scales, liners or a single plate, and blades and tools in layers that turn about pins at the ends."""
    made = Mechanism("pocket_knife")
    plan = str(rng.choice(["scales", "liners", "single"], p=[0.5, 0.25, 0.25]))
    size, high, leaf = rng.uniform((0.075, 0.015, 0.0018), (0.14, 0.024, 0.004))
    layers = _tool_layers(rng, int(rng.integers(1, 3 if plan == "single" else 5)))
    skin = (
        finish(rng, "metal", "dark", "paint") if plan == "liners" else finish(rng, "wood", "plastic", "pale")
    )
    steel, trim = finish(rng, "metal", "dark"), finish(rng, "brass", "metal", "dark")
    bend, swell = rng.choice([0.0, rng.uniform(-0.04, 0.04)]), rng.uniform(0.96, 1.2)
    arch = np.sin(np.linspace(0, np.pi, 9))
    path = np.c_[np.linspace(-1, 1, 9) * (size - high) / 2, bend * high * arch]
    side = strip_outline(path, high * (0.96 + (swell - 0.96) * arch))
    wall = rng.uniform(0.0022, 0.005) if plan != "liners" else 0.0014
    thin, slack = rng.uniform(0.0008, 0.0013), 0.08 * leaf
    own = str(rng.choice(["", "liner", "spring", "pin"], p=[0.4, 0.15, 0.25, 0.2]))
    own = own if len(layers) < 4 or own == "pin" else ""
    cheek = extrude(side, wall, 0.25 * wall * (plan == "scales"))
    made.add("handle", skin, cheek)
    level, lined = wall / 2, plan != "single" and rng.random() < 0.7
    edge = strip_outline(path, 0.96 * high * (0.96 + (swell - 0.96) * arch))
    for number, layer in enumerate(layers, 1):
        if lined or (number > 1 and plan != "single"):
            link = made.weld("handle", f"liner_{number}") if own == "liner" else "handle"
            made.add(link, trim, moved(extrude(edge, thin), (level + thin / 2) * Z))
            level += thin
        level += slack + leaf / 2
        if plan != "single" or rng.random() < 0.5:
            cut = [any(end == e and kind != "plate" for e, _, kind in layer) for end in (-1, 1)]
            back = path[2 * cut[0] : len(path) - 2 * cut[1]] - (0, 0.31 * high)
            link = made.weld("handle", f"spring_{number}") if own == "spring" else "handle"
            made.add(link, steel, moved(flat_bar(back, 0.28 * high, leaf + 2 * slack), level * Z))
        for end, name, kind in layer:
            _tool(made, rng, (end, name, kind, len(layer)), (size - high, high, leaf), level, steel)
        level += leaf / 2 + slack
    if plan != "single":
        link = made.weld("handle", "scale") if rng.random() < 0.4 else "handle"
        made.add(link, skin, moved(cheek, (level + wall / 2) * Z))
        level += wall
    _knife_pins(made, rng, path, (high, wall, level), own == "pin", trim)
    return set_down(made, rng, 0.5).finish(rng, ajar=0.55)


def _tool_layers(rng, count) -> list[list[tuple[int, str, str]]]:
    """Layers of one or two tools as (end of the handle, name, kind); some have a plate that never moves."""
    kinds = ["spear", "clip", "saw", "driver", "opener", "awl", "sheepsfoot"]
    tools, layers = [str(k) for k in rng.permutation(kinds)[:count]], []
    while tools:
        both, end = len(tools) > 1 and rng.random() < 0.35, int(rng.choice([-1, 1]))
        layers.append([(end * (1 - 2 * i), tools.pop()) for i in range(1 + both)])
    if rng.random() < 0.25:
        layers.insert(int(rng.integers(len(layers) + 1)), [(-1, "plate")])
    return [[(end, TOOLS.get(kind, kind), kind) for end, kind in layer] for layer in layers]


def _tool(made, rng, what, size, level, steel) -> None:
    """One tool folded into the handle, on its pin; a plate is held by both pins."""
    (end, name, kind, shared), (span, high, leaf) = what, size
    length = span * (rng.uniform(0.36, 0.46) if shared > 1 else rng.uniform(0.6, 0.92))
    length = span if kind == "plate" else length
    outline = _tool_outline(rng, kind, length, high)
    tang = lathe([(0.29 * high, -leaf / 2), (0.29 * high, leaf / 2)], 16)
    solids = [extrude(np.array(outline), leaf, 0.12 * leaf * (kind not in ("saw", "opener"))), tang]
    if kind == "plate":
        solids.append(moved(tang, span * X))
    solids = shifted(solids, (-span / 2, 0, level))
    made.add(name, steel, [mirrored(s, 0) for s in solids] if end > 0 else solids)
    if kind == "plate":
        made.weld("handle", name)
    else:
        made.hinge("handle", name, (end * span / 2, 0, level), -end * Z, 0, rng.uniform(2.6, np.pi))


def _tool_outline(rng, kind, length, high) -> list[tuple[float, float]]:
    """A tool along x from its pin, the edge low and the back high enough to be seen over the handle."""
    low, top = -0.12 * high, rng.uniform(0.45, 0.68) * high
    middle, root = (low + top) / 2, [(0.55 * high, top), (0.2 * high, 0.2 * high)]
    if kind == "plate":
        return [(0.2 * high, low), (length, low), (length, 0.25 * high), (length - 0.5 * high, top), *root]
    if kind == "saw":
        teeth = np.linspace(0.6 * high, 0.95 * length, 2 * int(rng.integers(6, 13)) + 1)
        edge = [(float(x), low + 0.1 * high * (k % 2)) for k, x in enumerate(teeth)]
        return [(0.2 * high, low), *edge, (length, middle), (length, top), *root]
    tips = {
        "spear": [(0.75 * length, low), (0.92 * length, 0), (length, middle), (0.85 * length, top)],
        "clip": [(0.7 * length, low), (0.9 * length, 0), (length, middle), (0.7 * length, top)],
        "sheepsfoot": [(length, low), (0.97 * length, low + 0.2 * high), (0.8 * length, top)],
        "driver": [(0.7 * length, low), (0.8 * length, middle - 0.12 * high), (length, middle - 0.1 * high),
                   (length, middle + 0.1 * high), (0.8 * length, middle + 0.12 * high), (0.7 * length, top)],
        "opener": [(0.45 * length, low), (0.55 * length, middle), (0.7 * length, middle), (0.7 * length, low),
                   (0.9 * length, low), (length, middle), (0.97 * length, top)],
        "awl": [(0.3 * length, low), (length, 0.6 * middle), (0.35 * length, top)],
    }  # fmt: skip
    return [(0.2 * high, low), *tips[kind], *root]


def _knife_pins(made, rng, path, size, own, trim) -> None:
    """Pins at both ends and some along the back, and now and then a clip, a shield or a ring."""
    high, wall, top = size
    middle = [path[k] - (0, 0.31 * high) for k in ([], [4], [3, 5])[int(rng.integers(3))]]
    radius, head = rng.uniform(0.16, 0.24) * high, rng.uniform(0.1, 0.4) * wall
    for number, (x, y) in enumerate([path[0], path[-1], *middle], 1):
        thick, at = radius if number < 3 else 0.6 * radius, np.array([x, y, 0])
        made.add("handle", trim, rod(at - wall / 2 * Z, at + top * Z, 0.5 * thick, 10))
        link = made.weld("handle", f"pin_{number}") if own else "handle"
        made.add(link, trim, moved(flush_pin(thick, -wall / 2, top, head, int(rng.choice([10, 16]))), at))
    span, bottom = path[-1, 0], -wall / 2
    clip = [block((span, 0.3 * high, 0.25 * wall), (0.3 * span, 0, bottom - 1.0 * wall))]
    clip.append(block((0.12 * span, 0.3 * high, 1.2 * wall), (-0.2 * span, 0, bottom - 0.5 * wall)))
    loop = turned(torus(0.3 * high, 0.06 * high, 16, 6), X, np.pi / 2)
    offers = [
        ("handle", "clip", clip),
        ("handle", "shield", block((0.35 * span, 0.3 * high, 0.3 * wall), (0.1 * span, 0, bottom))),
        ("handle", "ring", moved(loop, (-span - 0.75 * high, 0, 0))),
        ("handle", "stud", moved(rod((0, 0, 0), 0.4 * wall * -Z, 0.1 * high, 10), (-0.4 * span, 0, bottom))),
        ("handle", "cap", moved(mirrored(pin_cap(0.3 * high), 2), (span, 0, bottom - 0.9 * head))),
    ]
    weld_some(made, rng, offers[:3] if own else offers, TRIMS)


def swatch_deck(rng: np.random.Generator) -> Shape:
    """Cards, blades, sticks or keys stacked on a post near one end, on a cover, in a case or in a holder."""
    made, kind = Mechanism("swatch_deck"), str(rng.choice(["cards", "blades", "sticks", "keys"]))
    count, plan = int(rng.integers(3, 10)), str(rng.choice(["cover", "covers", "case", "holder"]))
    long, flat, gap = rng.uniform((0.07, 0.012, 0.12), (0.2, 0.028, 0.35))
    width = long * {"cards": rng.uniform(0.25, 0.5), "keys": 0.3}.get(kind, rng.uniform(0.09, 0.22))
    thick = flat * long * rng.choice([0.6, 1.0])
    inset, hole = width * rng.uniform(0.3, 0.5), rng.uniform(0.12, 0.2) * min(width, 0.25 * long)
    aside = width * (
        rng.choice([0.0, rng.uniform(0.1, 0.25)]) if kind == "cards" and plan != "holder" else 0.0
    )
    pitch, wall = (1 + gap) * thick, thick * rng.uniform(1.0, 2.2)
    skin, steel = (
        finish(rng, "plastic", "wood", "paint", "dark", "metal"),
        finish(rng, "metal", "brass", "dark"),
    )
    size, top = (long, width, inset, aside), wall + count * pitch + (gap * thick)
    posts = [np.zeros(3), (1.06 * long + 1.2 * inset) * X] if plan == "holder" else [np.zeros(3)]
    _deck_body(made, rng, plan, size, (wall, top, posts[-1][0]), skin)
    head, style = rng.uniform(0.1, 0.3) * wall, [flush_pin, eyelet][int(rng.integers(2))]
    pinned = count < 8 and rng.random() < 0.45
    for number, at in enumerate(posts, 1):
        if pinned:
            made.add("cover", steel, moved(rod((0, 0, 0.3 * wall), (0, 0, top), 1.1 * hole, 12), at))
        link = made.weld("cover", f"post_{number}" if len(posts) > 1 else "post") if pinned else "cover"
        high = top + (wall if plan in ("case", "holder") else 0.0)
        made.add(link, steel, moved(style(2 * hole, 0.0, high + wall * (plan == "covers"), head, 16), at))
    closed, fan = rng.random() < 0.35, rng.uniform(0.05, 2.6 / count)
    glued = int(rng.integers(1, 3)) if count > 3 and plan != "holder" and rng.random() < 0.45 else 0
    for k in range(count):
        end = k % 2 if len(posts) > 1 else 0
        angle = 0.0 if closed else fan * (k // 2 if len(posts) > 1 else k)
        angle = 0.0 if k < glued else angle + (rng.uniform(0, 0.06) if plan != "case" else 0.0)
        leaf, name = _leaf(rng, kind, size, thick, hole), f"{LEAVES[kind]}_{k + 1}"
        level = wall + (k + 0.5 + gap / 2) * pitch
        for material, solids in leaf:
            solids = [moved(turned(s, Z, angle), level * Z) for s in solids]
            made.add(name, material, [_swapped(s, posts[-1]) for s in solids] if end else solids)
        washer = ring(rectangle(0.9 * hole, 0.7 * gap * thick) + np.array([1.45 * hole, 0]), 12)
        made.add("cover", steel, moved(washer, posts[end] + (level - 0.5 * pitch) * Z))
        if k < glued:
            far = flush_pin(hole, level - 0.5 * pitch, level + 0.5 * thick, 0.6 * gap * thick)
            made.add(name, steel, moved(far, (0.7 * long, 0, 0)))
            made.weld("cover", name)
            continue
        low, up = _sweep(rng, plan)
        if plan in ("cover", "covers") and rng.random() < 0.3:
            made.spin("cover", name, (*posts[end][:2], level), Z)
        else:
            made.hinge("cover", name, (*posts[end][:2], level), Z, low - angle, max(up, angle + 0.3) - angle)
    offers = [
        ("cover", "label", block((0.3 * long, 0.5 * width, 0.3 * wall), (0.5 * long, aside, -0.05 * wall))),
        (
            "cover",
            "tab",
            block((0.1 * long, 0.4 * width, 0.6 * wall), (1.06 * long - inset, aside, wall / 2)),
        ),
        ("cover", "cap", moved(mirrored(pin_cap(2.2 * hole), 2), (0, 0, -0.9 * head))),
    ]
    weld_some(made, rng, offers, TRIMS)
    return set_down(made, rng, 0.25).finish(rng, ajar=0.35)


def _swapped(solid: Shape, far) -> Shape:
    """A leaf of the first post turned half about, onto the post at the far end."""
    return moved(turned(solid, Z, np.pi), far)


def _sweep(rng, plan) -> tuple[float, float]:
    """Between which angles a leaf can turn: only out of the open side of a case."""
    if plan == "case":
        return 0.0, rng.uniform(1.8, 2.7)
    if plan == "holder":
        return 0.0, rng.uniform(2.2, np.pi)
    return -rng.uniform(0.0, 2.5), rng.uniform(1.0, 3.0)


def _deck_body(made, rng, plan, size, heights, skin) -> None:
    """The cover under the leaves and what is above them: nothing, a loose cover, or a plate on a wall."""
    (long, width, inset, aside), (wall, top, far) = size, heights
    end = far + 1.1 * inset if plan == "holder" else 1.03 * long - inset
    wide = 1.12 * width if plan != "case" else 1.3 * width
    shape = str(rng.choice(["round", "square"])) if not aside else "square"
    plate = flat_strip(shape, -1.1 * inset - 0.06 * width, end, [], wide, wall)
    made.add("cover", skin, [moved(s, (0, aside, wall / 2)) for s in plate])
    upper = [moved(s, (0, aside, top + wall / 2)) for s in plate]
    if plan == "covers":
        angle = rng.choice([0.0, rng.uniform(0.1, 1.5)])
        made.add("top_cover", skin, [turned(s, Z, angle) for s in upper])
        made.hinge("cover", "top_cover", (0, 0, top), Z, -1.5, 2.5)
    elif plan in ("case", "holder"):
        link = made.weld("cover", "side") if rng.random() < 0.35 else "cover"
        made.add(link, skin, upper)
    if plan == "case":
        start = 1.5 * (inset + 0.5 * width)
        run = max(0.96 * end - start, 0.1 * long)
        spine = block((run, 0.08 * width, top), (start + run / 2, -0.58 * width, (top + wall) / 2))
        made.add("cover", skin, spine)


def _leaf(rng, kind, size, thick, hole) -> list:
    """Materials and solids of one leaf along x with its hole at the origin, about the plane z = 0."""
    long, width, inset, aside = size
    body = finish(
        rng, *{"cards": ("pale", "paint", "plastic"), "sticks": ("wood", "paint")}.get(kind, ("metal",))
    )
    if kind == "keys":
        bow, reach = 0.5 * width, rng.uniform(0.8, 0.95) * long - inset
        teeth = np.linspace(1.2 * bow, 0.95 * reach, 2 * int(rng.integers(3, 6)) + 1)
        edge = [(x, -0.18 * width * rng.uniform(0.3, 1.0)) for x in teeth]
        blade = [
            (0.8 * bow, -0.15 * width),
            *edge,
            (reach, 0),
            (0.95 * reach, 0.16 * width),
            (0.8 * bow, 0.16 * width),
        ]
        eye = ring(
            rectangle(bow - 1.3 * hole, thick) + np.array([(bow + 1.3 * hole) / 2, 0]),
            int(rng.choice([6, 18])),
        )
        return [
            (finish(rng, "metal", "brass", "plastic"), [eye]),
            (body, [extrude(np.array(blade), 0.9 * thick)]),
        ]
    if kind == "sticks":
        path = np.c_[np.linspace(0, long - inset, 5), np.zeros(5)]
        return [(body, [flat_bar(path, np.linspace(0.6, 1.0, 5) * width, thick, 0.1 * thick)])]
    shape = "square" if kind == "cards" else str(rng.choice(["round", "square"]))
    reach = (1.0 if kind == "cards" else rng.uniform(0.85, 1.0)) * long - inset
    leaf = [(body, [moved(s, aside * Y) for s in flat_strip(shape, -inset, reach, [], width, thick)])]
    if kind == "cards":
        chips = np.linspace(0.35, 0.9, int(rng.integers(1, 5)) + 1)
        for a, b in pairwise(chips):
            chip = block(
                ((b - a) * 0.85 * reach, 0.8 * width, 0.06 * thick), ((a + b) / 2 * reach, aside, thick / 2)
            )
            leaf.append((finish(rng, "paint", "plastic"), [chip]))
    return leaf
