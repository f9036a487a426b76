"""Stiffness of skin and glue, and shapes that are balanced under gravity."""

from __future__ import annotations

import pytest
import torch

from neurok.assets import SHIPPED
from neurok.dynamics import Gravity, Pose, SimulationConfig, simulate
from neurok.dynamics.cohesion import glue_stiffness, skin_stiffness
from neurok.evaluation.dynamics.objects import rods
from neurok.kinematics import ElasticKinematics
from neurok.latent.kinematics import LatentKinematics
from neurok.shapes.load import load_shape

SIDEWAYS = (1.0, 0.0, 0.0)


@pytest.mark.slow
def test_turning_rigid_parts_stretches_no_skin():
    assert skin_stiffness(rods(0.4, 0.3), 1.0).abs().max() < 1e-20


@pytest.mark.slow
def test_bending_a_solid_stretches_its_skin_and_energy_scales_it():
    elastic = ElasticKinematics.from_shape(load_shape(SHIPPED["teddy"]), modes=3)
    stiffness = skin_stiffness(elastic, 1.0)
    assert torch.linalg.eigvalsh(stiffness).min() > 0
    assert torch.allclose(skin_stiffness(elastic, 7.0), 7 * stiffness)


@pytest.mark.slow
def test_glue_holds_loose_pieces_of_a_part_only():
    laptop, flag = (LatentKinematics.from_shape(load_shape(SHIPPED[name])) for name in ("laptop", "flag"))
    glue = glue_stiffness(laptop, 1.0)
    assert torch.linalg.eigvalsh(glue).min() > -1e-12 and glue.abs().max() > 0
    assert not glue_stiffness(flag, 1.0).any()  # each of its parts is one piece


def test_a_balanced_shape_keeps_its_pose():
    """Straight rods under sideways gravity stay at rest if balanced, and fall otherwise."""
    config = SimulationConfig(seconds=0.5)
    held, loose = (
        simulate(rods(0.6), [Gravity(direction=SIDEWAYS, balanced=balanced)], config)
        for balanced in (True, False)
    )
    assert held.q.abs().max() < 1e-9 and loose.q.abs().max() > 0.1


def test_the_force_that_balances_the_weight_is_conservative():
    start = Pose({"hinge0": 0.4}, {"hinge0": 1.0})
    run = simulate(rods(0.6), [Gravity(balanced=True), start], SimulationConfig(seconds=2.0))
    assert float(run.energy.error) < 1e-3
