"""Elasticity: forces that return the object to rest."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, ClassVar

import torch
from jaxtyping import Float
from torch import Tensor

from neurok.dynamics.body import EARTH, Body, scalar
from neurok.dynamics.condition import Condition, Scenario, number
from neurok.dynamics.term import Instant, Load, Term
from neurok.geometry.arrays import Array


@dataclass(frozen=True, eq=False)
class Stiffness(Condition):
    """The stiffness that returns the object to rest: that of its material times `scale`, or by frequency.

    The stiffness of a known material acts by default. A skin that resists stretching, glue between loose
    pieces and the prior of poses add to it.
    """

    is_unique: ClassVar[bool] = True
    is_implied: ClassVar[bool] = True
    scale: float | Tensor = field(default=1.0, metadata={"low": 0.0})
    frequency: float | None = None  # Hz of every coordinate alone; needed where no material is known
    skin: float = number(0.0, 0.0)  # weights × radii: V = ½ skin ε², ε the surface's strain
    glue: float = number(0.0, 0.0)  # object's weights that part loose pieces of a part by 0.03 radii
    prior: float = number(0.0, 0.0)  # weights × radii: V = ½ prior |q|², q in standard deviations

    def terms(self, body: Body, scenario: Scenario) -> Iterable[Term]:
        matrix = self.matrix(body)
        return [] if matrix is None else [Spring(body.kinematics.rest, matrix)]

    def matrix(self, body: Body) -> Float[Tensor, "k k"] | None:
        """K about rest, in J; None where it is zero. It does not act on a free root."""
        own, weight, root = self._material(body), body.total_mass * EARTH, body.kinematics.root_dim
        if self.skin:
            own = own + self.skin * weight * body.radius * body.skin_stiffness
        if self.glue:
            own = own + self.glue * weight * body.glue_stiffness
        if self.prior and (prior := body.kinematics.own.prior) is not None:
            own = own + self.prior * weight * body.radius * prior.precision
        if not own.any():
            return None
        return scalar(self.scale) * torch.block_diag(torch.zeros(root, root, dtype=torch.float64), own)

    def _material(self, body: Body) -> Float[Tensor, "k k"]:
        """The stiffness of the frequency, if one is given, else that of the material."""
        kinematics = body.kinematics
        if self.frequency is not None:
            return torch.diag((2 * math.pi * self.frequency) ** 2 * body.inertia[kinematics.root_dim :])
        known, k = kinematics.own.material_stiffness, kinematics.own.dim
        return torch.zeros(k, k, dtype=torch.float64) if known is None else known


@dataclass(frozen=True, eq=False)
class Spring(Term):
    """V = ½ (q − rest)ᵀ K (q − rest)."""

    rest: Float[Array, " k"]
    stiffness: Float[Array, "*b k k"]  # K, symmetric

    def load(self, now: Instant) -> Load:
        pull = ((self.rest - now.q)[:, None] @ self.stiffness)[:, 0]
        return Load(conservative=pull, stiffness=self.stiffness)

    def energy(self, now: Instant) -> Any:
        away = now.q - self.rest
        return 0.5 * ((away[:, None] @ self.stiffness)[:, 0] * away).sum(-1)
