"""More flat parts on pins: linkage puzzles, and punches and presses with levers."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from neurok.datasets.articulated.extras import weld_some
from neurok.datasets.articulated.finishes import finish
from neurok.datasets.articulated.mechanism import Mechanism, fitted
from neurok.datasets.articulated.outlines import arc, corners, curve, rectangle
from neurok.datasets.articulated.pivots import TRIMS, flat_bar, pin_leaves, threaded
from neurok.datasets.articulated.placing import X, Y, Z, aimed, mirrored, moved, shifted, turned
from neurok.datasets.articulated.riveted import STRIPS, flat_strip, flush_pin, set_down, turned_x
from neurok.datasets.articulated.solids import ball, bar, block, extrude, lathe, ring, rod, torus, tube
from neurok.shapes.shape import Shape

Claim = tuple[np.ndarray, float, int]  # the disc a part can sweep: its centre, reach and level


@dataclass
class Board:
    """A board under construction: sizes of what is pinned on it, and what room is taken."""

    made: Mechanism
    rng: np.random.Generator
    wide: float
    deep: float
    top: float
    t: float
    width: float
    own_pins: bool
    claims: list[Claim]
    posts: list[tuple[np.ndarray, int]]

    def spot(self) -> np.ndarray:
        """A random place on the board."""
        out, angle = np.sqrt(self.rng.random()), self.rng.uniform(-np.pi, np.pi)
        return 0.42 * turned_x(angle, out)[:2] * (self.wide, self.deep)

    def level(self, height: int) -> float:
        """The middle of parts so many levels above the board."""
        return self.top + (1.75 * height + 0.65) * self.t

    def settle(self, claims: list[Claim], posts: list[np.ndarray]) -> int | None:
        """The lowest level where nothing is swept twice and no post is in the way, which is then taken."""
        for level in range(3):
            new, pins = [(c, reach, level + rise) for c, reach, rise in claims], [(p, level) for p in posts]
            free = _clear(new, self.posts, self.width) and _clear(self.claims, pins, self.width)
            if free and _apart(new, self.claims):
                self.claims += new
                self.posts += pins
                return level
        return None

    def pin(self, at, height: int) -> None:
        """A pin on the board, with a spacer under parts of the higher levels."""
        place, z = np.array([*at, 0.0]), self.level(height)
        steel = finish(self.rng, "metal", "brass", "dark")
        core, up = [rod((0, 0, 0.5 * self.top), (0, 0, z), 0.17 * self.width, 10)], z - 0.55 * self.t
        if height:
            core.append(rod((0, 0, 0.5 * self.top), (0, 0, up), 0.45 * self.width, 14))
        self.made.add("board", steel, shifted(core, place))
        link = self.made.weld("board", f"pin_{len(self.made.joints) + 1}") if self.own_pins else "board"
        head = flush_pin(0.34 * self.width, up, z + 0.5 * self.t, 0.35 * self.t, 12)
        self.made.add(link, steel, moved(head, place))

    def bar(self, link: str, at, heading: float, start: float, end: float, eyes, height: int) -> None:
        """A flat bar that goes from `start` to `end` past its pin."""
        half, style = self.width / 2, str(self.rng.choice(STRIPS))
        strip = flat_strip(style, start - half, end + half, eyes, self.width, self.t)
        skin = finish(self.rng, "wood", "paint", "plastic", "metal", "pale")
        self.made.add(link, skin, [moved(turned(s, Z, heading), (*at, self.level(height))) for s in strip])


def _apart(claims, others) -> bool:
    """Whether no two discs of one level meet."""
    pairs = [(a, b) for a in claims for b in others if a[2] == b[2]]
    return all(np.linalg.norm(a[0] - b[0]) > 1.03 * (a[1] + b[1]) for a, b in pairs)


def _clear(claims, posts, width) -> bool:
    """Whether no post stands in a disc at its own or a lower level."""
    pairs = [(c, p) for c in claims for p in posts if p[1] >= c[2]]
    return all(np.linalg.norm(c[0] - p[0]) > c[1] + 0.6 * width for c, p in pairs)


def linkage_puzzle(rng: np.random.Generator) -> Shape:
    """A board with bars and discs pinned on it; some carry others, some are held still by two pins."""
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
    board = Board(made, rng, wide, deep, thick, t, width, rng.random() < 0.35, [], [])
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
        if board.settle([], [at]) is not None:
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
    """How far a bar goes to either side of its pin: at an end, at a third or in the middle."""
    long = board.rng.uniform(low, high) * board.deep
    share = board.rng.choice([0.0, 1 / 3, 1 / 2])
    return -share * long, (1 - share) * long


def _bar(board, number) -> None:
    """A bar on a pin, now and then with another bar on its end."""
    at, heading, (start, end) = board.spot(), board.rng.uniform(-np.pi, np.pi), _split(board, 0.25, 0.7)
    carries, (first, last) = board.rng.random() < 0.4, _split(board, 0.2, 0.45)
    claims = [(at, end + board.width / 2, 0)]
    if carries:
        claims.append((at, end + last + board.width / 2, 1))
    if (level := board.settle(claims, [at])) is None:
        return
    board.bar(f"bar_{number}", at, heading, start, end, [0.0, end] if carries else [0.0], level)
    _turns(board, "board", f"bar_{number}", at, level)
    board.pin(at, level)
    if carries:
        tip, link = at + turned_x(heading, end)[:2], f"small_bar_{number}"
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
    off = (
        radius
        * board.rng.choice([0.0, board.rng.uniform(0.2, 0.6)])
        * turned_x(board.rng.uniform(0, 6.3), 1.0)
    )
    if (level := board.settle([(at, radius + np.linalg.norm(off), 0)], [at])) is None:
        return
    place = np.add(off, (*at, board.level(level)))
    half, link = board.t / 2, f"disc_{number}"
    face = lathe([(radius, -half), (radius, half)], int(board.rng.choice([5, 8, 24])))
    board.made.add(link, finish(board.rng, "paint", "plastic", "wood"), moved(face, place))
    mark = block((0.3 * radius, 0.12 * radius, 0.4 * board.t), 0.75 * radius * X + 0.4 * board.t * Z)
    board.made.add(link, finish(board.rng, "dark", "pale"), moved(mark, place))
    _turns(board, "board", link, at, level)
    board.pin(at, level)


def _strap(board, number) -> None:
    """A bar that two pins hold still."""
    at, heading, half = (
        board.spot(),
        board.rng.uniform(-np.pi, np.pi),
        board.rng.uniform(0.1, 0.25) * board.deep,
    )
    ends = [at + turned_x(heading, s * half)[:2] for s in (-1, 1)]
    if np.linalg.norm(np.divide(ends, (board.wide, board.deep)), axis=1).max() > 0.45:
        return
    if (level := board.settle([(at, half + board.width / 2, 0)], ends)) is None:
        return
    board.bar(f"bar_{number}", at, heading, -half, half, [-half, half], level)
    board.made.weld("board", f"bar_{number}")
    for end in ends:
        board.pin(end, level)


def _parallelogram(board) -> None:
    """Two cranks on the board that a third bar keeps parallel."""
    rng, made, (a, b) = board.rng, board.made, board.wide * np.array([(-0.25, 0.0), (0.25, 0.0)])
    arm, heading, reach = rng.uniform(0.3, 0.45) * (b - a)[0], rng.uniform(0.3, 2.8), rng.uniform(0.5, 1.2)
    claims = [(a, arm + board.width / 2, 0), (b, arm + board.width / 2, 0)]
    level = board.settle([*claims, ((a + b) / 2, arm + (b - a)[0] / 2 + board.width / 2, 1)], [a, b])
    tips = [p + turned_x(heading, arm)[:2] for p in (a, b)]
    for k, at in enumerate((a, b), 1):
        board.bar(f"crank_{k}", at, heading, 0.0, arm, [0.0, arm], level)
        board.pin(at, level)
    board.bar("coupler", tips[0], 0.0, 0.0, (b - a)[0], [0.0, (b - a)[0]], level + 1)
    for tip in tips:
        _join(board, "coupler", tip, level)
    leader = made.hinge("board", "crank_1", (*a, board.top), Z, -reach, reach)
    made.hinge("board", "crank_2", (*b, board.top), Z, -reach, reach, follows=(leader, 1.0))
    made.hinge("crank_1", "coupler", (*tips[0], board.top), Z, -reach, reach, follows=(leader, -1.0))


def lever_press_punch(rng: np.random.Generator) -> Shape:
    """A bench punch with levers on a fork or mast, levers on or in a flat body, or a winged corkscrew."""
    made = Mechanism("lever_press_punch")
    make = [_bench_punch, _palm_punch, _winged_screw][int(rng.choice(3, p=[0.42, 0.33, 0.25]))]
    skin, steel = finish(rng, "paint", "dark", "metal", "plastic"), finish(rng, "metal", "brass", "dark")
    make(made, rng, skin, steel)
    return set_down(made, rng, 0.4 if make is _palm_punch else 1.0).finish(rng)


def _bench_punch(made, rng, skin, steel) -> None:
    """One or two levers, pinned in the middle, that press punches down through guides on a base."""
    front, rear, half = rng.uniform((0.06, 0.04, 0.004), (0.13, 0.1, 0.008))
    floor, thick, tilt, press = rng.uniform((0.006, 0.006, 0.12, 1.1), (0.014, 0.014, 0.32, 1.7))
    count, forked, press = int(rng.integers(1, 3)), rng.random() < 0.5, tilt * press
    x, r = front * rng.uniform(0.4, 0.6), 0.3 * thick

    def sole(angle):
        """Where a lever's underside meets the punch below it, from the height of the pin."""
        return x * np.tan(tilt - angle) - half / np.cos(tilt - angle)

    stroke = sole(0.0) - sole(press)
    high = max(front, rear) * np.sin(tilt) + 2 * half + rng.choice([0.006, rng.uniform(0.01, 0.07)])
    high = floor + max(high, 2 * stroke - sole(0.0) + 0.014)
    wall, mast = rng.uniform((0.003, 0.008), (0.006, 0.014))
    pitch = thick + 0.001 + (0.0 if forked else mast)
    levels = (np.arange(count) - (count - 1) / 2) * pitch + (pitch / 2 if count == 1 and not forked else 0.0)
    span = count * pitch + 2 * wall if forked else pitch + thick
    size, middle = 1.1 * (front + rear), (front - rear) / 2
    deep = span + rng.uniform(0.01, 0.04)
    made.add("base", skin, block((size, floor, deep), (middle, floor / 2, 0), 0.15 * floor))
    cheeks = [(s * 0.5 * (count * pitch + wall), wall) for s in (-1, 1)] if forked else [(0.0, mast)]
    widths = half * rng.uniform((4, 2.4), (6, 3.2))
    made.add("base", skin, pin_leaves(cheeks, [(0, 0.5 * floor + 0.5 * widths[0]), (0, high)], widths))
    made.add("base", steel, moved(flush_pin(0.8 * half, -span / 2, span / 2, 0.25 * half), high * Y))
    grips = _lever_solids(rng, (front, rear, half, thick), x + r)
    colours = (steel, finish(rng, "rubber", "plastic", "wood"))
    for k, z in enumerate(levels, 1):
        name, at = f"lever_{k}" if count > 1 else "lever", np.array([0, high, z])
        for material, solid in zip(colours, grips, strict=False):
            made.add(name, material, moved(turned(solid, Z, tilt), at))
        leader = made.hinge("base", name, at, -Z, 0.0, press)
        _guided_punch(made, f"punch_{k}", (x, z, r), (floor, high + sole(0.0), stroke), steel)
        made.slide("base", f"punch_{k}", Y, -stroke, 0.0, follows=(leader, fitted(sole, 0.0, press)))
    foot = block((0.1 * size, 0.3 * floor, 0.9 * span), (0, -0.1 * floor, 0))
    offers = [
        ("base", "label", block((0.3 * rear, 0.1 * floor, 0.5 * span), (-0.7 * rear, floor, 0))),
        (
            "base",
            "ruler",
            block((0.06 * size, 0.3 * floor, 0.95 * deep), (0.85 * front, floor, 0), 0.05 * floor),
        ),
        *(("base", f"foot_{k}", moved(foot, (middle + s * 0.4 * size) * X)) for k, s in ((1, -1), (2, 1))),
    ]
    weld_some(made, rng, offers, TRIMS)


