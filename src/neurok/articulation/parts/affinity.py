"""Affinity network: log-odds that two neighbouring loose pieces belong to one rigid part.

Pieces attend to each other. Features of a pair (their contact, and their relative motion under the learned
kinematics) bias the attention and enter the score.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch
from jaxtyping import Bool, Float
from torch import Tensor, nn

from neurok.articulation.parts.contacts import FEATURES
from neurok.articulation.parts.learned_motion import learned_motion
from neurok.articulation.parts.pieces import Pieces, piece_samples
from neurok.assets import WEIGHTS
from neurok.nn.attention import Block, BlockConfig
from neurok.nn.ensemble import Ensemble, mean
from neurok.nn.mlp import MLP
from neurok.nn.weights import load_network, save_network
from neurok.shapes import Shape

Array = np.ndarray
MAX_PIECES = 64  # the largest pieces are scored; the others are assigned to their neighbours
SAMPLES = 24  # points of each piece
PAIR_FEATURES = len(FEATURES) + 4
PIECE_FEATURES = 9
IS_NEAR = -4  # index of the pair feature that says whether two pieces are neighbours
PRIOR_LOG_ODDS = -1.0  # added to every pair: splitting a part does less harm than fusing two
EXCLUDED = -1e4  # attention logit of padding
FORMAT = "neurok-parts"


@dataclass(frozen=True)
class AffinityConfig:
    """Sizes of the network."""

    width: int = 64
    heads: int = 4
    layers: int = 3
    members: int = 4
    """Networks of the ensemble."""


@dataclass(frozen=True, eq=False)
class PieceFeatures:
    """Inputs of the network for c pieces, in the shape's canonical frame."""

    points: Float[Array, "c s 3"]  # relative to the centre
    normals: Float[Array, "c s 3"]
    centres: Float[Array, "c 3"]
    pieces: Float[Array, "c n"]
    pairs: Float[Array, "c c f"]
    near: Bool[Array, "c c"]

    def arrays(self) -> dict[str, Array]:
        return {f.name: getattr(self, f.name) for f in fields(self)}


class PiecesBatch(NamedTuple):
    """Shapes padded to c pieces each; `present` marks the real ones."""

    points: Float[Tensor, "b c s 3"]
    normals: Float[Tensor, "b c s 3"]
    centres: Float[Tensor, "b c 3"]
    pieces: Float[Tensor, "b c n"]
    pairs: Float[Tensor, "b c c f"]
    present: Bool[Tensor, "b c"]


def read_pieces(shape: Shape, found: Pieces, seed: int = 0) -> PieceFeatures:
    """Features of the largest pieces of a shape."""
    against, alone, read = learned_motion(shape, found.label, len(found.share))
    count = min(MAX_PIECES, len(found.share))
    x, normals = piece_samples(shape, found.label, count, SAMPLES, seed)
    x, normals = (x @ read.turn.T - read.centre) / read.radius, normals @ read.turn.T
    centres, low, high = x.mean(1), x.min(1), x.max(1)
    share, twins = found.share[:count], found.twins[:count]
    copies = (found.twins[:, None] == found.twins[None]).sum(1)[:count]
    pieces = np.c_[
        np.sqrt(share), np.sort((high - low) / 2, axis=1), low[:, 1], high[:, 1], np.log(copies),
        alone[:count], np.full(count, 1 / count),
    ]  # fmt: skip
    pairs, near = np.zeros((count, count, PAIR_FEATURES)), np.zeros((count, count), bool)
    kept = (found.contacts.pairs < count).all(1)
    i, j = found.contacts.pairs[kept].T
    near[i, j] = near[j, i] = True
    pairs[i, j, : len(FEATURES)] = pairs[j, i, : len(FEATURES)] = found.contacts.features[kept]
    pairs[..., IS_NEAR] = near
    pairs[..., -3] = np.log(against[:count, :count] + 0.01)
    pairs[..., -2] = np.linalg.norm(centres[:, None] - centres[None], axis=-1)
    pairs[..., -1] = twins[:, None] == twins[None]
    return PieceFeatures(x - centres[:, None], normals, centres, pieces, pairs, near)


