"""Drawer units and cabinets."""

from __future__ import annotations

import numpy as np

from neurok.objects.kit.finishes import finish
from neurok.objects.kit.mechanism import Mechanism
from neurok.objects.kit.outlines import corners
from neurok.objects.kit.panels import LEAF_STYLES, Fronts, barrels
from neurok.objects.kit.placing import shifted
from neurok.objects.kit.solids import ball, block, rod
from neurok.objects.registry import family
from neurok.shapes.shape import Shape

Cell = tuple[float, float, float, float]  # x and z of its lower left corner, width, height


@family(number=3)
def drawer_unit(rng: np.random.Generator) -> Shape:
    """One to six drawers in a grid, a column, or rows of unequal height."""
    made, size, wall = _carcass(rng, "drawer_unit")
    count = int(rng.integers(1, 7))
    columns = int(rng.integers(1, 3)) if count > 2 else 1
    cells = _grid(rng, size, wall, -(-count // columns), columns)[:6]
    fronts, style = _fronts(rng)
    span = float(rng.uniform(0.3, 0.6))
    for i, cell in enumerate(cells):
        _drawer(made, rng, f"drawer_{i + 1}", cell, size[1], wall, fronts, style, span)
    return made.finish(rng)


@family(number=4)
def cabinet(rng: np.random.Generator) -> Shape:
    """A grid of cells, each a door, a pair of doors, a flap, a drawer or an open shelf."""
    made, size, wall = _carcass(rng, "cabinet")
    rows = int(rng.integers(1, 4))
    columns = int(rng.integers(1, 4 if rows < 3 else 3))
    cells = _grid(rng, size, wall, rows, columns)
    fronts, style = _fronts(rng)
    kinds = rng.choice(
        ["door", "doors", "drawer", "flap", "shelf"], size=len(cells), p=[0.35, 0.2, 0.2, 0.1, 0.15]
    )
    kinds[0] = rng.choice(["door", "doors"])
    for i, (cell, kind) in enumerate(zip(cells, kinds, strict=True)):
        if kind == "drawer":
            _drawer(made, rng, f"drawer_{i + 1}", cell, size[1], wall, fronts, style, 0.4)
        elif kind != "shelf":
            _cell_doors(made, rng, i + 1, cell, size[1], wall, kind, fronts, style)
        if kind != "drawer" and rng.random() < 0.6:
            x, z, w, h = cell
            shelf = block(
                (w, 0.85 * size[1], 0.7 * wall), (x + w / 2, 0.06 * size[1], z + h * rng.uniform(0.35, 0.65))
            )
            made.add("carcass", fronts.body, shelf)
    return made.finish(rng)


def _carcass(rng, name) -> tuple[Mechanism, tuple[float, float, float], float]:
    """Walls, back, top and feet; fronts close the plane y = −depth/2."""
    made = Mechanism(name)
    width, depth, height = rng.uniform(0.35, 1.4), rng.uniform(0.3, 0.6), rng.uniform(0.4, 1.5)
    wall, body = rng.uniform(0.014, 0.028), finish(rng, "wood", "pale", "paint", "metal")
    bevel = float(rng.choice([0.0, 0.15])) * wall
    for s in (-1, 1):
        made.add(
            "carcass", body, block((wall, depth, height), (s * (width - wall) / 2, 0, height / 2), bevel)
        )
        made.add(
            "carcass", body, block((width, depth, wall), (0, 0, height / 2 + s * (height - wall) / 2), bevel)
        )
    made.add("carcass", body, block((width, 0.5 * wall, height), (0, depth / 2 - wall / 4, height / 2)))
    if rng.random() < 0.5:
        over = float(rng.uniform(0.01, 0.04))
        top = block((width + 2 * over, depth + 2 * over, 1.3 * wall), (0, 0, height + 0.6 * wall), 0.3 * wall)
        made.add("carcass", finish(rng, "wood", "pale", "dark"), top)
    _feet(made, rng, width, depth, body)
    return made, (width, depth, height), wall


def _feet(made, rng, width, depth, body) -> None:
    kind, tall = rng.choice(["none", "legs", "plinth", "balls", "casters"]), rng.uniform(0.05, 0.2)
    if kind == "plinth":
        made.add("carcass", body, block((0.92 * width, 0.9 * depth, tall / 2), (0, 0.02, -tall / 4)))
    for sx, sy in corners(1, 1):
        x, y = sx * (width / 2 - 0.05), sy * (depth / 2 - 0.05)
        if kind == "legs":
            leg = rod((x + 0.02 * sx, y + 0.02 * sy, -tall), (x, y, 0.005), (0.012, 0.022), 10)
            made.add("carcass", body, leg)
        elif kind == "balls":
            made.add("carcass", body, ball(0.03, (x, y, -0.022), 12))
        elif kind == "casters":
            wheel = rod((x - 0.012, y, -0.03), (x + 0.012, y, -0.03), 0.032, 12)
            made.add("carcass", finish(rng, "rubber"), wheel)


def _grid(rng, size, wall, rows, columns) -> list[Cell]:
    """Cells between the walls, row by row from below, of unequal size."""
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


def _fronts(rng) -> tuple[Fronts, str]:
    """Style, metal and colour shared by all fronts of one piece of furniture."""
    style, metal = str(rng.choice(LEAF_STYLES)), finish(rng, "metal", "brass", "dark")
    return Fronts(finish(rng, "wood", "paint", "pale"), metal, int(rng.integers(2**32))), style


def _divider(made, cell, depth, wall, front) -> None:
    """Boards under and beside a cell that separate it from its neighbours."""
    x, z, w, h = cell
    made.add("carcass", front, block((w, 0.9 * depth, 0.6 * wall), (x + w / 2, 0.02 * depth, z)))
    made.add("carcass", front, block((0.6 * wall, 0.9 * depth, h), (x, 0.02 * depth, z + h / 2)))


def _drawer(made, rng, name, cell, depth, wall, fronts, style, span) -> None:
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
    made.add(name, fronts.body, tray)
    plain = "flat" if style in ("flat", "louvred", "planks") else "coffered"
    face = shifted(fronts.leaf(w - 0.004, h - 0.004, wall, plain), (cx, y0 - wall / 2, z + h / 2))
    made.part(name, face)
    reach = float(np.clip(span * w, 0.06, 0.3))
    for share in (-0.3, 0.3) if w > 0.7 else (0.0,):
        made.part(name, shifted(fronts.pull(min(reach, 0.7 * h)), (cx + share * w, y0 - wall, z + 0.6 * h)))
    made.slide("carcass", name, (0, -1, 0), 0.0, rng.uniform(0.6, 0.85) * length)


def _cell_doors(made, rng, index, cell, depth, wall, kind, fronts, style) -> None:
    x, z, w, h = cell
    _divider(made, cell, depth, wall, fronts.body)
    y, cz = -depth / 2 - wall / 2, z + h / 2
    if kind == "flap":
        made.part(
            f"flap_{index}", shifted(fronts.leaf(w - 0.004, h - 0.004, wall, style), (x + w / 2, y, cz))
        )
        down = rng.random() < 0.5
        grip = shifted(
            fronts.pull(min(0.12, 0.3 * w)), (x + w / 2, y - wall / 2, cz + (0.38 if down else -0.38) * h)
        )
        made.part(f"flap_{index}", grip)
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
            shifted(fronts.leaf(span - 0.004, h - 0.004, wall, style), (edge - side * span / 2, y, cz)),
        )
        at = (edge - side * 0.88 * span, y - wall / 2, cz)
        made.part(name, shifted(fronts.pull(min(0.16, 0.3 * h), upright=True), at))
        pivot = (edge, -depth / 2 - wall)
        made.part("carcass", barrels(pivot, cz + np.array([-0.35, 0.35]) * h, 0.5 * wall, 0.05, fronts.metal))
        made.hinge("carcass", name, (*pivot, 0), (0, 0, side), 0.0, rng.uniform(1.4, 2.0))
