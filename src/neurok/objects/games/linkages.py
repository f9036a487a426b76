"""Puzzles of bars and discs pinned on a board and on each other."""

from __future__ import annotations

from collections.abc import Sequence as Many
from dataclasses import dataclass, field

import numpy as np

from neurok.objects.kit.extras import weld_some
from neurok.objects.kit.finishes import finish
from neurok.objects.kit.mechanism import Mechanism
from neurok.objects.kit.outlines import Vector, arc, corners, rectangle
from neurok.objects.kit.pivots import STRIPS, TRIMS, flat_strip, flush_pin, set_down
from neurok.objects.kit.placing import X, Z, moved, polar, shifted, swung
from neurok.objects.kit.solids import block, disc, extrude, lathe, rod
from neurok.objects.registry import family
from neurok.shapes.shape import Shape

Claim = tuple[np.ndarray, float, int]  # disc swept by a part: centre, radius and level


@dataclass
class Board:
    """A board under construction: sizes of its parts, and the space already taken."""

    made: Mechanism
    rng: np.random.Generator
    wide: float
    deep: float
    top: float
    t: float  # thickness of a part
    width: float  # of a bar
    own_pins: bool  # pins are links of their own
    claims: list[Claim] = field(default_factory=list)
    posts: list[tuple[np.ndarray, int]] = field(default_factory=list)  # place and top level

    def spot(self) -> np.ndarray:
        """A random place on the board."""
        out, angle = np.sqrt(self.rng.random()), self.rng.uniform(-np.pi, np.pi)
        return 0.42 * polar(angle, out)[:2] * (self.wide, self.deep)

    def level(self, height: int) -> float:
        """Middle height of parts on a level above the board."""
        return self.top + (1.75 * height + 0.65) * self.t

    def claim_level(self, claims: list[Claim], posts: list[np.ndarray]) -> int | None:
        """Claims and returns the lowest level where swept discs do not meet and no post is in the way."""
        for level in range(3):
            new, pins = [(c, reach, level + rise) for c, reach, rise in claims], [(p, level) for p in posts]
            free = _clear(new, self.posts, self.width) and _clear(self.claims, pins, self.width)
            if free and _apart(new, self.claims):
                self.claims += new
                self.posts += pins
                return level
        return None

    def pin(self, at: Vector, height: int) -> None:
        """A pin on the board, with a spacer below parts of higher levels."""
        place, z = np.array([*at, 0.0]), self.level(height)
        steel = finish(self.rng, "metal", "brass", "dark")
        core, up = [rod((0, 0, 0.5 * self.top), (0, 0, z), 0.17 * self.width, 10)], z - 0.55 * self.t
        if height:
            core.append(rod((0, 0, 0.5 * self.top), (0, 0, up), 0.45 * self.width, 14))
        self.made.add("board", steel, shifted(core, place))
        link = self.made.weld("board", f"pin_{len(self.made.joints) + 1}") if self.own_pins else "board"
        head = flush_pin(0.34 * self.width, up, z + 0.5 * self.t, 0.35 * self.t, 12)
        self.made.add(link, steel, moved(head, place))

    def bar(
        self, link: str, at: Vector, heading: float, start: float, end: float, eyes: Many[float], height: int
    ) -> None:
        """A flat bar that goes from `start` to `end` past its pin."""
        half, style = self.width / 2, str(self.rng.choice(STRIPS))
        strip = flat_strip(style, start - half, end + half, eyes, self.width, self.t)
        skin = finish(self.rng, "wood", "paint", "plastic", "metal", "pale")
        self.made.add(link, skin, swung(strip, heading, (*at, self.level(height))))


def _apart(claims, others) -> bool:
    """True if no two discs of one level meet."""
    pairs = [(a, b) for a in claims for b in others if a[2] == b[2]]
    return all(np.linalg.norm(a[0] - b[0]) > 1.03 * (a[1] + b[1]) for a, b in pairs)


def _clear(claims, posts, width) -> bool:
    """True if no post stands in a disc on its own or a lower level."""
    pairs = [(c, p) for c in claims for p in posts if p[1] >= c[2]]
    return all(np.linalg.norm(c[0] - p[0]) > c[1] + 0.6 * width for c, p in pairs)


