"""The energy report of a run: kinetic, potential, work, dissipation, and the unexplained rest."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from jaxtyping import Float
from torch import Tensor


@dataclass(frozen=True, eq=False)
class EnergyReport:
    """Joules per frame and scenario. `work` and `dissipation` count from the start of the run."""

    kinetic: Float[Tensor, "frames b"]
    potential: Float[Tensor, "frames b"]
    work: Float[Tensor, "frames b"]  # of forces from outside: pushes, drags, wind, motors, tilts
    dissipation: Float[Tensor, "frames b"]  # by damping, friction and inelastic contact

    @property
    def total(self) -> Float[Tensor, "frames b"]:
        return self.kinetic + self.potential

    @property
    def unexplained(self) -> Float[Tensor, "frames b"]:
        """E(t) − E(0) − work + dissipation: the error of the integrator."""
        return self.total - self.total[:1] - self.work + self.dissipation

    @property
    def scale(self) -> Float[Tensor, " b"]:
        """The largest amount of energy that was kinetic or exchanged in any other way."""
        moved = (self.kinetic, self.potential - self.potential[:1], self.work, self.dissipation)
        return torch.stack([x.abs().amax(0) for x in moved]).amax(0)

    @property
    def error(self) -> Float[Tensor, " b"]:
        """The largest unexplained energy, as a share of the scale."""
        return self.unexplained.abs().amax(0) / self.scale.clamp(min=1e-300)
