"""Inputs of the articulation network: points, gaps, candidates and contacts of a shape in parts."""

from __future__ import annotations

from dataclasses import dataclass, fields

import numpy as np
from jaxtyping import Bool, Float, Int
from scipy.spatial import KDTree

from neurok.articulation.candidate_features import (
    MAX_SURFACE_POINTS,
    Contact,
    PartContext,
    axis_features,
    line_features,
)
from neurok.articulation.candidates import MIDDLE, PINS, Candidates, candidates, first_of_line
from neurok.articulation.clouds import PartClouds, search_tree
from neurok.articulation.neighbours import (
    TOUCH_DISTANCE,
    contact_centres,
    contact_graph,
    contact_shares,
    dependent_parts,
    likely_base,
    part_trees,
)
from neurok.articulation.part_names import name_words

Array = np.ndarray
JOINT_POINTS = 24  # points of a part that are nearest to its likely support
MIN_FITTING_AREA, MAX_FITTING_AREA = 1e-6, 0.25  # of the area of a part: pieces between them are fittings
MAX_FITTINGS = 64  # the largest ones
PROTRUSION_START = 0.5  # in half sides of the box: points beyond it may protrude,
MAX_PROTRUSION_SHARE = 0.1  # if less than this share of the points is there
COPY_TOLERANCE = 0.03  # relative difference of the sizes of copies
PART_FEATURES, PAIR_FEATURES = 20, 8
READ_POINTS = 48  # of a part, by the network: one half nearest to other parts, one half spread
SURFACE = ("points", "normals", "gaps", "met", "open")  # arrays of the points of parts


@dataclass(frozen=True, eq=False)
class SceneFeatures:
    """Features of one shape with k parts. All but vectors are invariant to turns."""

    points: Float[Array, "k s 3"]
    normals: Float[Array, "k s 3"]
    gaps: Float[Array, "k s 3"]  # from each point to the nearest of the other parts
    met: Float[Array, "k s 3"]  # normals there
    open: Float[Array, "k s"]  # share of the directions about the normal in which nothing is met
    parts: Float[Array, "k 20"]
    centres: Float[Array, "k 3"]
    axes: Float[Array, "k 6 3"]
    valid: Bool[Array, "k 6"]
    pivots: Float[Array, "k p 3"]
    lines: Bool[Array, "k 6 p"]  # one candidate of every line
    axis_numbers: Float[Array, "k 6 35"]
    line_numbers: Float[Array, "k 6 p 44"]
    pairs: Float[Array, "k k 8"]
    words: Float[Array, "k w"]  # bags of words of the part names

    def arrays(self) -> dict[str, Array]:
        return {f.name: getattr(self, f.name) for f in fields(self)}


@dataclass(frozen=True, eq=False)
class PartScene:
    """A shape in parts with its contacts and candidates."""

    clouds: PartClouds
    trees: tuple[KDTree, ...]  # of the dense points of each part
    shares: Float[Array, "k k"]
    base: int
    candidates: tuple[Candidates, ...]
    nearest: Int[Array, "k s"]  # index of that point among all dense points
    gaps: Float[Array, "k s 3"]


def part_scene(clouds: PartClouds) -> PartScene:
    """Contacts, the likely base, and the candidates of every part."""
    trees = part_trees(clouds)
    shares = contact_shares(clouds, trees)
    nearest = np.stack([_nearest(clouds, k) for k in range(clouds.count)])
    gaps = np.where(nearest[..., None] >= 0, clouds.dense[nearest] - clouds.points, 2.0)
    touching = np.linalg.norm(gaps, axis=-1) < TOUCH_DISTANCE
    pins = contact_centres(shares, trees, PINS)
    found = tuple(
        candidates(clouds.points[k], clouds.points[k][touching[k]], pins[k]) for k in range(clouds.count)
    )
    return PartScene(clouds, tuple(trees), shares, likely_base(clouds, shares), found, nearest, gaps)


def scene_features(scene: PartScene) -> SceneFeatures:
    """Inputs of the network for a scene."""
    clouds, found = scene.clouds, scene.candidates
    context = [_context(scene, k) for k in range(clouds.count)]
    return SceneFeatures(
        clouds.points, clouds.normals, scene.gaps,
        np.where(scene.nearest[..., None] >= 0, clouds.dense_normals[scene.nearest], 0.0), clouds.open,
        np.stack([_part(scene, k, context[k]) for k in range(clouds.count)]),
        np.stack([c.pivots[MIDDLE] for c in found]),
        np.stack([c.axes for c in found]), np.stack([c.valid for c in found]),
        np.stack([c.pivots for c in found]), np.stack([first_of_line(c) for c in found]),
        np.stack([axis_features(*pair) for pair in zip(context, found, strict=True)]),
        np.stack([line_features(*pair) for pair in zip(context, found, strict=True)]),
        _pairs(scene), name_words(clouds.names),
    )  # fmt: skip


