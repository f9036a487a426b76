"""Pianos."""

from __future__ import annotations

import numpy as np

from neurok.objects.kit.casework import Casework
from neurok.objects.kit.finishes import FinishName, finish
from neurok.objects.kit.mechanism import open_up
from neurok.objects.kit.outlines import corners, curve
from neurok.objects.kit.placing import X, Y, moved
from neurok.objects.kit.solids import bar, block, extrude, rod
from neurok.objects.registry import family
from neurok.shapes.shape import Shape

LACQUER: tuple[FinishName, ...] = ("dark", "dark", "wood", "wood", "pale")
BLACK = (0, 1, 3, 4, 5)  # white keys of an octave with a black key after them


@family(number=97)
def piano(rng: np.random.Generator) -> Shape:
    """An upright, a grand or a small piano: keys, a fallboard, a lid, pedals."""
    case = Casework(rng, "piano", str(rng.choice(["case", "body", "piano"])), LACQUER)
    count = int(rng.integers(7, 13))  # white keys that move; the outer ones are fixed
    w, shelf = rng.uniform(1.2, 1.52), rng.uniform(0.58, 0.7)
    is_grand, has_pedals = rng.random() < 0.35, rng.random() < 0.8
    long = rng.uniform(0.13, 0.17)
    face = _grand(case, w, shelf) if is_grand else _upright(case, w, shelf, long)
    _keys(case, w - 0.12, face - long, long, shelf, count)
    _fallboard(case, w - 0.1, face, long, shelf)
    for k in range(int(rng.integers(2, 4)) if has_pedals else 0):
        at = np.array([(k - 1) * 0.1, face - 0.02, 0.07])
        tongue = [bar(at + 0.03 * Y, at - 0.1 * Y, 0.035, 0.012, 0.003)]
        case.made.add(f"pedal_{k + 1}", finish(rng, "brass"), *tongue)
        case.made.hinge(case.root, f"pedal_{k + 1}", at, X, 0.0, rng.uniform(0.1, 0.2))
    return case.finish(0.1)


def _upright(case: Casework, w: float, shelf: float, long: float) -> float:
    """The case of an upright piano with a lid on top. Returns the y of the wall behind the keys."""
    rng, d, h = case.rng, case.rng.uniform(0.25, 0.35), case.rng.uniform(1.05, 1.3)
    face = -d / 2
    case.still(case.body, block((w, d, h), (0, 0, h / 2), rng.choice([0.0, 0.008])))
    case.still(case.body, block((w, long + 0.03, 0.05), (0, face - long / 2 - 0.013, shelf - 0.045)))
    for s in (-1, 1):
        case.still(
            case.body,
            block((0.05, long + 0.03, 0.13), (s * (w / 2 - 0.025), face - long / 2 - 0.013, shelf - 0.005)),
        )
        if rng.random() < 0.7:
            case.fit(
                case.root,
                "leg",
                case.body,
                rod(
                    (s * (w / 2 - 0.04), face - long, 0),
                    (s * (w / 2 - 0.04), face - long, shelf - 0.06),
                    0.025,
                    10,
                ),
            )
    t, over, gap = rng.uniform(0.015, 0.03), rng.uniform(0.0, 0.02), float(rng.choice([0.0, 0.001, -0.002]))
    case.made.add(
        "lid",
        case.skin if rng.random() < 0.3 else case.body,
        block((w + 2 * over, d + over, t), (0, -over / 2, h + gap + t / 2), 0.2 * t),
    )
    case.made.hinge(case.root, "lid", (0, d / 2, h + gap), -X, 0.0, rng.uniform(1.2, 1.7))
    if rng.random() < 0.5:
        desk = block((0.6 * w, 0.012, 0.22), (0, face - 0.008, shelf + 0.3))
        case.fit(
            case.root,
            "music_desk",
            case.skin,
            desk,
            block((0.6 * w, 0.04, 0.01), (0, face - 0.02, shelf + 0.19)),
        )
    return face


