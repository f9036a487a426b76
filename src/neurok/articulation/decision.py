"""Predicts the joints of parts: the simulator tests candidates, the networks rank them."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

import numpy as np
import torch
from jaxtyping import Float, Int

from neurok.articulation.articulation import (
    MOTION_KINDS,
    SINGLE,
    Articulation,
    Following,
    JointHint,
    MotionKind,
    PartJoint,
    following,
)
from neurok.articulation.axis_refinement import refined_pivot
from neurok.articulation.candidate_features import line_distances
from neurok.articulation.candidates import CONTACT, MIDDLE, Candidates, part_length
from neurok.articulation.clouds import PartClouds, read_parts
from neurok.articulation.ensemble import ArticulationEnsemble, load_articulator
from neurok.articulation.features import PartScene, copies_of, in_box, part_scene, scene_features
from neurok.articulation.kinematic_tree import ancestors, likely_parents, subtree
from neurok.articulation.neighbours import contact_points
from neurok.articulation.network import PartsBatch, Scores
from neurok.articulation.parts.find import Parts
from neurok.articulation.ranges import SLIDE_LENGTHS, TURN_LENGTHS, best_length, joint_range
from neurok.articulation.simulator import (
    FreeMotion,
    check_range,
    free_range,
    shorter_and_longer,
    simulate_part,
)
from neurok.articulation.slide_direction import slide_log_odds
from neurok.errors import InputError

Array = np.ndarray
COPY_WEIGHT = 0.5  # of the type of a copy, relative to a part's own
TYPE_LOG_PRIOR = np.array([-0.5, 0.0, 1.0, 0.0])  # nats for MOTION_KINDS; chosen on validation objects
MIN_ENDLESS_TURN = 5.5  # radians: longer ranges are unlimited
BARREL_REACH = 0.8  # in middle half sides of a part: round surfaces this near refine its line
OFF_CONTACT_PENALTY = 5.0  # nats, for lines OFF_CONTACT_DISTANCE or farther from the contact with the parent
OFF_CONTACT_DISTANCE = 0.1  # radii
MAX_SLIDE = 2.0  # radii: slides are simulated up to this length


@dataclass(frozen=True, eq=False)
class JointChoice:
    """Joint of one part in the unit ball of the shape's canonical frame."""

    kind: MotionKind
    axis: Float[Array, "3"]
    pivot: Float[Array, "3"]
    length: float  # likely length of the range: radians, or radii
    one_way: float  # probability that it moves one way only from the given pose
    confidence: float


def predict_joints(
    parts: Parts,
    *,
    joints: Mapping[str, JointHint] = {},
    fixed: Collection[str] = (),
    standing: Collection[str] = (),
    moved: Collection[str] = (),
    follows: Mapping[str, Following] = {},
    seed: int = 0,
    model: Path | None = None,
) -> Articulation:
    """Joints of all parts, by the weights in the file `model` or by the shipped ones.

    Hints constrain the result: `joints` gives kinds and axes, `fixed` parts do not move, `standing` parts are
    fixed to the world, `moved` parts move or are carried by one that does, and `follows` couples the joint of
    a part to another's.
    """
    shape = parts.shape
    _check_names(parts, (*joints, *fixed, *standing, *moved, *follows, *(f.part for f in follows.values())))
    _check_leaders(shape.name, follows)
    kinds = {name: hint.kind for name, hint in joints.items()} | dict.fromkeys((*fixed, *standing), "fixed")
    for part in (name for own, leader in follows.items() for name in (own, leader.part)):
        if kinds.get(part, SINGLE[0]) not in SINGLE:
            raise InputError(
                shape.name, f"{part!r} is {kinds[part]}, and follows or is followed",
                f"Say that it is {' or '.join(SINGLE)}",
            )  # fmt: skip
    clouds = read_parts(shape, seed=seed)
    if clouds.count == 1:
        still = PartJoint(
            clouds.names[0], "fixed", None, np.eye(3)[1], np.zeros(3), 0.0, 0.0, 1.0, True, True
        )
        return Articulation(
            shape,
            (still,),
            parts.source,
            (*parts.notes, "It is one part: nothing can move."),
            parts.confidence,
        )
    scene = part_scene(clouds)
    free = [
        simulate_part(clouds, scene.shares, k, scene.base, scene.candidates[k]) for k in range(clouds.count)
    ]
    ensemble = networks(model)
    scores = score(scene, free, ensemble)
    hints = {clouds.names.index(name): _in_frame(hint, clouds) for name, hint in joints.items()}
    hints |= {clouds.names.index(name): JointHint("fixed") for name in (*fixed, *standing)}
    stands, moves = ([clouds.names.index(name) for name in names] for names in (standing, moved))
    single = [clouds.names.index(name) for part, own in follows.items() for name in (part, own.part)]
    chosen, parents = choose_joints(scene, scores, hints, stands, moves, single)
    joints_of = {
        clouds.names[k]: part_joint(clouds, chosen, parents, k, slide_weights(ensemble))
        for k in range(clouds.count)
    }
    for part, own in follows.items():
        joints_of[part] = following(joints_of[part], joints_of[own.part], own.ratio)
    found = tuple(joints_of.values())
    notes = () if any(j.moves for j in found) else ("No part looks movable.",)
    return Articulation(shape, found, parts.source, (*parts.notes, *notes), parts.confidence)


