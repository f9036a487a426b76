"""`find_parts`: the rigid parts of a shape, as labelled, as the file names them, or found."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from jaxtyping import Int
from scipy.spatial import KDTree

from neurok.articulation.components import by_size, face_areas, face_components
from neurok.articulation.congruence import congruence_classes
from neurok.articulation.contacts import find_contacts, sample_pieces
from neurok.articulation.grouping import carry_small, contract, same_for_copies
from neurok.errors import InputError
from neurok.shapes.parts import separate_parts
from neurok.shapes.shape import Shape, unique_names

Array = np.ndarray
PartsSource = Literal["labels", "file", "components", "creases", "one part"]

MAX_PARTS = 30
MAX_PIECES = 300  # loose pieces that are compared pair by pair; smaller ones go with the nearest of them


@dataclass(frozen=True, eq=False)
class Parts:
    """A shape with its rigid parts told apart, without joints, and where the parts come from."""

    shape: Shape
    source: PartsSource
    confidence: float  # 0 … 1: that the parts are what moves as one
    notes: tuple[str, ...] = ()


def find_parts(shape: Shape, labels: Int[Array, " m"] | None = None) -> Parts:
    """The parts of a shape: the labels given, else what the file names, else what the surface tells.

    Labels and names are taken as they are, however many loose pieces one of them has. Without either, loose
    pieces are put together into at most 30 parts.
    """
    if labels is not None:
        return _labelled(shape, labels)
    used = np.unique(shape.part)
    if len(used) > 1:
        return _parts(shape, shape.part, shape.part_names, "file", 1.0)
    return found_parts(shape)


def found_parts(shape: Shape) -> Parts:
    """The parts of a shape by its surface alone, whatever the file names."""
    if not len(shape.faces):
        raise InputError(shape.name, "has no faces, so it has no parts", "Give a mesh with triangles")
    label = face_components(shape)
    if label.max() > 0:
        label = grouped(shape, label)
    count = int(label.max()) + 1
    if count == 1:
        note = "The surface is one piece that nothing cuts: it is taken for one part."
        return _parts(shape, label, (shape.part_names[0],), "one part", 0.2, note)
    names = tuple(f"part_{k + 1}" for k in range(count))
    return _parts(shape, label, names, "components", 0.5)


def grouped(shape: Shape, label: Int[Array, " m"]) -> Int[Array, " m"]:
    """Loose pieces put together into parts."""
    area = face_areas(shape)
    label = _few(shape, label)
    count = int(label.max()) + 1
    points = sample_pieces(shape, label, count)
    twins = congruence_classes(shape, label, count)
    contacts = find_contacts(shape, label, count, twins, points)
    odds = same_for_copies(contacts, log_odds(contacts.features), twins)
    share = np.bincount(label, area, count) / max(area.sum(), np.finfo(float).tiny)
    centres = np.stack([points.points[points.piece == k].mean(axis=0) for k in range(count)])
    group = carry_small(contract(count, contacts.pairs, odds), share, contacts, odds, centres, MAX_PARTS)
    return by_size(group[label], area)


def log_odds(features):
    f = features
    return 3 * f[:, 1] + 4 * f[:, 3] + 1.5 * f[:, 10] + f[:, 19] - 2.0


def _few(shape: Shape, label: Int[Array, " m"]) -> Int[Array, " m"]:
    """At most `MAX_PIECES`: the others become one with the nearest of those."""
    count = int(label.max()) + 1
    if count <= MAX_PIECES:
        return label
    points = sample_pieces(shape, label, count)
    large = points.piece < MAX_PIECES
    _, nearest = KDTree(points.points[large]).query(points.points[~large])
    host = points.piece[large][nearest]
    votes = np.zeros((count, MAX_PIECES), np.int32)
    np.add.at(votes, (points.piece[~large], host), 1)
    target = np.where(np.arange(count) < MAX_PIECES, np.arange(count), votes.argmax(axis=1))
    return by_size(target[label], face_areas(shape))


def _labelled(shape: Shape, labels: Int[Array, " m"]) -> Parts:
    if labels.shape != (len(shape.faces),):
        raise InputError(
            shape.name, f"got {labels.shape} labels for {len(shape.faces):,} faces", "Give one for each face"
        )
    kinds, index = np.unique(labels, return_inverse=True)
    names = unique_names([f"part_{kind}" for kind in kinds])
    return _parts(shape, index.ravel(), names, "labels", 1.0)


def _parts(shape: Shape, label, names, source: PartsSource, confidence: float, *notes: str) -> Parts:
    """The shape with these labels, numbered without gaps, seams doubled and joints dropped."""
    used, part = np.unique(label, return_inverse=True)
    named = shape.with_(
        part=part.ravel(), part_names=tuple(names[k] for k in used) or shape.part_names, joints=None
    )
    separate = separate_parts(named)
    return Parts(separate, source, confidence, notes)
