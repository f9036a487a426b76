"""Changes that make a new object of an old one and leave its motion exactly as rigid as it was."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from jaxtyping import Bool, Float, Int

from neurok.errors import InputError

Array = np.ndarray
MIRROR = np.diag([-1.0, 1.0, 1.0])


@dataclass(frozen=True)
class Augment:
    """How much pairs are varied.

    Turns and mirrors L change a motion R into L R Lᵀ, again a rotation. A stretch S does not commute with
    rotations: S R S⁻¹ shears. So a mechanism is stretched *at rest*, hinge lines and all, and then moved by
    its own joint values (`Hinges.transforms`): exact. Rigid objects whose hinges are unknown are never
    stretched. Soft ones are stretched as they are, with the rotation nearest to S R S⁻¹ and the translation
    that still maps every point exactly. A uniform scale would be undone by the normalisation of the pair.
    """

    turn: Literal["none", "up", "any"] = "up"  # about the vertical, or any rotation
    stretch: float = 0.3  # largest |log factor| along each of the object's own axes
    mirror: float = 0.5  # probability of swapping left and right
    jitter: float = 0.002  # standard deviation of points about the surface, in radii; they keep their motion
    drop_part: float = 0.1  # probability that an object of three parts or more loses one

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
    """A turn and perhaps a mirror, of Y-up coordinates: orthogonal, with determinant ±1."""
    if augment is None:
        return np.eye(3)
    linear = {"none": lambda _: np.eye(3), "up": _turn_about_y, "any": _any_turn}[augment.turn](rng)
    return linear @ MIRROR if rng.random() < augment.mirror else linear


def draw_stretch(augment: Augment | None, rng: np.random.Generator) -> Float[Array, "3"] | None:
    """Factors along the object's axes; None for no stretch."""
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
    """Faces that stay when one part is dropped; None when all do. No part goes that is half of all."""
    if augment is None or parts < 3 or rng.random() >= augment.drop_part:
        return None
    share = np.bincount(part, area, parts)
    droppable = np.flatnonzero((share > 0) & (share < share.sum() / 2))
    return None if len(droppable) < 2 else part != rng.choice(droppable)


def nearest_rotations(matrices: Float[Array, "n 3 3"]) -> Float[Array, "n 3 3"]:
    """The rotations of the polar decompositions of matrices with positive determinant.

    Newton: Q ← (Q + Q⁻ᵀ) / 2, whose rounds square the distance of the singular values from 1; what `Augment`
    can stretch (ratios up to e²) takes four to seven.
    """
    q = np.ascontiguousarray(matrices.transpose(1, 2, 0))
    ahead, behind = [1, 2, 0], [2, 0, 1]  # cyclic, so that cofactors come with their sign
    for _ in range(7):
        up, down = q[ahead], q[behind]
        cofactor = up[:, ahead] * down[:, behind] - up[:, behind] * down[:, ahead]
        step = (cofactor / (q[0] * cofactor[0]).sum(0) - q) / 2
        q = q + step
        if np.abs(step).max(initial=0.0) < 1e-4:
            break
    return q.transpose(2, 0, 1)


def _turn_about_y(rng: np.random.Generator) -> Float[Array, "3 3"]:
    angle = rng.uniform(0, 2 * np.pi)
    s, c = np.sin(angle), np.cos(angle)
    return np.array([[c, 0, s], [0, 1, 0], [-s, 0, c]])


def _any_turn(rng: np.random.Generator) -> Float[Array, "3 3"]:
    """Uniform over rotations: a normal quaternion, normalised."""
    from neurok.geometry.quaternions import normalised, to_matrix

    return to_matrix(normalised(rng.normal(size=4)))