@cache
def networks(model: Path | None) -> ArticulationEnsemble:
    """The ensemble of a file, or the one that ships, loaded once."""
    return load_articulator(model)


def slide_weights(ensemble: ArticulationEnsemble) -> Float[Array, "12"]:
    """Fitted weights of the slide direction (`slide_log_odds`)."""
    return ensemble.slide_direction.numpy().astype(np.float64)


@torch.no_grad()
def score(
    scene: PartScene, free: list[FreeMotion], ensemble: ArticulationEnsemble, named: bool = True
) -> Scores:
    """Scores of the ensemble for one scene, in float64. Without `named` it does not read the part names."""
    numbers = scene_features(scene).arrays() | {
        "free_turn": np.stack([shorter_and_longer(f.turn) for f in free]),
        "free_slide": np.stack([shorter_and_longer(f.slide) for f in free]),
    }
    numbers["words"] = numbers["words"] * named
    arrays = {name: torch.tensor(a)[None] for name, a in numbers.items()}
    arrays = {n: t.float() if t.is_floating_point() else t for n, t in arrays.items()}
    batch = PartsBatch(present=torch.ones(1, scene.clouds.count, dtype=torch.bool), **arrays)
    return Scores(*(t.double() for t in ensemble(batch)))


def choose_joints(
    scene: PartScene,
    scores: Scores,
    hints: Mapping[int, JointHint] = {},
    standing: Collection[int] = (),
    moved: Collection[int] = (),
    single: Collection[int] = (),
) -> tuple[list[JointChoice], Int[Array, " k"]]:
    """The kind, axis, pivot and parent of every part.

    At least one part is fixed: if all seem to move, the one that is most likely fixed to the world. If
    neither a `moved` part nor one of its ancestors seems to move, the likeliest of them does. If every part
    seems fixed, but it is unlikely that all are (Π p < ½), the likeliest part moves: of two halves of pliers
    one is fixed, not both. A `single` part is revolute or prismatic.
    """
    kind = _with_copies(scores.kind[0].log_softmax(-1).numpy() + TYPE_LOG_PRIOR, scene)
    parent = scores.parent[0].log_softmax(-1).numpy()
    for k, hint in hints.items():
        kind[k] = np.where(np.arange(4) == MOTION_KINDS.index(hint.kind), 0.0, -1e3)
    for k in single:
        kind[k, [0, 3]] = -1e3
    for k in standing:
        parent[k] = np.where(np.arange(parent.shape[1]) == len(kind), 0.0, -1e3)
    if (kind.argmax(1) > 0).all():
        kind[np.argmax(parent[:, -1] + kind[:, 0]), 0] = 1.0
    parents = likely_parents(parent, kind.argmax(1) > 0)
    for k in moved:
        chain = ancestors(parents, k)
        carriers = [c for c in chain[: max(1, len(chain) - 1)] if c not in hints]
        if carriers and not (kind[carriers].argmax(1) > 0).any():
            kind[max(carriers, key=lambda c: kind[c, 1:].max() - kind[c, 0]), 0] = -1e3
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
    return [_refined(scene, k, own) for k, own in enumerate(chosen)], parents


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
    """A part that turns, about the centre of the surfaces that are round about its line: its own and those in
    its box."""
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


