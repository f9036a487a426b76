"""What the network reads of a shape in parts: clouds, gaps, candidates and contacts as numbers."""

from __future__ import annotations

from dataclasses import dataclass, fields

import numpy as np
from jaxtyping import Bool, Float, Int
from scipy.spatial import KDTree

from neurok.articulation.candidate_features import MOST_AROUND, Contact, PartFacts, axis_facts, line_facts
from neurok.articulation.candidates import MIDDLE, PINS, Candidates, candidates, first_of_line
from neurok.articulation.clouds import PartClouds, search_tree
from neurok.articulation.neighbours import (
    TOUCH,
    contact_middles,
    contact_shares,
    part_trees,
    riders,
    standing,
    touches,
)
from neurok.articulation.part_names import name_words

Array = np.ndarray
JOINT = 24  # points of a part that are nearest to what it may hang on
SMALL, SEEN = 0.25, 1e-6  # of the area of a part: pieces between these are its fittings,
MOST_FITTINGS = 64  # the largest of them
OUTER, FEW = 0.5, 0.1  # of the box: less than FEW of a part beyond OUTER of a half side stands out
ALIKE = 0.03  # relative difference of the sizes of parts that are copies
PART_FEATURES, PAIR_FEATURES = 20, 8


@dataclass(frozen=True, eq=False)
class ReadParts:
    """Numbers of one shape with k parts. Vectors are vectors, everything else is invariant to turns."""

    points: Float[Array, "k s 3"]
    normals: Float[Array, "k s 3"]
    gaps: Float[Array, "k s 3"]  # from each point to the nearest of the rest
    parts: Float[Array, "k 20"]
    centres: Float[Array, "k 3"]
    axes: Float[Array, "k 6 3"]
    valid: Bool[Array, "k 6"]
    pivots: Float[Array, "k p 3"]
    lines: Bool[Array, "k 6 p"]  # one candidate of every line
    axis_numbers: Float[Array, "k 6 35"]
    line_numbers: Float[Array, "k 6 p 44"]
    pairs: Float[Array, "k k 8"]
    words: Float[Array, "k w"]  # which words their names have

    def arrays(self) -> dict[str, Array]:
        return {f.name: getattr(self, f.name) for f in fields(self)}


@dataclass(frozen=True, eq=False)
class PartScene:
    """A shape in parts with all that follows from where they are."""

    clouds: PartClouds
    trees: tuple[KDTree, ...]  # of the dense points of each part
    shares: Float[Array, "k k"]
    base: int
    candidates: tuple[Candidates, ...]
    nearest: Int[Array, "k s"]  # of each point, among the dense points of the other parts
    gaps: Float[Array, "k s 3"]


def part_scene(clouds: PartClouds) -> PartScene:
    """Contacts, the part that stands, and every part's candidates."""
    trees = part_trees(clouds)
    shares = contact_shares(clouds, trees)
    nearest = np.stack([_nearest(clouds, k) for k in range(clouds.count)])
    gaps = np.where(nearest[..., None] >= 0, clouds.dense[nearest] - clouds.points, 2.0)
    touching = np.linalg.norm(gaps, axis=-1) < TOUCH
    pins = contact_middles(shares, trees, PINS)
    found = tuple(
        candidates(clouds.points[k], clouds.points[k][touching[k]], pins[k]) for k in range(clouds.count)
    )
    return PartScene(clouds, tuple(trees), shares, standing(clouds, shares), found, nearest, gaps)


def read_scene(scene: PartScene) -> ReadParts:
    """The numbers of a scene."""
    clouds, found = scene.clouds, scene.candidates
    facts = [_facts(scene, k) for k in range(clouds.count)]
    return ReadParts(
        clouds.points, clouds.normals, scene.gaps,
        np.stack([_part(scene, k, facts[k]) for k in range(clouds.count)]),
        np.stack([c.pivots[MIDDLE] for c in found]),
        np.stack([c.axes for c in found]), np.stack([c.valid for c in found]),
        np.stack([c.pivots for c in found]), np.stack([first_of_line(c) for c in found]),
        np.stack([axis_facts(*pair) for pair in zip(facts, found, strict=True)]),
        np.stack([line_facts(*pair) for pair in zip(facts, found, strict=True)]),
        _pairs(scene), name_words(clouds.names),
    )  # fmt: skip


def _nearest(clouds: PartClouds, part: int) -> Int[Array, " s"]:
    """The dense point of the rest that is nearest to each point of a part; −1 when there is no rest."""
    rest = np.flatnonzero(clouds.dense_part != part)
    if not len(rest):
        return np.full(clouds.points.shape[1], -1)
    return rest[search_tree(clouds.dense[rest]).query(clouds.points[part])[1]]


def _facts(scene: PartScene, part: int) -> PartFacts:
    clouds = scene.clouds
    size = np.linalg.norm(scene.gaps[part], axis=-1)
    touching = np.flatnonzero(size < TOUCH) if (size < TOUCH).any() else np.argsort(size)[:JOINT]
    mine = clouds.dense_part == part
    beside = ~mine & in_box(scene, part)
    goes = riders(touches(scene.shares), part, scene.base)
    goes[part] = True
    stands = np.flatnonzero(~goes[clouds.dense_part])
    stands = stands if len(stands) else np.arange(len(clouds.dense))
    distance, met = search_tree(clouds.dense[stands]).query(clouds.points[part])
    joint = np.argsort(distance)[:JOINT]
    on = _hangs_on(scene, part, goes)
    close = clouds.points[on] if on >= 0 else clouds.dense
    middles = np.stack([c.pivots[MIDDLE] for c in scene.candidates])
    others = np.arange(clouds.count) != part
    own, own_normals = _some(clouds, mine)
    return PartFacts(
        clouds.points[part], clouds.normals[part],
        _contact(clouds, part, touching, scene.nearest[part][touching]),
        _contact(clouds, part, joint, stands[np.asarray(met)[joint]]),
        own, own_normals, *_some(clouds, beside),
        np.stack([close.min(0), close.max(0)]), np.stack([clouds.dense.min(0), clouds.dense.max(0)]),
        middles[copies_of(scene, part)] - middles[part], middles[others],
        *_fittings(clouds, part, goes), _standing_out(own, scene.candidates[part]),
    )  # fmt: skip


