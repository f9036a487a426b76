"""Training task of the region network: regions around random pushes, and their overlap with what moves."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import count
from typing import NamedTuple

import numpy as np
import torch
from jaxtyping import Float
from torch import Tensor

from neurok.articulation.parts.push_scores import PushNetworks, score_push
from neurok.articulation.parts.region_network import RegionNetwork
from neurok.articulation.parts.regions import numbers_of, regions_around
from neurok.datasets.articulation_examples import diverse_objects
from neurok.datasets.patch_examples import FUSED_CACHE, RIGID_CACHE, SOFT_CACHE, soft_objects
from neurok.datasets.store.store import Store
from neurok.errors import InputError
from neurok.training.articulation import to_device
from neurok.training.config import TrainConfig
from neurok.training.distributed import World
from neurok.training.pushes import Drawn, draw_push

Array = np.ndarray
LEAST_SHARE = 0.006  # of the area: smaller parts are not pushed
ATTEMPTS = 4  # draws for each push, some of which meet a small part
SHARPNESS = 8.0  # of the wanted distribution over regions, exp(8 · overlap)
SHARPEN = 0.2  # weight of the divergence from it


@dataclass(frozen=True)
class RegionsData:
    """Choice of the pushes."""

    per_category: int = 1
    """Objects of each category."""
    pushes: int = 3
    """Pushes on a scan of each object; single rigid bodies and soft bodies are pushed once."""
    targets: int = 1  # examples per shape, for the rate in pairs/s
    workers: int = 2
    """Number of processes that compute the examples in the first call."""


class Regions(NamedTuple):
    """Regions of several pushes, padded: their numbers, their overlap with what moves, which are real."""

    numbers: Float[Tensor, "b r f"]
    overlap: Float[Tensor, "b r"]
    present: Float[Tensor, "b r"]


class RegionsTask:
    """Batches of pushes on fused scans, rigid bodies and soft bodies, and the loss."""

    def __init__(self, store: Store, config: TrainConfig, data: RegionsData, networks: PushNetworks) -> None:
        self.store, self.config, self.data, self.networks = store, config, data, networks
        self.names = diverse_objects(store, "train", data.per_category)
        train = self._regions("train", data.per_category, config.seed)
        if train is None or len(train.numbers) < config.batch:
            raise InputError(
                store.folder, f"has {0 if train is None else len(train.numbers)} pushes to train on",
                f"Build a store with at least {config.batch}, or lower --train.batch",
            )  # fmt: skip
        self.train = train

    def scale(self, network: RegionNetwork) -> RegionNetwork:
        """Sets the mean and the standard deviation of the input numbers."""
        seen = self.train.numbers[self.train.present > 0]
        network.mean.data, network.spread.data = seen.mean(0), seen.std(0).clamp(min=1e-3)
        return network

    def batches(self, world: World, start: int) -> Iterator[tuple[Regions]]:
        for step in count(start):
            rng = np.random.default_rng([self.config.seed, step])
            chosen = rng.choice(len(self.train.numbers), self.config.batch, replace=False)
            yield to_device(world, (Regions(*(t[chosen[world.rank :: world.size]] for t in self.train)),))

    def held_out(self, world: World) -> Iterator[tuple[Regions]]:
        if self.validation is not None:
            yield to_device(world, (self.validation,))

    @cached_property
    def validation(self) -> Regions | None:
        return self._regions("validation", 1, 0)

    def terms(
        self, model: RegionNetwork, batch: tuple[Regions], step: int, world: World
    ) -> dict[str, Tensor]:
        """Expected overlap of the chosen region, and divergence from softmax(8 · overlap)."""
        (regions,) = batch
        gone = regions.present == 0
        log_p = model(regions.numbers).masked_fill(gone, -1e4).log_softmax(-1)
        wanted = (SHARPNESS * regions.overlap).masked_fill(gone, -1e4).softmax(-1)
        missed = 1 - (log_p.exp() * regions.overlap).sum(-1).mean()
        sharpen = -(wanted * log_p.clamp(min=-50)).sum(-1).mean()
        chosen = regions.overlap.gather(1, log_p.argmax(-1, keepdim=True)).mean()
        return {"loss": missed + SHARPEN * sharpen, "missed": missed.detach(), "chosen": chosen.detach()}

    def _regions(self, split: str, per_category: int, seed: int) -> Regions | None:
        """Regions of pushes on the objects of a split; None if it has no objects."""
        jointed = diverse_objects(self.store, split, per_category)
        shown = (
            (FUSED_CACHE, jointed, self.data.pushes), (RIGID_CACHE, jointed, 1),
            (SOFT_CACHE, soft_objects(self.store, split), 1),
        )  # fmt: skip
        rows = []
        for cache, names, pushes in shown:
            for index, name in enumerate(cache.prepare(self.store, names, self.data.workers)):
                example, rng = cache.load(self.store, name), np.random.default_rng([seed, index])
                drawn = [_drawn(example, rng) for _ in range(pushes)]
                rows += [_row(example, push, self.networks) for push in drawn if push is not None]
        return _padded(rows) if rows else None


def _drawn(example: dict[str, Array], rng: np.random.Generator) -> Drawn | None:
    """A push on a part of several patches that is not too small, or on what stands."""
    for _ in range(ATTEMPTS):
        push = draw_push(example, rng)
        if push.moves.sum() > 1 and example["share"][push.moves].sum() > LEAST_SHARE:
            return push
    return None


def _row(
    example: dict[str, Array], push: Drawn, networks: PushNetworks
) -> tuple[Float[Array, "r f"], Float[Array, " r"]]:
    share = example["share"]
    seen = score_push(example, share, push.patch, push.point, push.way, networks)
    regions = regions_around(seen)
    both = [share[r.member & push.moves].sum() / share[r.member | push.moves].sum() for r in regions]
    return np.stack([numbers_of(region, seen) for region in regions]), np.array(both)


def _padded(rows: list[tuple[Float[Array, "_ f"], Float[Array, " _"]]]) -> Regions:
    most = max(len(overlap) for _, overlap in rows)
    numbers = np.zeros((len(rows), most, rows[0][0].shape[1]), np.float32)
    overlap, present = np.zeros((len(rows), most), np.float32), np.zeros((len(rows), most), np.float32)
    for k, (one, both) in enumerate(rows):
        numbers[k, : len(both)], overlap[k, : len(both)], present[k, : len(both)] = one, both, 1.0
    return Regions(*(torch.from_numpy(array) for array in (numbers, overlap, present)))
