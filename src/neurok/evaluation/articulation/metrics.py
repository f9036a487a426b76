"""Measures the errors of predicted joints part by part."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from jaxtyping import Bool, Float
from scipy.stats import rankdata

from neurok.articulation.annotations import TrueJoint
from neurok.articulation.articulation import MOTION_KINDS, PartJoint
from neurok.articulation.ranges import MAX_ONE_WAY_SHARE

Array = np.ndarray
RIGHT_AXIS, RIGHT_CENTRE = 10.0, 0.1  # degrees, radii: largest errors of a joint that is right
LARGE_PART = 0.4  # diagonal of the box of a large part, as a share of that of the shape


@dataclass(frozen=True)
class PartError:
    """Errors of one part: angles in degrees, distances in radii; None where not applicable."""

    kind: str
    true_kind: str
    axis: float | None = None  # parts that move
    centre: float | None = None  # parts that rotate
    range_iou: float | None = None  # parts with limits; 0 for a wrong type
    parent: bool | None = None  # parts with a parent
    way: bool | None = None  # parts of the right type and axis that move one way only
    size: float = 0.0  # diagonal of the part's box, as a share of the shape's
    confidence: float = 1.0

    @property
    def right(self) -> bool:
        """The right type, and axis and centre within RIGHT_AXIS and RIGHT_CENTRE.

        Parent, range and direction have figures of their own.
        """
        return (
            self.kind == self.true_kind
            and (self.axis is None or self.axis <= RIGHT_AXIS)
            and (self.centre is None or self.centre <= RIGHT_CENTRE)
        )

    @property
    def error(self) -> float:
        """0 … 1: 1 for a wrong type, otherwise the larger of axis / 90° and centre / radius."""
        if self.kind != self.true_kind:
            return 1.0
        return max((self.axis or 0.0) / 90, min(self.centre or 0.0, 1.0))


def part_error(found: PartJoint, truth: TrueJoint, radius: float, size: float = 0.0) -> PartError | None:
    """Errors of one part; None if the true joint type is not supported."""
    if truth.kind is None:
        return None
    parent = None if truth.parent is None else found.parent == truth.parent
    own = {"parent": parent, "size": size, "confidence": found.confidence}
    if truth.kind == "fixed":
        return PartError(found.kind, truth.kind, **own)
    turns = truth.kind != "prismatic"
    return PartError(
        found.kind, truth.kind, axis_angle(found.axis, truth.axis),
        line_distance(found.pivot, truth) / radius if turns else None,
        range_iou(found, truth), way=right_way(found, truth), **own,
    )  # fmt: skip


def right_way(found: PartJoint, truth: TrueJoint) -> bool | None:
    """Whether a one-way joint moves in the right direction; a joint found to move both ways does not.

    None for joints that truly move both ways, and for a wrong type or axis.
    """
    length = truth.upper - truth.lower
    if found.kind != truth.kind or not 0 < length < np.inf or axis_angle(found.axis, truth.axis) > RIGHT_AXIS:
        return None
    if min(max(-truth.lower, 0.0), max(truth.upper, 0.0)) > MAX_ONE_WAY_SHARE * length:
        return None
    middle = (np.clip(found.lower, -1e6, 1e6) + np.clip(found.upper, -1e6, 1e6)) / 2
    same = middle * (found.axis @ truth.axis) * (truth.lower + truth.upper)
    return bool(same > 0)


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
    direction_right: float  # share of the one-way joints of the right type and axis
    whole_objects_right: float  # share of the objects whose joints are all right
    large_part_axis_error_deg: float  # parts of at least LARGE_PART
    confidence_rank_correlation: float  # Spearman's, with −error, of parts that move or are predicted to
    parts: int


def summarise(objects: list[list[PartError]]) -> Summary:
    """Means over the parts of objects."""
    errors = [error for parts in objects for error in parts]
    axis = _values([e.axis for e in errors])
    precision, recall, weight = _by_type(errors)
    return Summary(
        _mean(axis), float(np.median(axis)) if len(axis) else float("nan"),
        _mean(axis <= 5), _mean(axis > 60),
        _mean(_values([e.centre for e in errors])),
        _mean(precision), _mean(recall), float(precision @ weight), float(recall @ weight),
        _mean(_values([e.range_iou for e in errors])), _mean(_values([e.parent for e in errors])),
        _mean(_values([e.way for e in errors])),
        _mean(np.array([all(e.right for e in parts) for parts in objects if parts])),
        _mean(_values([e.axis for e in errors if e.size >= LARGE_PART])), rank_correlation(errors),
        len(errors),
    )  # fmt: skip


def rank_correlation(errors: list[PartError]) -> float:
    """Spearman's correlation of confidence with −error, over parts that move or are predicted to move."""
    moving = [e for e in errors if "fixed" not in (e.kind, e.true_kind) or e.kind != e.true_kind]
    pairs = np.array([(e.confidence, -e.error) for e in moving])
    if len(pairs) < 2 or (np.ptp(pairs, axis=0) == 0).any():
        return float("nan")
    ranks = rankdata(pairs, axis=0)
    return float(np.corrcoef(ranks.T)[0, 1])


def reliability(errors: list[PartError], edges: Float[Array, " n"]) -> list[tuple[float, float, int]]:
    """Mean confidence, share of right joints and number of parts predicted to move, in each bin."""
    moving = [e for e in errors if e.kind != "fixed"]
    bins = np.digitize([e.confidence for e in moving], edges[1:-1])
    groups = [[e for e, b in zip(moving, bins, strict=True) if b == k] for k in range(len(edges) - 1)]
    return [
        (float(np.mean([e.confidence for e in g])), float(np.mean([e.right for e in g])), len(g))
        for g in groups
        if g
    ]


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
