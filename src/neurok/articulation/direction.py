"""The direction of a joint that moves one way only from the given pose.

Doors open outwards, drawers slide out, keys go in. The log-odds of moving along v, and not against it, are
f(v) − f(−v). So the opposite direction has the opposite odds. f reads the points of the part and the free
motion ahead and back.
"""

from __future__ import annotations

import torch
from jaxtyping import Bool, Float
from torch import Tensor, nn

from neurok.articulation.surface_reader import FAR, NEAR, Surface, SurfaceReader, sliding, turning
from neurok.nn.mlp import MLP

SIGNED, UNSIGNED = 6, 6  # numbers of a point that change sign with the motion, and that do not
FREE_SCALE = 0.3  # radii or radians: free motion at which it counts as half


class DirectionNetwork(nn.Module):
    """Points of parts and a motion of each ↦ log-odds that it moves along that motion, not against it."""

    def __init__(self, part_features: int, hidden: int = 32) -> None:
        super().__init__()
        self.reader = SurfaceReader(SIGNED + UNSIGNED, hidden, hidden)
        self.context = nn.Linear(part_features + 1 + 2, hidden)
        self.score = MLP(hidden, hidden, 1, norm=True)

    def forward(
        self,
        surface: Surface,
        parts: Float[Tensor, "r f"],
        free: Float[Tensor, "r 2"],
        axis: Float[Tensor, "r 3"],
        pivot: Float[Tensor, "r 3"],
        slides: Bool[Tensor, " r"],
    ) -> Float[Tensor, " r"]:
        """`free` is the free motion against the axis and along it, negative where it is unknown."""
        velocity = torch.where(slides[:, None, None], sliding(surface, axis), turning(surface, axis, pivot))
        signed, unsigned = _seen(surface, velocity)
        length = free.clamp(min=0) / (free.clamp(min=0) + FREE_SCALE)
        kind = slides.to(parts.dtype)[:, None]

        def value(sign: float, ends: Float[Tensor, "r 2"]) -> Float[Tensor, " r"]:
            token = self.reader(torch.cat([sign * signed, unsigned], dim=-1), surface.near)
            return self.score(token + self.context(torch.cat([parts, kind, ends], dim=-1)))[:, 0]

        return value(1.0, length) - value(-1.0, length.flip(-1))


def _seen(
    surface: Surface, velocity: Float[Tensor, "r s 3"]
) -> tuple[Float[Tensor, "r s 6"], Float[Tensor, "r s 6"]]:
    speed = velocity.norm(dim=-1)
    way = velocity / speed.clamp(min=1e-3)[..., None]
    gap = surface.gaps.norm(dim=-1)
    near = torch.exp(-gap / FAR)
    toward = surface.gaps / gap.clamp(min=1e-4)[..., None]
    dots = [(way * other).sum(-1) for other in (surface.normals, surface.met, toward, surface.points)]
    signed = torch.stack([*dots, way[..., 1], dots[0] * surface.open], dim=-1)
    most = speed.amax(1, keepdim=True).clamp(min=0.02)
    unsigned = torch.stack([
        speed / most, near, torch.exp(-gap / NEAR), surface.open, surface.points[..., 1], dots[0].abs(),
    ], dim=-1)  # fmt: skip
    return signed, unsigned
