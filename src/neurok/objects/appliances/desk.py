"""Laptops, monitors and books."""

from __future__ import annotations

import numpy as np

from neurok.objects.kit.finishes import finish
from neurok.objects.kit.mechanism import Mechanism
from neurok.objects.kit.outlines import arc, rectangle
from neurok.objects.kit.placing import aimed, moved, upright
from neurok.objects.kit.solids import block, extrude, lathe, rod, torus
from neurok.objects.registry import family
from neurok.shapes.shape import Shape


@family(number=6)
def laptop(rng: np.random.Generator) -> Shape:
    """A base with keys and a screen on a hinge; in convertibles the screen also turns about its stalk."""
    made = Mechanism("laptop")
    width, depth = rng.uniform(0.26, 0.42), rng.uniform(0.18, 0.28)
    base, lid = rng.uniform(0.012, 0.035), rng.uniform(0.005, 0.014)
    corner = float(rng.uniform(0.004, 0.02))
    body, dark = finish(rng, "metal", "dark", "paint", "pale"), finish(rng, "dark")
    made.add("base", body, moved(extrude(rectangle(width, depth, corner, 4), base, 0.002), (0, 0, base / 2)))
    _keys(made, rng, width, depth, base, finish(rng, "dark", "pale"))
    hinge_at = (0, depth / 2 - 0.006, base + 0.002)
    panel = moved(extrude(rectangle(width, depth, corner, 4), lid, 0.002), (0, 0, base + 0.004 + lid / 2))
    made.add("screen", body if rng.random() < 0.7 else finish(rng, "metal", "dark"), panel)
    margin = rng.uniform(0.008, 0.02)
    made.add(
        "screen", dark, block((width - 2 * margin, depth - 2.6 * margin, 0.001), (0, -0.003, base + 0.0042))
    )
    if rng.random() < 0.6:
        badge = extrude(arc(0.018, 0, 2 * np.pi, int(rng.integers(4, 13)))[:-1], 0.001)
        made.add("screen", finish(rng, "metal", "plastic"), moved(badge, (0, 0, base + 0.004 + lid)))
    stalk = rng.random() < 0.15
    for x in (0.0,) if stalk else np.array([-0.35, 0.35]) * width:
        barrel = rod((x - 0.06 * width, *hinge_at[1:]), (x + 0.06 * width, *hinge_at[1:]), 0.006, 10)
        made.add("turner" if stalk else "base", dark, barrel)
    if stalk:
        made.spin("base", "turner", hinge_at, (0, 0, 1))
    made.hinge("turner" if stalk else "base", "screen", hinge_at, (-1, 0, 0), 0.0, rng.uniform(1.9, 2.5))
    return made.finish(rng, ajar=0.0 if stalk else 0.5)


def _keys(made, rng, width, depth, top, material) -> None:
    rows, columns = int(rng.integers(4, 7)), int(rng.integers(9, 14))
    pitch = np.array([0.86 * width / columns, 0.5 * depth / rows])
    for r in range(rows):
        skip = 4 if r == 0 else 0  # the lowest row has a space bar
        for c in range(columns):
            if skip and abs(c - (columns - 1) / 2) < skip / 2:
                continue
            at = ((c - (columns - 1) / 2) * pitch[0], (r - 0.4) * pitch[1] - 0.02, top)
            made.add("base", material, block((*(0.85 * pitch), 0.003), at))
    made.add(
        "base", material, block((3.6 * pitch[0], 0.85 * pitch[1], 0.003), (0, -0.4 * pitch[1] - 0.02, top))
    )
    pad = block((rng.uniform(0.2, 0.35) * width, 0.24 * depth, 0.0015), (0, -0.32 * depth, top), 0.0)
    made.add("base", finish(rng, "dark", "metal"), pad)


