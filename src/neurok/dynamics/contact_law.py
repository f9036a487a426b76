"""The law of soft contact: pressure against the depth, and the energy that an impact keeps.

Pressed in by the depth d > 0, a surface stores E = κ d³ / 3, which is C² where contact begins and finite
however deep, so an object that starts inside a floor is pushed out rather than refused. While it springs back
it returns only the share e² of that energy (Walton and Braun's hysteresis), which makes e the coefficient of
restitution at any speed.
"""

from __future__ import annotations

from typing import NamedTuple

from jaxtyping import Float

from neurok.geometry.arrays import Array, namespace


class Pressure(NamedTuple):
    """Forces against the depth, and their derivatives −∂/∂gap and −∂/∂(speed of leaving)."""

    conservative: Float[Array, "*s"]
    dissipative: Float[Array, "*s"]
    stiffness: Float[Array, "*s"]
    damping: Float[Array, "*s"]
    full_stiffness: Float[Array, "*s"]  # without losses


def press(
    depth: Array, rate: Array, strength: Array | float, restitution: float, slow: Array | float
) -> Pressure:
    """κ d² on the way in, e² κ d² on the way out; between, a smooth step over speeds of leaving 0…`slow`."""
    xp = namespace(depth)
    depth = depth * (depth > 0)
    leaving = xp.clip(-rate / slow, 0.0, 1.0)
    full, loss = strength * depth**2, 1 - restitution**2
    step = leaving * leaving * (3 - 2 * leaving)
    slope = 6 * leaving * (1 - leaving) / slow
    steep = 2 * strength * depth
    return Pressure(full, -loss * step * full, steep * (1 - loss * step), loss * slope * full, steep)
