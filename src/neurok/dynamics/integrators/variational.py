"""The variational midpoint rule: order two, implicit, symplectic; energy errors stay bounded."""

from __future__ import annotations

from typing import Any

from jaxtyping import Float

from neurok.dynamics.equations_of_motion import System, impact_power
from neurok.dynamics.newton import Midpoint, solve_midpoint
from neurok.dynamics.state import Mask, State, Step, work_and_dissipation
from neurok.dynamics.term import NONE
from neurok.geometry.arrays import Array, namespace

RINGING_DAMPING = 3.0  # h/2 D over M above which the rule would reverse a motion that damping ends in a step


def variational(system: System, state: State, h: float, live: Mask) -> Step:
    """The midpoint rule of discrete mechanics (Marsden and West 2001, §2.3), implicit and symplectic.

    L_d = h L(q̄, v̄) with q̄ = q + h v̄/2, v̄ = (q' − q)/h. Discrete Euler–Lagrange in momenta: M(q̄) v̄ = p + h/2 F
    and p' = p + h F = 2 M(q̄) v̄ − p, with F = ∂T/∂q + Q at the midpoint. Newton's method finds v̄.
    """
    predicted = predictions(state, h)
    found = solve_midpoint(system, state.jets, state.time, state.q, state.momentum, predicted, h, live)
    work, dissipation = work_and_dissipation(found.balance, found.v, h)
    impact = h * impact_power(system, found.balance.now)
    momentum = 2 * found.momentum - state.momentum
    momentum, stopped = _without_ringing(state, found, momentum, h)
    return Step(state.q + h * found.v, None, momentum, work, dissipation + stopped, impact, found.solved)


def _without_ringing(state: State, found: Midpoint, momentum: Array, h: float) -> tuple[Array, Any]:
    """The momentum after a step, and the energy lost if the rule would reverse a motion that ends.

    If damping ends a motion within a step, as in sticking or resting against a wall, v̄ is right, but v' = 2
    v̄ − v would change its sign in every step. This is the case if the change v̄ − v opposes that of the last
    step and h/2 D exceeds RINGING_DAMPING times M along it. Then v' = v̄, and the energy difference is lost.
    """
    damping, mass = found.balance.load.damping, found.balance.now.mass
    if damping is NONE:
        return momentum, 0.0
    turn = found.v - state.v
    weighed = (mass @ turn[..., None])[..., 0]
    resisted = 0.5 * h * ((damping @ turn[..., None])[..., 0] * turn).sum(-1)
    reversed_ = (weighed * state.acceleration).sum(-1) < 0
    rings = reversed_ & (resisted > RINGING_DAMPING * (weighed * turn).sum(-1))
    more = (0.5 * weighed * turn).sum(-1) + (found.momentum * turn).sum(-1)  # T(2 v̄ − v) − T(v̄)
    xp = namespace(turn)
    return xp.where(rings[:, None], found.momentum, momentum), xp.where(rings, more, 0 * more)


def predictions(state: State, h: float) -> tuple[Float[Array, "b k"], Float[Array, "b k"]]:
    """Two predictions of the next midpoint velocity: for a smooth motion, and the last one.

    The first is v + h/2 q̈ plus its expected error. Errors of a smooth motion are smooth, and a parabola
    through the last three leaves O(h⁵).
    """
    velocity = state.v + 0.5 * h * state.acceleration
    last = state.v - 0.5 * state.last_step * state.acceleration
    if h != state.last_step:
        return velocity, last
    newest, middle, oldest = state.prediction_errors
    return velocity + 3 * (newest - middle) + oldest, last
