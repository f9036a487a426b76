"""The geometric simulator: how far a part moves along a candidate until it collides or loses contact.

The surroundings are points with normals. A point x of the moving part has the depth (r − x)·n in them, where
r is the nearest point and n its normal. It collides in three cases: it is deeper than in the given pose,
which files draw with overlaps; it approaches the surroundings from afar; or it has crossed a wall since the
last step. The part loses contact when none of its points is near the surroundings.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

import numpy as np
from jaxtyping import Bool, Float, Int
from scipy.spatial import KDTree

from neurok.articulation.candidates import Candidates, distinct_lines
from neurok.articulation.clouds import PartClouds, search_tree
from neurok.articulation.features import PartScene
from neurok.articulation.neighbours import TOUCH_DISTANCE, contact_graph, dependent_parts
from neurok.geometry.rotations import rotation_about

Array = np.ndarray
TURN_STEPS = np.radians([5.0, 12.0, 22.0, 35.0, 55.0, 80.0, 110.0, 145.0, 180.0])
SLIDE_STEPS = np.array([0.04, 0.1, 0.18, 0.28, 0.4, 0.55, 0.7, 0.85, 1.0])  # in lengths of the part
MOVING_POINTS = 80  # samples of what moves
CONTACT_POINTS = 32  # further samples, where it touches its surroundings
QUERY_RADIUS = 0.06  # radii: surfaces farther away are not found
MAX_PENETRATION = 0.008  # radii more than in the given pose
MIN_APPROACH = 0.006  # radii: a point that was not in contact collides this close
MAX_COLLIDING_SHARE = 0.03  # of the moving points


class SurfaceQuery(NamedTuple):
    """The nearest surface point of each query point."""

    gap: Float[Array, "*c s"]  # distance; inf beyond QUERY_RADIUS
    depth: Float[Array, "*c s"]  # signed, positive inside; 0 beyond
    normal: Float[Array, "*c s 3"]  # of the surface; 0 beyond


@dataclass(frozen=True, eq=False)
class Surroundings:
    """The parts that stand still while some parts move, and the moving points in the given pose."""

    tree: KDTree | None
    normals: Float[Array, "d 3"]
    moving: Float[Array, "s 3"]  # MOVING_POINTS of the whole surface, then points in contact
    given: SurfaceQuery  # of the moving points in the given pose


@dataclass(frozen=True, eq=False)
class FreeMotion:
    """Free motion along each candidate of one part: radians for turns, radii for slides."""

    turn: Float[Array, "2 6 p"]  # backwards (≤ 0) and forwards (≥ 0)
    slide: Float[Array, "2 6"]


@dataclass(frozen=True, eq=False)
class FreeRange:
    """Free motion in both directions, in radians or radii."""

    lower: float
    upper: float


class RangeCheck(NamedTuple):
    """Properties that hold over a whole range."""

    clear: bool  # no collision
    attached: bool  # contact is never lost


def surroundings_of(clouds: PartClouds, moving: Int[Array, " m"]) -> Surroundings:
    """All but the moving parts. Points of the moving parts are shared evenly among them."""
    stands = ~np.isin(clouds.dense_part, moving)
    each = max(1, MOVING_POINTS // len(moving))
    points = np.concatenate([clouds.points[k][:each] for k in moving])[:MOVING_POINTS]
    tree = search_tree(clouds.dense[stands]) if stands.any() else None
    normals = clouds.dense_normals[stands]
    own = clouds.dense[~stands]
    own = own[:: max(1, len(own) // 1000)]
    touching = own[_query_surface(tree, normals, own).gap < TOUCH_DISTANCE]
    points = np.concatenate([points, touching[:: max(1, len(touching) // CONTACT_POINTS)]])
    return Surroundings(tree, normals, points, _query_surface(tree, normals, points))


def simulate_part(
    clouds: PartClouds, shares: Float[Array, "k k"], part: int, base: int, found: Candidates
) -> FreeMotion:
    """Free motion of one part, with its dependents, along all its candidates."""
    along = dependent_parts(contact_graph(shares), part, base)
    rest = surroundings_of(clouds, np.array([part, *np.flatnonzero(along)]))
    axis, pivot, line_of = distinct_lines(found)
    extent = np.ptp(rest.moving @ found.axes.T, axis=0).clip(0.05)
    turn, slide = np.zeros((2, len(axis))), np.zeros((2, len(extent)))
    for i, sign in enumerate((-1.0, 1.0)):
        about = partial(_turned, rest.moving, axis, pivot, sign * TURN_STEPS)
        turn[i] = sign * _until_stopped(rest, about, len(axis), TURN_STEPS)
        ahead = partial(_slid, rest.moving, found.axes, sign * SLIDE_STEPS[:, None] * extent)
        slide[i] = sign * _until_stopped(rest, ahead, len(extent), SLIDE_STEPS) * extent
    return FreeMotion(turn[:, line_of] * found.valid[:, None], slide * found.valid)


def simulate_parts(scene: PartScene) -> list[FreeMotion]:
    """Free motion of every part of a scene."""
    return [
        simulate_part(scene.clouds, scene.shares, k, scene.base, found)
        for k, found in enumerate(scene.candidates)
    ]


def free_range(
    clouds: PartClouds, moving: Int[Array, " m"], kind: str, axis: Float[Array, "3"],
    pivot: Float[Array, "3"], most: float, steps: int = 45,
) -> FreeRange:  # fmt: skip
    """Free motion of parts about a line or along an axis, up to `most` in each direction."""
    rest, values = surroundings_of(clouds, moving), np.linspace(0, most, steps + 1)[1:]
    back, ahead = (
        float(_until_stopped(rest, _along(rest, kind, axis, pivot, sign * values), 1, values)[0])
        for sign in (-1.0, 1.0)
    )
    return FreeRange(-back, ahead)


def check_range(
    clouds: PartClouds, moving: Int[Array, " m"], kind: str, axis: Float[Array, "3"],
    pivot: Float[Array, "3"], lower: float, upper: float, steps: int = 45,
) -> RangeCheck:  # fmt: skip
    """Whether parts stay clear of their surroundings, and in contact, over a whole range."""
    rest, clear, attached = surroundings_of(clouds, moving), True, True
    for end in (lower, upper):
        pose = _start(rest, 1)
        move = _along(rest, kind, axis, pivot, np.linspace(0, end, steps + 1)[1:])
        for step in range(steps if end else 0):
            is_clear, is_attached, pose = _tested(rest, pose, move(np.arange(1), step))
            clear, attached = clear and bool(is_clear[0]), attached and bool(is_attached[0])
    return RangeCheck(clear, attached)


def free_arrays(free: Sequence[FreeMotion]) -> dict[str, Array]:
    """Lengths of the free motion of k parts, against and along each axis.

    Turns are k × 6 × p × 2 and slides k × 6 × 2.
    """
    return {
        "free_turn": np.stack([np.moveaxis(np.abs(f.turn), 0, -1) for f in free]),
        "free_slide": np.stack([np.moveaxis(np.abs(f.slide), 0, -1) for f in free]),
    }


def distinct_motions(found: Candidates) -> int:
    """Number of motions tried for a part: turns about distinct lines and slides, in both directions."""
    return 2 * (len(distinct_lines(found)[0]) + int(found.valid.sum()))


def _until_stopped(
    rest: Surroundings, move: Callable[[Int[Array, " c"], int], Array], count: int, values: Float[Array, " t"]
) -> Float[Array, " c"]:
    """The last value that each of `count` motions reaches freely.

    Motions that stopped are not tested further.
    """
    reached, going, before = np.zeros(count), np.arange(count), _start(rest, count)
    for step, value in enumerate(values):
        clear, attached, before = _tested(rest, before, move(going, step))
        free = clear & attached
        going, before = going[free], Pose(before.points[free], SurfaceQuery(*(x[free] for x in before.query)))
        reached[going] = value
        if not len(going):
            break
    return reached


class Pose(NamedTuple):
    """Moving points of c motions, and their nearest surface points."""

    points: Float[Array, "c s 3"]
    query: SurfaceQuery


def _start(rest: Surroundings, count: int) -> Pose:
    return Pose(_repeated(rest.moving, count), SurfaceQuery(*(_repeated(x, count) for x in rest.given)))


def _repeated(x: Array, count: int) -> Array:
    return np.broadcast_to(x, (count, *x.shape))


def _tested(
    rest: Surroundings, before: Pose, points: Float[Array, "c s 3"]
) -> tuple[Bool[Array, " c"], Bool[Array, " c"], Pose]:
    """Whether poses are clear of the surroundings, and still in contact; and the poses with their queries."""
    flat = _query_surface(rest.tree, rest.normals, points.reshape(-1, 3))
    query = SurfaceQuery(*(x.reshape(*points.shape[:2], *x.shape[1:]) for x in flat))
    deeper = query.depth - np.maximum(rest.given.depth, 0.0) > MAX_PENETRATION
    upon = (rest.given.gap > TOUCH_DISTANCE) & (query.gap < MIN_APPROACH)
    into = ((points - before.points) * before.query.normal).sum(-1) < 0
    through = into & ((query.normal * before.query.normal).sum(-1) < -0.3)
    hits = (deeper | upon | through)[:, :MOVING_POINTS].mean(-1)
    attached = np.asarray((query.gap < TOUCH_DISTANCE).any(-1))
    return hits <= MAX_COLLIDING_SHARE, attached, Pose(points, query)


def _query_surface(
    tree: KDTree | None, normals: Float[Array, "d 3"], points: Float[Array, "n 3"]
) -> SurfaceQuery:
    gap, depth, normal = np.full(len(points), np.inf), np.zeros(len(points)), np.zeros((len(points), 3))
    if tree is not None:
        gap, index = tree.query(points, distance_upper_bound=QUERY_RADIUS)
        near = np.isfinite(gap)
        found = np.asarray(index)[near]
        normal[near] = normals[found]
        depth[near] = ((tree.data[found] - points[near]) * normal[near]).sum(-1)
    return SurfaceQuery(gap, depth, normal)


def _along(
    rest: Surroundings,
    kind: str,
    axis: Float[Array, "3"],
    pivot: Float[Array, "3"],
    values: Float[Array, " t"],
) -> Callable[[Int[Array, " c"], int], Array]:
    """One motion, value by value, in the form that `_until_stopped` takes."""
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
