"""Measures the error and the speed with which decoders reconstruct known deformations from latents."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from neurok.datasets.batches import stacked
from neurok.datasets.pairs import PairConfig, PairDataset
from neurok.datasets.store.store import Store
from neurok.latent import NeuROK
from neurok.latent.decoders import SkinningDecoder, blended
from neurok.latent.objective import Deformations, anchor_screws, in_own_frame
from neurok.latent.posterior import posterior
from neurok.latent.surface import ShapeCode, SurfacePoints

MIN_MOTION = 0.05  # radii: lower bound of the motion in relative errors
ENCODER_POINTS, QUERY_POINTS, TARGETS = 1024, 512, 4  # points for encoding and evaluation, poses per object


@dataclass(frozen=True)
class Reconstruction:
    """Result over all poses of all objects."""

    error: float  # mean distance of points, relative to the root mean square of the motion
    interval: tuple[float, float]  # 95 %, by bootstrap over objects
    milliseconds: float  # per pose of 1,000 points, without encoding the shape

    def cells(self) -> list[str]:
        return [
            f"{self.error:.4f} [{self.interval[0]:.4f}, {self.interval[1]:.4f}]",
            f"{self.milliseconds:.2f}",
        ]


@torch.no_grad()
def reconstruction(model: NeuROK, store: Store, names: list[str], seed: int = 0) -> Reconstruction:
    """Decodes the mean of the exact posterior for frames of every object."""
    pairs = PairDataset(
        store,
        names,
        PairConfig(
            points=ENCODER_POINTS + QUERY_POINTS, augment=None, identity=0.0, seed=seed, balance="object"
        ),
    )
    errors, seconds = [], 0.0
    for step in range(len(names)):
        batch = stacked([pairs.pairs(step, TARGETS)])
        surface = SurfacePoints(batch["points"], batch["normals"], batch["component"])
        moved = Deformations(batch["rotation"], batch["target"])
        error, took = _decoded(model, *in_own_frame(surface, moved))
        errors.append(error)
        seconds += took
    rng, values = np.random.default_rng(seed), np.array(errors)
    means = values[rng.integers(len(values), size=(1000, len(values)))].mean(1)
    per_pose = 1000 * seconds / (len(names) * TARGETS) * 1000 / QUERY_POINTS
    low, high = np.quantile(means, [0.025, 0.975])
    return Reconstruction(float(values.mean()), (float(low), float(high)), per_pose)


def _decoder(model: NeuROK, code: ShapeCode, queries: SurfacePoints) -> Callable[[Tensor], Tensor]:
    """Function from latents to maps at every point; skinning weights are computed once per shape."""
    if isinstance(model.decoder, SkinningDecoder):
        skin, weights = model.decoder, model.decoder.weights(code, queries)
        return lambda z: blended(weights, skin.handles(z[None], code)[0])
    many, points = code.spread(TARGETS), queries.spread(TARGETS)
    return lambda z: model.maps(z, many, points)


def _decoded(model: NeuROK, surface: SurfacePoints, moved: Deformations) -> tuple[float, float]:
    """Mean relative error over the poses of one object, and the decoding time of all poses in s."""
    queries, target = surface.part(slice(ENCODER_POINTS, None)), moved.target[0, :, ENCODER_POINTS:]
    code = model.encode(surface.part(slice(ENCODER_POINTS)))
    seen = anchor_screws(code, moved.take(code.index), is_rigid=model.config.motion == "rigid")
    z = posterior(code, seen).mean[0]
    decode = _decoder(model, code, queries)
    decode(z)  # the first call is not timed
    start = time.perf_counter()
    maps = decode(z)
    seconds = time.perf_counter() - start
    image = (maps[..., :3] @ queries.points[..., None])[..., 0] + maps[..., 3]
    size = (target - queries.points).square().sum(-1).mean(-1).sqrt().clamp(min=MIN_MOTION)
    return float(((image - target).norm(dim=-1).mean(-1) / size).mean()), seconds
