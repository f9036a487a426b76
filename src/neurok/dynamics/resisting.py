"""What an object itself sets against motion, as terms: stiffness, damping, the limits of its coordinates."""

from __future__ import annotations

import math

import torch
from jaxtyping import Float
from torch import Tensor

from neurok.dynamics import conditions as ask
from neurok.dynamics.coordinate_terms import Damper, Spring, Walls
from neurok.dynamics.scene import EARTH, Scene, number
from neurok.kinematics import ElasticKinematics, JointKinematics
from neurok.latent.kinematics import LatentKinematics

FAR = 1e12  # a limit that is none


def spring(scene: Scene, c: ask.Stiffness) -> Spring | None:
    """The stiffness of the material, of a skin, of a prior or of a frequency; None where there is none."""
    inner, k = scene.own, len(scene.own.names)
    own = torch.zeros(k, k, dtype=torch.float64)
    if c.frequency is not None:
        own = torch.diag((2 * math.pi * c.frequency) ** 2 * scene.inertia[scene.first_own :])
    elif isinstance(inner, ElasticKinematics):
        own = torch.diag(inner.stiffness)
    if isinstance(inner, LatentKinematics):
        weight = scene.total_mass * EARTH
        own = own + c.skin * weight * scene.radius * scene.skin
        own = own + c.glue * weight * scene.glue
        own = own + c.prior * weight * scene.radius * torch.eye(k, dtype=torch.float64)
    if not own.any():
        return None
    return Spring(scene.kinematics.rest, number(c.scale) * _below_root(scene, own))


def _below_root(scene: Scene, own: Float[Tensor, "k k"]) -> Float[Tensor, "r r"]:
    """A matrix of the object's own coordinates; the root's are free of it."""
    return torch.block_diag(torch.zeros(scene.first_own, scene.first_own, dtype=torch.float64), own)


def damper(scene: Scene, c: ask.Damping, own: Spring | None) -> Damper:
    k = len(scene.kinematics.names)
    rates = torch.zeros(k, k, dtype=torch.float64)
    if own is not None:
        rates = rates + number(c.by_stiffness) * own.stiffness
    if c.joints and isinstance(scene.own, JointKinematics):
        rates = rates + _below_root(scene, torch.diag(_joint_damping(scene.own)))
    return Damper(number(c.by_mass), rates)


def _joint_damping(kinematics: JointKinematics) -> Float[Tensor, " k"]:
    """What the file says, per coordinate; a joint that follows its leader at the rate s adds s² of its own,
    taken at rest."""
    own = [j.damping for j in kinematics.movable for _ in range(j.dim)]
    still = 0 * kinematics.rest[None]
    slopes = kinematics.jets.values(still, still)[1][0]
    return slopes.square() @ torch.tensor(own, dtype=torch.float64)


def walls(scene: Scene, c: ask.Limits, q: Float[Tensor, " k"]) -> Walls | None:
    """Walls that stop a motion across the whole range in a third of a second within 2 % of the range.

    A start beyond a limit moves the limit there.
    """
    lower, upper = scene.kinematics.limits.unbind(-1)
    walled = torch.isfinite(lower) | torch.isfinite(upper)
    if not walled.any() or not c.strength:
        return None
    span = torch.where(torch.isfinite(upper - lower), upper - lower, torch.ones_like(lower)).clamp(min=1e-6)
    strength = c.strength * 3 * scene.inertia * (3 * span) ** 2 / (0.02 * span) ** 3
    return Walls(
        torch.minimum(lower.clamp(min=-FAR), q), torch.maximum(upper.clamp(max=FAR), q),
        strength * walled, c.restitution, 0.02 * span,
    )  # fmt: skip