def points_to_read(gaps: Float[Array, "k s 3"], order: Int[Array, " s"]) -> Int[Array, "k r"]:
    """Indices of the points that the network reads.

    These are the points with the smallest gaps, then the first of `order`.
    """
    half = READ_POINTS // 2
    near = np.argsort(np.linalg.norm(gaps, axis=-1), axis=1, kind="stable")[:, :half]
    return np.concatenate([near, np.tile(order[: READ_POINTS - half], (len(gaps), 1))], axis=1)


def _nearest(clouds: PartClouds, part: int) -> Int[Array, " s"]:
    """The dense point of the other parts nearest to each point of a part; −1 if there are none."""
    rest = np.flatnonzero(clouds.dense_part != part)
    if not len(rest):
        return np.full(clouds.points.shape[1], -1)
    return rest[search_tree(clouds.dense[rest]).query(clouds.points[part])[1]]


def _context(scene: PartScene, part: int) -> PartContext:
    clouds = scene.clouds
    size = np.linalg.norm(scene.gaps[part], axis=-1)
    touching = (
        np.flatnonzero(size < TOUCH_DISTANCE)
        if (size < TOUCH_DISTANCE).any()
        else np.argsort(size)[:JOINT_POINTS]
    )
    mine = clouds.dense_part == part
    beside = ~mine & in_box(scene, part)
    goes = dependent_parts(contact_graph(scene.shares), part, scene.base)
    goes[part] = True
    stands = np.flatnonzero(~goes[clouds.dense_part])
    stands = stands if len(stands) else np.arange(len(clouds.dense))
    distance, met = search_tree(clouds.dense[stands]).query(clouds.points[part])
    joint = np.argsort(distance)[:JOINT_POINTS]
    on = _main_support(scene, part, goes)
    close = clouds.points[on] if on >= 0 else clouds.dense
    middles = np.stack([c.pivots[MIDDLE] for c in scene.candidates])
    others = np.arange(clouds.count) != part
    own, own_normals = _subsample(clouds, mine)
    return PartContext(
        clouds.points[part], clouds.normals[part],
        _contact(clouds, part, touching, scene.nearest[part][touching]),
        _contact(clouds, part, joint, stands[np.asarray(met)[joint]]),
        own, own_normals, *_subsample(clouds, beside),
        np.stack([close.min(0), close.max(0)]), np.stack([clouds.dense.min(0), clouds.dense.max(0)]),
        middles[copies_of(scene, part)] - middles[part], middles[others],
        *_fittings(clouds, part, goes), _protrusions(own, scene.candidates[part]),
    )  # fmt: skip


def _fittings(
    clouds: PartClouds, part: int, goes: Bool[Array, " k"]
) -> tuple[Float[Array, "n 3"], Float[Array, " n"], Float[Array, "n 3"]]:
    """Small pieces of a part and of its dependents: centres, √ of their shares of its area, long directions.

    A direction has the length 1 − √(λ₂ / λ₁), with the eigenvalues λ of the covariance of its piece.
    """
    pieces = clouds.pieces
    share = pieces.area / clouds.area[part]
    own = np.flatnonzero(goes[pieces.part] & (share > MIN_FITTING_AREA) & (share < MAX_FITTING_AREA))
    own = own[np.argsort(-pieces.area[own], kind="stable")[:MAX_FITTINGS]]
    size, frame = np.linalg.eigh(pieces.spread[own])
    rod = 1 - np.sqrt(np.maximum(size[:, 1], 0) / np.maximum(size[:, 2], 1e-12))
    return pieces.middle[own], np.sqrt(share[own]), frame[:, :, 2] * rod[:, None]


def _protrusions(own: Float[Array, "d 3"], found: Candidates) -> Float[Array, "u 3"]:
    """Points beyond PROTRUSION_START on sides of the box with few points.

    The centre if there are none.
    """
    middle = found.pivots[MIDDLE]
    local = (own - middle) @ found.box_axes.T / np.maximum(found.half, 0.01)
    sides = np.concatenate([local, -local], axis=1) > PROTRUSION_START
    out = sides[:, sides.sum(0) < MAX_PROTRUSION_SHARE * len(own)].any(1)
    return own[out] if out.any() else middle[None]


