"""Measured orders of convergence of the integrators on a smooth motion through a curved map."""

from __future__ import annotations

import math

import pytest
import torch

from neurok.dynamics import Gravity, Pose, SimulationConfig, simulate
from neurok.dynamics.integrators import INTEGRATORS
from neurok.evaluation.dynamics.objects import rods

ORDERS = {"semi-implicit": 1, "variational": 2, "rk4": 4}
START, SECONDS = Pose({"hinge0": 1.2, "hinge1": 0.1}), 0.4


def final_q(integrator: str, steps: int) -> torch.Tensor:
    """The state of a double pendulum after `steps` steps of equal length, which are never halved."""
    config = SimulationConfig(
        SECONDS, 1 / SECONDS, SECONDS / steps, integrator=integrator, tolerance=math.inf, halvings=0
    )
    return simulate(rods(0.5, 0.4), [Gravity(), START], config).q[-1, 0]


@pytest.fixture(scope="module")
def exact() -> torch.Tensor:
    return final_q("rk4", 1024)


def test_every_integrator_has_an_expected_order():
    assert set(ORDERS) == set(INTEGRATORS)


@pytest.mark.slow
@pytest.mark.parametrize(("integrator", "order"), ORDERS.items())
def test_measured_order_of_convergence(integrator, order, exact):
    coarse, fine = (float((final_q(integrator, n) - exact).norm()) for n in (32, 64))
    assert math.log2(coarse / fine) == pytest.approx(order, abs=0.05)