def _lever_solids(rng, size, bare) -> list[Shape]:
    """A lever along x with its pin at the origin, and what is held of it; its sole is bare up to `bare`."""
    front, rear, half, thick = size
    kink = rng.choice([0.0, rng.uniform(0.3, 1.0)]) * half
    path = np.array([(-rear, kink), (-0.5 * rear, 0.3 * kink), (0, 0), (0.5 * front, 0), (front, 0)])
    limb, tip = flat_bar(path, 2 * half, thick, 0.1 * thick), np.array([front - 0.5 * half, 0.9 * half, 0])
    style = str(rng.choice(["plain", "pad", "ball", "sleeve"]))
    if style == "plain":
        return [limb]
    if style == "pad":
        return [limb, block((0.25 * front, 0.9 * half, 1.02 * thick), tip - 0.1 * front * X, 0.2 * half)]
    if style == "ball":
        return [limb, ball(0.48 * thick, tip, 12)]
    sleeve = [(bare + 1.5 * half, 0), (front, 0)]
    return [limb, flat_bar(sleeve, 2.4 * half, 1.04 * thick, 0.2 * half)]


def _guided_punch(made, name, at, heights, steel) -> None:
    """A round punch along y between two guides on the base, over a die."""
    (x, z, r), (floor, top, stroke) = at, heights
    low, rim = floor + stroke, top - stroke - 0.002
    made.add(name, steel, rod((x, low, z), (x, top, z), r, 14))
    guides = [
        block((0.9 * r, rim - 0.7 * floor, 2.4 * r), (x + s * 1.5 * r, (rim + 0.7 * floor) / 2, z))
        for s in (-1, 1)
    ]
    die = aimed(ring(rectangle(0.5 * r, 0.002) + np.array([1.3 * r, 0]), 14), Y, (x, floor, z))
    made.add("base", steel, guides, die)


