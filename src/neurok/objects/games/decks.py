"""Decks of cards, blades, sticks or keys that fan out about a post."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from neurok.objects.kit.extras import weld_some
from neurok.objects.kit.finishes import FinishName, finish
from neurok.objects.kit.mechanism import Mechanism
from neurok.objects.kit.outlines import rectangle
from neurok.objects.kit.pivots import TRIMS, flat_bar, flat_strip, flush_pin, pin_cap, set_down
from neurok.objects.kit.placing import X, Y, Z, mirrored, moved, shifted, swung, turned
from neurok.objects.kit.solids import block, extrude, ring, rod, washer
from neurok.objects.registry import family
from neurok.shapes.appearance import Material
from neurok.shapes.shape import Shape

SKINS: dict[str, tuple[FinishName, ...]] = {
    "card": ("pale", "paint", "plastic"), "stick": ("wood", "paint"), "blade": ("metal",), "key": ("metal",)
}  # fmt: skip


@dataclass(frozen=True)
class Deck:
    """Sizes of a deck: its leaves, which lie along x, their hole, and their holder."""

    kind: str  # of the leaves
    plan: str  # of the holder
    count: int
    long: float
    width: float
    thick: float
    inset: float  # from the end of a leaf to its hole
    hole: float
    aside: float  # from the hole to the middle line of a leaf
    gap: float  # between leaves, in thicknesses
    wall: float  # thickness of a cover

    @property
    def pitch(self) -> float:
        """Distance from one leaf to the next."""
        return (1 + self.gap) * self.thick

    @property
    def top(self) -> float:
        """Upper end of the space for the leaves."""
        return self.wall + self.count * self.pitch + self.gap * self.thick

    @property
    def posts(self) -> list[np.ndarray]:
        """Places of the posts; a holder has one at either end."""
        far = (1.06 * self.long + 1.2 * self.inset) * X
        return [np.zeros(3), far] if self.plan == "holder" else [np.zeros(3)]


@family(number=70)
def swatch_deck(rng: np.random.Generator) -> Shape:
    """Cards, blades, sticks or keys stacked on a post near one end, on a cover, in a case or in a holder."""
    made, deck = Mechanism("swatch_deck"), _deck(rng)
    skin = finish(rng, "plastic", "wood", "paint", "dark", "metal")
    steel = finish(rng, "metal", "brass", "dark")
    _covers(made, rng, deck, skin)
    head = rng.uniform(0.1, 0.3) * deck.wall
    _posts(made, rng, deck, head, steel)
    _leaves(made, rng, deck, steel)
    long, width, wall = deck.long, deck.width, deck.wall
    label = block((0.3 * long, 0.5 * width, 0.3 * wall), (0.5 * long, deck.aside, -0.05 * wall))
    tab = block((0.1 * long, 0.4 * width, 0.6 * wall), (1.06 * long - deck.inset, deck.aside, wall / 2))
    cap = moved(mirrored(pin_cap(2.2 * deck.hole), 2), (0, 0, -0.9 * head))
    weld_some(made, rng, [("cover", "label", label), ("cover", "tab", tab), ("cover", "cap", cap)], TRIMS)
    return set_down(made, rng, 0.25).finish(rng, ajar=0.35)


def _deck(rng) -> Deck:
    """Sizes of any deck."""
    kind, count = str(rng.choice(["card", "blade", "stick", "key"])), int(rng.integers(3, 10))
    plan = str(rng.choice(["cover", "covers", "case", "holder"]))
    long, flat, gap = rng.uniform((0.07, 0.012, 0.12), (0.2, 0.028, 0.35))
    width = long * {"card": rng.uniform(0.25, 0.5), "key": 0.3}.get(kind, rng.uniform(0.09, 0.22))
    thick = flat * long * rng.choice([0.6, 1.0])
    inset, hole = width * rng.uniform(0.3, 0.5), rng.uniform(0.12, 0.2) * min(width, 0.25 * long)
    aside = 0.0
    if kind == "card" and plan != "holder":
        aside = width * rng.choice([0.0, rng.uniform(0.1, 0.25)])
    wall = thick * rng.uniform(1.0, 2.2)
    return Deck(kind, plan, count, long, width, thick, inset, hole, aside, gap, wall)


def _covers(made, rng, deck: Deck, skin) -> None:
    """The cover below the leaves and the one above: none, a loose cover, or a plate on a wall."""
    long, width, inset, aside, wall, top = deck.long, deck.width, deck.inset, deck.aside, deck.wall, deck.top
    end = deck.posts[-1][0] + 1.1 * inset if deck.plan == "holder" else 1.03 * long - inset
    wide = 1.12 * width if deck.plan != "case" else 1.3 * width
    shape = str(rng.choice(["round", "square"])) if not aside else "square"
    plate = flat_strip(shape, -1.1 * inset - 0.06 * width, end, [], wide, wall)
    made.add("cover", skin, shifted(plate, (0, aside, wall / 2)))
    upper = shifted(plate, (0, aside, top + wall / 2))
    if deck.plan == "covers":
        angle = rng.choice([0.0, rng.uniform(0.1, 1.5)])
        made.add("top_cover", skin, [turned(s, Z, angle) for s in upper])
        made.hinge("cover", "top_cover", (0, 0, top), Z, -1.5, 2.5)
    elif deck.plan in ("case", "holder"):
        link = made.weld("cover", "side") if rng.random() < 0.35 else "cover"
        made.add(link, skin, upper)
    if deck.plan == "case":
        start = 1.5 * (inset + 0.5 * width)
        run = max(0.96 * end - start, 0.1 * long)
        spine = block((run, 0.08 * width, top), (start + run / 2, -0.58 * width, (top + wall) / 2))
        made.add("cover", skin, spine)


def _posts(made, rng, deck: Deck, head, steel) -> None:
    """Pins or eyelets through all leaves and covers, sometimes as links of their own."""
    style = [flush_pin, _eyelet][int(rng.integers(2))]
    pinned = deck.count < 8 and rng.random() < 0.45
    high = deck.top + (0.0 if deck.plan == "cover" else deck.wall)
    core = rod((0, 0, 0.3 * deck.wall), (0, 0, deck.top), 1.1 * deck.hole, 12)
    for number, at in enumerate(deck.posts, 1):
        link = "cover"
        if pinned:
            made.add("cover", steel, moved(core, at))
            link = made.weld("cover", f"post_{number}" if len(deck.posts) > 1 else "post")
        made.add(link, steel, moved(style(2 * deck.hole, 0.0, high, head, 16), at))


def _eyelet(radius: float, low: float, high: float, head: float, sides: int) -> Shape:
    """A hollow post along z with a flange beyond either end."""
    inner, outer = 0.35 * radius, 0.6 * radius
    section = [(inner, low - head), (radius, low - head), (radius, low), (outer, low)]
    section += [(outer, high), (radius, high), (radius, high + head), (inner, high + head)]
    return ring(section, sides)


def _leaves(made, rng, deck: Deck, steel) -> None:
    """The leaves, closed or fanned out. In a holder every other one turns on the far post."""
    count, plan, posts, head = deck.count, deck.plan, deck.posts, 0.6 * deck.gap * deck.thick
    closed, fan = rng.random() < 0.35, rng.uniform(0.05, 2.6 / count)
    glued = int(rng.integers(1, 3)) if count > 3 and plan != "holder" and rng.random() < 0.45 else 0
    section = rectangle(0.9 * deck.hole, 0.7 * deck.gap * deck.thick) + np.array([1.45 * deck.hole, 0])
    spacer = ring(section, 12)
    for k in range(count):
        turn, end = divmod(k, len(posts))
        angle = 0.0 if closed else fan * turn
        angle = 0.0 if k < glued else angle + (rng.uniform(0, 0.06) if plan != "case" else 0.0)
        name, level = f"{deck.kind}_{k + 1}", deck.wall + (k + 0.5 + deck.gap / 2) * deck.pitch
        for material, solids in _leaf(rng, deck):
            solids = swung(solids, angle, level * Z)
            made.add(name, material, swung(solids, np.pi, posts[1]) if end else solids)
        made.add("cover", steel, moved(spacer, posts[end] + (level - 0.5 * deck.pitch) * Z))
        if k < glued:
            low, high = level - 0.5 * deck.pitch, level + 0.5 * deck.thick
            made.add(name, steel, moved(flush_pin(deck.hole, low, high, head), 0.7 * deck.long * X))
            made.weld("cover", name)
            continue
        at, (low, high) = (*posts[end][:2], level), _sweep(rng, plan)
        if plan in ("cover", "covers") and rng.random() < 0.3:
            made.spin("cover", name, at, Z)
        else:
            made.hinge("cover", name, at, Z, low - angle, max(high, angle + 0.3) - angle)


def _sweep(rng, plan) -> tuple[float, float]:
    """Angle limits of a leaf; in a case it turns only out of the open side."""
    if plan == "case":
        return 0.0, rng.uniform(1.8, 2.7)
    if plan == "holder":
        return 0.0, rng.uniform(2.2, np.pi)
    return -rng.uniform(0.0, 2.5), rng.uniform(1.0, 3.0)


def _leaf(rng, deck: Deck) -> list[tuple[Material, list[Shape]]]:
    """Materials and solids of one leaf about the plane z = 0, with its hole at the origin."""
    long, width, inset, thick = deck.long, deck.width, deck.inset, deck.thick
    body = finish(rng, *SKINS[deck.kind])
    if deck.kind == "key":
        return _key(rng, deck, body)
    if deck.kind == "stick":
        path = np.c_[np.linspace(0, long - inset, 5), np.zeros(5)]
        return [(body, [flat_bar(path, np.linspace(0.6, 1.0, 5) * width, thick, 0.1 * thick)])]
    is_card = deck.kind == "card"
    shape = "square" if is_card else str(rng.choice(["round", "square"]))
    reach = (1.0 if is_card else rng.uniform(0.85, 1.0)) * long - inset
    leaf = [(body, shifted(flat_strip(shape, -inset, reach, [], width, thick), deck.aside * Y))]
    for a, b in pairwise(np.linspace(0.35, 0.9, int(rng.integers(1, 5)) + 1)) if is_card else ():
        size = ((b - a) * 0.85 * reach, 0.8 * width, 0.06 * thick)
        chip = block(size, ((a + b) / 2 * reach, deck.aside, thick / 2))
        leaf.append((finish(rng, "paint", "plastic"), [chip]))
    return leaf


def _key(rng, deck: Deck, body) -> list[tuple[Material, list[Shape]]]:
    """A flat key: a bow about the hole and a toothed blade."""
    width, thick, bow, eye = deck.width, deck.thick, 0.5 * deck.width, 1.3 * deck.hole
    reach = rng.uniform(0.8, 0.95) * deck.long - deck.inset
    teeth = np.linspace(1.2 * bow, 0.95 * reach, 2 * int(rng.integers(3, 6)) + 1)
    edge = [(x, -0.18 * width * rng.uniform(0.3, 1.0)) for x in teeth]
    back = [(reach, 0), (0.95 * reach, 0.16 * width), (0.8 * bow, 0.16 * width)]
    blade = extrude(np.array([(0.8 * bow, -0.15 * width), *edge, *back]), 0.9 * thick)
    head = washer(eye, bow, thick, int(rng.choice([6, 18])))
    return [(finish(rng, "metal", "brass", "plastic"), [head]), (body, [blade])]
