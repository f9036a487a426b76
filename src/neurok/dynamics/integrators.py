"""One step of time, by name: state in, state out, with what became of the energy."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from jaxtyping import Bool, Float

from neurok.dynamics.newton import Midpoint, solve_step
from neurok.dynamics.system import (
    Balance,
    System,
    acceleration,
    balance,
    impact_power,
    instant,
    potential,
    solve,
)
from neurok.dynamics.terms import NONE
from neurok.geometry.arrays import Array, namespace
from neurok.kinematics.jets.jet import Jets

INSIDE = 1e-6  # of a step
RINGS = 3.0  # times what moves: damping over half a step that leaves less than half of a motion, turned round
Mask = Bool[np.ndarray, " b"]  # scenarios that a step is wanted of


class State(NamedTuple):
    """Scenarios at one time. Coordinates are those of `jets`: a free root is recentred after every step."""

    time: float
    jets: Jets
    before: float  # s, the length of the last step; 0 at the start
    q: Float[Array, "b k"]
    v: Float[Array, "b k"]
    momentum: Float[Array, "b k"]  # M v
    change: Float[Array, "b k"]  # q̈ over the last half step, from which the next step guesses its velocity,
    misses: Float[Array, "3 b k"]  # and what such guesses missed in the last steps, newest first
    kinetic: Float[Array, " b"]  # J
    potential: Float[Array, " b"]
    given: Float[Array, " b"]  # work of outer forces since the start, J
    lost: Float[Array, " b"]  # dissipation since the start, J
    pressed: Float[Array, " b"]  # energy stored in contacts, J
    impact: Float[Array, " b"]  # rate at which they dissipate, W


class Step(NamedTuple):
    """Where a step ended, before the state there is known: q, and velocity or momentum."""

    q: Float[Array, "b k"]
    v: Float[Array, "b k"] | None
    momentum: Float[Array, "b k"] | None
    given: Float[Array, " b"]
    lost: Float[Array, " b"]
    impact: Float[Array, " b"]  # what impacts dissipated by the rule of the step, J
    solved: Bool[Array, " b"]


def variational(system: System, state: State, h: float, live: Mask) -> Step:
    """The midpoint rule of discrete mechanics (Marsden and West 2001, §2.3), implicit and symplectic.

    L_d = h L(q̄, v̄) with q̄ = q + h v̄/2, v̄ = (q' − q)/h. Discrete Euler–Lagrange in momenta: M(q̄) v̄ = p + h/2 F
    and p' = p + h F = 2 M(q̄) v̄ − p, with F = ∂T/∂q + Q at the midpoint. Newton's method finds v̄.
    """
    found = solve_step(system, state.jets, state.time, state.q, state.momentum, guesses(state, h), h, live)
    given, lost = _work(found.balance, found.v, h)
    impact = h * impact_power(system, found.balance.now)
    momentum = 2 * found.momentum - state.momentum
    momentum, stopped = _without_ringing(state, found, momentum, h)
    return Step(state.q + h * found.v, None, momentum, given, lost + stopped, impact, found.solved)


def _without_ringing(state: State, found: Midpoint, momentum: Array, h: float) -> tuple[Array, Any]:
    """The momentum after a step, and what was lost where a motion stopped that the rule would turn round.

    Where damping ends a motion within a step, as when something sticks or rests against a wall, v̄ is right
    and v' = 2 v̄ − v is not: it would turn round in every step. That is so where the change v̄ − v is against
    that of the last step, and h/2 D is a few times M along it; then v' = v̄, and the energy between is lost.
    """
    damping, mass = found.balance.load.damping, found.balance.now.mass
    if damping is NONE:
        return momentum, 0.0
    turn = found.v - state.v
    weighed = (mass @ turn[..., None])[..., 0]
    resisted = 0.5 * h * ((damping @ turn[..., None])[..., 0] * turn).sum(-1)
    rings = ((weighed * state.change).sum(-1) < 0) & (resisted > RINGS * (weighed * turn).sum(-1))
    more = (0.5 * weighed * turn).sum(-1) + (found.momentum * turn).sum(-1)  # T(2 v̄ − v) − T(v̄)
    xp = namespace(turn)
    return xp.where(rings[:, None], found.momentum, momentum), xp.where(rings, more, 0 * more)


def guesses(state: State, h: float) -> tuple[Float[Array, "b k"], Float[Array, "b k"]]:
    """The next midpoint velocity, of a smooth motion and of one that hardly moves: the last one.

    v + h/2 q̈, and what that will miss as far as the last three misses tell: along a smooth motion misses are
    smooth too, so that a parabola through them leaves O(h⁵).
    """
    velocity, last = state.v + 0.5 * h * state.change, state.v - 0.5 * state.before * state.change
    if h != state.before:
        return velocity, last
    newest, middle, oldest = state.misses
    return velocity + 3 * (newest - middle) + oldest, last


def semi_implicit(system: System, state: State, h: float, live: Mask) -> Step:
    """Symplectic Euler in velocities: v' = v + h q̈(q, v), q' = q + h v'."""
    found = balance(system, state.jets, state.time, state.q, state.v)
    v = state.v + h * acceleration(found)
    given, lost = _work(found, (state.v + v) / 2, h)
    return Step(state.q + h * v, v, None, given, lost, h * state.impact, _finite(v))


def rk4(system: System, state: State, h: float, live: Mask) -> Step:
    """The classical Runge–Kutta method of order four.

    Its first and last stages look just inside the step: a push that ends with it acts on all of it.
    """
    q, v, sums = state.q, state.v, []
    stage = balance(system, state.jets, state.time + INSIDE * h, q, v)
    for ahead, weight in ((0.5, 1.0), (0.5, 2.0), (1.0, 2.0), (0.0, 1.0)):
        rate, change = stage.now.v, acceleration(stage)
        sums.append(
            [
                weight / 6 * x
                for x in (rate, change, *_work(stage, rate, h), h * impact_power(system, stage.now))
            ]
        )
        if len(sums) < 4:
            time = state.time + min(ahead, 1 - INSIDE) * h
            stage = balance(system, state.jets, time, q + ahead * h * rate, v + ahead * h * change)
    rate, change, given, lost, impact = (sum(column) for column in zip(*sums, strict=True))
    ended = v + h * change
    return Step(q + h * rate, ended, None, given, lost, impact, _finite(ended))


INTEGRATORS: dict[str, Callable[[System, State, float, Mask], Step]] = {
    "variational": variational,
    "rk4": rk4,
    "semi-implicit": semi_implicit,
}


def begin(system: System, time: float, q: Array, v: Array) -> State:
    """The state of given coordinates and velocities."""
    zero = 0 * q[:, 0]
    jets, q, v, _ = _recentred(system.jets, q, v, None)
    return _arrive(system, jets, time, q, v, None, zero, zero)


def finish(system: System, state: State, step: Step, h: float) -> State:
    """The state where a step ended."""
    jets, q, v, momentum = _recentred(state.jets, step.q, step.v, step.momentum)
    given, lost = state.given + step.given, state.lost + step.lost
    ended = _arrive(system, jets, state.time + h, q, v, momentum, given, lost)
    middle = (step.q - state.q) / h
    missed = (middle - state.v - 0.5 * h * state.change)[None]
    known = state.misses[:2] if h == state.before else namespace(q).concatenate([missed, missed])
    misses = namespace(q).concatenate([missed, known])
    return ended._replace(before=h, change=(ended.v - middle) * (2 / h), misses=misses)


def _arrive(system, jets, time, q, v, momentum, given, lost) -> State:
    now = instant(system, jets, time, q, v, momentum)
    if momentum is None:
        momentum = (now.mass @ now.v[..., None])[..., 0]
    kinetic, stored = 0.5 * (momentum * now.v).sum(-1), potential(system, now)
    pressed, impact = potential(system, now, only_impacts=True), impact_power(system, now)
    none = namespace(q).zeros((3, *q.shape), dtype=q.dtype)
    return State(
        time, jets, 0.0, q, now.v, momentum, 0 * q, none, kinetic, stored, given, lost, pressed, impact
    )


def _recentred(jets: Jets, q: Array, v: Array | None, momentum: Array | None) -> tuple[Jets, Array, Any, Any]:
    """Coordinates about where the object is now: no rotation vector comes near 2π, where it is singular."""
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


def _work(found: Balance, v: Float[Array, "b k"], h: float) -> tuple[Any, Any]:
    """Work of the outer forces and dissipation over a step at velocity v."""
    given, lost = (h * (x * v).sum(-1) for x in (found.load.given + 0 * v, found.load.lost + 0 * v))
    return given, -lost


def _finite(v: Float[Array, "b k"]) -> Bool[Array, " b"]:
    return namespace(v).isfinite(v).all(-1)


def chosen(mask: Mask, a: State, b: State) -> State:
    """Scenario by scenario, a where the mask holds, else b."""
    xp = namespace(a.q)
    mask = xp.asarray(mask)

    def pick(x: Any, y: Any) -> Any:
        rows = (1, -1, 1) if x.ndim == 3 else (-1, *[1] * (x.ndim - 1))
        return xp.where(mask.reshape(rows), x, y)

    before = a.before if a.before == b.before else 0.0
    return State(
        a.time, a.jets.merged(b.jets, pick), before, *(pick(x, y) for x, y in zip(a[3:], b[3:], strict=True))
    )
