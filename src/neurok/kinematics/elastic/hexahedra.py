"""Linear elasticity on a grid of bricks, without units: Young's modulus, density and longest side are 1."""

from __future__ import annotations

from functools import cache

import numpy as np
from jaxtyping import Float, Int
from scipy import sparse

from neurok.shapes.voxels import CORNERS, Voxels, trilinear

Array = np.ndarray
GAUSS = 0.5 + (CORNERS - 0.5) / np.sqrt(3)  # 2 × 2 × 2 points in the unit cell: exact for cubic polynomials


def stiffness_matrix(voxels: Voxels, poisson_ratio: float) -> sparse.csc_matrix:
    """K over (node, axis): every brick is alike, so one 24 × 24 matrix, scaled by the stiffness share."""
    return _assemble(voxels.corner, brick_stiffness(tuple(voxels.size), poisson_ratio), voxels.stiffness)


def mass_matrix(voxels: Voxels) -> sparse.csc_matrix:
    """M over (node, axis), consistent with the displacement inside the bricks: Σ_gauss m Nᵀ N."""
    shape_functions = trilinear(GAUSS)
    one_axis = shape_functions.T @ shape_functions * (np.prod(voxels.size) / 8)
    return _assemble(voxels.corner, np.kron(one_axis, np.eye(3)), voxels.fill)


@cache
def brick_stiffness(size: tuple[float, float, float], poisson_ratio: float) -> Float[Array, "24 24"]:
    """Stiffness of one brick with Wilson's incompatible modes, which let a single layer of bricks bend.

    Plain trilinear bricks answer bending by shear and are far too stiff. The displacement gains
    Σ_a α_a (1 − ξ_a²) per axis; the α are inside the brick only and are eliminated:
    K = K_uu − K_uα K_αα⁻¹ K_αu.
    """
    elasticity = isotropic_elasticity(poisson_ratio)
    step = np.asarray(size)
    whole = np.zeros((33, 33))
    for place in GAUSS:
        gradient = np.concatenate([_corner_gradients(place) / step, -4 * np.diag(2 * place - 1) / step])
        strain = strain_matrix(gradient)
        whole += strain.T @ elasticity @ strain * (np.prod(step) / 8)
    coupling = whole[24:, :24]
    return whole[:24, :24] - coupling.T @ np.linalg.solve(whole[24:, 24:], coupling)


def isotropic_elasticity(poisson_ratio: float) -> Float[Array, "6 6"]:
    """σ = C ε for E = 1, in the order xx, yy, zz, yz, zx, xy with engineering shear."""
    shear = 1 / (2 * (1 + poisson_ratio))
    lame = poisson_ratio / ((1 + poisson_ratio) * (1 - 2 * poisson_ratio))
    matrix = np.diag([2 * shear] * 3 + [shear] * 3)
    matrix[:3, :3] += lame
    return matrix


def strain_matrix(gradient: Float[Array, "f 3"]) -> Float[Array, "6 d"]:
    """B with ε = B u, for functions of the given gradients; u is ordered (function, axis)."""
    strain = np.zeros((6, len(gradient), 3))
    for axis in range(3):
        strain[axis, :, axis] = gradient[:, axis]
        a, b = (axis + 1) % 3, (axis + 2) % 3
        strain[3 + axis, :, a], strain[3 + axis, :, b] = gradient[:, b], gradient[:, a]
    return strain.reshape(6, -1)


def _corner_gradients(place: Float[Array, "3"]) -> Float[Array, "8 3"]:
    """Gradients of the trilinear functions in the unit cell."""
    factor = np.where(CORNERS, place, 1 - place)
    sign = 2.0 * CORNERS - 1
    return np.stack([sign[:, k] * np.delete(factor, k, axis=1).prod(1) for k in range(3)], axis=1)


def _assemble(
    corner: Int[Array, "c 8"], brick: Float[Array, "24 24"], scale: Float[Array, " c"]
) -> sparse.csc_matrix:
    freedom = (3 * corner[:, :, None] + np.arange(3)).reshape(-1, 24)
    count = 3 * (int(corner.max()) + 1)
    values = scale[:, None, None] * brick
    rows, columns = np.repeat(freedom, 24, axis=1), np.tile(freedom, (1, 24))
    return sparse.csc_matrix((values.ravel(), (rows.ravel(), columns.ravel())), shape=(count, count))