def in_box(scene: PartScene, part: int) -> Bool[Array, " d"]:
    """Dense points within 0.05 radii of the box of a part."""
    found = scene.candidates[part]
    local = (scene.clouds.dense - found.pivots[MIDDLE]) @ found.box_axes.T
    return (np.abs(local) < found.half + 0.05).all(-1)


def _contact(clouds: PartClouds, part: int, points: Int[Array, " t"], met: Int[Array, " t"]) -> Contact:
    return Contact(clouds.points[part][points], clouds.normals[part][points], clouds.dense_normals[met])


def _main_support(scene: PartScene, part: int, goes: Bool[Array, " k"]) -> int:
    """The part that it touches most, among those that do not depend on it; −1 for none."""
    both = np.where(goes, 0.0, scene.shares[part] + scene.shares[:, part])
    return int(both.argmax()) if both.max() > 0 else -1


def _subsample(
    clouds: PartClouds, where: Bool[Array, " d"]
) -> tuple[Float[Array, "n 3"], Float[Array, "n 3"]]:
    index = np.flatnonzero(where)
    index = index[:: max(1, -(-len(index) // MAX_SURFACE_POINTS))]
    return clouds.dense[index], clouds.dense_normals[index]


def copies_of(scene: PartScene, part: int) -> Int[Array, " c"]:
    """The other parts with the same area and the same box."""
    sizes = np.stack([np.sort(c.half) for c in scene.candidates])
    sizes = np.column_stack([sizes, np.sqrt(scene.clouds.area)])
    alike = (np.abs(sizes - sizes[part]) < COPY_TOLERANCE * sizes[part].max()).all(1)
    alike[part] = False
    return np.flatnonzero(alike)


def _part(scene: PartScene, part: int, context: PartContext) -> Float[Array, "20"]:
    clouds, touch = scene.clouds, contact_graph(scene.shares)
    along = dependent_parts(touch, part, scene.base)
    low = clouds.points[..., 1].min(1)
    area = clouds.area / clouds.area.sum()
    half = np.sort(scene.candidates[part].half)
    ordered = np.maximum(half, 0.01)
    middle = scene.candidates[part].pivots[MIDDLE]
    inside = (
        (context.points > context.neighbour[0] - 0.01) & (context.points < context.neighbour[1] + 0.01)
    ).all(1)
    goes = along | (np.arange(clouds.count) == part)
    on = _main_support(scene, part, goes)
    tall = max(float(np.ptp(context.shape[:, 1])), 1e-3)
    return np.array([
        *half, np.sqrt(area[part]), float(part == scene.base),
        low[part] - low.min(), np.log1p(touch[part].sum()), np.log1p(along.sum()), float(touch[part].any()),
        1.0 / clouds.count,
        ordered[0] / ordered[1], ordered[1] / ordered[2], np.log1p(len(context.copies)),
        (np.linalg.norm(scene.gaps[part], axis=-1) < TOUCH_DISTANCE).mean(), inside.mean(),
        np.log(area[on] / area[part]) if on >= 0 else 0.0, float(touch[part, scene.base]),
        (middle[1] - context.shape[0, 1]) / tall, (context.joint.points[:, 1].mean() - middle[1]) / tall,
        np.linalg.norm(middle[[0, 2]] - context.shape.mean(0)[[0, 2]]),
    ])  # fmt: skip


def _pairs(scene: PartScene) -> Float[Array, "k k 8"]:
    """Features of part i (row) and part j.

    These are contact, distance, ratio of areas, copies, overlap of boxes, and heights.
    """
    shares, area = scene.shares, scene.clouds.area
    total = np.maximum(shares.sum(1, keepdims=True), 1e-9)
    middle = np.stack([c.pivots[MIDDLE] for c in scene.candidates])
    low, high = scene.clouds.points.min(1), scene.clouds.points.max(1)
    shared = np.minimum(high[:, None], high[None]) - np.maximum(low[:, None], low[None])
    within = (np.maximum(shared, 0) + 0.01) / (high - low + 0.01)[:, None]
    copies = np.zeros(shares.shape)
    for part in range(len(copies)):
        copies[part, copies_of(scene, part)] = 1.0
    return np.stack([
        shares / total, shares.T / total.T, np.sqrt(shares / area[:, None]),
        np.linalg.norm(middle[:, None] - middle[None], axis=-1),
        np.log(area[None] / area[:, None]),
        copies, within.prod(-1), middle[:, None, 1] - middle[None, :, 1],
    ], axis=-1)  # fmt: skip
