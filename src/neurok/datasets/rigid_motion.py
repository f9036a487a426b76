"""Extracts the rigid transforms per handle of a recording, and converts them to the unit ball and back."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from jaxtyping import Bool, Float, Int

from neurok.datasets.record import Recording
from neurok.sequences import Skin
from neurok.shapes import Normalisation, Shape

Array = np.ndarray
MAX_ROTATION_DEFECT = 1e-6  # largest entry of Rᵀ R − I of a rotation
MAX_POSITION_ERROR = 1e-5  # radii, between the rig and the recorded float32 positions


@dataclass(frozen=True, eq=False)
class RigidMotion:
    """x = R_h X + t_h for every vertex of handle h, in the shape's coordinates; frames of all clips."""

    handle: Int[Array, " n"]
    names: tuple[str, ...]
    transforms: Float[Array, "frames h 3 4"]


def rigid_motion(recording: Recording) -> RigidMotion | None:
    """Rigid motion of a recording, or None.

    It exists if every clip has the same rigid rig, no face spans two handles, every transform is a rotation
    and a translation, and the transforms reproduce the recorded positions.
    """
    rigs = [clip.rig for clip in recording.clips if clip.rig is not None]
    if len(rigs) < len(recording.clips) or not all(rig.skin.is_rigid for rig in rigs):
        return None
    shape, names = recording.shape, rigs[0].skin.names
    handles = [handle_of(rig.skin) for rig in rigs]
    if any(rig.skin.names != names for rig in rigs) or any((h != handles[0]).any() for h in handles):
        return None
    transforms = np.concatenate([rig.transforms for rig in rigs]).astype(np.float64)
    motion = RigidMotion(handles[0], names, transforms)
    if _spans(shape, motion.handle).any() or not are_rotations(transforms[..., :3]):
        return None
    return motion if _reproduces(motion, recording) else None


def handle_of(skin: Skin) -> Int[Array, " n"]:
    """Handle that moves each vertex of a rigid skin."""
    return skin.handles[np.arange(len(skin.handles)), skin.weights.argmax(axis=1)]


def are_rotations(matrices: Float[Array, "*batch 3 3"]) -> bool:
    square = np.swapaxes(matrices, -1, -2) @ matrices
    return bool(
        np.abs(square - np.eye(3)).max() < MAX_ROTATION_DEFECT and (np.linalg.det(matrices) > 0).all()
    )


def normalised_transforms(
    transforms: Float[Array, "*batch 3 4"], normalisation: Normalisation
) -> Float[Array, "*batch 3 4"]:
    """The same maps on (x − c) / r: t becomes (R c + t − c) / r."""
    centre, radius = normalisation.centre, normalisation.radius
    shift = (transforms[..., :3] @ centre + transforms[..., 3] - centre) / radius
    return np.concatenate([transforms[..., :3], shift[..., None]], axis=-1)


def restored_transforms(
    transforms: Float[Array, "*batch 3 4"], normalisation: Normalisation
) -> Float[Array, "*batch 3 4"]:
    """Inverse of `normalised_transforms`: t becomes r t + c − R c."""
    centre, radius = normalisation.centre, normalisation.radius
    shift = transforms[..., 3] * radius + centre - transforms[..., :3] @ centre
    return np.concatenate([transforms[..., :3], shift[..., None]], axis=-1)


def _spans(shape: Shape, handle: Int[Array, " n"]) -> Bool[Array, " m"]:
    """Mask of faces whose corners follow different handles."""
    corner = handle[shape.faces]
    return (corner != corner[:, :1]).any(axis=1)


def _reproduces(motion: RigidMotion, recording: Recording) -> bool:
    shape, start = recording.shape, 0
    for clip in recording.clips:
        maps = motion.transforms[start : start + len(clip)][:, motion.handle]
        placed = np.einsum("fnij,nj->fni", maps[..., :3], shape.vertices) + maps[..., 3]
        size = max(
            shape.normalisation.radius, float(np.abs(clip.positions).max())
        )  # float32 resolves 24 bits of this size
        if np.abs(placed - clip.positions).max() > MAX_POSITION_ERROR * size:
            return False
        start += len(clip)
    return True
