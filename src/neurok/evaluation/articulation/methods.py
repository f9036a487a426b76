"""Defines the compared methods that predict the joints of the parts of a shape."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import NamedTuple, cast

import numpy as np

from neurok.articulation.annotations import TrueJoint
from neurok.articulation.articulation import JointHint, MotionKind, PartJoint
from neurok.articulation.candidates import CONTACT, MIDDLE, Candidates
from neurok.articulation.choice import JointChoice, choose_joints
from neurok.articulation.decision import directions, networks, part_joint, parts_batch, score
from neurok.articulation.features import PartScene
from neurok.articulation.kinematic_tree import likely_parents
from neurok.articulation.ranges import MAX_ONE_WAY_SHARE
from neurok.articulation.simulator import FreeMotion

Array = np.ndarray
UP = 1  # index of the upright axis
FULL_RANGE = (np.inf, 0.0, 1.0)  # length, one-way probability and confidence: free in both directions


class Problem(NamedTuple):
    """A shape in parts, as input of every method; only oracles and given roots use `truth`."""

    scene: PartScene
    free: list[FreeMotion]
    truth: list[TrueJoint]


Method = Callable[[Problem], list[PartJoint]]


def learned(model: Path | None, named: bool = True, roots_given: bool = False) -> Method:
    """Networks rank the candidates that the simulator admits.

    `named` uses the part names. `roots_given` provides the parts that are fixed to the world, which geometry
    does not determine: of scissors either half may be fixed.
    """
    return partial(_learned, model, named, roots_given)


def _learned(model: Path | None, named: bool, roots_given: bool, problem: Problem) -> list[PartJoint]:
    scene = problem.scene
    stands = [k for k, true in enumerate(problem.truth) if roots_given and _is_root(true)]
    hints = dict.fromkeys(stands, JointHint("fixed"))
    batch, ensemble = parts_batch(scene, problem.free, named), networks(model)
    chosen, parents = choose_joints(scene, score(batch, ensemble), hints, stands)
    return _part_joints(problem, directions(batch, chosen, ensemble), parents)


def _is_root(true: TrueJoint) -> bool:
    return true.parent is None and true.kind == "fixed"


def upright_axes(problem: Problem) -> list[PartJoint]:
    """Baseline: all parts except the base rotate about an upright axis through the centre of their box."""
    scene = problem.scene
    chosen = [
        _upright("fixed" if k == scene.base else "revolute", found)
        for k, found in enumerate(scene.candidates)
    ]
    return _part_joints(problem, chosen, _by_contact(scene))


def _upright(kind: MotionKind, found: Candidates) -> JointChoice:
    return JointChoice(kind, np.eye(3)[UP], found.pivots[MIDDLE], *FULL_RANGE)


def simulator_only(problem: Problem) -> list[PartJoint]:
    """Baseline: all parts except the base move along the candidate with the largest free motion.

    Free motion is relative to a full turn or to the length of the part. Ties are resolved by the line nearest
    to the contacts.
    """
    scene = problem.scene
    chosen = [
        JointChoice("fixed", np.eye(3)[UP], found.pivots[MIDDLE], *FULL_RANGE)
        if k == scene.base
        else _freest(found, free)
        for k, (found, free) in enumerate(zip(scene.candidates, problem.free, strict=True))
    ]
    return _part_joints(problem, chosen, _by_contact(scene))


def _freest(found: Candidates, free: FreeMotion) -> JointChoice:
    turn = (free.turn[1] - free.turn[0]) / (2 * np.pi) * found.valid[:, None]
    extent = 2 * np.maximum(np.abs(found.axes @ found.box_axes.T) @ found.half, 0.025)
    slide = (free.slide[1] - free.slide[0]) / (2 * extent) * found.valid
    offset = found.pivots[CONTACT] - found.pivots
    away = np.linalg.norm(np.cross(offset[None], found.axes[:, None]), axis=-1)
    a, p = np.unravel_index(int(np.argmax(turn - 1e-3 * away)), turn.shape)
    if slide.max() > turn[a, p]:
        b = int(slide.argmax())
        return JointChoice("prismatic", found.axes[b], found.pivots[MIDDLE], *FULL_RANGE)
    return JointChoice("revolute", found.axes[a], found.pivots[p], *FULL_RANGE)


def oracle(problem: Problem) -> list[PartJoint]:
    """Oracle: the true type and parent with the nearest candidates, the upper bound of ranking."""
    clouds = problem.scene.clouds
    index = {name: k for k, name in enumerate(clouds.names)}
    chosen, parents = [], []
    for found, true in zip(problem.scene.candidates, problem.truth, strict=True):
        axis, pivot = clouds.direction_from_shape(true.axis), clouds.point_from_shape(true.pivot)
        a = int(np.argmax(np.abs(found.axes @ axis)))
        away = np.linalg.norm(np.cross(found.pivots - pivot, axis), axis=-1)
        unit = clouds.radius if true.kind == "prismatic" else 1.0
        back, ahead = min(-true.lower / unit, 1e3), min(true.upper / unit, 1e3)
        one_way = float(min(back, ahead) < MAX_ONE_WAY_SHARE * (back + ahead))
        kind = cast(MotionKind, true.kind or "fixed")
        pivot = found.pivots[int(away.argmin())]
        chosen.append(JointChoice(kind, found.axes[a], pivot, back + ahead, one_way, 1.0))
        parents.append(clouds.count if true.parent is None else index[true.parent])
    return _part_joints(problem, chosen, np.array(parents))


def _by_contact(scene: PartScene) -> Array:
    """Parents by contact area; the base is fixed to the world."""
    count = scene.clouds.count
    likely = np.log(np.maximum(scene.shares, 1e-6))
    likely = np.concatenate([likely, np.full((count, 1), -30.0)], axis=1)
    likely[scene.base, -1] = 30.0
    return likely_parents(likely, np.arange(count) != scene.base)


def _part_joints(problem: Problem, chosen: list[JointChoice], parents: Array) -> list[PartJoint]:
    return [part_joint(problem.scene.clouds, chosen, parents, k) for k in range(problem.scene.clouds.count)]
