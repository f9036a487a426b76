"""`SurfacePoints`, the input of the networks, and `ShapeCode`, a surface encoded once."""

from __future__ import annotations

from dataclasses import dataclass, fields

import torch
from jaxtyping import Float, Int, Shaped
from torch import Tensor

from neurok.nn.embedding import relation_features


@dataclass(frozen=True, eq=False)
class SurfacePoints:
    """Samples of surfaces: box centred at 0, farthest vertex at distance 1, Y up."""

    points: Float[Tensor, "b n 3"]
    normals: Float[Tensor, "b n 3"]  # unit
    component: Int[Tensor, "b n"]  # connected piece

    def take(self, index: Int[Tensor, "b k"]) -> SurfacePoints:
        """Some of the points of each surface."""
        batch = torch.arange(len(index), device=index.device)[:, None]
        return SurfacePoints(
            self.points[batch, index], self.normals[batch, index], self.component[batch, index]
        )

    def part(self, some: slice) -> SurfacePoints:
        """A slice of the points of each surface."""
        return SurfacePoints(self.points[:, some], self.normals[:, some], self.component[:, some])

    def turned(self, turn: Float[Tensor, "b 3 3"]) -> SurfacePoints:
        """Each surface turned about the origin."""
        return SurfacePoints(self.points @ turn.mT, self.normals @ turn.mT, self.component)

    def spread(self, times: int) -> SurfacePoints:
        """Each surface repeated `times` in a row."""
        return SurfacePoints(*(_repeated(getattr(self, f.name), times) for f in fields(self)))

    def relations(self, other: SurfacePoints) -> Float[Tensor, "b n m c"]:
        return relation_features(self.points, self.component, other.points, other.component)


@dataclass(frozen=True, eq=False)
class ShapeCode:
    """A surface as K tokens, each anchored at one of its points."""

    tokens: Float[Tensor, "b k w"]
    features: Float[Tensor, "b k f"]  # f: close for handles that move together
    anchors: SurfacePoints  # b k
    index: Int[Tensor, "b k"]  # of the anchors among the points that were encoded
    relations: Float[Tensor, "b k k c"]  # of the anchors to each other
    modes: Float[Tensor, "b s z"]  # Ξ: screws of the handles = Ξ z
    prior: Float[Tensor, "b z"]  # μ(M₀): p(z | M₀) = N(μ, I)
    noise: Float[Tensor, "b s"]  # standard deviation of the motion that the modes do not explain

    def spread(self, times: int) -> ShapeCode:
        """Each shape repeated `times` in a row."""
        tensors = {f.name: getattr(self, f.name) for f in fields(self) if f.name != "anchors"}
        many = {name: _repeated(tensor, times) for name, tensor in tensors.items()}
        return ShapeCode(anchors=self.anchors.spread(times), **many)


def _repeated(x: Shaped[Tensor, "b ..."], times: int) -> Tensor:
    """Every element of the batch, `times` in a row: one shape for each of its deformations."""
    return x if times == 1 else torch.repeat_interleave(x, times, dim=0)
