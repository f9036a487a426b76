"""Chooses the joint of every part from the scores of the networks."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from jaxtyping import Float, Int

from neurok.articulation.articulation import MOTION_KINDS, JointHint, MotionKind
from neurok.articulation.axis_refinement import refined_pivot
from neurok.articulation.candidate_features import line_distances
from neurok.articulation.candidates import CONTACT, MIDDLE, Candidates, part_length
from neurok.articulation.features import PartScene, copies_of, in_box
from neurok.articulation.kinematic_tree import ancestors, likely_parents
from neurok.articulation.neighbours import contact_points
from neurok.articulation.network import Scores
from neurok.articulation.push_evidence import Pull, push_sign, with_pulls
from neurok.articulation.ranges import SLIDE_LENGTHS, TURN_LENGTHS, best_length

Array = np.ndarray
COPY_WEIGHT = 0.5  # of the type of a copy, relative to a part's own
CALIBRATION = 0.71, -0.23  # that a joint is right: σ(0.71 · log-odds − 0.23); fitted on validation joints
MARGIN = 1e-6  # nats by which a part that is made to stand prefers it
BARREL_REACH = 0.8  # in middle half sides of a part: round surfaces this near refine its line
OFF_CONTACT_PENALTY = 5.0  # nats, for lines OFF_CONTACT_DISTANCE or farther from the contact with the parent
OFF_CONTACT_DISTANCE = 0.1  # radii


@dataclass(frozen=True, eq=False)
class JointChoice:
    """Joint of one part in the unit ball of the shape's canonical frame."""

    kind: MotionKind
    axis: Float[Array, "3"]
    pivot: Float[Array, "3"]
    length: float  # likely length of the range: radians, or radii
    one_way: float  # probability that it moves one way only from the given pose
    confidence: float
    ahead: bool | None = None  # whether a push shows that it moves along its axis, or against it


def choose_joints(
    scene: PartScene,
    scores: Scores,
    hints: Mapping[int, JointHint] = {},
    standing: Collection[int] = (),
    moved: Collection[int] = (),
    single: Collection[int] = (),
    pulls: Sequence[Pull] = (),
) -> tuple[list[JointChoice], Int[Array, " k"]]:
    """The kind, axis, pivot and parent of every part.

    At least one part is fixed: if all seem to move, the one that is most likely fixed to the world. If
    neither a `moved` part nor one of its ancestors seems to move, the likeliest of them does. If every part
    seems fixed, but it is unlikely that all are (Π p < ½), the likeliest part moves: of two halves of pliers
    one is fixed, not both. A `single` part is revolute or prismatic. `pulls` change the odds of the parts on
    which they act (see `push_evidence`).
    """
    kind = _with_copies(scores.kind[0].log_softmax(-1).numpy(), scene)
    parent = scores.parent[0].log_softmax(-1).numpy()
    for k, hint in hints.items():
        kind[k] = np.where(np.arange(4) == MOTION_KINDS.index(hint.kind), 0.0, -1e3)
    for k in single:
        kind[k, [0, 3]] = -1e3
    for k in standing:
        parent[k] = np.where(np.arange(parent.shape[1]) == len(kind), 0.0, -1e3)
    _let_one_stand(kind, parent)
    parents = likely_parents(parent, kind.argmax(1) > 0)
    if pulls:
        kind, scores = with_pulls(kind, scores, scene, parents, pulls)
        _let_one_stand(kind, parent, [scene.clouds.names.index(pull.part) for pull in pulls])
        parents = likely_parents(parent, kind.argmax(1) > 0)
    for k in moved:
        chain = ancestors(parents, k)
        carriers = [c for c in chain[: max(1, len(chain) - 1)] if c not in hints]
        if carriers and not (kind[carriers].argmax(1) > 0).any():
            kind[max(carriers, key=lambda c: kind[c, 1:].max() - kind[c, 0]), 0] = -1e3
            _let_one_stand(kind, parent, moved)
            parents = likely_parents(parent, kind.argmax(1) > 0)
    if (kind.argmax(1) == 0).all() and kind[:, 0].sum() < np.log(0.5):
        kind[kind[:, 0].argmin(), 0] = -1e3
        parents = likely_parents(parent, kind.argmax(1) > 0)
    chosen = [
        _choose_joint(
            kind[k], k, scores, scene.candidates[k], hints.get(k), _parent_gaps(scene, k, int(parents[k]))
        )
        for k in range(len(kind))
    ]
    for pull in pulls:
        _point_along(chosen, scene, parents, pull)
    some_move = float(-np.expm1(np.minimum(kind[:, 0].sum(), -1e-9)))
    return [_calibrated(_refined(scene, k, own), some_move) for k, own in enumerate(chosen)], parents


def _calibrated(own: JointChoice, some_move: float) -> JointChoice:
    """The choice with the probability that a moving joint is right, given that some part moves.

    `some_move` is the probability of that. An object of two parts of which none moves is rarely handed in.
    """
    if own.kind == "fixed":
        return own
    slope, offset = CALIBRATION
    likely = np.clip(own.confidence / max(some_move, own.confidence), 1e-6, 1 - 1e-6)
    return replace(own, confidence=float(1 / (1 + np.exp(-slope * np.log(likely / (1 - likely)) - offset))))


