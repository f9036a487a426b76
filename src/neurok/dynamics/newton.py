"""The midpoint velocity of a variational step, by Newton's method with line search."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import NamedTuple

import numpy as np
import torch
from jaxtyping import Bool, Float

from neurok.dynamics.equations_of_motion import Balance, System, balance, solve
from neurok.geometry.arrays import Array, to_numpy
from neurok.kinematics.jets.jet import Jets

TOLERANCE = 2e-5  # length of the last Newton step, relative to v; the error after it is a hundredth or less
OWN_TOLERANCE = 3e-4  # the same for each coordinate, relative to its own v
MIN_TOLERANCE = 1e-8  # the same, relative to the v that would hold all kinetic energy
REST_ENERGY = 1e-4  # of the energy scale: kinetic energy that errors are measured by even at rest
MAX_ITERATIONS = 60
GOOD_PREDICTION = 0.01  # of v: a prediction with a larger error is compared with the second one
FLAT_SLOPE = 0.3  # of the initial slope: a line search ends below it
BRACKET_MARGIN = 0.2  # of the bracket: distance that the next trial keeps from both of its ends
SHORTEST_STEP = 2.0**-12  # of a Newton step: where a line search gives up; fast sliding may end in sticking


class Midpoint(NamedTuple):
    v: Float[Array, "b k"]
    momentum: Float[Array, "b k"]  # M(q̄) v
    balance: Balance  # at the last trial velocity
    solved: Bool[Array, " b"]


def solve_midpoint(
    system: System,
    jets: Jets,
    time: float,
    q: Array,
    momentum: Array,
    predictions: tuple[Array, Array],
    h: float,
    live: Array,
) -> Midpoint:
    """v with r(v) = M(q̄) v − p − h/2 (∂T/∂q + Q) = 0 at q̄ = q + h v/2 and time + h/2.

    Where the first prediction is far off, the better of the two is taken. Scenarios that are not `live`, and
    those whose line search fails, do not delay the others.
    """
    if isinstance(q, torch.Tensor):
        return _differentiable(system, jets, time, q, momentum, predictions, h, live)
    trial = partial(_trial, system, jets, time, q, momentum, h=h)
    here, line = _start(system, trial, predictions, live), _line(len(q))
    for iteration in range(MAX_ITERATIONS):
        scale = _scale(system, here)
        done = here.size <= TOLERANCE**2 * scale
        enough = done if iteration else done & _is_small_for_each(here, scale)
        left = enough | ~live | (line.reach < SHORTEST_STEP)
        if left.all():
            break
        there = trial(here.v + np.where(left[:, None], 0.0, line.reach[:, None] * here.step))
        slope = (there.left * here.step).sum(-1) / (here.left * here.step).sum(-1)
        better = left | _is_flat(line, slope)
        line = _shorter(line, slope, better)
        here = _merged(trial, better, there, here)
    v, found = here.v + here.step, here.found
    return Midpoint(v, _momentum(found, here.step, h), found, done & np.isfinite(v).all(-1))


def _start(
    system: System, trial: Callable[[Array], _Trial], predictions: tuple[Array, Array], live: Array
) -> _Trial:
    here = trial(predictions[0])
    if not (live & (here.size > GOOD_PREDICTION**2 * _scale(system, here))).any():
        return here
    there = trial(predictions[1])
    closer = there.size < here.size
    return _merged(trial, closer, there, here)


def _merged(trial: Callable[[Array], _Trial], mask: Bool[Array, " b"], a: _Trial, b: _Trial) -> _Trial:
    """Scenario by scenario, a where the mask holds, else b."""
    if mask.all() or not mask.any():
        return a if mask.all() else b
    return trial(np.where(mask[:, None], a.v, b.v))


class _Trial(NamedTuple):
    """One trial velocity."""

    v: Float[Array, "b k"]
    found: Balance
    left: Float[Array, "b k"]  # r(v)
    step: Float[Array, "b k"]  # Newton's, from here
    size: Float[Array, " b"]  # twice its kinetic energy


def _trial(
    system: System, jets: Jets, time: float, q: Array, momentum: Array, v: Array, *, h: float
) -> _Trial:
    found = balance(system, jets, time + h / 2, q + 0.5 * h * v, v)
    left = residual(found, momentum, h)
    step = -solve(matrix(found, h), left)
    return _Trial(v, found, left, step, ((found.now.mass @ step[..., None])[..., 0] * step).sum(-1))


def _scale(system: System, trial: _Trial) -> Float[Array, " b"]:
    """Twice the kinetic energy, with a floor near rest."""
    return (trial.found.momentum * trial.v).sum(-1) + REST_ENERGY * system.energy_scale


class _Line(NamedTuple):
    """The length of the next trial along Newton's step, and the bracket in which the slope changes its sign.

    Where forces only resist motion, r(v) is the gradient of a convex function of v: ½ v·M v − p·v plus
    energies and losses that grow with speed. Along a step the function first decreases, and at a point of
    small slope it is smaller than at the start. The norm of r may grow on the way, for example when one
    coordinate presses against its limit while another moves freely.
    """

    reach: Float[Array, " b"]
    low: Float[Array, " b"]  # the longest trial at which the function still falls
    slope_low: Float[Array, " b"]  # r · step there, relative to the start
    high: Float[Array, " b"]  # the shortest trial at which the function rises
    slope_high: Float[Array, " b"]


def _line(count: int) -> _Line:
    one = np.ones(count)
    return _Line(one, 0 * one, one, one, one)


def _is_flat(line: _Line, slope: Float[Array, " b"]) -> Bool[Array, " b"]:
    """Whether the slope is small, or has kept its sign without growing after a whole step."""
    return (np.abs(slope) <= FLAT_SLOPE) | ((line.reach == 1) & (slope > 0) & (slope <= 1))


def _shorter(line: _Line, slope: Float[Array, " b"], better: Bool[Array, " b"]) -> _Line:
    """The next trial: the zero of the linearly interpolated slope, or a whole step after an accepted one."""
    new, uphill = _line(len(slope)), ~(slope > 0) | (line.reach == 1)
    low, slope_low = np.where(uphill, line.low, line.reach), np.where(uphill, line.slope_low, slope)
    high, slope_high = np.where(uphill, line.reach, line.high), np.where(uphill, slope, line.slope_high)
    flat = slope_low / (slope_low - slope_high)
    share = np.clip(np.where(np.isfinite(flat), flat, 0.5), BRACKET_MARGIN, 1 - BRACKET_MARGIN)
    found = (low + share * (high - low), low, slope_low, high, slope_high)
    return _Line(*(np.where(better, x, y) for x, y in zip(new, found, strict=True)))


def _is_small_for_each(trial: _Trial, scale: Float[Array, " b"]) -> Bool[Array, " b"]:
    """Whether the step is small for every coordinate alone.

    If a knob rides on a fast heavy part, an error that is negligible for the whole may exceed the knob's own
    motion. The error of `_momentum` is proportional to the step, so predictions from such steps would drift.
    One more trial prevents that.
    """
    inertia = trial.found.now.mass.diagonal(0, 1, 2)
    own = (OWN_TOLERANCE * trial.v) ** 2 * inertia + MIN_TOLERANCE**2 * scale[:, None]
    return (trial.step**2 * inertia <= own).all(-1)


def _momentum(found: Balance, step: Float[Array, "b k"], h: float) -> Float[Array, "b k"]:
    """M(q̄) v after a step dv, + (M + h/2 Jᵀ G J̇) dv: first order, without second derivatives of the map."""
    return found.momentum + ((found.now.mass + 0.5 * h * found.inertial) @ step[..., None])[..., 0]


def residual(found: Balance, momentum: Float[Array, "b k"], h: float) -> Float[Array, "b k"]:
    return found.momentum - momentum - 0.5 * h * (found.kinetic_force + found.load.force)


def matrix(found: Balance, h: float) -> Float[Array, "b k k"]:
    """∂r/∂v without third derivatives of the map and the curvature of forces:

    M + h/2 (Jᵀ G J̇ − J̇ᵀ G J + D) + h²/4 K.
    """
    inertial, load = found.inertial, found.load
    gyroscopic = inertial - inertial.swapaxes(1, 2)
    return found.now.mass + 0.5 * h * (gyroscopic + load.damping) + 0.25 * h * h * load.stiffness


def _differentiable(system, jets, time, q, momentum, predictions, h, live) -> Midpoint:
    """The same solution with gradients, by the implicit function theorem.

    NumPy finds v; one exact Newton step from it, v − (∂r/∂v)⁻¹ r with ∂r/∂v held constant, has the value of
    the solution and the derivative dv = −(∂r/∂v)⁻¹ ∂r of everything that r depends on.
    """
    at, pushed, first, second = (x.numpy(force=True) for x in (q, momentum, *predictions))
    plain = solve_midpoint(to_numpy(system), to_numpy(jets), time, at, pushed, (first, second), h, live)
    v = torch.tensor(plain.v, requires_grad=True)

    def left(v: torch.Tensor) -> torch.Tensor:
        return residual(balance(system, jets, time + h / 2, q + 0.5 * h * v, v), momentum, h)

    with torch.enable_grad():
        r = left(v)
        rows = [torch.autograd.grad(r[:, i].sum(), v, retain_graph=True)[0] for i in range(v.shape[1])]
    exact = v.detach() - solve(torch.stack(rows, 1), left(v.detach()))
    found = balance(system, jets, time + h / 2, q + 0.5 * h * exact, exact)
    return Midpoint(exact, found.momentum, found, torch.as_tensor(plain.solved))
