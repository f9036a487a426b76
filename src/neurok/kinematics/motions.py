"""Screws of each kind of joint: a slide t and a rotation vector r, linear in its values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import torch
from jaxtyping import Float
from torch import Tensor

from neurok.geometry.rotations import plane_axes
from neurok.shapes import Joint, JointTree
from neurok.shapes.robots.tree import JointKind

Array = np.ndarray

COORDINATES: Mapping[JointKind, tuple[str, ...]] = {
    "fixed": (), "revolute": ("r",), "continuous": ("r",), "prismatic": ("t",),
    "planar": ("x", "y", "r"), "ball": ("rx", "ry", "rz"), "floating": ("x", "y", "z", "rx", "ry", "rz"),
}  # fmt: skip


def screw(joint: Joint) -> Float[Array, "6 d"]:
    """(t, r) = S v for the joint's values v, in the joint's own frame."""
    matrix = np.zeros((6, joint.dim))
    axis = np.asarray(joint.axis, np.float64)
    if joint.kind in ("revolute", "continuous"):
        matrix[3:, 0] = axis / np.linalg.norm(axis)
    elif joint.kind == "prismatic":
        matrix[:3, 0] = axis / np.linalg.norm(axis)
    elif joint.kind == "planar":
        normal = axis / np.linalg.norm(axis)
        matrix[:3, :2], matrix[3:, 2] = plane_axes(normal), normal
    elif joint.kind == "ball":
        matrix[3:] = np.eye(3)
    elif joint.kind == "floating":
        matrix[:] = np.eye(6)
    return matrix


def world_screws(
    tree: JointTree, joints: Sequence[Joint]
) -> tuple[Float[Tensor, "j6 d"], Float[Tensor, "j 3"]]:
    """The screws of all joints as one matrix over all values, and their pivots, in the world at rest."""
    offsets = np.cumsum([0] + [joint.dim for joint in joints])
    matrix, pivots = np.zeros((6 * len(joints), offsets[-1])), np.zeros((len(joints), 3))
    for j, joint in enumerate(joints):
        pose = tree.rest_poses[joint.child]
        local = screw(joint).reshape(2, 3, joint.dim)
        block = slice(offsets[j], offsets[j + 1])
        matrix[6 * j : 6 * j + 6, block] = (pose[:3, :3] @ local).reshape(6, joint.dim)
        pivots[j] = pose[:3, :3] @ joint.pivot + pose[:3, 3]
    return torch.tensor(matrix), torch.tensor(pivots)
