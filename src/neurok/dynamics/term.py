"""Terms of the equations of motion: generalised forces at one instant, with their derivatives.

A term looks at one `Instant` and answers with a `Load`. Loads add up.
"""

from __future__ import annotations

from typing import Any, ClassVar, NamedTuple, Protocol, runtime_checkable

from jaxtyping import Float

from neurok.geometry.arrays import Array
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
    jacobian: Float[Array, "b k 3 s"]  # ∂x/∂q


NONE = 0.0


class Load(NamedTuple):
    """Generalised forces by the kind of their work, and −∂Q/∂q, −∂Q/∂v for Newton's method.

    A field that a term leaves out is zero.
    """

    conservative: Any = NONE  # (b, k): −∇V
    external: Any = NONE  # (b, k): does work from outside
    dissipative: Any = NONE  # (b, k): turns energy into heat
    stiffness: Any = NONE  # (b, k, k)
    damping: Any = NONE  # (b, k, k)

    def __add__(self, other: Load) -> Load:  # pyright: ignore
        return Load(
            *[b if a is NONE else a if b is NONE else a + b for a, b in zip(self, other, strict=True)]
        )

    @property
    def force(self) -> Any:
        return self.conservative + self.external + self.dissipative


@runtime_checkable
class Term(Protocol):
    """One summand of Q(q, v, t)."""

    has_impacts: ClassVar[bool] = False  # whether forces can change within milliseconds

    def load(self, now: Instant) -> Load: ...

    def energy(self, now: Instant) -> Any:
        """Stored energy V(q, t), per scenario."""
        return 0.0


def generalised_force(jacobian: Float[Array, "b k 3 s"], force: Float[Array, "b 3 s"]) -> Float[Array, "b k"]:
    """Generalised force of forces at points: Σ ∂x/∂q · f."""
    b, k = jacobian.shape[:2]
    return (jacobian.reshape(b, k, -1) @ force.reshape(b, -1, 1))[..., 0]


def generalised_matrix(
    jacobian: Float[Array, "b k 3 s"], blocks: Float[Array, "b 3 3 s"]
) -> Float[Array, "b k k"]:
    """Σ_s (∂x/∂q)ᵀ A_s (∂x/∂q)."""
    b, k = jacobian.shape[:2]
    turned = (blocks[:, None] * jacobian[:, :, None]).sum(3)
    return jacobian.reshape(b, k, -1) @ turned.reshape(b, k, -1).swapaxes(1, 2)


def smooth_ramp(time: float, start: float, end: float) -> float:
    """0 before `start`, 1 after `end`, with continuous slope between."""
    if end <= start:
        return float(time >= start)
    y = min(max((time - start) / (end - start), 0.0), 1.0)
    return y * y * (3 - 2 * y)


def linear_ramp(time: float, start: float, end: float) -> tuple[float, float]:
    """Even motion from 0 at `start` to 1 at `end`, and its rate."""
    if end <= start:
        return float(time >= start), 0.0
    if not start <= time < end:
        return float(time >= end), 0.0
    return (time - start) / (end - start), 1 / (end - start)


def within(time: float, window: tuple[float, float]) -> bool:
    return window[0] <= time < window[1]
