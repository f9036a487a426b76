"""A motor: a servo that drives one coordinate to a target."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

from jaxtyping import Float
from torch import Tensor

from neurok.dynamics.body import Body, coordinate, scalar
from neurok.dynamics.condition import ALWAYS, Condition, Scenario, number
from neurok.dynamics.term import Instant, Load, Term, smooth_ramp
from neurok.geometry.arrays import Array, namespace

MAX_EFFORT = 1e9  # of an unbounded motor, in multiples of its stiffness; keeps effort · tanh finite


@dataclass(frozen=True, eq=False)
class Motor(Condition):
    """A coordinate driven to a target: stiffness (target − q) − damping q̇, within its effort."""

    coordinate: str
    target: float | Tensor  # in the coordinate's own terms: radians, units, or a number
    start: float = number(0.0, 0.0)
    duration: float = number(1.0, 0.0)
    frequency: float = number(3.0, 0.0)  # Hz: stiffness = (2π f)² times the inertia at rest
    ratio: float = number(1.0, 0.0)  # of damping to critical
    effort: float = number(ALWAYS, 0.0, infinite=True)  # N·m, N, or J

    def terms(self, body: Body, scenario: Scenario) -> Iterable[Term]:
        index = coordinate(body.kinematics, self.coordinate)
        inertia, omega = float(body.inertia[index]), 2 * math.pi * self.frequency
        servo = Servo(
            index, body.kinematics.rest[index], scalar(self.target),
            (self.start, self.start + self.duration), inertia * omega**2, 2 * self.ratio * inertia * omega,
            min(self.effort, MAX_EFFORT * inertia * omega**2),
        )  # fmt: skip
        return [servo]


@dataclass(frozen=True, eq=False)
class Servo(Term):
    """A motor on coordinate i: Q = k (target(t) − q) − c v, softly bounded by its largest effort."""

    index: int
    start: Float[Array, ""]
    target: Float[Array, "*b"]
    window: tuple[float, float]  # s, in which the target moves there
    stiffness: float
    damping: float
    effort: float

    def load(self, now: Instant) -> Load:
        xp, k = namespace(now.q), now.q.shape[1]
        goal = self.start + (self.target - self.start) * smooth_ramp(now.time, *self.window)
        wanted = self.stiffness * (goal - now.q[:, self.index]) - self.damping * now.v[:, self.index]
        bounded = self.effort * xp.tanh(wanted / self.effort)
        slack = 1 - (bounded / self.effort) ** 2
        only = xp.eye(k, dtype=now.q.dtype)[self.index]
        square = slack[:, None, None] * (only[:, None] * only)
        return Load(
            external=bounded[:, None] * only, stiffness=self.stiffness * square, damping=self.damping * square
        )
