"""The law of soft contact: pressure by depth, and the energy that remains after an impact.

At the depth d > 0 a surface stores E = κ d³ / 3. This energy is C² where contact begins and finite at any
depth, so an object that starts inside a floor is pushed out. During separation the surface returns only the
share e² of the energy (Walton and Braun's hysteresis). So e is the coefficient of restitution at any speed.
"""

from __future__ import annotations

from typing import NamedTuple

from jaxtyping import Float

from neurok.geometry.arrays import Array, namespace


class Pressure(NamedTuple):
    """Forces at a depth, and their derivatives −∂/∂gap and −∂/∂(separation speed)."""

    conservative: Float[Array, "*s"]
    dissipative: Float[Array, "*s"]
    stiffness: Float[Array, "*s"]
    damping: Float[Array, "*s"]
    full_stiffness: Float[Array, "*s"]  # without losses


def press(
    depth: Array, rate: Array, strength: Array | float, restitution: float, slow: Array | float
) -> Pressure:
    """Pressure κ d², reduced to e² κ d² in separation; a smooth step over separation speeds of 0…`slow`."""
    xp = namespace(depth)
    depth = depth * (depth > 0)
    leaving = xp.clip(-rate / slow, 0.0, 1.0)
    full, loss = strength * depth**2, 1 - restitution**2
    step = leaving * leaving * (3 - 2 * leaving)
    slope = 6 * leaving * (1 - leaving) / slow
    steep = 2 * strength * depth
    return Pressure(full, -loss * step * full, steep * (1 - loss * step), loss * slope * full, steep)
