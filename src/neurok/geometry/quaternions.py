"""Unit quaternions (w, x, y, z). q and −q are the same rotation; the canonical one has w ≥ 0."""

from __future__ import annotations

import numpy as np
from jaxtyping import Float

from neurok.geometry.arrays import Array, cast, cross, like, namespace
from neurok.geometry.stumpff import stumpff

MIN_SINE = 1e-10  # sine of half the angle below which the logarithm is linear to rounding
STRAIGHT_ARC = 1e-6  # sine of the angle between quaternions below which the arc is its chord to rounding


def from_xyzw(q: Float[Array, "*batch 4"]) -> Float[Array, "*batch 4"]:
    """(x, y, z, w), the order of glTF and scipy, as (w, x, y, z)."""
    return q[..., [3, 0, 1, 2]]


def to_xyzw(q: Float[Array, "*batch 4"]) -> Float[Array, "*batch 4"]:
    """(w, x, y, z) as (x, y, z, w)."""
    return q[..., [1, 2, 3, 0]]


def canonical(q: Float[Array, "*batch 4"]) -> Float[Array, "*batch 4"]:
    """Of q and −q the one with w ≥ 0; at half a turn (w = 0) the one whose first other component is > 0."""
    xp, lead = namespace(q), q[..., 0]
    if (lead == 0).any():
        for k in (1, 2, 3):
            lead = xp.where(lead == 0, q[..., k], lead)
    return xp.where(lead[..., None] < 0, -q, q)


def normalised(q: Float[Array, "*batch 4"]) -> Float[Array, "*batch 4"]:
    """q / |q|; the identity where q is zero."""
    xp = namespace(q)
    square = xp.einsum("...i,...i->...", q, q)[..., None]
    some = square > 0
    return xp.where(some, q / xp.sqrt(xp.where(some, square, xp.ones_like(square))), like(q, [1, 0, 0, 0]))


def quaternion_multiply(
    p: Float[Array, "*#batch 4"], q: Float[Array, "*#batch 4"]
) -> Float[Array, "*batch 4"]:
    """Hamilton's product p q: first the rotation q, then p."""
    w, x, y, z = p[..., 0], p[..., 1], p[..., 2], p[..., 3]
    a, b, c, d = q[..., 0], q[..., 1], q[..., 2], q[..., 3]
    columns = [
        w * a - x * b - y * c - z * d,
        w * b + x * a + y * d - z * c,
        w * c - x * d + y * a + z * b,
        w * d + x * c - y * b + z * a,
    ]
    return namespace(p).stack(columns, -1)


def quaternion_conjugate(q: Float[Array, "*batch 4"]) -> Float[Array, "*batch 4"]:
    """The inverse rotation."""
    return q * like(q, [1, -1, -1, -1])


def quaternion_rotate(q: Float[Array, "*#batch 4"], v: Float[Array, "*#batch 3"]) -> Float[Array, "*batch 3"]:
    """R v = v + 2 w (u × v) + 2 u × (u × v), with q = (w, u)."""
    u = q[..., 1:]
    turn = 2 * cross(u, v)
    return v + q[..., :1] * turn + cross(u, turn)


def quaternion_in_frame(
    q: Float[Array, "*#batch n 4"], frame: Float[Array, "*#batch 3 3"]
) -> Float[Array, "*batch n 4"]:
    """The quaternion (w, P u) of P R Pᵀ: the same rotation seen from a frame that P turns to."""
    return namespace(q).concatenate([q[..., :1], q[..., 1:] @ frame.mT], -1)


def quaternion_to_matrix(q: Float[Array, "*batch 4"]) -> Float[Array, "*batch 3 3"]:
    """R of a unit quaternion."""
    w, x, y, z = q[..., 0], q[..., 1], q[..., 2], q[..., 3]
    rows = [
        1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y),
        2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x),
        2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y),
    ]  # fmt: skip
    return namespace(q).stack(rows, -1).reshape(*q.shape[:-1], 3, 3)


