"""Fits handle motions to a displacement field, and makes handles agree at large rotations."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from jaxtyping import Float, Int
from scipy import sparse

Array = np.ndarray
LOCAL_WEIGHT = 0.02  # weight of a handle's own neighbourhood relative to the blended whole


@dataclass(frozen=True, eq=False)
class Blend:
    """Mass points moved by handles: u(X) = Σ_j w_j(X) (t_j + G_j (X − p_j)), linear in t_j and G_j.

    A handle's motion is stored as a 4 × 3 block: the rows of G_jᵀ, then t_j.
    """

    points: Float[Array, "g 3"]
    mass: Float[Array, " g"]
    handles: Int[Array, "g 4"]
    weights: Float[Array, "g 4"]
    centres: Float[Array, "h 3"]

    @cached_property
    def matrix(self) -> sparse.csr_matrix:
        """(g, 4h): row of w_j (X − p_j, 1)."""
        local = self.points[:, None] - self.centres[self.handles]
        values = self.weights[..., None] * np.concatenate([local, np.ones((*local.shape[:2], 1))], axis=2)
        columns = 4 * self.handles[..., None] + np.arange(4)
        rows = np.repeat(np.arange(len(self.points)), values[0].size)
        shape = (len(self.points), 4 * len(self.centres))
        return sparse.csr_matrix((values.ravel(), (rows, columns.ravel())), shape=shape)

    @cached_property
    def spread(self) -> sparse.csr_matrix:
        """(h, g): w_j at every point, one row per handle."""
        rows = np.repeat(np.arange(len(self.points)), self.handles.shape[1])
        entries = (self.weights.ravel(), (self.handles.ravel(), rows))
        return sparse.csr_matrix(entries, shape=(len(self.centres), len(self.points)))


def fit(blend: Blend, field: Float[Array, "g 3 m"], first: int) -> Float[Array, "h 4 3 m"]:
    """Handle motions whose blend is nearest to the field in the norm Σ m |u|².

    The first `first` handles do not move. In a pure least-squares fit, large motions of neighbouring handles
    could cancel each other. A second term therefore draws each handle to the affine map that fits best around
    it. The fit minimises |B a − φ|² + LOCAL_WEIGHT Σ_j |z_jᵀ a_j − φ|²_{w_j}.
    """
    count, modes = len(blend.centres), field.shape[2]
    matrix, mass = blend.matrix, sparse.diags(blend.mass)
    flat = field.reshape(len(field), -1)
    normal = (matrix.T @ mass @ matrix).toarray()
    right = matrix.T @ mass @ flat
    for j in range(count):
        block = slice(4 * j, 4 * j + 4)
        points = blend.spread[[j]]
        weight, index = points.data * blend.mass[points.indices], points.indices
        local = np.c_[blend.points[index] - blend.centres[j], np.ones(len(index))]
        normal[block, block] += LOCAL_WEIGHT * (local * weight[:, None]).T @ local
        right[block] += LOCAL_WEIGHT * (local * weight[:, None]).T @ flat[index]
    moving = slice(4 * first, None)
    motion = np.zeros((4 * count, flat.shape[1]))
    motion[moving] = _solve_scaled(normal[moving, moving], right[moving])
    return motion.reshape(count, 4, 3, modes)


def _solve_scaled(normal: Float[Array, "r r"], right: Float[Array, "r c"]) -> Float[Array, "r c"]:
    """Least-norm solution after scaling to a unit diagonal, because thin bodies have tiny second moments."""
    scale = 1 / np.sqrt(np.maximum(normal.diagonal(), np.finfo(float).tiny))
    inverse = np.linalg.pinv(normal * scale[:, None] * scale, rcond=1e-12, hermitian=True)
    return scale[:, None] * (inverse @ (scale[:, None] * right))


def agreeing_places(blend: Blend, anchored: bool) -> Float[Array, "h h 3"]:
    """Q with t_i = Σ_j Q_ij · G_jᵀ: the shifts with which handles of given G agree where they overlap.

    They minimise Σ_points m Σ_{i<j} w_i w_j |t_i + G_i (X − p_i) − t_j − G_j (X − p_j)|², a Laplace equation
    over handles. Shifts that are linear in q would tear the body apart at large rotations. The anchor does
    not move. Without an anchor the centre of mass does not: Σ m u = 0.
    """
    count = len(blend.centres)
    spread = blend.spread @ sparse.diags(np.sqrt(blend.mass))
    overlap = sparse.csr_matrix(spread @ spread.T).toarray()
    offset = np.zeros((count, count, 3))  # Σ m w_i w_j (X − p_j)
    for axis in range(3):
        moment = (spread @ sparse.diags(blend.points[:, axis]) @ spread.T).toarray()
        offset[:, :, axis] = moment - overlap * blend.centres[:, axis]
    np.fill_diagonal(overlap, 0.0)
    offset[np.arange(count), np.arange(count)] = 0.0
    laplace = np.diag(overlap.sum(1)) - overlap
    right = offset.copy()  # of G_j in row i; minus the sum over j of Σ m w_i w_j (X − p_i) of G_i
    right[np.arange(count), np.arange(count)] -= offset.sum(0)
    free = slice(int(anchored), None)
    result = np.zeros_like(right)
    solution = np.linalg.lstsq(laplace[free, free], right[free].reshape(-1, 3 * count), rcond=1e-12)[0]
    result[free] = solution.reshape(-1, count, 3)
    if anchored:
        return result
    share = blend.spread @ blend.mass
    own = (blend.spread @ (blend.mass[:, None] * blend.points)) - share[:, None] * blend.centres
    drift = np.einsum("i,ijk->jk", share, result) + own
    return result - drift / share.sum()
