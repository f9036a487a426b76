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

TOLERANCE = 2e-5  # of the last step that is taken, relative to v; what is left is a hundredth of it or less
OWN_TOLERANCE = 3e-4  # the same of each coordinate, relative to its own v, and
LEAST_TOLERANCE = 1e-8  # to the v that would hold all kinetic energy
STILL = 1e-4  # kinetic energies below this share of the energy scale count as rest
MOST_ITERATIONS = 60
ROUGH = 0.01  # of v: a guess that misses more may not be the best
FLAT = 0.3  # of the slope at the beginning of a step, where its line search ends
CLOSEST = 0.2  # of what is left between too short and too far, that the next look keeps from either
SHORTEST = 2.0**-12  # of the steps that a line search tries: what slides fast may stick at the end of a step


class Midpoint(NamedTuple):
    v: Float[Array, "b k"]
    momentum: Float[Array, "b k"]  # M(q̄) v
    balance: Balance  # at the last velocity that was looked at
    solved: Bool[Array, " b"]


def solve_midpoint(
    system: System,
    jets: Jets,
    time: float,
    q: Array,
    momentum: Array,
    guesses: tuple[Array, Array],
    h: float,
    live: Array,
) -> Midpoint:
    """v with r(v) = M(q̄) v − p − h/2 (∂T/∂q + Q) = 0 at q̄ = q + h v/2 and time + h/2.

    Where the first guess is far off, the better of the two counts. Scenarios that are not `live`, and those
    whose line search finds nothing, do not hold up the others.
    """
    if isinstance(q, torch.Tensor):
        return _differentiable(system, jets, time, q, momentum, guesses, h, live)
    look = partial(_look, system, jets, time, q, momentum, h=h)
    here, line = _start(system, look, guesses, live), _line(len(q))
    for iteration in range(MOST_ITERATIONS):
        scale = _scale(system, here)
        done = here.size <= TOLERANCE**2 * scale
        enough = done if iteration else done & _is_small_for_each(here, scale)
        left = enough | ~live | (line.reach < SHORTEST)
        if left.all():
            break
        there = look(here.v + np.where(left[:, None], 0.0, line.reach[:, None] * here.step))
        slope = (there.left * here.step).sum(-1) / (here.left * here.step).sum(-1)
        better = left | _is_flat(line, slope)
        line = _shorter(line, slope, better)
        here = _merged(look, better, there, here)
    v, found = here.v + here.step, here.found
    return Midpoint(v, _momentum(found, here.step, h), found, done & np.isfinite(v).all(-1))


def _start(
    system: System, look: Callable[[Array], _Look], guesses: tuple[Array, Array], live: Array
) -> _Look:
    here = look(guesses[0])
    if not (live & (here.size > ROUGH**2 * _scale(system, here))).any():
        return here
    there = look(guesses[1])
    closer = there.size < here.size
    return _merged(look, closer, there, here)


def _merged(look: Callable[[Array], _Look], mask: Bool[Array, " b"], a: _Look, b: _Look) -> _Look:
    """Scenario by scenario, a where the mask holds, else b."""
    if mask.all() or not mask.any():
        return a if mask.all() else b
    return look(np.where(mask[:, None], a.v, b.v))


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


def _scale(system: System, look: _Look) -> Float[Array, " b"]:
    """What counts as twice the kinetic energy."""
    return (look.found.momentum * look.v).sum(-1) + STILL * system.energy_scale


class _Line(NamedTuple):
    """How far along Newton's step to look, and between which shares of it the slope changes its sign.

    r(v) is the slope of a function of v, convex where forces only resist: ½ v·M v − p·v, energies that rise
    and losses that grow with speed. Along a step it begins downhill, and where it has become flat there is
    less of that function than before. The size of r itself may have to grow on the way, where one coordinate
    presses against its wall while another still flies.
    """

    reach: Float[Array, " b"]
    low: Float[Array, " b"]  # the farthest share that was still downhill,
    slope_low: Float[Array, " b"]  # and r · step there, relative to the beginning
    high: Float[Array, " b"]  # the nearest share that was uphill
    slope_high: Float[Array, " b"]


def _line(count: int) -> _Line:
    one = np.ones(count)
    return _Line(one, 0 * one, one, one, one)


def _is_flat(line: _Line, slope: Float[Array, " b"]) -> Bool[Array, " b"]:
    """Whether the slope has become small; or after a whole step is no larger: the next one goes on."""
    return (np.abs(slope) <= FLAT) | ((line.reach == 1) & (slope > 0) & (slope <= 1))


def _shorter(line: _Line, slope: Float[Array, " b"], better: Bool[Array, " b"]) -> _Line:
    """Where to look next: where a straight slope would be flat, not too close to what is known; a whole
    step where the last one was accepted."""
    new, uphill = _line(len(slope)), ~(slope > 0) | (line.reach == 1)
    low, slope_low = np.where(uphill, line.low, line.reach), np.where(uphill, line.slope_low, slope)
    high, slope_high = np.where(uphill, line.reach, line.high), np.where(uphill, slope, line.slope_high)
    flat = slope_low / (slope_low - slope_high)
    share = np.clip(np.where(np.isfinite(flat), flat, 0.5), CLOSEST, 1 - CLOSEST)
    found = (low + share * (high - low), low, slope_low, high, slope_high)
    return _Line(*(np.where(better, x, y) for x, y in zip(new, found, strict=True)))


def _is_small_for_each(look: _Look, scale: Float[Array, " b"]) -> Bool[Array, " b"]:
    """Whether the step is small for every coordinate alone.

    Where a knob rides on a heavy part that moves fast, what counts as nothing for both may be more than the
    knob's own motion; and what `_momentum` leaves out is in proportion to the step, so that guesses made from
    such steps would grow. One more look ends that.
    """
    inertia = look.found.now.mass.diagonal(0, 1, 2)
    own = (OWN_TOLERANCE * look.v) ** 2 * inertia + LEAST_TOLERANCE**2 * scale[:, None]
    return (look.step**2 * inertia <= own).all(-1)


def _momentum(found: Balance, step: Float[Array, "b k"], h: float) -> Float[Array, "b k"]:
    """M(q̄) v after a step dv, + (M + h/2 Jᵀ G J̇) dv: first order, but for second derivatives of the map."""
    return found.momentum + ((found.now.mass + 0.5 * h * found.inertial) @ step[..., None])[..., 0]


def residual(found: Balance, momentum: Float[Array, "b k"], h: float) -> Float[Array, "b k"]:
    return found.momentum - momentum - 0.5 * h * (found.kinetic_force + found.load.force)


def matrix(found: Balance, h: float) -> Float[Array, "b k k"]:
    """∂r/∂v but for third derivatives of the map and the curvature of forces:

    M + h/2 (Jᵀ G J̇ − J̇ᵀ G J + D) + h²/4 K.
    """
    inertial, load = found.inertial, found.load
    gyroscopic = inertial - inertial.swapaxes(1, 2)
    return found.now.mass + 0.5 * h * (gyroscopic + load.damping) + 0.25 * h * h * load.stiffness


def _differentiable(system, jets, time, q, momentum, guesses, h, live) -> Midpoint:
    """The same solution with gradients, by the implicit function theorem.

    NumPy finds v; one exact Newton step from it, v − (∂r/∂v)⁻¹ r with ∂r/∂v held constant, has the value of
    the solution and the derivative dv = −(∂r/∂v)⁻¹ ∂r of everything that r depends on.
    """
    at, pushed, first, second = (x.numpy(force=True) for x in (q, momentum, *guesses))
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
