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
HARDLY = 0.1  # of the likely length: where so little is free, the simulator is not believed


def length_class(length: Float[Tensor, "*b"], centres: Float[Array, "14"]) -> Int[Tensor, "*b"]:
    """The class whose centre is nearest by ratio."""
    centre = torch.tensor(np.log(centres), dtype=length.dtype, device=length.device)
    return (length.clamp(min=1e-4).log()[..., None] - centre).abs().argmin(-1)


def best_length(likely: Float[Array, "14"], centres: Float[Array, "14"]) -> float:
    """The length l with the largest expected overlap Σ p(L) min(l, L) / max(l, L)."""
    overlap = np.minimum(centres[:, None], centres) / np.maximum(centres[:, None], centres)
    return float(centres[np.argmax(overlap @ likely)])


def interval(lower: float, upper: float, length: float, one_way: float) -> tuple[float, float]:
    """Limits about the pose drawn: of the likely length, no farther than is free.

    One way: that which is freer. Both ways: as they are free. Where nothing is free, that length stands.
    """
    back, ahead = -lower, upper
    free = back + ahead
    share = back / free if free > 1e-6 else 0.0
    if one_way > 0.5:
        share = float(back > ahead)
    wanted = length * share, length * (1 - share)
    return -_capped(wanted[0], back), _capped(wanted[1], ahead)


def _capped(wanted: float, free: float) -> float:
    return min(wanted, free) if free > HARDLY * wanted else wanted
