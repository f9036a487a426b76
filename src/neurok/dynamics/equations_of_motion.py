"""The equations of motion of one object at one instant: inertia and the sum of all terms.

With x = B c(q), J = ∂c/∂q, G = Bᵀ m B: T = ½ q̇ᵀ M q̇, M = Jᵀ G J, ∂T/∂q_i = J̇_i · G J q̇ where J̇ is J
differentiated along q̇, and Euler–Lagrange reads d/dt (M q̇) = ∂T/∂q + Q, or M q̈ + Jᵀ G J̇ q̇ = Q.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import reduce
from typing import Any, NamedTuple

import numpy as np
import torch
from jaxtyping import Float
from scipy.linalg.lapack import dgesv  # pyright: ignore

from neurok.dynamics.term import Instant, Load, Term
from neurok.geometry.arrays import Array, namespace
from neurok.kinematics.jets.jet import Jets
from neurok.kinematics.mass import Mass


@dataclass(frozen=True, eq=False)
class System:
    """Constants of a simulation. In NumPy arrays it is fast, in tensors it has gradients."""

    jets: Jets
    mass: Mass
    points: Float[Array, "m p"]  # a code's row times this are the points that forces act on, in metres
    terms: tuple[Term, ...]
    added_mass: Float[Array, "k k"]  # in directions that hardly move any mass, see `Body.added_mass`
    energy_scale: float  # J: the weight of the object times its radius


class Balance(NamedTuple):
    """Both sides of Euler–Lagrange at one instant."""

    now: Instant
    load: Load
    momentum: Float[Array, "b k"]  # M v
    kinetic_force: Float[Array, "b k"]  # ∂T/∂q
    inertial: Float[Array, "b k k"]  # Jᵀ G J̇


def instant(
    system: System, jets: Jets, time: float, q: Array, v: Array | None, momentum: Array | None
) -> Instant:
    """The object at q with a velocity or a momentum, without forces and terms of inertia."""
    jet, (b, k) = jets(q, None), q.shape
    flat = jet.slope.reshape(b, k, -1)
    mass = system.mass.times(jet.slope).reshape(b, k, -1) @ flat.swapaxes(1, 2) + system.added_mass
    v = solve(mass, momentum) if v is None else v
    return _with_points(system, time, q, v, jet, mass)


def balance(system: System, jets: Jets, time: float, q: Array, v: Array) -> Balance:
    """The object at q and v with all forces, its momentum and the terms of inertia."""
    jet, (b, k) = jets(q, v), q.shape
    flat, bend = jet.slope.reshape(b, k, -1), jet.bend.reshape(b, k, -1)  # pyright: ignore
    weighed = system.mass.times(jet.slope).reshape(b, k, -1)
    mass = weighed @ flat.swapaxes(1, 2) + system.added_mass
    inertial = weighed @ bend.swapaxes(1, 2)
    now = _with_points(system, time, q, v, jet, mass)
    load = reduce(Load.__add__, (term.load(now) for term in system.terms), Load())
    momentum = (mass @ v[..., None])[..., 0]
    return Balance(now, load, momentum, (v[:, None] @ inertial)[:, 0], inertial)


def acceleration(found: Balance) -> Float[Array, "b k"]:
    """q̈ = M⁻¹ (Q − Jᵀ G J̇ q̇)."""
    force = found.load.force - (found.inertial @ found.now.v[..., None])[..., 0]
    return solve(found.now.mass, force)


def potential(system: System, now: Instant, only_impacts: bool = False) -> Float[Array, " b"]:
    """V of all terms, or of the terms that have impacts."""
    terms = (term for term in system.terms if term.has_impacts or not only_impacts)
    return sum((term.energy(now) for term in terms), 0 * now.q[:, 0])


def impact_power(system: System, now: Instant) -> Float[Array, " b"]:
    """Rate at which impacts dissipate energy, W. Steps must be short enough to resolve it."""
    lost = sum((term.load(now).dissipative for term in system.terms if term.has_impacts), 0 * now.v)
    return -(lost * now.v).sum(-1)


def _with_points(system: System, time: float, q: Array, v: Array, jet, mass: Array) -> Instant:
    xp, (b, k), s = namespace(q), q.shape, system.points.shape[1] * jet.code.shape[1] // 3
    if not s:
        none = q[:, None, :0]
        return Instant(time, q, v, jet, mass, none, none, none[:, None])
    rows = xp.concatenate([jet.code[:, None], jet.slope], 1) @ system.points
    rows = rows.reshape(b, 1 + k, 3, s)
    speed = (v[:, None] @ rows[:, 1:].reshape(b, k, -1)).reshape(b, 3, s)
    return Instant(time, q, v, jet, mass, rows[:, 0], speed, rows[:, 1:])


def solve(matrix: Float[Array, "b k k"], right: Float[Array, "b k"]) -> Any:
    """A⁻¹ r, NaN where A is singular."""
    if isinstance(matrix, torch.Tensor):
        return torch.linalg.solve_ex(matrix, right[..., None])[0][..., 0]
    if len(matrix) == 1 and matrix.size:  # without numpy's wrapper, which costs more
        *_, found, singular = dgesv(matrix[0], right[0])
        return np.full_like(right, np.nan) if singular else found[None]
    try:
        return np.linalg.solve(matrix, right[..., None])[..., 0]
    except np.linalg.LinAlgError:
        rows = [_solve_one(a, r) for a, r in zip(matrix, right, strict=True)]
        return np.stack(rows)


def _solve_one(matrix: np.ndarray, right: np.ndarray) -> np.ndarray:
    try:
        return np.linalg.solve(matrix, right)
    except np.linalg.LinAlgError:
        return np.full_like(right, np.nan)
