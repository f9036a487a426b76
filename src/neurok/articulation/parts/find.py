"""`find_parts`: rigid parts of a shape, from labels, from names in the file, or from its surface."""

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
from neurok.articulation.parts.grouping import (
    NO_PIECES,
    absorb_small,
    averaged_over_copies,
    contract,
    with_hints,
)
from neurok.articulation.parts.pieces import Pieces, find_pieces
from neurok.errors import InputError
from neurok.shapes.seams import separate_parts
from neurok.shapes.shape import Shape, unique_names

Array = np.ndarray
PartsSource = Literal["labels", "file", "components", "creases", "one part"]

MAX_PARTS = 30
CREASE_CONFIDENCE = 0.3  # in parts cut along creases
UNCUT_CONFIDENCE = 0.2  # in a fused surface without a clear crease


@dataclass(frozen=True, eq=False)
class Parts:
    """A shape divided into rigid parts, without joints, and the source of the parts."""

    shape: Shape
    source: PartsSource
    confidence: float  # 0 … 1: that the parts are rigid bodies
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False)
class Hints:
    """Vertices that are pinned, and vertices on which a push or drag acts."""

    pinned: Bool[Array, " n"]
    moved: Bool[Array, " n"] | None = None


def find_parts(
    shape: Shape,
    labels: Int[Array, " m"] | None = None,
    merge_threshold: float = 0.0,
    hints: Hints | None = None,
) -> Parts:
    """Parts of a shape: from `labels`, else from the part names of the file, else from its surface.

    Labels and names are kept, also where one of them has several loose pieces. Without either, loose pieces
    are merged into at most MAX_PARTS parts: two pieces are merged if the log-odds that they are one part
    exceed `merge_threshold`. `hints` change these odds.
    """
    if labels is not None:
        return _labelled(shape, labels)
    used = np.unique(shape.part)
    if len(used) > 1:
        return _parts(shape, shape.part, shape.part_names, "file", 1.0)
    return found_parts(shape, merge_threshold, hints)


def found_parts(shape: Shape, merge_threshold: float = 0.0, hints: Hints | None = None) -> Parts:
    """Parts of a shape by its surface alone, without part names.

    Loose pieces are grouped. If they form one group, its largest piece is cut along concave creases.
    """
    if not len(shape.faces):
        raise InputError(shape.name, "has no faces, so it has no parts", "Give a mesh with triangles")
    pieces = find_pieces(shape)
    group, confidence = grouped(shape, pieces, merge_threshold, hints)
    label = by_size(group[pieces.label], face_areas(shape))
    if label.max() > 0:
        return _parts(shape, label, _numbered(label), "components", confidence, *_copies(pieces, group))
    label = _creased(shape, pieces)
    if label.max() > 0:
        note = "The surface is one piece, cut along its concave creases: check the parts before you use them."
        return _parts(shape, label, _numbered(label), "creases", CREASE_CONFIDENCE, note)
    note = "The surface is one piece without a clear crease: it is treated as one part."
    return _parts(shape, label, (shape.part_names[0],), "one part", UNCUT_CONFIDENCE, note)


def grouped(
    shape: Shape, pieces: Pieces, merge_threshold: float = 0.0, hints: Hints | None = None
) -> tuple[Int[Array, " c"], float]:
    """Group of each loose piece, and the confidence in the grouping.

    The confidence is the mean probability of the decisions for neighbouring pieces, weighted by the smaller
    piece's area.
    """
    contacts = pieces.contacts
    odds = averaged_over_copies(contacts, log_odds(shape, pieces), pieces.twins)
    known = PieceHints() if hints is None else _piece_hints(shape, pieces, hints)
    joined = contract(len(pieces.share), *with_hints(contacts.pairs, odds - merge_threshold, *known))
    group = absorb_small(joined, pieces.share, contacts, odds, pieces.centres, MAX_PARTS, known.moving)
    if not len(odds):
        return group, 1.0
    together = group[contacts.pairs[:, 0]] == group[contacts.pairs[:, 1]]
    sure = 1 / (1 + np.exp(np.clip(np.where(together, -odds, odds), -50, 50)))
    return group, float(np.average(sure, weights=pieces.share[contacts.pairs[:, 0]] + 1e-9))


class PieceHints(NamedTuple):
    """Pieces that stand, pieces that move, and pieces left unpinned although entire pieces are pinned."""

    standing: Int[Array, " s"] = NO_PIECES
    moving: Int[Array, " m"] = NO_PIECES
    unpinned: Int[Array, " l"] = NO_PIECES


def _piece_hints(shape: Shape, pieces: Pieces, hints: Hints) -> PieceHints:
    """A piece stands if most of its area is pinned, or if it has the largest pinned area. A piece that is
    pinned only at its foot, such as a door on the floor, may move. If entire pieces are pinned, unpinned
    pieces are assumed to move."""
    count = len(pieces.share)

    def share(mask: Bool[Array, " n"]) -> Float[Array, " c"]:
        return np.bincount(pieces.label, mask[shape.faces].mean(1) * face_areas(shape), count)

    area, pinned = share(np.ones(len(shape.vertices), bool)), share(hints.pinned)
    stands = np.flatnonzero(pinned > 0.5 * area)
    whole = (pinned[stands] > 0.99 * area[stands]).all() if len(stands) else False
    if not len(stands) and pinned.any():
        stands = np.array([pinned.argmax()])
    moves = NO_PIECES if hints.moved is None else np.unique(pieces.label[hints.moved[shape.faces].any(1)])
    return PieceHints(stands, moves, np.flatnonzero(pinned == 0) if whole else NO_PIECES)


def _creased(shape: Shape, pieces: Pieces) -> Int[Array, " m"]:
    """The largest piece cut along creases; other pieces join the nearest part."""
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
    """A note for parts that are copies of each other: made of the same classes of pieces."""
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
    """The shape with these labels, numbered without gaps, with seams doubled and joints dropped."""
    used, part = np.unique(label, return_inverse=True)
    named = shape.with_(
        part=part.ravel(), part_names=tuple(names[k] for k in used) or shape.part_names, joints=None
    )
    separate = separate_parts(named)
    return Parts(separate, source, confidence, notes)
