"""Semi-implicit (symplectic) Euler: order one, one evaluation of forces per step."""

from __future__ import annotations

from neurok.dynamics.equations_of_motion import System, acceleration, balance
from neurok.dynamics.state import Mask, State, Step, is_finite, work_and_dissipation


def semi_implicit(system: System, state: State, h: float, live: Mask) -> Step:
    """v' = v + h q̈(q, v), q' = q + h v'."""
    found = balance(system, state.jets, state.time, state.q, state.v)
    v = state.v + h * acceleration(found)
    work, dissipation = work_and_dissipation(found, (state.v + v) / 2, h)
    return Step(state.q + h * v, v, None, work, dissipation, h * state.impact_power, is_finite(v))
