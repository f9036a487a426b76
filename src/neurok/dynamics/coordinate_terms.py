"""Terms that act on the coordinates themselves: stiffness, damping, limits, motors."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from jaxtyping import Float

from neurok.dynamics.contact_law import press
from neurok.dynamics.terms import NONE, Instant, Load, ramp
from neurok.geometry.arrays import Array, namespace


def diagonal(values: Float[Array, "*b k"]) -> Float[Array, "*b k k"]:
    """Diagonal matrices."""
    return values[..., None] * namespace(values).eye(values.shape[-1], dtype=values.dtype)


@dataclass(frozen=True, eq=False)
class Spring:
    """V = ½ (q − rest)ᵀ K (q − rest)."""

    has_impacts: ClassVar[bool] = False
    rest: Float[Array, " k"]
    stiffness: Float[Array, "*b k k"]  # K, symmetric

    def load(self, now: Instant) -> Load:
        pull = ((self.rest - now.q)[:, None] @ self.stiffness)[:, 0]
        return Load(stored=pull, stiffness=self.stiffness)

    def energy(self, now: Instant) -> Any:
        away = now.q - self.rest
        return 0.5 * ((away[:, None] @ self.stiffness)[:, 0] * away).sum(-1)


@dataclass(frozen=True, eq=False)
class Hold:
    """V = −f · (q − rest): forces that never change, as those that carry an object's weight at rest."""

    has_impacts: ClassVar[bool] = False
    rest: Float[Array, " k"]
    force: Float[Array, "*b k"]

    def load(self, now: Instant) -> Load:
        return Load(stored=self.force + 0 * now.q)

    def energy(self, now: Instant) -> Any:
        return -(self.force * (now.q - self.rest)).sum(-1)


@dataclass(frozen=True, eq=False)
class Damper:
    """Q = −(α M(q) + C) v: Rayleigh's damping by mass, and a matrix of rates."""

    has_impacts: ClassVar[bool] = False
    by_mass: Float[Array, "*b"]  # α, 1/s
    rates: Float[Array, "*b k k"]  # C: β times the stiffness, and what the joints' file says

    def load(self, now: Instant) -> Load:
        matrix = self.by_mass[..., None, None] * now.mass + self.rates
        return Load(lost=-(matrix @ now.v[..., None])[..., 0], damping=matrix)

    def energy(self, now: Instant) -> Any:
        return 0.0


@dataclass(frozen=True, eq=False)
class Walls:
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
        inward = [x[:, :k] - x[:, k:] for x in (law.stored, law.lost)]
        both = [x[:, :k] + x[:, k:] for x in (law.stiffness, law.damping)]
        return Load(inward[0], NONE, inward[1], diagonal(both[0]), diagonal(both[1]))

    def energy(self, now: Instant) -> Any:
        depth, _ = self._depths(now)
        k = now.q.shape[1]
        cube = (depth * (depth > 0)) ** 3
        return (self.strength * (cube[:, :k] + cube[:, k:])).sum(-1) / 3


@dataclass(frozen=True, eq=False)
class Servo:
    """A motor on coordinate i: Q = k (target(t) − q) − c v, softly bounded by its largest effort."""

    has_impacts: ClassVar[bool] = False
    index: int
    start: Float[Array, ""]
    target: Float[Array, "*b"]
    window: tuple[float, float]  # s, in which the target moves there
    stiffness: float
    damping: float
    effort: float

    def load(self, now: Instant) -> Load:
        xp, k = namespace(now.q), now.q.shape[1]
        goal = self.start + (self.target - self.start) * ramp(now.time, *self.window)
        wanted = self.stiffness * (goal - now.q[:, self.index]) - self.damping * now.v[:, self.index]
        bounded = self.effort * xp.tanh(wanted / self.effort)
        slack = 1 - (bounded / self.effort) ** 2
        only = xp.eye(k, dtype=now.q.dtype)[self.index]
        square = slack[:, None, None] * (only[:, None] * only)
        return Load(
            given=bounded[:, None] * only, stiffness=self.stiffness * square, damping=self.damping * square
        )

    def energy(self, now: Instant) -> Any:
        return 0.0
