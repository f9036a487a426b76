"""Training task of part segmentation: batches of mesh components, labelled by common part."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count
from typing import NamedTuple

import numpy as np
import torch
from jaxtyping import Float
from torch import Tensor
from torch.nn.functional import binary_cross_entropy_with_logits

from neurok.articulation.parts.affinity import Affinity, PiecesBatch
from neurok.datasets.piece_examples import CACHE
from neurok.datasets.store.store import Store
from neurok.nn.ensemble import Ensemble
from neurok.training.articulation import load_examples, to_device
from neurok.training.config import TrainConfig
from neurok.training.distributed import World

Array = np.ndarray


@dataclass(frozen=True)
class PartsData:
    """Preparation of the training objects."""

    per_category: int = 6
    """Objects of each category that are shown."""
    targets: int = 1  # examples per shape, for the rate in pairs/s
    workers: int = 2
    """Number of processes that compute the examples in the first call."""


class PairLabels(NamedTuple):
    """Whether two components belong to the same part, and the weight of the pair."""

    same: Float[Tensor, "b c c"]
    weight: Float[Tensor, "b c c"]


class PartsTask:
    """Batches of components of the objects with joints of a store, and the terms of their objective."""

    def __init__(self, store: Store, config: TrainConfig, data: PartsData) -> None:
        self.config = config
        self.names, self.examples, self.validation = load_examples(
            CACHE, store, data.per_category, config.batch, data.workers
        )

    def scale(self, networks: Ensemble[Affinity]) -> Ensemble[Affinity]:
        """Sets the mean and the standard deviation of the features of neighbouring pairs."""
        seen = torch.tensor(np.concatenate([e["pairs"][e["near"]] for e in self.examples]))
        for member in networks:
            member.mean.data, member.spread.data = seen.mean(0), seen.std(0).clamp(min=1e-6)
        return networks

    def batches(self, world: World, start: int) -> Iterator[tuple[PiecesBatch, PairLabels]]:
        """Batches with equal probability of every collection; the same for any number of processes."""
        share = even_shares([name.partition("/")[0] for name in self.names])
        for step in count(start):
            rng = np.random.default_rng([self.config.seed, step])
            chosen = rng.choice(len(self.examples), self.config.batch, p=share)
            drawn = [_turned(self.examples[i], quarter_turn(rng)) for i in chosen]
            yield to_device(world, batch_of(drawn[world.rank :: world.size]))

    def held_out(self, world: World) -> Iterator[tuple[PiecesBatch, PairLabels]]:
        for first in range(0, len(self.validation), self.config.batch):
            yield to_device(world, batch_of(self.validation[first : first + self.config.batch]))

    def terms(self, model: Ensemble[Affinity], batch, step: int, world: World) -> dict[str, Tensor]:
        """Weighted cross-entropy over the pairs of an object, averaged over objects and networks."""
        pieces, labels = batch
        losses = [
            binary_cross_entropy_with_logits(member(pieces), labels.same, labels.weight, reduction="sum")
            for member in model
        ]
        return {"loss": torch.stack(losses).mean() / len(pieces.points)}


def even_shares(kinds: list[str]) -> Float[Array, " k"]:
    """Probability of each element such that all kinds are equally likely."""
    _, kind, times = np.unique(kinds, return_inverse=True, return_counts=True)
    return 1 / (len(times) * times[kind])


def batch_of(examples: list[dict[str, Array]]) -> tuple[PiecesBatch, PairLabels]:
    """Batch padded to the same number of components; neighbouring pairs weigh √(smaller area)."""
    most = max(len(e["part"]) for e in examples)
    padded = {
        name: torch.tensor(np.stack([_padded(e[name], most, name in ("pairs", "near")) for e in examples]))
        for name in examples[0]
    }
    present = torch.arange(most) < torch.tensor([len(e["part"]) for e in examples])[:, None]
    smaller = torch.minimum(padded["share"][:, :, None], padded["share"][:, None])
    weight = smaller.sqrt() * padded["near"]
    weight = weight / weight.sum((1, 2), keepdim=True).clamp(min=1e-9)
    same = (padded["part"][:, :, None] == padded["part"][:, None]).float()
    inputs = PiecesBatch(present=present, **{f: padded[f] for f in PiecesBatch._fields if f != "present"})
    return inputs, PairLabels(same, weight)


def _padded(array: Array, most: int, square: bool) -> Array:
    missing = most - len(array)
    widths = [(0, missing), *((0, missing) if square and d == 0 else (0, 0) for d in range(array.ndim - 1))]
    return np.pad(array, widths)


def quarter_turn(rng: np.random.Generator) -> Float[Array, "3 3"]:
    """Random rotation about Y by a multiple of 90°, or its mirror: the ambiguity of an object's frame."""
    c, s = [(1, 0), (0, 1), (-1, 0), (0, -1)][rng.integers(4)]
    turn = np.array([[c, 0, s], [0, 1, 0], [-s, 0, c]], np.float32)
    return turn * np.array([rng.choice([-1, 1]), 1, 1], np.float32)


def _turned(example: dict[str, Array], turn: Float[Array, "3 3"]) -> dict[str, Array]:
    return example | {name: example[name] @ turn.T for name in ("points", "normals", "centres")}
