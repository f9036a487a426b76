"""Contact of some surface points with floors and obstacles: pressure with restitution, Coulomb friction."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from jaxtyping import Float

from neurok.dynamics.contact_law import Pressure, press
from neurok.dynamics.surfaces import Surface
from neurok.dynamics.terms import Instant, Load, along, squeezed
from neurok.geometry.arrays import Array, namespace


@dataclass(frozen=True, eq=False)
class Contact:
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
        xp, ways, u = namespace(now.q), now.ways[..., own], now.xd[..., own]
        leaving = (u * n).sum(1)
        law = press(depth, -leaving, self.strength, self.restitution, self.slow_leaving)
        law = self._without_weight(law)
        stiffness = law.stiffness[:, None, None] * n[:, :, None] * n[:, None]
        damping = law.damping[:, None, None] * n[:, :, None] * n[:, None]
        lost = law.lost[:, None] * n
        if self.friction:
            slide = u - leaving[:, None] * n
            speed = xp.sqrt((slide**2).sum(1) + 1e-20)
            way = slide / speed[:, None]
            z = xp.clip(speed / self.slow, 0.0, 1.0)
            grip = self.friction * z * (2 - z)
            pressed = law.stored + law.lost
            lost = lost - (grip * pressed)[:, None] * way
            # −∂f/∂u: across the way f turns with it, along it f grows; −∂f/∂x: f grows with the pressure.
            outer, pair = way[:, :, None] * way[:, None], n[:, :, None] * n[:, None]
            flat = xp.eye(3, dtype=u.dtype)[:, :, None] - pair - outer
            growth = self.friction * pressed * 2 * (1 - z) / self.slow
            damping = damping + (grip * pressed / speed)[:, None, None] * flat + growth[:, None, None] * outer
            stiffness = stiffness - (grip * law.stiffness)[:, None, None] * way[:, :, None] * n[:, None]
        return Load(
            stored=along(ways, law.stored[:, None] * n),
            lost=along(ways, lost),
            stiffness=squeezed(ways, stiffness),
            damping=squeezed(ways, damping),
        )

    def _without_weight(self, law: Pressure) -> Pressure:
        """Restitution keeps e² of the energy of the impact, not of the weight's work on the way in.

        Of the pressure N on all points the weight W comes back whole: losses are times 1 − W/N. Else a soft
        floor of depth d would return e² (h + d) − d of a fall from h.
        """
        total = law.stored.sum(-1)[..., None]
        excess = total - self.weight[..., None]
        share = excess * (excess > 0) / (total + 1e-300)
        kept = law.full_stiffness - share * (law.full_stiffness - law.stiffness)
        return law._replace(lost=share * law.lost, stiffness=kept, damping=share * law.damping)

    def energy(self, now: Instant) -> Any:
        gap, _ = self.surface(now.x[..., self.first : self.first + self.count])
        depth = -gap
        return self.strength / 3 * ((depth * (depth > 0)) ** 3).sum(-1)
