"""Fit the network that tells whether two loose pieces are one part, and write it into the package.

    python scripts/fit_part_affinity.py FOLDER

Trained on pairs of pieces of generated objects and of the mechanisms in FOLDER/articulated_synthetic, of the
categories that the train split names; prints the agreement of found parts on those that the test split names.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import torch
from safetensors.torch import save_file

from neurok.articulation import affinity, pieces
from neurok.articulation.parts import grouped
from neurok.articulation.pieces import Pieces
from neurok.datasets.articulated import GENERATORS
from neurok.datasets.record import Origin
from neurok.datasets.splits import split_of
from neurok.evaluation.articulation.parts import part_agreement
from neurok.shapes import Shape
from neurok.shapes.load import load_shape

OBJECTS = 8  # of each generated family
EVERY = 14  # one in so many of the folder's mechanisms
MAX_FACES = 30_000
HIDDEN, EPOCHS, BATCH = 16, 30, 512


def main(data: Path) -> None:
    torch.manual_seed(0)
    torch.set_num_threads(1)
    known = [(name, shape, pieces.find_pieces(shape)) for name, shape in objects(data)]
    known = [(name, shape, found, own_part(shape, found)) for name, shape, found in known]
    train = [(found, own) for name, _, found, own in known if split(name) == "train"]
    save_file(fitted(train), affinity.WEIGHTS)
    for collection in ("generated", "articulated_synthetic"):
        held = [k for k in known if k[0].startswith(collection) and split(k[0]) == "test"]
        scores = [part_agreement(grouped(found)[0], own, found.share) for _, _, found, own in held]
        print(collection, len(scores), "objects:",
              {key: round(float(np.mean([getattr(s, key) for s in scores])), 3)
               for key in ("rand_index", "matched", "pure", "whole", "found", "true")})  # fmt: skip


def objects(data: Path):
    """(name, shape) of all that is learned from or tested on."""
    for family, make in GENERATORS.items():
        for seed in range(OBJECTS):
            yield f"generated/{family}/{seed}", make(np.random.default_rng(1000 + seed))
    for path in sorted((data / "articulated_synthetic").glob("*/model.urdf"))[::EVERY]:
        shape = load_shape(path)
        if len(shape.faces) <= MAX_FACES:
            yield f"articulated_synthetic/{path.parent.name}", shape


def split(name: str) -> str:
    return split_of(Origin(name, name.split("/")[1], "articulated", "", ""))


def own_part(shape: Shape, found: Pieces):
    """The true part of each piece, by area."""
    corners = shape.vertices[shape.faces]
    area = np.linalg.norm(np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]), axis=1)
    table = np.zeros((len(found.share), len(shape.part_names)))
    np.add.at(table, (found.label, shape.part), area + 1e-15)
    return table.argmax(axis=1)


def fitted(train) -> dict[str, torch.Tensor]:
    """Weights that minimise the cross-entropy, pairs of larger pieces weighing more."""
    features = torch.tensor(np.concatenate([f.contacts.features for f, _ in train]), dtype=torch.float32)
    same = torch.tensor(np.concatenate([own[f.contacts.pairs[:, 0]] == own[f.contacts.pairs[:, 1]]
                                        for f, own in train]), dtype=torch.float32)  # fmt: skip
    weight = torch.tensor(np.concatenate([importance(f) for f, _ in train]), dtype=torch.float32)
    mean, spread = features.mean(0), features.std(0) + 1e-6
    x = ((features - mean) / spread).clamp(-8, 8)
    hidden, out = torch.nn.Linear(x.shape[1], HIDDEN), torch.nn.Linear(HIDDEN, 1)
    optimiser = torch.optim.AdamW([*hidden.parameters(), *out.parameters()], 3e-3, weight_decay=0.02)
    schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimiser, EPOCHS)
    loss_of = torch.nn.BCEWithLogitsLoss(reduction="none")
    for _ in range(EPOCHS):
        for rows in torch.randperm(len(x)).split(BATCH):
            loss = (weight[rows] * loss_of(out(torch.tanh(hidden(x[rows])))[:, 0], same[rows])).mean()
            optimiser.zero_grad()
            loss.backward()
            optimiser.step()
        schedule.step()
    layers = {"hidden.weight": hidden.weight, "hidden.bias": hidden.bias, "out.weight": out.weight,
              "out.bias": out.bias}  # fmt: skip
    return {"mean": mean, "spread": spread, **{k: v.detach().clone() for k, v in layers.items()}}


def importance(found: Pieces):
    """√ of the smaller piece's share, and less for objects with thousands of pairs."""
    smaller = np.minimum(found.share[found.contacts.pairs].min(axis=1), 0.05)
    return np.sqrt(smaller + 1e-4) / np.sqrt(max(1, len(found.contacts.pairs))) * 50


if __name__ == "__main__":
    main(Path(sys.argv[1]))
