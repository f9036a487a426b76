"""The mouse spring: a damped spring that holds one vertex, with a stiffness scaled to the mass it moves."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from jaxtyping import Float

from neurok.dynamics.equations_of_motion import System, balance
from neurok.dynamics.state import State
from neurok.studio.stage import Stage

Array = np.ndarray
OMEGA = 2 * math.pi * 3.0  # rad/s: natural frequency of a point on a spring of strength 1
STRENGTH = 4.0  # multiple of the stiffness that moves an elastically held point half of the way
REACH = 0.6  # radii of the shape: largest distance of the spring's end from its vertex
FOLLOW_SHARE = 0.35  # share of the distance to the mouse that the spring's end moves per step; smooths jumps


@dataclass(frozen=True, eq=False)
class MouseSpring:
    """A mouse spring: its vertex, its target, stiffness and damping."""

    vertex: int
    target: Float[Array, "3"]  # in the file's coordinates
    stiffness: float  # N/m
    damping: float  # N·s/m


def mouse_spring_at(stage: Stage, system: System, state: State, vertex: int) -> MouseSpring:
    """A spring at a vertex's current position: k = 4 ω²/w with w the largest eigenvalue of J (M + K/ω²)⁻¹ Jᵀ.

    A free point follows at the frequency 2 ω. An elastically held point, with a compliance J K⁻¹ Jᵀ of at
    least w/ω², moves in its softest direction by at least four fifths of the pull.
    """
    found = balance(system, state.jets, state.time, state.q, state.v)
    k = state.q.shape[1]
    stiffness = np.broadcast_to(found.load.stiffness, (1, k, k))[0]
    inertia = found.now.mass[0] + _symmetric(stiffness) / OMEGA**2
    x, jacobian = _point(stage, found.now.jet, vertex)
    mobility = jacobian.T @ np.linalg.solve(inertia, jacobian)
    share = 1 / max(float(np.linalg.eigvalsh(mobility)[-1]), 1e-9 / stage.body.total_mass)  # kg
    share = min(share, stage.body.total_mass)
    stiffness, damping = STRENGTH * share * OMEGA**2, 2 * STRENGTH**0.5 * share * OMEGA
    return MouseSpring(vertex, x / stage.body.metres, stiffness, damping)


def _symmetric(matrix: Float[Array, "k k"]) -> Float[Array, "k k"]:
    """The symmetric positive semidefinite part of a matrix."""
    values, axes = np.linalg.eigh((matrix + matrix.T) / 2)
    return (axes * values.clip(0)) @ axes.T


def _point(stage: Stage, jet, vertex: int) -> tuple[Float[Array, "3"], Float[Array, "k 3"]]:
    """x in metres and ∂x/∂q of one vertex."""
    row = stage.kinematics.basis.matrix[vertex].toarray()[0] * stage.body.metres  # pyright: ignore
    return jet.code[0] @ row, jet.slope[0] @ row