def quaternion_from_matrix(r: Float[Array, "*batch 3 3"]) -> Float[Array, "*batch 4"]:
    """The canonical quaternion of a rotation.

    4 q qᵀ = 1 + K(R) with Horn's matrix K; its row with the largest diagonal is q at its most precise.
    """
    xp = namespace(r)
    product = horn_matrix(r) + xp.eye(4, dtype=r.dtype, device=r.device)
    each = [0, 1, 2, 3]
    best = product[..., each, each].argmax(-1)
    chosen = (best[..., None] == like(best, each))[..., None]
    return canonical(normalised((product * chosen).sum(-2)))


def horn_matrix(spread: Float[Array, "*batch 3 3"]) -> Float[Array, "*batch 4 4"]:
    """K(S), symmetric, without trace and linear in S, with qᵀ K(S) q = tr R(q)ᵀ S for unit quaternions q."""
    xx, yy, zz = spread[..., 0, 0], spread[..., 1, 1], spread[..., 2, 2]
    x, y, z = (spread[..., i, j] - spread[..., j, i] for i, j in ((2, 1), (0, 2), (1, 0)))
    xy, xz, yz = (spread[..., i, j] + spread[..., j, i] for i, j in ((0, 1), (0, 2), (1, 2)))
    rows = [
        xx + yy + zz, x, y, z,
        x, xx - yy - zz, xy, xz,
        y, xy, yy - xx - zz, yz,
        z, xz, yz, zz - xx - yy,
    ]  # fmt: skip
    return namespace(spread).stack(rows, -1).reshape(*spread.shape[:-2], 4, 4)


def quaternion_exp(r: Float[Array, "*batch 3"]) -> Float[Array, "*batch 4"]:
    """The quaternion of a rotation vector: (cos θ/2, sin(θ/2)/θ r), by Stumpff's functions of θ²/4."""
    quarter = (r * r).sum(-1) / 4
    sine, versine, _ = stumpff(quarter)
    return namespace(r).concatenate([(1 - quarter * versine)[..., None], 0.5 * sine[..., None] * r], -1)


def quaternion_log(q: Float[Array, "*batch 4"]) -> Float[Array, "*batch 3"]:
    """The rotation vector of a unit quaternion of either sign, of length at most π; finite slope at 0."""
    xp = namespace(q)
    near = xp.where(q[..., :1] < 0, -q, q)
    u = near[..., 1:]
    sine = xp.sqrt(xp.clip((u * u).sum(-1)[..., None], MIN_SINE**2, None))
    return u * (2 * xp.arctan2(sine, near[..., :1]) / sine)


def quaternion_blend(q: Float[Array, "n k 4"], weights: Float[Array, "n k"]) -> Float[Array, "n 4"]:
    """The normalised weighted sum of k rotations, each taken with the sign that is nearer to the first."""
    xp = namespace(q)
    sign = xp.where(xp.einsum("nki,ni->nk", q, q[:, 0]) < 0, -1, 1)
    return normalised(cast(xp.einsum("nki,nk->ni", q, weights * sign), q.dtype))


def slerp(
    a: Float[Array, "*batch 4"], b: Float[Array, "*batch 4"], share: Float[Array, "*batch"]
) -> Float[Array, "*batch 4"]:
    """Along the great arc from a to ±b, whichever is nearer: (sin((1−u)θ) a + sin(uθ) b) / sin θ."""
    xp = namespace(a)
    cosine = xp.einsum("...d,...d->...", a, b)[..., None]
    b, cosine = xp.where(cosine < 0, -b, b), xp.clip(xp.abs(cosine), None, 1.0)
    angle, u = xp.arccos(cosine), share[..., None]
    sine = xp.sin(angle)
    near = sine < STRAIGHT_ARC
    divisor = xp.where(near, xp.ones_like(sine), sine)
    first = xp.where(near, 1.0 - u, xp.sin((1.0 - u) * angle) / divisor)
    second = xp.where(near, u, xp.sin(u * angle) / divisor)
    return first * a + second * b


def continuous_signs(q: Float[np.ndarray, "frames *batch 4"]) -> Float[np.ndarray, "frames *batch 4"]:
    """The same rotations, each with the sign nearer to the one before it; the first ones stay as they are."""
    flips = np.where((q[1:] * q[:-1]).sum(-1) < 0, -1.0, 1.0)
    return np.concatenate([q[:1], q[1:] * np.cumprod(flips, axis=0)[..., None]])
