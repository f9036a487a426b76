"""The geometric simulator: how far a part moves along a candidate before it runs into the rest or loses it.

The rest is a grid of voxels that its surface passes through, a bit per part. A point of the moved part
collides where it enters a voxel of the rest without having been beside one in the pose given: what overlaps
there already, and real files do, counts for nothing. The part is lost when no point is near the rest.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from jaxtyping import Bool, Float, Int, UInt32

from neurok.articulation.candidates import Candidates
from neurok.articulation.clouds import PartClouds
from neurok.articulation.neighbours import riders, touches

Array = np.ndarray
SIDE = 128  # voxels
REACH = 1.05  # half side of the grid, in radii
ANGLES = np.radians([4.0, 8.0, 15.0, 25.0, 35.0, 50.0, 65.0, 80.0, 95.0, 115.0, 140.0, 165.0, 180.0])
SLIDES = np.array(
    [0.02, 0.05, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0]
)  # of twice the half side
COLLIDES = 0.02  # share of points
MOST_PARTS = 32


@dataclass(frozen=True, eq=False)
class Grid:
    """Bit j of a voxel: the surface of part j passes through it (`inside`), or within one more (`near`)."""

    inside: UInt32[Array, " v"]
    near: UInt32[Array, " v"]

    def at(self, field: UInt32[Array, " v"], points: Float[Array, "*n 3"]) -> UInt32[Array, "*n"]:
        """Bits at points; none outside of the grid."""
        return field[_voxels(points)]


@dataclass(frozen=True, eq=False)
class FreeMotion:
    """How far each candidate of one part moves freely: radians for turns, radii for slides."""

    turn: Float[Array, "2 6 28"]  # backwards (≤ 0) and forwards (≥ 0)
    slide: Float[Array, "2 6"]


def grid_of(clouds: PartClouds) -> Grid:
    """Voxels of the whole shape. Outside is one more voxel, empty, at the end."""
    bits = np.zeros(SIDE**3 + 1, np.uint32)
    index = _voxels(clouds.dense)
    for part in range(clouds.count):
        bits[index[clouds.dense_part == part]] |= np.uint32(1 << part)
    bits[-1] = 0
    near = bits[:-1].reshape(SIDE, SIDE, SIDE)
    for axis in range(3):
        near = _smeared(near, axis)
    return Grid(bits, np.append(near.ravel(), np.uint32(0)))


def simulate_part(
    clouds: PartClouds, grid: Grid, shares: Float[Array, "k k"], part: int, base: int, found: Candidates
) -> FreeMotion:
    """Free motion of one part, with those that hang on it, along all its candidates."""
    along = riders(touches(shares), part, base)
    moving = np.flatnonzero(along | (np.arange(clouds.count) == part))
    rest = ~np.uint32(sum(1 << int(j) for j in moving))
    points = _spread_over(clouds, moving)
    fresh = grid.at(grid.near, points) & rest == 0
    turn = np.stack([_turns(points, fresh, grid, rest, found, sign) for sign in (-1.0, 1.0)])
    slide = np.stack([_slides(points, fresh, grid, rest, found, sign) for sign in (-1.0, 1.0)])
    return FreeMotion(turn, slide)


@dataclass(frozen=True, eq=False)
class FreeRange:
    """How far a motion goes both ways, in radians or radii, and what ends it."""

    lower: float
    upper: float
    collision_free: bool  # false where it collides already at the first step, both ways
    attached: bool


def free_range(
    clouds: PartClouds, grid: Grid, moving: Int[Array, " m"], kind: str, axis: Array, pivot: Array,
    most: float, steps: int = 45,
) -> FreeRange:  # fmt: skip
    """How far parts may turn about a line, or slide along an axis, up to `most` each way."""
    rest = ~np.uint32(sum(1 << int(j) for j in moving))
    points = _spread_over(clouds, moving)
    fresh = grid.at(grid.near, points) & rest == 0
    values = np.linspace(0, most, steps + 1)[1:]
    ends, first = [], []
    for sign in (-1.0, 1.0):
        if kind == "prismatic":
            moved = points + (sign * values[:, None] * axis)[:, None]
        else:
            turn = rotations(axis[None], sign * values)[0]
            moved = np.einsum("tij,sj->tsi", turn, points - pivot) + pivot
        hits, attached = _contacts(moved, fresh, grid, rest)
        free = (hits <= COLLIDES) & attached
        ends.append(sign * float(_first_stop(free, values)))
        first.append((bool(hits[0] <= COLLIDES), bool(attached[0])))
    return FreeRange(ends[0], ends[1], first[0][0] or first[1][0], first[0][1] or first[1][1])


def _turns(points, fresh, grid: Grid, rest, found: Candidates, sign: float) -> Float[Array, "6 28"]:
    """x ↦ R x + (I − R) p: R x is shared by all pivots."""
    turns = rotations(found.axes, sign * ANGLES)  # 6 t 3 3
    turned = np.einsum("atij,sj->atsi", turns, points)
    shift = np.einsum("atij,pj->atpi", np.eye(3) - turns, found.pivots)
    moved = turned[:, :, None] + shift[:, :, :, None]  # 6 t 28 s 3
    free = _free(moved, fresh, grid, rest)  # 6 t 28
    return sign * _first_stop(free.transpose(0, 2, 1), ANGLES)


def _slides(points, fresh, grid: Grid, rest, found: Candidates, sign: float) -> Float[Array, "6"]:
    extent = np.ptp(points @ found.axes.T, axis=0).clip(0.05)
    step = sign * SLIDES * extent[:, None]  # 6 t
    moved = points + (step[..., None] * found.axes[:, None])[:, :, None]  # 6 t s 3
    free = _free(moved, fresh, grid, rest)
    return sign * _first_stop(free, SLIDES) * extent


def _free(moved: Float[Array, "*n s 3"], fresh: Bool[Array, " s"], grid: Grid, rest) -> Bool[Array, "*n"]:
    hits, attached = _contacts(moved, fresh, grid, rest)
    return (hits <= COLLIDES) & attached


def _contacts(
    moved: Float[Array, "*n s 3"], fresh: Bool[Array, " s"], grid: Grid, rest
) -> tuple[Float[Array, "*n"], Bool[Array, "*n"]]:
    """Share of points that run into the rest, and whether any is still beside it."""
    index = _voxels(moved)
    hits = ((grid.inside[index] & rest) != 0) & fresh
    return hits.mean(-1), ((grid.near[index] & rest) != 0).any(-1)


def _first_stop(free: Bool[Array, "*n t"], values: Float[Array, " t"]) -> Float[Array, "*n"]:
    """The last value before the first that is not free; zero when that is the first."""
    steps = np.cumprod(free, axis=-1).sum(-1)
    return np.concatenate([[0.0], values])[steps]


def rotations(axes: Float[Array, "a 3"], angles: Float[Array, " t"]) -> Float[Array, "a t 3 3"]:
    """exp(θ [a]ₓ) = I + sin θ [a]ₓ + (1 − cos θ) [a]ₓ² for all axes and angles."""
    x, y, z = axes.T
    zero = np.zeros_like(x)
    cross = np.stack([zero, -z, y, z, zero, -x, -y, x, zero], axis=-1).reshape(-1, 1, 3, 3)
    s, c = np.sin(angles)[:, None, None], np.cos(angles)[:, None, None]
    return np.eye(3) + s * cross + (1 - c) * (cross @ cross)


def _spread_over(clouds: PartClouds, moving: Int[Array, " m"], most: int = 192) -> Float[Array, "s 3"]:
    """Points of all moving parts, half of them of the first asked."""
    each = max(1, most // len(moving))
    return np.concatenate([clouds.points[k][:each] for k in moving])


def _voxels(points: Float[Array, "*n 3"]) -> Int[Array, "*n"]:
    """Index of the voxel of each point; SIDE³ outside of the grid."""
    cell = np.floor((points + REACH) * (SIDE / (2 * REACH))).astype(np.int32)
    inside = ((cell >= 0) & (cell < SIDE)).all(-1)
    flat = (cell[..., 0] * SIDE + cell[..., 1]) * SIDE + cell[..., 2]
    return np.where(inside, flat, SIDE**3)


def _smeared(bits: UInt32[Array, "x y z"], axis: int) -> UInt32[Array, "x y z"]:
    """Each voxel with the bits of its two neighbours along an axis."""
    out = bits.copy()
    low, high = [slice(None)] * 3, [slice(None)] * 3
    low[axis], high[axis] = slice(None, -1), slice(1, None)
    out[tuple(low)] |= bits[tuple(high)]
    out[tuple(high)] |= bits[tuple(low)]
    return out
