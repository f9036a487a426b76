"""Samples points of a moved surface at a cost independent of its number of faces."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from jaxtyping import Bool, Float, Int

Array = np.ndarray
CANDIDATES_PER_SAMPLE = 2  # faces evaluated per sample; a mesh with fewer faces is evaluated entirely


@dataclass(frozen=True, eq=False)
class Samples:
    """Surface points as barycentric combinations of face corners."""

    corner: Int[Array, "s 3"]  # vertex indices
    weights: Float[Array, "s 3"]
    face: Int[Array, " s"]
    normal: Float[Array, "s 3"]  # unit

    def of(self, values: Float[Array, "n c"]) -> Float[Array, "s c"]:
        """Interpolated values Σ_k w_k v_k over the corners k."""
        return np.einsum("ski,sk->si", values[self.corner], self.weights)


def draw_samples(
    vertices: Float[Array, "n 3"],
    faces: Int[Array, "m 3"],
    rest_area: Float[Array, " m"],
    points: int,
    rng: np.random.Generator,
    kept: Bool[Array, " m"] | None = None,
) -> Samples:
    """Points distributed uniformly by area over the moved faces (over `kept` if given), in random order.

    Because of the random order, any subset is again a uniform sample. A mesh of more than 2 · `points` faces
    is sampled in two rounds: 2 · `points` faces by their area at rest, then among them by the growth of that
    area. Motion hardly stretches a surface, so the second round changes little, and only the candidate
    faces are evaluated.
    """
    area = rest_area if kept is None else rest_area * kept
    if len(faces) <= CANDIDATES_PER_SAMPLE * points:
        candidate = np.flatnonzero(kept) if kept is not None else np.arange(len(faces))
        weight = np.ones(len(candidate), np.float32)
    else:
        candidate = systematic(area, CANDIDATES_PER_SAMPLE * points, rng)
        weight = 1 / np.maximum(area[candidate], np.float32(1e-30))
    normal, moved_area = _normals(vertices, faces[candidate])
    chosen = rng.permutation(systematic(moved_area * weight, points, rng))
    root, v = np.sqrt(rng.random(points, np.float32)), rng.random(points, np.float32)
    face = candidate[chosen]
    unit = normal[chosen] / np.maximum(moved_area[chosen, None], np.float32(1e-30))
    return Samples(faces[face], np.stack([1 - root, root * (1 - v), root * v], axis=1), face, unit)


def systematic(weight: Float[Array, " m"], draws: int, rng: np.random.Generator) -> Int[Array, " draws"]:
    """Sorted indices in proportion to their weight: i occurs draws · w_i / Σ w times, up to one."""
    total = np.cumsum(weight, dtype=np.float64)
    if not total[-1] > 0:  # a frame without area is sampled uniformly over its faces
        total = np.arange(1.0, len(weight) + 1)
    place = (np.arange(draws) + rng.random(draws)) * (total[-1] / draws)
    return np.minimum(np.searchsorted(total, place, side="right"), len(weight) - 1)


def face_areas(vertices: Float[Array, "n 3"], faces: Int[Array, "m 3"]) -> Float[Array, " m"]:
    """Area of every face, float32."""
    return (_normals(vertices, faces)[1] / 2).astype(np.float32)


def _normals(
    vertices: Float[Array, "n 3"], faces: Int[Array, "m 3"]
) -> tuple[Float[Array, "m 3"], Float[Array, " m"]]:
    """Normal (b − a) × (c − a) of every face, and its length, which is twice the area."""
    a, b, c = (vertices[faces[:, k]] for k in range(3))
    (x, y, z), (u, v, w) = (b - a).T, (c - a).T
    normal = np.stack([y * w - z * v, z * u - x * w, x * v - y * u], axis=1)
    return normal, np.sqrt(np.einsum("mi,mi->m", normal, normal))
