"""True joints of the parts of a shape with a joint tree, for training and evaluation."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import cast

import numpy as np
from jaxtyping import Float, Int

from neurok.articulation.articulation import SINGLE, Articulation, Following, MotionKind, PartJoint, following
from neurok.shapes import Joint, JointTree, Shape

Array = np.ndarray
KINDS = ("fixed", "revolute", "prismatic", "cylindrical")


@dataclass(frozen=True, eq=False)
class TrueJoint:
    """Motion of one part in the shape's coordinates. `kind` is None if it is none of KINDS."""

    part: str
    kind: str | None
    parent: str | None
    axis: Float[Array, "3"]
    pivot: Float[Array, "3"]
    lower: float
    upper: float  # radians or units from the given pose; unlimited turns are ±π
    slide: tuple[float, float] = (0.0, 0.0)
    follows: Following | None = None  # with the slope of the coupling in the given pose


def true_joints(shape: Shape) -> list[TrueJoint]:
    """One joint for each part: the joints between it and the nearest link above that has geometry."""
    tree = shape.joints
    assert tree is not None
    found, moving = [], {}
    for part in shape.part_names:
        chain, at = [], part
        while (joint := tree.parent_joint.get(at)) is not None:
            chain.append(joint)
            at = joint.parent
            if at in shape.part_names:
                break
        parent = at if chain and at in shape.part_names else None
        moving[part] = [j for j in chain if j.dim]
        found.append(_true_joint(shape, part, parent, moving[part]))
    single = {part: joints[0] for part, joints in moving.items() if len(joints) == 1}
    return [replace(true, follows=_followed(tree, single, true.part)) for true in found]


def _followed(tree: JointTree, single: dict[str, Joint], part: str) -> Following | None:
    """The joint that the only joint of a part follows, with the slope of the coupling in the given pose.

    Chains of couplings are resolved. None if the leading joint belongs to no part.
    """
    by_name = {joint.name: joint for joint in tree.joints}
    joint, ratio = single.get(part), 1.0
    while joint is not None and joint.coupling is not None:
        ratio *= (*joint.coupling.coefficients, 0.0, 0.0)[1]
        joint = by_name[joint.coupling.joint]
    leaders = [name for name, own in single.items() if own is joint and _kind(own) in SINGLE]
    if joint is single.get(part) or not leaders:
        return None
    return Following(leaders[0], ratio)


def moving_joint(joints: dict[str, TrueJoint], part: str) -> TrueJoint | None:
    """The joint that moves a part: its own, or that of the nearest part above that moves.

    None for a part that stands.
    """
    at: str | None = part
    while at is not None and joints[at].kind == "fixed":
        at = joints[at].parent
    return None if at is None else joints[at]


def true_bodies(shape: Shape) -> Int[Array, " m"]:
    """The rigid body of every face.

    Parts connected by fixed joints, and parts fixed to the world, are one body.
    """
    tree = shape.joints
    assert tree is not None
    return np.array([tree.bodies[name] for name in shape.part_names])[shape.part]


def true_articulation(shape: Shape) -> Articulation | None:
    """The true joints as an `Articulation` with confidence 1.

    None if a part moves in a way that an `Articulation` cannot represent, or if no link with geometry carries
    it.
    """
    truth = true_joints(shape)
    if any(t.kind is None or (t.kind != "fixed" and t.parent is None) for t in truth):
        return None
    joints = {t.part: _certain_joint(t) for t in truth}
    for t in truth:
        if t.follows is not None:
            joints[t.part] = following(joints[t.part], joints[t.follows.part], t.follows.ratio)
    return Articulation(shape.with_(joints=None), tuple(joints.values()), "file")


def _certain_joint(true: TrueJoint) -> PartJoint:
    """A range of at least a full turn is unlimited."""
    endless = true.kind != "prismatic" and true.upper - true.lower >= 2 * np.pi
    lower, upper = (-np.inf, np.inf) if endless else (true.lower, true.upper)
    kind = cast(MotionKind, true.kind)
    return PartJoint(
        true.part, kind, true.parent, true.axis, true.pivot, lower, upper, 1.0, True, True, true.slide
    )


def _true_joint(shape: Shape, part: str, parent: str | None, moving: list[Joint]) -> TrueJoint:
    if not moving:
        return TrueJoint(part, "fixed", parent, np.array([0.0, 1.0, 0.0]), np.zeros(3), 0.0, 0.0)
    lines = [_world(shape, joint) for joint in moving]
    kinds = sorted(_kind(j) or "other" for j in moving)
    axis, pivot = lines[0]
    lower, upper = _range(moving[0])
    if len(moving) == 1:
        return TrueJoint(part, _kind(moving[0]), parent, axis, pivot, lower, upper)
    if kinds == ["prismatic", "revolute"] and abs(lines[0][0] @ lines[1][0]) > 0.999:
        turn = next(i for i, j in enumerate(moving) if _kind(j) == "revolute")
        sign = float(np.sign(lines[turn][0] @ lines[1 - turn][0]))
        low, high = sorted(sign * value for value in _range(moving[1 - turn]))
        return TrueJoint(part, "cylindrical", parent, *lines[turn], *_range(moving[turn]), (low, high))
    return TrueJoint(part, None, parent, axis, pivot, lower, upper)


def _kind(joint: Joint) -> str | None:
    return {"revolute": "revolute", "continuous": "revolute", "prismatic": "prismatic"}.get(joint.kind)


def _range(joint: Joint) -> tuple[float, float]:
    if joint.kind in ("revolute", "continuous"):
        ends = np.clip([joint.lower - joint.rest, joint.upper - joint.rest], -np.pi, np.pi)
    else:
        ends = np.array([joint.lower - joint.rest, joint.upper - joint.rest])
    return float(ends[0]), float(ends[1])


def _world(shape: Shape, joint: Joint) -> tuple[Float[Array, "3"], Float[Array, "3"]]:
    """Axis and a point on it, in the shape's coordinates."""
    tree = shape.joints
    assert tree is not None
    pose = tree.rest_poses[joint.parent] @ joint.origin
    axis = pose[:3, :3] @ joint.axis
    return axis / np.linalg.norm(axis), pose[:3, :3] @ joint.pivot + pose[:3, 3]
