"""Contacts of loose pieces, and features that tell whether two pieces are one part."""

from __future__ import annotations

from dataclasses import dataclass

import igl
import numpy as np
from jaxtyping import Bool, Float, Int

from neurok.articulation.parts.components import boxes, face_areas
from neurok.articulation.parts.congruence import principal_lengths
from neurok.shapes.shape import Shape

Array = np.ndarray

TOUCH_DISTANCE = 0.01  # radii: closer pieces touch
NEAR_DISTANCE = 0.04  # radii: pairs farther apart have no features
AREA_SAMPLES = 6000  # distributed by area, in addition to MIN_SAMPLES of each piece
MIN_SAMPLES = 40
FEATURES = (
    "gap", "touch_small", "touch_large", "sunk_small", "sunk_large", "touch_area", "area_small", "area_large",
    "size_small", "size_large", "material", "contained", "flat_small", "flat_large", "long_small",
    "long_large", "round_small", "round_large", "only", "best", "alike", "twins_small", "twins_large",
    "spread", "upright",
)  # fmt: skip


@dataclass(frozen=True, eq=False)
class Contacts:
    """Pairs of neighbouring pieces, the smaller first, with their features."""

    pairs: Int[Array, "p 2"]
    gap: Float[Array, " p"]  # in radii of the shape
    touch: Float[Array, " p"]  # area of contact, as a share of the whole surface
    features: Float[Array, "p f"]


@dataclass(frozen=True, eq=False)
class PiecePoints:
    """Samples of the surface: at least `MIN_SAMPLES` on each piece, the others by area."""

    points: Float[Array, "s 3"]  # centred, unit radius
    piece: Int[Array, " s"]
    weight: Float[Array, " s"]  # share of its piece that a sample represents


def sample_pieces(shape: Shape, label: Int[Array, " m"], count: int, seed: int = 0) -> PiecePoints:
    """Systematic samples along the cumulated area of each piece."""
    rng = np.random.default_rng(seed)
    order = np.argsort(label, kind="stable")
    area = face_areas(shape)[order]
    area = np.maximum(area, 1e-12 * area.max(initial=0.0) or 1.0)  # slivers are sampled too
    total = np.bincount(label[order], area, count)
    drawn = MIN_SAMPLES + np.floor(AREA_SAMPLES * total / total.sum()).astype(np.int64)
    ends = np.cumsum(area * (drawn / total)[label[order]])
    wanted = np.arange(drawn.sum()) + rng.random(drawn.sum())
    piece = np.repeat(np.arange(count), drawn)
    last = np.cumsum(np.bincount(label, minlength=count)) - 1
    face = np.minimum(np.searchsorted(ends, wanted), last[piece])
    root, v = np.sqrt(rng.random(len(face))), rng.random(len(face))
    weights = np.stack([1 - root, root * (1 - v), root * v], axis=1)
    points = np.einsum("ski,sk->si", shape.vertices[shape.faces[order[face]]], weights)
    return PiecePoints(shape.normalisation.apply(points), piece, (1 / drawn)[piece])


def find_contacts(
    shape: Shape, label: Int[Array, " m"], count: int, twins: Int[Array, " c"], points: PiecePoints
) -> Contacts:
    """Every pair of pieces closer than NEAR_DISTANCE.

    `label` numbers pieces by size, `twins` their congruence classes.
    """
    near = _measured(shape, label, count, points)
    total = np.bincount(label, face_areas(shape), count)
    share = np.maximum(total / max(total.sum(), np.finfo(float).tiny), 1e-12)
    small, large = np.nonzero(np.triu(near.gap < NEAR_DISTANCE, 1).T)  # the larger has the lower number
    own, other = near.touch[small, large], near.touch[large, small]
    area = np.minimum(own * share[small], other * share[large])
    measured = np.column_stack([
        near.gap[small, large] / NEAR_DISTANCE, own, other, near.sunk[small, large], near.sunk[large, small],
        np.log10(area + 1e-6), np.log10(share[small]), np.log10(share[large]),
    ])  # fmt: skip
    proportions = _proportions(shape, label, count, small, large, twins)
    contact = np.zeros((count, count))
    contact[small, large] = contact[large, small] = np.maximum(
        own, 1e-3 * (near.gap[small, large] < TOUCH_DISTANCE)
    )
    neighbours = (contact > 0).sum(axis=1)
    rank = np.column_stack([
        1 / np.maximum(neighbours[small], 1), contact[small, large] >= contact[small].max(axis=1, initial=0),
        twins[small] == twins[large], np.log(np.bincount(twins))[twins[small]],
        np.log(np.bincount(twins))[twins[large]],
    ])  # fmt: skip
    spread = np.column_stack([near.spread[small, large], near.upright[small, large]])
    features = np.column_stack([measured, proportions, rank, spread])
    return Contacts(np.stack([small, large], axis=1), near.gap[small, large], area, features)


