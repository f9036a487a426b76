"""A drop: the initial height above the floor."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import torch
from jaxtyping import Float
from torch import Tensor

from neurok.dynamics.body import Body
from neurok.dynamics.condition import Condition, Scenario, number
from neurok.dynamics.places import surface_vertices
from neurok.dynamics.terms.floor import Floor


@dataclass(frozen=True, eq=False)
class Drop(Condition):
    """The object is free and starts with its lowest point at a height above the floor."""

    needs_free_root: ClassVar[bool] = True
    height: float = number(1.0, 0.0)  # m

    def initial_state(
        self, body: Body, scenario: Scenario
    ) -> tuple[Float[Tensor, " k"], Float[Tensor, " k"]]:
        floor, q = scenario.find(Floor) or Floor(), scenario.q
        used = torch.tensor(surface_vertices(body.shape))
        lowest = float((body.kinematics.positions(q)[used] @ body.up).min())
        rise = floor.level(body) + self.height / body.metres - lowest
        return q + torch.cat([rise * body.up, torch.zeros(len(q) - 3, dtype=torch.float64)]), scenario.v
