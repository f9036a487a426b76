"""How likely two loose pieces that are near each other are one rigid part.

Pieces attend to each other; what is known of a pair (how they touch, how they move against each other in the
learned prior) biases the attention and the answer.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple, cast

import numpy as np
import torch
from jaxtyping import Bool, Float
from torch import Tensor, nn

from neurok.articulation.parts.contacts import FEATURES
from neurok.articulation.parts.learned_motion import learned_motion
from neurok.articulation.parts.pieces import Pieces, piece_samples
from neurok.assets import WEIGHTS
from neurok.nn.layers import Layer, mlp
from neurok.nn.weights import load_network, save_network
from neurok.shapes import Shape

Array = np.ndarray
MOST = 64  # pieces, the largest; smaller ones go with what carries them
SAMPLES = 24  # points of each piece
ABOUT_PAIRS = len(FEATURES) + 4
ABOUT_PIECES = 9
NEAR = -4  # of the numbers about a pair: whether anything is said of it
PRIOR = -1.0  # added to the log-odds: splitting a part in two does less harm than fusing two
FORMAT = "neurok-parts"


@dataclass(frozen=True)
class AffinityConfig:
    """Sizes of the network."""

    width: int = 64
    heads: int = 4
    layers: int = 3
    members: int = 4
    """Networks that are asked together."""


@dataclass(frozen=True, eq=False)
class PieceNumbers:
    """What the network reads of c pieces, in the shape's own frame. Vectors are vectors, the rest numbers."""

    points: Float[Array, "c s 3"]  # about the centre
    normals: Float[Array, "c s 3"]
    centres: Float[Array, "c 3"]
    pieces: Float[Array, "c n"]
    pairs: Float[Array, "c c f"]
    near: Bool[Array, "c c"]

    def arrays(self) -> dict[str, Array]:
        return {f.name: getattr(self, f.name) for f in fields(self)}


class PiecesBatch(NamedTuple):
    points: Float[Tensor, "b c s 3"]
    normals: Float[Tensor, "b c s 3"]
    centres: Float[Tensor, "b c 3"]
    pieces: Float[Tensor, "b c n"]
    pairs: Float[Tensor, "b c c f"]
    present: Bool[Tensor, "b c"]


def read_pieces(shape: Shape, found: Pieces, seed: int = 0) -> PieceNumbers:
    """The numbers of the largest pieces of a shape."""
    against, alone, read = learned_motion(shape, found.label, len(found.share))
    count = min(MOST, len(found.share))
    x, normals = piece_samples(shape, found.label, count, SAMPLES, seed)
    x, normals = (x @ read.turn.T - read.centre) / read.radius, normals @ read.turn.T
    centres, low, high = x.mean(1), x.min(1), x.max(1)
    share, twins = found.share[:count], found.twins[:count]
    copies = (found.twins[:, None] == found.twins[None]).sum(1)[:count]
    pieces = np.c_[
        np.sqrt(share), np.sort((high - low) / 2, axis=1), low[:, 1], high[:, 1], np.log(copies),
        alone[:count], np.full(count, 1 / count),
    ]  # fmt: skip
    pairs, near = np.zeros((count, count, ABOUT_PAIRS)), np.zeros((count, count), bool)
    kept = (found.contacts.pairs < count).all(1)
    i, j = found.contacts.pairs[kept].T
    near[i, j] = near[j, i] = True
    pairs[i, j, : len(FEATURES)] = pairs[j, i, : len(FEATURES)] = found.contacts.features[kept]
    pairs[..., NEAR] = near
    pairs[..., -3] = np.log(against[:count, :count] + 0.01)
    pairs[..., -2] = np.linalg.norm(centres[:, None] - centres[None], axis=-1)
    pairs[..., -1] = twins[:, None] == twins[None]
    return PieceNumbers(x - centres[:, None], normals, centres, pieces, pairs, near)


