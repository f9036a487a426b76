"""Furniture that things are kept in: drawer units, cabinets, boxes with lids."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from neurok.datasets.articulated.finishes import finish
from neurok.datasets.articulated.mechanism import Mechanism
from neurok.datasets.articulated.outlines import arc
from neurok.datasets.articulated.panels import LEAF_STYLES, barrels, leaf, pull, shifted
from neurok.datasets.articulated.placing import aimed, moved, turned
from neurok.datasets.articulated.solids import ball, block, extrude, lathe, rod, torus
from neurok.shapes.appearance import Material
from neurok.shapes.articulated.assembly import painted
from neurok.shapes.shape import Shape

@dataclass(frozen=True)
class Fronts:
    """How the doors and drawers of one piece of furniture look: alike."""

    style: str
    metal: Material
    body: Material
    seed: int

    def leaf(self, width: float, height: float, thickness: float, style: str | None = None) -> list[Shape]:
        return leaf(np.random.default_rng(self.seed), width, height, thickness, self.body, style or self.style)

    def pull(self, span: float, upright: bool = False) -> list[Shape]:
        return pull(np.random.default_rng(self.seed), span, self.metal, upright)


Cell = tuple[float, float, float, float]  # x and z of its lower left corner, width, height


def drawer_unit(rng: np.random.Generator) -> Shape:
    """One to six drawers in a grid, a column, or rows of unequal height."""
    made, size, wall = _carcass(rng, "drawer_unit")
    count = int(rng.integers(1, 7))
    columns = int(rng.integers(1, 3)) if count > 2 else 1
    cells = _grid(rng, size, wall, -(-count // columns), columns)[:6]
    fronts = _fronts(rng)
    span = float(rng.uniform(0.3, 0.6))
    for i, cell in enumerate(cells):
        _drawer(made, rng, f"drawer_{i + 1}", cell, size[1], wall, fronts, span)
    return made.finish(rng)


def cabinet(rng: np.random.Generator) -> Shape:
    """A grid of cells, each a door, a pair of doors, a flap, a drawer or an open shelf."""
    made, size, wall = _carcass(rng, "cabinet")
    rows, columns = int(rng.integers(1, 4)), int(rng.integers(1, 4))
    cells = _grid(rng, size, wall, rows, columns)
    fronts = _fronts(rng)
    kinds = rng.choice(
        ["door", "doors", "drawer", "flap", "shelf"], size=len(cells), p=[0.35, 0.2, 0.2, 0.1, 0.15]
    )
    kinds[0] = rng.choice(["door", "doors"])
    for i, (cell, kind) in enumerate(zip(cells, kinds, strict=True)):
        if kind == "drawer":
            _drawer(made, rng, f"drawer_{i + 1}", cell, size[1], wall, fronts, 0.4)
        elif kind != "shelf":
            _cell_doors(made, rng, i + 1, cell, size[1], wall, kind, fronts)
        if kind != "drawer" and rng.random() < 0.6:
            x, z, w, h = cell
            made.part(
                "carcass",
                painted(
                    block(
                        (w, 0.85 * size[1], 0.7 * wall),
                        (x + w / 2, 0.06 * size[1], z + h * rng.uniform(0.35, 0.65)),
                    ),
                    front,
                ),
            )
    return made.finish(rng)


def _carcass(rng, name) -> tuple[Mechanism, tuple[float, float, float], float]:
    """Walls, back, top and feet; fronts close the plane y = −depth/2."""
    made = Mechanism(name)
    width, depth, height = rng.uniform(0.35, 1.4), rng.uniform(0.3, 0.6), rng.uniform(0.4, 1.5)
    wall, body = rng.uniform(0.014, 0.028), finish(rng, "wood", "pale", "paint", "metal")
    bevel = float(rng.choice([0.0, 0.15])) * wall
    for s in (-1, 1):
        made.part(
            "carcass",
            painted(block((wall, depth, height), (s * (width - wall) / 2, 0, height / 2), bevel), body),
        )
        made.part(
            "carcass",
            painted(block((width, depth, wall), (0, 0, height / 2 + s * (height - wall) / 2), bevel), body),
        )
    made.part(
        "carcass", painted(block((width, 0.5 * wall, height), (0, depth / 2 - wall / 4, height / 2)), body)
    )
    if rng.random() < 0.5:
        over = float(rng.uniform(0.01, 0.04))
        top = block((width + 2 * over, depth + 2 * over, 1.3 * wall), (0, 0, height + 0.6 * wall), 0.3 * wall)
        made.part("carcass", painted(top, finish(rng, "wood", "pale", "dark")))
    _feet(made, rng, width, depth, body)
    return made, (width, depth, height), wall


def _feet(made, rng, width, depth, body) -> None:
    kind, tall = rng.choice(["none", "legs", "plinth", "balls", "casters"]), rng.uniform(0.05, 0.2)
    if kind == "plinth":
        made.part(
            "carcass", painted(block((0.92 * width, 0.9 * depth, tall / 2), (0, 0.02, -tall / 4)), body)
        )
    for sx in (-1, 1):
        for sy in (-1, 1):
            x, y = sx * (width / 2 - 0.05), sy * (depth / 2 - 0.05)
            if kind == "legs":
                made.part(
                    "carcass",
                    painted(
                        rod((x + 0.02 * sx, y + 0.02 * sy, -tall), (x, y, 0.005), (0.012, 0.022), 10), body
                    ),
                )
            elif kind == "balls":
                made.part("carcass", painted(ball(0.03, (x, y, -0.022), 12), body))
            elif kind == "casters":
                made.part(
                    "carcass",
                    painted(
                        rod((x - 0.012, y, -0.03), (x + 0.012, y, -0.03), 0.032, 12), finish(rng, "rubber")
                    ),
                )


def _grid(rng, size, wall, rows, columns) -> list[Cell]:
    """Cells between the walls, row by row from below, with unequal shares."""
    width, _, height = size
    shares = [
        np.array([1.0]) if n == 1 else rng.uniform(0.6, 1.4, n) if rng.random() < 0.6 else np.ones(n)
        for n in (columns, rows)
    ]
    ws = shares[0] / shares[0].sum() * (width - 2 * wall)
    hs = shares[1] / shares[1].sum() * (height - 2 * wall)
    xs, zs = wall - width / 2 + np.cumsum(ws) - ws, wall + np.cumsum(hs) - hs
    return [
        (float(x), float(z), float(w), float(h))
        for z, h in zip(zs, hs, strict=True)
        for x, w in zip(xs, ws, strict=True)
    ]


def _fronts(rng) -> Fronts:
    """Style, metal and colour that all fronts of one piece of furniture share."""
    return (
        str(rng.choice(LEAF_STYLES)),
        finish(rng, "metal", "brass", "dark"),
        finish(rng, "wood", "paint", "pale"),
    )


def _divider(made, cell, depth, wall, front) -> None:
    """Boards under and beside a cell, so that neighbours are apart."""
    x, z, w, h = cell
    made.part("carcass", painted(block((w, 0.9 * depth, 0.6 * wall), (x + w / 2, 0.02 * depth, z)), front))
    made.part("carcass", painted(block((0.6 * wall, 0.9 * depth, h), (x, 0.02 * depth, z + h / 2)), front))


def _drawer(made, rng, name, cell, depth, wall, fronts, span) -> None:
    """An open tray behind a front that covers its cell, sliding out by most of its length."""
    x, z, w, h = cell
    _divider(made, cell, depth, wall, fronts.body)
    length, y0, t = 0.88 * depth, -depth / 2, 0.6 * wall
    inner, tall = w - 2.4 * wall, rng.uniform(0.5, 0.8) * h
    cx, floor = x + w / 2, z + 0.5 * wall
    tray = [block((inner, length, t), (cx, y0 + length / 2, floor + t / 2)),
            block((inner, t, tall), (cx, y0 + length - t / 2, floor + tall / 2))]  # fmt: skip
    tray += [
        block((t, length, tall), (cx + s * (inner - t) / 2, y0 + length / 2, floor + tall / 2))
        for s in (-1, 1)
    ]
    made.part(name, [painted(p, fronts.body) for p in tray])
    plain = "flat" if fronts.style in ("flat", "louvred", "planks") else "coffered"
    face = shifted(fronts.leaf(w - 0.004, h - 0.004, wall, plain), (cx, y0 - wall / 2, z + h / 2))
    made.part(name, face)
    reach = float(np.clip(span * w, 0.06, 0.3))
    for share in (-0.3, 0.3) if w > 0.7 else (0.0,):
        made.part(
            name, shifted(fronts.pull(min(reach, 0.7 * h)), (cx + share * w, y0 - wall, z + 0.6 * h))
        )
    made.slide("carcass", name, (0, -1, 0), 0.0, rng.uniform(0.6, 0.85) * length)


def _cell_doors(made, rng, index, cell, depth, wall, kind, fronts) -> None:
    x, z, w, h = cell
    _divider(made, cell, depth, wall, fronts.body)
    y, cz = -depth / 2 - wall / 2, z + h / 2
    if kind == "flap":
        made.part(
            f"flap_{index}", shifted(fronts.leaf(w - 0.004, h - 0.004, wall), (x + w / 2, y, cz))
        )
        down = rng.random() < 0.5
        made.part(
            f"flap_{index}",
            shifted(
                fronts.pull(min(0.12, 0.3 * w)),
                (x + w / 2, y - wall / 2, cz + (0.38 if down else -0.38) * h),
            ),
        )
        edge = (0, -depth / 2 - wall, z if down else z + h)
        made.hinge("carcass", f"flap_{index}", edge, (1 if down else -1, 0, 0), 0.0, rng.uniform(1.2, 1.57))
        return
    sides = (-1, 1) if kind == "doors" else (int(rng.choice([-1, 1])),)
    span = w / len(sides)
    for side in sides:
        name = f"door_{index}" + ("" if len(sides) == 1 else "_left" if side < 0 else "_right")
        edge = x + w / 2 + side * w / 2
        made.part(
            name,
            shifted(fronts.leaf(span - 0.004, h - 0.004, wall), (edge - side * span / 2, y, cz)),
        )
        at = (edge - side * 0.88 * span, y - wall / 2, cz)
        made.part(name, shifted(fronts.pull(min(0.16, 0.3 * h), upright=True), at))
        pivot = (edge, -depth / 2 - wall)
        made.part("carcass", barrels(pivot, cz + np.array([-0.35, 0.35]) * h, 0.5 * wall, 0.05, fronts.metal))
        made.hinge("carcass", name, (*pivot, 0), (0, 0, side), 0.0, rng.uniform(1.4, 2.0))


def lidded_box(rng: np.random.Generator) -> Shape:
    """A chest, crate, tin or jar, its lid hinged, sliding, lifted off, or two flaps that mirror each other."""
    made = Mechanism("lidded_box")
    if rng.random() < 0.2:
        return _jar(made, rng).finish(rng, ajar=0.0)
    width, depth, height = rng.uniform(0.15, 1.1), rng.uniform(0.12, 0.6), rng.uniform(0.08, 0.5)
    wall = rng.uniform(0.02, 0.05) * min(width, depth) + 0.004
    body, trim = finish(rng, "wood", "paint", "metal", "plastic"), finish(rng, "dark", "brass", "metal")
    made.part("box", [painted(p, body) for p in _tray(width, depth, height, wall)])
    _bands(made, rng, width, depth, height, trim)
    kind = rng.choice(["hinged", "chest", "sliding", "lift", "flaps"], p=[0.25, 0.35, 0.15, 0.1, 0.15])
    lid = body if rng.random() < 0.6 else finish(rng, "wood", "paint", "plastic")
    if kind == "chest":
        _curved_lid(made, rng, width, depth, height, wall, lid, trim)
    elif kind == "flaps":
        _flaps(made, rng, width, depth, height, wall, lid)
    else:
        over = wall * rng.uniform(0.0, 1.0)
        cover = block(
            (width + over, depth + over, 1.5 * wall), (0, 0, height + 0.75 * wall), rng.uniform(0, 0.5) * wall
        )
        made.part("lid", painted(cover, lid))
        made.part("lid", _lid_grip(rng, width, depth, height + 1.5 * wall, trim, kind == "hinged"))
        _lid_joint(made, rng, kind, (width, depth, height))
    return made.finish(rng, ajar=0.0 if kind == "lift" else 0.3)  # a lid in mid-air is no rest


def _lid_joint(made, rng, kind, size) -> None:
    _, depth, height = size
    if kind == "hinged":
        made.hinge("box", "lid", (0, depth / 2, height), (-1, 0, 0), 0.0, rng.uniform(1.3, 2.0))
    elif kind == "sliding":
        made.slide("box", "lid", (0, -1, 0), 0.0, rng.uniform(0.6, 0.95) * depth)
    else:
        made.slide("box", "lid", (0, 0, 1), 0.0, rng.uniform(0.5, 1.2) * height)


def _tray(width, depth, height, wall) -> list[Shape]:
    """Floor and four walls of an open box that stands on z = 0."""
    x, y = (width - wall) / 2, (depth - wall) / 2
    sides = [block((wall, depth, height), (s * x, 0, height / 2)) for s in (-1, 1)]
    ends = [block((width, wall, height), (0, s * y, height / 2)) for s in (-1, 1)]
    return [block((width, depth, wall), (0, 0, wall / 2)), *sides, *ends]


def _bands(made, rng, width, depth, height, trim) -> None:
    """Straps, a rim, corner posts or side handles on the outside."""
    style, t = rng.choice(["plain", "straps", "posts", "rings"]), 0.02 * min(width, depth)
    if style == "straps":
        for x in np.linspace(-0.35, 0.35, int(rng.integers(2, 5))) * width:
            made.part(
                "box", painted(block((0.06 * width, depth + 2 * t, height), (x, 0, height / 2 - t / 2)), trim)
            )
            break
    elif style == "posts":
        corners = [(sx * width / 2, sy * depth / 2) for sx in (-1, 1) for sy in (-1, 1)]
        made.part(
            "box",
            [
                painted(block((4 * t, 4 * t, 0.98 * height), (x, y, 0.49 * height), t), trim)
                for x, y in corners
            ],
        )
    elif style == "rings":
        for s in (-1, 1):
            hoop = aimed(
                torus(0.15 * height, 0.03 * height, 16, 6), (1, 0, 0), (s * (width / 2 + t), 0, 0.6 * height)
            )
            made.part("box", painted(hoop, trim))


def _curved_lid(made, rng, width, depth, height, wall, lid, trim) -> None:
    """A barrel lid: half an ellipse over the depth, hollow, with closed ends."""
    rise = rng.uniform(0.2, 0.5) * depth
    outer = arc((depth / 2, rise), 0, np.pi, 13)
    inner = arc((depth / 2 - wall, rise - wall), np.pi, 0, 13)
    shell, cheek = extrude(np.concatenate([outer, inner]), width), extrude(outer, wall)
    place = lambda s, x: moved(turned(turned(s, (1, 0, 0), np.pi / 2), (0, 0, 1), np.pi / 2), (x, 0, height))  # noqa: E731
    made.part("lid", painted(place(shell, 0.0), lid))
    made.part("lid", [painted(place(cheek, s * (width - wall) / 2), lid) for s in (-1, 1)])
    strap = extrude(
        np.concatenate([arc((depth / 2 + 0.3 * wall, rise + 0.3 * wall), 0, np.pi, 13), inner]), 0.06 * width
    )
    if rng.random() < 0.6:
        made.part(
            "lid",
            [
                painted(place(strap, x * width), trim)
                for x in np.linspace(-0.35, 0.35, int(rng.integers(2, 4)))
            ],
        )
    made.part(
        "lid",
        painted(
            block(
                (0.1 * width, 0.6 * wall, 0.2 * height),
                (0, -depth / 2 - 0.3 * wall, height - 0.02 * height),
                0.1 * wall,
            ),
            trim,
        ),
    )
    made.hinge("box", "lid", (0, depth / 2, height), (-1, 0, 0), 0.0, rng.uniform(1.2, 1.9))


def _flaps(made, rng, width, depth, height, wall, lid) -> None:
    """Two half lids; in some boxes the second follows the first."""
    leader, opens, coupled = "", rng.uniform(1.5, 2.4), rng.random() < 0.5
    for side in (-1, 1):
        name = "left_flap" if side < 0 else "right_flap"
        made.part(
            name,
            painted(
                block(
                    (width / 2 - 0.002, depth, wall),
                    (side * (width / 4 + 0.001), 0, height + wall / 2),
                    0.2 * wall,
                ),
                lid,
            ),
        )
        follows = (leader, 1.0) if side > 0 and coupled else None
        leader = made.hinge("box", name, (side * width / 2, 0, height), (0, side, 0), 0.0, opens, follows)


def _lid_grip(rng, width, depth, top, trim, at_front) -> list[Shape]:
    y = -0.4 * depth if at_front else 0.0
    knob = pull(rng, min(0.3 * width, 0.15), trim)
    return [moved(turned(p, (1, 0, 0), -np.pi / 2), (0, y, top - 0.001)) for p in knob]


def _jar(made, rng) -> Mechanism:
    """A turned pot whose lid lifts, screws up (coupled turn and rise), or tips on a hinge."""
    radius, height = rng.uniform(0.04, 0.18), rng.uniform(0.08, 0.35)
    belly, wall = rng.uniform(0.9, 1.3) * radius, 0.08 * radius
    body, trim = finish(rng, "paint", "pale", "metal", "glass"), finish(rng, "wood", "metal", "dark")
    outer = [
        (0.8 * radius, 0),
        (belly, 0.3 * height),
        (belly, 0.6 * height),
        (radius, 0.9 * height),
        (radius, height),
    ]
    inner = [(r - wall, max(z, wall)) for r, z in outer[::-1]]
    made.part("box", painted(lathe([*outer, *inner, (0, wall)], 22), body))
    dome = rng.uniform(0.1, 0.6) * radius
    profile = [
        (1.05 * radius, height),
        (1.05 * radius, height + 0.15 * radius),
        (0.6 * radius, height + 0.15 * radius + 0.8 * dome),
        (0, height + 0.15 * radius + dome),
    ]
    made.part("lid", painted(lathe(profile, 22), trim if rng.random() < 0.5 else body))
    made.part("lid", painted(ball(0.2 * radius, (0, 0, height + 0.25 * radius + dome), 12), trim))
    kind = rng.choice(["lift", "screw", "tip"])
    if kind == "tip":
        made.part(
            "box",
            painted(
                rod(
                    (-0.3 * radius, 1.05 * radius, height),
                    (0.3 * radius, 1.05 * radius, height),
                    0.08 * radius,
                    8,
                ),
                trim,
            ),
        )
        made.hinge("box", "lid", (0, 1.05 * radius, height), (-1, 0, 0), 0.0, rng.uniform(1.2, 1.8))
    elif kind == "screw":
        turn = made.hinge("box", "collar", (0, 0, height), (0, 0, 1), 0.0, 2 * np.pi)
        band = [
            (radius - wall, 0.93 * height),
            (1.1 * radius, 0.93 * height),
            (1.1 * radius, height),
            (radius - wall, height),
        ]
        made.part("collar", painted(lathe(band, 22), trim))
        made.slide("collar", "lid", (0, 0, 1), 0.0, 0.3 * radius, follows=(turn, 0.3 * radius / (2 * np.pi)))
    else:
        made.slide("box", "lid", (0, 0, 1), 0.0, rng.uniform(0.4, 0.9) * height)
    return made
