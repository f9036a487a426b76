"""Where the tokens sit: points far from each other, on as many connected pieces as possible."""

from __future__ import annotations

import torch
from jaxtyping import Float, Int
from torch import Tensor

APART = 0.3  # radii that two connected pieces count as farther apart than they are


def farthest_points(
    points: Float[Tensor, "b n 3"], component: Int[Tensor, "b n"], count: int
) -> Int[Tensor, "b k"]:
    """Greedily the point farthest from those chosen, by |x − y| + 0.3 · [x, y on different pieces].

    So a small loose piece, a knob or a blade, gets a token before a large one gets its second close by. The
    first is the point farthest from the centre; more tokens than points repeat points.
    """
    b, n, _ = points.shape
    batch = torch.arange(b, device=points.device)
    chosen = points.square().sum(-1).argmax(-1)
    distance = torch.full((b, n), torch.inf, dtype=points.dtype, device=points.device)
    found = [chosen]
    for _ in range(count - 1):
        gap = (points - points[batch, chosen, None]).square().sum(-1).sqrt()
        gap = gap + APART * (component != component[batch, chosen, None])
        distance = torch.minimum(distance, gap)
        chosen = distance.argmax(-1)
        found.append(chosen)
    return torch.stack(found, dim=1)