@family(number=7)
def swivel_monitor(rng: np.random.Generator) -> Shape:
    """A screen that tilts, and on most stands rises, swivels, or turns to portrait."""
    made = Mechanism("swivel_monitor")
    width = rng.uniform(0.4, 0.85)
    height, thick = width * rng.uniform(0.42, 0.72), rng.uniform(0.012, 0.05)
    body, trim = finish(rng, "dark", "metal", "pale"), finish(rng, "metal", "dark", "pale")
    foot, z = rng.uniform(0.012, 0.025), height / 2 + rng.uniform(0.08, 0.16)
    if rng.random() < 0.5:
        disc = moved(lathe([(0.16, 0), (0.16, 0.6 * foot), (0.14, foot), (0.03, foot)], 26), (0, 0.05, 0))
        made.add("base", trim, disc)
    else:
        made.add("base", trim, block((0.4 * width, 0.22, foot), (0, 0.05, foot / 2), 0.004, 3))
    stem, at = "base", np.array([0, 0.075, z])
    if rng.random() < 0.6:
        collar = moved(
            lathe([(0.05, foot - 0.002), (0.05, foot + 0.012), (0.03, foot + 0.02)], 18), (0, 0.075, 0)
        )
        made.add("swivel", trim, collar)
        made.hinge(stem, "swivel", (0, 0.075, foot), (0, 0, 1), -rng.uniform(0.5, 1.5), rng.uniform(0.5, 1.5))
        stem = "swivel"
    column = rng.uniform(0.03, 0.07)
    if rng.random() < 0.6:
        made.add(stem, trim, block((column, 0.03, z - foot), (0, 0.085, (z + foot) / 2), 0.004, 3))
        made.add("carriage", body, block((1.4 * column, 0.05, 0.09), (0, 0.08, z), 0.006))
        made.slide(stem, "carriage", (0, 0, 1), -min(0.1, z - height / 2 - foot - 0.01), 0.0)
        stem = "carriage"
    else:
        made.add(stem, trim, rod((0, 0.075, foot), (0, 0.075, z + 0.02), column / 2))
    made.add("arm", trim, rod((-0.03, *at[1:]), (0.03, *at[1:]), 0.018), rod(at, (0, 0.01, z), 0.014))
    made.hinge(stem, "arm", at, (1, 0, 0), -rng.uniform(0.1, 0.25), rng.uniform(0.1, 0.3))
    _screen(made, rng, width, height, thick, z, body)
    return made.finish(rng)


def _screen(made, rng, width, height, thick, z, body) -> None:
    pivots = rng.random() < 0.4
    name = "screen" if pivots else "arm"
    panel = upright(extrude(rectangle(width, height, 0.01, 3), thick, 0.002), (0, -thick / 2 + 0.012, z))
    made.add(name, body, panel)
    made.add(name, body, block((0.5 * width, 0.03, 0.5 * height), (0, 0.02, z), 0.012))
    border = rng.uniform(0.008, 0.025)
    glass = block(
        (width - 2 * border, 0.002, height - 2 * border), (0, 0.012 - thick, z + rng.uniform(0, 0.4) * border)
    )
    made.add(name, finish(rng, "dark", "paint"), glass)
    if pivots:
        made.hinge("arm", "screen", (0, 0, z), (0, -1, 0), 0.0, np.pi / 2)


@family(number=11)
def book(rng: np.random.Generator) -> Shape:
    """A book, folder or calendar: covers on a spine and a few stiff leaves, which fan out when coupled."""
    made = Mechanism("book")
    width, height = rng.uniform(0.12, 0.28), rng.uniform(0.16, 0.36)
    board, pages = rng.uniform(0.002, 0.006), int(rng.integers(1, 6))
    leaf = rng.uniform(0.002, 0.009)
    thick = pages * leaf + 2 * board
    cover, paper = finish(rng, "fabric", "paint", "plastic", "dark"), finish(rng, "pale")
    made.add("back", cover, block((width, height, board), (width / 2, 0, board / 2), 0.1 * board))
    _spine(made, rng, height, thick, cover)
    fanned, leader = rng.random() < 0.4, ""
    opens = rng.uniform(2.2, 3.0)
    names = [*(f"page_{i + 1}" for i in range(pages)), "front"]
    for i, name in reversed(list(enumerate(names))):
        z = board + (i + 0.5) * leaf if name != "front" else thick - board / 2
        inset = 0.005 if name != "front" else 0.0
        sheet = block(
            (width - inset, height - 2 * inset, 0.98 * leaf if inset else board),
            ((width - inset) / 2, 0, z),
            0.1 * leaf if inset else 0.1 * board,
        )
        made.add(name, paper if inset else cover, sheet)
        share = (i + 1) / len(names)
        follows = (leader, share) if fanned and leader else None
        joint = made.hinge(
            "back",
            name,
            (0, 0, z),
            (0, -1, 0),
            0.0,
            opens * share if fanned else opens - 0.04 * (pages - i),
            follows,
        )
        leader = leader or joint
    if rng.random() < 0.7:
        title = block((0.6 * width, 0.2 * height, 0.0015), (0.5 * width, 0.2 * height, thick))
        made.add("front", finish(rng, "brass", "pale", "paint"), title)
    return made.finish(rng, ajar=0.4 if fanned else 0.0)


def _spine(made, rng, height, thick, cover) -> None:
    """A round back, a row of rings, or a flat strip along x = 0."""
    style = rng.choice(["round", "rings", "flat"])
    if style == "rings":
        for y in np.linspace(-0.42, 0.42, int(rng.integers(4, 12))) * height:
            hoop = aimed(torus(0.62 * thick, 0.08 * thick + 0.0005, 14, 5), (0, 1, 0), (0, y, thick / 2))
            made.add("back", finish(rng, "metal"), hoop)
    elif style == "round":
        half = arc((0.35 * thick, thick / 2), np.pi / 2, 1.5 * np.pi, 9)
        made.add("back", cover, upright(extrude(half, height), (0, 0, thick / 2)))
    else:
        made.add("back", cover, block((0.003, height, thick), (-0.0015, 0, thick / 2)))
