"""What acts on an object, in the language of the engine: generalised forces with their derivatives.

A term looks at one instant and answers with a `Load`. Loads add up.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple, Protocol, runtime_checkable

from jaxtyping import Float

from neurok.geometry.arrays import Array
from neurok.geometry.rotations import rotation_about
from neurok.kinematics.jets.jet import Jet


class Instant(NamedTuple):
    """An object at one time: coordinates, their rates, and the points that forces act on, in metres."""

    time: float
    q: Float[Array, "b k"]
    v: Float[Array, "b k"]
    jet: Jet
    mass: Float[Array, "b k k"]  # M = Jᵀ G J
    x: Float[Array, "b 3 s"]
    xd: Float[Array, "b 3 s"]
    ways: Float[Array, "b k 3 s"]  # ∂x/∂q


NONE = 0.0


class Load(NamedTuple):
    """Generalised forces by what becomes of their work, and −∂Q/∂q, −∂Q/∂v for Newton's method.

    What a term leaves out is zero.
    """

    stored: Any = NONE  # (b, k): −∇V, it comes back
    given: Any = NONE  # (b, k): from outside
    lost: Any = NONE  # (b, k): to heat
    stiffness: Any = NONE  # (b, k, k)
    damping: Any = NONE  # (b, k, k)

    def __add__(self, other: Load) -> Load:  # pyright: ignore
        return Load(
            *[b if a is NONE else a if b is NONE else a + b for a, b in zip(self, other, strict=True)]
        )

    @property
    def force(self) -> Any:
        return self.stored + self.given + self.lost


@runtime_checkable
class Term(Protocol):
    has_impacts: ClassVar[bool]  # whether forces can change within milliseconds

    def load(self, now: Instant) -> Load: ...

    def energy(self, now: Instant) -> Any:
        """What it stores, V(q, t), per scenario."""
        ...


def along(ways: Float[Array, "b k 3 s"], force: Float[Array, "b 3 s"]) -> Float[Array, "b k"]:
    """Generalised force of forces at points: Σ ∂x/∂q · f."""
    b, k = ways.shape[:2]
    return (ways.reshape(b, k, -1) @ force.reshape(b, -1, 1))[..., 0]


def squeezed(ways: Float[Array, "b k 3 s"], blocks: Float[Array, "b 3 3 s"]) -> Float[Array, "b k k"]:
    """Σ_s (∂x/∂q)ᵀ A_s (∂x/∂q)."""
    b, k = ways.shape[:2]
    turned = (blocks[:, None] * ways[:, :, None]).sum(3)
    return ways.reshape(b, k, -1) @ turned.reshape(b, k, -1).swapaxes(1, 2)


@dataclass(frozen=True, eq=False)
class Weight:
    """Gravity, V = −g · Σ m x, and the force (g(t) − g) · Σ m x of a support that tilts."""

    has_impacts: ClassVar[bool] = False
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
        stored = self._force(now, self.gravity)
        if not self.tilt_angle:
            return Load(stored)
        return Load(stored, self._force(now, self._tilted(now.time) - self.gravity))

    def _tilted(self, time: float) -> Float[Array, "*b 3"]:
        angle = self.tilt_angle * ramp(time, *self.tilt_window)
        return self.gravity @ rotation_about(self.tilt_axis, angle).mT

    def energy(self, now: Instant) -> Any:
        b = len(now.q)
        pull = (self.gravity @ self.moment.reshape(3, -1))[..., None]
        return -(now.jet.code.reshape(b, 1, -1) @ pull).reshape(b)


def ramp(time: float, start: float, end: float) -> float:
    """0 before `start`, 1 after `end`, smooth between."""
    if end <= start:
        return float(time >= start)
    y = min(max((time - start) / (end - start), 0.0), 1.0)
    return y * y * (3 - 2 * y)


def within(time: float, window: tuple[float, float]) -> bool:
    return window[0] <= time < window[1]
