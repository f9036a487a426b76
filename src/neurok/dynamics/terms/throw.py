"""A throw: initial velocity and spin."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import torch
from jaxtyping import Float
from torch import Tensor

from neurok.dynamics.body import Body
from neurok.dynamics.condition import Condition, Scenario
from neurok.dynamics.places import Vector


@dataclass(frozen=True, eq=False)
class Throw(Condition):
    """The object is free and starts with a velocity and a spin about its centre."""

    needs_free_root: ClassVar[bool] = True
    velocity: Vector = (0.0, 0.0, 0.0)  # m/s
    spin: Vector = (0.0, 0.0, 0.0)  # rad/s

    def initial_state(
        self, body: Body, scenario: Scenario
    ) -> tuple[Float[Tensor, " k"], Float[Tensor, " k"]]:
        velocity = body.vector(self.velocity, "the velocity of a throw") / body.metres
        spin, own = body.vector(self.spin, "spin"), scenario.v[body.kinematics.root_dim :]
        return scenario.q, torch.cat([velocity, spin, own])
