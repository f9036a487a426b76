"""What the shipped networks say of a push on a surface."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np
import torch
from jaxtyping import Float

from neurok.articulation.parts.patch_batches import batch_of_patches
from neurok.articulation.parts.patch_network import PatchNetwork, load_patch_ensemble
from neurok.articulation.parts.patch_scores import SCALE, PatchScores, pair_weights
from neurok.articulation.parts.push_network import PushBatch, PushNetwork, load_push_ensemble
from neurok.articulation.parts.region_network import RegionNetwork, load_region_network
from neurok.articulation.parts.regions import PushedSurface
from neurok.assets import WEIGHTS
from neurok.nn.ensemble import Ensemble

Array = np.ndarray


class PushNetworks(NamedTuple):
    """The networks of surfaces and of pushes."""

    patches: Ensemble[PatchNetwork]
    pushes: Ensemble[PushNetwork]


@torch.no_grad()
def score_push(
    features: Mapping[str, Array], share: Float[Array, " n"], patch: int, point: Float[Array, "3"],
    way: Float[Array, "3"], networks: PushNetworks | None = None,
) -> PushedSurface:  # fmt: skip
    """Scores of a push at a point, in the frame of the arrays of `PatchFeatures`."""
    patches, pushes = networks or push_networks()
    share = share.astype(np.float64)
    surface = batch_of_patches([features])
    way = way / max(float(np.linalg.norm(way)), 1e-30)
    at, along = (torch.tensor(v[None], dtype=torch.float32) for v in (point, way))
    found = pushes((surface, PushBatch(torch.tensor([patch]), at, along)))
    weight = pair_weights(share, features["links"])
    alone, told = (
        PatchScores(SCALE * (odds + odds.T) / 2, weight)
        for odds in (s.together[0].double().numpy() for s in (patches(surface), found.patches))
    )
    moves = found.moves[0].double().numpy()
    return PushedSurface(patch, share, features["links"], moves, alone, told)


@cache
def push_networks(patches: Path | None = None, pushes: Path | None = None) -> PushNetworks:
    """The networks of these files, or the shipped ones."""
    return PushNetworks(
        load_patch_ensemble(patches or WEIGHTS["patches"]), load_push_ensemble(pushes or WEIGHTS["pushes"])
    )


@cache
def shipped_region_network() -> RegionNetwork:
    """The region network of the package."""
    return load_region_network(WEIGHTS["regions"])