class Affinity(nn.Module):
    """Pieces of a shape ↦ log-odds that two of them are one part, b c c; 0 for those that are not near."""

    def __init__(self, config: AffinityConfig = AffinityConfig()) -> None:  # noqa: B008  # frozen
        super().__init__()
        self.config = config
        width, heads = config.width, config.heads
        self.mean = nn.Parameter(torch.zeros(ABOUT_PAIRS), requires_grad=False)
        self.spread = nn.Parameter(torch.ones(ABOUT_PAIRS), requires_grad=False)
        self.point = mlp(6, width, width)
        self.piece = mlp(width + 3 + ABOUT_PIECES, width, width)
        self.bias = mlp(ABOUT_PAIRS, 48, heads * config.layers)
        self.layers = nn.ModuleList(Layer(width, heads) for _ in range(config.layers))
        self.pair = mlp(ABOUT_PAIRS, width, width)
        self.out = nn.Sequential(
            nn.RMSNorm(3 * width), nn.Linear(3 * width, width), nn.GELU(), nn.Linear(width, 1)
        )

    def forward(self, batch: PiecesBatch) -> Float[Tensor, "b c c"]:
        points = self.point(torch.cat([batch.points, batch.normals], dim=-1)).amax(2)
        x = self.piece(torch.cat([points, batch.centres, batch.pieces], dim=-1))
        pairs = ((batch.pairs - self.mean) / self.spread).clamp(-8, 8)
        bias = self.bias(pairs).permute(0, 3, 1, 2).masked_fill(~batch.present[:, None, None], -1e4)
        for layer, own in zip(self.layers, bias.chunk(len(self.layers), dim=1), strict=True):
            x = layer(x, bias=own)
        b, i, j = torch.nonzero((batch.pairs[..., NEAR] > 0).triu(1), as_tuple=True)
        seen = torch.cat([x[b, i] + x[b, j], x[b, i] * x[b, j], self.pair(pairs[b, i, j])], dim=-1)
        odds = torch.zeros_like(pairs[..., 0]).index_put((b, i, j), self.out(seen)[:, 0])
        return odds + odds.transpose(1, 2)


class Affinities(nn.Module):
    """Several such networks, begun differently and trained on the same batches: their mean log-odds."""

    def __init__(self, config: AffinityConfig = AffinityConfig()) -> None:  # noqa: B008  # frozen
        super().__init__()
        self.config = config
        self.members = nn.ModuleList(Affinity(config) for _ in range(config.members))

    def each(self) -> list[Affinity]:
        """The members, by their type, which a list of modules forgets."""
        return [cast(Affinity, member) for member in self.members]

    def forward(self, batch: PiecesBatch) -> Float[Tensor, "b c c"]:
        return torch.stack([member(batch) for member in self.each()]).mean(0)


@torch.no_grad()
def log_odds(shape: Shape, found: Pieces) -> Float[Array, " p"]:
    """log p / (1 − p) that the pieces of each pair of contacts move as one; 0 for pairs of small pieces, and
    where there is no surface to look at."""
    odds = np.zeros(len(found.contacts.pairs))
    count = min(MOST, len(found.share))
    kept = (found.contacts.pairs < count).all(1)
    if kept.any() and shape.area > 0:
        arrays = read_pieces(shape, found).arrays()
        tensors = {n: torch.tensor(arrays[n], dtype=torch.float32)[None] for n in PiecesBatch._fields[:-1]}
        matrix = _shipped()(PiecesBatch(present=torch.ones(1, count, dtype=torch.bool), **tensors))[
            0
        ].double()
        odds[kept] = matrix.numpy()[tuple(found.contacts.pairs[kept].T)] + PRIOR
    return odds


@cache
def _shipped() -> Affinities:
    return load_affinities(WEIGHTS["parts"])


def load_affinities(path: Path) -> Affinities:
    """The networks of a file that `neurok train parts` wrote."""
    return load_network(path, FORMAT, lambda config: Affinities(AffinityConfig(**config)))


def save_affinities(
    path: str | Path, state: dict[str, Tensor], config: AffinityConfig, about: dict[str, Any] | None = None
) -> Path:
    return save_network(path, FORMAT, state, config, about)
