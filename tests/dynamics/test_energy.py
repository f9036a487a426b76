"""Energy of conservative runs stays where it was, and with forces the books balance."""

from __future__ import annotations

import numpy as np
import pytest
import torch
import trimesh
from dynamics_samples import rods

from neurok.assets import SHIPPED
from neurok.dynamics import (
    Gravity,
    Limits,
    Moving,
    Pose,
    SimulationConfig,
    Stiffness,
    simulate,
)
from neurok.kinematics import ElasticKinematics, Kinematics, LatentKinematics
from neurok.kinematics.elastic import ElasticMaterial
from neurok.kinematics.latent import INFLUENCES
from neurok.model import ModelConfig, NeuROK
from neurok.reduction import ReductionConfig
from neurok.shapes import Frame, Shape
from neurok.shapes.load import load_shape

MINUTE = SimulationConfig(seconds=60.0, fps=10.0, step=1 / 60)


def bar() -> Kinematics:
    """A rubber bar held at one end."""
    mesh = trimesh.creation.box((0.6, 0.06, 0.04)).subdivide().subdivide()
    shape = Shape(np.array(mesh.vertices), np.array(mesh.faces), "bar", frame=Frame("z"))
    pinned = shape.vertices[:, 0] < -0.299
    return ElasticKinematics.from_shape(
        shape, modes=3, material=ElasticMaterial(2e7), pinned=pinned, handles=6
    )


def learned() -> LatentKinematics:
    """The latent space of a model of no training, but of no zero weights either."""
    torch.manual_seed(0)
    network = NeuROK(ModelConfig(width=32, heads=2, tokens=INFLUENCES, shape_blocks=2, decoder_blocks=1))
    for parameter in network.parameters():
        torch.nn.init.normal_(parameter, std=0.1)
    few = ReductionConfig(samples=8, probes=4, held_out=8, most=3)
    return LatentKinematics.from_shape(load_shape(SHIPPED["cabinet"]), network.requires_grad_(False), few)


def drift(run) -> float:
    """Change of the mean unexplained energy from the first half to the second, in energy scales."""
    error = run.energy.unexplained[:, 0] / run.energy.scale[0]
    half = len(error) // 2
    return float((error[half:].mean() - error[:half].mean()).abs())


@pytest.mark.parametrize(
    ("make", "conditions"),
    [
        (lambda: rods(0.6, 0.4), [Gravity(), Pose({"hinge0": 0.9, "hinge1": -0.5})]),
        (bar, [Gravity(), Moving([0], (0.0, 0.3, 0.0))]),
        (
            learned,
            [Stiffness(frequency=1.0), Pose({"latent_1": 1.2, "latent_2": -0.7}), Limits(strength=0.0)],
        ),
    ],
    ids=["joints", "elastic", "latent"],
)
def test_a_minute_without_friction_keeps_its_energy(make, conditions):
    run = simulate(make(), conditions, MINUTE)
    assert not run.stopped
    assert run.energy.error.max() < 0.005
    assert drift(run) < 0.001


@pytest.mark.parametrize(
    "conditions",
    [
        [Gravity(), Damping(by_mass=0.3, by_stiffness=1e-3), Wind((0.0, 4.0, 0.0))],
        [
            Gravity(),
            Damping(by_mass=1.0),
            Tilt(40.0, duration=0.3),
            Drag(0, (-0.2, 0.1, 0.1), duration=0.3, hold=0.2),
        ],
    ],
    ids=["wind", "tilt and drag"],
)
def test_with_forces_and_damping_the_books_balance(conditions):
    run = simulate(bar(), conditions, SimulationConfig(seconds=0.8))
    assert float(run.energy.work[-1, 0]) != 0 and float(run.energy.dissipation[-1, 0]) > 0
    assert run.energy.error.max() < 0.01


def test_a_soft_body_lands_and_its_energy_is_accounted_for():
    soft = ElasticKinematics.from_shape(ball(), modes=3, handles=6)
    conditions = [Gravity(), Drop(0.05), Floor(), Damping()]
    run = simulate(soft, conditions, SimulationConfig(seconds=0.25, contact_points=12))
    assert not run.stopped and run.energy.error.max() < 0.02
    assert float(run.energy.dissipation[-1, 0]) > 0
