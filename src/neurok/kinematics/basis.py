"""`Basis`: the linear half of the map from coordinates to vertices, x = B c."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol, runtime_checkable

import torch
from jaxtyping import Float
from scipy import sparse
from torch import Tensor

from neurok.geometry.arrays import Array
from neurok.sequences import Rig, Skin


@runtime_checkable
class Basis(Protocol):
    """A linear map from a small code c ∈ R^r to all n vertices: x = B c.

    Codes are laid out as `a` rows of `m` columns, r = a m. A skin treats the three axes alike: a = 3, and one
    matrix maps each row to one axis of the vertices. Any other basis has a = 1 and m = r, the defaults.
    """

    skin: Skin | None = None  # handles and weights, where the basis is a skin

    def apply(self, code: Float[Tensor, "*batch r"]) -> Float[Tensor, "*batch n 3"]:
        """x = B c."""
        ...

    def gram(self, mass: Float[Tensor, " n"]) -> Float[Tensor, "r r"]:
        """Bᵀ m B over all vertices.

        It is computed once. The cost of M(q) = (∂c/∂q)ᵀ (Bᵀ m B) (∂c/∂q) then does not grow with the mesh.
        """
        ...

    def at(self, mix: sparse.csr_matrix) -> Callable[[Tensor], Tensor]:
        """A map from codes to the points Σ_v mix_sv x_v alone, (*batch, s, 3).

        Its cost does not grow with the mesh.
        """
        ...

    def by_axis(self, codes: Float[Array, "*rows r"]) -> Float[Array, "*rows a m"]:
        """Codes as rows of the layout above."""
        return codes[..., None, :]

    def point_columns(self, mix: sparse.csr_matrix, size: int) -> Float[Tensor, "m p"]:
        """The matrix P with `by_axis(c) @ P` = the points Σ_v mix_sv x_v, axis after axis; r = `size`."""
        return self.at(mix)(torch.eye(size, dtype=torch.float64)).transpose(1, 2).flatten(1)

    def moments(self, mass: Float[Tensor, " n"]) -> tuple[Float[Tensor, "m m"], Float[Tensor, "3 a m"]]:
        """G with Σ m |ẋ|² = ċ · G ċ for each row of ċ, and S with Σ m x_i = Σ S_i c."""
        gram, weight = self.gram(mass), sparse.csr_matrix(mass.numpy(force=True)[None])
        moment = self.at(weight)(torch.eye(len(gram), dtype=torch.float64))[:, 0].T
        return gram, moment[:, None]

    def rig(self, codes: Float[Tensor, "frames r"]) -> Rig | None:
        """Poses of the handles over time; None where there are no handles."""
        return None
