"""A push: a constant force on a place for some time."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import torch
from jaxtyping import Float, Int

from neurok.dynamics.body import Body
from neurok.dynamics.condition import Condition, Scenario, number
from neurok.dynamics.places import Place, Vector, mixture
from neurok.dynamics.term import Instant, Load, Term, within
from neurok.geometry.arrays import Array, namespace


@dataclass(frozen=True, eq=False)
class Push(Condition):
    """A force on a place for some time, spread evenly over a part or over the vertices within a radius."""

    force: Vector  # N
    at: Place
    start: float = number(0.0, 0.0)
    duration: float = number(0.2, 0.0, infinite=True)
    radius: float = number(0.0, 0.0)  # in the file's units

    def terms(self, body: Body, scenario: Scenario) -> Iterable[Term]:
        point = body.points_at(mixture(body.shape, self.at, self.radius))
        force = body.vector(self.force, "the force of a push")
        return [PushForce(torch.tensor(point), force, (self.start, self.start + self.duration))]


@dataclass(frozen=True, eq=False)
class PushForce(Term):
    """A constant force on a point while the time is within a window."""

    point: Int[Array, "*places"]  # column among the points of the system; one, or one per scenario
    force: Float[Array, "*b 3"]  # N
    window: tuple[float, float]  # s

    def load(self, now: Instant) -> Load:
        if not within(now.time, self.window):
            return Load()
        b, k = now.v.shape
        if self.point.ndim:
            jacobian = now.jacobian[namespace(now.v).arange(b), :, :, self.point]
        else:
            jacobian = now.jacobian[..., self.point]
        return Load(external=(jacobian @ self.force[..., None]).reshape(b, k))
