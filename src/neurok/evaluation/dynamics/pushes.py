# pyright: reportAttributeAccessIssue=false
"""Finds random pushes that move an object within its joint limits.

The force acts on a random point of the surface, because vertices would prefer corners and hinges. It is
scaled until the joints travel TARGET_TRAVEL of their range. The point must move within 60° of the push. A
force along a hinge line hardly turns the hinge, and a scaled one would only measure the accuracy of the line.
"""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import mujoco
import numpy as np
import torch
from jaxtyping import Bool, Float

from neurok.articulation.parts.components import face_areas
from neurok.dynamics import Push
from neurok.evaluation.dynamics.mujoco_motion import BodyPush, Motion, as_coordinates
from neurok.kinematics import LinkedKinematics
from neurok.shapes import Shape

Array = np.ndarray
MAX_PUSHES, MAX_SCALINGS = 24, 4  # attempts
TARGET_TRAVEL = 0.5  # share of its free range that the most moved joint travels
UNLIMITED_RANGE = 1.0  # rad or radii: assumed range of a joint without limits
MIN_RANGE = 0.02  # of UNLIMITED_RANGE: a joint with less free range counts as blocked
PUSH_SECONDS = 0.2
MIN_COSINE = 0.5  # between the push and the displacement of its point at the end of the push


class Pushed(NamedTuple):
    """A push, its point on a face, and the resulting joint trajectory."""

    push: BodyPush
    face: int
    weights: Float[Array, "3"]  # barycentric
    q: Float[Array, "frames k"]

    def on(self, shape: Shape) -> list[Push]:
        """Pushes on the corners of the face, which do the same work as the push on the point."""
        corners = zip(shape.faces[self.face], self.weights, strict=True)
        return [Push(w * self.push.force, at=int(v), duration=PUSH_SECONDS) for v, w in corners]

    def cosine(self, kinematics: LinkedKinematics, fps: float) -> float:
        """Cosine between the push and the displacement of its point at the end of the push."""
        frames = torch.tensor(self.q[[0, min(round(PUSH_SECONDS * fps), len(self.q) - 1)]])
        corners = kinematics.positions(frames).numpy()[:, kinematics.shape.faces[self.face]]
        gone = self.weights @ (corners[1] - corners[0])
        sizes = np.linalg.norm(self.push.force) * np.linalg.norm(gone)
        return float(self.push.force @ gone / max(sizes, 1e-30))

    def vertices(self, shape: Shape) -> Bool[Array, " n"]:
        """Mask of the vertices of the pushed face."""
        return np.isin(np.arange(len(shape.vertices)), shape.faces[self.face])


def find_push(
    model: mujoco.MjModel, kinematics: LinkedKinematics, rng: np.random.Generator, seconds: float, fps: float
) -> Pushed | None:
    """First random push that moves its point forward and a joint by TARGET_TRAVEL, within all limits."""
    movable = [n for n in kinematics.shape.part_names if kinematics.body_of_link[n]]
    for _ in range(MAX_PUSHES if movable else 0):
        push, face, weights = _random(kinematics, str(rng.choice(movable)), rng)
        for sign in (1.0, -1.0):
            found = _scaled(model, kinematics, replace(push, force=sign * push.force), seconds, fps)
            pushed = found and Pushed(found[0], face, weights, found[1])
            if pushed and pushed.cosine(kinematics, fps) >= MIN_COSINE:
                return pushed
    return None


def _random(
    kinematics: LinkedKinematics, link: str, rng: np.random.Generator
) -> tuple[BodyPush, int, Float[Array, "3"]]:
    shape, pose = kinematics.shape, kinematics.tree.rest_poses[link]
    faces = shape.faces_of(link)
    area = face_areas(shape)[faces]
    face = int(rng.choice(faces, p=area / area.sum()))
    weights = rng.dirichlet((1.0, 1.0, 1.0))
    direction = rng.normal(size=3)
    place = pose[:3, :3].T @ (weights @ shape.vertices[shape.faces[face]] - pose[:3, 3])
    return BodyPush(link, place, direction / np.linalg.norm(direction), PUSH_SECONDS), face, weights


def _scaled(
    model: mujoco.MjModel, kinematics: LinkedKinematics, push: BodyPush, seconds: float, fps: float
) -> tuple[BodyPush, Array] | None:
    """Push scaled to TARGET_TRAVEL, and the trajectory; None if it presses a joint against its limit."""
    for _ in range(MAX_SCALINGS):
        frames = Motion(model, kinematics, push).frames(seconds, fps, 1 / 240)
        if not np.isfinite(frames).all():
            return None
        used = used_range(kinematics, as_coordinates(kinematics, model, frames))
        if not 0 < used < 1e6:
            return None
        if 0.8 * TARGET_TRAVEL <= used <= 1.5 * TARGET_TRAVEL:
            frames = Motion(model, kinematics, push).frames(seconds, fps, 1 / 1200)
            return push, as_coordinates(kinematics, model, frames)
        push = replace(push, force=push.force * TARGET_TRAVEL / used)
    return None


def used_range(kinematics: LinkedKinematics, q: Float[Array, "frames k"]) -> float:
    """Largest travelled share of the range of any coordinate; infinite for motion into a blocked joint."""
    rest, (lower, upper) = kinematics.rest.numpy(), kinematics.limits.numpy().T
    reach = UNLIMITED_RANGE * units(kinematics)
    room = np.r_[np.minimum(upper - rest, reach), np.minimum(rest - lower, reach)]
    gone = np.r_[(q - rest).max(0), (rest - q).max(0)]
    blocked = room < MIN_RANGE * np.r_[reach, reach]
    share = gone / np.r_[reach, reach]
    if (share[blocked] > MIN_RANGE * share.max()).any():
        return float("inf")
    return float((gone[~blocked] / room[~blocked]).max(initial=0.0))


def units(kinematics: LinkedKinematics) -> Float[Array, " k"]:
    """One radian of every angle, one radius of every length."""
    radius = kinematics.shape.normalisation.radius
    return np.array([radius if kinematics.quantity(n) == "length" else 1.0 for n in kinematics.names])
