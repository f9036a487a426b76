"""Contact of surface points with floors and obstacles: pressure with restitution, Coulomb friction."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, ClassVar

import torch
from jaxtyping import Float

from neurok.dynamics.body import EARTH, Body
from neurok.dynamics.contact_law import Pressure, press
from neurok.dynamics.surfaces import Surface
from neurok.dynamics.term import Instant, Load, Term, generalised_force, generalised_matrix
from neurok.geometry.arrays import Array, namespace

IMPACT_WEIGHTS, IMPACT_DEPTH = 25, 0.005  # contact is 0.005 radii deep when one point carries 25 weights
STICK_SPEED = 1e-3  # of √(g · radius): sliding below this speed is sticking
LEAVE_SPEED = 1e-2  # of √(g · radius): restitution acts fully above this speed of leaving


@dataclass(frozen=True, eq=False)
class Contact(Term):
    """Points against one surface of signed distance g(x), pressed where g < 0.

    Friction is Coulomb's, −μ N y(|u| / slow) u/|u| on the speed u along the surface, with y(z) = z (2 − z) up
    to 1: sticking is creeping at less than `slow`.
    """

    has_impacts: ClassVar[bool] = True
    surface: Surface
    first: int
    count: int
    strength: float  # κ, N/m²
    restitution: float
    friction: float  # μ
    slow: float  # m/s, of friction
    slow_leaving: float  # m/s, of restitution
    weight: Float[Array, "*b"]  # N that the surface carries at rest

    def load(self, now: Instant) -> Load:
        own = slice(self.first, self.first + self.count)
        gap, n = self.surface(now.x[..., own])
        depth = -gap
        if not (depth > 0).any():
            return Load()
        xp, jacobian, u = namespace(now.q), now.jacobian[..., own], now.xd[..., own]
        leaving = (u * n).sum(1)
        law = press(depth, -leaving, self.strength, self.restitution, self.slow_leaving)
        law = self._without_weight(law)
        stiffness = law.stiffness[:, None, None] * n[:, :, None] * n[:, None]
        damping = law.damping[:, None, None] * n[:, :, None] * n[:, None]
        lost = law.dissipative[:, None] * n
        if self.friction:
            slide = u - leaving[:, None] * n
            speed = xp.sqrt((slide**2).sum(1) + 1e-20)
            direction = slide / speed[:, None]
            z = xp.clip(speed / self.slow, 0.0, 1.0)
            grip = self.friction * z * (2 - z)
            pressed = law.conservative + law.dissipative
            lost = lost - (grip * pressed)[:, None] * direction
            # −∂f/∂u: across the direction of sliding f turns with u, along it f grows with u.
            # −∂f/∂x: f grows with the pressure.
            outer, pair = direction[:, :, None] * direction[:, None], n[:, :, None] * n[:, None]
            flat = xp.eye(3, dtype=u.dtype)[:, :, None] - pair - outer
            growth = self.friction * pressed * 2 * (1 - z) / self.slow
            damping = damping + (grip * pressed / speed)[:, None, None] * flat + growth[:, None, None] * outer
            stiffness = stiffness - (grip * law.stiffness)[:, None, None] * direction[:, :, None] * n[:, None]
        return Load(
            conservative=generalised_force(jacobian, law.conservative[:, None] * n),
            dissipative=generalised_force(jacobian, lost),
            stiffness=generalised_matrix(jacobian, stiffness),
            damping=generalised_matrix(jacobian, damping),
        )

    def _without_weight(self, law: Pressure) -> Pressure:
        """Restitution keeps e² of the energy of the impact, not of the weight's work on the way in.

        Losses are multiplied by 1 − W/N, with N the pressure on all points and W the weight. Without this
        factor a soft floor of depth d would return e² (h + d) − d of a fall from h.
        """
        total = law.conservative.sum(-1)[..., None]
        excess = total - self.weight[..., None]
        share = excess * (excess > 0) / (total + 1e-300)
        kept = law.full_stiffness - share * (law.full_stiffness - law.stiffness)
        return law._replace(dissipative=share * law.dissipative, stiffness=kept, damping=share * law.damping)

    def energy(self, now: Instant) -> Any:
        gap, _ = self.surface(now.x[..., self.first : self.first + self.count])
        depth = -gap
        return self.strength / 3 * ((depth * (depth > 0)) ** 3).sum(-1)


def contact(body: Body, surface: Surface, friction: float, restitution: float) -> Contact:
    """Contact of a body's contact points with a surface, stiff in proportion to its weight."""
    own, speed = body.contacts, math.sqrt(EARTH * body.radius)
    strength = IMPACT_WEIGHTS * body.total_mass * EARTH / (IMPACT_DEPTH * body.radius) ** 2
    return Contact(
        surface, own.start, own.stop - own.start, strength, restitution, friction, STICK_SPEED * speed,
        LEAVE_SPEED * speed, torch.zeros((), dtype=torch.float64),
    )  # fmt: skip