def _palm_punch(made, rng, skin, steel) -> None:
    """Levers on a plate or between two, pinned in the middle: one, two side by side, or two that cross."""
    long, plan = rng.uniform(0.09, 0.15), str(rng.choice(["one", "beside", "crossing"]))
    wide, thick, wall = long * rng.uniform((0.4, 0.03, 0.02), (0.65, 0.055, 0.05))
    width, sandwich, gap = wide * rng.uniform(0.13, 0.2), rng.random() < 0.5, 0.12 * thick
    outline = rectangle(
        long * rng.uniform(0.6, 0.9), wide, rng.uniform(0.1, 0.45) * wide, int(rng.choice([1, 5]))
    )
    plate = extrude(outline, wall, 0.15 * wall)
    made.add("body", skin, plate)
    layers = 2 if plan == "crossing" else 1
    top = wall / 2 + layers * (thick + gap) + gap
    lines = {"one": [(0.0, 0.0)], "beside": [(-1, 0.0), (1, 0.0)], "crossing": [(0, -1.0), (0, 1.0)]}[plan]
    aside, splay = 0.24 * wide, rng.uniform(0.15, 0.4) if plan == "crossing" else 0.0
    front, rear = rng.uniform(0.45, 0.75) * long, rng.uniform(0.5, 0.9) * long
    inward = 0.8 * (aside - 0.6 * width) / max(front, rear) if plan == "beside" else rng.uniform(0.15, 0.3)
    shape, ends = str(rng.choice(STRIPS)), str(rng.choice(["plain", "disc", "tab"]))
    for k, (side, way) in enumerate(lines, 1):
        name, height = f"lever_{k}" if plan != "one" else "lever", wall / 2 + gap + thick / 2
        at = np.array([0.0, side * aside, height + (k - 1) * (layers - 1) * (thick + gap)])
        limb = flat_strip(shape, -rear, front, [0.0], width, thick) + _lever_ends(
            ends, front, rear, width, thick
        )
        made.add(name, steel, [moved(turned(s, Z, way * splay), at) for s in limb])
        pin = flush_pin(0.38 * width, -wall / 2, top + wall if sandwich else at[2] + thick / 2, 0.5 * gap)
        made.add("body", steel, moved(pin, (*at[:2], 0)))
        made.hinge("body", name, at, (-way or -side or 1) * Z, -rng.uniform(0.3, 1.0) * inward, inward)
    post = rod((0, 0, 0), (0, 0, top + wall / 2), 0.04 * wide, 10)
    if sandwich:
        made.add("body", steel, [moved(post, s * 0.45 * wide * Y) for s in (-1, 1)])
        link = made.weld("body", "cover") if rng.random() < 0.4 else "body"
        made.add(link, skin, moved(plate, (top + wall / 2) * Z))
    upper, edge = (top + wall if sandwich else -wall / 2), np.abs(outline[:, 0]).max()
    offers = [
        ("body", "label", block((0.25 * long, 0.3 * wide, 0.3 * wall), (0.15 * long, 0, upper))),
        ("body", "ring", moved(torus(0.12 * wide, 0.03 * wide, 16, 6), (-edge - 0.1 * wide, 0, 0))),
        (
            "body",
            "strap",
            block((0.08 * long, 0.9 * wide, 0.8 * wall), (-0.2 * long, 0, -0.6 * wall), 0.1 * wall),
        ),
    ]
    weld_some(made, rng, offers, TRIMS)


