# pyright: reportAttributeAccessIssue=false, reportOptionalMemberAccess=false
"""Builds a MuJoCo model from a `JointTree`, for objects without a file."""

from __future__ import annotations

import mujoco
import numpy as np

from neurok.errors import InputError
from neurok.geometry.rotations import plane_axes
from neurok.shapes import Joint, JointTree

TYPES = {
    "revolute": mujoco.mjtJoint.mjJNT_HINGE, "continuous": mujoco.mjtJoint.mjJNT_HINGE,
    "prismatic": mujoco.mjtJoint.mjJNT_SLIDE, "ball": mujoco.mjtJoint.mjJNT_BALL,
}  # fmt: skip


WORLD = "world"  # name of the static body in MuJoCo; a link of this name is identified with it


def model_of(tree: JointTree) -> mujoco.MjModel:
    """Model with a body of unit mass per link, joints of the same names, and roots fixed to the world.

    `prepared` sets the masses.
    """
    spec = mujoco.MjSpec()
    spec.compiler.degree = False
    bodies = {}
    for name in tree.order:
        joint = tree.parent_joint.get(name)
        above = spec.worldbody if joint is None else bodies[joint.parent]
        if joint is None and name == WORLD:
            bodies[name] = above
            continue
        place = tree.rest_poses[name] if joint is None else joint.origin
        quaternion = np.zeros(4)
        mujoco.mju_mat2Quat(quaternion, np.ascontiguousarray(place[:3, :3]).ravel())
        bodies[name] = above.add_body(
            name=name, pos=place[:3, 3], quat=quaternion, mass=1.0, ipos=np.zeros(3), inertia=np.ones(3),
            explicitinertial=True,
        )  # fmt: skip
        if joint is not None and joint.dim:
            _add_joint(bodies[name], joint)
    return spec.compile()


def _add_joint(body, joint: Joint) -> None:
    if joint.kind == "planar":
        for axis, suffix in zip(plane_axes(joint.axis).T, ("_TX", "_TY"), strict=True):
            body.add_joint(
                name=joint.name + suffix, type=mujoco.mjtJoint.mjJNT_SLIDE, axis=axis, pos=joint.pivot
            )
        body.add_joint(name=joint.name + "_RZ", type=TYPES["revolute"], axis=joint.axis, pos=joint.pivot)
        return
    if joint.kind not in TYPES:
        raise InputError(joint.name, f"is a {joint.kind} joint", "Compare objects whose roots are fixed")
    body.add_joint(name=joint.name, type=TYPES[joint.kind], axis=joint.axis, pos=joint.pivot, ref=joint.rest)
