"""Compares the motion of a pushed part with its true motion, and decides whether it is right."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from jaxtyping import Bool, Float, Int

Array = np.ndarray
MIN_AMOUNT = 0.02  # radii: least root mean square displacement of the pushed part
MAX_RATIO_ERROR = 0.25  # of the amplitude, relative to the true one
MIN_COSINE = 0.9  # between true and simulated displacement; a door that slides instead of turning has 0.87
MAX_REST = 0.02  # radii: motion of a part up to which it counts as fixed
MAX_REST_SHARE = 0.1  # of the pushed part's motion, up to which a part counts as fixed


class Judgement(NamedTuple):
    """Motion of the pushed part in the frame in which its true motion is largest."""

    amount: float  # radii, root mean square over the surface of the pushed part
    ratio: float  # of the amount to the true one
    cosine: float  # with the true displacement, over the surface
    rest: float  # radii, largest root mean square displacement of a truly fixed part

    @property
    def fails(self) -> str:
        """The first criterion that is not met: moves, way, amount or rest; empty if the motion is right."""
        if self.amount < MIN_AMOUNT:
            return "moves"
        if self.cosine < MIN_COSINE:
            return "way"
        if abs(self.ratio - 1.0) > MAX_RATIO_ERROR:
            return "amount"
        is_still = self.rest < MAX_REST or self.rest < MAX_REST_SHARE * self.amount
        return "" if is_still else "rest"


def displacement(positions: Float[Array, "f n 3"], weight: Float[Array, " n"]) -> Float[Array, " f"]:
    """Root mean square displacement from the first frame, for every frame, with a weight per vertex."""
    gone = positions - positions[0]
    return np.sqrt(np.einsum("fni,fni,n->f", gone, gone, weight) / max(float(weight.sum()), 1e-30))


def judge(
    truth: Float[Array, "f n 3"], moved: Float[Array, "f n 3"], body: Int[Array, " n"],
    area: Float[Array, " n"], pushed: int, radius: float,
) -> Judgement:  # fmt: skip
    """Compares two motions of a surface whose vertices belong to rigid bodies, one of which is pushed.

    A body counts as truly fixed if its true motion stays below MAX_REST.
    """
    own = area * (body == pushed)
    true = displacement(truth, own)
    frame = int(true.argmax())
    ends = [0, frame]
    ours = float(displacement(moved[ends], own)[1])
    gone, goal = (positions[frame] - positions[0] for positions in (moved, truth))
    along = float(np.einsum("ni,ni,n->", gone, goal, own) / own.sum())
    still = [
        b for b in np.unique(body[area > 0]) if b != pushed and _stands(truth, area * (body == b), radius)
    ]
    rest = max((float(displacement(moved[ends], area * (body == b))[1]) for b in still), default=0.0)
    return Judgement(
        ours / radius, ours / float(true[frame]), along / max(ours * float(true[frame]), 1e-30), rest / radius
    )


def _stands(truth: Float[Array, "f n 3"], weight: Float[Array, " n"], radius: float) -> bool:
    return float(displacement(truth, weight).max()) < MAX_REST * radius


def overlap(ours: Bool[Array, " n"], true: Bool[Array, " n"], area: Float[Array, " n"]) -> float:
    """Intersection over union of two regions of a surface, by area."""
    return float(area[ours & true].sum() / max(area[ours | true].sum(), 1e-30))
