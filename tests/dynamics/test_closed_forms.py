"""Simulated motions against closed forms."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from neurok.dynamics import (
    Damping,
    Floor,
    Gravity,
    Limits,
    Motor,
    Pose,
    Push,
    SimulationConfig,
    Stiffness,
    Throw,
    Wind,
    simulate,
)
from neurok.evaluation.dynamics import closed_forms
from neurok.evaluation.dynamics.objects import block, slider
from neurok.geometry.rotations import exp_so3
from neurok.kinematics import JointKinematics
from neurok.shapes import Inertia, Joint, JointTree, Link
from neurok.shapes.robots.tree import Coupling


@pytest.mark.slow
@pytest.mark.parametrize("integrator", ["variational", "rk4", "semi-implicit"])
def test_a_thrown_block_flies_a_parabola(integrator):
    config = SimulationConfig(seconds=1.0, integrator=integrator, tolerance=1.0)
    run = simulate(block(0.1, 0.2, 0.3), [Gravity(), Throw((1.0, 0.5, 3.0))], config)
    t = run.times
    truth = torch.stack([t, 0.5 * t, 3 * t - 0.5 * 9.81 * t**2], dim=1)
    tolerance = 0.1 if integrator == "semi-implicit" else 1e-9  # first order: ½ g h t
    assert (run.q[:, 0, :3] - truth).abs().max() < tolerance


def test_a_spring_swings_at_its_frequency():
    """Tolerance 0.05 %: the period of the midpoint rule is too long by (h ω)² / 12."""
    config = SimulationConfig(seconds=2.5, step=1 / 240)
    run = simulate(slider(), [Stiffness(frequency=1.5), Pose({"slide": 0.1})], config)
    assert closed_forms.period(run.times, run.q[:, 0, 0]) == pytest.approx(1 / 1.5, rel=5e-4)
    assert run.energy.error.max() < 1e-9


@pytest.mark.slow
@pytest.mark.parametrize(
    "name", ["pendulum_period_error", "sliding_distance_error", "angular_momentum_error"]
)
def test_the_evaluation_agrees_with_the_formulas(name):
    check, tolerance = closed_forms.CHECKS[name]
    assert check() < tolerance


def test_the_evaluation_detects_a_wrong_gravity(monkeypatch):
    monkeypatch.setattr(closed_forms, "G", 9.81 * 1.005)
    assert closed_forms.pendulum_period_error() > 1e-3


def test_a_damped_spring_decays_at_its_damping_ratio():
    """Rayleigh's α alone: amplitude exp(−α t / 2)."""
    conditions = [Stiffness(frequency=2.0), Damping(by_mass=1.0), Pose({"slide": 0.1})]
    run = simulate(slider(), conditions, SimulationConfig(seconds=1.5, step=1 / 240))
    pulse = np.sqrt((4 * np.pi) ** 2 - 0.25)
    t = run.times
    truth = 0.1 * torch.exp(-t / 2) * (torch.cos(pulse * t) + 0.5 / pulse * torch.sin(pulse * t))
    assert (run.q[:, 0, 0] - truth).abs().max() < 1e-3
    assert run.energy.error.max() < 1e-3


def test_a_free_block_flips_about_its_middle_axis_and_keeps_its_energy():
    _, run = closed_forms.spin()
    assert run.energy.error.max() < 5e-3
    assert exp_so3(run.q[:, 0, 3:6])[:, 1, 1].min() < -0.9


@pytest.mark.slow
@pytest.mark.parametrize("restitution", [0.3, 0.9])
def test_a_dropped_ball_bounces_to_the_height_of_its_restitution(restitution):
    """h' = e² h within 2 %: the soft floor returns the work of the weight in full."""
    assert abs(closed_forms.bounce_error(restitution)) < 0.02


@pytest.mark.slow
def test_a_block_on_a_slope_stays_below_the_angle_of_friction_and_slides_above_it():
    down = lambda angle: (np.sin(angle), 0.0, -np.cos(angle))  # noqa: E731
    for angle, moves in ((0.3, False), (0.5, True)):
        conditions = [Gravity(direction=down(angle)), Floor(friction=0.4, restitution=0.0)]
        config = SimulationConfig(seconds=0.35, root="free")
        run = simulate(block(0.4, 0.4, 0.1), conditions, config)
        slide = 0.5 * 0.35**2 * 9.81 * (np.sin(angle) - 0.4 * np.cos(angle)) if moves else 0.0
        assert float(run.q[-1, 0, 0]) == pytest.approx(slide, rel=0.03, abs=5e-3)