def part_joint(
    clouds: PartClouds,
    chosen: list[JointChoice],
    parents: Int[Array, " k"],
    k: int,
    slide: Float[Array, "12"],
) -> PartJoint:
    """Joint of part k in the shape's coordinates, with its range.

    The part moves with its subtree. Its range has the likely length. A part that slides on another one moves
    in the likelier direction (`slide_log_odds` with the weights `slide`), any other part in the freer one.
    """
    own, name = chosen[k], clouds.names[k]
    parent = None if parents[k] == clouds.count else clouds.names[parents[k]]
    axis, pivot = clouds.direction_to_shape(own.axis), clouds.point_to_shape(own.pivot)
    if own.kind == "fixed":
        return PartJoint(name, "fixed", parent, axis, pivot, 0.0, 0.0, own.confidence, True, True)
    moving = subtree(parents, k)
    slides = own.kind == "prismatic"
    motion = (clouds, moving, "prismatic" if slides else "revolute", own.axis, own.pivot)
    found = free_range(*motion, min(2.0 * own.length, MAX_SLIDE) if slides else np.pi)
    ahead = found.upper >= -found.lower
    if slides and parent is not None:
        points = clouds.points[k], clouds.points[parents[k]]
        ahead = slide_log_odds(slide, own.axis, own.length, *points, found) >= 0
    lower, upper = joint_range(found.lower, found.upper, own.length, own.one_way, ahead)
    if not slides and upper - lower > MIN_ENDLESS_TURN:
        lower, upper = -np.inf, np.inf
    checks = check_range(*motion, max(lower, -np.pi), min(upper, np.pi))
    unit = clouds.radius if slides else 1.0
    along = (0.0, 0.0)
    if own.kind == "cylindrical":
        free = free_range(clouds, moving, "prismatic", own.axis, own.pivot, 0.5)
        along = (free.lower * clouds.radius, free.upper * clouds.radius)
    return PartJoint(
        name, own.kind, parent, axis, pivot, lower * unit, upper * unit, own.confidence, *checks, along,
        (found.lower * unit, found.upper * unit),
    )  # fmt: skip


def _check_leaders(name: str, follows: Mapping[str, Following]) -> None:
    """A part that is followed follows no part, neither itself nor in a circle nor another one."""
    for part, own in follows.items():
        if own.part == part or follows.get(own.part, own).part == part:
            raise InputError(name, f"{part!r} would follow itself", "Name a part that follows none")
        if own.part in follows:
            onward = follows[own.part]
            raise InputError(
                name, f"{part!r} follows {own.part!r}, which follows {onward.part!r}",
                f"Let both follow the last: --follows {part}={onward.part}:{own.ratio * onward.ratio:g}",
            )  # fmt: skip


def _in_frame(hint: JointHint, clouds: PartClouds) -> JointHint:
    """A hint with its axis in the coordinates of the clouds."""
    return hint if hint.axis is None else JointHint(hint.kind, clouds.direction_from_shape(hint.axis))


def _check_names(parts: Parts, asked: Collection[str]) -> None:
    from difflib import get_close_matches

    for name in asked:
        if name not in parts.shape.part_names:
            near = get_close_matches(name, parts.shape.part_names, n=1)
            known = ", ".join(parts.shape.part_names[:8])
            fix = f"Did you mean {near[0]!r}?" if near else f"Its parts are: {known}"
            raise InputError(parts.shape.name, f"has no part {name!r}", fix)
