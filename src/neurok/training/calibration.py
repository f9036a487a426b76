"""After training: how far to trust the model, from objects of validation whose motion is known."""

from __future__ import annotations

from collections.abc import Iterator

import torch
from torch import Tensor

from neurok.datasets.batches import stacked
from neurok.datasets.pairs import PairConfig, PairDataset
from neurok.datasets.store.store import Store
from neurok.latent import NeuROK
from neurok.latent.confidence import held_share
from neurok.latent.objective import Deformations, in_own_frame, screws_of
from neurok.latent.surface import ShapeCode, SurfacePoints

KNOWN, HELD_OUT = 1000, 400  # objects that are looked at
POINTS = 1024  # as many as a user's mesh is sampled with
TARGETS = 6  # poses of each


@torch.no_grad()
def calibrate(model: NeuROK, store: Store, seed: int = 0) -> None:
    """Sets the model's confidence. Without validation objects, train's own have to do."""
    train, validation = store.names("train"), store.names("validation")
    confidence = model.confidence
    confidence.know(torch.cat([code.tokens.mean(1) for code, _ in _seen(model, store, train, KNOWN, seed)]))
    rows = [
        (confidence.features(code), confidence.distance(code), held_share(code, screws))
        for code, screws in _seen(model, store, validation or train, HELD_OUT, seed + 1)
    ]
    confidence.calibrate(*(torch.cat(column) for column in zip(*rows, strict=True)))


def _seen(
    model: NeuROK, store: Store, names: list[str] | tuple[str, ...], most: int, seed: int
) -> Iterator[tuple[ShapeCode, Tensor]]:
    """Objects as they are, in any frame: what the encoder says of them, and how their anchors move."""
    pairs = PairDataset(store, names, PairConfig(points=POINTS, augment=None, seed=seed, balance="object"))
    for step in range(min(most, len(names))):
        batch = stacked([pairs.pairs(step, TARGETS)])
        surface = SurfacePoints(batch["points"], batch["normals"], batch["component"])
        surface, moved = in_own_frame(surface, Deformations(batch["rotation"], batch["target"]))
        code = model.encode(surface)
        is_rigid = model.config.motion == "rigid"
        yield code, screws_of(code, moved.take(code.index), is_rigid=is_rigid)
