"""Loose pieces of a shape, with their contacts and congruences."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float, Int
from scipy.spatial import KDTree

from neurok.articulation.parts.components import by_size, face_areas, face_components
from neurok.articulation.parts.congruence import congruence_classes
from neurok.articulation.parts.contacts import Contacts, find_contacts, sample_pieces
from neurok.shapes.normals import unit_face_normals
from neurok.shapes.shape import Shape

Array = np.ndarray
MAX_PIECES = 200  # compared pairwise; smaller ones are merged into the nearest of them


@dataclass(frozen=True, eq=False)
class Pieces:
    """Loose pieces, the largest first."""

    label: Int[Array, " m"]  # the piece of each face
    share: Float[Array, " c"]  # of the whole area
    centres: Float[Array, "c 3"]  # in the unit ball
    twins: Int[Array, " c"]  # congruence class
    contacts: Contacts


def find_pieces(shape: Shape) -> Pieces:
    """Pieces of the surface and their contacts."""
    area = face_areas(shape)
    label = _largest(shape, face_components(shape))
    count = int(label.max()) + 1
    points = sample_pieces(shape, label, count)
    twins = congruence_classes(shape, label, count)
    weight = np.bincount(points.piece, points.weight, count)
    centres = np.stack(
        [np.bincount(points.piece, points.weight * points.points[:, k], count) / weight for k in range(3)],
        axis=1,
    )
    share = np.bincount(label, area, count) / max(area.sum(), np.finfo(float).tiny)
    return Pieces(label, share, centres, twins, find_contacts(shape, label, count, twins, points))


def piece_samples(
    shape: Shape, label: Int[Array, " m"], count: int, samples: int, seed: int = 0
) -> tuple[Float[Array, "c s 3"], Float[Array, "c s 3"]]:
    """`samples` random points, with unit normals, of each of the first `count` pieces."""
    rng = np.random.default_rng(seed)
    corners, area = shape.vertices[shape.faces], face_areas(shape) + 1e-300
    normals = unit_face_normals(shape.vertices, shape.faces)
    points, directions = [], []
    for piece in range(count):
        own = np.flatnonzero(label == piece)
        face = rng.choice(own, samples, p=area[own] / area[own].sum())
        root, v = np.sqrt(rng.random(samples)), rng.random(samples)
        weights = np.stack([1 - root, root * (1 - v), root * v], axis=1)
        points.append(np.einsum("ski,sk->si", corners[face], weights))
        directions.append(normals[face])
    return np.stack(points), np.stack(directions)


def _largest(shape: Shape, label: Int[Array, " m"]) -> Int[Array, " m"]:
    """At most `MAX_PIECES` pieces: the smaller ones are merged into the nearest of those."""
    count = int(label.max()) + 1
    if count <= MAX_PIECES:
        return label
    points = sample_pieces(shape, label, count)
    large = points.piece < MAX_PIECES
    _, nearest = KDTree(points.points[large]).query(points.points[~large])
    target = np.arange(count)
    order = np.argsort(points.piece[~large], kind="stable")
    piece, host = points.piece[~large][order], points.piece[large][nearest][order]
    start = np.searchsorted(piece, np.arange(MAX_PIECES, count))
    for k, hosts in zip(range(MAX_PIECES, count), np.split(host, start[1:]), strict=True):
        target[k] = np.bincount(hosts).argmax()
    return by_size(target[label], face_areas(shape))
