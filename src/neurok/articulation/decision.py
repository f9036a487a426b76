"""`predict_joints`: parts in, joints out. Networks rank candidates, the simulator tests them."""

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
    JointWish,
    MotionKind,
    PartJoint,
    following,
)
from neurok.articulation.axis_refinement import settled
from neurok.articulation.candidate_features import line_distances
from neurok.articulation.candidates import CONTACT, MIDDLE, Candidates, part_length
from neurok.articulation.clouds import PartClouds, read_parts
from neurok.articulation.ensemble import ArticulationEnsemble, load_articulator
from neurok.articulation.features import PartScene, copies_of, in_box, part_scene, read_scene
from neurok.articulation.kinematic_tree import carried, carried_by, likely_parents
from neurok.articulation.neighbours import meeting_points
from neurok.articulation.network import PartsBatch, Scores
from neurok.articulation.parts.find import Parts
from neurok.articulation.ranges import SLIDES, TURNS, best_length, interval
from neurok.articulation.simulator import FreeMotion, both_ways, free_range, kept_over, simulate_part
from neurok.articulation.slide_direction import slide_log_odds
from neurok.errors import InputError

Array = np.ndarray
COPY = 0.5  # how much the type of a copy counts beside a part's own
LEAN = np.array([-0.5, 0.0, 1.0, 0.0])  # log-odds of types: fewer parts stand, and more slide, than it seems
ENDLESS = 5.5  # radians: turns that are likely longer than this have no limits
BARREL = 0.8  # of a part's middle half side: how far from its line round surfaces tell where that is
ASIDE, FAR = 5.0, 0.1  # nats against lines that pass so many radii or more from contacts with the parent
FARTHEST = 2.0  # radii: no slide is looked at farther than this


@dataclass(frozen=True, eq=False)
class Chosen:
    """A part's motion in the unit ball of its own frame."""

    kind: MotionKind
    axis: Float[Array, "3"]
    pivot: Float[Array, "3"]
    length: float  # how far it likely moves in all: radians, or radii
    one_way: float  # how likely it moves from the pose drawn one way only
    confidence: float


