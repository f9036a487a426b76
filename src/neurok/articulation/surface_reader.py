"""Reads the surface points of a part as a candidate motion moves them.

A turn about the line through p along a moves the point x with the velocity v = a × (x − p), a slide along a
with v = a. The network reads the direction of v relative to the surface, to the surface that the point meets,
and to the gap between them. This distinguishes a hinge from the far edge of a door, and the slide of a drawer
from its other axes. All numbers are even in a, so that they do not change with its sign, and invariant to
turns and mirror images.
"""

from __future__ import annotations

from typing import NamedTuple

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn

from neurok.nn.mlp import MLP

NEAR, FAR = 0.02, 0.1  # radii: decay lengths of gaps
CLOSE, WIDE = 0.03, 0.15  # radii: decay lengths of the distance to a line
SEEN = 13  # numbers of a point


class Surface(NamedTuple):
    """Points of n parts, with the nearest surface of other parts."""

    points: Float[Tensor, "n s 3"]
    normals: Float[Tensor, "n s 3"]
    gaps: Float[Tensor, "n s 3"]  # to the nearest point of the other parts
    met: Float[Tensor, "n s 3"]  # normals there
    open: Float[Tensor, "n s"]  # share of the directions about the normal in which nothing is met

    def of(self, rows: Int[Tensor, " r"]) -> Surface:
        return Surface(*(t[rows] for t in self))

    @property
    def near(self) -> Float[Tensor, "n s"]:
        """1 in contact, 0 far from all other parts."""
        return torch.exp(-self.gaps.norm(dim=-1) / FAR)


class SurfaceReader(nn.Module):
    """Numbers of the points of a part ↦ one token: pooled as mean, maximum, and mean over the contact."""

    def __init__(self, inputs: int, hidden: int, width: int) -> None:
        super().__init__()
        self.point = MLP(inputs, hidden, hidden)
        self.out = nn.Linear(3 * hidden, width)

    def forward(self, seen: Float[Tensor, "r s c"], near: Float[Tensor, "r s"]) -> Float[Tensor, "r w"]:
        x = nn.functional.gelu(self.point(seen))
        weight = near / near.sum(-1, keepdim=True).clamp(min=1e-3)
        return self.out(torch.cat([x.mean(1), x.amax(1), torch.einsum("rs,rsw->rw", weight, x)], dim=-1))


def seen_by(
    surface: Surface,
    velocity: Float[Tensor, "r s 3"],
    axis: Float[Tensor, "r 3"],
    centre: Float[Tensor, "r 3"],
) -> Float[Tensor, "r s c"]:
    """Numbers of the points of one part a row under a motion with these velocities."""
    speed = velocity.norm(dim=-1)
    way = velocity / speed.clamp(min=1e-3)[..., None]
    gap = surface.gaps.norm(dim=-1)
    toward = surface.gaps / gap.clamp(min=1e-4)[..., None]
    along = torch.einsum("rsi,ri->rs", surface.points - centre[:, None], axis).abs()
    return torch.stack([
        torch.exp(-speed / CLOSE), torch.exp(-speed / WIDE),
        speed / speed.amax(1, keepdim=True).clamp(min=0.02),
        along / along.amax(1, keepdim=True).clamp(min=0.02),
        _cosine(way, surface.normals), _cosine(way, surface.met), _cosine(way, toward),
        torch.einsum("rsi,ri->rs", surface.normals, axis).abs(),
        (surface.normals * surface.met).sum(-1), way[..., 1].abs(),
        torch.exp(-gap / NEAR), torch.exp(-gap / FAR), surface.open,
    ], dim=-1)  # fmt: skip


def turning(
    surface: Surface, axis: Float[Tensor, "r 3"], pivot: Float[Tensor, "r 3"]
) -> Float[Tensor, "r s 3"]:
    """v = a × (x − p)."""
    arm = surface.points - pivot[:, None]
    return torch.linalg.cross(axis[:, None].expand_as(arm), arm)


def sliding(surface: Surface, axis: Float[Tensor, "r 3"]) -> Float[Tensor, "r s 3"]:
    """v = a."""
    return axis[:, None].expand_as(surface.points)


def _cosine(a: Float[Tensor, "r s 3"], b: Float[Tensor, "r s 3"]) -> Float[Tensor, "r s"]:
    return (a * b).sum(-1).abs()
