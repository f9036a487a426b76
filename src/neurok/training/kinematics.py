"""Training task of the learned kinematic space: frame pairs and the terms of the objective."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import torch
from torch import Tensor

from neurok.datasets.augment import Augment
from neurok.datasets.pairs import PairConfig, PairDataset
from neurok.datasets.store.store import Store
from neurok.latent import NeuROK
from neurok.latent.objective import Deformations, LossConfig, in_own_frame, losses
from neurok.latent.surface import SurfacePoints
from neurok.training.config import TrainConfig
from neurok.training.distributed import World
from neurok.training.loading import held_out_batches, pair_batches


@dataclass(frozen=True)
class KinematicsData:
    """Sampling of the training pairs."""

    encoder_points: int = 384
    """Number of points of the encoder."""
    query_points: int = 128
    """Number of further points at which the prediction is evaluated."""
    targets: int = 4
    """Deformations per shape; the shape is encoded once for all of them."""
    hide_components: float = 0.25
    """Share of the shapes without component labels, as in a scan of one surface."""
    augment: Augment = field(default_factory=Augment)


class KinematicsTask:
    """Batches of frame pairs of the training objects, and the terms of their objective."""

    def __init__(
        self, store: Store, config: TrainConfig, data: KinematicsData, loss: LossConfig, names=None
    ) -> None:
        self.config, self.data, self.loss = config, data, loss
        pairs = PairConfig(
            points=data.encoder_points + data.query_points, augment=data.augment, seed=config.seed
        )
        self.pairs = PairDataset(store, store.names("train") if names is None else names, pairs)
        self.names = self.pairs.names

    def batches(self, world: World, start: int) -> Iterator[dict[str, Tensor]]:
        return pair_batches(self.pairs, self.config, self.data.targets, world, start)

    def held_out(self, world: World) -> Iterator[dict[str, Tensor]]:
        return held_out_batches(
            self.pairs.store, self.pairs.config.points, self.config, self.data.targets, world
        )

    def terms(self, model: NeuROK, batch: dict[str, Tensor], step: int, world: World) -> dict[str, Tensor]:
        """Terms of the objective; the noise is the same for any number of processes."""
        rng = torch.Generator().manual_seed(1_000_003 * self.config.seed + step)
        size, targets = len(batch["points"]), self.data.targets
        share = slice(world.rank * size, (world.rank + 1) * size)
        noise = torch.randn(size * world.size, targets, model.config.latent, generator=rng)
        hidden = torch.rand(size * world.size, generator=rng) < self.data.hide_components
        noise, hidden = noise[share].to(world.device), hidden[share].to(world.device)
        component = torch.where(hidden[:, None], 0, batch["component"])
        surface = SurfacePoints(batch["points"], batch["normals"], component)
        surface, deformations = in_own_frame(surface, Deformations(batch["rotation"], batch["target"]))
        terms = losses(
            model, surface, deformations, batch["part"], batch["jointed"], self.data.encoder_points, noise,
            self.loss,
        )  # fmt: skip
        return {"loss": self.loss.total(terms)} | terms
