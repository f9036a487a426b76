"""Interactive simulation of one object: state in, state out, in steps of 1/60 s.

Every action of a page or a program is a function from one `Live` to the next.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from jaxtyping import Float

from neurok.dynamics import Drag
from neurok.dynamics.equations_of_motion import System
from neurok.dynamics.state import State, initial_state
from neurok.dynamics.step import advance
from neurok.dynamics.terms.tether import Tether
from neurok.errors import InputError
from neurok.studio.controls import Controls
from neurok.studio.mouse_spring import FOLLOW_SHARE, REACH, MouseSpring, mouse_spring_at
from neurok.studio.stage import Stage, equations, handle_maps

Array = np.ndarray
STEP = 1 / 60  # s
TOLERANCE, HALVINGS = 0.05, 2  # relative energy error and step halvings of `advance`; looser than offline
STILL_ENERGY = 1e-9  # kinetic energy of an object at rest, relative to weight × radius
QUIET_STEPS = 30  # consecutive still steps after which the object rests; fewer may be a turning point
ONE = np.ones(1, bool)


@dataclass(frozen=True, eq=False)
class Live:
    """The state of an object at one time."""

    stage: Stage
    controls: Controls
    system: System
    state: State
    spring: MouseSpring | None = None
    caught: int = 0  # number of steps that could not be solved and continued from standstill
    quiet: int = 0  # consecutive steps without motion

    @property
    def q(self) -> Float[Array, " k"]:
        return self.state.q[0]

    @property
    def time(self) -> float:
        """Simulated time in seconds."""
        return self.state.time

    @property
    def maps(self) -> Float[Array, "h 3 4"]:
        """Affine maps of all handles in normalised coordinates."""
        return handle_maps(self.stage, self.state.jets(self.state.q, None).code[0])

    @property
    def energies(self) -> tuple[float, float, float, float]:
        """Kinetic and potential energy, work of mouse spring and wind, and dissipation, in J."""
        s = self.state
        return float(s.kinetic[0]), float(s.potential[0]), float(s.work[0]), float(s.dissipation[0])

    @property
    def is_still(self) -> bool:
        return self.quiet >= QUIET_STEPS


def started(stage: Stage, controls: Controls = Controls()) -> Live:  # noqa: B008  # frozen
    """The object at rest in the pose of its file."""
    system = equations(stage, controls, None)
    rest = stage.kinematics.rest.numpy()[None].copy()
    return Live(stage, controls, system, _begin(system, 0.0, rest, 0 * rest))


def advanced(live: Live) -> Live:
    """The state one step later. A step that fails at the smallest substep continues from standstill."""
    system = live.system if live.spring is None else _following(live)
    with np.errstate(all="ignore"):
        after = advance(system, "variational", live.state, STEP, TOLERANCE, HALVINGS, ONE)
    if after.alive[0]:
        quiet = live.quiet + 1 if after.state.kinetic[0] <= STILL_ENERGY * system.energy_scale else 0
        return replace(live, system=system, state=after.state, quiet=quiet)
    stopped = _begin(system, live.time + STEP, live.state.q, 0 * live.state.v)
    return replace(live, system=system, state=_with_past(stopped, live.state), caught=live.caught + 1)


def grabbed(live: Live, vertex: int) -> Live:
    """The object with a mouse spring attached at a vertex's current position."""
    if not 0 <= vertex < len(live.stage.shape.vertices):
        raise InputError(live.stage.shape.name, f"has no vertex {vertex}", "Grab the object")
    spring = mouse_spring_at(live.stage, live.system, live.state, vertex)
    return _rebuilt(replace(live, spring=spring))


def pulled(live: Live, target: Float[Array, "3"]) -> Live:
    """The mouse spring with a new target in the file's coordinates; unchanged without a spring."""
    if live.spring is None:
        return live
    target = np.asarray(target, np.float64)
    if target.shape != (3,) or not np.isfinite(target).all():
        raise InputError(live.stage.shape.name, f"is pulled to {target!r}", "Give three finite numbers")
    return replace(live, spring=replace(live.spring, target=target), quiet=0)


def released(live: Live) -> Live:
    """The object without the mouse spring."""
    return _rebuilt(replace(live, spring=None))


def controlled(live: Live, controls: Controls) -> Live:
    """The same state under other controls."""
    return _rebuilt(replace(live, controls=controls))


def posed(live: Live, coordinate: int, value: float) -> Live:
    """The object at standstill with one coordinate set to a value within its limits."""
    names = live.stage.kinematics.names
    if not 0 <= coordinate < len(names) or not np.isfinite(value):
        raise InputError(
            live.stage.shape.name, f"has no coordinate {coordinate} at {value}", "Use the sliders"
        )
    lower, upper = live.stage.kinematics.finite_limits(np.pi)[coordinate].tolist()
    q = live.state.q.copy()
    q[0, coordinate] = min(max(value, lower), upper)
    state = _with_past(_begin(live.system, live.time, q, 0 * q), live.state)
    return replace(live, state=state, quiet=0)


def point_of(live: Live, vertex: int) -> Float[Array, "3"]:
    """The current position of a vertex, in the file's coordinates."""
    skin, rest = live.stage.skin, live.stage.shape.vertices[vertex]
    maps = live.state.jets(live.state.q, None).code[0].reshape(3, -1, 4)[:, skin.handles[vertex]]
    return (maps @ np.r_[rest, 1.0]) @ skin.weights[vertex]


def _rebuilt(live: Live) -> Live:
    """The same position, velocity and energy totals with new equations."""
    drag = None if live.spring is None else _drag(live)
    system = equations(live.stage, live.controls, drag)
    state = _with_past(_begin(system, live.time, live.state.q, live.state.v), live.state)
    return replace(live, system=system, state=state, quiet=0)


def _drag(live: Live) -> Drag:
    spring = live.spring
    assert spring is not None
    return Drag(
        spring.vertex, spring.target, duration=0.0, stiffness=spring.stiffness, damping=spring.damping
    )


def _following(live: Live) -> System:
    """The equations with the spring's end moved by `FOLLOW_SHARE` to its target, at most `REACH` ahead."""
    spring, shape = live.spring, live.stage.shape
    assert spring is not None
    here = point_of(live, spring.vertex)
    away, reach = spring.target - here, REACH * shape.normalisation.radius
    goal = here + away * min(1.0, reach / max(float(np.linalg.norm(away)), 1e-300))
    metres = shape.frame.metres_per_unit

    def moved(term):
        if not isinstance(term, Tether) or term.is_pin:
            return term
        end = term.end + FOLLOW_SHARE * (goal[:, None] * metres - term.end)
        return replace(term, start=term.end, end=end, window=(live.time, live.time + STEP), until=np.inf)

    return replace(live.system, terms=tuple(moved(term) for term in live.system.terms))


def _begin(system: System, time: float, q: Float[Array, "1 k"], v: Float[Array, "1 k"]) -> State:
    with np.errstate(all="ignore"):
        state = initial_state(system, time, q, v)
    if not np.isfinite(state.kinetic + state.potential).all():
        raise InputError("the object", "its mass or energy is not finite", "Choose another pose or mesh")
    return state


def _with_past(state: State, before: State) -> State:
    return state._replace(work=before.work, dissipation=before.dissipation)