@pytest.mark.parametrize("integrator", ["variational", "rk4"])
def test_a_push_gives_the_momentum_of_its_impulse(integrator):
    conditions = [Push((6.0, 0.0, 0.0), at=0, start=0.1, duration=0.5)]
    run = simulate(slider(3.0), conditions, SimulationConfig(seconds=1.0, integrator=integrator))
    assert float(run.v[-1, 0, 0]) == pytest.approx(1.0, rel=1e-6)
    assert float(run.energy.work[-1, 0]) == pytest.approx(1.5, rel=1e-6)


def test_a_motor_brings_a_coordinate_to_its_target():
    run = simulate(slider(), [Motor("slide", 0.3, duration=0.5)], SimulationConfig(seconds=2.0))
    assert float(run.q[-1, 0, 0]) == pytest.approx(0.3, abs=1e-3)
    assert run.energy.error.max() < 0.01


def test_wind_carries_a_plate_to_its_own_speed():
    """½ ρ c A (u − v)² on the two faces across it: v' = a (u − v)², so u − v = u / (1 + a u t)."""
    shape = block(0.001, 1.0, 1.0)
    mass = torch.full((len(shape.shape.vertices),), 1.0 / len(shape.shape.vertices), dtype=torch.float64)
    conditions = [Wind((4.0, 0.0, 0.0), coefficient=1.0, density=1.2)]
    run = simulate(shape, conditions, SimulationConfig(seconds=1.0, root="free"), mass=mass)
    a = 0.5 * 1.2 * 2 / 1.0
    assert float(run.v[-1, 0, 0]) == pytest.approx(4 - 4 / (1 + 4 * a), rel=0.03)


def test_limits_stop_a_coordinate_and_dissipate_their_share():
    kinematics = slider()
    kinematics.limits = torch.tensor([[-1.0, 0.2]], dtype=torch.float64)
    run = simulate(
        kinematics, [Pose({}, {"slide": 1.0}), Limits(restitution=0.5)], SimulationConfig(seconds=1.0)
    )
    assert float(run.q.max()) < 0.2 + 0.03 * 1.2
    assert float(run.v[-1, 0, 0]) == pytest.approx(-0.5, rel=0.02)


def test_a_follower_contributes_its_mass_and_damping():
    """y = 2 x gives the mass m₁ + 4 m₂ and the damping c₁ + 4 c₂, so v = v₀ exp(−c t / m)."""
    bodies = [Inertia(3.0, np.zeros(3), 1e-3 * np.eye(3)), Inertia(1.0, np.zeros(3), 1e-3 * np.eye(3))]
    links = (Link("world"), Link("body", bodies[0]), Link("other", bodies[1]))
    follows = Coupling("slide", (0.0, 2.0))
    joints = (
        Joint("slide", "prismatic", "world", "body", damping=0.5),
        Joint("second", "prismatic", "world", "other", damping=0.5, coupling=follows),
    )
    kinematics = JointKinematics(slider().shape, JointTree(links, joints))
    conditions = [Damping(by_mass=0.0), Pose({}, {"slide": 1.0})]
    run = simulate(kinematics, conditions, SimulationConfig(seconds=1.0))
    assert float(run.v[-1, 0, 0]) == pytest.approx(np.exp(-2.5 / 7.0), rel=1e-4)


@pytest.mark.slow
def test_a_free_body_in_a_tree_tumbles_beyond_a_full_turn_like_a_free_root():
    """Its rotation vector unwinds before 2π, where it is singular."""
    alone = block(0.1, 0.2, 0.3)
    links = (Link("world"), Link("body"))
    tree = JointTree(links, (Joint("free", "floating", "world", "body"),))
    inside, config = JointKinematics(alone.shape, tree), SimulationConfig(seconds=1.0, step=1 / 240)
    spin = (3.0, 12.0, 1.0)
    thrown = simulate(alone, [Throw((1.0, 0.0, 0.0), spin)], config)
    v = torch.tensor([1.0, 0.0, 0.0, *spin], dtype=torch.float64)
    run = simulate(inside, [Limits(strength=0.0)], config, v=v)
    assert not run.stopped and run.q[:, 0, 3:].norm(dim=-1).max() < torch.pi + 0.1
    truth, turned = (exp_so3(r.q[:, 0, 3:6]) for r in (thrown, run))
    assert (truth - turned).abs().max() < 2e-3
