"""Fits a rotation to the one-ring motion of every vertex, for recordings without rigid transforms."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float, Int
from scipy import sparse

from neurok.geometry.quaternions import canonical, quaternion_to_matrix
from neurok.geometry.rotation_fit import horn_quaternions
from neurok.shapes import Surface

Array = np.ndarray
# Relative weights of the regularising terms of S; each is small enough not to bias the next larger one.
SECOND_RING_WEIGHT, COMPONENT_WEIGHT, IDENTITY_WEIGHT = 1e-4, 1e-7, 1e-13
MAX_BLOCK = 400_000  # vertices × frames per block; bounds the memory


@dataclass(frozen=True, eq=False)
class LocalRigid:
    """Rotation from rest per frame and vertex, and the deviation of its one-ring from rigid motion."""

    rotations: Float[Array, "frames n 4"]  # float32 unit quaternions, w ≥ 0
    residual: Float[Array, "frames n"]  # root mean square over the neighbours, in the shape's units


def fit_local_rigid(surface: Surface, positions: Float[Array, "frames n 3"]) -> LocalRigid:
    """Least-squares rotation of the one-ring N(i) of every vertex i:

        R_i = argmin Σ_{j ∈ N(i)} |R (X_j − X_i) − (x_j − x_i)|²

    with X at rest and x in the frame, on the welded surface (`of_vertex` maps back to the n vertices). With
    S_i = Σ_j (x_j − x_i)(X_j − X_i)ᵀ, R_i maximises tr Rᵀ S_i, and the squared residual is
    Σ|x_j − x_i|² + Σ|X_j − X_i|² − 2 tr R_iᵀ S_i. Where S has full rank R is the rotation of its polar
    decomposition. Horn's closed form also covers flat one-rings, the usual case.

    A one-ring on a line does not determine R. Therefore the S of the neighbours, of the whole component, and
    the identity are added with small weights. For a rigid motion R every S is R times a positive matrix, so
    the sum still gives exactly R.
    """
    first = _representatives(surface)
    ring = _Ring.of(surface)
    frames, s = len(positions), len(surface.vertices)
    rotations = np.empty((frames, len(surface.of_vertex), 4), np.float32)
    residual = np.empty((frames, len(surface.of_vertex)), np.float32)
    step = max(1, MAX_BLOCK // max(s, 1))
    for start in range(0, frames, step):
        moved = np.asarray(positions[start : start + step][:, first], np.float64)
        q, error = ring.fit(moved)
        rotations[start : start + step] = q[:, surface.of_vertex]
        residual[start : start + step] = error[:, surface.of_vertex]
    return LocalRigid(rotations, residual)


def _representatives(surface: Surface) -> Array:
    """First vertex of the shape for every surface vertex."""
    first = np.empty(len(surface.vertices), np.int64)
    first[surface.of_vertex[::-1]] = np.arange(len(surface.of_vertex))[::-1]
    return first


@dataclass(frozen=True, eq=False)
class _Ring:
    """Sparse matrices over the vertices of the rest surface, as used by the fit."""

    neighbours: sparse.csr_matrix  # 0/1
    outward: sparse.csr_matrix  # (3 s, s): row (b, i) gives Σ_j (X_j − X_i)_b (x_j − x_i)
    reach: Float[Array, " s"]  # Σ_j |X_j − X_i|²
    degree: Int[Array, " s"]  # number of neighbours
    blur: sparse.csr_matrix  # S divided by its reach, plus a small share of the neighbours
    mean: sparse.csr_matrix  # (components, s)
    component: Int[Array, " s"]

    @classmethod
    def of(cls, surface: Surface) -> _Ring:
        s = len(surface.vertices)
        i, j = (np.r_[a, b] for a, b in (surface.edges.T, surface.edges.T[::-1]))
        offset = surface.vertices[j] - surface.vertices[i]
        neighbours = sparse.csr_matrix((np.ones(len(i)), (i, j)), shape=(s, s))
        blocks = [_differences(i, j, column, s) for column in offset.T]
        reach, degree = np.bincount(i, (offset**2).sum(1), s), np.bincount(i, minlength=s)
        scale = sparse.diags(np.divide(1.0, reach, out=np.zeros(s), where=reach > 0))
        blur = scale + SECOND_RING_WEIGHT * (sparse.diags(1.0 / np.maximum(degree, 1)) @ neighbours @ scale)
        label, count = surface.component, surface.component_count
        share = 1.0 / np.bincount(label, minlength=count)[label]
        mean = sparse.csr_matrix((share, (label, np.arange(s))), shape=(count, s)) @ scale
        return cls(
            neighbours, sparse.csr_matrix(sparse.vstack(blocks)), reach, degree, blur.tocsr(), mean, label
        )

    def fit(self, x: Float[Array, "f s 3"]) -> tuple[Float[Array, "f s 4"], Float[Array, "f s"]]:
        """Quaternions and root mean square residuals."""
        f, s, _ = x.shape
        columns = np.ascontiguousarray(x.transpose(1, 0, 2)).reshape(s, 3 * f)
        spread = (self.outward @ columns).reshape(3, s, f, 3).transpose(1, 2, 3, 0)  # S of [vertex, frame]
        flat = spread.reshape(s, -1)
        regular = self.blur @ flat + COMPONENT_WEIGHT * (self.mean @ flat)[self.component]
        q = horn_quaternions(regular.reshape(-1, 3, 3) + IDENTITY_WEIGHT * np.eye(3)).reshape(s, f, 4)
        aligned = np.einsum("sfab,sfab->sf", quaternion_to_matrix(q), spread)  # tr Rᵀ S
        length = (columns**2).reshape(s, f, 3).sum(-1)
        around = np.einsum(
            "sfa,sfa->sf", columns.reshape(s, f, 3), (self.neighbours @ columns).reshape(s, f, 3)
        )
        stretched = self.neighbours @ length - 2 * around + self.degree[:, None] * length  # Σ |x_j − x_i|²
        square = (stretched + self.reach[:, None] - 2 * aligned) / np.maximum(self.degree, 1)[:, None]
        return canonical(q).transpose(1, 0, 2), np.sqrt(np.maximum(square, 0)).T


def _differences(i: Array, j: Array, weight: Float[Array, " e"], s: int) -> sparse.csr_matrix:
    """Matrix of the map x ↦ Σ_j w_ij (x_j − x_i)."""
    total = np.bincount(i, weight, s)
    rows, columns = np.r_[i, np.arange(s)], np.r_[j, np.arange(s)]
    return sparse.csr_matrix((np.r_[weight, -total], (rows, columns)), shape=(s, s))
