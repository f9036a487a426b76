"""Push network: which patches of a surface move with a pushed one.

It is the patch network, whose patches know where and which way the surface is pushed. A user pushes where a
part gives way and along its motion, so a push shows the extent of the part better than the surface alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn

from neurok.articulation.parts.patch_network import NetworkScores, PatchBatch, PatchConfig, PatchNetwork
from neurok.nn.ensemble import Ensemble, mean
from neurok.nn.mlp import MLP
from neurok.nn.weights import load_network, save_network

PUSH_NUMBERS = 24  # see `_relative`
SCALES = (0.05, 0.15, 0.4, 1.0)  # radii
FORMAT = "neurok-pushes"


class PushBatch(NamedTuple):
    """One push on each surface, in the frame of its features."""

    patch: Int[Tensor, " b"]  # the pushed patch
    point: Float[Tensor, "b 3"]
    way: Float[Tensor, "b 3"]  # unit vectors


class PushScores(NamedTuple):
    """Log-odds that a patch moves with the pushed one, and the scores of the surface given the push.

    The velocity of the patches' centres, in units of the pushed point's speed, is an auxiliary task of the
    training.
    """

    moves: Float[Tensor, "b n"]
    velocity: Float[Tensor, "b n 3"]
    patches: NetworkScores


class PushNetwork(nn.Module):
    """Patches of a surface and a push ↦ `PushScores`."""

    def __init__(self, config: PatchConfig = PatchConfig()) -> None:  # noqa: B008  # frozen
        super().__init__()
        self.config = config
        self.trunk = PatchNetwork(config)
        self.push = MLP(PUSH_NUMBERS, config.width, config.width, zero_init=True)
        self.follow = MLP(2 * config.width + config.pair_width + PUSH_NUMBERS, config.width, 4)

    def forward(self, batch: tuple[PatchBatch, PushBatch]) -> PushScores:
        surface, push = batch
        relative = _relative(surface, push)
        x, pairs = self.trunk.codes(surface, self.push(relative))
        row = torch.arange(len(x), device=x.device)
        pushed = x[row, push.patch][:, None].expand_as(x)
        out = self.follow(torch.cat([x, pushed, pairs[row, push.patch], relative], dim=-1))
        return PushScores(out[..., 0], out[..., 1:], self.trunk.scores(x, pairs))


def _relative(surface: PatchBatch, push: PushBatch) -> Float[Tensor, "b n p"]:
    """Each patch as seen from the push.

    These are its offset from the pushed point, nearness on four scales, the distance along and across the
    push, the cosines of the push with its mean normal and with that of the pushed patch, whether it is the
    pushed patch, the direction and the point of the push, offset × direction, and point × direction.
    """
    count = surface.centres.shape[1]
    point, way = (v[:, None].expand(-1, count, -1) for v in (push.point, push.way))
    offset = surface.centres - point
    distance = offset.square().sum(-1, keepdim=True).clamp(min=1e-12).sqrt()
    along = (offset * way).sum(-1, keepdim=True)
    across = (offset - along * way).norm(dim=-1, keepdim=True)
    facing = nn.functional.normalize(surface.normals.mean(2), dim=-1, eps=1e-3) @ push.way[:, :, None]
    row = torch.arange(len(facing), device=facing.device)
    own = facing[row, push.patch][:, None].expand_as(facing)
    is_pushed = nn.functional.one_hot(push.patch, count)[..., None].to(offset)
    near = [torch.exp(distance / -scale) for scale in SCALES]
    return torch.cat([
        offset, *near, along, across, facing, own, is_pushed, way, point,
        torch.linalg.cross(offset, way), torch.linalg.cross(point, way),
    ], dim=-1)  # fmt: skip


def push_ensemble(config: PatchConfig = PatchConfig()) -> Ensemble[PushNetwork]:  # noqa: B008  # frozen
    """Networks whose log-odds are averaged."""
    return Ensemble([PushNetwork(config) for _ in range(config.members)], config, _mean_scores)


def _mean_scores(outputs: Sequence[PushScores]) -> PushScores:
    moves, velocity, patches = zip(*outputs, strict=True)
    surfaces = NetworkScores(*(mean(columns) for columns in zip(*patches, strict=True)))
    return PushScores(mean(moves), mean(velocity), surfaces)


def load_push_ensemble(path: Path) -> Ensemble[PushNetwork]:
    """Loads a file that `neurok train pushes` wrote."""
    return load_network(path, FORMAT, lambda data: push_ensemble(PatchConfig(**data)))


def save_push_ensemble(
    path: str | Path, state: dict[str, Tensor], config: PatchConfig, about: dict[str, Any] | None = None
) -> Path:
    """Writes weights with their configuration and provenance."""
    return save_network(path, FORMAT, state, config, about)
