"""How far a joint moves: classes of lengths, and the interval that is the best bet."""

from __future__ import annotations

import numpy as np
import torch
from jaxtyping import Float, Int
from torch import Tensor

Array = np.ndarray
LENGTHS = 14
TURNS = np.geomspace(0.2, 2 * np.pi, LENGTHS)  # radians in all; the last one: a whole turn or without limits
SLIDES = np.geomspace(0.01, 2.0, LENGTHS)  # in all, of the part's own length along the axis
ONE_WAY = 0.1  # share of the shorter way below which a joint moves one way only


def length_class(length: Float[Tensor, "*b"], centres: Float[Array, "14"]) -> Int[Tensor, "*b"]:
    """The class whose centre is nearest by ratio."""
    centre = torch.tensor(np.log(centres), dtype=length.dtype, device=length.device)
    return (length.clamp(min=1e-4).log()[..., None] - centre).abs().argmin(-1)


def best_length(likely: Float[Array, "14"], centres: Float[Array, "14"]) -> float:
    """The length l with the largest expected overlap Σ p(L) min(l, L) / max(l, L)."""
    overlap = np.minimum(centres[:, None], centres) / np.maximum(centres[:, None], centres)
    return float(centres[np.argmax(overlap @ likely)])


def interval(lower: float, upper: float, length: float, one_way: float, ahead: bool) -> tuple[float, float]:
    """Limits about the pose drawn, of the likely length: one way, along the axis if it goes `ahead`, or alike
    both ways.

    The free interval does not say how far: files draw parts with overlaps, which stop the simulator early. A
    length of inf is one that is not known; then the free interval stands.
    """
    if not np.isfinite(length):
        return lower, upper
    if one_way <= 0.5:
        return -length / 2, length / 2
    return (0.0, length) if ahead else (-length, 0.0)
