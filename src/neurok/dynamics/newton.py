"""The midpoint velocity of a variational step, by Newton's method with line search."""

from __future__ import annotations

from functools import partial
from typing import NamedTuple

import numpy as np
import torch
from jaxtyping import Bool, Float

from neurok.dynamics.system import Balance, System, balance, solve
from neurok.kinematics.arrays import Array, to_numpy
from neurok.kinematics.jets import Jets

TOLERANCE = 2e-5  # of the last step that is taken, relative to v; what is left is a hundredth of it or less
OWN_TOLERANCE = 3e-4  # the same of each coordinate, relative to its own v, and
LEAST_TOLERANCE = 1e-8  # to the v that would hold all kinetic energy
STILL = 1e-4  # kinetic energies below this share of the energy scale count as rest
MOST_ITERATIONS = 60
SHORTEST = 2.0**-12  # of the steps that a line search tries: what slides fast may stick at the end of a step


class Midpoint(NamedTuple):
    v: Float[Array, "b k"]
    momentum: Float[Array, "b k"]  # M(q̄) v
    balance: Balance  # at the last velocity that was looked at
    solved: Bool[Array, " b"]


def solve_step(
    system: System, jets: Jets, time: float, q: Array, momentum: Array, guess: Array, h: float, live: Array
) -> Midpoint:
    """v with r(v) = M(q̄) v − p − h/2 (∂T/∂q + Q) = 0 at q̄ = q + h v/2 and time + h/2.

    Scenarios that are not `live`, and those whose line search finds nothing, do not hold up the others.
    """
    if isinstance(q, torch.Tensor):
        return _differentiable(system, jets, time, q, momentum, guess, h, live)
    look = partial(_look, system, jets, time, q, momentum, h=h)
    here, reach = look(guess), np.ones(len(q))
    for iteration in range(MOST_ITERATIONS):
        scale = (here.found.momentum * here.v).sum(-1) + STILL * system.energy_scale
        done = here.size <= TOLERANCE**2 * scale
        enough = done if iteration else done & _is_small_for_each(here, scale)
        left = enough | ~live | (reach < SHORTEST)
        if left.all():
            break
        there = look(here.v + np.where(left[:, None], 0.0, reach[:, None] * here.step))
        better = left | (there.size <= (1 - reach / 10) ** 2 * here.size)
        if not better.all():
            better = better | (_imbalance(there) <= (1 - reach / 10) ** 2 * _imbalance(here))
        reach = np.where(left, reach, np.where(better, np.minimum(1.0, 2 * reach), reach / 2))
        here = there if better.all() else look(np.where(better[:, None], there.v, here.v))
    v, found = here.v + here.step, here.found
    return Midpoint(v, _momentum(found, here.step, h), found, done & np.isfinite(v).all(-1))


class _Look(NamedTuple):
    """One velocity on the way."""

    v: Float[Array, "b k"]
    found: Balance
    left: Float[Array, "b k"]  # r(v)
    step: Float[Array, "b k"]  # Newton's, from here
    size: Float[Array, " b"]  # twice its kinetic energy


def _look(system: System, jets: Jets, time: float, q: Array, momentum: Array, v: Array, *, h: float) -> _Look:
    found = balance(system, jets, time + h / 2, q + 0.5 * h * v, v)
    left = residual(found, momentum, h)
    step = -solve(matrix(found, h), left)
    return _Look(v, found, left, step, ((found.now.mass @ step[..., None])[..., 0] * step).sum(-1))


def _is_small_for_each(look: _Look, scale: Float[Array, " b"]) -> Bool[Array, " b"]:
    """Whether the step is small for every coordinate alone.

    Where a knob rides on a heavy part that moves fast, what counts as nothing for both may be more than the
    knob's own motion; and what `_momentum` leaves out is in proportion to the step, so that guesses made from
    such steps would grow. One more look ends that.
    """
    inertia = look.found.now.mass.diagonal(0, 1, 2)
    own = (OWN_TOLERANCE * look.v) ** 2 * inertia + LEAST_TOLERANCE**2 * scale[:, None]
    return (look.step**2 * inertia <= own).all(-1)


def _imbalance(look: _Look) -> Float[Array, " b"]:
    """r · M⁻¹ r: what falls along Newton's step even where friction lets go and the next step is longer."""
    return (solve(look.found.now.mass, look.left) * look.left).sum(-1)


def _momentum(found: Balance, step: Float[Array, "b k"], h: float) -> Float[Array, "b k"]:
    """M(q̄) v after a step dv, + (M + h/2 Jᵀ G J̇) dv: first order, but for second derivatives of the map."""
    return found.momentum + ((found.now.mass + 0.5 * h * found.turning) @ step[..., None])[..., 0]


def residual(found: Balance, momentum: Float[Array, "b k"], h: float) -> Float[Array, "b k"]:
    return found.momentum - momentum - 0.5 * h * (found.slope + found.load.force)


def matrix(found: Balance, h: float) -> Float[Array, "b k k"]:
    """∂r/∂v but for third derivatives of the map and the curvature of forces:

    M + h/2 (Jᵀ G J̇ − J̇ᵀ G J + D) + h²/4 K.
    """
    turning, load = found.turning, found.load
    gyroscopic = turning - turning.swapaxes(1, 2)
    return found.now.mass + 0.5 * h * (gyroscopic + load.damping) + 0.25 * h * h * load.stiffness


def _differentiable(system, jets, time, q, momentum, guess, h, live) -> Midpoint:
    """The same solution with gradients, by the implicit function theorem.

    NumPy finds v; one exact Newton step from it, v − (∂r/∂v)⁻¹ r with ∂r/∂v held constant, has the value of
    the solution and the derivative dv = −(∂r/∂v)⁻¹ ∂r of everything that r depends on.
    """
    at, pushed, first = (x.numpy(force=True) for x in (q, momentum, guess))
    plain = solve_step(to_numpy(system), to_numpy(jets), time, at, pushed, first, h, live)
    v = torch.tensor(plain.v, requires_grad=True)

    def left(v: torch.Tensor) -> torch.Tensor:
        return residual(balance(system, jets, time + h / 2, q + 0.5 * h * v, v), momentum, h)

    with torch.enable_grad():
        r = left(v)
        rows = [torch.autograd.grad(r[:, i].sum(), v, retain_graph=True)[0] for i in range(v.shape[1])]
    exact = v.detach() - solve(torch.stack(rows, 1), left(v.detach()))
    found = balance(system, jets, time + h / 2, q + 0.5 * h * exact, exact)
    return Midpoint(exact, found.momentum, found, torch.as_tensor(plain.solved))
