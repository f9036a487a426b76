"""Decoders against each other: a known deformation, its latent, and what the decoder makes of that."""

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
from neurok.latent.objective import Deformations, in_own_frame, screws_of
from neurok.latent.posterior import posterior
from neurok.latent.surface import ShapeCode, SurfacePoints

LEAST = 0.05  # radii: a motion smaller than this is not scaled up further
ENCODED, ASKED, TARGETS = 1024, 512, 4  # points that are encoded, points that are judged, poses of an object


@dataclass(frozen=True)
class Reconstruction:
    """Over all poses of all objects."""

    error: float  # mean distance of points from their places, in units of the motion's root mean square
    interval: tuple[float, float]  # 95 %, by bootstrap over objects
    milliseconds: float  # per pose of a thousand points, the shape being encoded

    def cells(self) -> list[str]:
        return [
            f"{self.error:.4f} [{self.interval[0]:.4f}, {self.interval[1]:.4f}]",
            f"{self.milliseconds:.2f}",
        ]


@torch.no_grad()
def reconstruction(model: NeuROK, store: Store, names: list[str], seed: int = 0) -> Reconstruction:
    """Every object in frames of its recording: the mean of the exact posterior, decoded."""
    pairs = PairDataset(
        store,
        names,
        PairConfig(points=ENCODED + ASKED, augment=None, identity=0.0, seed=seed, balance="object"),
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
    per_pose = 1000 * seconds / (len(names) * TARGETS) * 1000 / ASKED
    low, high = np.quantile(means, [0.025, 0.975])
    return Reconstruction(float(values.mean()), (float(low), float(high)), per_pose)


def _decoder(model: NeuROK, code: ShapeCode, asked: SurfacePoints) -> Callable[[Tensor], Tensor]:
    """Latents to maps at every point. Skinning weights are of the shape: they are there before any pose."""
    if isinstance(model.decoder, SkinningDecoder):
        skin, weights = model.decoder, model.decoder.weights(code, asked)
        return lambda z: blended(weights, skin.handles(z[None], code)[0])
    many, points = code.spread(TARGETS), asked.spread(TARGETS)
    return lambda z: model.maps(z, many, points)


def _decoded(model: NeuROK, surface: SurfacePoints, moved: Deformations) -> tuple[float, float]:
    """Mean relative error over the poses of one object, and the seconds that decoding all of them took."""
    asked, target = surface.part(slice(ENCODED, None)), moved.target[0, :, ENCODED:]
    code = model.encode(surface.part(slice(ENCODED)))
    seen = screws_of(code, moved.take(code.index), is_rigid=model.config.motion == "rigid")
    z = posterior(code, seen).mean[0]
    decode = _decoder(model, code, asked)
    decode(z)  # what is made at a first call is not counted
    start = time.perf_counter()
    maps = decode(z)
    seconds = time.perf_counter() - start
    image = (maps[..., :3] @ asked.points[..., None])[..., 0] + maps[..., 3]
    size = (target - asked.points).square().sum(-1).mean(-1).sqrt().clamp(min=LEAST)
    return float(((image - target).norm(dim=-1).mean(-1) / size).mean()), seconds
