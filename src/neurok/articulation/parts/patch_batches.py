"""Batches of the parts network from the features of one or several surfaces."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import torch
from jaxtyping import Float
from torch import Tensor

from neurok.articulation.parts.links import LINK_FEATURES
from neurok.articulation.parts.patch_network import CONTACT_FEATURES, PatchBatch

Array = np.ndarray


def batch_of_patches(examples: Sequence[Mapping[str, Array]]) -> PatchBatch:
    """Arrays of `PatchFeatures` of several surfaces, padded to the same number of patches."""
    most = max(len(e["piece"]) for e in examples)

    def padded(name: str) -> Tensor:
        out = np.zeros((len(examples), most, *examples[0][name].shape[1:]), np.float32)
        for row, example in zip(out, examples, strict=True):
            row[: len(example[name])] = example[name]
        return torch.from_numpy(out)

    columns = [padded(name) for name in ("points", "normals", "cues", "centres", "numbers")]
    shape = (len(examples), most, most)
    links = np.zeros((*shape, LINK_FEATURES + 1), np.float32)
    contacts = np.zeros((*shape, CONTACT_FEATURES + 1), np.float32)
    same, twins = np.zeros(shape, np.float32), np.zeros(shape, np.float32)
    for k, example in enumerate(examples):
        piece, n = example["piece"], len(example["piece"])
        i, j = example["links"].T
        links[k, i, j, :-1] = links[k, j, i, :-1] = example["link_features"]
        links[k, i, j, -1] = links[k, j, i, -1] = 1
        contacts[k, :n, :n] = _between_pieces(example)[piece[:, None], piece]
        same[k, :n, :n] = piece[:, None] == piece
        twin = example["twins"][piece]
        twins[k, :n, :n] = twin[:, None] == twin
    present = torch.arange(most) < torch.tensor([len(e["piece"]) for e in examples])[:, None]
    pairs = [torch.from_numpy(array) for array in (links, contacts, same, twins)]
    return PatchBatch._make([*columns, *pairs, present])


def _between_pieces(example: Mapping[str, Array]) -> Float[Array, "c c h"]:
    """Features of pairs of loose pieces and, last, whether they are near."""
    count = len(example["twins"])
    table = np.zeros((count, count, CONTACT_FEATURES + 1), np.float32)
    if len(example["contacts"]):
        i, j = example["contacts"].T
        table[i, j, :-1] = table[j, i, :-1] = example["contact_features"]
        table[i, j, -1] = table[j, i, -1] = 1
    return table
