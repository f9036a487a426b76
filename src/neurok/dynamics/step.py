"""One step of time: integrate, evaluate, check the energy balance, and halve the step where it is off.

conditions ── assembly.assemble ──▶ System: M(q) q̈ + Jᵀ G J̇ q̇ = Q(q, q̇, t), Q = Σ terms
State at t ── integrators ──▶ Step: q and v or p at t + h, work and losses on the way
Step ── state.state_after ──▶ State at t + h: energies, momentum, coordinates recentred
energy balance off, or not solved ──▶ the same with two steps of h/2
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from jaxtyping import Int

from neurok.dynamics.equations_of_motion import System
from neurok.dynamics.integrators import INTEGRATORS
from neurok.dynamics.state import Mask, State, Step, merged, state_after
from neurok.geometry.arrays import Array, namespace

REST_ENERGY = 1e-4  # of the energy scale: kinetic energy that errors are measured by even at rest


class Advanced(NamedTuple):
    """The state after a step; scenarios that could not be advanced keep the previous state."""

    state: State
    alive: Mask
    halvings: Int[np.ndarray, " b"]
    unresolved: Int[np.ndarray, " b"]  # smallest steps whose energy balance was still off


def advance(
    system: System, integrator: str, state: State, h: float, tolerance: float, halvings: int, live: Mask
) -> Advanced:
    """One step of h, or two of h/2 for the scenarios that need them, down to h/2^halvings.

    A step is repeated in halves where Newton's method failed, or where the energy that no force explains
    exceeds `tolerance` times the energy in motion. This resolves impacts in time. Results of scenarios that
    are not `live` are meaningless.
    """
    xp = namespace(state.q)
    step = INTEGRATORS[integrator](system, state, h, live)
    ended = state_after(system, state, step, h)
    error, scale = _imbalance(system, state, step, ended, h)
    sound = np.asarray(step.solved & xp.isfinite(error) & xp.isfinite(ended.v).all(-1)) | ~live
    good = sound & np.asarray(error <= tolerance * scale) | ~live
    none = np.zeros(len(state.q), np.int64)
    if good.all():
        return Advanced(ended, good, none, none)
    if not halvings:
        return Advanced(merged(sound, ended, state), sound, none, _count(sound & ~good))
    half = advance(system, integrator, state, h / 2, tolerance, halvings - 1, ~good)
    through = ~good & half.alive
    if not through.any():  # the first half failed in every scenario that needs halving
        return Advanced(merged(good, ended, state), good, _count(~good) + half.halvings, half.unresolved)
    whole = advance(system, integrator, half.state, h / 2, tolerance, halvings - 1, through)
    alive = good | (through & whole.alive)
    refined = merged(through & whole.alive, whole.state, state._replace(time=ended.time))
    again = ~good * (1 + half.halvings + whole.halvings)
    rough = ~good * (half.unresolved + whole.unresolved)
    return Advanced(merged(good, ended, refined), alive, again, rough)


def _count(mask: Any) -> Int[np.ndarray, " b"]:
    return np.asarray(mask).astype(np.int64)


def _imbalance(system: System, before: State, step: Step, after: State, h: float) -> tuple[Array, Array]:
    """The energy error of a step, and the energy to measure it by.

    The error is the energy that no force explains, plus the difference between two quadratures of the losses
    in impacts: the rule of the step and that of trapezoids. It is measured by the energy in motion and in
    contacts.
    """
    xp = namespace(before.q)
    gained = after.kinetic + after.potential - before.kinetic - before.potential
    missed = gained - step.work + step.dissipation
    unsure = step.impact_loss - 0.5 * h * (before.impact_power + after.impact_power)
    active = (before.kinetic + after.kinetic + before.contact_energy + after.contact_energy) / 2
    return xp.abs(missed) + xp.abs(unsure), active + REST_ENERGY * system.energy_scale
