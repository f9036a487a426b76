"""Articulations whose joints are the true ones of generated objects."""

from __future__ import annotations

from neurok.articulation import Articulation, PartJoint
from neurok.shapes import Shape

KINDS = {"continuous": "revolute", "revolute": "revolute", "prismatic": "prismatic"}


def true_articulation(shape: Shape) -> Articulation:
    """The joints of a shape, in world coordinates, as an answer that is sure of itself."""
    tree, joints = shape.joints, []
    assert tree is not None
    for part in shape.part_names:
        joint = tree.parent_joint.get(part)
        pose = tree.rest_poses[part]
        kind = "fixed" if joint is None else KINDS.get(joint.kind, "fixed")
        axis, pivot = (pose[:3, 2], pose[:3, 3]) if joint is None else (
            pose[:3, :3] @ joint.axis, pose[:3, :3] @ joint.pivot + pose[:3, 3])  # fmt: skip
        lower, upper = (0.0, 0.0) if joint is None or kind == "fixed" else (joint.lower, joint.upper)
        joints.append(PartJoint(part, kind, joint.parent if joint else None, axis, pivot, lower, upper,
                                1.0, True, True))  # fmt: skip
    return Articulation(shape.with_(joints=None), tuple(joints), "file")
