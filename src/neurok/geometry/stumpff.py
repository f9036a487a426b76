"""Stumpff's functions C_n(s) = Σ_k (−s)^k / (2k + n)! of the squared angle s = θ², and their derivatives.

C_1 = sin θ / θ, C_2 = (1 − cos θ) / θ², C_3 = (θ − sin θ) / θ³. The exponentials of SO(3), of quaternions and
of SE(3) are sums of these. They are analytic in s: all derivatives exist at θ = 0, where θ itself has none.
With 2 dC_n/ds = n C_{n+2} − C_{n+1} =: D_n and 2 dD_n/ds = n D_{n+2} − D_{n+1} =: F_n every
derivative is again such a sum.

There are two evaluations: `stumpff` is differentiable for tensors, and `stumpff_derivatives` gives values and
derivatives in one matrix product, which is several times faster on short arrays.
"""

from __future__ import annotations

import math
from functools import cache
from typing import Any

import numpy as np
from jaxtyping import Float

from neurok.geometry.arrays import Array, cast, is_tensor, like, namespace

SERIES_BELOW, TERMS = 1.0, 12  # s below which this many terms of the series are exact to rounding
LONG_SERIES_BELOW, LONG_TERMS = 10.0, 18  # the same, for the series with derivatives


def stumpff(square: Float[Array, "*batch"]) -> tuple[Array, Array, Array]:
    """C_1, C_2 and C_3 of s. Tensors get derivatives of any order, at s = 0 too."""
    if not is_tensor(square):
        found = cast(stumpff_derivatives(square.reshape(-1))[:3], square.dtype)
        c1, c2, c3 = found.reshape(3, *square.shape)
        return c1, c2, c3
    xp, small = namespace(square), square < SERIES_BELOW
    # The branch not taken must stay finite too: its derivative is multiplied by zero, and 0 · ∞ is NaN.
    far = xp.where(small, xp.ones_like(square), square)
    near = xp.where(small, square, xp.zeros_like(square))[..., None]
    table = like(square, COEFFICIENTS)
    series = near * table[-1]
    for row in reversed(table[1:-1]):
        series = (series + row) * near
    series = series + table[0]
    theta = xp.sqrt(far)
    sine = xp.sin(theta) / theta
    c1 = xp.where(small, series[..., 0], sine)
    c2 = xp.where(small, series[..., 1], 2 * xp.sin(theta / 2) ** 2 / theta**2)
    return c1, c2, xp.where(small, series[..., 2], (1 - sine) / far)


def stumpff_derivatives(square: Float[Array, " n"]) -> Float[Array, "9 n"]:
    """C_n, D_n and F_n for n = 1, 2, 3: by power series, and in closed form where s is large."""
    xp = namespace(square)
    first, rest, ones = _series(xp)
    functions = first + rest @ xp.cumprod(ones * xp.clip(square, 0.0, LONG_SERIES_BELOW), 0)
    far = square > LONG_SERIES_BELOW
    if not far.any():
        return functions
    return xp.where(far, _closed_form(xp.clip(square, LONG_SERIES_BELOW, None)), functions)


def _closed_form(s: Float[Array, " n"]) -> Float[Array, "9 n"]:
    """Upwards by C_{n+2} = (1/n! − C_n) / s, which loses digits near zero only."""
    xp = namespace(s)
    theta = xp.sqrt(s)
    c = [xp.cos(theta), xp.sin(theta) / theta]
    for n in range(6):
        c.append((1 / math.factorial(n) - c[n]) / s)
    d = [n * c[n + 2] - c[n + 1] for n in range(6)]
    return xp.stack([*c[1:4], *d[1:4], *(n * d[n + 2] - d[n + 1] for n in (1, 2, 3))])


def _coefficients(terms: int, orders: range) -> Float[np.ndarray, "terms n"]:
    """(−1)^k / (2k + n)! of the k-th power of s in C_n."""
    return np.array([[(-1.0) ** k / math.factorial(2 * k + n) for n in orders] for k in range(terms)])


COEFFICIENTS = _coefficients(TERMS, range(1, 4))


@cache
def _series(xp: Any) -> tuple[Float[Array, "9 1"], Float[Array, "9 terms"], Float[Array, "terms 1"]]:
    """Coefficients of the constant term and of the powers of s, and a one for each power."""
    c, n = _coefficients(LONG_TERMS, range(8)), np.arange(8.0)
    d = n[:6] * c[:, 2:] - c[:, 1:7]
    f = n[:4] * d[:, 2:] - d[:, 1:5]
    table = xp.asarray(np.concatenate([c[:, 1:4], d[:, 1:4], f[:, 1:4]], axis=1))
    return table[:1].T, table[1:].T, xp.asarray(np.ones((LONG_TERMS - 1, 1)))
