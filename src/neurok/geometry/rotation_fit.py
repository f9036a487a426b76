"""Rigid fits: the rotation R that maximises tr RᵀS, so that R X comes nearest to x for S = Σ x Xᵀ.

`kabsch` takes the singular values of S. `horn_quaternions` takes the largest eigenvector of a 4×4 matrix, by
its closed form: an order of magnitude faster for many matrices, and as good where S is flat.
"""

from __future__ import annotations

import numpy as np
from jaxtyping import Float

from neurok.geometry.arrays import Array, like, namespace
from neurok.geometry.quaternions import horn_matrix

CHUNK = 8192  # matrices at a time: their temporaries stay in the cache
ROUNDS = 50  # of Newton's method at most; ten are usual
MIN_SLOPE, LAST_STEP = 1e-12, 1e-14  # of Newton on λ, for |S| = 1: at a double root, and at convergence
MIN_ADJUGATE = 1e-5  # relative size of the adjugate below which LAPACK is used, because digits are lost


def kabsch(spread: Float[Array, "*batch 3 3"]) -> Float[Array, "*batch 3 3"]:
    """R = U diag(1, 1, ±1) Wᵀ of S = U Σ Wᵀ, the sign such that det R = 1."""
    xp = namespace(spread)
    u, _, wt = xp.linalg.svd(spread)
    sign = xp.where(xp.linalg.det(u @ wt) < 0, -1.0, 1.0)[..., None, None]
    return (u * (sign * like(u, [0, 0, 1]) + like(u, [1, 1, 0]))) @ wt


def largest_overlap(spread: Float[Array, "*batch 3 3"]) -> Float[Array, "*batch"]:
    """max_R tr RᵀS = σ₁ + σ₂ ± σ₃ with the sign of det S. The fit leaves Σ|x|² + Σ|X|² minus twice it."""
    xp = namespace(spread)
    size = xp.linalg.svdvals(spread)
    return size[..., 0] + size[..., 1] + size[..., 2] * xp.sign(xp.linalg.det(spread))


def horn_quaternions(spread: Float[np.ndarray, "n 3 3"]) -> Float[np.ndarray, "n 4"]:
    """Unit quaternions q that maximise tr R(q)ᵀ S = qᵀ K(S) q.

    q is the eigenvector of the largest eigenvalue λ of K. λ is the largest root of the characteristic
    polynomial, which Newton's method reaches from above. The adjugate of K − λ 1 is a multiple of q qᵀ.
    LAPACK decides where the largest eigenvalue is nearly double.
    """
    result = np.empty((len(spread), 4))
    for start in range(0, len(spread), CHUNK):
        part = spread[start : start + CHUNK]
        size = np.sqrt((part**2).sum((1, 2)))
        unit = part / np.where(size > 0, size, 1.0)[:, None, None]
        k = horn_matrix(unit)
        q, sure = _by_adjugate(k, unit)
        q[~sure] = np.linalg.eigh(k[~sure])[1][..., -1]
        result[start : start + CHUNK] = q
    return result


def _by_adjugate(k: Float[Array, "n 4 4"], unit: Float[Array, "n 3 3"]) -> tuple[Array, Array]:
    """Quaternions, and which of them are precise."""
    m = np.ascontiguousarray(k.transpose(1, 2, 0))
    largest = _largest_root(unit, _minors(m)[0])
    for i in range(4):
        m[i, i] -= largest
    _, adjugate = _minors(m)
    diagonal = np.stack([adjugate[i][i] for i in range(4)])
    best = np.abs(diagonal).argmax(0)
    column = np.stack([np.choose(best, adjugate[i]) for i in range(4)], axis=1)
    length = np.sqrt((column**2).sum(1))
    sure = length > MIN_ADJUGATE
    return column / np.where(sure, length, 1.0)[:, None], sure


def _largest_root(s: Float[Array, "n 3 3"], determinant: Float[Array, " n"]) -> Float[Array, " n"]:
    """Largest λ with λ⁴ − 2 |S|² λ² − 8 det S λ + det K = 0, for |S| = 1; none lies above √3 |S|."""
    a, b, c = s[:, 0], s[:, 1], s[:, 2]
    volume = 8 * (
        a[:, 0] * (b[:, 1] * c[:, 2] - b[:, 2] * c[:, 1])
        + a[:, 1] * (b[:, 2] * c[:, 0] - b[:, 0] * c[:, 2])
        + a[:, 2] * (b[:, 0] * c[:, 1] - b[:, 1] * c[:, 0])
    )
    root = np.full(len(s), 3**0.5)
    for _ in range(ROUNDS):
        square = root * root
        value = (square - 2) * square - volume * root + determinant
        slope = 4 * (square - 1) * root - volume
        step = np.divide(value, slope, out=np.zeros_like(root), where=slope > MIN_SLOPE)
        root -= step
        if np.abs(step).max(initial=0.0) < LAST_STEP:
            break
    return root


def _minors(
    m: Float[Array, "4 4 n"],
) -> tuple[Float[Array, " n"], list[list[Float[Array, " n"]]]]:
    """Determinant and adjugate of symmetric 4 × 4 matrices, from the 2 × 2 minors of rows 0, 1 and 2, 3."""
    pairs = [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)]
    s = [m[0, i] * m[1, j] - m[1, i] * m[0, j] for i, j in pairs]
    c = [m[2, i] * m[3, j] - m[3, i] * m[2, j] for i, j in pairs]
    determinant = s[0] * c[5] - s[1] * c[4] + s[2] * c[3] + s[3] * c[2] - s[4] * c[1] + s[5] * c[0]
    a = [[determinant] * 4 for _ in range(4)]
    a[0][0] = m[1, 1] * c[5] - m[1, 2] * c[4] + m[1, 3] * c[3]
    a[0][1] = a[1][0] = -m[0, 1] * c[5] + m[0, 2] * c[4] - m[0, 3] * c[3]
    a[0][2] = a[2][0] = m[3, 1] * s[5] - m[3, 2] * s[4] + m[3, 3] * s[3]
    a[0][3] = a[3][0] = -m[2, 1] * s[5] + m[2, 2] * s[4] - m[2, 3] * s[3]
    a[1][1] = m[0, 0] * c[5] - m[0, 2] * c[2] + m[0, 3] * c[1]
    a[1][2] = a[2][1] = -m[3, 0] * s[5] + m[3, 2] * s[2] - m[3, 3] * s[1]
    a[1][3] = a[3][1] = m[2, 0] * s[5] - m[2, 2] * s[2] + m[2, 3] * s[1]
    a[2][2] = m[3, 0] * s[4] - m[3, 1] * s[2] + m[3, 3] * s[0]
    a[2][3] = a[3][2] = -m[2, 0] * s[4] + m[2, 1] * s[2] - m[2, 3] * s[0]
    a[3][3] = m[2, 0] * s[3] - m[2, 1] * s[1] + m[2, 2] * s[0]
    return determinant, a