@dataclass(frozen=True, eq=False)
class _Near:
    """Measurements of the samples of piece i (row) against piece j (column)."""

    gap: Float[Array, "c c"]
    touch: Float[Array, "c c"]  # share of i that touches j
    sunk: Float[Array, "c c"]  # share of i inside j
    spread: Float[Array, "c c"]  # extent of the contact over i
    upright: Float[Array, "c c"]  # share of that extent along the up-axis


def _measured(shape: Shape, label: Int[Array, " m"], count: int, points: PiecePoints) -> _Near:
    vertices = np.ascontiguousarray(shape.normalisation.apply(shape.vertices))
    low, high = (shape.normalisation.apply(corner) for corner in boxes(shape, label, count))
    gap = np.full((count, count), np.inf)
    touch, sunk, spread, upright = (np.zeros((count, count)) for _ in range(4))
    for j in range(count):
        row = np.flatnonzero(
            _within(points.points, low[j] - NEAR_DISTANCE, high[j] + NEAR_DISTANCE) & (points.piece != j)
        )
        if not len(row):
            continue
        faces = np.ascontiguousarray(shape.faces[label == j], np.int64)
        used, local = np.unique(faces, return_inverse=True)
        mesh, corners = vertices[used], local.reshape(-1, 3).astype(np.int64)
        place = points.points[row]
        distance = np.sqrt(igl.point_mesh_squared_distance(place, mesh, corners)[0])
        inside = np.abs(igl.fast_winding_number(mesh, corners, place)) > 0.5
        piece, weight = points.piece[row], points.weight[row]
        np.minimum.at(gap[:, j], piece, np.where(inside, 0.0, distance))
        close = inside | (distance < TOUCH_DISTANCE)
        touch[:, j] = np.bincount(piece[close], weight[close], count)
        sunk[:, j] = np.bincount(piece[inside], weight[inside], count)
        spread[:, j], upright[:, j] = _spreads(place[close], piece[close], high - low, shape)
    return _Near(np.minimum(gap, gap.T), touch, sunk, spread, upright)


def _within(
    points: Float[Array, "s 3"], low: Float[Array, "3"], high: Float[Array, "3"]
) -> Bool[Array, " s"]:
    return np.all((points >= low) & (points <= high), axis=1)


def _spreads(
    points: Float[Array, "k 3"], piece: Int[Array, " k"], size: Float[Array, "c 3"], shape: Shape
) -> tuple[Float[Array, " c"], Float[Array, " c"]]:
    """Diagonal of the box around the contact as a share of the piece's, and its share along the up-axis."""
    low, high = np.full(size.shape, np.inf), np.full(size.shape, -np.inf)
    np.minimum.at(low, piece, points)
    np.maximum.at(high, piece, points)
    extent = np.where(high > low, high - low, 0.0)
    length = np.linalg.norm(extent, axis=1)
    up = extent @ shape.frame.up_vector
    return (
        length / np.maximum(np.linalg.norm(size, axis=1), 1e-9),
        np.divide(up, length, out=np.zeros_like(up), where=length > 0),
    )


def _proportions(shape: Shape, label, count: int, small, large, twins) -> Float[Array, "p 10"]:
    """Sizes, materials, containment and proportions of both pieces."""
    low, high = (shape.normalisation.apply(corner) for corner in boxes(shape, label, count))
    size = np.linalg.norm(high - low, axis=1)
    overlap = (
        np.clip(np.minimum(high[small], high[large]) - np.maximum(low[small], low[large]), 0, None) + 1e-3
    )
    contained = overlap.prod(axis=1) / (high[small] - low[small] + 1e-3).prod(axis=1)
    lengths = principal_lengths(shape, label, count) + 1e-6  # longest first
    flat, long = lengths[:, 2] / lengths[:, 1], lengths[:, 1] / lengths[:, 0]
    alike = np.maximum(flat, long)  # two equal lengths: round or square about the third
    main = _main_material(shape, label, count)
    return np.column_stack([
        np.log10(size[small] + 1e-4), np.log10(size[large] + 1e-4), main[small] == main[large], contained,
        flat[small], flat[large], long[small], long[large], alike[small] > 0.97, alike[large] > 0.97,
    ])  # fmt: skip


def _main_material(shape: Shape, label: Int[Array, " m"], count: int) -> Int[Array, " c"]:
    """Material with the largest area of each piece."""
    area = np.zeros((count, len(shape.materials)))
    np.add.at(area, (label, shape.material), face_areas(shape))
    return area.argmax(axis=1)
