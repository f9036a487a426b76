"""Folding rules: flat links in a row, each on a pin of the previous one."""

from __future__ import annotations

import numpy as np

from neurok.objects.kit.extras import weld_some
from neurok.objects.kit.finishes import finish
from neurok.objects.kit.mechanism import Mechanism
from neurok.objects.kit.pivots import STRIPS, TRIMS, flat_strip, flush_pin, set_down
from neurok.objects.kit.placing import X, Z, moved, polar, swung, turned
from neurok.objects.kit.solids import block
from neurok.objects.registry import family
from neurok.shapes.shape import Shape


@family(number=68)
def folding_rule(rng: np.random.Generator) -> Shape:
    """Flat links in a row, each riveted on the previous one: stepped, in two planes, or single and double."""
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
        solids = [moved(solid, z * pitch * Z) for solid in strip for z in levels]
        if len(levels) > 1:
            solids.append(block((0.25 * long[k], 0.5 * width, 2 * pitch - thick), (0.5 * long[k], 0, 0)))
        made.add(name, skins[k % 2], swung(solids, heading, at))
        if k:
            span = {"stair": (k - 1, k), "even": (0, 1), "double": (-1, 1)}[plan]
            reach = (span[0] * pitch - thick / 2, span[1] * pitch + thick / 2)
            pin = moved(flush_pin(rng.uniform(0.25, 0.4) * width, *reach, head, sides), at)
            owner = made.weld(f"link_{k}", f"pin_{k}") if apart else f"link_{k}"
            made.add(owner, trim, pin)
            if spliced:
                made.add(owner, trim, moved(pin, polar(heading, -1.3 * width)))
                made.weld(f"link_{k}", name)
            else:
                made.hinge(f"link_{k}", name, at, Z, low[k - 1] - turns[k - 1], high[k - 1] - turns[k - 1])
        at = at + polar(heading, long[k])
    _extras(made, rng, (start, heading), at + pitch * levels[-1] * Z, (inset, width, thick), plan, count)
    return set_down(made, rng, 0.3).finish(rng, ajar=0.4)


def _folds(rng, plan, count) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Drawn angle and angle limits of each link against the previous one."""
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


def _extras(made, rng, headings, end, size, plan, count) -> None:
    """Metal tips beyond the ends, a clip under the first link and a label or hook on the last."""
    (first, heading), (inset, width, thick), last = headings, size, f"link_{count}"
    tip = block((0.3 * width, 0.9 * width, 0.9 * thick), (inset + 0.1 * width, 0, 0), 0.1 * thick)
    hook = [tip, block((0.12 * width, 0.9 * width, 2.5 * thick), (inset + 0.3 * width, 0, 0.8 * thick))]
    final = swung(hook, heading, end)
    label = block((1.6 * width, 0.6 * width, 0.15 * thick), (-2.3 * width, 0, 0.55 * thick))
    clip = [block((3 * width, 0.5 * width, 0.2 * thick), (2.5 * width, 0, -1.3 * thick))]
    clip.append(block((0.4 * width, 0.5 * width, thick), (1.1 * width, 0, -0.9 * thick)))
    offers = [
        [(last, "hook", final), (last, "tip", final[:1])][int(rng.integers(2))],
        (last, "label", swung([label], heading, end)),
    ]
    if plan != "double":
        offers.append(("link_1", "clip", [turned(s, Z, first) for s in clip]))
    weld_some(made, rng, offers, TRIMS)
