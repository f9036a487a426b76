"""Measures the errors of predicted joints part by part."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from jaxtyping import Bool, Float

from neurok.articulation.annotations import TrueJoint
from neurok.articulation.articulation import MOTION_KINDS, PartJoint

Array = np.ndarray


@dataclass(frozen=True)
class PartError:
    """Errors of one part: angles in degrees, distances in radii; None where not applicable."""

    kind: str
    true_kind: str
    axis: float | None = None  # parts that move
    centre: float | None = None  # parts that rotate
    range_iou: float | None = None  # parts with limits; 0 for a wrong type
    parent: bool | None = None  # parts with a parent


def part_error(found: PartJoint, truth: TrueJoint, radius: float) -> PartError | None:
    """Errors of one part; None if the true joint type is not supported."""
    if truth.kind is None:
        return None
    parent = None if truth.parent is None else found.parent == truth.parent
    if truth.kind == "fixed":
        return PartError(found.kind, truth.kind, parent=parent)
    turns = truth.kind != "prismatic"
    return PartError(
        found.kind, truth.kind, axis_angle(found.axis, truth.axis),
        line_distance(found.pivot, truth) / radius if turns else None,
        range_iou(found, truth), parent,
    )  # fmt: skip


def axis_angle(a: Float[Array, "3"], b: Float[Array, "3"]) -> float:
    """Angle between two lines in degrees, at most 90."""
    cosine = abs(float(a @ b)) / (np.linalg.norm(a) * np.linalg.norm(b))
    return float(np.degrees(np.arccos(min(cosine, 1.0))))


def line_distance(point: Float[Array, "3"], truth: TrueJoint) -> float:
    """Distance of a point to the true axis line."""
    return float(np.linalg.norm(np.cross(point - truth.pivot, truth.axis)))


def range_iou(found: PartJoint, truth: TrueJoint) -> float | None:
    """Intersection over union of the ranges along the true axis.

    Continuous rotations count as ±π. None if the truth is an unlimited translation.
    """
    if not np.isfinite([truth.lower, truth.upper]).all():
        return None
    if found.kind != truth.kind:
        return 0.0
    lower, upper = found.lower, found.upper
    if found.kind != "prismatic":
        lower, upper = max(lower, -np.pi), min(upper, np.pi)
    if found.axis @ truth.axis < 0:
        lower, upper = -upper, -lower
    union = max(upper, truth.upper) - min(lower, truth.lower)
    return max(0.0, min(upper, truth.upper) - max(lower, truth.lower)) / union if union > 0 else 1.0


@dataclass(frozen=True)
class Summary:
    """Means over all parts of all objects."""

    axis_error_deg: float
    axis_error_median: float
    axis_within_5: float  # share of axes with an error of at most 5°
    axis_beyond_60: float  # share of axes with an error above 60°, a wrong candidate
    centre_error: float
    type_precision: float  # mean over the occurring types
    type_recall: float
    type_precision_weighted: float  # weighted by the frequency of the types
    type_recall_weighted: float
    range_iou: float
    tree_accuracy: float
    parts: int


def summarise(errors: list[PartError]) -> Summary:
    """Means over parts."""
    axis = _values([e.axis for e in errors])
    precision, recall, weight = _by_type(errors)
    return Summary(
        _mean(axis), float(np.median(axis)) if len(axis) else float("nan"),
        _mean(axis <= 5), _mean(axis > 60),
        _mean(_values([e.centre for e in errors])),
        _mean(precision), _mean(recall), float(precision @ weight), float(recall @ weight),
        _mean(_values([e.range_iou for e in errors])), _mean(_values([e.parent for e in errors])),
        len(errors),
    )  # fmt: skip


def _by_type(errors: list[PartError]) -> tuple[Float[Array, " t"], Float[Array, " t"], Float[Array, " t"]]:
    """Precision, recall and share of every occurring type; precision is 0 for a type never predicted."""
    found, true = np.array([e.kind for e in errors]), np.array([e.true_kind for e in errors])
    kinds = [kind for kind in MOTION_KINDS if (true == kind).any()]
    right = np.array([((found == k) & (true == k)).sum() for k in kinds], float)
    precision = right / np.maximum([(found == k).sum() for k in kinds], 1)
    occurs = np.array([(true == k).sum() for k in kinds], float)
    return precision, right / occurs, occurs / occurs.sum()


def _values(values: list) -> Float[Array, " n"]:
    return np.array([float(v) for v in values if v is not None])


def _mean(values: Float[Array, " n"] | Bool[Array, " n"]) -> float:
    return float(values.mean()) if len(values) else float("nan")
