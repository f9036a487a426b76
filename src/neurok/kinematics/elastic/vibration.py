"""Lowest vibration modes of a body of cells: K φ = λ M φ."""

from __future__ import annotations

import numpy as np
from jaxtyping import Bool, Float, Int
from scipy import sparse
from scipy.sparse.linalg import splu

from neurok.kinematics.elastic.hexahedra import mass_matrix, stiffness_matrix
from neurok.shapes.voxels import Voxels

Array = np.ndarray
GUARD_VECTORS = 6  # in the block beyond the requested modes
TOLERANCE = 1e-6  # relative change of eigenvalues at which the iteration ends
MAX_BLOCKS = 12
DEGENERATE_GAP = 1e-3  # relative gap below which eigenvalues count as one


def vibration_modes(
    voxels: Voxels, poisson_ratio: float, count: int, fixed: Bool[Array, " k"], seed: int
) -> tuple[Float[Array, " m"], Float[Array, "m k 3"]]:
    """The `count` lowest eigenvalues λ (without units) and modes of a body whose `fixed` nodes do not move.

    Modes are normalised: φᵀ M φ = 1. The six rigid motions of a free body are left out. A small body may have
    fewer modes.
    """
    stiffness, mass = stiffness_matrix(voxels, poisson_ratio), mass_matrix(voxels)
    order = _dissection(voxels.nodes, np.flatnonzero(~fixed))
    freedom = (3 * order[:, None] + np.arange(3)).ravel()
    stiffness, mass = stiffness[freedom][:, freedom], mass[freedom][:, freedom]
    rigid = np.zeros((len(freedom), 0)) if fixed.any() else _rigid_motions(voxels.nodes[order])
    values, vectors = _lowest(stiffness, mass, rigid, voxels.nodes[order], count, seed)
    vectors = _canonical(values, vectors, mass, voxels.nodes[order])
    modes = np.zeros((len(values), len(voxels.nodes), 3))
    modes[:, order] = vectors.T.reshape(len(values), -1, 3)
    return values, modes


def _lowest(
    stiffness: sparse.csc_matrix,
    mass: sparse.csc_matrix,
    rigid: Float[Array, "d r"],
    nodes: Float[Array, "k 3"],
    count: int,
    seed: int,
) -> tuple[Float[Array, " m"], Float[Array, "d m"]]:
    """Block Krylov iteration with (K − σM)⁻¹ M outside the rigid motions; σ < 0 where K alone is singular.

    Each step adds a block of vectors to the space and solves the small problem in it. A block is needed
    because symmetric objects have equal eigenvalues, of which an iteration with one vector finds only one.
    """
    size = len(rigid)
    space = _orthonormal(np.zeros((size, 0)), rigid, mass)
    still = space.shape[1]
    shift = -0.1 * _lowest_of_polynomials(stiffness, mass, space, nodes) if still else 0.0
    factor = splu(
        (stiffness - shift * mass).tocsc(),
        permc_spec="NATURAL",  # the nodes are already ordered by dissection
        diag_pivot_thresh=0.0,
        options={"SymmetricMode": True},
    )
    count = min(count, size - still)
    block = np.random.default_rng(seed).standard_normal((size, min(count + GUARD_VECTORS, size - still)))
    values = np.full(count, np.inf)
    rounding = 1e-16 * stiffness.diagonal().sum() / mass.diagonal().sum()
    for _ in range(MAX_BLOCKS):
        block = _orthonormal(space, factor.solve(mass @ block), mass)
        space = np.c_[space, block]
        elastic = space[:, still:]
        before, (values, turn) = values, np.linalg.eigh(elastic.T @ (stiffness @ elastic))
        change = np.abs(values[:count] - before[: len(values[:count])])
        if (change <= TOLERANCE * values[:count] + rounding).all() or not block.shape[1]:
            break
    return values[:count], elastic @ turn[:, :count]


