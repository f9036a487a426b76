"""Rigid transforms in numpy: what descriptions write as positions, angles, axes and quaternions."""

from __future__ import annotations

import numpy as np
from jaxtyping import Float

Array = np.ndarray


def cross_matrix(v: Float[Array, "3"]) -> Float[Array, "3 3"]:
    """[v]ₓ, with [v]ₓ w = v × w."""
    x, y, z = v
    return np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])


def rotation_about(axis: Float[Array, "3"], angle: float) -> Float[Array, "3 3"]:
    """Rodrigues: I + sin θ [a]ₓ + (1 − cos θ) [a]ₓ² for a unit axis a."""
    k = cross_matrix(axis)
    return np.eye(3) + np.sin(angle) * k + (1 - np.cos(angle)) * (k @ k)


def rotation_rpy(rpy: Float[Array, "3"]) -> Float[Array, "3 3"]:
    """URDF's fixed-axis angles: R = R_z(yaw) R_y(pitch) R_x(roll)."""
    x, y, z = np.eye(3)
    return rotation_about(z, rpy[2]) @ rotation_about(y, rpy[1]) @ rotation_about(x, rpy[0])


def rotation_quaternion(wxyz: Float[Array, "4"]) -> Float[Array, "3 3"]:
    """The rotation of a quaternion (w, x, y, z) of any length but zero."""
    q = np.asarray(wxyz, np.float64) / np.linalg.norm(wxyz)
    k = cross_matrix(q[1:])
    return np.eye(3) + 2 * q[0] * k + 2 * (k @ k)


def pose(rotation: Float[Array, "3 3"], position: Float[Array, "3"]) -> Float[Array, "4 4"]:
    """x ↦ R x + p as a 4×4 matrix."""
    matrix = np.eye(4)
    matrix[:3, :3], matrix[:3, 3] = rotation, position
    return matrix


def inverse_pose(matrix: Float[Array, "4 4"]) -> Float[Array, "4 4"]:
    """x ↦ Rᵀ (x − p)."""
    rotation = matrix[:3, :3].T
    return pose(rotation, -rotation @ matrix[:3, 3])


def plane_axes(normal: Float[Array, "3"]) -> Float[Array, "3 2"]:
    """Two directions that span a plane: x and y after the shortest turn that takes z to the normal."""
    a, b, c = normal / np.linalg.norm(normal)
    if c < -1 + 1e-12:  # straight down: half a turn about x
        return np.array([[1.0, 0.0], [0.0, -1.0], [0.0, 0.0]])
    s = 1 / (1 + c)
    return np.array([[1 - a * a * s, -a * b * s], [-a * b * s, 1 - b * b * s], [-a, -b]])
