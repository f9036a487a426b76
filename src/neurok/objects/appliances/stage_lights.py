"""Stage lights: lamp heads that tilt in brackets; most brackets turn."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float

from neurok.objects.appliances.lamp_heads import Extra, lamp
from neurok.objects.appliances.light_rigs import hanging, standing
from neurok.objects.kit.brackets import bracket
from neurok.objects.kit.extras import weld_or_part
from neurok.objects.kit.finishes import finish
from neurok.objects.kit.mechanism import Mechanism
from neurok.objects.kit.outlines import rectangle
from neurok.objects.kit.placing import X, Z, aimed, mirrored, shifted
from neurok.objects.kit.solids import block, dowel, lathe, ring, rod
from neurok.objects.registry import family
from neurok.shapes.robots.assembly import painted
from neurok.shapes.shape import Shape

Array = np.ndarray


@dataclass(frozen=True)
class Unit:
    """A head in its bracket, with the pivot at the origin and the foot of the bracket at z = −drop."""

    head: list[Shape]
    offers: list[Extra]
    yoke: list[Shape]
    seat: list[Shape]  # parts of the base that hold the foot
    drop: float
    top: float  # of the head
    reach: float  # largest distance of the head and the arms from the pivot
    tilt: tuple[float, float]


@family(number=63)
def stage_light(rng: np.random.Generator) -> Shape:
    """One to three lamp heads in brackets on a base, stand or pipe. Heads tilt, most brackets turn."""
    made, count = Mechanism("stage_light"), int(rng.choice([1, 2, 3], p=[0.7, 0.17, 0.13]))
    unit, hangs = _unit(rng, rng.uniform(0.06, 0.16)), rng.random() < 0.4
    if hangs:
        sockets = hanging(made, rng, count, unit.reach, unit.drop + 0.7 * unit.top + 0.3 * unit.reach)
    else:
        sockets = standing(made, rng, count, unit.reach)
    sign, offers = -1 if hangs else 1, []
    turns, apart = rng.random() < 0.72, rng.random() < 0.5
    for k, socket in enumerate(sockets):
        tag = f"_{k + 1}" if count > 1 else ""
        pivot, still = socket + sign * unit.drop * Z, k > 0 and rng.random() < 0.2

        def placed(pieces, pivot=pivot):
            return shifted([mirrored(p, 2) for p in pieces] if hangs else pieces, pivot)

        yoke, head = f"yoke{tag}" if turns or apart else "base", f"head{tag}"
        made.part("base", placed(unit.seat))
        made.part(yoke, placed(unit.yoke))
        if turns and not still:
            way = rng.uniform(0.8, 3.0)
            made.hinge("base", yoke, socket, Z, -way, way)
        elif yoke != "base":
            made.weld("base", yoke)
        made.part(head, placed(unit.head))
        if still:
            made.weld(yoke, head)
        else:
            made.hinge(yoke, head, pivot, sign * X, *unit.tilt)
        offers += [(head, name, placed(pieces)) for name, pieces in unit.offers]
    weld_or_part(made, rng, offers)
    return made.finish(rng, ajar=0.5)


def _unit(rng, r) -> Unit:
    """A lamp head between the arms of a yoke, or on a lug between two small ears."""
    skin, metal = finish(rng, "dark", "metal", "paint", "plastic"), finish(rng, "metal", "dark", "brass")
    solids, offers = lamp(rng, r, skin)
    everything = [*solids, *(p for _, pieces in offers for p in pieces)]
    pin, gap, lug = rng.uniform(0.07, 0.14) * r, rng.uniform(0.02, 0.08) * r, rng.random() < 0.25
    half = max(np.abs(p.vertices[:, 0]).max() for p in everything) + gap
    if lug:
        lift = rng.uniform(0.28, 0.4) * r - min(p.vertices[:, 2].min() for p in everything)
        half = rng.uniform(0.1, 0.2) * r + gap
        inner = half - gap
        tongue = [block((2 * inner, 0.3 * r, lift), (0, 0, lift / 2)), dowel(0 * X, inner * X, 0.15 * r)]
        solids, everything = shifted(solids, lift * Z), shifted(everything, lift * Z)
        solids += [painted(s, metal) for s in tongue]
        offers = [(name, shifted(pieces, lift * Z)) for name, pieces in offers]
    points = np.concatenate([p.vertices for p in everything])
    far = np.linalg.norm(points, axis=1).max()
    room = _room(points, rng.uniform(0.2, 0.6) * r if lug else rng.uniform(0.5, 1.02) * far) + 0.2 * r
    deep = 0.16 * r if lug else rng.uniform(0.15, 0.35) * r
    yoke, thick, room, low = bracket(rng, half, room, np.inf if lug else far, deep)
    foot, seat, drop = _foot(rng, r, room, low)
    bolts = [rod(s * 0.5 * (half - gap) * X, s * (half + 1.3 * thick) * X, pin, 12) for s in (-1, 1)]
    knob = lathe([(2.2 * pin, 0), (2.2 * pin, pin), (1.5 * pin, 1.8 * pin)], int(rng.choice([6, 8, 16])))
    if rng.random() < 0.6:
        bolts += [aimed(knob, s * X, s * (half + thick) * X) for s in (-1, 1)[int(rng.integers(2)) :]]
    on_head = rng.random() < 0.5
    trim, frame = [painted(b, metal) for b in bolts], finish(rng, "dark", "metal", "paint")
    yoke = [painted(s, frame) for s in [*yoke, *foot]] + ([] if on_head else trim)
    want = rng.uniform(0.4, 1.9, 2)
    tilt = (-_swing(points, room - 0.15 * r, -want[0]), _swing(points, room - 0.15 * r, want[1]))
    reach = max(far, half + 2 * thick + 2 * pin)
    head, seat = solids + (trim if on_head else []), [painted(s, metal) for s in seat]
    return Unit(head, offers, yoke, seat, drop, points[:, 2].max(), reach, tilt)


def _lowest(points: Float[Array, "n 3"], angle: Float[Array, " k"]) -> Float[Array, " k"]:
    """Lowest z of the points at each angle about x."""
    return (points[:, 1] * np.sin(angle)[:, None] + points[:, 2] * np.cos(angle)[:, None]).min(1)


def _room(points: Float[Array, "n 3"], minimum: float) -> float:
    """Space below the pivot of a head: as requested, and at least enough for a small tilt."""
    return max(minimum, -_lowest(points, np.linspace(-0.4, 0.4, 9)).min())


def _swing(points: Float[Array, "n 3"], room: float, want: float) -> float:
    """Largest angle about x, up to `want`, at which no point is lower than −room."""
    angle = np.linspace(0, want, 41)
    hits = np.flatnonzero(_lowest(points, angle) < -room)
    return float(abs(angle[max(hits[0] - 1, 1)] if len(hits) else want))


def _foot(rng, r, room, low) -> tuple[list[Shape], list[Shape], float]:
    """The foot of a bracket: a stud in a collar, a disc in the base, or a bolt from the base.

    Returns solids of the bracket, solids of the base, and the depth of the base below the pivot.
    """
    kind, stud, tall = str(rng.choice(["stud", "disc", "bolt"])), *rng.uniform((0.08, 0.1), (0.2, 0.5)) * r
    if kind == "disc":
        wide, sunk = rng.uniform(0.3, 0.8) * r, rng.uniform(0.0, 0.6) * 0.15 * r
        drop = 0.15 * r - sunk - low
        return [lathe([(wide, -drop - sunk), (wide, low + 0.01 * r)], 20)], [], drop
    if kind == "bolt":
        nut = lathe([(1.7 * stud, -room), (1.7 * stud, 0.1 * r - room)], 6)
        washer = lathe([(2.2 * stud, low - 0.01 * r), (2.2 * stud, -room)], 14)
        return [washer], [rod((0, 0, low - 0.1 * r), (0, 0, 0.13 * r - room), stud, 10), nut], 0.01 * r - low
    drop = tall - low
    section = rectangle(0.6 * stud, 0.7 * tall) + np.array([1.32 * stud, -drop + 0.3 * tall])
    return [rod((0, 0, -drop - 0.05 * r), (0, 0, low + 0.01 * r), stud, 14)], [ring(section, 16)], drop
