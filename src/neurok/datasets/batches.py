"""Batches of pairs as torch tensors, for a `DataLoader` with any number of workers."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count

import numpy as np
import torch
from torch import Tensor
from torch.utils.data import IterableDataset, get_worker_info

from neurok.datasets.reading import Pair, PairDataset

FIELDS = ("points", "normals", "rotation", "translation", "target", "part")


class PairBatches(IterableDataset):
    """Batches for one rank, without end. Give it to `DataLoader(…, batch_size=None, num_workers=…)`.

    Batch k of rank r holds steps (k · world + r) · size, … + size − 1. Workers take the batches in turn,
    which is the order in which the loader asks them: the stream is the same for every number of workers.
    """

    def __init__(self, pairs: PairDataset, size: int, rank: int = 0, world: int = 1, start: int = 0) -> None:
        self.pairs, self.size, self.rank, self.world, self.start = pairs, size, rank, world, start

    def __iter__(self) -> Iterator[dict[str, Tensor]]:
        worker = get_worker_info()
        offset, stride = (0, 1) if worker is None else (worker.id, worker.num_workers)
        for k in count(self.start + offset, stride):
            first = (k * self.world + self.rank) * self.size
            yield stacked([self.pairs.pair(step) for step in range(first, first + self.size)])


def stacked(pairs: list[Pair]) -> dict[str, Tensor]:
    """Arrays of all pairs along a new first axis, and the objects' numbers."""
    batch = {name: torch.from_numpy(np.stack([getattr(pair, name) for pair in pairs])) for name in FIELDS}
    return batch | {"object": torch.tensor([pair.object for pair in pairs])}
