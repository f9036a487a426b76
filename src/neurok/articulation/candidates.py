"""Candidate axes and pivots of a part.

Axes are those of the shape and of the part's box. Pivots are points of that box and centres of contacts. Of
585 joints of real objects the best axis is within 5° for 99.8 %, and a line through the best of the 27 box
points within 0.05 radii for 91.5 %. Crossed frames turn on pins that are neither at a corner nor at the
centre of a box, so that centres of contacts are candidates as well.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product

import numpy as np
from jaxtyping import Bool, Float, Int
from scipy.spatial import ConvexHull, QhullError

from neurok.geometry.rotations import perpendicular_axes

Array = np.ndarray
MAX_AXES = 6
MIN_AXIS_COSINE = np.cos(np.radians(5.0))  # axes closer than that are one
BOX = np.array(list(product((-1.0, 0.0, 1.0), repeat=3)))
MIDDLE, CONTACT = 13, 27  # indices of pivots: the centre of the box, and that of all contacts
PINS = 3  # pivots after these: centres of the contacts with the parts that it touches most
LINE_SPACING = 0.01  # radii: lines closer than that are one


@dataclass(frozen=True, eq=False)
class Candidates:
    """Axes and pivots of one part. Rows of padding are not `valid`."""

    axes: Float[Array, "6 3"]
    valid: Bool[Array, "6"]
    pivots: Float[Array, "p 3"]  # 27 of the box, the centre of all contacts, and PINS
    box_axes: Float[Array, "3 3"]  # rows
    half: Float[Array, "3"]  # half sides of the box, along its axes


def candidates(
    points: Float[Array, "s 3"], touching: Float[Array, "t 3"], pins: Float[Array, "c 3"]
) -> Candidates:
    """Candidates of a part with these points, of which some are `touching` other parts.

    `pins` are the centres of its contacts with single other parts. The box is aligned with the shape's axes
    unless one along the part's own axes is clearly smaller.
    """
    box_axes, middle, half = oriented_box(points)
    axes = [*np.eye(3)]
    for axis in box_axes:
        if max(abs(axis @ other) for other in axes) < MIN_AXIS_COSINE:
            axes.append(axis)
    valid = np.arange(MAX_AXES) < len(axes)
    padded = np.array([*axes, *[axes[0]] * (MAX_AXES - len(axes))])
    contact = touching.mean(0) if len(touching) else middle
    more = np.concatenate([pins[:PINS], np.tile(contact, (PINS, 1))])[:PINS]
    pivots = np.concatenate([middle + (BOX * half) @ box_axes, contact[None], more])
    return Candidates(padded, valid, pivots, box_axes, half)


def part_length(found: Candidates, axis: int) -> float:
    """Length of the part's box along one of its axes, at least 0.02 radii."""
    return 2 * max(float(np.abs(found.box_axes @ found.axes[axis]) @ found.half), 0.01)


def distinct_lines(
    found: Candidates,
) -> tuple[Float[Array, "l 3"], Float[Array, "l 3"], Int[Array, "6 p"]]:
    """Axes and pivots of the distinct lines, and the line of each candidate.

    Pivots of a box along an axis share a line.
    """
    axes, pivots, line_of = [], [], np.zeros((len(found.axes), len(found.pivots)), np.int64)
    for a in np.flatnonzero(found.valid):
        foot = found.pivots - np.outer(found.pivots @ found.axes[a], found.axes[a])
        _, first, which = np.unique(
            np.round(foot / LINE_SPACING), axis=0, return_index=True, return_inverse=True
        )
        line_of[a] = len(axes) + which.reshape(-1)
        axes += [found.axes[a]] * len(first)
        pivots += list(foot[first])
    return np.array(axes), np.array(pivots), line_of


def first_of_line(found: Candidates) -> Bool[Array, "6 p"]:
    """One candidate of each distinct line."""
    line_of = distinct_lines(found)[2][found.valid]
    first = np.zeros((len(found.axes), len(found.pivots)), bool)
    own = np.zeros(line_of.size, bool)
    own[np.unique(line_of, return_index=True)[1]] = True
    first[found.valid] = own.reshape(line_of.shape)
    return first


def oriented_box(
    points: Float[Array, "s 3"],
) -> tuple[Float[Array, "3 3"], Float[Array, "3"], Float[Array, "3"]]:
    """Axes (rows), centre and half sides of a small box around points.

    The smallest of these: the box along the shape's axes, the box along the principal axes, and boxes that
    keep one of these six directions and are tight about it. The first is replaced only by a box with less
    than 0.9 of its volume.
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
    """Rotation of the smallest rectangle around flat points, which lies along an edge of their hull."""
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
    """Volume of a box, with half sides of at least 0.01 radii."""
    return float(np.prod(np.maximum(half, 0.01)))
