"""A step of time that is halved until it can be trusted."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from jaxtyping import Int

from neurok.dynamics.integrators import INTEGRATORS, Mask, State, Step, chosen, finish
from neurok.dynamics.system import System
from neurok.geometry.arrays import Array, namespace

STILL = 1e-4  # share of the energy scale that counts as kinetic energy even at rest


class Advanced(NamedTuple):
    """The state after a step; scenarios that could not be advanced keep the one before."""

    state: State
    alive: Mask
    halvings: Int[np.ndarray, " b"]
    unresolved: Int[np.ndarray, " b"]  # smallest steps whose energy balance was still off


def advance(
    system: System, integrator: str, state: State, h: float, tolerance: float, halvings: int, live: Mask
) -> Advanced:
    """One step of h, or two of h/2 for the scenarios that need them, down to h/2^halvings.

    A step is taken again in halves where Newton's method failed, or where the energy that no force explains
    exceeds `tolerance` times the energy in motion: that is how impacts are resolved in time. What comes back
    for scenarios that are not `live` means nothing.
    """
    xp = namespace(state.q)
    step = INTEGRATORS[integrator](system, state, h, live)
    ended = finish(system, state, step, h)
    error, scale = _imbalance(system, state, step, ended, h)
    sound = np.asarray(step.solved & xp.isfinite(error) & xp.isfinite(ended.v).all(-1)) | ~live
    good = sound & np.asarray(error <= tolerance * scale) | ~live
    none = np.zeros(len(state.q), np.int64)
    if good.all():
        return Advanced(ended, good, none, none)
    if not halvings:
        return Advanced(_kept(sound, ended, state), sound, none, _count(sound & ~good))
    half = advance(system, integrator, state, h / 2, tolerance, halvings - 1, ~good)
    through = ~good & half.alive
    if not through.any():  # none that needs the second half got through the first
        return Advanced(_kept(good, ended, state), good, _count(~good) + half.halvings, half.unresolved)
    whole = advance(system, integrator, half.state, h / 2, tolerance, halvings - 1, through)
    alive = good | (through & whole.alive)
    refined = _kept(through & whole.alive, whole.state, state._replace(time=ended.time))
    again = ~good * (1 + half.halvings + whole.halvings)
    rough = ~good * (half.unresolved + whole.unresolved)
    return Advanced(_kept(good, ended, refined), alive, again, rough)


def _kept(mask: Mask, new: State, old: State) -> State:
    return new if mask.all() else chosen(mask, new, old)


def _count(mask: Any) -> Int[np.ndarray, " b"]:
    return np.asarray(mask).astype(np.int64)


def _imbalance(system: System, before: State, step: Step, after: State, h: float) -> tuple[Array, Array]:
    """The energy of a step that no force explains, and how differently the rule of the step and that of
    trapezoids see what impacts dissipated; and the energy in motion and in contacts to measure both by."""
    xp = namespace(before.q)
    gained = after.kinetic + after.potential - before.kinetic - before.potential
    missed = gained - step.given + step.lost
    unsure = step.impact - 0.5 * h * (before.impact + after.impact)
    active = (before.kinetic + after.kinetic + before.pressed + after.pressed) / 2
    return xp.abs(missed) + xp.abs(unsure), active + STILL * system.energy_scale
