"""Gradients of frames against float64 differences."""

from __future__ import annotations

import pytest
import torch

from neurok.dynamics import (
    Damping,
    Floor,
    Gravity,
    Limits,
    Pose,
    Push,
    SimulationConfig,
    Stiffness,
    Throw,
    simulate,
)
from neurok.evaluation.dynamics.objects import block, rods

SHORT = SimulationConfig(seconds=0.1)


def assert_matches_differences(loss, at: torch.Tensor, tolerance: float = 1e-5) -> None:
    """Compares d loss / d at by backpropagation and by central differences, in every component."""
    at = at.clone().requires_grad_()
    (found,) = torch.autograd.grad(loss(at), at)
    steps = 1e-4 * torch.eye(at.numel(), dtype=torch.float64).reshape(-1, *at.shape)
    with torch.no_grad():
        truth = torch.stack([(loss(at.detach() + s) - loss(at.detach() - s)) / 2e-4 for s in steps])
    assert torch.isfinite(found).all() and found.abs().max() > 0
    assert torch.allclose(found.flatten(), truth, rtol=tolerance, atol=tolerance * float(truth.abs().max()))


@pytest.mark.parametrize("integrator", ["variational", "rk4"])
def test_with_respect_to_the_initial_state(integrator):
    kinematics, config = rods(0.6, 0.4), SimulationConfig(seconds=0.1, integrator=integrator)
    start = torch.tensor([0.4, -0.3, 1.0, -2.0], dtype=torch.float64)

    def loss(state: torch.Tensor) -> torch.Tensor:
        run = simulate(kinematics, [Gravity()], config, q=state[:2], v=state[2:])
        return run.q[-1, 0, 0] + 0.3 * run.v[-1, 0, 1]

    assert_matches_differences(loss, start)


def test_with_respect_to_a_force_and_a_stiffness():
    kinematics = rods(0.6, 0.4)

    def loss(x: torch.Tensor) -> torch.Tensor:
        conditions = [
            Push(x[:3], at="rod1"),
            Stiffness(x[3], frequency=1.0),
            Damping(),
            Pose({"hinge0": 0.2}),
        ]
        return simulate(kinematics, conditions, SHORT).q[-1].square().sum()

    assert_matches_differences(loss, torch.tensor([3.0, 1.0, -2.0, 1.5], dtype=torch.float64))


def test_with_respect_to_the_mass_of_vertices():
    kinematics = rods(0.6)
    mass = torch.linspace(0.1, 0.3, len(kinematics.shape.vertices), dtype=torch.float64)
    conditions = [Gravity(), Push((4.0, 0.0, 0.0), at="rod0"), Limits(strength=0.0)]

    def loss(part: torch.Tensor) -> torch.Tensor:
        whole = torch.cat([part, mass[4:]])
        return simulate(kinematics, conditions, SHORT, mass=whole).q[-1].sum()

    assert_matches_differences(loss, mass[:4])


@pytest.mark.slow
def test_through_a_sliding_contact_and_a_free_root():
    """The block starts pressed into the floor, because the contact law has a kink at zero vertical speed."""
    kinematics = block(0.4, 0.4, 0.1)

    def loss(velocity: torch.Tensor) -> torch.Tensor:
        conditions = [Gravity(), Throw(velocity), Floor(friction=0.4, restitution=0.0)]
        config = SimulationConfig(seconds=0.05, contact_points=8)
        return simulate(kinematics, conditions, config).q[-1, 0, 0]

    assert_matches_differences(loss, torch.tensor([2.0, 0.3, -0.05], dtype=torch.float64), tolerance=1e-3)


def test_both_kinds_of_arrays_give_the_same_motion():
    kinematics = rods(0.6, 0.4)
    conditions = [Gravity(), Pose({"hinge0": 0.5}), Damping()]
    fast = simulate(kinematics, conditions, SHORT)
    slow = simulate(kinematics, conditions, SHORT, q=torch.tensor([0.5, 0.0]).double().requires_grad_())
    assert slow.q.requires_grad and not fast.q.requires_grad
    assert torch.allclose(fast.q, slow.q, atol=1e-9) and torch.allclose(fast.v, slow.v, atol=1e-7)
    assert torch.allclose(fast.energy.dissipation, slow.energy.dissipation, atol=1e-7)
