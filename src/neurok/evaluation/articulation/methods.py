"""Who is asked how the parts of a shape move."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import NamedTuple, cast

import numpy as np

from neurok.articulation.annotations import TrueJoint
from neurok.articulation.articulation import JointWish, MotionKind, PartJoint
from neurok.articulation.candidates import CONTACT, MIDDLE, Candidates
from neurok.articulation.decision import Chosen, decide, networks, placed, score, slide_weights
from neurok.articulation.features import PartScene
from neurok.articulation.kinematic_tree import likely_parents
from neurok.articulation.ranges import ONE_WAY
from neurok.articulation.simulator import FreeMotion

Array = np.ndarray
UP = 1  # index of the upright axis
WHOLE = (np.inf, 0.0, 1.0)  # as far as it is free, both ways


class Question(NamedTuple):
    """A shape in parts, as every method sees it; only the oracle, and who is told what stands, look at the
    truth."""

    scene: PartScene
    free: list[FreeMotion]
    truth: list[TrueJoint]


Method = Callable[[Question], list[PartJoint]]


def learned(model: Path | None, named: bool = True, rooted: bool = False) -> Method:
    """Networks rank, the simulator tests; with or without the names of the parts, and told or not which parts
    stand in the world: of scissors either half may."""
    return partial(_learned, model, named, rooted)


def _learned(model: Path | None, named: bool, rooted: bool, question: Question) -> list[PartJoint]:
    scene = question.scene
    stands = [k for k, true in enumerate(question.truth) if rooted and _stands(true)]
    wishes = dict.fromkeys(stands, JointWish("fixed"))
    chosen, parents = decide(scene, score(scene, question.free, networks(model), named), wishes, stands)
    return _placed(question, chosen, parents, model)


def _stands(true: TrueJoint) -> bool:
    return true.parent is None and true.kind == "fixed"


def most_common(question: Question) -> list[PartJoint]:
    """All but the part that stands turn about an upright axis through the middle of their box."""
    scene = question.scene
    chosen = [
        _upright("fixed" if k == scene.base else "revolute", found)
        for k, found in enumerate(scene.candidates)
    ]
    return _placed(question, chosen, _by_contact(scene))


def _upright(kind: MotionKind, found: Candidates) -> Chosen:
    return Chosen(kind, np.eye(3)[UP], found.pivots[MIDDLE], *WHOLE)


def simulator_only(question: Question) -> list[PartJoint]:
    """All but the part that stands move along the survivor that is free for the largest share of a whole turn
    or of the part's own length; the line nearest to the contacts where several are as free."""
    scene = question.scene
    chosen = [
        Chosen("fixed", np.eye(3)[UP], found.pivots[MIDDLE], *WHOLE)
        if k == scene.base
        else _freest(found, free)
        for k, (found, free) in enumerate(zip(scene.candidates, question.free, strict=True))
    ]
    return _placed(question, chosen, _by_contact(scene))


def _freest(found: Candidates, free: FreeMotion) -> Chosen:
    turn = (free.turn[1] - free.turn[0]) / (2 * np.pi) * found.valid[:, None]
    extent = 2 * np.maximum(np.abs(found.axes @ found.box_axes.T) @ found.half, 0.025)
    slide = (free.slide[1] - free.slide[0]) / (2 * extent) * found.valid
    offset = found.pivots[CONTACT] - found.pivots
    away = np.linalg.norm(np.cross(offset[None], found.axes[:, None]), axis=-1)
    a, p = np.unravel_index(int(np.argmax(turn - 1e-3 * away)), turn.shape)
    if slide.max() > turn[a, p]:
        b = int(slide.argmax())
        return Chosen("prismatic", found.axes[b], found.pivots[MIDDLE], *WHOLE)
    return Chosen("revolute", found.axes[a], found.pivots[p], *WHOLE)


def oracle(question: Question) -> list[PartJoint]:
    """The true type and parent, and the candidates nearest to the truth: what ranking could reach at best."""
    clouds = question.scene.clouds
    index = {name: k for k, name in enumerate(clouds.names)}
    chosen, parents = [], []
    for found, true in zip(question.scene.candidates, question.truth, strict=True):
        axis, pivot = clouds.direction_from_shape(true.axis), clouds.point_from_shape(true.pivot)
        a = int(np.argmax(np.abs(found.axes @ axis)))
        away = np.linalg.norm(np.cross(found.pivots - pivot, axis), axis=-1)
        unit = clouds.radius if true.kind == "prismatic" else 1.0
        back, ahead = min(-true.lower / unit, 1e3), min(true.upper / unit, 1e3)
        one_way = float(min(back, ahead) < ONE_WAY * (back + ahead))
        kind = cast(MotionKind, true.kind or "fixed")
        pivot = found.pivots[int(away.argmin())]
        chosen.append(Chosen(kind, found.axes[a], pivot, back + ahead, one_way, 1.0))
        parents.append(clouds.count if true.parent is None else index[true.parent])
    return _placed(question, chosen, np.array(parents))


def _by_contact(scene: PartScene) -> Array:
    """Parents by the area of contact; the part that stands is in the world."""
    count = scene.clouds.count
    likely = np.log(np.maximum(scene.shares, 1e-6))
    likely = np.concatenate([likely, np.full((count, 1), -30.0)], axis=1)
    likely[scene.base, -1] = 30.0
    return likely_parents(likely, np.arange(count) != scene.base)


def _placed(
    question: Question, chosen: list[Chosen], parents: Array, model: Path | None = None
) -> list[PartJoint]:
    """Joints with ranges; baselines take the slide direction of the weights that ship."""
    clouds, slide = question.scene.clouds, slide_weights(networks(model))
    return [placed(clouds, chosen, parents, k, slide) for k in range(clouds.count)]
