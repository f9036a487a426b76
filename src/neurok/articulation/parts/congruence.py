"""Congruent pieces: copies of each other, moved or mirrored."""

from __future__ import annotations

import numpy as np
from jaxtyping import Float, Int

from neurok.articulation.parts.components import face_areas
from neurok.shapes.moments import shell_moments
from neurok.shapes.shape import Shape

Array = np.ndarray
SIZE_TOLERANCE = 0.01  # relative difference of area and lengths of copies


def principal_lengths(shape: Shape, label: Int[Array, " m"], count: int) -> Float[Array, "c 3"]:
    """√ of the eigenvalues of each piece's second moment of area per area, longest first, in radii."""
    corners = shape.normalisation.apply(shape.vertices)[shape.faces]
    order = np.argsort(label, kind="stable")
    starts = np.searchsorted(label[order], np.arange(count + 1))
    lengths = np.zeros((count, 3))
    for k in range(count):
        moments = shell_moments(corners[order[starts[k] : starts[k + 1]]])
        values = np.linalg.eigvalsh(moments.second / max(moments.measure, np.finfo(float).tiny))
        lengths[k] = np.sqrt(np.maximum(values[::-1], 0.0))
    return lengths


def congruence_classes(shape: Shape, label: Int[Array, " m"], count: int) -> Int[Array, " c"]:
    """A class per piece, shared by copies: equal numbers of faces, areas and principal lengths.

    All three are invariant to rigid motions and reflections.
    """
    area = np.bincount(label, face_areas(shape), count)
    signature = np.column_stack([np.sqrt(area) / shape.normalisation.radius,
                                 principal_lengths(shape, label, count)])  # fmt: skip
    faces = np.bincount(label, minlength=count)
    found = np.full(count, -1)
    for k in range(count):
        if found[k] < 0:
            same = np.abs(signature - signature[k]).max(axis=1) <= SIZE_TOLERANCE * signature[k].max() + 1e-9
            found[same & (faces == faces[k]) & (found < 0)] = k
    return np.unique(found, return_inverse=True)[1].ravel()
