"""Stacks pairs into batches of torch tensors for a `DataLoader` with any number of workers."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count

import numpy as np
import torch
from torch import Tensor
from torch.utils.data import IterableDataset, get_worker_info

from neurok.datasets.pairs import Pair, PairDataset

SHAPE = ("points", "normals", "part", "component")
MOTION = ("rotation", "translation", "target")


class PairBatches(IterableDataset):
    """Infinite stream of batches of one rank, for `DataLoader(…, batch_size=None, num_workers=…)`.

    Batch k of rank r holds the steps (k · world + r) · size, …, (k · world + r) · size + size − 1. Workers
    take the batches in turn, in the order of the loader's requests, so the stream is the same for every
    number of workers. Each step is one shape with `targets` deformations.
    """

    def __init__(
        self, pairs: PairDataset, size: int, targets: int = 1, rank: int = 0, world: int = 1, start: int = 0
    ) -> None:
        self.pairs, self.size, self.targets = pairs, size, targets
        self.rank, self.world, self.start = rank, world, start

    def __iter__(self) -> Iterator[dict[str, Tensor]]:
        worker = get_worker_info()
        offset, stride = (0, 1) if worker is None else (worker.id, worker.num_workers)
        for k in count(self.start + offset, stride):
            first = (k * self.world + self.rank) * self.size
            steps = range(first, first + self.size)
            yield stacked([self.pairs.pairs(step, self.targets) for step in steps])


def stacked(rows: list[list[Pair]]) -> dict[str, Tensor]:
    """Batch of shapes ("b s …"), their deformations ("b d s …"), and the flags and indices of the objects."""
    shape = {name: np.stack([getattr(row[0], name) for row in rows]) for name in SHAPE}
    motion = {
        name: np.stack([np.stack([getattr(pair, name) for pair in row]) for row in rows]) for name in MOTION
    }
    batch = {name: torch.from_numpy(array) for name, array in (shape | motion).items()}
    numbers = {name: torch.tensor([getattr(row[0], name) for row in rows]) for name in ("jointed", "object")}
    return batch | numbers