def _fittings(
    clouds: PartClouds, part: int, goes: Bool[Array, " k"]
) -> tuple[Float[Array, "n 3"], Float[Array, " n"], Float[Array, "n 3"]]:
    """Small pieces of a part and of what goes along: middles, roots of their shares of its area, and
    directions that are as long as the piece is like a rod, 1 − √(λ₂ / λ₁) of its spread."""
    pieces = clouds.pieces
    share = pieces.area / clouds.area[part]
    own = np.flatnonzero(goes[pieces.part] & (share > SEEN) & (share < SMALL))
    own = own[np.argsort(-pieces.area[own], kind="stable")[:MOST_FITTINGS]]
    size, frame = np.linalg.eigh(pieces.spread[own])
    rod = 1 - np.sqrt(np.maximum(size[:, 1], 0) / np.maximum(size[:, 2], 1e-12))
    return pieces.middle[own], np.sqrt(share[own]), frame[:, :, 2] * rod[:, None]


def _standing_out(own: Float[Array, "d 3"], found: Candidates) -> Float[Array, "u 3"]:
    """The points at sides of the part's box that few of them are at; its middle where there are none."""
    middle = found.pivots[MIDDLE]
    local = (own - middle) @ found.box_axes.T / np.maximum(found.half, 0.01)
    sides = np.concatenate([local, -local], axis=1) > OUTER
    out = sides[:, sides.sum(0) < FEW * len(own)].any(1)
    return own[out] if out.any() else middle[None]


def in_box(scene: PartScene, part: int) -> Bool[Array, " d"]:
    """Which dense points are in the box of a part, or nearly."""
    found = scene.candidates[part]
    local = (scene.clouds.dense - found.pivots[MIDDLE]) @ found.box_axes.T
    return (np.abs(local) < found.half + 0.05).all(-1)


def _contact(clouds: PartClouds, part: int, points: Int[Array, " t"], met: Int[Array, " t"]) -> Contact:
    return Contact(clouds.points[part][points], clouds.normals[part][points], clouds.dense_normals[met])


def _hangs_on(scene: PartScene, part: int, goes: Bool[Array, " k"]) -> int:
    """The part that it touches most, of those that do not go along; −1 for none."""
    both = np.where(goes, 0.0, scene.shares[part] + scene.shares[:, part])
    return int(both.argmax()) if both.max() > 0 else -1


def _some(clouds: PartClouds, where: Bool[Array, " d"]) -> tuple[Float[Array, "n 3"], Float[Array, "n 3"]]:
    index = np.flatnonzero(where)
    index = index[:: max(1, -(-len(index) // MOST_AROUND))]
    return clouds.dense[index], clouds.dense_normals[index]


def copies_of(scene: PartScene, part: int) -> Int[Array, " c"]:
    """The other parts with the same area and the same box."""
    sizes = np.stack([np.sort(c.half) for c in scene.candidates])
    sizes = np.column_stack([sizes, np.sqrt(scene.clouds.area)])
    alike = (np.abs(sizes - sizes[part]) < ALIKE * sizes[part].max()).all(1)
    alike[part] = False
    return np.flatnonzero(alike)


def _part(scene: PartScene, part: int, facts: PartFacts) -> Float[Array, "20"]:
    clouds, touch = scene.clouds, touches(scene.shares)
    along = riders(touch, part, scene.base)
    low = clouds.points[..., 1].min(1)
    area = clouds.area / clouds.area.sum()
    half = np.sort(scene.candidates[part].half)
    ordered = np.maximum(half, 0.01)
    middle = scene.candidates[part].pivots[MIDDLE]
    inside = ((facts.points > facts.neighbour[0] - 0.01) & (facts.points < facts.neighbour[1] + 0.01)).all(1)
    goes = along | (np.arange(clouds.count) == part)
    on = _hangs_on(scene, part, goes)
    tall = max(float(np.ptp(facts.shape[:, 1])), 1e-3)
    return np.array([
        *half, np.sqrt(area[part]), float(part == scene.base),
        low[part] - low.min(), np.log1p(touch[part].sum()), np.log1p(along.sum()), float(touch[part].any()),
        1.0 / clouds.count,
        ordered[0] / ordered[1], ordered[1] / ordered[2], np.log1p(len(facts.copies)),
        (np.linalg.norm(scene.gaps[part], axis=-1) < TOUCH).mean(), inside.mean(),
        np.log(area[on] / area[part]) if on >= 0 else 0.0, float(touch[part, scene.base]),
        (middle[1] - facts.shape[0, 1]) / tall, (facts.joint.points[:, 1].mean() - middle[1]) / tall,
        np.linalg.norm(middle[[0, 2]] - facts.shape.mean(0)[[0, 2]]),
    ])  # fmt: skip


def _pairs(scene: PartScene) -> Float[Array, "k k 8"]:
    """How part i (row) lies to part j: contact, distance, which is larger, copies, box in box, heights."""
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
