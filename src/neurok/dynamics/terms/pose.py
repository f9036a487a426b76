"""The initial pose and rates, by the names of coordinates."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from jaxtyping import Float
from torch import Tensor

from neurok.dynamics.body import Body, coordinate
from neurok.dynamics.condition import Condition, Scenario


@dataclass(frozen=True, eq=False)
class Pose(Condition):
    """Initial values of coordinates, by name; the others are at rest."""

    values: Mapping[str, float]
    rates: Mapping[str, float] = field(default_factory=dict)  # per second

    def initial_state(
        self, body: Body, scenario: Scenario
    ) -> tuple[Float[Tensor, " k"], Float[Tensor, " k"]]:
        q, v = scenario.q.clone(), scenario.v.clone()
        for name, value in self.values.items():
            q[coordinate(body.kinematics, name)] = value
        for name, value in self.rates.items():
            v[coordinate(body.kinematics, name)] = value
        return q, v
