"""How far a predicted surface is from the true one; lengths in radii of the rest mesh."""

from __future__ import annotations

from dataclasses import dataclass

import igl
import numpy as np
from jaxtyping import Bool, Float, Int
from scipy.spatial import KDTree

from neurok.shapes import Shape
from neurok.shapes.sample import sample_surface

Array = np.ndarray
POINTS = 10_000  # of the surface, shared barycentric samples
PLACES = 20_000  # at which the insides are compared
INSIDE = 0.5  # of the winding number


@dataclass(frozen=True)
class Errors:
    """One prediction against the truth."""

    chamfer_l1: float  # ½ (mean distance from prediction to truth + back)
    chamfer_l2: float  # √ of ½ (mean squared distance + back)
    iou: float  # of the insides; NaN where the true surface encloses nothing
    vertex: float  # mean distance of corresponding samples
    distortion: float  # within true parts, see `within_part_distortion`


def errors(
    shape: Shape, predicted: Float[Array, "n 3"], true: Float[Array, "n 3"],
    part: Int[Array, " m"] | None = None, seed: int = 0, points: int = POINTS,
) -> Errors:  # fmt: skip
    """Compare two poses of one mesh."""
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
    """Intersection over union of where the winding number exceeds ½, at random places of both boxes."""
    both = np.concatenate([predicted[faces.ravel()], true[faces.ravel()]])
    low, high = both.min(0), both.max(0)
    places = low + np.random.default_rng(seed).random((PLACES, 3)) * (high - low)
    a, b = inside(faces, predicted, places), inside(faces, true, places)
    if b.sum() < PLACES / 1000:
        return float("nan")
    return float((a & b).sum() / (a | b).sum())


def inside(
    faces: Int[Array, "m 3"], vertices: Float[Array, "n 3"], places: Float[Array, "p 3"]
) -> Bool[Array, " p"]:
    number = igl.fast_winding_number(
        np.ascontiguousarray(vertices, np.float64), np.ascontiguousarray(faces, np.int64), places
    )
    return np.abs(number) > INSIDE


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
