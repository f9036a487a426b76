"""An object in motion under a hand and under controls: state in, state out, a sixtieth of a second at a time.

Everything that a page or a program can do to it is a function from one `Live` to the next.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from jaxtyping import Float

from neurok.dynamics.advance import advance
from neurok.dynamics.conditions import Drag
from neurok.dynamics.integrators import State, begin
from neurok.dynamics.point_terms import Tether
from neurok.dynamics.system import System
from neurok.errors import InputError
from neurok.kinematics.protocol import finite_limits
from neurok.studio.controls import Controls
from neurok.studio.mouse_spring import HASTE, REACH, Hand, hand_at
from neurok.studio.stage import Stage, equations, handle_maps

Array = np.ndarray
STEP = 1 / 60  # s
TOLERANCE, HALVINGS = 0.05, 2  # looser than a run that is kept: a hand does not wait for an exact impact
STILL = 1e-9  # share of weight × radius below which kinetic energy is none
QUIET = 30  # steps without any that are no turning point but rest
ONE = np.ones(1, bool)


@dataclass(frozen=True, eq=False)
class Live:
    """An object now."""

    stage: Stage
    controls: Controls
    system: System
    state: State
    hand: Hand | None = None
    caught: int = 0  # steps that could not be solved, after which it went on from standstill
    quiet: int = 0  # steps since anything moved

    @property
    def q(self) -> Float[Array, " k"]:
        return self.state.q[0]

    @property
    def time(self) -> float:
        """Seconds that were simulated."""
        return self.state.time

    @property
    def maps(self) -> Float[Array, "h 3 4"]:
        """Of all handles, in the unit ball about the object."""
        return handle_maps(self.stage, self.state.jets(self.state.q, None).code[0])

    @property
    def energies(self) -> tuple[float, float, float, float]:
        """Kinetic and potential energy, work of hand and wind, dissipation: J."""
        s = self.state
        return float(s.kinetic[0]), float(s.potential[0]), float(s.given[0]), float(s.lost[0])

    @property
    def is_still(self) -> bool:
        return self.quiet >= QUIET


def started(stage: Stage, controls: Controls = Controls()) -> Live:  # noqa: B008  # frozen
    """At rest, as the file draws it."""
    system = equations(stage, controls, None)
    rest = stage.kinematics.rest.numpy()[None].copy()
    return Live(stage, controls, system, _begin(system, 0.0, rest, 0 * rest))


def advanced(live: Live) -> Live:
    """A step later. What can't be solved even in the smallest steps is caught: it goes on from standstill."""
    system = live.system if live.hand is None else _following(live)
    with np.errstate(all="ignore"):
        after = advance(system, "variational", live.state, STEP, TOLERANCE, HALVINGS, ONE)
    if after.alive[0]:
        quiet = live.quiet + 1 if after.state.kinetic[0] <= STILL * system.energy_scale else 0
        return replace(live, system=system, state=after.state, quiet=quiet)
    stopped = _begin(system, live.time + STEP, live.state.q, 0 * live.state.v)
    return replace(live, system=system, state=_with_past(stopped, live.state), caught=live.caught + 1)


def grabbed(live: Live, vertex: int) -> Live:
    """Held by a hand at a vertex, where that is now."""
    if not 0 <= vertex < len(live.stage.shape.vertices):
        raise InputError(live.stage.shape.name, f"has no vertex {vertex}", "Grab the object")
    hand = hand_at(live.stage, live.system, live.state, vertex)
    return _rebuilt(replace(live, hand=hand))


def pulled(live: Live, target: Float[Array, "3"]) -> Live:
    """The hand on its way to a place in the file's coordinates; nothing where there is no hand."""
    if live.hand is None:
        return live
    target = np.asarray(target, np.float64)
    if target.shape != (3,) or not np.isfinite(target).all():
        raise InputError(live.stage.shape.name, f"is pulled to {target!r}", "Give three finite numbers")
    return replace(live, hand=replace(live.hand, target=target), quiet=0)


def released(live: Live) -> Live:
    """Let go of."""
    return _rebuilt(replace(live, hand=None))


def controlled(live: Live, controls: Controls) -> Live:
    """The same motion in other surroundings."""
    return _rebuilt(replace(live, controls=controls))


def posed(live: Live, coordinate: int, value: float) -> Live:
    """One coordinate at a value within its limits, everything standing still."""
    names = live.stage.kinematics.names
    if not 0 <= coordinate < len(names) or not np.isfinite(value):
        raise InputError(
            live.stage.shape.name, f"has no coordinate {coordinate} at {value}", "Use the sliders"
        )
    lower, upper = finite_limits(live.stage.kinematics, np.pi)[coordinate].tolist()
    q = live.state.q.copy()
    q[0, coordinate] = min(max(value, lower), upper)
    state = _with_past(_begin(live.system, live.time, q, 0 * q), live.state)
    return replace(live, state=state, quiet=0)


def point_of(live: Live, vertex: int) -> Float[Array, "3"]:
    """Where a vertex is now, in the file's coordinates."""
    skin, rest = live.stage.kinematics.basis.skin, live.stage.shape.vertices[vertex]  # pyright: ignore
    maps = live.state.jets(live.state.q, None).code[0].reshape(3, -1, 4)[:, skin.handles[vertex]]
    return (maps @ np.r_[rest, 1.0]) @ skin.weights[vertex]


def _rebuilt(live: Live) -> Live:
    """New equations, the same place and velocity; what the energy did so far is kept."""
    drag = None if live.hand is None else _drag(live)
    system = equations(live.stage, live.controls, drag)
    state = _with_past(_begin(system, live.time, live.state.q, live.state.v), live.state)
    return replace(live, system=system, state=state, quiet=0)


def _drag(live: Live) -> Drag:
    hand = live.hand
    assert hand is not None
    return Drag(hand.vertex, hand.target, duration=0.0, stiffness=hand.stiffness, damping=hand.damping)


def _following(live: Live) -> System:
    """The hand goes a share of the way to where it is wanted, within its reach of the point it holds."""
    hand, shape = live.hand, live.stage.shape
    assert hand is not None
    here = point_of(live, hand.vertex)
    away, reach = hand.target - here, REACH * shape.normalisation.radius
    goal = here + away * min(1.0, reach / max(float(np.linalg.norm(away)), 1e-300))
    metres = shape.frame.metres_per_unit

    def moved(term):
        if not isinstance(term, Tether) or term.is_pin:
            return term
        end = term.end + HASTE * (goal[:, None] * metres - term.end)
        return replace(term, start=term.end, end=end, window=(live.time, live.time + STEP), until=np.inf)

    return replace(live.system, terms=tuple(moved(term) for term in live.system.terms))


def _begin(system: System, time: float, q: Float[Array, "1 k"], v: Float[Array, "1 k"]) -> State:
    with np.errstate(all="ignore"):
        state = begin(system, time, q, v)
    if not np.isfinite(state.kinetic + state.potential).all():
        raise InputError("the object", "its mass or energy is not finite", "Choose another pose or mesh")
    return state


def _with_past(state: State, before: State) -> State:
    return state._replace(given=before.given, lost=before.lost)
