"""Which kinematics an object gets, and why."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal, NamedTuple

import numpy as np
from jaxtyping import Bool

from neurok.articulation import Articulation, find_parts
from neurok.articulation.decision import articulate as find_joints
from neurok.articulation.parts.find import Hints
from neurok.errors import InputError
from neurok.kinematics.elastic.modes import ElasticKinematics, ElasticMaterial
from neurok.kinematics.joints import JointKinematics
from neurok.kinematics.protocol import Kinematics
from neurok.latent import NeuROK
from neurok.latent.kinematics import LatentKinematics
from neurok.latent.reduction import ReductionConfig
from neurok.shapes import Shape

KinematicsKind = Literal["auto", "joints", "neural", "elastic"]
RIGID = 0.3  # bending of its pieces, in units of the learned motion, up to which joints are looked for
LIKELY = 0.5  # mean confidence of joints that are believed,
SURE = 0.9  # and of those that are believed although the learned prior bends the pieces
RELUCTANCES = (0.0, 1.0)  # log-odds beyond which pieces are one part, where a fit tries several
HELD = 0.3  # share of the pinned vertices that makes a part stand
STUCK = 0.1  # radians, or radii: a joint that is free for less than this both ways is drawn with overlaps
CONFIDENT = 0.2  # share of the motion that few learned coordinates must be expected to hold


class Choice(NamedTuple):
    """The coordinates of an object, and why it got these."""

    kinematics: Kinematics
    why: str

    @property
    def said(self) -> str:
        """One line."""
        return f"{self.kinematics.shape.name}: {self.kinematics.describe()}: {self.why}"


def choose_kinematics(
    shape: Shape,
    kind: KinematicsKind = "auto",
    *,
    modes: int = 8,
    material: ElasticMaterial = ElasticMaterial(),  # noqa: B008  # frozen
    pinned: Bool[np.ndarray, " n"] | None = None,
    pulled: Bool[np.ndarray, " n"] | None = None,
    seed: int = 0,
    model: Path | None = None,
    reduction: ReductionConfig = ReductionConfig(),  # noqa: B008  # frozen
    look_for_joints: bool = True,
) -> Choice:
    """Joints when the file has movable ones (`joints` finds some where it has none); else the learned space
    (of the weights in the file `model`, or of those that ship with the package), reduced, where the model is
    confident; else elastic modes. Both are of a body that is held at the `pinned` vertices, if any. Joints
    that are found condition the learned space, unless it is asked not to look for them; what is `pulled` at
    some vertices is likely no part of what is held."""
    movable = shape.joints is not None and shape.joints.dim > 0
    if movable and kind in ("joints", "auto"):
        return Choice(JointKinematics(shape), "as asked" if kind == "joints" else "the file has joints")
    if kind == "joints":
        return Choice(articulate(shape, seed), "as asked; the file has none, so they were found")
    why = "as asked"
    if kind in ("neural", "auto"):
        network = NeuROK.from_pretrained(model)
        if look_for_joints:
            learned = learned_kinematics(shape, network, reduction, pinned=pinned, pulled=pulled, seed=seed)
        else:
            learned = LatentKinematics.from_shape(shape, network, reduction, pinned, seed=seed)
        if kind == "neural":
            return Choice(learned, why)
        if learned.confidence >= CONFIDENT:
            return Choice(learned, "the model is confident")
        why = f"the model is not confident ({learned.confidence:.2f}, below {CONFIDENT:g})"
    elastic = ElasticKinematics.from_shape(shape, modes=modes, material=material, pinned=pinned, seed=seed)
    return Choice(elastic, why)


def learned_kinematics(
    shape: Shape,
    model: NeuROK,
    reduction: ReductionConfig | None = ReductionConfig(),  # noqa: B008  # frozen
    *,
    pinned: Bool[np.ndarray, " n"] | None = None,
    pulled: Bool[np.ndarray, " n"] | None = None,
    seed: int = 0,
) -> LatentKinematics:
    """The learned space; of things that have joints, given those that are found in them.

    Where the learned prior hardly bends the pieces, joints are believed if they are likely, or if something
    is pulled; where it bends them, if they are beyond doubt.
    What is `pulled` at some vertices is likely no part of what is `pinned`, and it moves, or what carries it.
    """
    learned = LatentKinematics.from_shape(shape, model, reduction, pinned, seed=seed)
    parts = find_parts(shape, hints=None if pinned is None else Hints(pinned, pulled))
    stands = _held(parts.shape, pinned)
    moves = [name for name in _pulled(parts.shape, pulled) if name not in stands]
    found = find_joints(parts, standing=stands, moved=moves, seed=seed)
    wanted = SURE if learned.bending > RIGID else 0.0 if moves else LIKELY
    if not found.moving or np.mean([joint.confidence for joint in found.moving]) < wanted:
        return learned
    found = either_way_if_stuck(found, moves)
    return LatentKinematics.from_shape(found.shape, model, reduction, articulation=found, seed=seed)


def learned_spaces(
    shape: Shape,
    model: NeuROK,
    reduction: ReductionConfig | None = ReductionConfig(),  # noqa: B008  # frozen
    *,
    seed: int = 0,
) -> list[LatentKinematics]:
    """The learned space, and before it, of things whose pieces do not bend, those in which the parts that are
    found move as one: first few parts, then, should what moves have been taken for what stands, more."""
    learned = LatentKinematics.from_shape(shape, model, reduction, seed=seed)
    if learned.bending > RIGID:
        return [learned]
    found = [find_parts(shape, reluctance=reluctance).shape for reluctance in RELUCTANCES]
    several = {len(parts.part_names): parts for parts in found if len(parts.part_names) > 1}
    wholes = [parts.vertex_part[: len(shape.vertices)].astype(np.int64) for parts in several.values()]
    return [
        *(LatentKinematics.from_shape(shape, model, reduction, whole=whole, seed=seed) for whole in wholes),
        learned,
    ]


def _held(shape: Shape, pinned: Bool[np.ndarray, " n"] | None) -> list[str]:
    """The parts that pins hold: those with a good share of the pinned vertices."""
    if pinned is None or not pinned.any():
        return []
    count = np.bincount(shape.vertex_part[: len(pinned)][pinned], minlength=len(shape.part_names))
    return [shape.part_names[k] for k in np.flatnonzero(count >= HELD * count.sum())]


def either_way_if_stuck(found: Articulation, moved: Collection[str]) -> Articulation:
    """Files draw parts with overlaps, and the simulator may find a joint stuck both ways. Which way it goes
    is then not known, and what is moved, or carries it, goes either way."""
    above = {joint.part: joint.parent for joint in found.joints}
    chain: set[str | None] = set(moved)
    while more := {above[part] for part in chain if part is not None} - chain:
        chain |= more
    unit = found.shape.normalisation.radius
    joints = [
        replace(j, free=(-np.inf, np.inf))
        if j.part in chain and max(-j.free[0], j.free[1]) < STUCK * (unit if j.kind == "prismatic" else 1.0)
        else j
        for j in found.joints
    ]
    return replace(found, joints=tuple(joints))


def _pulled(shape: Shape, pulled: Bool[np.ndarray, " n"] | None) -> list[str]:
    """The parts that something pulls at."""
    if pulled is None:
        return []
    return [shape.part_names[k] for k in np.unique(shape.vertex_part[: len(pulled)][pulled])]


def articulate(shape: Shape, seed: int = 0) -> JointKinematics:
    """The joints that are found in a shape, as the only way that it moves."""
    found = find_joints(find_parts(shape), seed=seed)
    if not found.moving:
        raise InputError(
            shape.name, f"no joints are found in it ({' '.join(found.notes)})",
            "Use --kinematics neural or elastic, or say what moves: neurok articulate FILE --joint PART=KIND",
        )  # fmt: skip
    return JointKinematics(found.shape_with_joints())


def kinematics_of(shape: Shape, kind: KinematicsKind = "auto", **options: Any) -> Kinematics:
    """The coordinates that `choose_kinematics` gives an object; the same options."""
    return choose_kinematics(shape, kind, **options).kinematics
