"""Damping: Rayleigh's, and that of the joints."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import ClassVar

import torch
from jaxtyping import Float
from torch import Tensor

from neurok.dynamics.body import Body, scalar
from neurok.dynamics.condition import Condition, Scenario
from neurok.dynamics.term import Instant, Load, Term
from neurok.dynamics.terms.elasticity import Stiffness
from neurok.geometry.arrays import Array


@dataclass(frozen=True, eq=False)
class Damping(Condition):
    """Rayleigh damping: forces α M q̇ + β K q̇. Free motion decays as exp(−α t / 2)."""

    is_unique: ClassVar[bool] = True
    by_mass: float | Tensor = field(default=0.5, metadata={"low": 0.0})  # α, 1/s
    by_stiffness: float | Tensor = field(default=0.0, metadata={"low": 0.0})  # β, s
    joints: bool = True  # include the joint damping of the file

    def terms(self, body: Body, scenario: Scenario) -> Iterable[Term]:
        rates = torch.zeros(body.kinematics.dim, body.kinematics.dim, dtype=torch.float64)
        stiffness = (scenario.find(Stiffness) or Stiffness()).matrix(body)
        if stiffness is not None:
            rates = rates + scalar(self.by_stiffness) * stiffness
        if self.joints:
            rates = rates + torch.diag(body.kinematics.joint_damping)
        return [Damper(scalar(self.by_mass), rates)]


@dataclass(frozen=True, eq=False)
class Damper(Term):
    """Q = −(α M(q) + C) v: Rayleigh damping by mass, and a matrix of rates."""

    by_mass: Float[Array, "*b"]  # α, 1/s
    rates: Float[Array, "*b k k"]  # C: β times the stiffness, and the damping of the joints

    def load(self, now: Instant) -> Load:
        matrix = self.by_mass[..., None, None] * now.mass + self.rates
        return Load(dissipative=-(matrix @ now.v[..., None])[..., 0], damping=matrix)
