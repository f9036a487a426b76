"""Computes the motion of surface points from one frame of a stored object to other frames."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from jaxtyping import Float

from neurok.datasets.sampling import Samples
from neurok.datasets.store.stored_object import StoredObject
from neurok.geometry.quaternions import (
    quaternion_blend,
    quaternion_conjugate,
    quaternion_from_matrix,
    quaternion_multiply,
    quaternion_to_matrix,
)
from neurok.geometry.rotation_fit import horn_quaternions
from neurok.geometry.transforms import map_between

Array = np.ndarray


@dataclass(frozen=True, eq=False)
class RigidPair:
    """y = R_h x + t_h for the handle of each vertex."""

    stored: StoredObject
    vertices: Float[Array, "n 3"]  # of the first frame
    transforms: Float[Array, "d h 3 4"]  # from the first frame to each of the others

    def motions(self, samples: Samples, points: Float[Array, "s 3"]) -> Iterator[tuple[Array, Array]]:
        """Unit quaternion and image of every sample, for each of the other frames."""
        assert self.stored.handle is not None
        handle = self.stored.handle[samples.corner[:, 0]]
        for transforms in self.transforms:
            maps = transforms[handle]
            image = np.einsum("sij,sj->si", maps[..., :3], points) + maps[..., 3]
            yield quaternion_from_matrix(transforms[:, :, :3])[handle], image


@dataclass(frozen=True, eq=False)
class SoftPair:
    """Motion given by the positions of the frames and by local rotations from rest."""

    stored: StoredObject
    vertices: Float[Array, "n 3"]
    frames: tuple[int, ...]
    stretch: Float[Array, "3"] | None

    def motions(self, samples: Samples, points: Float[Array, "s 3"]) -> Iterator[tuple[Array, Array]]:
        """Unit quaternion and image of every sample, for each of the other frames.

        The rotation from frame a to frame b is R_b R_aᵀ, with the rotations from rest blended over the face.
        """
        back = quaternion_conjugate(self._rotation(self.frames[0], samples))
        for frame in self.frames[1:]:
            turn = quaternion_multiply(self._rotation(frame, samples), back)
            if self.stretch is not None:
                turned = self.stretch[:, None] * quaternion_to_matrix(turn) / self.stretch
                turn = horn_quaternions(turned)
            yield turn, samples.of(_stretched(self.stored.positions(frame), self.stretch))

    def _rotation(self, frame: int, samples: Samples) -> Float[Array, "s 4"]:
        return quaternion_blend(self.stored.rotations(frame)[samples.corner], samples.weights)


def pair_motion(
    stored: StoredObject, frames: tuple[int, ...], stretch: Float[Array, "3"] | None
) -> RigidPair | SoftPair:
    """Motion between frames, stretched along the object's axes where the motion stays rigid."""
    if stored.transforms is None:
        return SoftPair(stored, _stretched(stored.positions(frames[0]), stretch), frames, stretch)
    if stretch is not None and stored.hinges is not None:
        maps = stored.hinges.transforms(np.array(frames), np.diag(stretch))
        rest = stored.rest * stretch
    else:
        maps = stored.transforms[list(frames)].astype(np.float64)
        rest = stored.rest
    first = maps[0].astype(np.float32)[stored.handle]
    vertices = np.einsum("nij,nj->ni", first[..., :3], rest.astype(np.float32)) + first[..., 3]
    return RigidPair(stored, vertices, map_between(maps[:1], maps[1:]))


def _stretched(positions: Float[Array, "n 3"], stretch: Float[Array, "3"] | None) -> Float[Array, "n 3"]:
    return positions if stretch is None else positions * stretch
