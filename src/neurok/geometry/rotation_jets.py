"""Rotations with all derivatives that dynamics needs, from Stumpff's functions of s = r·r. With [r]ₓ = K

    exp K = 1 + C_1 K + C_2 K²            and its integral        V = ∫₀¹ exp(t K) dt = 1 + C_2 K + C_3 K²,

and since 2 dC_n/ds = D_n, 2 dD_n/ds = F_n, every derivative is again such a sum.
"""

from __future__ import annotations

import math
from functools import cache
from typing import Any

import numpy as np
from jaxtyping import Float

from neurok.geometry.arrays import Array, namespace
from neurok.geometry.rotations import skew
from neurok.geometry.stumpff import stumpff_derivatives


def rotation_jets(
    r: Float[Array, "3 ..."], rate: Float[Array, "3 ..."] | None, count: int = 2
) -> Float[Array, "count rows 3 3 ..."]:
    """The first `count` of exp [r]ₓ and V(r), with derivatives, while r moves at `rate`.

    The rows of each are its value, its derivatives by r_i, and, with a rate, the rates of these derivatives.
    Components come first and the batch last, so that the inner loops are long.

    Each is 1 + f K + g K² with K = Σ r_a K_a and K² = Σ r_a r_b S_ab, S_ab = ½ (K_a K_b + K_b K_a). With ∂_i
    f = r_i f' its derivatives are ∂_i = Σ_a (f' r_i r_a + f δ_ia) K_a + Σ_ab (g' r_i r_a + 2 g δ_ia) r_b
    S_ab: a few numbers per rotation times constant matrices.
    """
    xp, batch, rows = namespace(r), r.shape[1:], 4 if rate is None else 7
    r = r.reshape(3, -1)
    functions = stumpff_derivatives(_dot(r, r)).reshape(3, 3, -1)
    C, D, F = (x[: count + 1] for x in functions)
    f, g = slice(0, count), slice(1, count + 1)
    n, pair = r.shape[1], r[:, None] * r
    weights = xp.empty((count, rows, 12, n), dtype=r.dtype)
    weights[:, 0, :3] = C[f, None] * r
    weights[:, 0, 3:] = C[g, None] * pair.reshape(9, n)
    slope = D[:, None, None] * pair
    square = _plus_diagonal(slope[g] + 0.0, 2 * C[g])
    weights[:, 1:4, :3] = _plus_diagonal(slope[f] + 0.0, C[f])
    weights[:, 1:4, 3:] = (square[:, :, :, None] * r).reshape(count, 3, 9, n)
    if rate is not None:
        rate = rate.reshape(3, -1)
        sigma, half = _dot(r, rate), rate[:, None] * r  # pyright: ignore
        D_rate = sigma * D
        bend = (sigma * F)[:, None, None] * pair + D[:, None, None] * (half + half.swapaxes(0, 1))
        square_rate = _plus_diagonal(bend[g] + 0.0, 2 * D_rate[g])
        weights[:, 4:, :3] = _plus_diagonal(bend[f] + 0.0, D_rate[f])
        twice = square_rate[:, :, :, None] * r + square[:, :, :, None] * rate
        weights[:, 4:, 3:] = twice.reshape(count, 3, 9, n)
    found = _constants(xp) @ weights
    found[:, 0, ::4] += 1.0
    return found.reshape(count, rows, 3, 3, *batch)


def _dot(a: Float[Array, "3 n"], b: Float[Array, "3 n"]) -> Float[Array, " n"]:
    """Dot products over three components, written out because a reduction is slower."""
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def _plus_diagonal(
    matrices: Float[Array, "count 3 3 n"], values: Float[Array, "count n"]
) -> Float[Array, "count 3 3 n"]:
    """Matrices with their components first, changed in place: A + value · 1."""
    matrices.reshape(len(matrices), 9, -1)[:, ::4] += values[:, None]
    return matrices


def rotation_and_integral(
    r: Float[Array, "*batch 3"], rate: Float[Array, "*batch 3"]
) -> tuple[Float[Array, "*batch 3 3"], Float[Array, "*batch 3 3"], Float[Array, "*batch 3 3"]]:
    """exp [r]ₓ, V(r) and dV/dt, the batch first: R˙ = [V ṙ]ₓ R."""
    xp, batch = namespace(r), r.shape[:-1]
    constants, one = _constants(xp), xp.eye(3, dtype=r.dtype)
    r, rate = r.reshape(-1, 3).T, rate.reshape(-1, 3).T
    c1, c2, c3, _, d2, d3, *_ = stumpff_derivatives((r * r).sum(0))
    sigma = (r * rate).sum(0)
    pair, half = r[:, None] * r, rate[:, None] * r
    pair_rate = half + half.swapaxes(0, 1)
    pair, pair_rate = pair.reshape(9, -1), pair_rate.reshape(9, -1)
    weights = xp.stack([
        xp.concatenate([c1 * r, c2 * pair]),
        xp.concatenate([c2 * r, c3 * pair]),
        xp.concatenate([d2 * sigma * r + c2 * rate, d3 * sigma * pair + c3 * pair_rate]),
    ])  # fmt: skip
    found = (constants @ weights).swapaxes(1, 2).reshape(3, *batch, 3, 3)
    return one + found[0], one + found[1], found[2]


def unwound(w: Float[Array, "b 3"]) -> tuple[Float[Array, "b 3"], Float[Array, "b 3 3"]]:
    """The same rotations with |w| ≤ π, and the matrix D that converts their rates.

    w' = (1 − 2πn/|w|) w for the nearest number n of whole turns, and D = V(w')⁻¹ V(w): ẇ' = D ẇ.
    """
    xp = namespace(w)
    angle = xp.sqrt((w * w).sum(-1) + 1e-300)[:, None]
    short = w * (1 - 2 * math.pi * xp.round(angle / (2 * math.pi)) / angle)
    before, after = (rotation_and_integral(x, 0 * x)[1] for x in (w, short))
    return short, xp.linalg.solve(after, before)


@cache
def _constants(xp: Any) -> Float[Array, "9 12"]:
    """The columns K_a and S_ab."""
    k = skew(np.eye(3))
    product = np.einsum("aij,bjk->abik", k, k)
    pairs = (product + product.swapaxes(0, 1)) / 2
    columns = np.concatenate([k.reshape(3, 9), pairs.reshape(9, 9)]).T
    return xp.asarray(np.ascontiguousarray(columns))
