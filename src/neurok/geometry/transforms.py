"""Rigid transforms as matrices: poses (4×4) and maps [R | t] (3×4)."""

from __future__ import annotations

import numpy as np
from jaxtyping import Float

from neurok.geometry.arrays import Array, namespace


def pose(rotation: Float[np.ndarray, "3 3"], position: Float[np.ndarray, "3"]) -> Float[np.ndarray, "4 4"]:
    """x ↦ R x + p as a 4×4 matrix."""
    matrix = np.eye(4)
    matrix[:3, :3], matrix[:3, 3] = rotation, position
    return matrix


def inverse_pose(matrix: Float[Array, "*batch 4 4"]) -> Float[Array, "*batch 4 4"]:
    """x ↦ Rᵀ (x − p): [R p]⁻¹ = [Rᵀ −Rᵀp]."""
    xp, turned = namespace(matrix), matrix[..., :3, :3].mT
    top = xp.concatenate([turned, -(turned @ matrix[..., :3, 3:])], -1)
    return xp.concatenate([top, matrix[..., 3:, :]], -2)


def apply_map(
    maps: Float[Array, "*#batch 3 4"], points: Float[Array, "*#batch 3"]
) -> Float[Array, "*batch 3"]:
    """R x + t."""
    return (maps[..., :3] @ points[..., None])[..., 0] + maps[..., 3]


def map_about(
    maps: Float[Array, "*#batch 3 4"], centre: Float[Array, "*#batch 3"]
) -> Float[Array, "*batch 3 4"]:
    """The same motion with its origin moved from 0 to `centre`: x ↦ R (x − c) + c + t."""
    shift = maps[..., 3] + centre - (maps[..., :3] @ centre[..., None])[..., 0]
    return namespace(maps).concatenate([maps[..., :3], shift[..., None]], -1)


def map_between(
    first: Float[Array, "*#batch 3 4"], second: Float[Array, "*#batch 3 4"]
) -> Float[Array, "*batch 3 4"]:
    """B A⁻¹ of rigid maps: it takes a point that A has moved to where B moves it."""
    turn = second[..., :3] @ first[..., :3].mT
    shift = second[..., 3] - (turn @ first[..., 3, None])[..., 0]
    return namespace(first).concatenate([turn, shift[..., None]], -1)
