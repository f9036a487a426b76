"""Training task of the keypoint deformer: unordered point clouds of two frames of an object."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

import torch
from jaxtyping import Float
from torch import Tensor

from neurok.datasets.augment import Augment
from neurok.datasets.pairs import PairConfig, PairDataset
from neurok.datasets.store.store import Store
from neurok.geometry.farthest_points import farthest_points
from neurok.training.config import TrainConfig
from neurok.training.distributed import World
from neurok.training.loading import held_out_batches, pair_batches

# Maps source (b n 3) and targets (b d m 3) to the moved source (b d n 3) and the keypoints of both.
Deformer = Callable[[Tensor, Tensor], tuple[Tensor, Tensor, Tensor]]


@dataclass(frozen=True)
class KeypointsData:
    """Sampling of the training objects, and weights of the objective."""

    points: int = 512
    """Number of points of the source and of each target; the clouds share no points."""
    targets: int = 2
    """Deformations per shape."""
    keypoints: float = 0.5
    """Weight of the distance between keypoints and farthest points of the surface."""
    augment: Augment = field(default_factory=Augment)


class KeypointsTask:
    """Batches of point clouds of the training objects, and the terms of their objective."""

    def __init__(self, store: Store, config: TrainConfig, data: KeypointsData, names=None) -> None:
        self.config, self.data = config, data
        pairs = PairConfig(points=2 * data.points, augment=data.augment, seed=config.seed)
        self.pairs = PairDataset(store, store.names("train") if names is None else names, pairs)
        self.names = self.pairs.names

    def batches(self, world: World, start: int) -> Iterator[dict[str, Tensor]]:
        return pair_batches(self.pairs, self.config, self.data.targets, world, start)

    def held_out(self, world: World) -> Iterator[dict[str, Tensor]]:
        return held_out_batches(
            self.pairs.store, self.pairs.config.points, self.config, self.data.targets, world
        )

    def terms(self, model: Deformer, batch: dict[str, Tensor], step: int, world: World) -> dict[str, Tensor]:
        """Terms of the objective.

        chamfer    Chamfer distance between the moved source and the target
        keypoints  Chamfer distance of the keypoints to as many farthest points, in source and target
        """
        half = self.data.points
        source, target = batch["points"][:, :half], batch["target"][:, :, half:]
        moved, at_source, at_target = model(source, target)
        clouds = torch.cat([source, target.flatten(0, 1)])
        found = torch.cat([at_source, at_target.flatten(0, 1)])
        apart = farthest_points(clouds, found.shape[1])
        terms = {
            "chamfer": chamfer(moved.flatten(0, 1), target.flatten(0, 1)),
            "keypoints": chamfer(found, clouds.gather(1, apart[..., None].expand(-1, -1, 3))),
        }
        return {"loss": terms["chamfer"] + self.data.keypoints * terms["keypoints"]} | terms


def chamfer(a: Float[Tensor, "b n 3"], b: Float[Tensor, "b m 3"]) -> Float[Tensor, ""]:
    """½ (mean distance from a to the nearest of b + from b to the nearest of a), over all pairs of clouds."""
    with torch.no_grad():
        distance = torch.cdist(a, b)
        ahead, back = distance.argmin(2), distance.argmin(1)
    pick = lambda x, index: x.gather(1, index[..., None].expand(-1, -1, 3))  # noqa: E731
    return (_length(a - pick(b, ahead)).mean() + _length(b - pick(a, back)).mean()) / 2


def _length(x: Float[Tensor, "*batch 3"]) -> Float[Tensor, " *batch"]:
    """Smoothed length √(|x|² + 1e-8), differentiable at zero."""
    return (x.square().sum(-1) + 1e-8).sqrt()
