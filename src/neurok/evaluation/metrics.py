"""Measures the distance between a predicted and a true surface, in radii of the rest mesh."""

from __future__ import annotations

from dataclasses import dataclass

import igl
import numpy as np
from jaxtyping import Bool, Float, Int
from scipy.spatial import KDTree

from neurok.shapes import Shape
from neurok.shapes.sample import sample_surface

Array = np.ndarray
SURFACE_SAMPLES = 10_000  # shared barycentric samples
VOLUME_SAMPLES = 20_000  # points at which the interiors are compared
MIN_WINDING_NUMBER = 0.5  # of an interior point


@dataclass(frozen=True)
class Errors:
    """Errors of one prediction."""

    chamfer_l1: float  # ½ (mean distance from prediction to truth + from truth to prediction)
    chamfer_l2: float  # √ ½ (mean squared distance in both directions)
    iou: float  # of the interiors; NaN where the true surface encloses no volume
    vertex: float  # mean distance of corresponding samples
    distortion: float  # within true parts, see `within_part_distortion`


def errors(
    shape: Shape, predicted: Float[Array, "n 3"], true: Float[Array, "n 3"],
    part: Int[Array, " m"] | None = None, seed: int = 0, points: int = SURFACE_SAMPLES,
) -> Errors:  # fmt: skip
    """Errors between two poses of one mesh."""
    radius = shape.normalisation.radius
    samples = sample_surface(shape, points, seed, even=False)
    a, b = (samples.positions(shape, x) / radius for x in (predicted, true))
    ahead, back = KDTree(b).query(a)[0], KDTree(a).query(b)[0]
    return Errors(
        chamfer_l1=float(ahead.mean() + back.mean()) / 2,
        chamfer_l2=float(np.sqrt(((ahead**2).mean() + (back**2).mean()) / 2)),
        iou=volume_iou(shape.faces, predicted / radius, true / radius, seed),
        vertex=float(np.linalg.norm(a - b, axis=1).mean()),
        distortion=within_part_distortion(a, b, (shape.part if part is None else part)[samples.face], seed),
    )


def volume_iou(
    faces: Int[Array, "m 3"], predicted: Float[Array, "n 3"], true: Float[Array, "n 3"], seed: int = 0
) -> float:
    """Intersection over union of the regions with winding number above ½, at random points of both boxes."""
    both = np.concatenate([predicted[faces.ravel()], true[faces.ravel()]])
    low, high = both.min(0), both.max(0)
    places = low + np.random.default_rng(seed).random((VOLUME_SAMPLES, 3)) * (high - low)
    a, b = inside(faces, predicted, places), inside(faces, true, places)
    if b.sum() < VOLUME_SAMPLES / 1000:
        return float("nan")
    return float((a & b).sum() / (a | b).sum())


def inside(
    faces: Int[Array, "m 3"], vertices: Float[Array, "n 3"], places: Float[Array, "p 3"]
) -> Bool[Array, " p"]:
    number = igl.fast_winding_number(
        np.ascontiguousarray(vertices, np.float64), np.ascontiguousarray(faces, np.int64), places
    )
    return np.abs(number) > MIN_WINDING_NUMBER


def within_part_distortion(
    predicted: Float[Array, "s 3"], true: Float[Array, "s 3"], part: Int[Array, " s"], seed: int = 0
) -> float:
    """Mean | |p_i − p_j| − |t_i − t_j| | over random pairs of samples of a part: 0 for rigid parts."""
    rng = np.random.default_rng(seed)
    order = rng.permutation(len(part))
    order = order[np.argsort(part[order], kind="stable")]
    shift = np.roll(order, 1)
    same = part[order] == part[shift]
    lengths = [np.linalg.norm(x[order] - x[shift], axis=1)[same] for x in (predicted, true)]
    return float(np.abs(lengths[0] - lengths[1]).mean()) if same.any() else float("nan")
