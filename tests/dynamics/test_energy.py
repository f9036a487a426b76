"""Energy is conserved without forces, and the energy report balances with them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from neurok.dynamics import SimulationConfig, simulate
from neurok.evaluation.dynamics import energies


@pytest.mark.slow
def test_five_seconds_without_friction_keep_their_energy():
    """Joints, elastic modes and the learned space: within 0.5 %. `neurok eval dynamics` runs a minute."""
    found = {books.name: books for books in energies.measure_conservation(5.0)}
    assert set(found) == {"joints", "elastic", "latent"}
    for books in found.values():
        assert books.error < 0.005 and books.drift < 0.001 and books.frames == 51, found


@pytest.mark.slow
@pytest.mark.parametrize("name", ["rods pushed", "bar tilted and dragged", "soft ball landing"])
def test_with_forces_and_damping_the_books_balance(name):
    kinematics, conditions = energies.FORCED[name]()
    run = simulate(kinematics, conditions, SimulationConfig(seconds=0.25, contact_points=12))
    assert float(run.energy.work[-1, 0].abs() + run.energy.dissipation[-1, 0]) > 0
    assert not run.stopped and run.energy.error.max() < 0.01


def test_books_that_miss_a_force_do_not_balance():
    kinematics, conditions = energies.FORCED["rods pushed"]()
    run = simulate(kinematics, conditions, SimulationConfig(seconds=0.25))
    forgotten = replace(run.energy, work=0 * run.energy.work)
    assert forgotten.error.max() > 0.01
