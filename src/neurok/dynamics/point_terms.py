"""Terms that act on points of the surface: pushes, tethers, wind."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from jaxtyping import Float, Int

from neurok.dynamics.terms import Instant, Load, along, squeezed, within
from neurok.geometry.arrays import Array, namespace


@dataclass(frozen=True, eq=False)
class PointPush:
    """A constant force on a point while the time is within a window."""

    has_impacts: ClassVar[bool] = False
    point: Int[Array, "*b"]  # column among the points of the system
    force: Float[Array, "*b 3"]  # N
    window: tuple[float, float]  # s

    def load(self, now: Instant) -> Load:
        if not within(now.time, self.window):
            return Load()
        b, k = now.v.shape
        if self.point.ndim:
            ways = now.ways[namespace(now.v).arange(b), :, :, self.point]
        else:
            ways = now.ways[..., self.point]
        return Load(given=(ways @ self.force[..., None]).reshape(b, k))

    def energy(self, now: Instant) -> Any:
        return 0.0


@dataclass(frozen=True, eq=False)
class Tether:
    """Springs and dampers from points to targets y(t) on straight lines: f = k (y − x) + c (ẏ − ẋ).

    A pin, whose targets never move, stores energy; a hand that moves or lets go does work.
    """

    has_impacts: ClassVar[bool] = False
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
        moved, pace = ramp_with_rate(now.time, *self.window)
        goal, speed = self.start + (self.end - self.start) * moved, (self.end - self.start) * pace
        ways, b, k = now.ways[..., own], *now.v.shape
        pull = along(ways, self.stiffness * (goal - now.x[..., own]))
        drag = along(ways, self.damping * (speed - now.xd[..., own]))
        flat = ways.reshape(b, k, -1)
        square = flat @ flat.swapaxes(1, 2)
        stiffness, damping = self.stiffness * square, self.damping * square
        if self.is_pin:
            return Load(stored=pull, lost=drag, stiffness=stiffness, damping=damping)
        return Load(given=pull + drag, stiffness=stiffness, damping=damping)

    def energy(self, now: Instant) -> Any:
        if not self.is_pin:
            return 0.0
        return 0.5 * self.stiffness * ((now.x[..., self._points] - self.start) ** 2).sum((-1, -2))


@dataclass(frozen=True, eq=False)
class Wind:
    """Air that pushes on triangles: f = ½ ρ c A |u·n| (u·n) n, with u the wind as the triangle feels it.

    The triangles are a sample, so that the cost does not grow with the mesh; each stands for an equal share
    of the surface (`share` m² at rest) and stretches with it.
    """

    has_impacts: ClassVar[bool] = False
    first: int  # corners a, b, c of every triangle from here, one kind after the other
    count: int
    share: float  # m² that each stands for
    rest_area: Float[Array, " s"]  # m²
    velocity: Float[Array, "*b 3"]  # m/s
    pressure: float  # ½ ρ c, kg/m³
    window: tuple[float, float]  # s

    def load(self, now: Instant) -> Load:
        if not within(now.time, self.window):
            return Load()
        xp, (f, s) = namespace(now.q), (self.first, self.count)
        a, b, c = (now.x[..., f + i * s : f + (i + 1) * s] for i in range(3))
        areas = xp.linalg.cross((b - a).swapaxes(1, 2), (c - a).swapaxes(1, 2)).swapaxes(1, 2) / 2
        length = xp.sqrt((areas**2).sum(1) + 1e-30)[:, None]
        normal = areas / length
        middle = (
            now.xd[..., f : f + s] + now.xd[..., f + s : f + 2 * s] + now.xd[..., f + 2 * s : f + 3 * s]
        ) / 3
        felt = ((self.velocity[..., None] - middle) * normal).sum(1)[:, None]
        strength = self.pressure * self.share * length / self.rest_area
        force = strength * xp.abs(felt) * felt * normal
        ways = sum(now.ways[..., f + i * s : f + (i + 1) * s] for i in range(3)) / 3
        blocks = (2 * strength * xp.abs(felt))[:, None] * normal[:, :, None] * normal[:, None]
        return Load(given=along(ways, force), damping=squeezed(ways, blocks))

    def energy(self, now: Instant) -> Any:
        return 0.0


def ramp_with_rate(time: float, start: float, end: float) -> tuple[float, float]:
    """Even motion from 0 at `start` to 1 at `end`, and its pace."""
    if end <= start:
        return float(time >= start), 0.0
    if not start <= time < end:
        return float(time >= end), 0.0
    return (time - start) / (end - start), 1 / (end - start)
