"""Energy of conservative runs stays where it was, and with forces the books balance."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from dynamics_samples import ball
from minutes import bar

from neurok.dynamics import (
    Damping,
    Drag,
    Drop,
    Floor,
    Gravity,
    SimulationConfig,
    Tilt,
    Wind,
    simulate,
)
from neurok.kinematics import ElasticKinematics


def test_a_minute_without_friction_keeps_its_energy():
    """Joints, elastic modes and a learned space, 3,600 steps each: within 0.5 %, and not drifting."""
    program = Path(__file__).with_name("minutes.py")
    paths = os.pathsep.join(sys.path)
    done = subprocess.run(
        [sys.executable, str(program)],
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": paths},
    )
    assert done.returncode == 0, done.stderr
    found = {figures["name"]: figures for figures in map(json.loads, done.stdout.splitlines())}
    assert set(found) == {"joints", "elastic", "latent"}
    for figures in found.values():
        assert figures["error"] < 0.005 and figures["drift"] < 0.001 and not figures["stopped"], figures


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
