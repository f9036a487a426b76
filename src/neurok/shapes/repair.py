"""Checks loaded shapes and repairs them on request; every repair is noted."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from jaxtyping import Bool

from neurok.errors import InputError
from neurok.shapes.shape import Shape

Array = np.ndarray
MAX_COORDINATE = 1e15  # keeps sums of squares of coordinates within single precision


def checked(shape: Shape, source: str | Path, repair: bool = False) -> Shape:
    """The shape with finite vertices and valid face indices.

    Faces that repeat a vertex have no area in any pose and are always dropped, with a note. Faces that use
    NaN, infinite or missing vertices are dropped only if `repair` is set, and refused otherwise.
    """
    notes = list(shape.notes)
    n = len(shape.vertices)
    bad = np.logical_not((np.abs(shape.vertices) < MAX_COORDINATE).all(axis=1))  # also true for NaN
    in_range: Bool[Array, " m"] = np.all((shape.faces >= 0) & (shape.faces < n), axis=1)  # type: ignore[assignment]
    usable = in_range.copy()
    usable[in_range] = ~bad[shape.faces[in_range]].any(axis=1)
    if not in_range.all():
        first = int(np.argmin(in_range))
        _refuse_or_note(
            repair, notes, source,
            f"{(~in_range).sum():,} faces use vertices that do not exist (first: face {first})",
        )  # fmt: skip
    if bad.any():
        _refuse_or_note(
            repair, notes, source,
            f"{bad.sum():,} vertices are NaN, infinite or beyond 1e15 (first: {int(np.argmax(bad))})",
        )  # fmt: skip
    a, b, c = shape.faces.T
    repeats = (a == b) | (b == c) | (c == a)
    if (repeats & usable).any():
        notes.append(f"dropped {(repeats & usable).sum():,} faces that repeat a vertex")
    keep = usable & ~repeats
    if not keep.any():
        raise InputError(
            source, "has no face of three distinct, finite vertices", "Export it again as a surface"
        )
    vertices = np.where(bad[:, None], 0.0, shape.vertices) if bad.any() else shape.vertices
    if keep.all() and not bad.any():
        return shape.with_(notes=tuple(notes))
    return shape.with_(
        vertices=vertices,
        faces=shape.faces[keep],
        part=shape.part[keep],
        material=shape.material[keep],
        notes=tuple(notes),
    )


def _refuse_or_note(repair: bool, notes: list[str], source: str | Path, problem: str) -> None:
    if not repair:
        raise InputError(
            source, problem, "Repair with --repair (drops the faces that use them), or fix the export"
        )
    notes.append(f"repaired: {problem}; dropped the faces that use them")
