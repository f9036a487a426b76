"""Two frames of a stored object: where the first one is, and how its points get to the second."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float

from neurok.datasets.augment import nearest_rotations
from neurok.datasets.quaternions import blend, conjugate, from_matrix, multiply, to_matrix
from neurok.datasets.sampling import Samples
from neurok.datasets.stored import StoredObject

Array = np.ndarray


@dataclass(frozen=True, eq=False)
class RigidPair:
    """y = R_h x + t_h for the handle of each vertex."""

    stored: StoredObject
    vertices: Float[Array, "n 3"]  # of the first frame
    transforms: Float[Array, "h 3 4"]  # from the first frame to the second

    def motion(self, samples: Samples, points: Float[Array, "s 3"]) -> tuple[Array, Array]:
        """Unit quaternion and image of every sample."""
        assert self.stored.handle is not None
        handle = self.stored.handle[samples.corner[:, 0]]
        maps = self.transforms[handle]
        image = np.einsum("sij,sj->si", maps[..., :3], points) + maps[..., 3]
        return from_matrix(self.transforms[:, :, :3])[handle], image


@dataclass(frozen=True, eq=False)
class SoftPair:
    """Positions of two frames, and rotations from rest to each."""

    stored: StoredObject
    vertices: Float[Array, "n 3"]
    moved: Float[Array, "n 3"]
    frames: tuple[int, int]
    stretch: Float[Array, "3"] | None

    def motion(self, samples: Samples, points: Float[Array, "s 3"]) -> tuple[Array, Array]:
        """Unit quaternion and image of every sample.

        The rotation from frame to frame is R_b R_aᵀ of the corners' fits from rest, blended over the face.
        """
        first, second = (
            blend(self.stored.rotations(frame)[samples.corner], samples.weights) for frame in self.frames
        )
        turn = multiply(second, conjugate(first))
        if self.stretch is not None:
            turned = self.stretch[:, None] * to_matrix(turn) / self.stretch
            turn = from_matrix(nearest_rotations(turned))
        return turn, samples.of(self.moved)


def pair_motion(
    stored: StoredObject, frames: tuple[int, int], stretch: Float[Array, "3"] | None
) -> RigidPair | SoftPair:
    """The two frames, stretched along the object's axes where that keeps the motion rigid."""
    if stored.transforms is None:
        first, second = (stored.positions(frame) for frame in frames)
        if stretch is not None:
            first, second = first * stretch, second * stretch
        return SoftPair(stored, first, second, frames, stretch)
    if stretch is not None and stored.hinges is not None:
        first, second = stored.hinges.transforms(np.array(frames), np.diag(stretch))
        rest = stored.rest * stretch
    else:
        first, second = stored.transforms[list(frames)].astype(np.float64)
        rest = stored.rest
    maps = first.astype(np.float32)[stored.handle]
    vertices = np.einsum("nij,nj->ni", maps[..., :3], rest.astype(np.float32)) + maps[..., 3]
    return RigidPair(stored, vertices, between(first, second))


def between(first: Float[Array, "h 3 4"], second: Float[Array, "h 3 4"]) -> Float[Array, "h 3 4"]:
    """B A⁻¹ of rigid maps: from where A puts things to where B puts them."""
    turn = second[..., :3] @ np.swapaxes(first[..., :3], -1, -2)
    shift = second[..., 3] - (turn @ first[..., 3, None])[..., 0]
    return np.concatenate([turn, shift[..., None]], axis=-1)