@family(number=71)
def linkage_puzzle(rng: np.random.Generator) -> Shape:
    """A board with pinned bars and discs; some carry others, some are fixed by two pins."""
    made, wanted = Mechanism("linkage_puzzle"), int(rng.integers(2, 7))
    wide, deep, thick = rng.uniform((0.16, 0.14, 0.006), (0.4, 0.3, 0.016))
    stood, shape = rng.random() < 0.4, str(rng.choice(["rectangle", "ellipse", "hexagon"]))
    outline = {
        "rectangle": rectangle(wide, deep, 0.1 * deep, int(rng.choice([1, 5]))),
        "ellipse": arc((0.55 * wide, 0.55 * deep), 0, 2 * np.pi, 33)[:-1],
        "hexagon": arc((0.58 * wide, 0.58 * deep), 0, 2 * np.pi, 7)[:-1],
    }[shape]
    skin = finish(rng, "wood", "paint", "plastic", "metal")
    made.add("board", skin, moved(extrude(outline, thick, 0.15 * thick), thick / 2 * Z))
    t, width = rng.uniform(0.003, 0.007), rng.uniform(0.05, 0.09) * deep + 0.005
    board = Board(made, rng, wide, deep, thick, t, width, rng.random() < 0.35)
    if rng.random() < 0.35:
        _parallelogram(board)
    for number in range(1, 60):
        movers = sum(joint.kind != "fixed" for joint in made.joints)
        if movers >= wanted or len(made.joints) > 6:
            break
        kinds = [_bar, _disc, _strap] if movers else [_bar]
        kinds[int(rng.choice(len(kinds), p=[0.65, 0.2, 0.15] if movers else [1.0]))](board, number)
    if stood:
        foot = block((0.08 * wide, 0.03 * deep, 0.5 * deep), (0, -0.46 * deep, -0.24 * deep))
        made.add("board", skin, [moved(foot, x * wide * X) for x in (-0.28, 0.28)])
    foot = lathe([(0.04 * deep, -0.03 * deep), (0.03 * deep, 0.02 * thick)], 12)
    feet = [moved(foot, (x, y, 0)) for x, y in corners(0.34 * wide, 0.34 * deep)]
    label = block((0.2 * wide, 0.1 * deep, 0.2 * thick), (0, 0, -0.05 * thick))
    for at in [board.spot() for _ in range(int(rng.integers(-1, 3)))]:
        if board.claim_level([], [at]) is not None:
            board.pin(at, 0)
    if not stood:
        weld_some(made, rng, [("board", "feet", feet), ("board", "label", label)], TRIMS)
    return set_down(made, rng, float(stood)).finish(rng)


def _turns(board, parent, link, at, height) -> None:
    """A joint about the pin, with or without limits."""
    place, reach = (*at, board.level(height)), board.rng.uniform(0.5, 2.6)
    if board.rng.random() < 0.4:
        board.made.spin(parent, link, place, Z)
    else:
        board.made.hinge(parent, link, place, Z, -board.rng.uniform(0, 1) * reach, reach)


def _split(board, low, high) -> tuple[float, float]:
    """Lengths of a bar on both sides of its pin, which is at an end, at a third or in the middle."""
    long = board.rng.uniform(low, high) * board.deep
    share = board.rng.choice([0.0, 1 / 3, 1 / 2])
    return -share * long, (1 - share) * long


def _bar(board, number) -> None:
    """A bar on a pin, sometimes with another bar on its end."""
    at, heading, (start, end) = board.spot(), board.rng.uniform(-np.pi, np.pi), _split(board, 0.25, 0.7)
    carries, (first, last) = board.rng.random() < 0.4, _split(board, 0.2, 0.45)
    claims = [(at, end + board.width / 2, 0)]
    if carries:
        claims.append((at, end + last + board.width / 2, 1))
    if (level := board.claim_level(claims, [at])) is None:
        return
    board.bar(f"bar_{number}", at, heading, start, end, [0.0, end] if carries else [0.0], level)
    _turns(board, "board", f"bar_{number}", at, level)
    board.pin(at, level)
    if carries:
        tip, link = at + polar(heading, end)[:2], f"small_bar_{number}"
        board.bar(link, tip, heading + board.rng.uniform(-2.5, 2.5), first, last, [0.0], level + 1)
        _join(board, f"bar_{number}", tip, level)
        _turns(board, f"bar_{number}", link, tip, level + 1)


