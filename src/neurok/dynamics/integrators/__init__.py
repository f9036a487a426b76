"""Integrators, one per file: equations of motion and a state in, the end of a step of time out."""

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
