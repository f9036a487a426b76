"""Ranges of joints: classes of lengths, and the interval with the best expected overlap."""

from __future__ import annotations

import numpy as np
import torch
from jaxtyping import Float, Int
from torch import Tensor

Array = np.ndarray
LENGTHS = 14  # classes
TURN_LENGTHS = np.geomspace(0.2, 2 * np.pi, LENGTHS)  # radians; the last class is a full turn or unlimited
SLIDE_LENGTHS = np.geomspace(0.01, 2.0, LENGTHS)  # in lengths of the part along the axis
MAX_ONE_WAY_SHARE = 0.1  # of the range, in the shorter direction: below it a joint moves one way only


def length_class(length: Float[Tensor, "*b"], centres: Float[Array, "14"]) -> Int[Tensor, "*b"]:
    """The class with the nearest centre, by ratio."""
    centre = torch.tensor(np.log(centres), dtype=length.dtype, device=length.device)
    return (length.clamp(min=1e-4).log()[..., None] - centre).abs().argmin(-1)


def best_length(likely: Float[Array, "14"], centres: Float[Array, "14"]) -> float:
    """The length l with the largest expected overlap Σ p(L) min(l, L) / max(l, L)."""
    overlap = np.minimum(centres[:, None], centres) / np.maximum(centres[:, None], centres)
    return float(centres[np.argmax(overlap @ likely)])


def joint_range(
    lower: float, upper: float, length: float, one_way: float, ahead: bool
) -> tuple[float, float]:
    """Limits about the given pose: [0, l] or [−l, 0] if the joint moves one way, ±l/2 otherwise.

    The free interval bounds only the direction, because overlaps drawn in files stop the simulator early. If
    the length is unknown (inf), the free interval is the range.
    """
    if not np.isfinite(length):
        return lower, upper
    if one_way <= 0.5:
        return -length / 2, length / 2
    return (0.0, length) if ahead else (-length, 0.0)
