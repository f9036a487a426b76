"""Springs and dampers from points of an object to targets in space: the force of drags and pins."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from jaxtyping import Float

from neurok.dynamics.term import Instant, Load, Term, generalised_force, linear_ramp
from neurok.geometry.arrays import Array


@dataclass(frozen=True, eq=False)
class Tether(Term):
    """Springs and dampers from points to targets y(t) on straight lines: f = k (y − x) + c (ẏ − ẋ).

    A pin, whose targets never move, stores energy. A target that moves or lets go does work.
    """

    first: int  # points first … first + s
    start: Float[Array, "3 s"]  # m
    end: Float[Array, "*b 3 s"]  # may differ between scenarios
    window: tuple[float, float]  # s, of the motion from start to end
    until: float  # s, when it lets go
    stiffness: float  # N/m each
    damping: float  # N·s/m each
    is_pin: bool = False

    @property
    def _points(self) -> slice:
        return slice(self.first, self.first + self.start.shape[-1])

    def load(self, now: Instant) -> Load:
        if now.time >= self.until:
            return Load()
        own = self._points
        moved, pace = linear_ramp(now.time, *self.window)
        goal, speed = self.start + (self.end - self.start) * moved, (self.end - self.start) * pace
        jacobian, b, k = now.jacobian[..., own], *now.v.shape
        pull = generalised_force(jacobian, self.stiffness * (goal - now.x[..., own]))
        drag = generalised_force(jacobian, self.damping * (speed - now.xd[..., own]))
        flat = jacobian.reshape(b, k, -1)
        square = flat @ flat.swapaxes(1, 2)
        stiffness, damping = self.stiffness * square, self.damping * square
        if self.is_pin:
            return Load(conservative=pull, dissipative=drag, stiffness=stiffness, damping=damping)
        return Load(external=pull + drag, stiffness=stiffness, damping=damping)

    def energy(self, now: Instant) -> Any:
        if not self.is_pin:
            return 0.0
        return 0.5 * self.stiffness * ((now.x[..., self._points] - self.start) ** 2).sum((-1, -2))
