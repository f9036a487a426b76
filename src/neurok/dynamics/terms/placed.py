"""The initial pose from the positions of some vertices."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from jaxtyping import Float
from torch import Tensor

from neurok.dynamics.body import Body
from neurok.dynamics.condition import Condition, Scenario
from neurok.dynamics.places import Vector, checked_vertices
from neurok.errors import InputError
from neurok.kinematics.inverse.solver import fit_vertices


@dataclass(frozen=True, eq=False)
class Placed(Condition):
    """Some vertices have given initial positions: q₀ by Gauss–Newton."""

    vertices: Sequence[int]
    positions: Sequence[Vector]

    def initial_state(
        self, body: Body, scenario: Scenario
    ) -> tuple[Float[Tensor, " k"], Float[Tensor, " k"]]:
        targets = np.stack([body.vector(p, "a position").numpy(force=True) for p in self.positions])
        vertices = checked_vertices(body.shape, self.vertices)
        if len(vertices) != len(targets):
            raise InputError(
                body.shape.name,
                f"{len(vertices)} vertices are placed at {len(targets)} positions",
                "Give one each",
            )
        return fit_vertices(body.kinematics, vertices, targets).q, scenario.v
