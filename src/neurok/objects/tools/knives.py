"""Pocket knives: tools in layers that fold into a handle."""

from __future__ import annotations

import numpy as np

from neurok.objects.kit.extras import weld_some
from neurok.objects.kit.finishes import finish
from neurok.objects.kit.mechanism import Mechanism
from neurok.objects.kit.pivots import TRIMS, flat_bar, flush_pin, pin_cap, set_down, strip_outline
from neurok.objects.kit.placing import X, Z, mirrored, moved, shifted, turned
from neurok.objects.kit.solids import block, disc, extrude, rod, torus
from neurok.objects.registry import family
from neurok.shapes.shape import Shape

TOOLS = {"spear": "blade", "clip": "long_blade", "sheepsfoot": "short_blade"}  # part names of blades


@family(number=69)
def pocket_knife(rng: np.random.Generator) -> Shape:
    """Scales, liners or a single plate, with layers of blades and tools that turn about pins at the ends."""
    made = Mechanism("pocket_knife")
    plan = str(rng.choice(["scales", "liners", "single"], p=[0.5, 0.25, 0.25]))
    size, high, leaf = rng.uniform((0.075, 0.015, 0.0018), (0.14, 0.024, 0.004))
    layers = _layers(rng, int(rng.integers(1, 3 if plan == "single" else 5)))
    skins = ("metal", "dark", "paint") if plan == "liners" else ("wood", "plastic", "pale")
    skin = finish(rng, *skins)
    steel, trim = finish(rng, "metal", "dark"), finish(rng, "brass", "metal", "dark")
    bend, swell = rng.choice([0.0, rng.uniform(-0.04, 0.04)]), rng.uniform(0.96, 1.2)
    arch = np.sin(np.linspace(0, np.pi, 9))
    path = np.c_[np.linspace(-1, 1, 9) * (size - high) / 2, bend * high * arch]
    swelling = 0.96 + (swell - 0.96) * arch
    wall = rng.uniform(0.0022, 0.005) if plan != "liners" else 0.0014
    thin, slack = rng.uniform(0.0008, 0.0013), 0.08 * leaf
    own = str(rng.choice(["", "liner", "spring", "pin"], p=[0.4, 0.15, 0.25, 0.2]))
    own = own if len(layers) < 4 or own == "pin" else ""
    cheek = extrude(strip_outline(path, high * swelling), wall, 0.25 * wall * (plan == "scales"))
    made.add("handle", skin, cheek)
    level, lined = wall / 2, plan != "single" and rng.random() < 0.7
    edge = strip_outline(path, 0.96 * high * swelling)
    for number, layer in enumerate(layers, 1):
        if lined or (number > 1 and plan != "single"):
            link = made.weld("handle", f"liner_{number}") if own == "liner" else "handle"
            made.add(link, trim, moved(extrude(edge, thin), (level + thin / 2) * Z))
            level += thin
        level += slack + leaf / 2
        if plan != "single" or rng.random() < 0.5:
            cut = [any(end == e and kind != "plate" for e, kind in layer) for end in (-1, 1)]
            back = path[2 * cut[0] : len(path) - 2 * cut[1]] - (0, 0.31 * high)
            link = made.weld("handle", f"spring_{number}") if own == "spring" else "handle"
            made.add(link, steel, moved(flat_bar(back, 0.28 * high, leaf + 2 * slack), level * Z))
        for end, kind in layer:
            _tool(made, rng, (end, kind, len(layer)), (size - high, high, leaf), level, steel)
        level += leaf / 2 + slack
    if plan != "single":
        link = made.weld("handle", "scale") if rng.random() < 0.4 else "handle"
        made.add(link, skin, moved(cheek, (level + wall / 2) * Z))
        level += wall
    _pins(made, rng, path, (high, wall, level), own == "pin", trim)
    return set_down(made, rng, 0.5).finish(rng, ajar=0.55)


def _layers(rng, count) -> list[list[tuple[int, str]]]:
    """Layers of one or two tools as (end of the handle, kind); some contain a fixed plate."""
    kinds = ["spear", "clip", "saw", "driver", "opener", "awl", "sheepsfoot"]
    tools, layers = [str(k) for k in rng.permutation(kinds)[:count]], []
    while tools:
        both, end = len(tools) > 1 and rng.random() < 0.35, int(rng.choice([-1, 1]))
        layers.append([(end * (1 - 2 * i), tools.pop()) for i in range(1 + both)])
    if rng.random() < 0.25:
        layers.insert(int(rng.integers(len(layers) + 1)), [(-1, "plate")])
    return layers


def _tool(made, rng, what, size, level, steel) -> None:
    """One tool folded into the handle on its pin; both pins hold a plate."""
    (end, kind, shared), (span, high, leaf) = what, size
    name = TOOLS.get(kind, kind)
    length = span * (rng.uniform(0.36, 0.46) if shared > 1 else rng.uniform(0.6, 0.92))
    length = span if kind == "plate" else length
    outline = _tool_outline(rng, kind, length, high)
    tang = disc(0.29 * high, leaf, 16)
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
    """A tool along x from its pin; its back rises above the handle."""
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


def _pins(made, rng, path, size, own, trim) -> None:
    """Pins at both ends and along the back, and sometimes a clip, a shield or a ring."""
    high, wall, top = size
    middle = [path[k] - (0, 0.31 * high) for k in ([], [4], [3, 5])[int(rng.integers(3))]]
    radius, head = rng.uniform(0.16, 0.24) * high, rng.uniform(0.1, 0.4) * wall
    for number, (x, y) in enumerate([path[0], path[-1], *middle], 1):
        thick, at = radius if number < 3 else 0.6 * radius, np.array([x, y, 0])
        made.add("handle", trim, rod(at - wall / 2 * Z, at + top * Z, 0.5 * thick, 10))
        link = made.weld("handle", f"pin_{number}") if own else "handle"
        made.add(link, trim, moved(flush_pin(thick, -wall / 2, top, head, int(rng.choice([10, 16]))), at))
    span, bottom = path[-1, 0], -wall / 2
    clip = [block((span, 0.3 * high, 0.25 * wall), (0.3 * span, 0, bottom - wall))]
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
