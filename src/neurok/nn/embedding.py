"""Embeddings of points, and features of pairs of points."""

from __future__ import annotations

import torch
from jaxtyping import Float
from torch import Tensor, nn


def octave_features(points: Float[Tensor, "*batch 3"], octaves: int) -> Float[Tensor, "*batch c"]:
    """(x, sin(π 2^i x), cos(π 2^i x)) for i < `octaves`, per axis: 3 + 6 · octaves numbers."""
    frequency = torch.pi * 2.0 ** torch.arange(octaves, dtype=points.dtype, device=points.device)
    angle = (points[..., None] * frequency).flatten(-2)
    return torch.cat([points, angle.sin(), angle.cos()], dim=-1)


class PointEmbedding(nn.Module):
    """Linear map of the octave features of a point and of its unit normal."""

    def __init__(self, width: int, octaves: int) -> None:
        super().__init__()
        self.octaves = octaves
        self.linear = nn.Linear(3 + 6 * octaves + 3, width)

    def forward(
        self, points: Float[Tensor, "*batch 3"], normals: Float[Tensor, "*batch 3"]
    ) -> Float[Tensor, "*batch w"]:
        return self.linear(torch.cat([octave_features(points, self.octaves), normals], dim=-1))


RADII = (
    0.05,
    0.1,
    0.2,
    0.4,
    0.8,
)  # standard deviations of the Gaussians of a distance, in radii of the shape


def relation_features(
    a: Float[Tensor, "*batch n 3"], a_component: Tensor, b: Float[Tensor, "*batch m 3"], b_component: Tensor
) -> Float[Tensor, "*batch n m c"]:
    """Relations of point i of `a` to point j of `b`.

    These are exp(−d²/2r²) for each radius r, and 1 if both lie on one connected surface.
    """
    square = (a[..., :, None, :] - b[..., None, :, :]).square().sum(-1)
    near = [torch.exp(square / (-2 * r * r)) for r in RADII]
    same = (a_component[..., :, None] == b_component[..., None, :]).to(a.dtype)
    return torch.stack([*near, same], dim=-1)


RELATIONS = len(RADII) + 1
