"""Parts network: log-odds that two patches of a surface belong to one rigid part, and that a patch moves.

Patches attend to each other. Features of a pair of patches bias the attention and enter the score: the
contact of their surfaces, the contact of their loose pieces, and their relative position.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import torch
from jaxtyping import Bool, Float
from torch import Tensor, nn

from neurok.articulation.parts.contacts import FEATURES
from neurok.articulation.parts.links import LINK_FEATURES
from neurok.articulation.parts.patch_features import PATCH_NUMBERS
from neurok.articulation.parts.surface_cues import CUES
from neurok.nn.attention import Block, BlockConfig
from neurok.nn.embedding import octave_features
from neurok.nn.ensemble import Ensemble, mean
from neurok.nn.mlp import MLP
from neurok.nn.weights import load_network, save_network

CONTACT_FEATURES = len(FEATURES)
PLACE_FEATURES = 9  # see `_places`
OCTAVES = 4
EXCLUDED = -1e4  # attention logit of padding
FORMAT = "neurok-patches"


@dataclass(frozen=True)
class PatchConfig:
    """Sizes of the network."""

    width: int = 144
    heads: int = 6
    layers: int = 6
    pair_width: int = 32
    dropout: float = 0.2
    """Share of dropped residual branches' outputs in training."""
    members: int = 1
    """Networks of the ensemble."""


class PatchBatch(NamedTuple):
    """Shapes padded to n patches each; `present` marks the real ones.

    A pair without a link, or whose loose pieces are not near, has a zero in the last link or contact feature.
    """

    points: Float[Tensor, "b n s 3"]
    normals: Float[Tensor, "b n s 3"]
    cues: Float[Tensor, "b n s k"]
    centres: Float[Tensor, "b n 3"]
    numbers: Float[Tensor, "b n f"]
    links: Float[Tensor, "b n n g"]
    contacts: Float[Tensor, "b n n h"]
    same_piece: Float[Tensor, "b n n"]
    twins: Float[Tensor, "b n n"]
    present: Bool[Tensor, "b n"]


class NetworkScores(NamedTuple):
    """Log-odds that two patches are one part, and that a patch belongs to a part that moves.

    The second is an auxiliary task of the training.
    """

    together: Float[Tensor, "b n n"]
    moves: Float[Tensor, "b n"]


