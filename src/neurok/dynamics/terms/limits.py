"""Limits: soft walls at the ends of the coordinates' ranges."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, ClassVar

import torch
from jaxtyping import Float

from neurok.dynamics.body import Body
from neurok.dynamics.condition import Condition, Scenario, number
from neurok.dynamics.contact_law import press
from neurok.dynamics.term import NONE, Instant, Load, Term
from neurok.geometry.arrays import Array, namespace

NO_LIMIT = 1e12  # finite stand-in for an infinite limit
STOPPING_RATE = 3.0  # ranges per second: speed that a wall of strength 1 stops
STOPPING_DEPTH = 0.02  # ranges: depth within which it stops that speed
MIN_RANGE = 1e-6  # of a coordinate, in its own unit


@dataclass(frozen=True, eq=False)
class Limits(Condition):
    """Soft walls at the ends of coordinates: joint limits, ranges of modes, the bulk of a learned prior.

    They act by default; `strength` 0 removes them. If the initial state is beyond a limit, the limit moves
    there.
    """

    is_unique: ClassVar[bool] = True
    is_implied: ClassVar[bool] = True
    restitution: float = number(0.2, 0.0, 1.0)
    strength: float = number(1.0, 0.0)  # 1: stops three ranges per second within 2 % of the range

    def terms(self, body: Body, scenario: Scenario) -> Iterable[Term]:
        q = scenario.q.detach()
        lower, upper = body.kinematics.limits.unbind(-1)
        walled = torch.isfinite(lower) | torch.isfinite(upper)
        if not walled.any() or not self.strength:
            return []
        span = torch.where(torch.isfinite(upper - lower), upper - lower, torch.ones_like(lower))
        span = span.clamp(min=MIN_RANGE)
        depth = STOPPING_DEPTH * span
        strength = self.strength * 3 * body.inertia * (STOPPING_RATE * span) ** 2 / depth**3
        walls = Walls(
            torch.minimum(lower.clamp(min=-NO_LIMIT), q), torch.maximum(upper.clamp(max=NO_LIMIT), q),
            strength * walled, self.restitution, depth,
        )  # fmt: skip
        return [walls]


@dataclass(frozen=True, eq=False)
class Walls(Term):
    """Soft stops beyond the limits, with restitution: see `contact_law.press`."""

    has_impacts: ClassVar[bool] = True
    lower: Float[Array, " k"]
    upper: Float[Array, " k"]
    strength: Float[Array, " k"]  # of the cubic energy
    restitution: float
    slow: Float[Array, " k"]  # rates below which leaving a wall loses less

    def _depths(self, now: Instant) -> tuple[Array, Array]:
        xp = namespace(now.q)
        depth = xp.concatenate([self.lower - now.q, now.q - self.upper], -1)
        return depth, xp.concatenate([-now.v, now.v], -1)

    def load(self, now: Instant) -> Load:
        k, xp = now.q.shape[1], namespace(now.q)
        depth, rate = self._depths(now)
        if not (depth > 0).any():
            return Load()
        twice = xp.concatenate([self.strength, self.strength])
        law = press(depth, rate, twice, self.restitution, xp.concatenate([self.slow, self.slow]))
        inward = [x[:, :k] - x[:, k:] for x in (law.conservative, law.dissipative)]
        both = [x[:, :k] + x[:, k:] for x in (law.stiffness, law.damping)]
        return Load(inward[0], NONE, inward[1], _diagonal(both[0]), _diagonal(both[1]))

    def energy(self, now: Instant) -> Any:
        depth, _ = self._depths(now)
        k = now.q.shape[1]
        cube = (depth * (depth > 0)) ** 3
        return (self.strength * (cube[:, :k] + cube[:, k:])).sum(-1) / 3


def _diagonal(values: Float[Array, "*b k"]) -> Float[Array, "*b k k"]:
    """Diagonal matrices."""
    return values[..., None] * namespace(values).eye(values.shape[-1], dtype=values.dtype)
