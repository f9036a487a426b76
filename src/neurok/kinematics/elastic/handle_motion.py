"""Handle motions as modes: displacements, modal mass and amplitude."""

from __future__ import annotations

import numpy as np
from jaxtyping import Float, Int

from neurok.geometry.rotations import skew
from neurok.kinematics.elastic.skinning_fit import Blend

Array = np.ndarray
TRAVEL = 0.15  # largest displacement of a vertex at |q_i| = 1, in radii
TURN = 0.4  # largest rotation of a handle at |q_i| = 1, in radians
STRETCH = 0.15  # largest strain of a handle at |q_i| = 1
MISFIT = 0.5  # largest error of a mode that the handles reproduce, relative to its amplitude


def moved(blend: Blend, motion: Float[Array, "h 4 3 m"]) -> Float[Array, "g 3 m"]:
    """Displacement of every point, per mode."""
    return (blend.matrix @ motion.reshape(4 * len(motion), -1)).reshape(len(blend.points), 3, -1)


def well_shown(
    body: Blend, motion: Float[Array, "h 4 3 m"], field: Float[Array, "g 3 m"]
) -> Int[Array, " s"]:
    """The modes that the handles reproduce; details finer than the handles are left out."""
    missed = np.einsum("gxm,g->m", (moved(body, motion) - field) ** 2, body.mass) ** 0.5
    shown = np.flatnonzero(missed < MISFIT)
    return shown if len(shown) else missed.argmin(keepdims=True)


def orthonormal(body: Blend, motion: Float[Array, "h 4 3 m"], anchored: bool) -> Float[Array, "h 4 3 m"]:
    """The nearest motions with Jᵀ m J = I (Löwdin: J (Jᵀ m J)^−½) and, of a free body, without momentum."""
    if not anchored:
        motion = _without_momentum(body, motion)
    field = moved(body, motion)
    mass = np.einsum("gxk,g,gxl->kl", field, body.mass, field)
    value, vector = np.linalg.eigh(mass)
    return motion @ (vector / np.sqrt(value) @ vector.T)


def _without_momentum(body: Blend, motion: Float[Array, "h 4 3 m"]) -> Float[Array, "h 4 3 m"]:
    """Removes the rigid motion a + w × X with the momentum of each mode; handles blend it exactly."""
    eye = np.eye(3)
    spin = skew(eye).mT  # (w, row of Gᵀ, axis)
    rigid = np.zeros((len(motion), 4, 3, 6))
    rigid[:, 3, :, :3] = eye
    for k in range(3):
        rigid[:, :3, :, 3 + k] = spin[k]
        rigid[:, 3, :, 3 + k] = np.cross(eye[k], body.centres)
    field, free = moved(body, motion), moved(body, rigid)
    inertia = np.einsum("gxk,g,gxl->kl", free, body.mass, free)
    momentum = np.einsum("gxk,g,gxl->kl", free, body.mass, field)
    return motion - rigid @ np.linalg.solve(inertia, momentum)


def amplitudes(seen: Blend, motion: Float[Array, "h 4 3 m"], radius: float) -> Float[Array, " m"]:
    """Factor of each mode with which |q| = 1 is the largest motion within all three limits."""
    travel = np.linalg.norm(moved(seen, motion), axis=1).max(0) / (TRAVEL * radius)
    gradient = motion[:, :3]
    skew = np.linalg.norm(gradient - gradient.transpose(0, 2, 1, 3), axis=(1, 2)).max(0) / (TURN * 8**0.5)
    strain = (gradient + gradient.transpose(0, 2, 1, 3)).transpose(0, 3, 1, 2) / 2
    stretch = np.abs(np.linalg.eigvalsh(strain)).max((0, 2)) / STRETCH
    return 1 / np.maximum(np.maximum(travel, skew), stretch)
