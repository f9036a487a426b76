"""Mass of an object as seen from its code: the metric of kinetic energy and the first moment."""

from __future__ import annotations

from dataclasses import dataclass

from jaxtyping import Float
from torch import Tensor

from neurok.geometry.arrays import Array
from neurok.kinematics.basis import Basis


@dataclass(frozen=True, eq=False)
class Mass:
    """Sums over all mass points of x = B c, in kg and metres. Their cost does not depend on the mesh.

    T = ½ Σ m |ẋ|² = ½ ċ · G ċ, and Σ m x = Σ S c. Where the basis keeps axes apart, G is one block that
    serves each axis.
    """

    gram: Float[Array, "m m"]  # G = Bᵀ m B
    moment: Float[Array, "3 a m"]  # S: Σ m x_i = Σ S_i c
    total: Float[Array, ""]

    def times(self, rows: Float[Array, "*rows a m"]) -> Float[Array, "*rows a m"]:
        """G applied to codes."""
        return (rows.reshape(-1, len(self.gram)) @ self.gram).reshape(rows.shape)


def mass_of_points(basis: Basis, mass: Float[Tensor, " n"], metres: float) -> Mass:
    """Mass of points with `mass` kilograms each, moved by a basis in units of `metres`.

    Differentiable in `mass`.
    """
    mass = mass.double()
    gram, moment = basis.moments(mass)
    return Mass(gram * metres**2, moment * metres, mass.sum())
