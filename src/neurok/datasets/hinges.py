"""Describes a rigid recording by one-value joints between its handles, which allow an exact stretch."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from jaxtyping import Float, Int

from neurok.geometry.rotations import rotation_about, vee
from neurok.shapes import Joint, JointTree, Normalisation

Array = np.ndarray
FIXED, REVOLUTE, PRISMATIC = 0, 1, 2
KINDS = {"revolute": REVOLUTE, "continuous": REVOLUTE, "prismatic": PRISMATIC}
MAX_CHAIN_ERROR = 2e-6  # radii, between the chain and the recorded transforms (float32 rounding)


@dataclass(frozen=True, eq=False)
class Hinges:
    """Every handle moves relative to its parent by one value: rotation about or translation along a line.

    Lines are given at rest in the unit ball. A_h = A_parent M_h(v_h), where M is a rotation by v radians or a
    translation by v. A handle without a parent (−1) moves relative to the world.
    """

    parent: Int[Array, " h"]
    kind: Int[Array, " h"]
    axis: Float[Array, "h 3"]
    pivot: Float[Array, "h 3"]
    values: Float[Array, "frames h"]

    @cached_property
    def order(self) -> list[int]:
        """Handles sorted so that parents precede children."""
        depth = np.zeros(len(self.parent), np.int64)
        above = self.parent.astype(np.int64)
        while (above >= 0).any():
            depth += above >= 0
            above = np.where(above >= 0, self.parent[above], -1)
        return np.argsort(depth, kind="stable").tolist()

    def transforms(
        self, frames: slice | Int[Array, " f"], stretch: Float[Array, "3 3"] | None = None
    ) -> Float[Array, "f h 3 4"]:
        """Motion of every handle from rest, of the object or of its stretched copy.

        The copy has the rest shape S X. Its hinge lines are the stretched lines (pivot S p, axis S a / |S a|)
        with the same angles; its translations are S (v a). The copy is again an exactly rigid mechanism.
        Stretching the moved object instead would shear every rotated part.
        """
        axis, pivot, slide = self.axis.astype(np.float64), self.pivot.astype(np.float64), self.axis
        if stretch is not None:
            slide, pivot = axis @ stretch.T, pivot @ stretch.T
            axis = slide / np.linalg.norm(slide, axis=1, keepdims=True)
        values = self.values[frames].astype(np.float64)
        turn = rotation_about(axis, np.where(self.kind == REVOLUTE, values, 0.0))
        shift = pivot - np.einsum("fhij,hj->fhi", turn, pivot)
        shift += np.where(self.kind == PRISMATIC, values, 0.0)[..., None] * slide
        return _chained(np.concatenate([turn, shift[..., None]], axis=-1), self.parent, self.order)


def hinges_of(
    tree: JointTree,
    names: tuple[str, ...],
    transforms: Float[Array, "frames h 3 4"],
    normalisation: Normalisation,
) -> Hinges | None:
    """Hinges that reproduce normalised transforms of handles named after their links.

    None if a joint has more than one value, if a moving link has no geometry and hides part of the motion, or
    if the chain does not reproduce the transforms.
    """
    handle = {name: k for k, name in enumerate(names)}
    joints = [_joint_above(tree, name) for name in names]
    parent = np.full(len(names), -1, np.int16)
    kind = np.zeros(len(names), np.int8)
    axis, pivot = np.tile([1.0, 0.0, 0.0], (len(names), 1)), np.zeros((len(names), 3))
    for k, joint in enumerate(joints):
        if joint is None:
            continue
        above = _joint_above(tree, joint.parent)
        if joint.kind not in KINDS or (above is not None and above.child not in handle):
            return None
        parent[k] = -1 if above is None else handle[above.child]
        pose = tree.rest_poses[joint.child]
        line = pose[:3, :3] @ np.asarray(joint.axis, np.float64)
        kind[k], axis[k] = KINDS[joint.kind], line / np.linalg.norm(line)
        pivot[k] = normalisation.apply(pose[:3, :3] @ joint.pivot + pose[:3, 3])
    values = _values(parent, kind, axis, transforms)
    hinges = Hinges(
        parent, kind, axis.astype(np.float32), pivot.astype(np.float32), values.astype(np.float32)
    )
    reach = max(1.0, float(np.abs(transforms[..., 3]).max()), float(np.abs(pivot).max()))
    worst = np.abs(hinges.transforms(slice(None)) - transforms).max()
    return hinges if worst < MAX_CHAIN_ERROR * reach else None


def _joint_above(tree: JointTree, link: str) -> Joint | None:
    """Nearest movable joint above a link; None for a static link."""
    joint = tree.parent_joint.get(link)
    while joint is not None and joint.dim == 0:
        joint = tree.parent_joint.get(joint.parent)
    return joint


def _values(parent, kind, axis, transforms) -> Float[Array, "frames h"]:
    """Value of every handle: of A_parent⁻¹ A the angle atan2(sin, cos), or the translation along the axis."""
    above = transforms[:, np.maximum(parent, 0)]
    above = np.where((parent >= 0)[:, None, None], above, np.eye(3, 4))
    back = np.swapaxes(above[..., :3], -1, -2)
    turn = back @ transforms[..., :3]
    shift = (back @ (transforms[..., 3] - above[..., 3])[..., None])[..., 0]
    sine, cosine = (vee(turn) * axis).sum(-1), (np.trace(turn, axis1=-2, axis2=-1) - 1) / 2
    value = np.where(kind == PRISMATIC, (shift * axis).sum(-1), np.arctan2(sine, cosine))
    return np.where(kind == FIXED, 0.0, value)


def _chained(motion: Float[Array, "f h 3 4"], parent, order: list[int]) -> Float[Array, "f h 3 4"]:
    """A_h = A_parent M_h down the tree."""
    for h in order:
        if parent[h] >= 0:
            above = motion[:, parent[h]]
            motion[:, h, :, 3] = (above[..., :3] @ motion[:, h, :, 3, None])[..., 0] + above[..., 3]
            motion[:, h, :, :3] = above[..., :3] @ motion[:, h, :, :3]
    return motion
