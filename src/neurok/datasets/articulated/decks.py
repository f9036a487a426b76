"""Decks of cards, blades, sticks or keys that fan out about a post."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from neurok.datasets.articulated.extras import weld_some
from neurok.datasets.articulated.finishes import finish
from neurok.datasets.articulated.mechanism import Mechanism
from neurok.datasets.articulated.outlines import rectangle
from neurok.datasets.articulated.pivots import TRIMS, flat_bar, flat_strip, flush_pin, pin_cap, set_down
from neurok.datasets.articulated.placing import X, Y, Z, mirrored, moved, turned
from neurok.datasets.articulated.solids import block, extrude, ring, rod
from neurok.shapes.shape import Shape

LEAVES = {"cards": "card", "blades": "blade", "sticks": "stick", "keys": "key"}  # kinds of decks


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


def eyelet(radius: float, low: float, high: float, head: float, sides: int = 16) -> Shape:
    """A hollow post along z with a flange beyond either end."""
    inner, outer = 0.35 * radius, 0.6 * radius
    section = [(inner, low - head), (radius, low - head), (radius, low), (outer, low)]
    section += [(outer, high), (radius, high), (radius, high + head), (inner, high + head)]
    return ring(section, sides)


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