def predict_joints(
    parts: Parts,
    *,
    joints: Mapping[str, JointWish] = {},
    fixed: Collection[str] = (),
    standing: Collection[str] = (),
    moved: Collection[str] = (),
    follows: Mapping[str, Following] = {},
    seed: int = 0,
    model: Path | None = None,
) -> Articulation:
    """How every part moves, by the weights in the file `model` or by those that ship with the package.

    `joints`, `fixed`, `standing` (fixed to the world), `moved` (it moves, or something that carries it) and
    `follows` (its joint moves as another's does) are what is known; the rest follows.
    """
    shape = parts.shape
    _check_names(parts, (*joints, *fixed, *standing, *moved, *follows, *(f.part for f in follows.values())))
    _check_leaders(shape.name, follows)
    told = {name: wish.kind for name, wish in joints.items()} | dict.fromkeys((*fixed, *standing), "fixed")
    for part in (name for own, leader in follows.items() for name in (own, leader.part)):
        if told.get(part, SINGLE[0]) not in SINGLE:
            raise InputError(
                shape.name, f"{part!r} is {told[part]}, and follows or is followed",
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
    wishes = {clouds.names.index(name): _in_frame(wish, clouds) for name, wish in joints.items()}
    wishes |= {clouds.names.index(name): JointWish("fixed") for name in (*fixed, *standing)}
    stands, moves = ([clouds.names.index(name) for name in names] for names in (standing, moved))
    single = [clouds.names.index(name) for part, own in follows.items() for name in (part, own.part)]
    chosen, parents = decide(scene, scores, wishes, stands, moves, single)
    joints_of = {
        clouds.names[k]: placed(clouds, chosen, parents, k, slide_weights(ensemble))
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
    numbers = read_scene(scene).arrays() | {
        "free_turn": np.stack([both_ways(f.turn) for f in free]),
        "free_slide": np.stack([both_ways(f.slide) for f in free]),
    }
    numbers["words"] = numbers["words"] * named
    arrays = {name: torch.tensor(a)[None] for name, a in numbers.items()}
    arrays = {n: t.float() if t.is_floating_point() else t for n, t in arrays.items()}
    batch = PartsBatch(present=torch.ones(1, scene.clouds.count, dtype=torch.bool), **arrays)
    return Scores(*(t.double() for t in ensemble(batch)))


def decide(
    scene: PartScene,
    scores: Scores,
    wishes: Mapping[int, JointWish] = {},
    standing: Collection[int] = (),
    moved: Collection[int] = (),
    single: Collection[int] = (),
) -> tuple[list[Chosen], Int[Array, " k"]]:
    """The kind, axis, pivot and parent of every part.

    At least one part stands still: where all seem to move, the one that most likely stands in the world.
    Where neither a part that is `moved` nor anything that carries it seems to move, the likeliest does. Where
    each part still seems to stand, but that all do is less likely than not (Π p < ½), the likeliest moves: of
    the halves of pliers either may stand, not both. A `single` part turns or slides.
    """
    kind = _with_copies(scores.kind[0].log_softmax(-1).numpy() + LEAN, scene)
    parent = scores.parent[0].log_softmax(-1).numpy()
    for k, wish in wishes.items():
        kind[k] = np.where(np.arange(4) == MOTION_KINDS.index(wish.kind), 0.0, -1e3)
    for k in single:
        kind[k, [0, 3]] = -1e3
    for k in standing:
        parent[k] = np.where(np.arange(parent.shape[1]) == len(kind), 0.0, -1e3)
    if (kind.argmax(1) > 0).all():
        kind[np.argmax(parent[:, -1] + kind[:, 0]), 0] = 1.0
    parents = likely_parents(parent, kind.argmax(1) > 0)
    for k in moved:
        chain = carried_by(parents, k)
        carriers = [c for c in chain[: max(1, len(chain) - 1)] if c not in wishes]
        if carriers and not (kind[carriers].argmax(1) > 0).any():
            kind[max(carriers, key=lambda c: kind[c, 1:].max() - kind[c, 0]), 0] = -1e3
            parents = likely_parents(parent, kind.argmax(1) > 0)
    if (kind.argmax(1) == 0).all() and kind[:, 0].sum() < np.log(0.5):
        kind[kind[:, 0].argmin(), 0] = -1e3
        parents = likely_parents(parent, kind.argmax(1) > 0)
    chosen = [
        _choose(
            kind[k], k, scores, scene.candidates[k], wishes.get(k), _parent_gaps(scene, k, int(parents[k]))
        )
        for k in range(len(kind))
    ]
    return [_settled(scene, k, own) for k, own in enumerate(chosen)], parents


def _with_copies(kind: Float[Array, "k 4"], scene: PartScene) -> Float[Array, "k 4"]:
    """Log-likelihoods of types, those of a part's copies counting by half: what looks alike moves alike."""
    shares = np.eye(len(kind))
    for part in range(len(kind)):
        shares[part, copies_of(scene, part)] = COPY
    mean = shares @ kind / shares.sum(1, keepdims=True)
    return mean - np.logaddexp.reduce(mean, axis=1, keepdims=True)


def _parent_gaps(scene: PartScene, k: int, parent: int) -> Float[Array, "6 p"]:
    """How far each line of a part passes from where it touches its parent; 0 where it touches it nowhere."""
    found = scene.candidates[k]
    meeting = np.zeros((0, 3))
    if parent < scene.clouds.count:
        meeting = meeting_points(scene.trees[k], scene.trees[parent])
    if not len(meeting):
        return np.zeros((len(found.axes), len(found.pivots)))
    return line_distances(meeting, found.axes, found.pivots).min(-1)


def _choose(
    kind: Float[Array, "4"], k: int, scores: Scores, found: Candidates, wish: JointWish | None,
    gaps: Float[Array, "6 p"],
) -> Chosen:  # fmt: skip
    """A part that is fixed gets the axis and pivot that it would have if it moved. Of the lines along an axis
    those count less that pass far from where it touches its parent: they may be hinges of what it carries."""
    if kind.argmax() == 0:
        moved = _choose(np.where(np.arange(4) == 0, -np.inf, kind), k, scores, found, None, gaps)
        return Chosen("fixed", moved.axis, moved.pivot, 0.0, 1.0, float(np.exp(min(kind[0], 0.0))))
    best, sure = MOTION_KINDS[int(kind.argmax())], float(np.exp(min(kind.max(), 0.0)))
    turns = best != "prismatic"
    axis = (scores.turn_axis if turns else scores.slide_axis)[0, k].log_softmax(-1).numpy()
    told = None if wish is None else wish.axis
    if told is not None:  # the candidate nearest to it stands for it
        axis = np.where(np.arange(len(axis)) == np.argmax(np.abs(found.axes @ told)), 0.0, -1e3)
    a, pivot = int(np.argmax(axis)), found.pivots[MIDDLE]
    if turns:
        line = scores.line[0, k].log_softmax(-1).numpy() + axis[:, None]
        a = int(np.argmax(line.max(1)))
        p = int(np.argmax(line[a] - ASIDE * np.clip(gaps[a] / FAR, 0, 1)))
        pull = scores.pull[0, k, a, p].numpy()
        pivot = found.pivots[p] + pull @ (found.pivots[[MIDDLE, CONTACT]] - found.pivots[p])
    length = _length(scores, k, a, turns) * (1.0 if turns else part_length(found, a))
    one_way = float(scores.one_way[0, k, a, 0 if turns else 1].sigmoid())
    direction = found.axes[a] if told is None else told / np.linalg.norm(told)
    return Chosen(best, direction, pivot, length, one_way, sure * float(np.exp(axis[a])))


def _settled(scene: PartScene, k: int, own: Chosen) -> Chosen:
    """A part that turns, about the middle of what is round about its line: of itself and in its box."""
    if own.kind in ("fixed", "prismatic"):
        return own
    clouds, near = scene.clouds, in_box(scene, k) | (scene.clouds.dense_part == k)
    reach = BARREL * max(float(np.sort(scene.candidates[k].half)[1]), 0.03)
    return replace(
        own, pivot=settled(own.axis, own.pivot, clouds.dense[near], clouds.dense_normals[near], reach)
    )


def _length(scores: Scores, k: int, axis: int, turns: bool) -> float:
    classes = (scores.turn_length if turns else scores.slide_length)[0, k, axis].softmax(-1).numpy()
    return best_length(classes, TURNS if turns else SLIDES)


def placed(
    clouds: PartClouds, chosen: list[Chosen], parents: Int[Array, " k"], k: int, slide: Float[Array, "12"]
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
    moving = carried(parents, k)
    slides = own.kind == "prismatic"
    motion = (clouds, moving, "prismatic" if slides else "revolute", own.axis, own.pivot)
    found = free_range(*motion, min(2.0 * own.length, FARTHEST) if slides else np.pi)
    ahead = found.upper >= -found.lower
    if slides and parent is not None:
        points = clouds.points[k], clouds.points[parents[k]]
        ahead = slide_log_odds(slide, own.axis, own.length, *points, found) >= 0
    lower, upper = interval(found.lower, found.upper, own.length, own.one_way, ahead)
    if not slides and upper - lower > ENDLESS:
        lower, upper = -np.inf, np.inf
    kept = kept_over(*motion, max(lower, -np.pi), min(upper, np.pi))
    unit = clouds.radius if slides else 1.0
    along = (0.0, 0.0)
    if own.kind == "cylindrical":
        free = free_range(clouds, moving, "prismatic", own.axis, own.pivot, 0.5)
        along = (free.lower * clouds.radius, free.upper * clouds.radius)
    return PartJoint(
        name, own.kind, parent, axis, pivot, lower * unit, upper * unit, own.confidence, *kept, along,
        (found.lower * unit, found.upper * unit),
    )  # fmt: skip


def _check_leaders(name: str, follows: Mapping[str, Following]) -> None:
    """What is followed is free: nothing follows itself, at once or in a circle, nor a follower."""
    for part, own in follows.items():
        if own.part == part or follows.get(own.part, own).part == part:
            raise InputError(name, f"{part!r} would follow itself", "Name a part that follows none")
        if own.part in follows:
            onward = follows[own.part]
            raise InputError(
                name, f"{part!r} follows {own.part!r}, which follows {onward.part!r}",
                f"Let both follow the last: --follows {part}={onward.part}:{own.ratio * onward.ratio:g}",
            )  # fmt: skip


def _in_frame(wish: JointWish, clouds: PartClouds) -> JointWish:
    """A wish whose axis is in the shape's coordinates, in those of the clouds."""
    return wish if wish.axis is None else JointWish(wish.kind, clouds.direction_from_shape(wish.axis))


def _check_names(parts: Parts, asked: Collection[str]) -> None:
    from difflib import get_close_matches

    for name in asked:
        if name not in parts.shape.part_names:
            near = get_close_matches(name, parts.shape.part_names, n=1)
            known = ", ".join(parts.shape.part_names[:8])
            fix = f"Did you mean {near[0]!r}?" if near else f"Its parts are: {known}"
            raise InputError(parts.shape.name, f"has no part {name!r}", fix)
