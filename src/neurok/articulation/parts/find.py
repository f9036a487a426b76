"""`find_parts`: the rigid parts of a shape, as labelled, as the file names them, or found."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np
from jaxtyping import Bool, Float, Int
from scipy.spatial import KDTree

from neurok.articulation.parts.affinity import log_odds
from neurok.articulation.parts.components import by_size, face_areas
from neurok.articulation.parts.creases import cut_along_creases
from neurok.articulation.parts.grouping import NONE, carry_small, contract, same_for_copies, with_hints
from neurok.articulation.parts.pieces import Pieces, find_pieces
from neurok.errors import InputError
from neurok.shapes.seams import separate_parts
from neurok.shapes.shape import Shape, unique_names

Array = np.ndarray
PartsSource = Literal["labels", "file", "components", "creases", "one part"]

MAX_PARTS = 30
CREASED, UNCUT = 0.3, 0.2  # confidence in parts cut along creases, and in a shape that could not be cut


@dataclass(frozen=True, eq=False)
class Parts:
    """A shape with its rigid parts told apart, without joints, and where the parts come from."""

    shape: Shape
    source: PartsSource
    confidence: float  # 0 … 1: that the parts are what moves as one
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False)
class Hints:
    """What is known of vertices beside the surface: those that are held, and those that are made to move."""

    held: Bool[Array, " n"]
    moved: Bool[Array, " n"] | None = None


def find_parts(
    shape: Shape,
    labels: Int[Array, " m"] | None = None,
    reluctance: float = 0.0,
    hints: Hints | None = None,
) -> Parts:
    """The parts of a shape: the labels given, else what the file names, else what the surface tells.

    Labels and names are taken as they are, however many loose pieces one of them has. Without either, loose
    pieces are put together into at most 30 parts, two of them where the log-odds that they are one exceed
    the `reluctance`, and as the `hints` have it.
    """
    if labels is not None:
        return _labelled(shape, labels)
    used = np.unique(shape.part)
    if len(used) > 1:
        return _parts(shape, shape.part, shape.part_names, "file", 1.0)
    return found_parts(shape, reluctance, hints)


def found_parts(shape: Shape, reluctance: float = 0.0, hints: Hints | None = None) -> Parts:
    """The parts of a shape by its surface alone, whatever the file names.

    Loose pieces are grouped; where all of them are one group, its largest piece is cut along concave creases.
    """
    if not len(shape.faces):
        raise InputError(shape.name, "has no faces, so it has no parts", "Give a mesh with triangles")
    pieces = find_pieces(shape)
    group, confidence = grouped(shape, pieces, reluctance, hints)
    label = by_size(group[pieces.label], face_areas(shape))
    if label.max() > 0:
        return _parts(shape, label, _numbered(label), "components", confidence, *_copies(pieces, group))
    label = _creased(shape, pieces)
    if label.max() > 0:
        note = (
            "The surface is one piece, cut along its concave creases: look at the parts before you use them."
        )
        return _parts(shape, label, _numbered(label), "creases", CREASED, note)
    note = "The surface is one piece without a clear crease: it is taken for one part."
    return _parts(shape, label, (shape.part_names[0],), "one part", UNCUT, note)


def grouped(
    shape: Shape, pieces: Pieces, reluctance: float = 0.0, hints: Hints | None = None
) -> tuple[Int[Array, " c"], float]:
    """The group of each loose piece, and how sure the network is of what it joined and parted.

    That is the mean over neighbouring pieces of the probability of what was decided, by the smaller's area.
    """
    contacts = pieces.contacts
    odds = same_for_copies(contacts, log_odds(shape, pieces), pieces.twins)
    known = Told() if hints is None else _told(shape, pieces, hints)
    joined = contract(len(pieces.share), *with_hints(contacts.pairs, odds - reluctance, *known))
    group = carry_small(joined, pieces.share, contacts, odds, pieces.centres, MAX_PARTS, known.moving)
    if not len(odds):
        return group, 1.0
    together = group[contacts.pairs[:, 0]] == group[contacts.pairs[:, 1]]
    sure = 1 / (1 + np.exp(np.clip(np.where(together, -odds, odds), -50, 50)))
    return group, float(np.average(sure, weights=pieces.share[contacts.pairs[:, 0]] + 1e-9))


class Told(NamedTuple):
    """Pieces that stand, pieces that move, and pieces that were left free though whole pieces are held."""

    standing: Int[Array, " s"] = NONE
    moving: Int[Array, " m"] = NONE
    left: Int[Array, " l"] = NONE


def _told(shape: Shape, pieces: Pieces, hints: Hints) -> Told:
    """A piece stands if most of it is held, or more than of others; one that is held only at its foot, as a
    door on the floor, may yet move. Who holds whole pieces knows what stands, and left out what does not."""
    count = len(pieces.share)

    def share(mask: Bool[Array, " n"]) -> Float[Array, " c"]:
        return np.bincount(pieces.label, mask[shape.faces].mean(1) * face_areas(shape), count)

    area, held = share(np.ones(len(shape.vertices), bool)), share(hints.held)
    stands = np.flatnonzero(held > 0.5 * area)
    whole = (held[stands] > 0.99 * area[stands]).all() if len(stands) else False
    if not len(stands) and held.any():
        stands = np.array([held.argmax()])
    moves = NONE if hints.moved is None else np.unique(pieces.label[hints.moved[shape.faces].any(1)])
    return Told(stands, moves, np.flatnonzero(held == 0) if whole else NONE)


def _creased(shape: Shape, pieces: Pieces) -> Int[Array, " m"]:
    """The largest piece cut along creases; the others go with what they are nearest to."""
    main = pieces.label == 0
    largest = shape.with_(
        faces=shape.faces[main], part=np.zeros(main.sum(), np.int32), material=shape.material[main],
        part_names=(shape.name,), joints=None,
    )  # fmt: skip
    label = np.zeros(len(shape.faces), np.int32)
    label[main] = cut_along_creases(largest)
    if label.max() > 0 and not main.all():
        centres = shape.vertices[shape.faces].mean(axis=1)
        label[~main] = label[main][KDTree(centres[main]).query(centres[~main])[1]]
    return by_size(label, face_areas(shape))


def _numbered(label: Int[Array, " m"]) -> tuple[str, ...]:
    return tuple(f"part_{k + 1}" for k in range(int(label.max()) + 1))


def _copies(pieces: Pieces, group: Int[Array, " c"]) -> list[str]:
    """A note where parts are copies of each other: made of the same kinds of pieces."""
    made = {g: tuple(sorted(pieces.twins[group == g].tolist())) for g in np.unique(group)}
    times = Counter(made.values())
    return [f"{n} parts are copies of each other." for n in sorted(times.values(), reverse=True) if n > 1]


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
