"""What the network that finds parts trains on: loose pieces of objects, and which of them are one part."""

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

from neurok.articulation.parts.affinity import Affinities, PiecesBatch
from neurok.datasets.piece_examples import KEPT
from neurok.datasets.store.store import Store
from neurok.training.articulation import kept_splits, on
from neurok.training.config import TrainConfig
from neurok.training.distributed import World

Array = np.ndarray


@dataclass(frozen=True)
class PartsData:
    """What a step shows of an object."""

    targets: int = 1  # shapes are counted once
    workers: int = 2
    """Processes that make the examples, the first time."""


class Together(NamedTuple):
    """Which pieces are one part, and what a pair weighs."""

    same: Float[Tensor, "b c c"]
    weight: Float[Tensor, "b c c"]


class PartsTask:
    """Pieces of the objects with joints of a store → terms of the objective."""

    def __init__(self, store: Store, config: TrainConfig, data: PartsData) -> None:
        self.config = config
        self.names, self.examples, self.validation = kept_splits(KEPT, store, config.batch, data.workers)

    def scale(self, networks: Affinities) -> Affinities:
        """The networks, told the mean and the spread of what they read of pairs that are near each other."""
        seen = torch.tensor(np.concatenate([e["pairs"][e["near"]] for e in self.examples]))
        for member in networks.each():
            member.mean.data, member.spread.data = seen.mean(0), seen.std(0).clamp(min=1e-6)
        return networks

    def batches(self, world: World, start: int) -> Iterator[tuple[PiecesBatch, Together]]:
        """Objects of all collections alike; the same stream for any number of processes."""
        share = even_shares([name.partition("/")[0] for name in self.names])
        for step in count(start):
            rng = np.random.default_rng([self.config.seed, step])
            chosen = rng.choice(len(self.examples), self.config.batch, p=share)
            drawn = [_turned(self.examples[i], quarter_turn(rng)) for i in chosen]
            yield on(world, batch_of(drawn[world.rank :: world.size]))

    def held_out(self, world: World) -> Iterator[tuple[PiecesBatch, Together]]:
        for first in range(0, len(self.validation), self.config.batch):
            yield on(world, batch_of(self.validation[first : first + self.config.batch]))

    def terms(self, model: Affinities, batch, step: int, world: World) -> dict[str, Tensor]:
        """Cross-entropy of the pairs of every object, weighted, the mean over objects, of every network."""
        pieces, together = batch
        losses = [
            binary_cross_entropy_with_logits(member(pieces), together.same, together.weight, reduction="sum")
            for member in model.each()
        ]
        return {"loss": torch.stack(losses).mean() / len(pieces.points)}


def even_shares(kinds: list[str]) -> Float[Array, " k"]:
    """The probability of each of these that makes all kinds alike."""
    _, kind, times = np.unique(kinds, return_inverse=True, return_counts=True)
    return 1 / (len(times) * times[kind])


def batch_of(examples: list[dict[str, Array]]) -> tuple[PiecesBatch, Together]:
    """Objects padded to the same number of pieces. A pair that is near weighs as √ of its smaller area."""
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
    return inputs, Together(same, weight)


def _padded(array: Array, most: int, square: bool) -> Array:
    missing = most - len(array)
    widths = [(0, missing), *((0, missing) if square and d == 0 else (0, 0) for d in range(array.ndim - 1))]
    return np.pad(array, widths)


def quarter_turn(rng: np.random.Generator) -> Float[Array, "3 3"]:
    """A turn about Y by a multiple of 90°, mirrored or not: own frames are fixed up to these."""
    c, s = [(1, 0), (0, 1), (-1, 0), (0, -1)][rng.integers(4)]
    turn = np.array([[c, 0, s], [0, 1, 0], [-s, 0, c]], np.float32)
    return turn * np.array([rng.choice([-1, 1]), 1, 1], np.float32)


def _turned(example: dict[str, Array], turn: Float[Array, "3 3"]) -> dict[str, Array]:
    return example | {name: example[name] @ turn.T for name in ("points", "normals", "centres")}
