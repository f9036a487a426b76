"""Judges the motion of a pushed part against that of the true joints."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from jaxtyping import Bool, Float, Int

Array = np.ndarray
MIN_AMOUNT = 0.02  # radii: root mean square by which the pushed part moves
MAX_RATIO_ERROR = 0.25  # of the true motion of the pushed part
MIN_COSINE = 0.9  # with the true motion; a door that slides where it should turn has 0.87
MAX_REST = 0.02  # radii by which a standing part moves
MAX_REST_SHARE = 0.1  # of the pushed part's motion by which a standing part moves


class Judgement(NamedTuple):
    """Motion of the pushed part in the frame in which its true motion is largest."""

    amount: float  # radii, root mean square over the surface of the pushed part
    ratio: float  # to the true amount
    cosine: float  # with the true displacement, over the surface
    rest: float  # radii, root mean square of the standing part that moves most

    @property
    def fails(self) -> str:
        """The first condition that does not hold: moves, way, amount, rest; empty where it moves rightly."""
        if self.amount < MIN_AMOUNT:
            return "moves"
        if self.cosine < MIN_COSINE:
            return "way"
        if abs(self.ratio - 1.0) > MAX_RATIO_ERROR:
            return "amount"
        is_still = self.rest < MAX_REST or self.rest < MAX_REST_SHARE * self.amount
        return "" if is_still else "rest"


def displacement(positions: Float[Array, "f n 3"], weight: Float[Array, " n"]) -> Float[Array, " f"]:
    """Root mean square displacement from the first frame in every frame, with a weight per vertex."""
    gone = positions - positions[0]
    return np.sqrt(np.einsum("fni,fni,n->f", gone, gone, weight) / max(float(weight.sum()), 1e-30))


def judge(
    truth: Float[Array, "f n 3"], moved: Float[Array, "f n 3"], body: Int[Array, " n"],
    area: Float[Array, " n"], pushed: int, radius: float,
) -> Judgement:  # fmt: skip
    """Compares two motions of a surface whose vertices belong to rigid bodies, one of which is pushed.

    A body stands where its true motion stays below MAX_REST.
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
