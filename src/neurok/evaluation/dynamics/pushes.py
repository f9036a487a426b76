# pyright: reportAttributeAccessIssue=false
"""Pushes that move an object within its joints' limits: a force scaled to the object at a random point of its
surface, anywhere on its faces: the vertices of a board are its corners, and half of them are at its hinge.

The point goes the way that it is pushed, or within 60° of it. Almost none of a force along a hinge's line
turns it; scaled up until it does, such a push would measure only how exactly the line is known.
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
TRIES = 24
ROUNDS = 4
SHARE = 0.5  # of its free range that the joint that moves most is to travel
OPEN = 1.0  # rad, or radii: the range of a joint without limits
BLOCKED = 0.02  # of the range without limits: less room than this is none
LASTS = 0.2  # s
AHEAD = 0.5  # least cosine between the push and where its point has gone when it ends


class Pushed(NamedTuple):
    """A push, the point of a face that it acts on, and the joints' way."""

    push: BodyPush
    face: int
    weights: Float[Array, "3"]  # barycentric
    q: Float[Array, "frames k"]

    def on(self, shape: Shape) -> list[Push]:
        """The push on the corners of its face, which do the same work together as the point."""
        corners = zip(shape.faces[self.face], self.weights, strict=True)
        return [Push(w * self.push.force, at=int(v), duration=LASTS) for v, w in corners]

    def cosine(self, kinematics: LinkedKinematics, fps: float) -> float:
        """Between the push and the way that its point has gone when it ends."""
        frames = torch.tensor(self.q[[0, min(round(LASTS * fps), len(self.q) - 1)]])
        corners = kinematics.positions(frames).numpy()[:, kinematics.shape.faces[self.face]]
        gone = self.weights @ (corners[1] - corners[0])
        sizes = np.linalg.norm(self.push.force) * np.linalg.norm(gone)
        return float(self.push.force @ gone / max(sizes, 1e-30))

    def vertices(self, shape: Shape) -> Bool[Array, " n"]:
        """Those that it acts on."""
        return np.isin(np.arange(len(shape.vertices)), shape.faces[self.face])


def find_push(
    model: mujoco.MjModel, kinematics: LinkedKinematics, rng: np.random.Generator, seconds: float, fps: float
) -> Pushed | None:
    """The first of some random pushes that moves its point ahead, some joint by SHARE of its range, and none
    beyond its limits."""
    movable = [n for n in kinematics.shape.part_names if kinematics.body_of_link[n]]
    for _ in range(TRIES if movable else 0):
        push, face, weights = _random(kinematics, str(rng.choice(movable)), rng)
        for way in (1.0, -1.0):
            found = _scaled(model, kinematics, replace(push, force=way * push.force), seconds, fps)
            pushed = found and Pushed(found[0], face, weights, found[1])
            if pushed and pushed.cosine(kinematics, fps) >= AHEAD:
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
    way = rng.normal(size=3)
    place = pose[:3, :3].T @ (weights @ shape.vertices[shape.faces[face]] - pose[:3, 3])
    return BodyPush(link, place, way / np.linalg.norm(way), LASTS), face, weights


def _scaled(
    model: mujoco.MjModel, kinematics: LinkedKinematics, push: BodyPush, seconds: float, fps: float
) -> tuple[BodyPush, Array] | None:
    """The push times what makes it go as far as wanted; None if it presses a joint against its limit."""
    for _ in range(ROUNDS):
        frames = Motion(model, kinematics, push).frames(seconds, fps, 1 / 240)
        if not np.isfinite(frames).all():
            return None
        used = _used(kinematics, as_coordinates(kinematics, model, frames))
        if not 0 < used < 1e6:
            return None
        if 0.8 * SHARE <= used <= 1.5 * SHARE:
            frames = Motion(model, kinematics, push).frames(seconds, fps, 1 / 1200)
            return push, as_coordinates(kinematics, model, frames)
        push = replace(push, force=push.force * SHARE / used)
    return None


def _used(kinematics: LinkedKinematics, q: Float[Array, "frames k"]) -> float:
    """The largest share of the way to a limit that any coordinate went; infinite against one it rests at."""
    rest, (lower, upper) = kinematics.rest.numpy(), kinematics.limits.numpy().T
    reach = OPEN * max(1.0, kinematics.shape.normalisation.radius)
    room = np.r_[np.minimum(upper - rest, reach), np.minimum(rest - lower, reach)]
    gone = np.r_[(q - rest).max(0), (rest - q).max(0)]
    blocked = room < BLOCKED * reach
    if (gone[blocked] > BLOCKED * gone.max()).any():
        return float("inf")
    return float((gone[~blocked] / room[~blocked]).max(initial=0.0))
