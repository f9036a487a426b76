"""Direction of a part that slides one way only from the given pose.

Drawers slide out of their case, masts slide up, keys slide into their board. The log-odds of sliding along
the axis, and not against it, are w · x. The features x change sign with the axis, so that the opposite
direction has the opposite odds. `scripts/fit_slide_direction.py` fits w by logistic regression on the slides
of training objects and stores it with the weights of the networks.
"""

from __future__ import annotations

import numpy as np
from jaxtyping import Float

from neurok.articulation.simulator import FreeRange

Array = np.ndarray
KEY_TRAVEL = 0.05  # radii: shorter slides count as those of keys, longer ones as those of drawers
FEATURES = 12  # six numbers, weighted as a long slide and as a short one
UNFITTED = np.eye(FEATURES)[0] + np.eye(FEATURES)[FEATURES // 2]  # w before fitting: the freer direction


def slide_log_odds(
    weights: Float[Array, "12"],
    axis: Float[Array, "3"],
    length: float,
    part: Float[Array, "n 3"],
    parent: Float[Array, "m 3"],
    free: FreeRange,
) -> float:
    """Log-odds that a part slides along the axis and not against it."""
    return float(weights @ slide_features(axis, length, part, parent, free))


def slide_features(
    axis: Float[Array, "3"],
    length: float,
    part: Float[Array, "n 3"],
    parent: Float[Array, "m 3"],
    free: FreeRange,
) -> Float[Array, "12"]:
    """Six numbers along the axis, times the weight of a long slide, then times that of a short one.

    The numbers compare the two directions: how far the part moves freely, which side of its parent it is on,
    how far it moves and stays beside its parent, which one is up, where it sticks out of its parent, and
    where most of its surface is.
    """
    own, other = part @ axis, parent @ axis
    low, high, bottom, top = own.min(), own.max(), other.min(), other.max()
    travel = max(length, 1e-3)
    stays, sticks = (
        (min(max(ahead, 0.0), travel) - min(max(back, 0.0), travel)) / travel
        for ahead, back in ((top - high, low - bottom), (high - top, bottom - low))
    )
    aside = (low + high - bottom - top) / max(high - low + top - bottom, 0.02)
    weight = (own.mean() - (low + high) / 2) / max((high - low) / 2, 0.01)
    freer = (free.upper + free.lower) / (free.upper - free.lower + 0.02)
    numbers = np.array([freer, aside, stays, axis[1], sticks, np.clip(weight, -1, 1)])
    short = 1 / (1 + (length / KEY_TRAVEL) ** 2)
    return np.concatenate([(1 - short) * numbers, short * numbers])
