"""Evidence of a push for the joint of the pushed part: users push where a part gives way, far from its hinge.

Given a joint that moves x with velocity v, a push at x in the direction d has the likelihood |cos(v,
d)|^ALIGNMENT · (|v| / max |v| over the part)^LEVER. Bayes' rule turns the networks' probabilities of types,
axes and lines into those after the push. A fixed part passes the push on to the part that carries it. A part
that is fixed to the world gives way with the likelihood STANDS.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from jaxtyping import Float, Int

from neurok.articulation.candidates import Candidates
from neurok.articulation.clouds import PartClouds
from neurok.articulation.features import PartScene
from neurok.articulation.kinematic_tree import ancestors
from neurok.articulation.network import Scores

Array = np.ndarray
ALIGNMENT, LEVER = 8.0, 2.0  # exponents; chosen on validation objects
LEAST = 0.05  # cosine and lever below this count as this
STANDS = -6.0  # nats: a push on what stands; chosen on validation objects


@dataclass(frozen=True, eq=False)
class Pull:
    """A push or drag on a part: its point and its direction, in the shape's coordinates."""

    part: str
    point: Float[Array, "3"]
    way: Float[Array, "3"]


def with_pulls(
    kind: Float[Array, "k 4"], scores: Scores, scene: PartScene, parents: Int[Array, " k"],
    pulls: Sequence[Pull],
) -> tuple[Float[Array, "k 4"], Scores]:  # fmt: skip
    """Log-probabilities of types, and scores of axes and lines, after the pushes."""
    kind = kind.copy()
    scores = scores._replace(**{n: getattr(scores, n).clone() for n in ("turn_axis", "slide_axis", "line")})
    for pull in pulls:
        _weigh(kind, scores, scene, parents, pull)
    return kind, scores


def _weigh(
    kind: Float[Array, "k 4"], scores: Scores, scene: PartScene, parents: Int[Array, " k"], pull: Pull
) -> None:
    """Updates the scores of the pushed part, and if that is likely fixed, those of its carrier."""
    clouds = scene.clouds
    point, way = _in_frame(pull, clouds)
    chain = ancestors(parents, clouds.names.index(pull.part))
    carried, after, lines, slides = STANDS, {}, {}, {}
    for c in reversed(chain):
        lines[c], slides[c] = likelihoods(scores, scene, c, point, way)
        turned, slid = np.logaddexp.reduce(lines[c][1]), np.logaddexp.reduce(slides[c])
        after[c] = _normalised(kind[c]) + np.array([carried, turned, slid, max(turned, slid)])
        carried = float(np.logaddexp.reduce(after[c]))
    for c in chain:
        kind[c] = _normalised(after[c])
        scores.line[0, c] = torch.tensor(lines[c][0])
        scores.turn_axis[0, c] = torch.tensor(lines[c][1])
        scores.slide_axis[0, c] = torch.tensor(slides[c])
        if kind[c].argmax() > 0:
            break


def likelihoods(
    scores: Scores, scene: PartScene, c: int, point: Float[Array, "3"], way: Float[Array, "3"]
) -> tuple[tuple[Float[Array, "a p"], Float[Array, " a"]], Float[Array, " a"]]:
    """Log-likelihoods of a push and of the candidates of part c: lines and axes of turns, axes of slides."""
    own, reach = scene.candidates[c], scene.clouds.points[c]
    line = scores.line[0, c].log_softmax(-1).numpy() + turn_likelihood(own, reach, point, way)
    axis = scores.turn_axis[0, c].log_softmax(-1).numpy() + np.logaddexp.reduce(line, axis=1)
    return (line, axis), scores.slide_axis[0, c].log_softmax(-1).numpy() + slide_likelihood(own, way)


def evidence(kind: Float[Array, "4"], scores: Scores, scene: PartScene, pull: Pull) -> float:
    """Log-probability that the pushed part moves, and of the push, given log-probabilities of its types."""
    c = scene.clouds.names.index(pull.part)
    (_, turns), slides = likelihoods(scores, scene, c, *_in_frame(pull, scene.clouds))
    turned, slid = np.logaddexp.reduce(turns), np.logaddexp.reduce(slides)
    return float(np.logaddexp.reduce(kind[1:] + np.array([turned, slid, max(turned, slid)])))


def _in_frame(pull: Pull, clouds: PartClouds) -> tuple[Float[Array, "3"], Float[Array, "3"]]:
    """Point and unit direction of a push in the coordinates of the clouds."""
    way = clouds.direction_from_shape(pull.way)
    return clouds.point_from_shape(pull.point), way / max(float(np.linalg.norm(way)), 1e-30)


def turn_likelihood(
    own: Candidates, reach: Float[Array, "s 3"], point: Float[Array, "3"], way: Float[Array, "3"]
) -> Float[Array, "a p"]:
    """Log-likelihood of a push given that the part, with the points `reach`, turns about each line."""
    velocity = np.cross(own.axes[:, None], point - own.pivots[None])
    speed = np.linalg.norm(velocity, axis=-1)
    arms = np.cross(own.axes[:, None, None], reach[None, None] - own.pivots[None, :, None])
    length = np.linalg.norm(arms, axis=-1)
    most = np.maximum(np.maximum(length.max(-1), speed), 1e-12)
    cosine = np.abs(velocity @ way) / np.maximum(speed, 1e-12)
    usual = np.log((np.clip(length / most[..., None], LEAST, 1.0) ** LEVER).mean(-1))
    return _log(cosine, ALIGNMENT) + _log(speed / most, LEVER) - usual


def slide_likelihood(own: Candidates, way: Float[Array, "3"]) -> Float[Array, " a"]:
    """Log-likelihood of a push given that the part slides along each axis."""
    return _log(np.abs(own.axes @ way), ALIGNMENT)


def push_sign(
    clouds: PartClouds, axis: Float[Array, "3"], pivot: Float[Array, "3"], slides: bool, pull: Pull
) -> float:
    """Positive where a push moves its point along the positive direction of a joint."""
    point, way = clouds.point_from_shape(pull.point), clouds.direction_from_shape(pull.way)
    return float(way @ (axis if slides else np.cross(axis, point - pivot)))


def _log(value: Array, exponent: float) -> Array:
    return exponent * np.log(np.clip(value, LEAST, 1.0))


def _normalised(log_odds: Float[Array, " n"]) -> Float[Array, " n"]:
    return log_odds - np.logaddexp.reduce(log_odds)
