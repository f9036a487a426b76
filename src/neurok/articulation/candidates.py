"""Where a part may turn about or slide along: axes of the shape and of the part's box, points of that box,
and the middles of where it touches others.

Of 585 real joints the best of these axes is within 5° for 99.8 %, and a line through the best of the 27
points of the box within 0.05 radii for 91.5 %. Frames that cross turn on pins, which are neither at a corner
of a box nor in its middle.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product

import numpy as np
from jaxtyping import Bool, Float, Int
from scipy.spatial import ConvexHull, QhullError

from neurok.geometry.rotations import perpendicular_axes

Array = np.ndarray
MOST_AXES = 6
SAME_AXIS = np.cos(np.radians(5.0))
BOX = np.array(list(product((-1.0, 0.0, 1.0), repeat=3)))
MIDDLE, CONTACT = 13, 27  # pivots: the middle of the box, and of all contacts
PINS = 3  # pivots after these: where it touches one other part, for so many that it touches most
SAME_LINE = 0.01  # radii


@dataclass(frozen=True, eq=False)
class Candidates:
    """Axes and pivots of one part. Rows that only fill up are not `valid`."""

    axes: Float[Array, "6 3"]
    valid: Bool[Array, "6"]
    pivots: Float[Array, "p 3"]  # 27 of the box, the middle of where it touches the rest, and PINS
    box_axes: Float[Array, "3 3"]  # rows
    half: Float[Array, "3"]  # half sides of the box, along its axes


def candidates(
    points: Float[Array, "s 3"], touching: Float[Array, "t 3"], pins: Float[Array, "c 3"]
) -> Candidates:
    """Candidates of a part with these points, `touching` the rest there, and with the middles of its contacts
    with single other parts, the `pins`.

    The box stands along the shape's axes unless one along the part's own axes is clearly smaller.
    """
    box_axes, middle, half = oriented_box(points)
    axes = [*np.eye(3)]
    for axis in box_axes:
        if max(abs(axis @ other) for other in axes) < SAME_AXIS:
            axes.append(axis)
    valid = np.arange(MOST_AXES) < len(axes)
    padded = np.array([*axes, *[axes[0]] * (MOST_AXES - len(axes))])
    contact = touching.mean(0) if len(touching) else middle
    more = np.concatenate([pins[:PINS], np.tile(contact, (PINS, 1))])[:PINS]
    pivots = np.concatenate([middle + (BOX * half) @ box_axes, contact[None], more])
    return Candidates(padded, valid, pivots, box_axes, half)


def part_length(found: Candidates, axis: int) -> float:
    """Of the part's box along one of its axes, not less than a fiftieth of a radius."""
    return 2 * max(float(np.abs(found.box_axes @ found.axes[axis]) @ found.half), 0.01)


def unlike_lines(
    found: Candidates,
) -> tuple[Float[Array, "l 3"], Float[Array, "l 3"], Int[Array, "6 p"]]:
    """Axes and pivots of the lines that differ, and which of them each candidate is: pivots of a box that lie
    along an axis make one line."""
    axes, pivots, line_of = [], [], np.zeros((len(found.axes), len(found.pivots)), np.int64)
    for a in np.flatnonzero(found.valid):
        foot = found.pivots - np.outer(found.pivots @ found.axes[a], found.axes[a])
        _, first, which = np.unique(
            np.round(foot / SAME_LINE), axis=0, return_index=True, return_inverse=True
        )
        line_of[a] = len(axes) + which.reshape(-1)
        axes += [found.axes[a]] * len(first)
        pivots += list(foot[first])
    return np.array(axes), np.array(pivots), line_of


def first_of_line(found: Candidates) -> Bool[Array, "6 p"]:
    """One candidate of each line: the others are the same motion."""
    line_of = unlike_lines(found)[2][found.valid]
    first = np.zeros((len(found.axes), len(found.pivots)), bool)
    own = np.zeros(line_of.size, bool)
    own[np.unique(line_of, return_index=True)[1]] = True
    first[found.valid] = own.reshape(line_of.shape)
    return first


def oriented_box(
    points: Float[Array, "s 3"],
) -> tuple[Float[Array, "3 3"], Float[Array, "3"], Float[Array, "3"]]:
    """Axes (rows), middle and half sides of a small box around points.

    Of the box along the shape's axes, the one along the principal axes, and boxes that keep one of these six
    directions and turn tightly about it, the smallest; another than the first only if it is a tenth smaller.
    """
    best = _box(points, np.eye(3))
    volume = _size(best[2])
    for axes in _frames(points):
        found = _box(points, axes)
        if _size(found[2]) < 0.9 * volume:
            best, volume = found, _size(found[2])
    return best


def _frames(points: Float[Array, "s 3"]) -> list[Float[Array, "3 3"]]:
    centred = points - points.mean(0)
    principal = np.linalg.svd(centred, full_matrices=False)[2] if len(points) > 2 else np.eye(3)
    if len(principal) < 3:
        return []
    frames = [principal]
    for axis in (*np.eye(3), *principal):
        across = perpendicular_axes(axis)
        flat = points @ across.T
        frames += [np.stack([axis, *(turn @ across)]) for turn in _tight_turns(flat)]
    return frames


def _tight_turns(flat: Float[Array, "s 2"]) -> list[Float[Array, "2 2"]]:
    """The turn of the smallest rectangle around flat points: it lies along an edge of their hull."""
    try:
        hull = flat[ConvexHull(flat).vertices]
    except (QhullError, ValueError):
        return []
    edges = np.roll(hull, -1, axis=0) - hull
    angle = np.unique(np.round(np.arctan2(edges[:, 1], edges[:, 0]) % (np.pi / 2), 3))
    c, s = np.cos(angle), np.sin(angle)
    turns = np.stack([np.stack([c, s], -1), np.stack([-s, c], -1)], axis=1)
    extent = np.ptp(np.einsum("aij,hj->ahi", turns, hull), axis=1)
    return [turns[np.argmin(extent.prod(-1))]]


def _box(points: Array, axes: Float[Array, "3 3"]):
    along = points @ axes.T
    low, high = along.min(0), along.max(0)
    return axes, (low + high) / 2 @ axes, (high - low) / 2


def _size(half: Float[Array, "3"]) -> float:
    """Volume of a box, no side counted thinner than a fiftieth of a radius."""
    return float(np.prod(np.maximum(half, 0.01)))