class Affinity(nn.Module):
    """Pieces of a shape ↦ log-odds that two of them are one part; 0 for pairs that are not neighbours."""

    def __init__(self, config: AffinityConfig = AffinityConfig()) -> None:  # noqa: B008  # frozen
        super().__init__()
        self.config = config
        width, heads = config.width, config.heads
        self.mean = nn.Parameter(torch.zeros(PAIR_FEATURES), requires_grad=False)
        self.spread = nn.Parameter(torch.ones(PAIR_FEATURES), requires_grad=False)
        block = BlockConfig(width, heads, expansion=2, fused=True)
        self.point = MLP(6, width, width)
        self.piece = MLP(width + 3 + PIECE_FEATURES, width, width)
        self.pair_bias = MLP(PAIR_FEATURES, 48, heads * config.layers)
        self.blocks = nn.ModuleList(Block(block) for _ in range(config.layers))
        self.pair = MLP(PAIR_FEATURES, width, width)
        self.score = MLP(3 * width, width, 1, norm=True)

    def forward(self, batch: PiecesBatch) -> Float[Tensor, "b c c"]:
        points = self.point(torch.cat([batch.points, batch.normals], dim=-1)).amax(2)
        x = self.piece(torch.cat([points, batch.centres, batch.pieces], dim=-1))
        pairs = ((batch.pairs - self.mean) / self.spread).clamp(-8, 8)
        bias = self.pair_bias(pairs).permute(0, 3, 1, 2).masked_fill(~batch.present[:, None, None], EXCLUDED)
        for block, own in zip(self.blocks, bias.chunk(len(self.blocks), dim=1), strict=True):
            x = block(x, bias=own)
        b, i, j = torch.nonzero((batch.pairs[..., IS_NEAR] > 0).triu(1), as_tuple=True)
        joint = torch.cat([x[b, i] + x[b, j], x[b, i] * x[b, j], self.pair(pairs[b, i, j])], dim=-1)
        odds = torch.zeros_like(pairs[..., 0]).index_put((b, i, j), self.score(joint)[:, 0])
        return odds + odds.transpose(1, 2)


def affinity_ensemble(config: AffinityConfig = AffinityConfig()) -> Ensemble[Affinity]:  # noqa: B008  # frozen
    """Networks whose log-odds are averaged."""
    return Ensemble([Affinity(config) for _ in range(config.members)], config, mean)


@torch.no_grad()
def log_odds(shape: Shape, found: Pieces) -> Float[Array, " p"]:
    """log p / (1 − p) that the pieces of each pair of contacts are one rigid part.

    It is 0 for pairs beyond the largest pieces, and for shapes without area.
    """
    odds = np.zeros(len(found.contacts.pairs))
    count = min(MAX_PIECES, len(found.share))
    kept = (found.contacts.pairs < count).all(1)
    if kept.any() and shape.area > 0:
        arrays = read_pieces(shape, found).arrays()
        tensors = {n: torch.tensor(arrays[n], dtype=torch.float32)[None] for n in PiecesBatch._fields[:-1]}
        batch = PiecesBatch(present=torch.ones(1, count, dtype=torch.bool), **tensors)
        matrix = _shipped()(batch)[0].double().numpy()
        odds[kept] = matrix[tuple(found.contacts.pairs[kept].T)] + PRIOR_LOG_ODDS
    return odds


@cache
def _shipped() -> Ensemble[Affinity]:
    return load_affinities(WEIGHTS["parts"])


def load_affinities(path: Path) -> Ensemble[Affinity]:
    """Loads a file that `neurok train parts` wrote."""
    return load_network(path, FORMAT, lambda data: affinity_ensemble(AffinityConfig(**data)))


def save_affinities(
    path: str | Path, state: dict[str, Tensor], config: AffinityConfig, about: dict[str, Any] | None = None
) -> Path:
    """Writes weights with their configuration and provenance."""
    return save_network(path, FORMAT, state, config, about)
