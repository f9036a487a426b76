"""Gravity, and the tilt of the support under it."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, ClassVar

import torch
from jaxtyping import Float
from torch import Tensor

from neurok.dynamics.body import EARTH, Body, scalar
from neurok.dynamics.condition import Condition, Scenario, number
from neurok.dynamics.places import Vector
from neurok.dynamics.term import Instant, Load, Term, smooth_ramp
from neurok.errors import InputError
from neurok.geometry.arrays import Array
from neurok.geometry.rotations import rotation_about


@dataclass(frozen=True, eq=False)
class Gravity(Condition):
    """The pull of the Earth, down along the up axis of the file unless a direction is given.

    `balanced`: the input pose is the static equilibrium under gravity. The generalised force of gravity at
    rest is cancelled by a constant force, so that only motion away from rest feels the difference.
    """

    is_unique: ClassVar[bool] = True
    acceleration: float | Tensor = EARTH  # m/s²
    direction: Vector | None = None
    balanced: bool = False

    def vector(self, body: Body) -> Float[Tensor, "3"]:
        """m/s²."""
        down = -body.up if self.direction is None else body.vector(self.direction, "the direction of gravity")
        if not float(down.norm()) > 0:
            raise InputError(body.shape.name, "gravity has no direction", "Give one that is not zero")
        return scalar(self.acceleration) * down / down.norm()

    def terms(self, body: Body, scenario: Scenario) -> Iterable[Term]:
        pull, tilt = self.vector(body), scenario.find(Tilt)
        yield Weight(body.mass.moment, pull, body.up) if tilt is None else tilt.weight(body, pull)
        if self.balanced:
            yield self._balance(body, pull)

    def _balance(self, body: Body, pull: Float[Tensor, "3"]) -> ConstantForce:
        """The force −Jᵀ Σ m g at rest on the object's own coordinates."""
        rest, root = body.kinematics.rest, body.kinematics.root_dim
        slope = body.kinematics.jets(rest[None], 0 * rest[None]).slope[0]  # k a m
        force = torch.einsum("iam,kam,i->k", body.mass.moment, slope, pull)
        return ConstantForce(rest, torch.cat([0 * force[:root], -force[root:]]))


@dataclass(frozen=True, eq=False)
class Tilt(Condition):
    """The support of the object tilts: seen from the support, gravity turns the other way."""

    is_unique: ClassVar[bool] = True
    angle: float = number(20.0, -180.0, 180.0)  # degrees
    axis: Vector = (1.0, 0.0, 0.0)
    start: float = number(0.0, 0.0)
    duration: float = number(1.0, 0.0)

    def weight(self, body: Body, pull: Float[Tensor, "3"]) -> Weight:
        axis = body.vector(self.axis, "the axis of the tilt")
        if not float(axis.norm()) > 0:
            raise InputError(body.shape.name, "the tilt has no axis", "Give one that is not zero")
        window = (self.start, self.start + self.duration)
        return Weight(body.mass.moment, pull, axis / axis.norm(), -math.radians(self.angle), window)

    def terms(self, body: Body, scenario: Scenario) -> Iterable[Term]:
        if scenario.find(Gravity) is None:
            raise InputError(body.shape.name, "is tilted without gravity", "Add gravity")
        return ()


@dataclass(frozen=True, eq=False)
class Weight(Term):
    """Gravity, V = −g · Σ m x, and the force (g(t) − g) · Σ m x of a support that tilts."""

    moment: Float[Array, "3 a m"]
    gravity: Float[Array, "*b 3"]  # m/s²
    tilt_axis: Float[Array, "3"]  # unit; gravity turns about it as seen from the support
    tilt_angle: float = 0.0  # rad
    tilt_window: tuple[float, float] = (0.0, 0.0)  # s

    def _force(self, now: Instant, gravity: Float[Array, "*b 3"]) -> Float[Array, "b k"]:
        """∂(g · Σ m x)/∂q."""
        b, k = now.v.shape
        pull = (gravity @ self.moment.reshape(3, -1))[..., None]
        return (now.jet.slope.reshape(b, k, -1) @ pull).reshape(b, k)

    def load(self, now: Instant) -> Load:
        conservative = self._force(now, self.gravity)
        if not self.tilt_angle:
            return Load(conservative)
        return Load(conservative, self._force(now, self._tilted(now.time) - self.gravity))

    def _tilted(self, time: float) -> Float[Array, "*b 3"]:
        angle = self.tilt_angle * smooth_ramp(time, *self.tilt_window)
        return self.gravity @ rotation_about(self.tilt_axis, angle).mT

    def energy(self, now: Instant) -> Any:
        b = len(now.q)
        pull = (self.gravity @ self.moment.reshape(3, -1))[..., None]
        return -(now.jet.code.reshape(b, 1, -1) @ pull).reshape(b)


@dataclass(frozen=True, eq=False)
class ConstantForce(Term):
    """V = −f · (q − rest): generalised forces that never change."""

    rest: Float[Array, " k"]
    force: Float[Array, "*b k"]

    def load(self, now: Instant) -> Load:
        return Load(conservative=self.force + 0 * now.q)

    def energy(self, now: Instant) -> Any:
        return -(self.force * (now.q - self.rest)).sum(-1)