def _grand(case: Casework, w: float, shelf: float) -> float:
    """The case of a grand piano on three legs; its lid turns about the straight left edge."""
    rng, long = case.rng, case.rng.uniform(1.0, 1.7)
    x = w / 2
    bend = curve(
        [(x, 0.05), (x, 0.45 * long), (0.35 * x, 0.75 * long), (0.05 * x, 0.97 * long), (-0.4 * x, long)], 17
    )
    outline = np.concatenate([[(-x, 0.0), (x, 0.0)], bend, [(-0.9 * x, 0.97 * long), (-x, 0.9 * long)]])
    low, top, t = shelf - 0.07, shelf + 0.22, rng.uniform(0.015, 0.025)
    case.still(case.body, moved(extrude(outline, top - low), (0, 0, (top + low) / 2)))
    gap = float(rng.choice([0.0, 0.001, 0.003]))
    case.made.add(
        "lid", case.body, moved(extrude(outline * (1.005, 1.005), t, 0.1 * t), (0, 0, top + gap + t / 2))
    )
    case.made.hinge(case.root, "lid", (-x, 0.5 * long, top + gap), -Y, 0.0, rng.uniform(0.5, 0.9))
    case.still(case.body, block((w, 0.2, 0.05), (0, -0.09, shelf - 0.045)))
    for s in (-1, 1):
        case.still(case.body, block((0.05, 0.2, 0.16), (s * (x - 0.025), -0.09, shelf + 0.01)))
    for at in ((-x + 0.12, 0.0), (x - 0.12, 0.0), (-0.4 * x, 0.85 * long)):
        case.fit(case.root, "leg", case.body, rod((*at, 0), (*at, low + 0.002), (0.03, 0.06), 12))
    case.still(case.body, block((0.25, 0.08, 0.1), (0, 0.04, 0.09)))
    for a, _ in corners(0.1, 0.0)[::2]:
        case.still(case.body, rod((a, 0.04, 0.1), (a, 0.04, low + 0.002), 0.015, 10))
    return 0.0


def _keys(case: Casework, span: float, front: float, long: float, z: float, count: int) -> None:
    """White and black keys that tip about their rear ends; the outer keys of a side are one fixed block."""
    rng, pitch, tall = case.rng, 0.0235, 0.014
    white, black = finish(rng, "pale"), finish(rng, "dark")
    middle, reach = front + long / 2, rng.uniform(0.03, 0.06)
    used = count * pitch
    rest = (span - used) / 2
    for s in (-1, 1):
        case.still(white, block((rest - 0.001, long, tall), (s * (used + rest) / 2, middle, z)))
        ends = [(j + 1) * pitch for j in range(int(rest / pitch) - 1) if j % 7 in BLACK]
        size = (0.011, 0.6 * long, 0.012)
        at = [(s * (used / 2 + e), middle + 0.19 * long, z + 0.5 * tall + 0.0055) for e in ends]
        case.still(black, *(block(size, a) for a in at))
        case.still(case.body, block((rest, long, 0.02), (s * (used + rest) / 2, middle, z - 0.015)))
    for k in range(count):
        x, name = (k + 0.5) * pitch - used / 2, f"key_{k + 1}"
        case.made.add(name, white, block((pitch - 0.001, long - 0.002, tall), (x, middle, z), 0.001))
        case.made.hinge(case.root, name, (x, front + long, z), X, 0.0, reach)
        if k % 7 in BLACK and k < count - 1:
            name = f"sharp_{k + 1}"
            case.made.add(
                name,
                black,
                block(
                    (0.011, 0.6 * long, 0.012), (x + pitch / 2, middle + 0.19 * long, z + 0.5 * tall + 0.0062)
                ),
            )
            case.made.hinge(case.root, name, (x, front + long, z + tall), X, 0.0, 0.7 * reach)


def _fallboard(case: Casework, w: float, face: float, long: float, z: float) -> None:
    """A board hinged behind the keys: in most pianos upright, in others closed over the keys."""
    rng, t = case.rng, case.rng.uniform(0.008, 0.015)
    low = z + 0.024
    board = block((w, long - 0.004, t), (0, face - long / 2, low + t / 2), 0.1 * t)
    case.made.add("fallboard", case.body, board)
    pin = (0, face - 0.002, low + t)
    case.made.hinge(case.root, "fallboard", pin, -X, 0.0, rng.uniform(1.35, 1.55))
    if rng.random() < 0.7:
        open_up(case.made, "fallboard")
