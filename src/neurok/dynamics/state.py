"""The state of a simulation between steps: coordinates, momenta, and energy totals."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from jaxtyping import Bool, Float

from neurok.dynamics.equations_of_motion import (
    Balance,
    System,
    impact_power,
    instant,
    potential,
    solve,
)
from neurok.geometry.arrays import Array, namespace
from neurok.kinematics.jets.jet import Jets

Mask = Bool[np.ndarray, " b"]  # one truth value per scenario


class State(NamedTuple):
    """Scenarios at one time. Coordinates are those of `jets`: a free root is recentred after every step."""

    time: float
    jets: Jets
    last_step: float  # s; 0 at the start
    q: Float[Array, "b k"]
    v: Float[Array, "b k"]
    momentum: Float[Array, "b k"]  # M v
    acceleration: Float[Array, "b k"]  # q̈ over the last half step, from which the next velocity is predicted
    prediction_errors: Float[Array, "3 b k"]  # of the last three such predictions, newest first
    kinetic: Float[Array, " b"]  # J
    potential: Float[Array, " b"]
    work: Float[Array, " b"]  # of external forces since the start, J
    dissipation: Float[Array, " b"]  # since the start, J
    contact_energy: Float[Array, " b"]  # stored in contacts, J
    impact_power: Float[Array, " b"]  # rate at which contacts dissipate, W


class Step(NamedTuple):
    """The end of a step before the state there is evaluated: q, and velocity or momentum."""

    q: Float[Array, "b k"]
    v: Float[Array, "b k"] | None
    momentum: Float[Array, "b k"] | None
    work: Float[Array, " b"]
    dissipation: Float[Array, " b"]
    impact_loss: Float[Array, " b"]  # energy that impacts dissipated by the rule of the step, J
    solved: Bool[Array, " b"]


def initial_state(system: System, time: float, q: Array, v: Array) -> State:
    """The state of given coordinates and velocities."""
    zero = 0 * q[:, 0]
    jets, q, v, _ = _recentred(system.jets, q, v, None)
    return _evaluated(system, jets, time, q, v, None, zero, zero)


def state_after(system: System, state: State, step: Step, h: float) -> State:
    """The state at the end of a step."""
    jets, q, v, momentum = _recentred(state.jets, step.q, step.v, step.momentum)
    work, dissipation = state.work + step.work, state.dissipation + step.dissipation
    ended = _evaluated(system, jets, state.time + h, q, v, momentum, work, dissipation)
    middle = (step.q - state.q) / h
    missed = (middle - state.v - 0.5 * h * state.acceleration)[None]
    known = (
        state.prediction_errors[:2] if h == state.last_step else namespace(q).concatenate([missed, missed])
    )
    errors = namespace(q).concatenate([missed, known])
    return ended._replace(last_step=h, acceleration=(ended.v - middle) * (2 / h), prediction_errors=errors)


def _evaluated(system, jets, time, q, v, momentum, work, dissipation) -> State:
    now = instant(system, jets, time, q, v, momentum)
    if momentum is None:
        momentum = (now.mass @ now.v[..., None])[..., 0]
    kinetic, stored = 0.5 * (momentum * now.v).sum(-1), potential(system, now)
    pressed, impact = potential(system, now, only_impacts=True), impact_power(system, now)
    none = namespace(q).zeros((3, *q.shape), dtype=q.dtype)
    return State(
        time, jets, 0.0, q, now.v, momentum, 0 * q, none, kinetic, stored, work, dissipation, pressed, impact
    )


def _recentred(jets: Jets, q: Array, v: Array | None, momentum: Array | None) -> tuple[Jets, Array, Any, Any]:
    """Coordinates about the present pose: no rotation vector comes near 2π, where it is singular."""
    jets, q, blocks = jets.recentred(q)
    for first, D in blocks:
        v, momentum = _turned(v, momentum, first, D)
    return jets, q, v, momentum


def _turned(v: Array | None, momentum: Array | None, first: int, D: Float[Array, "b 3 3"]) -> tuple[Any, Any]:
    """Rates of a rotation vector in other coordinates, v' = D v, and their momenta, p' = D⁻ᵀ p."""

    def put(x: Array, own: Array) -> Array:
        return namespace(x).concatenate([x[:, :first], own, x[:, first + 3 :]], -1)

    rows = slice(first, first + 3)
    return (
        None if v is None else put(v, (D @ v[:, rows, None])[..., 0]),
        None if momentum is None else put(momentum, solve(D.swapaxes(1, 2), momentum[:, rows])),
    )


def work_and_dissipation(found: Balance, v: Float[Array, "b k"], h: float) -> tuple[Any, Any]:
    """Work of external forces and dissipation over a step at velocity v."""
    forces = (found.load.external + 0 * v, found.load.dissipative + 0 * v)
    work, heat = (h * (force * v).sum(-1) for force in forces)
    return work, -heat


def is_finite(v: Float[Array, "b k"]) -> Bool[Array, " b"]:
    return namespace(v).isfinite(v).all(-1)


def merged(mask: Mask, a: State, b: State) -> State:
    """Scenario by scenario, a where the mask holds, else b."""
    if mask.all():
        return a
    xp = namespace(a.q)
    mask = xp.asarray(mask)

    def pick(x: Any, y: Any) -> Any:
        rows = (1, -1, 1) if x.ndim == 3 else (-1, *[1] * (x.ndim - 1))
        return xp.where(mask.reshape(rows), x, y)

    jets = a.jets.merged(b.jets, pick)
    last_step = a.last_step if a.last_step == b.last_step else 0.0
    return State(a.time, jets, last_step, *(pick(x, y) for x, y in zip(a[3:], b[3:], strict=True)))
