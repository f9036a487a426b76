"""`find_parts`: rigid parts of a shape, from labels, from names in the file, or from its surface."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Literal

import numpy as np
from jaxtyping import Int

from neurok.articulation.parts.affinity import log_odds
from neurok.articulation.parts.components import by_size
from neurok.articulation.parts.division import divided
from neurok.articulation.parts.fragments import find_fragments
from neurok.articulation.parts.grouping import absorb_small, contract, with_hints
from neurok.articulation.parts.hints import Hints, piece_hints
from neurok.articulation.parts.patch_features import Patches, read_patches
from neurok.articulation.parts.patch_scores import likelihood, score_patches
from neurok.articulation.parts.seams import smoothed
from neurok.errors import InputError
from neurok.shapes.seams import separate_parts
from neurok.shapes.shape import Shape, unique_names

Array = np.ndarray
PartsSource = Literal["labels", "file", "components", "surface", "push", "one part"]

MAX_PARTS = 30
CUT_CONFIDENCE = 1.3, -0.5  # of a cut piece: Rand index ≈ 1.3 · likelihood − 0.5; validation scans

CUT_NOTE = "A connected surface is cut where parts seem to meet: check the parts before you use them."


@dataclass(frozen=True, eq=False)
class Parts:
    """A shape divided into rigid parts, without joints, and the source of the parts."""

    shape: Shape
    source: PartsSource
    confidence: float  # 0 … 1: that the parts are rigid bodies
    notes: tuple[str, ...] = ()


def find_parts(
    shape: Shape,
    labels: Int[Array, " m"] | None = None,
    merge_threshold: float = 0.0,
    hints: Hints | None = None,
) -> Parts:
    """Parts of a shape: from `labels`, else from the part names of the file, else from its surface.

    Labels and names are kept, also where one of them has several loose pieces. Without either, the surface is
    divided and its pieces are merged into at most MAX_PARTS parts: two pieces are merged if the log-odds that
    they are one part exceed `merge_threshold`. `hints` change these odds.
    """
    if labels is not None:
        return _labelled(shape, labels)
    used = np.unique(shape.part)
    if len(used) > 1:
        return _parts(shape, shape.part, shape.part_names, "file", 1.0)
    return found_parts(shape, merge_threshold, hints)


def found_parts(shape: Shape, merge_threshold: float = 0.0, hints: Hints | None = None) -> Parts:
    """Parts of a shape by its surface alone, without part names.

    Loose pieces that consist of several bodies are divided. The resulting fragments are merged where they are
    likelier one rigid body than two.
    """
    if not len(shape.faces):
        raise InputError(shape.name, "has no faces, so it has no parts", "Give a mesh with triangles")
    if not shape.area > 0:
        note = "The surface has no area: it is treated as one part."
        return _parts(shape, np.zeros(len(shape.faces), int), shape.part_names, "one part", 0.0, note)
    patches = read_patches(shape)
    group, confidence = grouped_patches(shape, patches, merge_threshold, hints)
    label = by_size(smoothed(group[patches.label], patches.graph), patches.graph.area)
    if label.max() == 0:
        note = "No part of the surface seems to move against the rest: it is treated as one part."
        return _parts(shape, label, (shape.part_names[0],), "one part", confidence, note)
    cut = _cut_share(label, patches)
    if cut > 0:
        slope, offset = CUT_CONFIDENCE
        sure = (1 - cut) * confidence + cut * min(max(slope * confidence + offset, 0.0), 1.0)
        return _parts(shape, label, _numbered(label), "surface", sure, CUT_NOTE)
    return _parts(shape, label, _numbered(label), "components", confidence, *_copies(patches, label))


def _cut_share(label: Int[Array, " m"], patches: Patches) -> float:
    """Share of the area that is in loose pieces with several labels."""
    pieces, count = patches.pieces, len(patches.pieces.share)
    owners = np.unique(np.stack([pieces.label, label]), axis=1)[0]
    return float(pieces.share[np.bincount(owners, minlength=count) > 1].sum())


def grouped_patches(
    shape: Shape, patches: Patches, merge_threshold: float = 0.0, hints: Hints | None = None
) -> tuple[Int[Array, " n"], float]:
    """Group of each patch, and the confidence in the grouping: the mean probability of its decisions."""
    scores = score_patches(patches)
    cut = divided(patches, scores, piece_hints(shape, patches.label, hints))
    found = find_fragments(patches, cut, scores, log_odds(shape, patches.pieces))
    known = piece_hints(shape, cut[patches.label], hints)
    pairs, odds = with_hints(found.contacts.pairs, found.odds - merge_threshold, *known)
    joined = contract(len(found.share), pairs, odds)
    group = absorb_small(
        joined, found.share, found.contacts, found.odds, found.centres, MAX_PARTS, known.moving
    )[cut]
    return group, likelihood(group, scores)


def _numbered(label: Int[Array, " m"]) -> tuple[str, ...]:
    return tuple(f"part_{k + 1}" for k in range(int(label.max()) + 1))


def _copies(patches: Patches, label: Int[Array, " m"]) -> list[str]:
    """A note for parts that are copies of each other: made of the same classes of loose pieces."""
    pieces = patches.pieces
    part = np.zeros(len(pieces.share), np.int64)
    part[pieces.label] = label
    made = {g: tuple(sorted(pieces.twins[part == g].tolist())) for g in np.unique(part)}
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


def cut_parts(shape: Shape, label: Int[Array, " m"], names: tuple[str, ...], confidence: float) -> Parts:
    """A surface that a push cuts into parts with these labels and names."""
    return _parts(shape, label, names, "push", confidence, CUT_NOTE)


def _parts(shape: Shape, label, names, source: PartsSource, confidence: float, *notes: str) -> Parts:
    """The shape with these labels, numbered without gaps, with seams doubled and joints dropped."""
    used, part = np.unique(label, return_inverse=True)
    named = shape.with_(
        part=part.ravel(), part_names=tuple(names[k] for k in used) or shape.part_names, joints=None
    )
    separate = separate_parts(named)
    return Parts(separate, source, confidence, notes)
