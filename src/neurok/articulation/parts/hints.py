"""Evidence of pins and pushes for the pieces or patches of a surface."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from jaxtyping import Bool, Float, Int

from neurok.articulation.parts.components import face_areas
from neurok.articulation.parts.grouping import NO_PIECES, PieceHints
from neurok.shapes.shape import Shape

Array = np.ndarray


@dataclass(frozen=True, eq=False)
class Hints:
    """Vertices that are pinned, and vertices on which a push or drag acts."""

    pinned: Bool[Array, " n"]
    moved: Bool[Array, " n"] | None = None


def piece_hints(shape: Shape, label: Int[Array, " m"], hints: Hints | None) -> PieceHints:
    """Hints for the pieces that `label` numbers.

    A piece stands if most of its area is pinned, or if it has the largest pinned area. A piece that is pinned
    only at its foot, such as a door on the floor, may move. If entire pieces are pinned, unpinned pieces are
    assumed to move.
    """
    if hints is None:
        return PieceHints()
    count = int(label.max()) + 1

    def share(mask: Bool[Array, " n"]) -> Float[Array, " c"]:
        return np.bincount(label, mask[shape.faces].mean(1) * face_areas(shape), count)

    area, pinned = share(np.ones(len(shape.vertices), bool)), share(hints.pinned)
    stands = np.flatnonzero(pinned > 0.5 * area)
    whole = (pinned[stands] > 0.99 * area[stands]).all() if len(stands) else False
    if not len(stands) and pinned.any():
        stands = np.array([pinned.argmax()])
    moves = NO_PIECES if hints.moved is None else np.unique(label[hints.moved[shape.faces].any(1)])
    return PieceHints(stands, moves, np.flatnonzero(pinned == 0) if whole else NO_PIECES)
