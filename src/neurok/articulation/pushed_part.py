"""The part of a fused surface that a push moves: the likeliest region around the pushed place.

A push on a surface without seams shows that some part there gives way. The region network scores the regions
around the pushed place. The best of them are tried as the moving part: the articulation networks say how well
a joint explains the push.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import torch
from jaxtyping import Float, Int

from neurok.articulation.clouds import read_parts
from neurok.articulation.decision import networks, parts_batch, score
from neurok.articulation.features import part_scene
from neurok.articulation.parts.division import FUSED_SHARE
from neurok.articulation.parts.find import Parts, cut_parts
from neurok.articulation.parts.patch_features import Patches, read_patches
from neurok.articulation.parts.push_scores import score_push, shipped_region_network
from neurok.articulation.parts.regions import PushedSurface, Region, numbers_of, regions_around
from neurok.articulation.parts.seams import smoothed
from neurok.articulation.push_evidence import Pull, evidence
from neurok.articulation.simulator import simulate_parts
from neurok.shapes import Shape

Array = np.ndarray
TRIED = 6  # regions
SCORE_WEIGHT = 1.5  # nats of evidence for each unit of the region network's score; chosen on validation scans
WHOLE_SHARE = 0.9  # of the area: more is the whole object, or a soft body
MAX_WHOLE = 0.7  # probability that the whole moves, above which nothing is cut; chosen on validation scans
CONFIDENCE = 0.4, 0.34  # overlap with the true part ≈ 0.4 · expected overlap + 0.34; validation scans
NAMES = ("rest", "pushed")


class Trial(NamedTuple):
    """A region as the pushed part, and its score."""

    parts: Parts
    score: float


def part_by_push(shape: Shape, vertices: Int[Array, " v"], way: Float[Array, "3"]) -> Parts | None:
    """The surface in two parts: the pushed one, and the rest.

    None if no face has the pushed vertices, if the pushed piece is not most of the surface, or if all of it
    seems to move.
    """
    touched = np.isin(shape.faces, vertices).any(1)
    if not touched.any():
        return None
    patches = read_patches(shape)
    patch = int(np.bincount(patches.label[touched]).argmax())
    if patches.pieces.share[patches.features.piece[patch]] <= FUSED_SHARE:
        return None
    pull = Pull(NAMES[1], shape.vertices[vertices].mean(0), way)
    point, along = (patches.turn @ v for v in (shape.normalisation.apply(pull.point), way))
    seen = score_push(patches.features.arrays(), patches.share, patch, point, along)
    regions = regions_around(seen)
    scores = _scores(regions, seen)
    is_whole = np.array([patches.share[region.member].sum() > WHOLE_SHARE for region in regions])
    if np.exp(scores - np.logaddexp.reduce(scores))[is_whole].sum() > MAX_WHOLE:
        return None
    order = [k for k in np.argsort(-scores, kind="stable").tolist() if not is_whole[k]]
    best = max(
        (
            Trial(parts, _evidence(parts, pull) + SCORE_WEIGHT * float(scores[k]))
            for k, parts in _cuts(shape, patches, regions, seen, order)
        ),
        key=lambda trial: trial.score, default=None,
    )  # fmt: skip
    return None if best is None else best.parts


@torch.no_grad()
def _scores(regions: list[Region], seen: PushedSurface) -> Float[Array, " r"]:
    numbers = np.stack([numbers_of(region, seen) for region in regions])
    return shipped_region_network()(torch.tensor(numbers, dtype=torch.float32)).double().numpy()


def _cuts(
    shape: Shape, patches: Patches, regions: list[Region], seen: PushedSurface, order: list[int]
) -> Iterator[tuple[int, Parts]]:
    """The first TRIED different cuts along regions in this order, with smooth borders."""
    cuts: set[bytes] = set()
    slope, offset = CONFIDENCE
    for k in order:
        label = smoothed(regions[k].member[patches.label].astype(np.int64), patches.graph)
        if len(np.unique(label)) == 2 and label.tobytes() not in cuts:
            cuts.add(label.tobytes())
            yield k, cut_parts(shape, label, NAMES, slope * seen.overlap(regions[k].member) + offset)
        if len(cuts) == TRIED:
            return


def _evidence(parts: Parts, pull: Pull) -> float:
    """Log-probability that the pushed part moves against the rest, and of the push, under its joint."""
    scene = part_scene(read_parts(parts.shape))
    scores = score(parts_batch(scene, simulate_parts(scene)), networks(None))
    kind = scores.kind[0, scene.clouds.names.index(pull.part)].log_softmax(-1).numpy()
    return evidence(kind, scores, scene, pull)
