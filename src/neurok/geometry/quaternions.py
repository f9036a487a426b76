"""Unit quaternions (w, x, y, z) in numpy. q and −q are the same rotation: ours have w ≥ 0."""

from __future__ import annotations

import numpy as np
from jaxtyping import Float

Array = np.ndarray


def canonical(q: Float[Array, "*batch 4"]) -> Float[Array, "*batch 4"]:
    """Of q and −q the one with w ≥ 0; at half a turn (w = 0) the one whose first other component is > 0."""
    lead = q[..., 0]
    if (lead == 0).any():
        for k in (1, 2, 3):
            lead = np.where(lead == 0, q[..., k], lead)
    return np.where(lead[..., None] < 0, -q, q)


def multiply(p: Float[Array, "*batch 4"], q: Float[Array, "*batch 4"]) -> Float[Array, "*batch 4"]:
    """p q: first the rotation q, then p."""
    w, x, y, z = p[..., 0], p[..., 1], p[..., 2], p[..., 3]
    a, b, c, d = q[..., 0], q[..., 1], q[..., 2], q[..., 3]
    return np.stack(
        [
            w * a - x * b - y * c - z * d,
            w * b + x * a + y * d - z * c,
            w * c - x * d + y * a + z * b,
            w * d + x * c - y * b + z * a,
        ],
        axis=-1,
    )


def conjugate(q: Float[Array, "*batch 4"]) -> Float[Array, "*batch 4"]:
    """The inverse rotation."""
    return q * np.array([1, -1, -1, -1], q.dtype)


def rotate(q: Float[Array, "*batch 4"], v: Float[Array, "*batch 3"]) -> Float[Array, "*batch 3"]:
    """R v = v + 2 w (u × v) + 2 u × (u × v), with q = (w, u)."""
    u = q[..., 1:]
    turn = 2 * _cross(u, v)
    return v + q[..., :1] * turn + _cross(u, turn)


def normalised(q: Float[Array, "*batch 4"]) -> Float[Array, "*batch 4"]:
    """q / |q|; the identity where q is zero."""
    length = np.sqrt(np.einsum("...i,...i->...", q, q))[..., None]
    identity = np.array([1, 0, 0, 0], q.dtype)
    return np.where(length > 0, q / np.where(length > 0, length, 1), identity)


def blend(q: Float[Array, "n k 4"], weights: Float[Array, "n k"]) -> Float[Array, "n 4"]:
    """The normalised weighted sum of k rotations, each taken with the sign that is nearer to the first."""
    sign = np.where(np.einsum("nki,ni->nk", q, q[:, 0]) < 0, -1, 1)
    return normalised(np.einsum("nki,nk->ni", q, weights * sign).astype(q.dtype))


def to_matrix(q: Float[Array, "*batch 4"]) -> Float[Array, "*batch 3 3"]:
    """R of a unit quaternion."""
    w, x, y, z = q[..., 0], q[..., 1], q[..., 2], q[..., 3]
    rows = [
        1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y),
        2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x),
        2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y),
    ]  # fmt: skip
    return np.stack(rows, axis=-1).reshape(*q.shape[:-1], 3, 3)


def from_matrix(r: Float[Array, "*batch 3 3"]) -> Float[Array, "*batch 4"]:
    """The quaternion of a rotation, canonical in sign.

    The symmetric matrix 4 q qᵀ is linear in R; its row with the largest diagonal is q at its most precise.
    """
    xx, yy, zz = r[..., 0, 0], r[..., 1, 1], r[..., 2, 2]
    product = np.empty((*r.shape[:-2], 4, 4), r.dtype)
    product[..., 0, 0], product[..., 1, 1] = 1 + xx + yy + zz, 1 + xx - yy - zz
    product[..., 2, 2], product[..., 3, 3] = 1 - xx + yy - zz, 1 - xx - yy + zz
    for k, (i, j) in enumerate([(2, 1), (0, 2), (1, 0)], start=1):
        product[..., 0, k] = product[..., k, 0] = r[..., i, j] - r[..., j, i]
    for a, b in ((0, 1), (0, 2), (1, 2)):
        product[..., a + 1, b + 1] = product[..., b + 1, a + 1] = r[..., a, b] + r[..., b, a]
    best = np.argmax(np.diagonal(product, axis1=-2, axis2=-1), axis=-1)
    row = np.take_along_axis(product, best[..., None, None], axis=-2)[..., 0, :]
    return canonical(normalised(row))


def _cross(a: Float[Array, "*batch 3"], b: Float[Array, "*batch 3"]) -> Float[Array, "*batch 3"]:
    """a × b: a fifth of the time of np.cross on short arrays."""
    x, y, z, u, v, w = a[..., 0], a[..., 1], a[..., 2], b[..., 0], b[..., 1], b[..., 2]
    return np.stack([y * w - z * v, z * u - x * w, x * v - y * u], axis=-1)
