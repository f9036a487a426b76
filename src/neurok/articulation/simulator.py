"""The geometric simulator: how far a part moves along a candidate before it runs into the rest or loses it.

The rest is a cloud of points with normals. A point x of the moved part is (r − x)·n deep in the rest, r its
nearest point there and n the normal. It collides where it is deeper than in the pose given, which real files
draw with overlaps, where it comes upon the rest from afar, or where it has gone through a wall since the last
step. The part is lost when no point is near the rest.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

import numpy as np
from jaxtyping import Bool, Float, Int
from scipy.spatial import KDTree

from neurok.articulation.candidates import Candidates, unlike_lines
from neurok.articulation.clouds import PartClouds, search_tree
from neurok.articulation.neighbours import TOUCH, riders, touches
from neurok.geometry.rotations import rotation_about

Array = np.ndarray
ANGLES = np.radians([5.0, 12.0, 22.0, 35.0, 55.0, 80.0, 110.0, 145.0, 180.0])
SLIDES = np.array([0.04, 0.1, 0.18, 0.28, 0.4, 0.55, 0.7, 0.85, 1.0])  # of the part's own length
POINTS = 80  # of what moves
TOUCHING = 32  # more of them, where it touches the rest
BAND = 0.06  # radii: how far around the rest one looks
DEEP = 0.008  # radii more than in the pose given
UPON = 0.006  # radii: as close as this, coming from afar, is upon the rest
COLLIDES = 0.03  # share of points


class Look(NamedTuple):
    """What points see of the rest: the distance (inf beyond BAND), how deep they are, and the normal there (0
    beyond)."""

    gap: Float[Array, "*c s"]
    depth: Float[Array, "*c s"]
    normal: Float[Array, "*c s 3"]


@dataclass(frozen=True, eq=False)
class Rest:
    """What stands still while some parts move, and where these are in the pose given."""

    tree: KDTree | None
    normals: Float[Array, "d 3"]
    moving: Float[Array, "s 3"]  # POINTS of all the surface, then some that touch
    given: Look  # at the moving points in the pose given


@dataclass(frozen=True, eq=False)
class FreeMotion:
    """How far each candidate of one part moves freely: radians for turns, radii for slides."""

    turn: Float[Array, "2 6 p"]  # backwards (≤ 0) and forwards (≥ 0)
    slide: Float[Array, "2 6"]


@dataclass(frozen=True, eq=False)
class FreeRange:
    """How far a motion goes freely both ways, in radians or radii."""

    lower: float
    upper: float


class Kept(NamedTuple):
    """What holds over a whole range."""

    clear: bool  # it runs into nothing
    attached: bool  # it never loses the rest


def rest_of(clouds: PartClouds, moving: Int[Array, " m"]) -> Rest:
    """All but the moving parts. Points of the moving parts are shared evenly among them."""
    stands = ~np.isin(clouds.dense_part, moving)
    each = max(1, POINTS // len(moving))
    points = np.concatenate([clouds.points[k][:each] for k in moving])[:POINTS]
    tree = search_tree(clouds.dense[stands]) if stands.any() else None
    normals = clouds.dense_normals[stands]
    own = clouds.dense[~stands]
    own = own[:: max(1, len(own) // 1000)]
    touching = own[_looked_up(tree, normals, own).gap < TOUCH]
    points = np.concatenate([points, touching[:: max(1, len(touching) // TOUCHING)]])
    return Rest(tree, normals, points, _looked_up(tree, normals, points))


def simulate_part(
    clouds: PartClouds, shares: Float[Array, "k k"], part: int, base: int, found: Candidates
) -> FreeMotion:
    """Free motion of one part, with those that hang on it, along all its candidates."""
    along = riders(touches(shares), part, base)
    rest = rest_of(clouds, np.array([part, *np.flatnonzero(along)]))
    axis, pivot, line_of = unlike_lines(found)
    extent = np.ptp(rest.moving @ found.axes.T, axis=0).clip(0.05)
    turn, slide = np.zeros((2, len(axis))), np.zeros((2, len(extent)))
    for i, sign in enumerate((-1.0, 1.0)):
        about = partial(_turned, rest.moving, axis, pivot, sign * ANGLES)
        turn[i] = sign * _until_stopped(rest, about, len(axis), ANGLES)
        ahead = partial(_slid, rest.moving, found.axes, sign * SLIDES[:, None] * extent)
        slide[i] = sign * _until_stopped(rest, ahead, len(extent), SLIDES) * extent
    return FreeMotion(turn[:, line_of] * found.valid[:, None], slide * found.valid)


def free_range(
    clouds: PartClouds, moving: Int[Array, " m"], kind: str, axis: Float[Array, "3"],
    pivot: Float[Array, "3"], most: float, steps: int = 45,
) -> FreeRange:  # fmt: skip
    """How far parts may turn about a line, or slide along an axis, up to `most` each way."""
    rest, values = rest_of(clouds, moving), np.linspace(0, most, steps + 1)[1:]
    back, ahead = (
        float(_until_stopped(rest, _along(rest, kind, axis, pivot, sign * values), 1, values)[0])
        for sign in (-1.0, 1.0)
    )
    return FreeRange(-back, ahead)


def kept_over(
    clouds: PartClouds, moving: Int[Array, " m"], kind: str, axis: Float[Array, "3"],
    pivot: Float[Array, "3"], lower: float, upper: float, steps: int = 45,
) -> Kept:  # fmt: skip
    """Whether parts stay clear of the rest, and beside it, from the pose given to both ends of a range."""
    rest, clear, attached = rest_of(clouds, moving), True, True
    for end in (lower, upper):
        pose = _start(rest, 1)
        move = _along(rest, kind, axis, pivot, np.linspace(0, end, steps + 1)[1:])
        for step in range(steps if end else 0):
            clears, beside, pose = _judged(rest, pose, move(np.arange(1), step))
            clear, attached = clear and bool(clears[0]), attached and bool(beside[0])
    return Kept(clear, attached)


def both_ways(free: Float[Array, "2 ..."]) -> Float[Array, "... 2"]:
    """How far a motion goes the shorter way, then the longer: an axis has no sign."""
    return np.sort(np.abs(free), axis=0).transpose(*range(1, free.ndim), 0)


def distinct_motions(found: Candidates) -> int:
    """How many motions of a part are tried: turns about lines that differ and slides, both ways."""
    return 2 * (len(unlike_lines(found)[0]) + int(found.valid.sum()))


def _until_stopped(
    rest: Rest, move: Callable[[Int[Array, " c"], int], Array], count: int, values: Float[Array, " t"]
) -> Float[Array, " c"]:
    """The last value that each of `count` motions reaches freely; only those that still go are looked at."""
    reached, going, before = np.zeros(count), np.arange(count), _start(rest, count)
    for step, value in enumerate(values):
        clear, attached, before = _judged(rest, before, move(going, step))
        free = clear & attached
        going, before = going[free], Pose(before.points[free], Look(*(x[free] for x in before.look)))
        reached[going] = value
        if not len(going):
            break
    return reached


class Pose(NamedTuple):
    """Where the moving points of c motions are, and what they see."""

    points: Float[Array, "c s 3"]
    look: Look


def _start(rest: Rest, count: int) -> Pose:
    return Pose(_repeated(rest.moving, count), Look(*(_repeated(x, count) for x in rest.given)))


def _repeated(x: Array, count: int) -> Array:
    return np.broadcast_to(x, (count, *x.shape))


def _judged(
    rest: Rest, before: Pose, points: Float[Array, "c s 3"]
) -> tuple[Bool[Array, " c"], Bool[Array, " c"], Pose]:
    """Whether poses are clear of the rest, and still beside it; and the poses, looked at."""
    flat = _looked_up(rest.tree, rest.normals, points.reshape(-1, 3))
    look = Look(*(x.reshape(*points.shape[:2], *x.shape[1:]) for x in flat))
    deeper = look.depth - np.maximum(rest.given.depth, 0.0) > DEEP
    upon = (rest.given.gap > TOUCH) & (look.gap < UPON)
    into = ((points - before.points) * before.look.normal).sum(-1) < 0
    through = into & ((look.normal * before.look.normal).sum(-1) < -0.3)
    hits = (deeper | upon | through)[:, :POINTS].mean(-1)
    beside = np.asarray((look.gap < TOUCH).any(-1))
    return hits <= COLLIDES, beside, Pose(points, look)


def _looked_up(tree: KDTree | None, normals: Float[Array, "d 3"], points: Float[Array, "n 3"]) -> Look:
    gap, depth, normal = np.full(len(points), np.inf), np.zeros(len(points)), np.zeros((len(points), 3))
    if tree is not None:
        gap, index = tree.query(points, distance_upper_bound=BAND)
        near = np.isfinite(gap)
        found = np.asarray(index)[near]
        normal[near] = normals[found]
        depth[near] = ((tree.data[found] - points[near]) * normal[near]).sum(-1)
    return Look(gap, depth, normal)


def _along(
    rest: Rest, kind: str, axis: Float[Array, "3"], pivot: Float[Array, "3"], values: Float[Array, " t"]
) -> Callable[[Int[Array, " c"], int], Array]:
    """One motion, value by value, as `_until_stopped` asks for it."""
    if kind == "prismatic":
        return partial(_slid, rest.moving, axis[None], values[:, None])
    return partial(_turned, rest.moving, axis[None], pivot[None], values)


def _turned(points, axes, pivots, angles, going: Int[Array, " c"], step: int) -> Float[Array, "c s 3"]:
    """x ↦ R (x − p) + p."""
    turn = rotation_about(axes[going], angles[step])
    return np.einsum("cij,csj->csi", turn, points[None] - pivots[going, None]) + pivots[going, None]


def _slid(points, axes, lengths, going: Int[Array, " c"], step: int) -> Float[Array, "c s 3"]:
    """x ↦ x + s a."""
    return points[None] + (lengths[step][going, None] * axes[going])[:, None]
