"""Features of candidate axes and lines. All are invariant to turns of the shape.

The most informative ones measure how a motion would move the surfaces in contact. A motion with the
velocities v(x) slips along them where v · n = 0 for their normals n, as a drawer along its walls and a pin in
its hole.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float
from scipy.spatial import KDTree

from neurok.articulation.candidates import BOX, MIDDLE, Candidates
from neurok.geometry.rotations import rotation_about

Array = np.ndarray
NEAR_LINE_DISTANCE = 0.05  # radii
BARREL_RADII = (0.15, 0.4)  # in middle half sides of the part: radii of a barrel or hub about a line
MAX_SURFACE_POINTS = 600  # of a part, and of the parts around it
AXIS_FEATURES, LINE_FEATURES = 35, 44


@dataclass(frozen=True, eq=False)
class Contact:
    """Points of a part near other parts."""

    points: Float[Array, "t 3"]
    normals: Float[Array, "t 3"]  # of the part
    met: Float[Array, "t 3"]  # normals of the other parts there


@dataclass(frozen=True, eq=False)
class PartContext:
    """Surfaces in and around one part: points with normals in the unit ball of the shape."""

    points: Float[Array, "s 3"]
    normals: Float[Array, "s 3"]
    touching: Contact  # with all other parts
    joint: Contact  # points nearest to the parts that stay when it moves
    own: Float[Array, "d 3"]  # more of its points
    own_normals: Float[Array, "d 3"]
    beside: Float[Array, "e 3"]  # points of other parts in and near its box
    beside_normals: Float[Array, "e 3"]
    neighbour: Float[Array, "2 3"]  # corners of the box of its likely parent
    shape: Float[Array, "2 3"]  # corners of the box of the whole shape
    copies: Float[Array, "c 3"]  # from its centre to the centres of parts of equal size
    others: Float[Array, "o 3"]  # centres of all other parts
    fittings: Float[Array, "n 3"]  # centres of small pieces, its own and of its dependents: handles, barrels
    fitting_sizes: Float[Array, " n"]  # √ of their shares of its area
    fitting_lengths: Float[Array, "n 3"]  # their long directions, of length 1 for a rod and 0 for a ball
    outer: Float[Array, "u 3"]  # points that protrude from its bulk; its centre if none do


def axis_features(part: PartContext, found: Candidates) -> Float[Array, "6 f"]:
    """Position of the part, its contacts and its surroundings along each axis."""
    axes, middle = found.axes, found.pivots[MIDDLE]
    boxed = np.abs(axes @ found.box_axes.T)  # 6 3
    extent = boxed @ found.half
    centred = part.points - middle
    along = centred @ axes.T
    across = np.sqrt(np.maximum((centred**2).sum(1)[:, None] - along**2, 0.0))
    touch, hold = (
        (contact.points - middle) @ axes.T / np.maximum(extent, 0.01)
        for contact in (part.touching, part.joint)
    )
    ordered = np.sort(found.half)
    whole = np.ptp(part.shape @ axes.T, axis=0) / 2
    away = middle - part.neighbour.mean(0)
    return np.stack([
        extent, np.abs(axes[:, 1]), boxed.max(1), np.abs(axes).max(1), across.mean(0), across.max(0),
        _asymmetry(centred, axes), np.full(6, ordered[1]),
        *(np.log(np.maximum(extent, 0.01) / max(side, 0.01)) for side in ordered),
        *(((n @ axes.T) ** 2).mean(0) for n in (
            part.touching.normals, part.touching.met, part.joint.normals, part.joint.met, part.normals
        )),
        np.ptp(touch, axis=0) / 2, np.abs(touch.mean(0)), touch.mean(0) * axes[:, 1],
        np.ptp(hold, axis=0) / 2, np.abs(hold.mean(0)), hold.std(0),
        _cosine(away[None], axes)[0], np.abs(middle @ axes.T), extent / np.maximum(whole, 1e-3),
        np.abs((middle - part.shape.mean(0)) @ axes.T) / np.maximum(whole, 1e-3),
        *_overlap(part, axes, extent, middle),
        _cosine(part.copies, axes).mean(0) if len(part.copies) else np.full(6, -1.0),
        _cosine(part.others, axes).mean(0) if len(part.others) else np.full(6, -1.0),
        np.abs(along).mean(0) / np.maximum(extent, 1e-2),
        *_fittings_along(part, axes, extent, middle),
        np.abs((part.outer - middle) @ axes.T).mean(0) / np.maximum(extent, 1e-2),
    ], axis=-1)  # fmt: skip


def line_features(part: PartContext, found: Candidates) -> Float[Array, "6 p f"]:
    """Position of the part, its contacts and its surroundings about each line: an axis through a pivot."""
    axes, pivots, middle = found.axes, found.pivots, found.pivots[MIDDLE]
    touching, joint = part.touching, part.joint
    own, contact, hold = (
        line_distances(x, axes, pivots) for x in (part.points, touching.points, joint.points)
    )  # 6 p n
    scale = max(float(found.half.max()), 0.01)
    centre = line_distances(middle[None], axes, pivots)[..., 0]
    origin = line_distances(np.zeros((1, 3)), axes, pivots)[..., 0]
    reach = own.max(-1)
    others = line_distances(part.others, axes, pivots)
    copies = line_distances(part.copies + middle, axes, pivots)
    sides = np.sort(_sides(found), axis=-1)
    height = (pivots[:, 1] - middle[1])[None] * (1 - np.abs(axes[:, 1:2]))
    return np.stack([
        own.mean(-1), reach, own.min(-1), (own < NEAR_LINE_DISTANCE).mean(-1),
        contact.mean(-1), contact.max(-1), (contact < NEAR_LINE_DISTANCE).mean(-1), centre, origin,
        contact.mean(-1) / np.maximum(own.mean(-1), 1e-2), contact.min(-1), centre / np.maximum(reach, 1e-2),
        origin - np.linalg.norm(np.cross(middle, axes), axis=-1)[:, None],
        _slip(touching.points, touching.normals, contact, axes, pivots),
        _slip(touching.points, touching.met, contact, axes, pivots),
        _slip(joint.points, joint.normals, hold, axes, pivots),
        _slip(joint.points, joint.met, hold, axes, pivots),
        hold.mean(-1), hold.max(-1), hold.mean(-1) / np.maximum(own.mean(-1), 1e-2),
        own.mean(-1) / scale, contact.mean(-1) / scale, hold.mean(-1) / scale, centre / scale,
        _slip(part.points, part.normals, own, axes, pivots),
        sides[..., 2], sides[..., 1], height,
        *_barrel(part.own, part.own_normals, found), *_barrel(part.beside, part.beside_normals, found),
        np.log1p((others < 0.02).sum(-1)), np.log1p((copies < 0.02).sum(-1)),
        *_fittings_about(part, found, reach),
        line_distances(part.outer, axes, pivots).mean(-1) / np.maximum(reach, 1e-2),
    ], axis=-1)  # fmt: skip


def _asymmetry(centred: Float[Array, "s 3"], axes: Float[Array, "6 3"]) -> Float[Array, "6"]:
    """Mean distance of the part from itself after turns by 50° and 90°, in mean radii of the part."""
    points = centred[:96]
    turned = np.einsum("atij,sj->atsi", rotation_about(axes[:, None], np.radians([50.0, 90.0])), points)
    distance = KDTree(centred).query(turned.reshape(-1, 3))[0].reshape(len(axes), -1).mean(1)
    return distance / max(float(np.linalg.norm(centred, axis=1).mean()), 1e-6)


def _cosine(offsets: Float[Array, "n 3"], axes: Float[Array, "6 3"]) -> Float[Array, "n 6"]:
    """|cos| between offsets and axes."""
    length = np.maximum(np.linalg.norm(offsets, axis=-1, keepdims=True), 1e-6)
    return np.abs(offsets @ axes.T) / length


def _overlap(part: PartContext, axes, extent, middle) -> tuple[Array, Array]:
    """Overlap of the part and its neighbour along each axis, as a share of either length."""
    ends = np.sort(part.neighbour @ axes.T, axis=0)
    at = axes @ middle
    shared = np.maximum(np.minimum(at + extent, ends[1]) - np.maximum(at - extent, ends[0]), 0.0)
    return shared / np.maximum(2 * extent, 0.01), shared / np.maximum(ends[1] - ends[0], 0.01)


def _fittings_along(part: PartContext, axes, extent, middle) -> list[Array]:
    """Fittings along each axis: their length, the distance of their mean from the centre, and their spread.

    A handle is long along the hinge of its door, and opposite to it.
    """
    if not len(part.fittings):
        return [np.zeros(6)] * 3
    weight = part.fitting_sizes / part.fitting_sizes.sum()
    off = (part.fittings - middle) @ axes.T / np.maximum(extent, 1e-2)
    mean = weight @ off
    return [
        weight @ np.abs(part.fitting_lengths @ axes.T), np.abs(mean).clip(0, 2),
        np.sqrt(weight @ (off - mean) ** 2).clip(0, 2),
    ]  # fmt: skip


def _fittings_about(part: PartContext, found: Candidates, reach: Float[Array, "6 p"]) -> list[Array]:
    """Distances of fittings from each line, and the number and size of near fittings.

    Distances are the mean, the nearest and the farthest, in reaches of the part. Without fittings the centre
    of the part is used.
    """
    there = len(part.fittings) > 0
    points = part.fittings if there else found.pivots[MIDDLE][None]
    weight = part.fitting_sizes if there else np.ones(1)
    distance = line_distances(points, found.axes, found.pivots)
    near = distance < NEAR_LINE_DISTANCE
    share = distance / np.maximum(reach, 1e-2)[..., None]
    return [
        share @ weight / weight.sum(), share.min(-1), share.max(-1),
        there * np.log1p(near.sum(-1)), there * (near @ weight),
    ]  # fmt: skip


def _sides(found: Candidates) -> Float[Array, "6 p 3"]:
    """Position of each pivot in the box, seen along each axis of the box.

    It is 0 at the centre and 1 at a side.
    """
    place = np.abs((found.pivots - found.pivots[MIDDLE]) @ found.box_axes.T) / np.maximum(found.half, 0.01)
    place = np.concatenate([np.abs(BOX), place[len(BOX) :].clip(0, 1)])
    return place[None] * (1 - np.abs(found.axes @ found.box_axes.T))[:, None]


def _slip(x, normals, distance, axes, pivots) -> Float[Array, "6 p"]:
    """√(Σ (v · n)² / Σ v²) for v = a × (x − p): 0 where turning about the line slips along the surface.

    v · n = a · (x × n) − a · (p × n).
    """
    moment = np.cross(x, normals) @ axes.T  # n 6
    pushed = np.einsum("ai,pni->apn", axes, np.cross(pivots[:, None], normals[None]))
    across = moment.T[:, None] - pushed
    return np.sqrt((across**2).mean(-1) / np.maximum((distance**2).mean(-1), 1e-6)).clip(0, 1)


def _barrel(x: Float[Array, "n 3"], normals: Float[Array, "n 3"], found: Candidates) -> list[Array]:
    """Share of the points near each line, and the mean |n · t| of their normals with the turning direction t.

    Points count within BARREL_RADII. The mean is small where the surface is round about the line, and 1
    without points.
    """
    axes, pivots, lines = found.axes, found.pivots, (len(found.axes), len(found.pivots))
    if not len(x):
        return [*[np.zeros(lines)] * 2, *[np.ones(lines)] * 2]
    distance = line_distances(x, axes, pivots)
    thick = max(float(np.sort(found.half)[1]), 0.03)
    moment = (np.cross(x, normals) @ axes.T).T[:, None]
    across = np.abs(moment - np.einsum("ai,pni->apn", axes, np.cross(pivots[:, None], normals[None])))
    tangent = across / np.maximum(distance, 1e-3)
    near = [distance < share * thick for share in BARREL_RADII]
    return [
        *(n.mean(-1) for n in near),
        *(
            np.where(n.any(-1), (tangent * n).sum(-1) / np.maximum(n.sum(-1), 1), 1.0).clip(0, 1)
            for n in near
        ),
    ]


def line_distances(x: Float[Array, "n 3"], axes: Float[Array, "a 3"], pivots: Float[Array, "p 3"]):
    """Distance of every point to every line, a × p × n: |x − p|² − ((x − p)·a)²."""
    square = ((x[None] - pivots[:, None]) ** 2).sum(-1)  # p n
    along = (x @ axes.T).T[:, None] - (pivots @ axes.T).T[..., None]  # a p n
    return np.sqrt(np.maximum(square[None] - along**2, 0.0))
