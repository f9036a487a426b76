"""Horn's closed form: the rotation that best takes one set of vectors to another, as an eigenvector."""

from __future__ import annotations

import numpy as np
from jaxtyping import Float

Array = np.ndarray
CHUNK = 8192  # matrices at a time: their temporaries stay in the cache
ROUNDS = 50  # of Newton at most; ten are usual
DOUBTFUL = 1e-5  # relative size of the adjugate below which digits are lost and LAPACK decides


def best_rotations(spread: Float[Array, "n 3 3"]) -> Float[Array, "n 4"]:
    """Unit quaternions q that maximise tr R(q)ᵀ S, for S = Σ x Xᵀ: X rotated comes nearest to x.

    tr R(q)ᵀ S = qᵀ K(S) q, so q is the eigenvector of the largest eigenvalue λ of K. λ is the largest root of
    the characteristic polynomial, which Newton reaches from above; the adjugate of K − λ I is a multiple of
    q qᵀ. All vectorised: an order of magnitude faster than one LAPACK call per matrix, which is left for
    those whose largest eigenvalue is nearly double.
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


def horn_matrix(spread: Float[Array, "*batch 3 3"]) -> Float[Array, "*batch 4 4"]:
    """K(S): symmetric, without trace, linear in S."""
    k = np.empty((*spread.shape[:-2], 4, 4))
    xx, yy, zz = spread[..., 0, 0], spread[..., 1, 1], spread[..., 2, 2]
    k[..., 0, 0], k[..., 1, 1] = xx + yy + zz, xx - yy - zz
    k[..., 2, 2], k[..., 3, 3] = yy - xx - zz, zz - xx - yy
    for c, (a, b) in enumerate([(2, 1), (0, 2), (1, 0)], start=1):
        k[..., 0, c] = k[..., c, 0] = spread[..., a, b] - spread[..., b, a]
    for a, b in ((0, 1), (0, 2), (1, 2)):
        k[..., a + 1, b + 1] = k[..., b + 1, a + 1] = spread[..., a, b] + spread[..., b, a]
    return k


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
    sure = length > DOUBTFUL
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
        step = np.divide(value, slope, out=np.zeros_like(root), where=slope > 1e-12)
        root -= step
        if np.abs(step).max(initial=0.0) < 1e-14:
            break
    return root


def _minors(m: Float[Array, "4 4 n"]) -> tuple[Float[Array, " n"], list[list[Float[Array, " n"]]]]:
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
