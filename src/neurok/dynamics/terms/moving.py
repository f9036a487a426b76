"""Initial rates from the velocities of some vertices."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import torch
from jaxtyping import Float
from torch import Tensor

from neurok.dynamics.body import Body
from neurok.dynamics.condition import Condition, Scenario
from neurok.dynamics.places import Vector, checked_vertices, rows, vertex_areas
from neurok.errors import InputError


@dataclass(frozen=True, eq=False)
class Moving(Condition):
    """Some vertices have given initial velocities: q̇₀ = argmin ‖ẋ₀ − J q̇‖_m.

    Vertices are weighted by area. Among equal fits the one with the least kinetic energy is chosen.
    """

    start_order: ClassVar[int] = 1  # after the pose is known
    vertices: Sequence[int]
    velocity: Vector | Sequence[Vector]  # m/s, one for all or one each

    def initial_state(
        self, body: Body, scenario: Scenario
    ) -> tuple[Float[Tensor, " k"], Float[Tensor, " k"]]:
        vertices, q = checked_vertices(body.shape, self.vertices), scenario.q
        wanted = torch.as_tensor(np.asarray(self.velocity), dtype=torch.float64)
        if wanted.shape not in ((3,), (len(vertices), 3)) or not torch.isfinite(wanted).all():
            raise InputError(
                body.shape.name, f"velocities have the shape {tuple(wanted.shape)}", "Give one or one each"
            )
        at = body.kinematics.basis.at(rows(vertices, len(body.shape.vertices)))

        def place(x: Tensor) -> Tensor:
            return at(body.kinematics.code(x)) * body.metres

        jacobian = torch.func.jacfwd(place)(q)  # s 3 k
        weight = torch.tensor(vertex_areas(body.shape)[vertices]).clamp(min=1e-12) ** 0.5
        matrix = (weight[:, None, None] * jacobian).reshape(-1, len(q))
        right = (weight[:, None] * wanted.expand(len(vertices), 3)).reshape(-1, 1)
        scale = body.inertia.clamp(min=1e-30) ** 0.5
        rates = torch.linalg.lstsq(matrix / scale, right, driver="gelsd").solution[:, 0] / scale
        return q, scenario.v + rates
