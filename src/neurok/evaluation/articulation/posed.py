"""Compares two articulations of one surface in five poses, part by part.

The protocol follows Particulate (arXiv 2512.11798). The longest side of the object is 1. Rigid parts are
matched one to one by the distance of their centroids. All joints move together from the given pose to the far
end of their ranges. An unmatched part gets the worst score. Scores are means over the parts of either side.
"""

from __future__ import annotations

from dataclasses import astuple, dataclass

import numpy as np
import torch
from jaxtyping import Float, Int
from scipy.optimize import linear_sum_assignment
from scipy.spatial import KDTree

from neurok.articulation.annotations import true_bodies
from neurok.kinematics import Kinematics
from neurok.kinematics.joints import joints_of
from neurok.shapes import Shape
from neurok.shapes.sample import Samples, sample_surface

Array = np.ndarray
STATES = (0.0, 0.25, 0.5, 0.75, 1.0)  # shares of the way to the far end of every joint
POINTS = 8192  # of the surface
UNMATCHED_GIOU, UNMATCHED_IOU = -1.0, 0.0


@dataclass(frozen=True)
class PosedScores:
    """Scores of one state, or means over states. Distances are squared, in units of the longest side."""

    chamfer: float  # of matched parts, both directions added; half of the diagonal if unmatched
    giou: float  # generalised intersection over union of boxes
    miou: float  # intersection over union of boxes
    whole_chamfer: float  # of the whole object, regardless of parts


def posed_scores(found: Shape, truth: Shape, seed: int = 0) -> list[PosedScores]:
    """Scores of every state for two joint trees on the same faces."""
    if len(found.faces) != len(truth.faces):
        raise ValueError(f"{truth.name}: {len(found.faces)} faces found, {len(truth.faces)} given")
    samples = sample_surface(truth, POINTS, seed, even=False)
    low, side = truth.bounds[0], float(np.ptp(truth.bounds, axis=0).max())
    bodies = [true_bodies(shape)[samples.face] for shape in (found, truth)]
    clouds = [[(points - low) / side for points in _moved(shape, samples)] for shape in (found, truth)]
    pairs = matched(*(_split(states[0], body) for states, body in zip(clouds, bodies, strict=True)))
    return [_scores(_split(f, bodies[0]), _split(t, bodies[1]), pairs) for f, t in zip(*clouds, strict=True)]


def far_pose(kinematics: Kinematics, share: float) -> Float[torch.Tensor, " k"]:
    """q = rest + share · (far − rest), where far is the limit farther from rest; unlimited turns go to π."""
    limits = kinematics.finite_limits(np.pi) - kinematics.rest[:, None]
    far = torch.where(limits[:, 1] >= -limits[:, 0], limits[:, 1], limits[:, 0])
    return kinematics.rest + share * far


def matched(
    found: list[Float[Array, "_ 3"]], true: list[Float[Array, "_ 3"]]
) -> tuple[Int[Array, " p"], Int[Array, " p"]]:
    """One-to-one pairs of parts with the least sum of distances between centroids."""
    centres = [np.array([part.mean(0) for part in parts]) for parts in (found, true)]
    rows, columns = linear_sum_assignment(np.linalg.norm(centres[0][:, None] - centres[1][None], axis=-1))
    return np.asarray(rows), np.asarray(columns)


def chamfer(a: Float[Array, "n 3"], b: Float[Array, "m 3"]) -> float:
    """mean_i min_j |a_i − b_j|² + mean_j min_i |a_i − b_j|²."""
    there, back = KDTree(b).query(a)[0], KDTree(a).query(b)[0]
    return float((there**2).mean() + (back**2).mean())


def box_overlap(a: Float[Array, "n 3"], b: Float[Array, "m 3"]) -> tuple[float, float]:
    """(generalised IoU, IoU) of the axis-aligned boxes of two clouds."""
    low, high = np.array([a.min(0), b.min(0)]), np.array([a.max(0), b.max(0)])
    both = float(np.prod(np.maximum(high.min(0) - low.max(0), 0.0)))
    union = float(np.prod(high - low, axis=1).sum()) - both
    hull = float(np.prod(high.max(0) - low.min(0)))
    if union <= 0 or hull <= 0:  # flat boxes
        same = float(np.allclose(low[0], low[1], atol=1e-3) and np.allclose(high[0], high[1], atol=1e-3))
        return same, same
    return both / union - (hull - union) / hull, both / union


def mean_scores(scores: list[PosedScores]) -> PosedScores:
    """Means over states or objects."""
    return PosedScores(*np.mean([astuple(s) for s in scores], axis=0).tolist())


def _moved(shape: Shape, samples: Samples) -> list[Float[Array, "s 3"]]:
    """The sampled points in every state."""
    kinematics = joints_of(shape)
    q = torch.stack([far_pose(kinematics, share) for share in STATES])
    return list(samples.positions(kinematics.shape, kinematics.positions(q).numpy()))


def _split(points: Float[Array, "s 3"], body: Int[Array, " s"]) -> list[Float[Array, "_ 3"]]:
    return [points[body == k] for k in np.unique(body)]


def _scores(found: list[Array], true: list[Array], pairs: tuple[Array, Array]) -> PosedScores:
    own = [(chamfer(found[f], true[t]), *box_overlap(found[f], true[t])) for f, t in zip(*pairs, strict=True)]
    everything = np.concatenate(true)
    worst = (float(np.linalg.norm(np.ptp(everything, axis=0))) / 2, UNMATCHED_GIOU, UNMATCHED_IOU)
    sides = [np.mean([*own, *[worst] * (len(parts) - len(own))], axis=0) for parts in (found, true)]
    apart, giou, miou = np.mean(sides, axis=0).tolist()
    return PosedScores(apart, giou, miou, chamfer(np.concatenate(found), everything))
