"""A hand that holds a point by a spring: as strong as it takes to move just what hangs on that point."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from jaxtyping import Float

from neurok.dynamics.integrators import State
from neurok.dynamics.system import System, balance
from neurok.studio.stage import Stage

Array = np.ndarray
PULSE = 2 * math.pi * 3.0  # rad/s: a point with its share of mass swings at 3 Hz in the hand
STRONG = 4.0  # times what would move a point that springs hold half of the way
REACH = 0.6  # radii that the hand may be ahead of its point
HASTE = 0.35  # share of the way to where it is wanted that it goes in a step: a mouse jumps, a hand does not


@dataclass(frozen=True, eq=False)
class Hand:
    """Where it holds, where it wants to be, and its spring and damper."""

    vertex: int
    target: Float[Array, "3"]  # in the file's coordinates
    stiffness: float  # N/m
    damping: float  # N·s/m


def hand_at(stage: Stage, system: System, state: State, vertex: int) -> Hand:
    """A hand where a vertex is now: k = 4 ω²/w with w the largest eigenvalue of J (M + K/ω²)⁻¹ Jᵀ.

    A free point follows at the frequency 2 ω; one that springs hold, with a compliance J K⁻¹ Jᵀ of at least
    w/ω², gives way most easily by at least four fifths of what it is pulled.
    """
    found = balance(system, state.jets, state.time, state.q, state.v)
    k = state.q.shape[1]
    stiffness = np.broadcast_to(found.load.stiffness, (1, k, k))[0]
    inertia = found.now.mass[0] + _symmetric(stiffness) / PULSE**2
    x, ways = _point(stage, found.now.jet, vertex)
    mobility = ways.T @ np.linalg.solve(inertia, ways)
    share = 1 / max(float(np.linalg.eigvalsh(mobility)[-1]), 1e-9 / stage.scene.total_mass)  # kg
    share = min(share, stage.scene.total_mass)
    return Hand(vertex, x / stage.scene.metres, STRONG * share * PULSE**2, 2 * STRONG**0.5 * share * PULSE)


def _symmetric(matrix: Float[Array, "k k"]) -> Float[Array, "k k"]:
    """The part that resists: symmetric, without negative eigenvalues."""
    values, axes = np.linalg.eigh((matrix + matrix.T) / 2)
    return (axes * values.clip(0)) @ axes.T


def _point(stage: Stage, jet, vertex: int) -> tuple[Float[Array, "3"], Float[Array, "k 3"]]:
    """x in metres and ∂x/∂q of one vertex."""
    row = stage.kinematics.basis.matrix[vertex].toarray()[0] * stage.scene.metres  # pyright: ignore
    return jet.code[0] @ row, jet.slope[0] @ row