def _let_one_stand(
    kind: Float[Array, "k 4"], parent: Float[Array, "k k1"], moved: Collection[int] = ()
) -> None:
    """If all parts seem to move, fixes the one most likely fixed to the world, but no `moved` one."""
    if (kind.argmax(1) > 0).all():
        stands = parent[:, -1] + kind[:, 0] - 1e4 * np.isin(np.arange(len(kind)), list(moved))
        part = int(np.argmax(stands))
        kind[part, 1:] = np.minimum(kind[part, 1:], kind[part, 0] - MARGIN)


def _point_along(chosen: list[JointChoice], scene: PartScene, parents: Int[Array, " k"], pull: Pull) -> None:
    """Turns the first joint that moves the pushed part into the direction of the push."""
    for c in ancestors(parents, scene.clouds.names.index(pull.part)):
        if chosen[c].kind != "fixed":
            slides = chosen[c].kind == "prismatic"
            ahead = push_sign(scene.clouds, chosen[c].axis, chosen[c].pivot, slides, pull) >= 0
            chosen[c] = replace(chosen[c], ahead=ahead)
            return


def _with_copies(kind: Float[Array, "k 4"], scene: PartScene) -> Float[Array, "k 4"]:
    """Log-likelihoods of types, averaged with those of a part's copies, because copies move alike."""
    shares = np.eye(len(kind))
    for part in range(len(kind)):
        shares[part, copies_of(scene, part)] = COPY_WEIGHT
    mean = shares @ kind / shares.sum(1, keepdims=True)
    return mean - np.logaddexp.reduce(mean, axis=1, keepdims=True)


def _parent_gaps(scene: PartScene, k: int, parent: int) -> Float[Array, "6 p"]:
    """Distance of each line of a part from its contact with its parent; 0 if they do not touch."""
    found = scene.candidates[k]
    meeting = np.zeros((0, 3))
    if parent < scene.clouds.count:
        meeting = contact_points(scene.trees[k], scene.trees[parent])
    if not len(meeting):
        return np.zeros((len(found.axes), len(found.pivots)))
    return line_distances(meeting, found.axes, found.pivots).min(-1)


def _choose_joint(
    kind: Float[Array, "4"], k: int, scores: Scores, found: Candidates, hint: JointHint | None,
    gaps: Float[Array, "6 p"],
) -> JointChoice:  # fmt: skip
    """The best candidate of part k. A fixed part gets the axis and pivot that it would have if it moved.

    Lines far from the contact with the parent are penalised: they may be hinges of parts that it carries.
    """
    if kind.argmax() == 0:
        moved = _choose_joint(np.where(np.arange(4) == 0, -np.inf, kind), k, scores, found, None, gaps)
        return JointChoice("fixed", moved.axis, moved.pivot, 0.0, 1.0, float(np.exp(min(kind[0], 0.0))))
    best, likely = MOTION_KINDS[int(kind.argmax())], float(np.exp(min(kind.max(), 0.0)))
    turns = best != "prismatic"
    axis = (scores.turn_axis if turns else scores.slide_axis)[0, k].log_softmax(-1).numpy()
    given = None if hint is None else hint.axis
    if given is not None:  # the nearest candidate represents it
        axis = np.where(np.arange(len(axis)) == np.argmax(np.abs(found.axes @ given)), 0.0, -1e3)
    a, pivot = int(np.argmax(axis)), found.pivots[MIDDLE]
    if turns:
        line = scores.line[0, k].log_softmax(-1).numpy() + axis[:, None]
        a = int(np.argmax(line.max(1)))
        p = int(np.argmax(line[a] - OFF_CONTACT_PENALTY * np.clip(gaps[a] / OFF_CONTACT_DISTANCE, 0, 1)))
        pull = scores.pull[0, k, a, p].numpy()
        pivot = found.pivots[p] + pull @ (found.pivots[[MIDDLE, CONTACT]] - found.pivots[p])
    length = _length(scores, k, a, turns) * (1.0 if turns else part_length(found, a))
    one_way = float(scores.one_way[0, k, a, 0 if turns else 1].sigmoid())
    direction = found.axes[a] if given is None else given / np.linalg.norm(given)
    return JointChoice(best, direction, pivot, length, one_way, likely * float(np.exp(axis[a])))


def _refined(scene: PartScene, k: int, own: JointChoice) -> JointChoice:
    """A part that turns, moved to the centre of the round surfaces about its line.

    The surfaces are its own and those in its box.
    """
    if own.kind in ("fixed", "prismatic"):
        return own
    clouds, near = scene.clouds, in_box(scene, k) | (scene.clouds.dense_part == k)
    reach = BARREL_REACH * max(float(np.sort(scene.candidates[k].half)[1]), 0.03)
    return replace(
        own, pivot=refined_pivot(own.axis, own.pivot, clouds.dense[near], clouds.dense_normals[near], reach)
    )


def _length(scores: Scores, k: int, axis: int, turns: bool) -> float:
    """Most likely length of the range, in radians or in lengths of the part."""
    classes = (scores.turn_length if turns else scores.slide_length)[0, k, axis].softmax(-1).numpy()
    return best_length(classes, TURN_LENGTHS if turns else SLIDE_LENGTHS)
