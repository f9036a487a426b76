"""After training: what is usual, from train objects and those of validation."""

from __future__ import annotations

import torch
from jaxtyping import Float
from torch import Tensor

from neurok.datasets.reading import PairConfig, PairDataset
from neurok.datasets.store import Store
from neurok.model import NeuROK
from neurok.model.surface import SurfacePoints

KNOWN, HELD_OUT = 1000, 400  # objects that are looked at
POINTS = 1024  # as many as a user's mesh is sampled with


@torch.no_grad()
def calibrate(model: NeuROK, store: Store, seed: int = 0) -> None:
    """Sets the model's sense of what is usual. Without validation objects, train's own have to do."""
    train, validation = store.names("train"), store.names("validation")
    known = _tokens(model, store, train, KNOWN, seed)
    model.typical.calibrate(known, _tokens(model, store, validation or train, HELD_OUT, seed + 1))


def _tokens(
    model: NeuROK, store: Store, names: list[str] | tuple[str, ...], most: int, seed: int
) -> Float[Tensor, "n k w"]:
    """Tokens of objects as they are, in any frame."""
    pairs = PairDataset(store, names, PairConfig(points=POINTS, augment=None, seed=seed, balance="object"))
    found = []
    for step in range(min(most, len(names))):
        pair = pairs.pair(step)
        surface = SurfacePoints(*(torch.tensor(x)[None] for x in (pair.points, pair.normals, pair.component)))
        found.append(model.encode(surface).tokens[0])
    return torch.stack(found)
