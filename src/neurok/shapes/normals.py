"""Face, vertex and shading normals of a surface at rest and in motion."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from jaxtyping import Float, Int
from scipy import sparse

if TYPE_CHECKING:
    from neurok.shapes.shape import Shape

Array = np.ndarray


def face_normals(vertices: Float[Array, "n 3"], faces: Int[Array, "m 3"]) -> Float[Array, "m 3"]:
    """Unnormalised face normals (b − a) × (c − a), whose length is twice the area."""
    a, b, c = (vertices[faces[:, k]] for k in range(3))
    with np.errstate(over="ignore", invalid="ignore"):  # huge coordinates give normals that are not finite
        return np.cross(b - a, c - a)


def unit_face_normals(vertices: Float[Array, "n 3"], faces: Int[Array, "m 3"]) -> Float[Array, "m 3"]:
    """Face normals of length 1; 0 where a face has no area."""
    normals = face_normals(vertices, faces)
    return normals / np.maximum(np.linalg.norm(normals, axis=1, keepdims=True), 1e-30)


def vertex_normals(vertices: Float[Array, "n 3"], faces: Int[Array, "m 3"]) -> Float[Array, "n 3"]:
    """Area-weighted unit normals; z where the sum is zero."""
    return _gather(face_normals(vertices, faces), faces, np.arange(len(vertices)))


def smoothing_groups(shape: Shape) -> Int[Array, " n"]:
    """The smoothing group of each vertex: equal positions, and rest normals that agree to about 2°."""
    assert shape.normals is not None
    key = np.column_stack([shape.surface.of_vertex, np.round(shape.normals * 32).astype(np.int64)])
    return np.unique(key, axis=0, return_inverse=True)[1]


def shading_normals(
    shape: Shape, positions: Float[Array, "n 3"], groups: Int[Array, " n"] | None = None
) -> Float[Array, "n 3"]:
    """Normals of the moved shape, smooth or creased as at rest.

    Vertices of one smoothing group share one normal. Callers with many frames compute `groups` once.
    """
    groups = smoothing_groups(shape) if groups is None else groups
    return _gather(face_normals(positions, shape.faces), shape.faces, groups)


def _gather(normals: Array, faces: Array, group: Array) -> Float[Array, "n 3"]:
    """Sums face normals over each group of vertices and normalises the sums."""
    m = len(faces)
    corner_of_group = sparse.csr_matrix(
        (np.ones(3 * m), (group[faces.ravel()], np.repeat(np.arange(m), 3))),
        shape=(int(group.max(initial=-1)) + 1, m),
    )
    with np.errstate(over="ignore", invalid="ignore"):
        total = (corner_of_group @ normals)[group]
        length = np.linalg.norm(total, axis=1, keepdims=True)
    directed = (length > 0) & np.isfinite(length)
    unit = np.divide(total, length, out=np.tile([0.0, 0.0, 1.0], (len(total), 1)), where=directed)
    return unit.astype(np.float32)
