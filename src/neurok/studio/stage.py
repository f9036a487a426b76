"""`Stage`: an object prepared for interactive simulation, and its equations of motion under the controls."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

import numpy as np
from jaxtyping import Float

from neurok.dynamics import Condition, Damping, Drag, Floor, Stiffness, Tilt, Wind
from neurok.dynamics.assembly import assemble
from neurok.dynamics.body import Body
from neurok.dynamics.equations_of_motion import System
from neurok.dynamics.terms.gravity import Weight
from neurok.errors import InputError
from neurok.geometry.arrays import to_numpy
from neurok.kinematics import Kinematics
from neurok.pipelines.choose import KinematicsKind
from neurok.pipelines.simulate import Options, prepare
from neurok.sequences import Skin
from neurok.shapes import Shape
from neurok.studio.controls import Controls

Array = np.ndarray
T = TypeVar("T")
EARTH = Controls().gravity


@dataclass(frozen=True, eq=False)
class Stage:
    """The constant data of an interactive simulation."""

    kinematics: Kinematics
    own: tuple[Condition, ...]  # default conditions of `neurok simulate`: pins, stiffness, damping
    body: Body
    summary: tuple[str, ...]  # the choice of coordinates, then the assumptions

    @property
    def shape(self) -> Shape:
        return self.kinematics.shape

    @property
    def skin(self) -> Skin:
        """Handles and weights by which the page moves the vertices."""
        if self.kinematics.basis.skin is None:
            raise InputError(
                self.shape.name, "its vertices are not skinned to handles", "Simulate it instead"
            )
        return self.kinematics.basis.skin

    @property
    def has_stiffness(self) -> bool:
        """Whether elastic forces restore the rest pose; joints have none."""
        assumed = self.kinematics.defaults
        return bool(assumed.skin) or self.kinematics.material_stiffness is not None


def stage_of(shape: Shape, kind: KinematicsKind = "auto", modes: int = 12, seed: int = 0) -> Stage:
    """Prepares a shape: kinematics, mass and the data that its equations need."""
    setup = prepare(shape, (), options=Options(kind, modes=modes, seed=seed, without=("nudge",)))
    kinematics = setup.kinematics
    body = Body(kinematics, kinematics.mass(setup.mass))
    assemble(body, [list(setup.conditions)])  # fills the caches of the body: skin, glue, contact points
    return Stage(kinematics, setup.conditions, body, (setup.choice, *setup.assumed))


def equations(stage: Stage, controls: Controls, drag: Drag | None) -> System:
    """The equations of motion under the controls, with or without a mouse spring.

    The body is copied, so that points of earlier springs do not accumulate in it.
    """
    body = copy.copy(stage.body)
    body.rows, body.found = list(body.rows), dict(body.found)
    asked = [*conditions_under(stage, controls), *([] if drag is None else [drag])]
    system, _, _ = assemble(body, [asked])
    return _with_gravity(to_numpy(system), controls.gravity / EARTH)


def conditions_under(stage: Stage, controls: Controls) -> list[Condition]:
    """The object's conditions with the values of the controls."""
    up = stage.shape.frame.up_vector
    kept: list[Condition] = [c for c in stage.own if not isinstance(c, (Floor, Damping, Stiffness))]
    if controls.floor:
        kept.append(_own(stage.own, Floor, Floor()))
    kept.append(replace(_own(stage.own, Damping, Damping()), by_mass=controls.damping))
    stiffness = _own(stage.own, Stiffness, Stiffness())
    kept.append(replace(stiffness, scale=stiffness.scale * controls.stiffness))
    if controls.wind:
        kept.append(Wind(controls.wind_velocity(up)))
    if controls.tilt:
        kept.append(Tilt(controls.tilt, (1.0, 0.0, 0.0), duration=0.0))
    return kept


def _own(conditions: Sequence[Condition], kind: type[T], default: T) -> T:
    return next((c for c in conditions if isinstance(c, kind)), default)


def _with_gravity(system: System, share: float) -> System:
    """Scales gravity; the rest forces that balance the weight at rest stay."""
    terms = tuple(
        replace(term, gravity=share * term.gravity) if isinstance(term, Weight) else term
        for term in system.terms
    )
    return replace(system, terms=terms)


def handle_maps(stage: Stage, code: Float[Array, "3 m"]) -> Float[Array, "h 3 4"]:
    """The maps of all handles in normalised coordinates x̂ = (x − c)/r: x̂' = A x̂ + (A c + t − c)/r."""
    maps = code.reshape(3, -1, 4).transpose(1, 0, 2).copy()
    normalisation = stage.shape.normalisation
    centre, radius = normalisation.centre, normalisation.radius
    maps[:, :, 3] = (maps[:, :, :3] @ centre + maps[:, :, 3] - centre) / radius
    return maps
