"""Normals of solids with shared vertices: smooth across shallow edges, split at sharp ones."""

from __future__ import annotations

import numpy as np
from jaxtyping import Float

from neurok.shapes.normals import face_normals
from neurok.shapes.shape import Shape

Array = np.ndarray
CREASE_COSINE = np.cos(np.radians(38.0))  # faces that meet at a larger angle keep a sharp edge


def split_creases(shape: Shape) -> Shape:
    """The shape with one vertex per position and smooth group of faces around it.

    The normal at a corner is the area-weighted sum of the normals of those faces around its vertex that
    turn away from its own face by less than the crease angle. Corners whose normals agree are merged.
    """
    normals = corner_normals(shape)
    # Whole numbers of 1/512: corners of one smooth group sum the same faces, but in another order.
    key = np.column_stack([shape.faces.ravel(), np.round(normals * 512).astype(np.int64)])
    code = ((key[:, 0] * 1031 + key[:, 1] + 512) * 1031 + key[:, 2] + 512) * 1031 + key[:, 3] + 512
    _, first, corner = np.unique(code, return_index=True, return_inverse=True)
    return shape.with_(
        vertices=shape.vertices[shape.faces.ravel()[first]],
        faces=corner.reshape(-1, 3),
        normals=normals[first],
    )


def corner_normals(shape: Shape) -> Float[Array, "corners 3"]:
    """One unit normal for each corner of each face, in the order of `faces.ravel()`."""
    area = face_normals(shape.vertices, shape.faces)
    length = np.linalg.norm(area, axis=1, keepdims=True)
    unit = area / np.where(length > 0, length, 1.0)
    vertex = shape.faces.ravel()
    order = np.argsort(vertex, kind="stable")
    count = np.bincount(vertex, minlength=len(shape.vertices))
    start = np.cumsum(count) - count
    valence = count[vertex]
    corner = np.repeat(np.arange(len(vertex)), valence)
    step = np.arange(len(corner)) - np.repeat(np.cumsum(valence) - valence, valence)
    other = order[start[vertex[corner]] + step] // 3
    smooth = np.einsum("ij,ij->i", unit[corner // 3], unit[other]) > CREASE_COSINE
    total = np.stack(
        [np.bincount(corner, weights=area[other, k] * smooth, minlength=len(vertex)) for k in range(3)],
        axis=1,
    )
    size = np.linalg.norm(total, axis=1, keepdims=True)
    return np.where(size > 0, total / np.where(size > 0, size, 1.0), [0.0, 0.0, 1.0])
