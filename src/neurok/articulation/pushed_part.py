"""The part of a fused surface that a push moves.

A push on a surface without seams shows that some part there gives way. Regions around the pushed place are
the groups that contain it while patches are merged. Each is tried as a part that moves against the rest: how
well it is set apart, by the log-odds of the patch network, and how well a joint explains the push, by the
articulation networks.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from jaxtyping import Float, Int

from neurok.articulation.clouds import read_parts
from neurok.articulation.decision import networks, parts_batch, score
from neurok.articulation.features import part_scene
from neurok.articulation.parts.division import FUSED_SHARE
from neurok.articulation.parts.find import Parts, cut_parts
from neurok.articulation.parts.patch_features import Patches, read_patches
from neurok.articulation.parts.patch_scores import score_patches
from neurok.articulation.parts.regions import Region, regions_around
from neurok.articulation.parts.seams import smoothed
from neurok.articulation.push_evidence import Pull, evidence
from neurok.articulation.simulator import simulate_parts
from neurok.shapes import Shape

Array = np.ndarray
CONTRAST_WEIGHT = 2.0  # nats for each unit of the contrast of a region; chosen on validation scans
MAX_ACROSS = 1.25  # log-odds: a region that holds on to the rest more than this is part of a soft body
NAMES = ("rest", "pushed")


class Trial(NamedTuple):
    """A region as the pushed part, and its score."""

    parts: Parts
    region: Region
    score: float


def part_by_push(shape: Shape, vertices: Int[Array, " v"], way: Float[Array, "3"]) -> Parts | None:
    """The surface in two parts: the pushed one, and the rest.

    None if the pushed piece is not most of the surface, or if it seems to be one soft body.
    """
    patches = read_patches(shape)
    patch = _patch_at(shape, patches, vertices)
    if patches.pieces.share[patches.features.piece[patch]] <= FUSED_SHARE:
        return None
    pull = Pull(NAMES[1], shape.vertices[vertices].mean(0), way)
    regions = regions_around(patch, score_patches(patches), patches.share)
    trials = [t for region in regions if (t := _tried(shape, patches, region, pull)) is not None]
    best = max(trials, key=lambda trial: trial.score, default=None)
    return None if best is None or best.region.across > MAX_ACROSS else best.parts


def _patch_at(shape: Shape, patches: Patches, vertices: Int[Array, " v"]) -> int:
    """The patch with most faces at these vertices."""
    return int(np.bincount(patches.label[np.isin(shape.faces, vertices).any(1)]).argmax())


def _tried(shape: Shape, patches: Patches, region: Region, pull: Pull) -> Trial | None:
    """None if nothing remains of the region once its border is smooth."""
    label = smoothed(region.member[patches.label].astype(np.int64), patches.graph)
    if len(np.unique(label)) < 2:
        return None
    parts = cut_parts(shape, label, NAMES)
    scene = part_scene(read_parts(parts.shape))
    scores = score(parts_batch(scene, simulate_parts(scene)), networks(None))
    kind = scores.kind[0, scene.clouds.names.index(pull.part)].log_softmax(-1).numpy()
    shown = evidence(kind, scores, scene, pull)
    return Trial(parts, region, shown + CONTRAST_WEIGHT * region.contrast)
