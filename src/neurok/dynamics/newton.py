"""The midpoint velocity of a variational step, by Newton's method with line search."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import torch
from jaxtyping import Bool, Float

from neurok.dynamics.system import Balance, System, balance, solve
from neurok.kinematics.arrays import Array, to_numpy
from neurok.kinematics.jets import Jets

TOLERANCE = 2e-5  # of the last step that is taken, relative to v; what is left is a hundredth of it or less
STILL = 1e-4  # kinetic energies below this share of the energy scale count as rest
MOST_ITERATIONS = 30
SHORTEST = 2.0**-6  # of the steps that a line search tries


class Midpoint(NamedTuple):
    v: Float[Array, "b k"]
    momentum: Float[Array, "b k"]  # M(q̄) v
    balance: Balance  # at the last velocity that was looked at
    solved: Bool[Array, " b"]


def solve_step(
    system: System, jets: Jets, time: float, q: Array, momentum: Array, guess: Array, h: float
) -> Midpoint:
    """v with r(v) = M(q̄) v − p − h/2 (∂T/∂q + Q) = 0 at q̄ = q + h v/2 and time + h/2."""
    if isinstance(q, torch.Tensor):
        return _differentiable(system, jets, time, q, momentum, guess, h)
    v, reach = guess, np.ones(len(q))
    found, step, size = _look(system, jets, time, q, momentum, v, h)
    for _ in range(MOST_ITERATIONS):
        scale = (found.momentum * v).sum(-1) + STILL * system.energy_scale
        done = size <= TOLERANCE**2 * scale
        if done.all():
            break
        if (reach < SHORTEST).any():
            break
        trial = v + np.where(done, 0.0, reach)[:, None] * step
        next_found, next_step, next_size = _look(system, jets, time, q, momentum, trial, h)
        better = done | (next_size <= (1 - reach / 10) ** 2 * size)
        if better.all():
            v, found, step, size = trial, next_found, next_step, next_size
            reach = np.minimum(1.0, 2 * reach)
        else:
            v = np.where(better[:, None], trial, v)
            found, step, size = _look(system, jets, time, q, momentum, v, h)
            reach = np.where(better, np.minimum(1.0, 2 * reach), reach / 2)
    return Midpoint(v + step, _momentum(found, step, h), found, done & np.isfinite(v + step).all(-1))


def _momentum(found: Balance, step: Float[Array, "b k"], h: float) -> Float[Array, "b k"]:
    """M(q̄) v after a step dv, + (M + h/2 Jᵀ G J̇) dv: first order, but for second derivatives of the map."""
    return found.momentum + ((found.now.mass + 0.5 * h * found.turning) @ step[..., None])[..., 0]


def _look(
    system: System, jets: Jets, time: float, q: Array, momentum: Array, v: Array, h: float
) -> tuple[Balance, Array, Array]:
    """The balance at v, Newton's step from it, and twice the kinetic energy of that step."""
    found = balance(system, jets, time + h / 2, q + 0.5 * h * v, v)
    step = -solve(matrix(found, h), residual(found, momentum, h))
    return found, step, ((found.now.mass @ step[..., None])[..., 0] * step).sum(-1)


def residual(found: Balance, momentum: Float[Array, "b k"], h: float) -> Float[Array, "b k"]:
    return found.momentum - momentum - 0.5 * h * (found.slope + found.load.force)


def matrix(found: Balance, h: float) -> Float[Array, "b k k"]:
    """∂r/∂v but for third derivatives of the map and the curvature of forces:

    M + h/2 (Jᵀ G J̇ − J̇ᵀ G J + D) + h²/4 K.
    """
    turning, load = found.turning, found.load
    gyroscopic = turning - turning.swapaxes(1, 2)
    return found.now.mass + 0.5 * h * (gyroscopic + load.damping) + 0.25 * h * h * load.stiffness


def _differentiable(system, jets, time, q, momentum, guess, h) -> Midpoint:
    """The same solution with gradients, by the implicit function theorem.

    NumPy finds v; one exact Newton step from it, v − (∂r/∂v)⁻¹ r with ∂r/∂v held constant, has the value of
    the solution and the derivative dv = −(∂r/∂v)⁻¹ ∂r of everything that r depends on.
    """
    at, pushed, first = (x.numpy(force=True) for x in (q, momentum, guess))
    plain = solve_step(to_numpy(system), to_numpy(jets), time, at, pushed, first, h)
    v = torch.tensor(plain.v, requires_grad=True)

    def left(v: torch.Tensor) -> torch.Tensor:
        return residual(balance(system, jets, time + h / 2, q + 0.5 * h * v, v), momentum, h)

    with torch.enable_grad():
        r = left(v)
        rows = [torch.autograd.grad(r[:, i].sum(), v, retain_graph=True)[0] for i in range(v.shape[1])]
    exact = v.detach() - solve(torch.stack(rows, 1), left(v.detach()))
    found = balance(system, jets, time + h / 2, q + 0.5 * h * exact, exact)
    return Midpoint(exact, found.momentum, found, torch.as_tensor(plain.solved))
