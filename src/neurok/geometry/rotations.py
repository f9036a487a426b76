"""Rotation matrices: the exponential map of SO(3) and its inverse, axis and angle, frames."""

from __future__ import annotations

import numpy as np
from jaxtyping import Float

from neurok.geometry.arrays import Array, is_tensor, like, namespace
from neurok.geometry.quaternions import quaternion_from_matrix, quaternion_log
from neurok.geometry.stumpff import stumpff

STRAIGHT_DOWN = -1 + 1e-12  # cosine of the angle to +z below which a normal counts as −z
GIMBAL_LOCK = 1e-7  # cosine of the pitch below which roll and yaw are one angle


def skew(v: Float[Array, "*batch 3"]) -> Float[Array, "*batch 3 3"]:
    """[v]ₓ, with [v]ₓ w = v × w."""
    x, y, z = v[..., 0], v[..., 1], v[..., 2]
    zero = namespace(v).zeros_like(x)
    rows = [zero, -z, y, z, zero, -x, -y, x, zero]
    return namespace(v).stack(rows, -1).reshape(*v.shape[:-1], 3, 3)


def vee(matrix: Float[Array, "*batch 3 3"]) -> Float[Array, "*batch 3"]:
    """v of the antisymmetric part [v]ₓ = (A − Aᵀ) / 2: the inverse of `skew`."""
    columns = [matrix[..., i, j] - matrix[..., j, i] for i, j in ((2, 1), (0, 2), (1, 0))]
    return 0.5 * namespace(matrix).stack(columns, -1)


def exp_so3(r: Float[Array, "*batch 3"]) -> Float[Array, "*batch 3 3"]:
    """The rotation of a rotation vector: exp [r]ₓ = 1 + C_1 [r]ₓ + C_2 [r]ₓ², Stumpff's functions of |r|².

    Tensors get derivatives of any order, at r = 0 too.
    """
    c1, c2, _ = stumpff((r * r).sum(-1))
    k = skew(r)
    return _identity(r) + c1[..., None, None] * k + c2[..., None, None] * (k @ k)


def log_so3(matrix: Float[Array, "*batch 3 3"]) -> Float[Array, "*batch 3"]:
    """The rotation vector of a rotation, of length at most π, by way of the unit quaternion."""
    return quaternion_log(quaternion_from_matrix(matrix))


def rotation_about(
    axis: Float[Array, "*#batch 3"], angle: Float[Array, "*#batch"] | float
) -> Float[Array, "*batch 3 3"]:
    """Rodrigues: 1 + sin θ [a]ₓ + (1 − cos θ) [a]ₓ² for unit axes a; axes and angles are broadcast."""
    xp, k = namespace(axis), skew(axis)
    angle = like(axis, angle) if is_tensor(axis) and not is_tensor(angle) else angle
    sine, cosine = xp.sin(angle)[..., None, None], xp.cos(angle)[..., None, None]
    return _identity(axis) + sine * k + (1 - cosine) * (k @ k)


def rotation_about_y(angle: Float[Array, "*batch"] | float) -> Float[Array, "*batch 3 3"]:
    """The turn about +Y, from +Z towards +X: sine and cosine appear in it unrounded."""
    angle = angle if is_tensor(angle) else np.asarray(angle)
    xp = namespace(angle)
    c, s = xp.cos(angle), xp.sin(angle)
    zero, one = xp.zeros_like(c), xp.ones_like(c)
    return xp.stack([c, zero, s, zero, one, zero, -s, zero, c], -1).reshape(*c.shape, 3, 3)


def rpy_to_matrix(rpy: Float[np.ndarray, "3"]) -> Float[np.ndarray, "3 3"]:
    """URDF's fixed-axis angles: R = R_z(yaw) R_y(pitch) R_x(roll)."""
    x, y, z = np.eye(3)
    return rotation_about(z, rpy[2]) @ rotation_about(y, rpy[1]) @ rotation_about(x, rpy[0])


def matrix_to_rpy(rotation: Float[np.ndarray, "3 3"]) -> tuple[float, float, float]:
    """Roll, pitch and yaw of a rotation. Yaw is 0 at pitch ±90°."""
    across = np.hypot(rotation[0, 0], rotation[1, 0])
    pitch = float(np.arctan2(-rotation[2, 0], across))
    if across < GIMBAL_LOCK:
        return float(np.arctan2(-rotation[1, 2], rotation[1, 1])), pitch, 0.0
    roll, yaw = np.arctan2(rotation[2, 1], rotation[2, 2]), np.arctan2(rotation[1, 0], rotation[0, 0])
    return float(roll), pitch, float(yaw)


def perpendicular_axes(axis: Float[np.ndarray, "3"]) -> Float[np.ndarray, "2 3"]:
    """Two unit rows x, y that complete a unit axis z to a right-handed frame.

    x is perpendicular to the coordinate axis with the largest angle to z.
    """
    first = np.cross(axis, np.eye(3)[np.argmin(np.abs(axis))])
    first /= np.linalg.norm(first)
    return np.stack([first, np.cross(axis, first)])


def plane_axes(normal: Float[np.ndarray, "3"]) -> Float[np.ndarray, "3 2"]:
    """Two columns that span a plane: x and y after the shortest turn that takes z to the normal."""
    a, b, c = normal / np.linalg.norm(normal)
    if c < STRAIGHT_DOWN:  # half a turn about x
        return np.array([[1.0, 0.0], [0.0, -1.0], [0.0, 0.0]])
    s = 1 / (1 + c)
    return np.array([[1 - a * a * s, -a * b * s], [-a * b * s, 1 - b * b * s], [-a, -b]])


def _identity(array: Array) -> Float[Array, "3 3"]:
    return namespace(array).eye(3, dtype=array.dtype, device=array.device)
