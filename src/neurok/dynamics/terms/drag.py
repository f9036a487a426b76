"""A drag: a spring from a place to a target that moves."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

import torch

from neurok.dynamics.body import Body
from neurok.dynamics.condition import ALWAYS, Condition, Scenario, number
from neurok.dynamics.places import Place, Vector, mixture
from neurok.dynamics.term import Term
from neurok.dynamics.terms.tether import Tether

DRAG_FREQUENCY = 3.0  # Hz at which the default spring swings the whole object


@dataclass(frozen=True, eq=False)
class Drag(Condition):
    """A spring and a damper from a place to a point that moves to a target, holds, and lets go."""

    at: Place
    to: Vector
    start: float = number(0.0, 0.0)
    duration: float = number(1.0, 0.0)
    hold: float = number(ALWAYS, 0.0, infinite=True)
    stiffness: float | None = None  # N/m; by default the spring swings the whole object at 3 Hz
    damping: float | None = None  # N·s/m; critical by default
    radius: float = number(0.0, 0.0)

    def terms(self, body: Body, scenario: Scenario) -> Iterable[Term]:
        mix = mixture(body.shape, self.at, self.radius)
        first = body.points_at(mix)
        begin = torch.tensor(mix @ body.shape.vertices).T * body.metres
        end = body.vector(self.to, "the target of a drag")[:, None] * body.metres
        omega = 2 * math.pi * DRAG_FREQUENCY
        stiffness = body.total_mass * omega**2 if self.stiffness is None else self.stiffness
        damping = 2 * math.sqrt(stiffness * body.total_mass) if self.damping is None else self.damping
        window = (self.start, self.start + self.duration)
        until = self.start + self.duration + self.hold
        return [Tether(first, begin, end, window, until, stiffness, damping)]
