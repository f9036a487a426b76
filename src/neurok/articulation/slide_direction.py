"""Which way a part slides that goes one way only from the pose drawn.

A drawer comes out of its case, a mast goes up, a key goes into its board. The log-odds of the way
along the axis are w · x with numbers x that change their sign when the axis does: the other way has the
opposite odds. `scripts/fit_ways.py` finds w by logistic regression on the slides of training objects.
"""

from __future__ import annotations

import numpy as np
from jaxtyping import Float

from neurok.articulation.simulator import FreeRange

Array = np.ndarray
KEY = 0.05  # radii: a way of this length counts half as a short one, like a key's, half as a long one
WEIGHTS = np.array([2.44, -1.50, -0.30, 0.54, 1.19, 3.29, -0.13, -1.98, 0.27, -2.01, -1.11, 1.22])


def odds_ahead(
    axis: Float[Array, "3"],
    length: float,
    part: Float[Array, "n 3"],
    parent: Float[Array, "m 3"],
    free: FreeRange,
) -> float:
    """The log-odds that a part slides along the axis and not against it."""
    return float(WEIGHTS @ way_facts(axis, length, part, parent, free))


def way_facts(
    axis: Float[Array, "3"],
    length: float,
    part: Float[Array, "n 3"],
    parent: Float[Array, "m 3"],
    free: FreeRange,
) -> Float[Array, "12"]:
    """Along the axis: where the part is freer, which side of its parent it is on, where it could go and stay
    beside that, up, where it sticks out, where most of its surface is; by how long the way is, and by how
    short."""
    own, other = part @ axis, parent @ axis
    low, high, bottom, top = own.min(), own.max(), other.min(), other.max()
    way = max(length, 1e-3)
    stays, sticks = (
        (min(max(ahead, 0.0), way) - min(max(back, 0.0), way)) / way
        for ahead, back in ((top - high, low - bottom), (high - top, bottom - low))
    )
    aside = (low + high - bottom - top) / max(high - low + top - bottom, 0.02)
    weight = (own.mean() - (low + high) / 2) / max((high - low) / 2, 0.01)
    freer = (free.upper + free.lower) / (free.upper - free.lower + 0.02)
    numbers = np.array([freer, aside, stays, axis[1], sticks, np.clip(weight, -1, 1)])
    short = 1 / (1 + (length / KEY) ** 2)
    return np.concatenate([(1 - short) * numbers, short * numbers])
