"""Loads batches of pairs in reader processes and moves them to the training device."""

from __future__ import annotations

import os
from collections.abc import Iterator
from itertools import islice
from multiprocessing.util import Finalize

from torch import Tensor
from torch.utils.data import DataLoader

from neurok.datasets.batches import PairBatches
from neurok.datasets.pairs import PairConfig, PairDataset
from neurok.datasets.store.store import Store
from neurok.training.config import TrainConfig
from neurok.training.distributed import World

VALIDATION_BATCHES = 8


def pair_batches(
    pairs: PairDataset, config: TrainConfig, targets: int, world: World, start: int
) -> Iterator[dict[str, Tensor]]:
    """Batches of this process for the steps `start`, `start` + 1, …"""
    stream = PairBatches(pairs, config.batch // world.size, targets, world.rank, world.size, start)
    loader = DataLoader(
        stream, batch_size=None, num_workers=config.readers, pin_memory=world.device.type == "cuda",
        multiprocessing_context="spawn" if config.readers else None, worker_init_fn=_exit_at_once,
    )  # fmt: skip
    for batch in loader:
        yield {name: tensor.to(world.device, non_blocking=True) for name, tensor in batch.items()}


def held_out_batches(
    store: Store, points: int, config: TrainConfig, targets: int, world: World
) -> Iterator[dict[str, Tensor]]:
    """Fixed batches of validation objects without augmentation."""
    if not store.names("validation"):
        return
    pairs = PairConfig(points=points, augment=None, identity=0.0, seed=config.seed)
    stream = PairBatches(PairDataset(store, store.names("validation"), pairs), config.batch, targets)
    for batch in islice(stream, VALIDATION_BATCHES):
        yield {name: tensor.to(world.device) for name, tensor in batch.items()}


def _exit_at_once(_worker: int) -> None:
    """Ends a reader without tear-down: a remaining thread pool would abort it, and the loader would fail."""
    Finalize(None, os._exit, args=(0,), exitpriority=-1)
