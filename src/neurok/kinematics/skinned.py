"""Linear blend skinning as a basis: the code is one affine map per handle."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
import torch
from jaxtyping import Float, Int
from scipy import sparse
from torch import Tensor

from neurok.geometry.arrays import Array
from neurok.kinematics.basis import Basis
from neurok.kinematics.jets.jet import skin_by_axis
from neurok.sequences import Rig, Skin
from neurok.shapes import Shape


@dataclass(frozen=True, eq=False)
class SkinBasis(Basis):
    """x_i = Σ_c w_ic A_h(i,c) (X_i, 1), linear in the affine maps A_h (3×4 each, row by row in the code)."""

    shape: Shape
    skin: Skin = field()

    @cached_property
    def _columns(self) -> tuple[Float[Tensor, "n 4"], Int[Tensor, "n c"], Float[Tensor, "n c"]]:
        rest = torch.tensor(self.shape.vertices)
        homogeneous = torch.cat([rest, torch.ones(len(rest), 1, dtype=rest.dtype)], dim=1)
        handles = torch.tensor(self.skin.handles, dtype=torch.long)
        return homogeneous, handles, torch.tensor(self.skin.weights, dtype=torch.float64)

    def apply(self, code: Float[Tensor, "*batch r"]) -> Float[Tensor, "*batch n 3"]:
        rest, handles, weights = self._columns
        maps = code.unflatten(-1, (-1, 3, 4))
        moved = code.new_zeros(*code.shape[:-1], len(rest), 3)
        for handle, weight in zip(handles.T, weights.T, strict=True):
            moved = moved + weight[:, None] * torch.einsum("...nij,nj->...ni", maps[..., handle, :, :], rest)
        return moved

    @cached_property
    def matrix(self) -> sparse.csr_matrix:
        """B for one coordinate axis, (n, 4h): row i holds w_ic (X_i, 1) in the columns of handle h(i, c)."""
        n, c = self.skin.handles.shape
        values = self.skin.weights[:, :, None] * np.c_[self.shape.vertices, np.ones(n)][:, None, :]
        columns = 4 * self.skin.handles[:, :, None] + np.arange(4)
        rows = np.repeat(np.arange(n), 4 * c)
        return sparse.csr_matrix(
            (values.ravel(), (rows, columns.ravel())), shape=(n, 4 * len(self.skin.names))
        )

    def at(self, mix: sparse.csr_matrix) -> Callable[[Tensor], Tensor]:
        """Points Σ_v mix_sv x_v of the surface as a dense map of the code."""
        basis = torch.tensor(sparse.csr_matrix(mix @ self.matrix).toarray())

        def points(code: Float[Tensor, "*batch r"]) -> Float[Tensor, "*batch s 3"]:
            maps = code.unflatten(-1, (-1, 3, 4)).transpose(-2, -3).flatten(-2)  # *batch 3 4h
            return basis @ maps.transpose(-1, -2)

        return points

    def gram(self, mass: Float[Tensor, " n"]) -> Float[Tensor, "r r"]:
        """Bᵀ m B: the three axes are independent, so the (4h, 4h) block of one axis appears three times."""
        matrix = self.matrix
        block = (matrix.T @ sparse.diags(mass.numpy(force=True)) @ matrix).toarray()
        handles = len(self.skin.names)
        blocks = torch.tensor(block).reshape(handles, 4, handles, 4)
        full = torch.einsum("hakb,ij->hiakjb", blocks, torch.eye(3, dtype=blocks.dtype))
        return full.reshape(12 * handles, 12 * handles)

    def by_axis(self, codes: Float[Array, "*rows r"]) -> Float[Array, "*rows 3 m"]:
        return skin_by_axis(codes)

    def point_columns(self, mix: sparse.csr_matrix, size: int) -> Float[Tensor, "m p"]:
        return torch.tensor(sparse.csr_matrix(mix @ self.matrix).toarray().T)

    def moments(self, mass: Float[Tensor, " n"]) -> tuple[Float[Tensor, "m m"], Float[Tensor, "3 3 m"]]:
        gram, first = _SkinSums.apply(mass, self.matrix)  # pyright: ignore
        return gram, torch.eye(3, dtype=torch.float64)[:, :, None] * first

    def rig(self, codes: Float[Tensor, "frames r"]) -> Rig:
        return Rig(self.skin, codes.reshape(len(codes), -1, 3, 4).numpy(force=True))


class _SkinSums(torch.autograd.Function):
    """Nᵀ m N and Nᵀ m for the sparse rows N of a skin; linear in m, so its gradient is Σ N ∂G Nᵀ by row."""

    @staticmethod
    def forward(ctx, mass: Tensor, matrix: sparse.csr_matrix) -> tuple[Tensor, Tensor]:  # pyright: ignore
        ctx.matrix = matrix
        weight = mass.numpy(force=True)
        gram = (matrix.T @ sparse.diags(weight) @ matrix).toarray()
        return torch.tensor(gram), torch.tensor(matrix.T @ weight)

    @staticmethod
    def backward(ctx, gram: Tensor, first: Tensor) -> tuple[Tensor, None]:  # pyright: ignore
        by_row = ctx.matrix.multiply(ctx.matrix @ gram.numpy()).sum(1)
        return torch.tensor(np.asarray(by_row)[:, 0] + ctx.matrix @ first.numpy()), None
