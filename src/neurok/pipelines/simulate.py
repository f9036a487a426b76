"""`simulate`: a file or shape and conditions in, a physical motion out."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import torch
from jaxtyping import Bool, Float
from torch import Tensor

from neurok.dynamics import (
    Condition,
    Drag,
    Pin,
    Push,
    Run,
    SimulationConfig,
    load_conditions,
    parse_conditions,
)
from neurok.dynamics import simulate as run_engine
from neurok.dynamics.body import finite_vector
from neurok.dynamics.places import vertices_at
from neurok.errors import InputError
from neurok.kinematics import ElasticMaterial, Kinematics
from neurok.pipelines.choose import Choice, KinematicsKind, Surroundings, Tug, choose_kinematics
from neurok.pipelines.defaults import acts, assume, assumed_pin, is_free
from neurok.pipelines.nudge import nudge
from neurok.shapes import Shape
from neurok.shapes.load import load_shape
from neurok.shapes.mass import vertex_mass

SHOWN = SimulationConfig(seconds=3.0, fps=30.0)  # default duration and frame rate of commands and of Python
Given = Sequence[Condition] | Sequence[Mapping[str, Any]] | str | Path


@dataclass(frozen=True)
class Options:
    """Properties of the object."""

    kinematics: KinematicsKind = "auto"
    model: Path | None = None  # weights of the latent space; None: the shipped ones
    modes: int = 12  # number of elastic modes
    density: float | None = None  # kg/m³; None: that of the file, or the default
    seed: int = 0
    without: Collection[str] = ()  # default conditions to leave out, and "nudge"

    def __post_init__(self) -> None:
        if self.density is not None and not 0 < self.density < 1e6:
            raise InputError("density", f"is {self.density}", "Give kg/m³, as 500 for wood")
        if not 1 <= self.modes <= 256:
            raise InputError("modes", f"there are {self.modes}", "Give from 1 to 256")


@dataclass(frozen=True, eq=False)
class Setup:
    """Everything that a simulation needs."""

    kinematics: Kinematics
    conditions: tuple[Condition, ...]
    config: SimulationConfig
    mass: Float[Tensor, " n"] | None  # kg per vertex; None: the kinematics' own
    choice: str  # the coordinates and the reason for them, in a line
    assumed: tuple[str, ...]  # descriptions of the default conditions

    def run(self) -> Run:
        return run_engine(self.kinematics, self.conditions, self.config, mass=self.mass)


def simulate(
    item: str | Path | Shape | Kinematics,
    conditions: Given = (),
    *,
    config: SimulationConfig = SHOWN,
    options: Options = Options(),  # noqa: B008  # frozen
) -> Run:
    """Simulate a mesh: `neurok.simulate("laptop.glb", [neurok.Push((0, 0, -3), at="lid")]).sequence()`.

    `conditions` are records, dictionaries as in a conditions file, or the name of such a file. Unspecified
    conditions get the defaults of `neurok simulate`, which are listed in the run's `notes`.
    """
    setup = prepare(item, conditions, config=config, options=options)
    run = setup.run()
    return replace(run, notes=(setup.choice, *(f"assumed: {a}" for a in setup.assumed), *run.notes))


def prepare(
    item: str | Path | Shape | Kinematics,
    conditions: Given = (),
    *,
    config: SimulationConfig = SHOWN,
    options: Options = Options(),  # noqa: B008  # frozen
) -> Setup:
    """Load the shape, choose its kinematics, weigh it, and complete the conditions."""
    asked = _records(conditions)
    shape = _shape(item)
    stands = assumed_pin(asked, options.without)
    choice = _choose(item, shape, asked, stands, options)
    kinematics = choice.kinematics
    if kinematics.has_built_in_pins:  # its modes are those of the pinned body
        asked = [c for c in asked if not isinstance(c, Pin)]
    pins = [Pin(free=_pulled_parts(shape, asked))] if stands and not kinematics.is_anchored else []
    added, lines = assume(kinematics, asked, stands, options.without)
    every = [*pins, *asked, *added]
    mass = _mass(kinematics, options.density)
    if not acts(asked) and "nudge" not in options.without:
        push, description = nudge(kinematics, every, mass)
        every, lines = [*every, push], [*lines, f"no action is given, so it is {description}"]
    return Setup(kinematics, tuple(every), config, mass, choice.line, tuple(lines))


def _records(conditions: Given) -> list[Condition]:
    if isinstance(conditions, (str, Path)):
        return list(load_conditions(conditions))
    plain = [c for c in conditions if isinstance(c, Mapping)]
    return list(parse_conditions(list(conditions)) if plain else conditions)  # pyright: ignore


def _shape(item: str | Path | Shape | Kinematics) -> Shape:
    if isinstance(item, (str, Path)):
        return load_shape(item)
    return item if isinstance(item, Shape) else item.shape


def _choose(item: Any, shape: Shape, asked: Sequence[Condition], stands: bool, options: Options) -> Choice:
    if not isinstance(item, (str, Path, Shape)):
        return Choice(item, "as given")
    material = ElasticMaterial() if options.density is None else ElasticMaterial(density=options.density)
    surroundings = Surroundings(
        pinned=None if is_free(asked) else _vertices_of(shape, asked, (Pin,)),
        base=_vertices_of(shape, [Pin()], (Pin,)) if stands else None,
        pulled=_vertices_of(shape, asked, (Push, Drag)),
        tugs=_tugs(shape, asked),
    )
    return choose_kinematics(
        shape, options.kinematics, surroundings=surroundings, modes=options.modes, material=material,
        seed=options.seed, model=options.model,
    )  # fmt: skip


def _pulled_parts(shape: Shape, asked: Sequence[Condition]) -> tuple[str, ...]:
    """Parts that are pushed or dragged, where there are several: the assumed pin leaves them free."""
    pulled = _vertices_of(shape, asked, (Push, Drag))
    parts = [] if pulled is None else np.unique(shape.vertex_part[pulled]).tolist()
    return tuple(shape.part_names[k] for k in parts) if len(parts) < len(np.unique(shape.part)) else ()


def _tugs(shape: Shape, asked: Sequence[Condition]) -> tuple[Tug, ...]:
    """Places and directions of pushes and drags."""
    tugs = []
    for condition in asked:
        if isinstance(condition, (Push, Drag)):
            own = vertices_at(shape, condition.at, condition.radius)
            start = np.zeros(3) if isinstance(condition, Push) else shape.vertices[own].mean(0)
            tugs.append(Tug(own, _end(shape, condition) - start))
    return tuple(tug for tug in tugs if np.linalg.norm(tug.way) > 0)


def _end(shape: Shape, condition: Push | Drag) -> Float[np.ndarray, "3"]:
    """The force of a push, or the target of a drag."""
    given, what = (
        (condition.force, "the force of a push")
        if isinstance(condition, Push)
        else (condition.to, "the target of a drag")
    )
    return finite_vector(shape.name, given, what).numpy(force=True)


def _vertices_of(
    shape: Shape, conditions: Sequence[Condition], kinds: tuple[type[Pin | Push | Drag], ...]
) -> Bool[np.ndarray, " n"] | None:
    """The vertices on which conditions of these kinds act."""
    mask = np.zeros(len(shape.vertices), bool)
    for condition in conditions:
        if isinstance(condition, kinds):
            mask[vertices_at(shape, condition.at, condition.radius)] = True
    return mask if mask.any() else None


def _mass(kinematics: Kinematics, density: float | None) -> Float[Tensor, " n"] | None:
    """Mass per vertex (kg) at the requested density; None: that of the kinematics."""
    if density is None or kinematics.material_stiffness is not None:
        return None
    return torch.tensor(vertex_mass(kinematics.shape, density_kg_m3=density))
