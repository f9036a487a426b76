"""Integrators of the equations of motion, one per file.

An integrator takes a `System`, a `State` and a step length, and gives the `Step` at its end.
"""

from collections.abc import Callable

from neurok.dynamics.equations_of_motion import System
from neurok.dynamics.integrators.rk4 import rk4
from neurok.dynamics.integrators.semi_implicit import semi_implicit
from neurok.dynamics.integrators.variational import variational
from neurok.dynamics.state import Mask, State, Step

INTEGRATORS: dict[str, Callable[[System, State, float, Mask], Step]] = {
    "variational": variational,
    "rk4": rk4,
    "semi-implicit": semi_implicit,
}

__all__ = ["INTEGRATORS", "rk4", "semi_implicit", "variational"]
