"""Draws a push such as a user gives: on a visible point far from the hinge, roughly along its motion.

The force is scaled until the true joints travel TARGET_TRAVEL of their free range in the simulated second,
with the defaults of `neurok simulate`.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import torch
from jaxtyping import Bool, Float

from neurok.dynamics import Push
from neurok.dynamics.places import vertex_areas
from neurok.evaluation.dynamics.as_user.judgement import MAX_RATIO_ERROR, MIN_AMOUNT, displacement
from neurok.evaluation.dynamics.as_user.truth import Watched, body_of_vertex, watch
from neurok.evaluation.dynamics.as_user.visibility import Seen
from neurok.evaluation.dynamics.pushes import MIN_RANGE, TARGET_TRAVEL, UNLIMITED_RANGE, units, used_range
from neurok.kinematics import LinkedKinematics

Array = np.ndarray
MAX_PUSHES, MAX_POINTS, MAX_SCALINGS = 8, 12, 10  # attempts
MIN_LEVER = 0.7  # least displacement of the pushed point, relative to the largest of the part
MAX_TILT = np.pi / 6  # between the push and the displacement of its point
PROBE = 1e-3  # radians or radii: joint motion by which displacements are measured
MAX_PUSH = 100.0  # weights of the object: a joint that needs more is blocked
FIRST_PUSH = 1e-3  # weights of the object: initial force, too small to reach most limits
FAINT_FACTOR = 10.0  # factor on a force that moves a joint only within the softness of its limits
MIN_TRUE_AMOUNT = MIN_AMOUNT / (1 - MAX_RATIO_ERROR)  # radii: least true motion of a pushed part


class Pushed(NamedTuple):
    """A push on a vertex, the body that it moves, and the true motion."""

    push: Push
    vertex: int
    body: int
    truth: Watched


def find_push(kinematics: LinkedKinematics, count: int, rng: np.random.Generator) -> Pushed | None:
    """The first random push on one of `count` vertices that moves its body visibly and within all limits."""
    body, area = body_of_vertex(kinematics, count), vertex_areas(kinematics.shape)[:count]
    movable = np.setdiff1d(np.unique(body[area > 0]), [0])
    seen = Seen(kinematics.shape)
    for _ in range(MAX_PUSHES if len(movable) else 0):
        own = int(rng.choice(movable))
        travel = _travel(kinematics, body == own, rng)
        if travel is None:
            continue
        length = np.linalg.norm(travel, axis=1)
        weight = area * ((body == own) & (length >= MIN_LEVER * length[body == own].max()))
        drawn = rng.choice(count, MAX_POINTS, p=weight / weight.sum())
        visible = drawn[seen.from_outside(drawn)]
        if not len(visible):
            continue
        vertex = int(visible[0])
        found = _scaled(kinematics, vertex, _tilted(travel[vertex], rng), count)
        if found is None:
            continue
        amount = displacement(found[1].positions, area * (body == own)).max()
        if amount >= MIN_TRUE_AMOUNT * kinematics.shape.normalisation.radius:
            return Pushed(found[0], vertex, own, found[1])
    return None


def _travel(
    kinematics: LinkedKinematics, own: Bool[Array, " n"], rng: np.random.Generator
) -> Float[Array, "n 3"] | None:
    """Displacement of the vertices when the coordinate of a body moves in a random free direction.

    Several coordinates may move a body. Its own is the one that moves the smallest part of the object.
    """
    radius = kinematics.shape.normalisation.radius
    unit = units(kinematics)
    poses = kinematics.rest + torch.tensor(np.diag(PROBE * unit))
    gone = kinematics.positions(poses) - kinematics.positions(kinematics.rest)
    moves = gone.norm(dim=-1).numpy() > 1e-3 * PROBE * radius
    carries = np.flatnonzero(moves[:, : len(own)][:, own].any(1))
    if not len(carries):
        return None
    k = int(carries[moves[carries].sum(1).argmin()])
    rest, (lower, upper) = float(kinematics.rest[k]), kinematics.limits[k].tolist()
    least = MIN_RANGE * UNLIMITED_RANGE * unit[k]
    signs = [sign for sign, room in ((1.0, upper - rest), (-1.0, rest - lower)) if room >= least]
    return float(rng.choice(signs)) * gone[k, : len(own)].numpy() if signs else None


def _tilted(direction: Float[Array, "3"], rng: np.random.Generator) -> Float[Array, "3"]:
    """A random unit vector within MAX_TILT of a direction."""
    direction = direction / np.linalg.norm(direction)
    aside = np.cross(direction, rng.normal(size=3))
    angle = rng.uniform(0.0, MAX_TILT)
    return np.cos(angle) * direction + np.sin(angle) * aside / np.linalg.norm(aside)


def _scaled(
    kinematics: LinkedKinematics, vertex: int, direction: Float[Array, "3"], count: int
) -> tuple[Push, Watched] | None:
    """The push that moves a joint by TARGET_TRAVEL; None if no force up to MAX_PUSH does."""
    weight = 9.81 * float(kinematics.mass().total)
    force, bounds = FIRST_PUSH * weight, [0.0, np.inf]
    for _ in range(MAX_SCALINGS):
        if force > MAX_PUSH * weight:
            return None
        push = Push(tuple(force * direction), at=vertex)
        truth = watch(kinematics, push, count)
        used = used_range(kinematics, truth.q.numpy())
        if not 1e-9 < used < 1e6:  # motion within the softness of a limit, which counts as blocked
            force *= FAINT_FACTOR
            continue
        if 0.8 * TARGET_TRAVEL <= used <= 1.2 * TARGET_TRAVEL:
            return push, truth
        bounds[int(used > TARGET_TRAVEL)] = force
        is_between = bounds[0] > 0 and np.isfinite(bounds[1])
        force = float(np.sqrt(bounds[0] * bounds[1])) if is_between else force * TARGET_TRAVEL / used
    return None
