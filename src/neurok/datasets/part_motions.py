"""`part_motions`: true joints of a surface in the frame of the parts network, from which pushes are drawn."""

from __future__ import annotations

import numpy as np
from jaxtyping import Int

from neurok.articulation.annotations import TrueJoint, moving_joint, true_joints
from neurok.articulation.parts.patch_features import Patches
from neurok.shapes import Shape

Array = np.ndarray


def part_motions(shape: Shape, body: Int[Array, " m"], patches: Patches) -> dict[str, Array]:
    """For each way in which a body moves: the bodies that go with it, and its axis, pivot and range.

    Bodies go with the body that carries them; one that follows by a coupling counts as standing. A joint that
    turns and slides gives two rows. Lengths are in radii, ranges relative to the given pose.
    """
    joints = {joint.part: joint for joint in true_joints(shape)} if shape.joints is not None else {}
    rows = [row for name in joints for row in _rows(shape, body, joints, name, patches)]
    columns = list(zip(*rows, strict=True)) or [()] * 5
    count = int(body.max()) + 1
    return {
        "motion_bodies": np.reshape(np.array(columns[0], bool), (-1, count)),
        "motion_turns": np.array(columns[1], bool),
        "motion_axis": np.reshape(np.array(columns[2], float), (-1, 3)),
        "motion_pivot": np.reshape(np.array(columns[3], float), (-1, 3)),
        "motion_range": np.reshape(np.array(columns[4], float), (-1, 2)),
    }


def _rows(
    shape: Shape, body: Int[Array, " m"], joints: dict[str, TrueJoint], name: str, patches: Patches
) -> list[tuple[Array, bool, Array, Array, Array]]:
    joint = joints[name]
    if joint.kind is None or joint.kind == "fixed":
        return []
    goes = np.zeros(int(body.max()) + 1, bool)
    for k, part in enumerate(shape.part_names):
        if name in _carriers(joints, part):
            goes[np.unique(body[shape.part == k])] = True
    axis = patches.turn @ joint.axis
    pivot = patches.turn @ shape.normalisation.apply(joint.pivot)
    own, radius = np.array([joint.lower, joint.upper]), shape.normalisation.radius
    if joint.kind == "prismatic":
        return [(goes, False, axis, pivot, own / radius)]
    turn = (goes, True, axis, pivot, own)
    return (
        [turn]
        if joint.kind == "revolute"
        else [turn, (goes, False, axis, pivot, np.array(joint.slide) / radius)]
    )


def _carriers(joints: dict[str, TrueJoint], part: str) -> set[str]:
    """Parts whose joints move a part."""
    found: set[str] = set()
    at: str | None = part
    while at is not None and (mover := moving_joint(joints, at)) is not None and mover.part not in found:
        found.add(mover.part)
        at = mover.parent
    return found
