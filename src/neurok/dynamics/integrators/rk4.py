"""The classical Runge–Kutta method: order four, explicit, for smooth motions."""

from __future__ import annotations

from neurok.dynamics.equations_of_motion import System, acceleration, balance, impact_power
from neurok.dynamics.state import Mask, State, Step, is_finite, work_and_dissipation

INSIDE = 1e-6  # share of a step by which its first and last stages lie within it
STAGES = ((0.5, 1.0), (0.5, 2.0), (1.0, 2.0), (0.0, 1.0))  # time of the next stage, weight of this one


def rk4(system: System, state: State, h: float, live: Mask) -> Step:
    """y' = y + h/6 (k₁ + 2 k₂ + 2 k₃ + k₄) for y = (q, v).

    The first and the last stage lie just inside the step: a push that ends with it acts on all of it.
    """
    q, v, sums = state.q, state.v, []
    stage = balance(system, state.jets, state.time + INSIDE * h, q, v)
    for ahead, weight in STAGES:
        rate, change = stage.now.v, acceleration(stage)
        losses = (*work_and_dissipation(stage, rate, h), h * impact_power(system, stage.now))
        sums.append([weight / 6 * x for x in (rate, change, *losses)])
        if len(sums) < len(STAGES):
            time = state.time + min(ahead, 1 - INSIDE) * h
            stage = balance(system, state.jets, time, q + ahead * h * rate, v + ahead * h * change)
    rate, change, work, dissipation, impact = (sum(column) for column in zip(*sums, strict=True))
    ended = v + h * change
    return Step(q + h * rate, ended, None, work, dissipation, impact, is_finite(ended))
