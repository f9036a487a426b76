"""Scores of the shipped parts network for the patches of a surface."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np
import torch
from jaxtyping import Float, Int

from neurok.articulation.parts.patch_batches import batch_of_patches
from neurok.articulation.parts.patch_features import Patches
from neurok.articulation.parts.patch_network import PatchNetwork, load_patch_ensemble
from neurok.assets import WEIGHTS
from neurok.nn.ensemble import Ensemble

Array = np.ndarray
SCALE = 0.6  # of the log-odds, which the network overstates for objects that it has not seen


@dataclass(frozen=True, eq=False)
class PatchScores:
    """Scores of the network for n patches."""

    odds: Float[Array, "n n"]  # log p / (1 − p) that two patches are one part
    weight: Float[Array, "n n"]  # of each pair, 1 in all


def pair_weights(share: Float[Array, " n"], links: Int[Array, "p 2"]) -> Float[Array, "n n"]:
    """Weights of pairs: half on all pairs, half on linked pairs.

    All pairs are weighted by the product of their areas, as the Rand index counts them, and linked pairs by
    the root of the smaller area.
    """
    everywhere, linked = share[:, None] * share, np.zeros((len(share), len(share)))
    i, j = links.T
    linked[i, j] = linked[j, i] = np.sqrt(np.minimum(share[i], share[j]))
    return everywhere / max(2 * everywhere.sum(), 1e-12) + linked / max(2 * linked.sum(), 1e-12)


@torch.no_grad()
def score_patches(patches: Patches, network: Ensemble[PatchNetwork] | None = None) -> PatchScores:
    """Scores of the shipped networks, or of others."""
    network = shipped() if network is None else network
    together = network(batch_of_patches([patches.features.arrays()])).together
    odds = together[0].double().numpy()
    weight = pair_weights(patches.share, patches.features.links)
    return PatchScores(SCALE * (odds + odds.T) / 2, weight)


@cache
def shipped() -> Ensemble[PatchNetwork]:
    """The networks of the package."""
    return load_patch_ensemble(WEIGHTS["patches"])


def likelihood(group: Int[Array, " n"], scores: PatchScores) -> float:
    """Mean probability of the decisions for all pairs of patches, by their weight."""
    together = group[:, None] == group
    sure = 1 / (1 + np.exp(np.clip(np.where(together, -scores.odds, scores.odds), -50, 50)))
    apart = ~np.eye(len(group), dtype=bool)
    return float(np.average(sure[apart], weights=scores.weight[apart] + 1e-12)) if apart.any() else 1.0