class PatchNetwork(nn.Module):
    """Patches of a surface ↦ `NetworkScores`."""

    def __init__(self, config: PatchConfig = PatchConfig()) -> None:  # noqa: B008  # frozen
        super().__init__()
        self.config = config
        width, pair, heads = config.width, config.pair_width, config.heads
        self.mean, self.spread = nn.ParameterDict(), nn.ParameterDict()
        for name, size in SCALED.items():
            self.mean[name] = nn.Parameter(torch.zeros(size), requires_grad=False)
            self.spread[name] = nn.Parameter(torch.ones(size), requires_grad=False)
        self.point = MLP(6 + CUES, width, width)
        self.patch = MLP(2 * width + 3 + 6 * OCTAVES + PATCH_NUMBERS, 2 * width, width)
        self.pair = nn.Linear(LINK_FEATURES + CONTACT_FEATURES + 4 + PLACE_FEATURES, pair)
        self.bias = nn.Linear(pair, heads * config.layers)
        block = BlockConfig(width, heads, expansion=2, dropout=config.dropout, fused=True)
        self.blocks = nn.ModuleList(Block(block) for _ in range(config.layers))
        self.norm = nn.RMSNorm(width)
        self.own, self.pair_own = nn.Linear(width, pair), nn.Linear(pair, pair)
        self.score = nn.Linear(pair, 1)
        self.code = nn.Linear(width, pair)
        self.moves = MLP(width, width, 1)

    def forward(self, batch: PatchBatch) -> NetworkScores:
        return self.scores(*self.codes(batch))

    def codes(
        self, batch: PatchBatch, told: Float[Tensor, "b n d"] | float = 0.0
    ) -> tuple[Float[Tensor, "b n d"], Float[Tensor, "b n n k"]]:
        """Codes of patches and of their pairs; `told` is added to the codes before patches attend."""
        points = self.point(torch.cat([batch.points, batch.normals, batch.cues], dim=-1))
        numbers = self._scaled("numbers", batch.numbers)
        place = octave_features(batch.centres, OCTAVES)
        x = self.patch(torch.cat([points.amax(2), points.mean(2), place, numbers], dim=-1)) + told
        pairs = self.pair(self._pairs(batch)).relu()
        bias = self.bias(pairs).permute(0, 3, 1, 2).masked_fill(~batch.present[:, None, None], EXCLUDED)
        for block, own in zip(self.blocks, bias.chunk(len(self.blocks), dim=1), strict=True):
            x = block(x, bias=own)
        return self.norm(x), pairs

    def scores(self, x: Float[Tensor, "b n d"], pairs: Float[Tensor, "b n n k"]) -> NetworkScores:
        own, code = self.own(x), self.code(x)
        joint = (own[:, :, None] + own[:, None] + self.pair_own(pairs)).relu()
        together = self.score(joint)[..., 0] + code @ code.transpose(1, 2) / code.shape[-1] ** 0.5
        return NetworkScores(together, self.moves(x)[..., 0])

    def _pairs(self, batch: PatchBatch) -> Float[Tensor, "b n n k"]:
        linked, near = batch.links[..., -1:], batch.contacts[..., -1:]
        return torch.cat([
            self._scaled("links", batch.links[..., :-1]) * linked, linked,
            self._scaled("contacts", batch.contacts[..., :-1]) * near, near,
            batch.same_piece[..., None], batch.twins[..., None], _places(batch),
        ], dim=-1)  # fmt: skip

    def _scaled(self, name: str, values: Tensor) -> Tensor:
        return ((values - self.mean[name]) / self.spread[name]).clamp(-6, 6)


SCALED = {"numbers": PATCH_NUMBERS, "links": LINK_FEATURES, "contacts": CONTACT_FEATURES}


def _places(batch: PatchBatch) -> Float[Tensor, "b n n p"]:
    """Relative position of two patches.

    These are nearness on four scales, height, the cosine of their mean normals (also without sign), and the
    distance of each from the plane of the other (smaller and larger).
    """
    offset = batch.centres[:, None] - batch.centres[:, :, None]
    distance = offset.square().sum(-1).clamp(min=1e-12).sqrt()
    near = [torch.exp(distance / -scale) for scale in (0.05, 0.15, 0.4, 1.0)]
    normal = nn.functional.normalize(batch.normals.mean(2), dim=-1, eps=1e-3)
    cosine = normal @ normal.transpose(1, 2)
    off = torch.einsum("bnmi,bni->bnm", offset, normal).abs()
    off, other = off.clamp(max=0.5), off.transpose(1, 2).clamp(max=0.5)
    return torch.stack([
        *near, offset[..., 1].abs(), cosine, cosine.abs(),
        torch.minimum(off, other) * 5, torch.maximum(off, other) * 5,
    ], dim=-1)  # fmt: skip


def patch_ensemble(config: PatchConfig = PatchConfig()) -> Ensemble[PatchNetwork]:  # noqa: B008  # frozen
    """Networks whose log-odds are averaged."""
    return Ensemble([PatchNetwork(config) for _ in range(config.members)], config, _mean_scores)


def _mean_scores(outputs: Sequence[NetworkScores]) -> NetworkScores:
    return NetworkScores(*(mean(columns) for columns in zip(*outputs, strict=True)))


def load_patch_ensemble(path: Path) -> Ensemble[PatchNetwork]:
    """Loads a file that `neurok train patches` wrote."""
    return load_network(path, FORMAT, lambda data: patch_ensemble(PatchConfig(**data)))


def save_patch_ensemble(
    path: str | Path, state: dict[str, Tensor], config: PatchConfig, about: dict[str, Any] | None = None
) -> Path:
    """Writes weights with their configuration and provenance."""
    return save_network(path, FORMAT, state, config, about)
