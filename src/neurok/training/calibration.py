"""Calibrates the confidence of a trained model on validation objects with known motion."""

from __future__ import annotations

from collections.abc import Iterator

import torch
from torch import Tensor

from neurok.datasets.batches import stacked
from neurok.datasets.pairs import PairConfig, PairDataset
from neurok.datasets.store.store import Store
from neurok.latent import NeuROK
from neurok.latent.confidence import captured_share
from neurok.latent.objective import Deformations, anchor_screws, in_own_frame
from neurok.latent.surface import ShapeCode, SurfacePoints

TRAIN_OBJECTS, VALIDATION_OBJECTS = 1000, 400  # largest numbers of objects
POINTS = 1024  # samples per object, as in inference
TARGETS = 6  # poses per object


@torch.no_grad()
def calibrate(model: NeuROK, store: Store, seed: int = 0) -> None:
    """Sets the confidence of the model; without validation objects it uses the training objects."""
    train, validation = store.names("train"), store.names("validation")
    confidence = model.confidence
    confidence.fit_familiarity(
        torch.cat([code.tokens.mean(1) for code, _ in _encoded(model, store, train, TRAIN_OBJECTS, seed)])
    )
    rows = [
        (confidence.features(code), confidence.distance(code), captured_share(code, screws))
        for code, screws in _encoded(model, store, validation or train, VALIDATION_OBJECTS, seed + 1)
    ]
    confidence.calibrate(*(torch.cat(column) for column in zip(*rows, strict=True)))


def _encoded(
    model: NeuROK, store: Store, names: list[str] | tuple[str, ...], most: int, seed: int
) -> Iterator[tuple[ShapeCode, Tensor]]:
    """Shape code and anchor screws of objects without augmentation, in a random frame."""
    pairs = PairDataset(store, names, PairConfig(points=POINTS, augment=None, seed=seed, balance="object"))
    for step in range(min(most, len(names))):
        batch = stacked([pairs.pairs(step, TARGETS)])
        surface = SurfacePoints(batch["points"], batch["normals"], batch["component"])
        surface, moved = in_own_frame(surface, Deformations(batch["rotation"], batch["target"]))
        code = model.encode(surface)
        is_rigid = model.config.motion == "rigid"
        yield code, anchor_screws(code, moved.take(code.index), is_rigid=is_rigid)
