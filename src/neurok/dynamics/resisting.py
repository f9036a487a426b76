"""What an object itself sets against motion, as terms: stiffness, damping, the limits of its coordinates."""

from __future__ import annotations

import math

import torch
from jaxtyping import Float
from torch import Tensor

from neurok.dynamics import conditions as ask
from neurok.dynamics.coordinate_terms import Damper, Spring, Walls
from neurok.dynamics.scene import EARTH, Scene, number

FAR = 1e12  # a limit that is none


def spring(scene: Scene, c: ask.Stiffness) -> Spring | None:
    """The stiffness of the material, of a skin, of a prior or of a frequency; None where there is none."""
    own, weight = _material(scene, c), scene.total_mass * EARTH
    if c.skin:
        own = own + c.skin * weight * scene.radius * scene.skin
    if c.glue:
        own = own + c.glue * weight * scene.glue
    if c.prior and (prior := scene.kinematics.own.prior) is not None:
        own = own + c.prior * weight * scene.radius * prior.precision
    if not own.any():
        return None
    return Spring(scene.kinematics.rest, number(c.scale) * _below_root(scene, own))


def _material(scene: Scene, c: ask.Stiffness) -> Float[Tensor, "k k"]:
    """The stiffness of a frequency, if one is given, else that of the material."""
    kinematics = scene.kinematics
    if c.frequency is not None:
        return torch.diag((2 * math.pi * c.frequency) ** 2 * scene.inertia[kinematics.root_dim :])
    known, k = kinematics.own.material_stiffness, kinematics.own.dim
    return torch.zeros(k, k, dtype=torch.float64) if known is None else known


def _below_root(scene: Scene, own: Float[Tensor, "k k"]) -> Float[Tensor, "r r"]:
    """A matrix of the object's own coordinates; the root's are free of it."""
    root = scene.kinematics.root_dim
    return torch.block_diag(torch.zeros(root, root, dtype=torch.float64), own)


def damper(scene: Scene, c: ask.Damping, own: Spring | None) -> Damper:
    k = len(scene.kinematics.names)
    rates = torch.zeros(k, k, dtype=torch.float64)
    if own is not None:
        rates = rates + number(c.by_stiffness) * own.stiffness
    if c.joints:
        rates = rates + torch.diag(scene.kinematics.joint_damping)
    return Damper(number(c.by_mass), rates)


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
