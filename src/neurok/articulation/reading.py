"""What the network reads of a shape in parts: clouds, gaps, candidates and contacts as numbers."""

from __future__ import annotations

from dataclasses import dataclass, fields

import numpy as np
from jaxtyping import Bool, Float
from scipy.spatial import KDTree

from neurok.articulation.candidates import Candidates, candidates
from neurok.articulation.clouds import PartClouds
from neurok.articulation.neighbours import TOUCH, contact_shares, riders, standing, touches
from neurok.articulation.simulator import rotations

Array = np.ndarray
NEAR_LINE = 0.05  # radii
AXIS_FEATURES, LINE_FEATURES, PART_FEATURES, PAIR_FEATURES = 8, 9, 10, 5


@dataclass(frozen=True, eq=False)
class ReadParts:
    """Numbers of one shape with k parts. Vectors are vectors, everything else is invariant to turns."""

    points: Float[Array, "k s 3"]
    normals: Float[Array, "k s 3"]
    gaps: Float[Array, "k s 3"]  # from each point to the nearest of the rest
    parts: Float[Array, "k 10"]
    centres: Float[Array, "k 3"]
    axes: Float[Array, "k 6 3"]
    valid: Bool[Array, "k 6"]
    pivots: Float[Array, "k 28 3"]
    axis_numbers: Float[Array, "k 6 8"]
    line_numbers: Float[Array, "k 6 28 9"]
    pairs: Float[Array, "k k 5"]

    def arrays(self) -> dict[str, Array]:
        return {f.name: getattr(self, f.name) for f in fields(self)}


@dataclass(frozen=True, eq=False)
class PartScene:
    """A shape in parts with all that follows from where they are."""

    clouds: PartClouds
    shares: Float[Array, "k k"]
    base: int
    candidates: tuple[Candidates, ...]
    gaps: Float[Array, "k s 3"]


def part_scene(clouds: PartClouds) -> PartScene:
    """Contacts, the part that stands, and every part's candidates."""
    shares = contact_shares(clouds)
    gaps = np.stack([_gaps(clouds, k) for k in range(clouds.count)])
    touching = np.linalg.norm(gaps, axis=-1) < TOUCH
    found = tuple(candidates(clouds.points[k], clouds.points[k][touching[k]]) for k in range(clouds.count))
    return PartScene(clouds, shares, standing(clouds, shares), found, gaps)


def read_scene(scene: PartScene) -> ReadParts:
    """The numbers of a scene."""
    clouds, found = scene.clouds, scene.candidates
    count = range(clouds.count)
    return ReadParts(
        clouds.points, clouds.normals, scene.gaps,
        np.stack([_part(scene, k) for k in count]),
        np.stack([c.pivots[13] for c in found]),
        np.stack([c.axes for c in found]), np.stack([c.valid for c in found]),
        np.stack([c.pivots for c in found]),
        np.stack([_axes(clouds.points[k], found[k]) for k in count]),
        np.stack([_lines(clouds.points[k], scene.gaps[k], found[k]) for k in count]),
        _pairs(scene),
    )  # fmt: skip


def _gaps(clouds: PartClouds, part: int) -> Float[Array, "s 3"]:
    """From each point of a part to the nearest of the rest; far away when there is no rest."""
    rest = clouds.dense[clouds.dense_part != part]
    if not len(rest):
        return np.full_like(clouds.points[part], 2.0)
    return rest[KDTree(rest).query(clouds.points[part])[1]] - clouds.points[part]


def _part(scene: PartScene, part: int) -> Float[Array, "10"]:
    clouds, touch = scene.clouds, touches(scene.shares)
    along = riders(touch, part, scene.base)
    low = clouds.points[..., 1].min(1)
    area = clouds.area / clouds.area.sum()
    return np.array([
        *np.sort(scene.candidates[part].half), np.sqrt(area[part]), float(part == scene.base),
        low[part] - low.min(), np.log1p(touch[part].sum()), np.log1p(along.sum()), float(touch[part].any()),
        1.0 / clouds.count,
    ])  # fmt: skip


def _axes(points: Float[Array, "s 3"], found: Candidates) -> Float[Array, "6 8"]:
    """How the part lies about each axis: its extent along and across, whether the axis is upright, the box's
    or the shape's, and how well the part is mapped to itself by turns about the middle."""
    along = np.abs(found.axes @ found.box_axes.T)  # 6 3
    extent = along @ found.half
    upright = np.abs(found.axes[:, 1])
    centred = points - found.pivots[13]
    across = np.linalg.norm(
        centred[None] - (centred @ found.axes.T).T[..., None] * found.axes[:, None], axis=-1
    )
    return np.stack([
        extent, upright, along.max(1), np.abs(found.axes).max(1), across.mean(1), across.max(1),
        _asymmetry(centred, found.axes), np.sort(found.half)[1] * np.ones(len(extent)),
    ], axis=-1)  # fmt: skip


def _asymmetry(centred: Float[Array, "s 3"], axes: Float[Array, "6 3"]) -> Float[Array, "6"]:
    """Mean distance of the turned part to itself, over turns by 50° and 90°, in radii of the part."""
    points = centred[:96]
    turned = np.einsum("atij,sj->atsi", rotations(axes, np.radians([50.0, 90.0])), points)
    distance = KDTree(centred).query(turned.reshape(-1, 3))[0].reshape(len(axes), -1).mean(1)
    return distance / max(float(np.linalg.norm(centred, axis=1).mean()), 1e-6)


def _lines(
    points: Float[Array, "s 3"], gaps: Float[Array, "s 3"], found: Candidates
) -> Float[Array, "6 28 9"]:
    """How the part and its contacts lie about each line: an axis through a pivot."""
    axes, pivots = found.axes, found.pivots
    size = np.linalg.norm(gaps, axis=1)
    touching = points[size < TOUCH] if (size < TOUCH).any() else points[np.argsort(size)[:8]]
    own, contact = (_distance(x, axes, pivots) for x in (points, touching))  # 6 28 n
    middle = _distance(pivots[13:14], axes, pivots)[..., 0]
    reach = own.max(-1)
    origin = _distance(np.zeros((1, 3)), axes, pivots)[..., 0]
    return np.stack([
        own.mean(-1), reach, own.min(-1), (own < NEAR_LINE).mean(-1), contact.mean(-1), contact.max(-1),
        (contact < NEAR_LINE).mean(-1), middle, origin,
    ], axis=-1)  # fmt: skip


def _distance(x: Float[Array, "n 3"], axes: Float[Array, "a 3"], pivots: Float[Array, "p 3"]):
    """Distance of every point to every line, a × p × n: |x − p|² − ((x − p)·a)²."""
    square = ((x[None] - pivots[:, None]) ** 2).sum(-1)  # p n
    along = (x @ axes.T).T[:, None] - (pivots @ axes.T).T[..., None]  # a p n
    return np.sqrt(np.maximum(square[None] - along**2, 0.0))


def _pairs(scene: PartScene) -> Float[Array, "k k 5"]:
    """How part i (row) lies to part j: shares of contact, distance, and which is larger."""
    shares, area = scene.shares, scene.clouds.area
    total = np.maximum(shares.sum(1, keepdims=True), 1e-9)
    middle = np.stack([c.pivots[13] for c in scene.candidates])
    return np.stack([
        shares / total, shares.T / total.T, np.sqrt(shares / area[:, None]),
        np.linalg.norm(middle[:, None] - middle[None], axis=-1),
        np.log(area[None] / area[:, None]),
    ], axis=-1)  # fmt: skip