def _lever_ends(style, front, rear, width, thick) -> list[Shape]:
    """What a flat lever along x ends in: nothing more, a disc in front, or finger tabs at the rear."""
    if style == "disc":
        return [
            moved(lathe([(0.7 * width, -thick / 2), (0.7 * width, thick / 2)], 16), (front - 0.5 * width) * X)
        ]
    tab = block((0.15 * rear, 1.2 * width, 0.9 * thick), (0.1 * rear - rear, 0, 0), 0.2 * thick)
    return [tab] if style == "tab" else []


def _winged_screw(made, rng, skin, steel) -> None:
    """Two levers with toothed hubs that push a ridged spindle down between them as they are raised."""
    tall, r, hub, wall = rng.uniform((0.09, 0.003, 0.008, 0.002), (0.14, 0.0045, 0.013, 0.004))
    thick, rise, out = 2.2 * r, rng.uniform(1.5, 2.2), r + hub
    travel, foot, plane = hub * rise, rng.uniform(0.013, 0.018), 1.1 * r + 0.5 * wall + 0.0003
    made.add(
        "body", skin, pin_leaves([(s * plane, wall) for s in (-1, 1)], [(-out, tall), (out, tall)], 1.9 * hub)
    )
    legs = [bar((0, tall, s * plane), (0, 0, s * foot), wall, 1.2 * hub) for s in (-1, 1)]
    made.add("body", skin, legs, aimed(torus(foot, rng.uniform(0.0025, 0.004), 20, 8), Y))
    pin = flush_pin(0.45 * hub, -plane - wall / 2, plane + wall / 2, 0.12 * hub)
    made.add("body", steel, [moved(pin, (s * out, tall, 0)) for s in (-1, 1)])
    teeth = hub * np.where(np.arange(24) % 2, 0.86, 1.0)[:, None] * arc(1.0, 0, 2 * np.pi, 25)[:-1]
    length, width = rng.uniform(0.7, 0.82) * tall, rng.uniform(0.7, 1.0) * hub
    path = np.array(
        [(0, -0.85 * hub), (0.25 * hub, -0.25 * length), (0.6 * hub, -0.7 * length), (0.6 * hub, -length)]
    )
    wing = [
        extrude(teeth, thick),
        flat_bar(curve(path, 10), width * np.linspace(1, rng.uniform(0.9, 1.6), 10), thick, 0.1 * thick),
    ]
    for k, s in enumerate((1, -1), 1):
        limb = shifted(wing, (out, tall, 0))
        made.add(f"lever_{k}", steel, limb if s > 0 else [mirrored(p, 0) for p in limb])
    leader = made.hinge("body", "lever_1", (out, tall, 0), Z, 0.0, rise)
    made.hinge("body", "lever_2", (-out, tall, 0), -Z, 0.0, rise, follows=(leader, 1.0))
    low, top = 0.55 * tall, tall + 1.2 * hub + travel
    made.add("spindle", steel, aimed(threaded(r, top - low, 14), Y, low * Y))
    made.slide("body", "spindle", -Y, 0.0, travel, follows=(leader, hub))
    coil = arc(0.8 * r, 0, 2 * np.pi * 5, 61)
    worm = tube(np.c_[coil[:, 0], np.linspace(low + 0.002, 0.06 * tall, 61), coil[:, 1]], 0.35 * r, 6)
    handle, wide = "spindle", rng.uniform(0.012, 0.03)
    if rng.random() < 0.5:
        handle = "handle"
        made.spin("spindle", handle, (0, top, 0), Y)
    made.add(handle, steel, worm, rod((0, top - 0.002, 0), (0, top + 0.006, 0), 1.1 * r, 12))
    knobs = [
        rod((-wide, top + 0.008, 0), (wide, top + 0.008, 0), 1.2 * r, 12),
        moved(torus(wide, r, 20, 8), (0, top + wide + 0.004, 0)),
    ]
    made.add(handle, skin, knobs[int(rng.integers(2))])
    end = np.array([out + path[-1, 0], tall - length, 0])
    tips = [("lever_1", "tip_1", end), ("lever_2", "tip_2", end * (-1, 1, 1))]
    weld_some(made, rng, [(link, name, ball(0.6 * width, at, 12)) for link, name, at in tips], TRIMS)
