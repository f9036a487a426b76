"""Augments objects by rotation, mirroring, stretch, jitter and part removal that keep rigid motion rigid."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from jaxtyping import Bool, Float, Int

from neurok.errors import InputError
from neurok.geometry.quaternions import normalised, quaternion_to_matrix
from neurok.geometry.rotations import rotation_about_y

Array = np.ndarray
MIRROR = np.diag([-1.0, 1.0, 1.0])


@dataclass(frozen=True)
class Augment:
    """Strength of the augmentation of pairs.

    Rotations and mirrors L turn a motion R into L R Lᵀ, again a rotation. A stretch S does not commute with
    rotations: S R S⁻¹ shears. A mechanism is therefore stretched at rest, with its hinge lines, and then
    moved by its own joint values (`Hinges.transforms`), which is exact. Rigid objects with unknown hinges are
    not stretched. Soft objects are stretched frame by frame, with the rotation nearest to S R S⁻¹ and the
    translation that maps every point exactly. Uniform scale is not augmented, because pairs are normalised.
    """

    turn: Literal["none", "up", "any"] = "up"  # up: about the vertical axis; any: uniform rotations
    stretch: float = 0.3  # largest |log factor| along each of the object's own axes
    mirror: float = 0.5  # probability of a left-right mirror
    jitter: float = 0.002  # standard deviation of the noise on points, in radii
    drop_part: float = 0.1  # probability of removing a part of an object with at least three

    def __post_init__(self) -> None:
        for name in ("mirror", "drop_part"):
            if not 0 <= getattr(self, name) <= 1:
                raise InputError("augmentation", f"{name} is {getattr(self, name)}", "Give a probability")
        if not (0 <= self.stretch <= 1 and 0 <= self.jitter < 1):
            raise InputError(
                "augmentation",
                f"stretch is {self.stretch} and jitter {self.jitter}",
                "Give values from 0 to 1",
            )


def draw_linear(augment: Augment | None, rng: np.random.Generator) -> Float[Array, "3 3"]:
    """Random rotation, optionally with a mirror, of Y-up coordinates: orthogonal, with determinant ±1."""
    if augment is None:
        return np.eye(3)
    linear = {"none": lambda _: np.eye(3), "up": _turn_about_up, "any": _any_turn}[augment.turn](rng)
    return linear @ MIRROR if rng.random() < augment.mirror else linear


def draw_stretch(augment: Augment | None, rng: np.random.Generator) -> Float[Array, "3"] | None:
    """Random factors along the object's axes; None for no stretch."""
    if augment is None or augment.stretch == 0:
        return None
    return np.exp(rng.uniform(-augment.stretch, augment.stretch, 3)).astype(np.float32)


def draw_kept_faces(
    augment: Augment | None,
    part: Int[Array, " m"],
    parts: int,
    area: Float[Array, " m"],
    rng: np.random.Generator,
) -> Bool[Array, " m"] | None:
    """Mask of the faces without one random part of less than half the area; None if no part is removed."""
    if augment is None or parts < 3 or rng.random() >= augment.drop_part:
        return None
    share = np.bincount(part, area, parts)
    droppable = np.flatnonzero((share > 0) & (share < share.sum() / 2))
    return None if len(droppable) < 2 else part != rng.choice(droppable)


def _turn_about_up(rng: np.random.Generator) -> Float[Array, "3 3"]:
    return rotation_about_y(rng.uniform(0, 2 * np.pi))


def _any_turn(rng: np.random.Generator) -> Float[Array, "3 3"]:
    """Uniformly distributed rotation: a normalised Gaussian quaternion."""
    return quaternion_to_matrix(normalised(rng.normal(size=4)))
