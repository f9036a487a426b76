"""Rigid motions as unit dual quaternions.

q = r + ε d with |r| = 1 and r · d = 0 is the motion x ↦ R(r) x + t with t = 2 d r* (vector part). (r, d) and
(−r, −d) are the same motion.
"""

from __future__ import annotations

from jaxtyping import Float

from neurok.geometry.arrays import Array, like, namespace
from neurok.geometry.quaternions import quaternion_conjugate, quaternion_multiply, quaternion_to_matrix

MIN_SQUARE = 1e-12  # added to |r|² so that the quotient by |r| has a finite slope everywhere


def dual_from_residual(residual: Float[Array, "*batch 8"]) -> Float[Array, "*batch 8"]:
    """The unit dual quaternion nearest to identity + residual."""
    return normalised_dual(residual + like(residual, [1, 0, 0, 0, 0, 0, 0, 0]))


def normalised_dual(dual: Float[Array, "*batch 8"]) -> Float[Array, "*batch 8"]:
    """r/|r|, and d/|r| without its share along r."""
    xp, real, moment = namespace(dual), dual[..., :4], dual[..., 4:]
    length = xp.sqrt((real * real).sum(-1)[..., None] + MIN_SQUARE)
    real, moment = real / length, moment / length
    return xp.concatenate([real, moment - (real * moment).sum(-1)[..., None] * real], -1)


def dual_from_motion(
    rotation: Float[Array, "*batch 4"], translation: Float[Array, "*batch 3"]
) -> Float[Array, "*batch 8"]:
    """r and d = ½ t r of the motion x ↦ R(r) x + t."""
    xp = namespace(rotation)
    pure = xp.concatenate([xp.zeros_like(translation[..., :1]), translation], -1)
    return xp.concatenate([rotation, 0.5 * quaternion_multiply(pure, rotation)], -1)


def dual_to_map(dual: Float[Array, "*batch 8"]) -> Float[Array, "*batch 3 4"]:
    """[R | t]."""
    real, moment = dual[..., :4], dual[..., 4:]
    shift = 2 * quaternion_multiply(moment, quaternion_conjugate(real))[..., 1:]
    return namespace(dual).concatenate([quaternion_to_matrix(real), shift[..., None]], -1)