def _orthonormal(space: Float[Array, "d s"], block: Float[Array, "d b"], mass: sparse.csc_matrix) -> Array:
    """The block made M-orthogonal to the space and within itself; directions that vanish are dropped."""
    for _ in range(2):  # the second pass removes rounding errors
        block = block - space @ (space.T @ (mass @ block))
        gram = block.T @ (mass @ block)
        scale = 1 / np.sqrt(np.maximum(gram.diagonal(), np.finfo(float).tiny))
        value, vector = np.linalg.eigh(gram * scale[:, None] * scale)
        kept = value > 1e-12
        block = block @ (scale[:, None] * vector[:, kept] / np.sqrt(value[kept]))
    return block


def _rigid_motions(nodes: Float[Array, "k 3"]) -> Float[Array, "d 6"]:
    """Three translations, and three rotations about the centre."""
    eye = np.eye(3)
    centred = nodes - nodes.mean(0)
    shifts = [np.tile(axis, (len(nodes), 1)) for axis in eye]
    return np.stack([*shifts, *[np.cross(axis, centred) for axis in eye]]).reshape(6, -1).T


def _lowest_of_polynomials(
    stiffness: sparse.csc_matrix,
    mass: sparse.csc_matrix,
    rigid: Float[Array, "d r"],
    nodes: Float[Array, "k 3"],
) -> float:
    """The lowest Ritz value among quadratic displacements: an upper bound on the lowest eigenvalue."""
    x, y, z = (nodes - nodes.mean(0)).T
    monomials = np.stack([x, y, z, x * x, y * y, z * z, x * y, y * z, z * x], axis=1)
    fields = _orthonormal(rigid, np.einsum("km,ab->kabm", monomials, np.eye(3)).reshape(len(rigid), -1), mass)
    return float(np.linalg.eigvalsh(fields.T @ (stiffness @ fields))[0])


def _dissection(nodes: Float[Array, "k 3"], chosen: Int[Array, " c"], leaf: int = 48) -> Int[Array, " c"]:
    """Nested dissection: both halves first, then the plane of nodes between them, which limits fill-in."""
    if len(chosen) <= leaf:
        return chosen
    place = nodes[chosen]
    along = place[:, np.ptp(place, axis=0).argmax()]
    planes = np.unique(along)
    cut = planes[np.searchsorted(planes, np.median(along)).clip(0, len(planes) - 1)]
    below, above, between = chosen[along < cut], chosen[along > cut], chosen[along == cut]
    if not len(below) and not len(above):
        return chosen
    return np.concatenate([_dissection(nodes, below), _dissection(nodes, above), between])


def _canonical(values: Array, vectors: Array, mass: sparse.csc_matrix, nodes: Float[Array, "c 3"]) -> Array:
    """Fixes the choices that an eigensolver leaves open: rotations among equal eigenvalues, and signs.

    Modes with equal eigenvalues are rotated to the principal axes of the form Σ m (g · u)² with a field g(X)
    without symmetry. The sign of every mode makes Σ m g · u positive.
    """
    centred = nodes - nodes.mean(0)
    field = np.array([1.0, 0.61, 0.37]) + centred @ np.array(
        [[0.9, 0.35, 0.2], [0.15, 0.7, 0.5], [0.45, 0.3, 0.8]]
    )
    result = vectors.copy()
    for group in np.split(
        np.arange(len(values)), np.flatnonzero(np.diff(values) > DEGENERATE_GAP * values[1:]) + 1
    ):
        if len(group) > 1:
            along = np.einsum("nik,ni->nk", vectors[:, group].reshape(len(nodes), 3, -1), field)
            weight = mass.diagonal()[::3]
            _, turn = np.linalg.eigh((along * weight[:, None]).T @ along)
            result[:, group] = vectors[:, group] @ turn[:, ::-1]
    functional = (mass @ field.ravel()) @ result + 1e-3 * (mass @ (field**2).ravel()) @ result
    return result * np.where(functional < 0, -1.0, 1.0)