def _join(board, owner, at, level) -> None:
    """A pin of a bar through the bar above it."""
    low, high = board.level(level) - 0.3 * board.t, board.level(level + 1) + 0.5 * board.t
    pin = flush_pin(0.34 * board.width, low, high, 0.3 * board.t)
    neck = rod((0, 0, low), (0, 0, high - 1.02 * board.t), 0.36 * board.width, 12)
    board.made.add(owner, finish(board.rng, "metal", "brass"), shifted([pin, neck], (*at, 0)))


def _disc(board, number) -> None:
    """A disc or polygon on a pin at its centre or off it, with a mark on its face."""
    at, radius = board.spot(), board.rng.uniform(0.08, 0.2) * board.deep
    far = radius * board.rng.choice([0.0, board.rng.uniform(0.2, 0.6)])
    off = far * polar(board.rng.uniform(0, 6.3), 1.0)
    if (level := board.claim_level([(at, radius + np.linalg.norm(off), 0)], [at])) is None:
        return
    place = np.add(off, (*at, board.level(level)))
    link, face = f"disc_{number}", disc(radius, board.t, int(board.rng.choice([5, 8, 24])))
    board.made.add(link, finish(board.rng, "paint", "plastic", "wood"), moved(face, place))
    mark = block((0.3 * radius, 0.12 * radius, 0.4 * board.t), 0.75 * radius * X + 0.4 * board.t * Z)
    board.made.add(link, finish(board.rng, "dark", "pale"), moved(mark, place))
    _turns(board, "board", link, at, level)
    board.pin(at, level)


def _strap(board, number) -> None:
    """A bar fixed by two pins."""
    at, heading = board.spot(), board.rng.uniform(-np.pi, np.pi)
    half = board.rng.uniform(0.1, 0.25) * board.deep
    ends = [at + polar(heading, s * half)[:2] for s in (-1, 1)]
    if np.linalg.norm(np.divide(ends, (board.wide, board.deep)), axis=1).max() > 0.45:
        return
    if (level := board.claim_level([(at, half + board.width / 2, 0)], ends)) is None:
        return
    board.bar(f"bar_{number}", at, heading, -half, half, [-half, half], level)
    board.made.weld("board", f"bar_{number}")
    for end in ends:
        board.pin(end, level)


def _parallelogram(board) -> None:
    """Two cranks on the board, kept parallel by a third bar."""
    rng, made, (a, b) = board.rng, board.made, board.wide * np.array([(-0.25, 0.0), (0.25, 0.0)])
    arm, heading, reach = rng.uniform(0.3, 0.45) * (b - a)[0], rng.uniform(0.3, 2.8), rng.uniform(0.5, 1.2)
    claims = [(a, arm + board.width / 2, 0), (b, arm + board.width / 2, 0)]
    level = board.claim_level([*claims, ((a + b) / 2, arm + (b - a)[0] / 2 + board.width / 2, 1)], [a, b])
    tips = [p + polar(heading, arm)[:2] for p in (a, b)]
    for k, at in enumerate((a, b), 1):
        board.bar(f"crank_{k}", at, heading, 0.0, arm, [0.0, arm], level)
        board.pin(at, level)
    board.bar("coupler", tips[0], 0.0, 0.0, (b - a)[0], [0.0, (b - a)[0]], level + 1)
    for tip in tips:
        _join(board, "coupler", tip, level)
    leader = made.hinge("board", "crank_1", (*a, board.top), Z, -reach, reach)
    made.hinge("board", "crank_2", (*b, board.top), Z, -reach, reach, follows=(leader, 1.0))
    made.hinge("crank_1", "coupler", (*tips[0], board.top), Z, -reach, reach, follows=(leader, -1.0))
