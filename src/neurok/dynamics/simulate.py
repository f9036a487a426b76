"""Simulation of one object under conditions, frame by frame or as a whole."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields, is_dataclass
from typing import Any, Literal, NamedTuple

import numpy as np
import torch
from jaxtyping import Bool, Float
from threadpoolctl import threadpool_limits
from torch import Tensor

from neurok.dynamics.assembly import assemble
from neurok.dynamics.body import CONTACT_POINTS, Body
from neurok.dynamics.condition import Condition
from neurok.dynamics.energy import EnergyReport
from neurok.dynamics.equations_of_motion import System
from neurok.dynamics.state import State, initial_state, merged
from neurok.dynamics.step import advance
from neurok.errors import InputError
from neurok.geometry.arrays import to_numpy
from neurok.kinematics import Kinematics, animate, with_free_root
from neurok.sequences import Sequence as Motion


@dataclass(frozen=True)
class SimulationConfig:
    """Duration, resolution and integrator of a simulation."""

    seconds: float = 2.0
    fps: float = 60.0  # frames per second
    step: float = 1 / 60  # s, the longest step
    integrator: Literal["variational", "rk4", "semi-implicit"] = "variational"
    root: Literal["auto", "fixed", "free"] = "auto"  # auto: free when thrown or dropped
    tolerance: float = 0.003  # energy error of a step, relative to the energy in motion
    halvings: int = 8  # of a step, before the scenario stops
    contact_points: int = CONTACT_POINTS  # points of the surface that feel floors and obstacles

    def __post_init__(self) -> None:
        ranges = {
            "seconds": (0 <= self.seconds < 1e6, "from 0 to a million"),
            "fps": (0 < self.fps <= 1e4, "above 0, up to 10000"),
            "step": (0 < self.step <= 1, "above 0, up to 1 s"),
            "tolerance": (self.tolerance > 0, "above 0"),
            "halvings": (0 <= self.halvings <= 20, "from 0 to 20"),
            "contact_points": (self.contact_points >= 1, "of at least 1"),
        }
        for name, (fits, words) in ranges.items():
            if not fits:
                raise InputError("simulation", f"{name} is {getattr(self, name)}", f"Give a number {words}")


class Frame(NamedTuple):
    """All scenarios at one time. Scenarios that stopped repeat their last valid state."""

    time: float
    q: Float[Tensor, "b k"]
    v: Float[Tensor, "b k"]
    kinetic: Float[Tensor, " b"]
    potential: Float[Tensor, " b"]
    work: Float[Tensor, " b"]
    dissipation: Float[Tensor, " b"]
    alive: Bool[np.ndarray, " b"]
    halvings: np.ndarray  # of the steps since the last frame
    unresolved: np.ndarray


@dataclass(frozen=True, eq=False)
class Run:
    """The motion of one object in one or more scenarios."""

    kinematics: Kinematics  # with a free root when the object was free
    times: Float[Tensor, " frames"]  # s
    q: Float[Tensor, "frames b k"]
    v: Float[Tensor, "frames b k"]
    energy: EnergyReport
    frame_count: int  # of the whole duration
    frames: tuple[int, ...]  # valid frames per scenario; after them the last one is repeated
    notes: tuple[str, ...]  # halved steps, and scenarios that stopped with the reason

    @property
    def stopped(self) -> bool:
        """Whether some scenario did not reach the end."""
        return min(self.frames, default=0) < self.frame_count

    def sequence(self, scenario: int = 0, name: str = "simulation") -> Motion:
        """The valid frames of one scenario, every vertex."""
        fps = 1.0 if len(self.times) < 2 else 1 / float(self.times[1] - self.times[0])
        return animate(self.kinematics, self.q[: self.frames[scenario], scenario].detach(), fps, name)


def simulate(
    kinematics: Kinematics,
    conditions: Sequence[Condition] | Sequence[Sequence[Condition]],
    config: SimulationConfig = SimulationConfig(),  # noqa: B008  # frozen
    *,
    mass: Float[Tensor, " n"] | None = None,
    q: Float[Tensor, "*b k"] | None = None,
    v: Float[Tensor, "*b k"] | None = None,
) -> Run:
    """The motion of an object under conditions, or under many lists of conditions at once.

    `mass` in kilograms per vertex replaces the object's own. `q` and `v` replace the initial state of the
    conditions. If any of these, or a number in a condition, is a tensor that requires gradients, every frame
    has gradients with respect to it.
    """
    body, frames = _start(kinematics, conditions, config, mass, q, v)
    return collected(body.kinematics, list(frames), config)


def stream(
    kinematics: Kinematics,
    conditions: Sequence[Condition] | Sequence[Sequence[Condition]],
    config: SimulationConfig = SimulationConfig(),  # noqa: B008  # frozen
    *,
    mass: Float[Tensor, " n"] | None = None,
) -> tuple[Kinematics, Iterator[Frame]]:
    """The kinematics of the frames, and an iterator over the frames.

    Memory does not grow with the number of frames.
    """
    body, frames = _start(kinematics, conditions, config, mass, None, None)
    return body.kinematics, frames


def _start(kinematics, conditions, config, mass, q, v) -> tuple[Body, Iterator[Frame]]:
    scenarios, shape = _scenarios(conditions), kinematics.shape
    if bad := int((~np.isfinite(shape.vertices)).any(-1).sum()):
        raise InputError(shape.name, f"{bad} vertices are not finite", "Repair the mesh")
    is_thrown = any(c.needs_free_root for scenario in scenarios for c in scenario)
    if is_thrown and config.root == "fixed":
        raise InputError(shape.name, "is thrown or dropped with a fixed root", "Set root to free")
    if is_thrown or config.root == "free":
        kinematics = with_free_root(kinematics)
    if not kinematics.names:
        raise InputError(shape.name, "has nothing that moves", "Throw it, drop it, or set root to free")
    body = Body(kinematics, kinematics.mass(mass), config.contact_points)
    system, start_q, start_v = assemble(body, scenarios)
    start_q, start_v = (
        own if given is None else given.double().reshape(-1, own.shape[-1]).expand(len(own), -1)
        for own, given in ((start_q, q), (start_v, v))
    )
    if not (_has_gradients(system) or start_q.requires_grad or start_v.requires_grad):
        system, start_q, start_v = to_numpy(system), start_q.numpy(), start_v.numpy()
    return body, _single_threaded(_frames(body, system, start_q, start_v, config))


def _scenarios(conditions: Sequence[Any]) -> list[list[Condition]]:
    if conditions and all(isinstance(c, Sequence) for c in conditions):
        return [list(c) for c in conditions]
    return [list(conditions)]


def _has_gradients(tree: Any) -> bool:
    if isinstance(tree, Tensor):
        return tree.requires_grad
    if isinstance(tree, tuple):
        return any(_has_gradients(item) for item in tree)
    if is_dataclass(tree):
        return any(_has_gradients(getattr(tree, f.name)) for f in fields(tree))
    return False


def _single_threaded(frames: Iterator[Frame]) -> Iterator[Frame]:
    """The frames, computed with one BLAS thread.

    A step consists of small products, for which waiting threads double the time, and more on a busy machine.
    The limit holds until the last frame, because setting it in every step costs as much as it saves.
    """
    with threadpool_limits(1, user_api="blas"):
        yield from frames


def _frames(body: Body, system: System, q: Any, v: Any, config: SimulationConfig) -> Iterator[Frame]:
    """The initial state and one for every 1/fps seconds, until every scenario has stopped."""
    steps = max(1, int(np.ceil(1 / (config.fps * config.step) - 1e-9)))
    h = 1 / (config.fps * steps)
    with np.errstate(all="ignore"):
        state = initial_state(system, 0.0, q, v)
    for what in (state.q, state.v, state.kinetic, state.potential):
        if not torch.isfinite(torch.as_tensor(what)).all():
            raise InputError(
                body.shape.name, "its pose, mass or energy is not finite", "Check mesh and conditions"
            )
    alive, none = np.ones(len(q), bool), np.zeros(len(q), np.int64)
    yield _frame(0.0, state, alive, none, none)
    for i in range(1, round(config.seconds * config.fps) + 1):
        halvings, unresolved = none, none
        with np.errstate(all="ignore"):
            for _ in range(steps):
                after = advance(system, config.integrator, state, h, config.tolerance, config.halvings, alive)
                alive = alive & after.alive
                if not alive.any():
                    return
                state = merged(alive, after.state, state)
                halvings, unresolved = (
                    halvings + after.halvings * alive,
                    unresolved + after.unresolved * alive,
                )
        state = state._replace(time=i / config.fps)
        yield _frame(i / config.fps, state, alive, halvings, unresolved)


def _frame(
    time: float, state: State, alive: np.ndarray, halvings: np.ndarray, unresolved: np.ndarray
) -> Frame:
    values = (
        state.jets.in_world(state.q),
        state.v,
        state.kinetic,
        state.potential,
        state.work,
        state.dissipation,
    )
    return Frame(time, *(torch.as_tensor(x) for x in values), alive, halvings, unresolved)  # pyright: ignore


def collected(kinematics: Kinematics, frames: list[Frame], config: SimulationConfig) -> Run:
    """Frames of a stream as a run."""
    columns = {name: torch.stack([getattr(f, name) for f in frames]) for name in Frame._fields[1:7]}
    report = EnergyReport(*(columns[name] for name in ("kinetic", "potential", "work", "dissipation")))
    wanted = round(config.seconds * config.fps) + 1
    good = np.stack([f.alive for f in frames]).sum(0)
    times = torch.tensor([f.time for f in frames], dtype=torch.float64)
    notes = []
    for b, count in enumerate(good):
        prefix = f"scenario {b}: " if len(good) > 1 else ""
        halvings = int(sum(f.halvings[b] for f in frames))
        unresolved = int(sum(f.unresolved[b] for f in frames))
        if halvings:
            notes.append(f"{prefix}{halvings} steps were halved")
        if unresolved:
            notes.append(f"{prefix}{unresolved} of the smallest steps missed the energy balance")
        if count < wanted:
            h = config.step / 2**config.halvings
            notes.append(
                f"{prefix}stopped after {count - 1} of {wanted - 1} frames: "
                f"no step down to {h:.1e} s was solved"
            )
    frames_of = tuple(int(n) for n in good)
    return Run(kinematics, times, columns["q"], columns["v"], report, wanted, frames_of, tuple(notes))
