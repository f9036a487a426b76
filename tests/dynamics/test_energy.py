"""Energy is conserved without forces, and the energy report balances with them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from neurok.dynamics import SimulationConfig, simulate
from neurok.evaluation.dynamics import energies


@pytest.mark.slow
def test_energy_is_conserved_for_five_seconds_without_friction():
    """Within 0.5 % for joints, elastic modes and latent coordinates. `neurok eval dynamics` runs 60 s."""
    found = {books.name: books for books in energies.measure_conservation(5.0)}
    assert set(found) == {"joints", "elastic", "latent"}
    for books in found.values():
        assert books.error < 0.005 and books.drift < 0.001 and books.frames == 51, found


@pytest.mark.slow
@pytest.mark.parametrize("name", ["rods pushed", "bar tilted and dragged", "soft ball landing"])
def test_the_energy_report_balances_with_forces_and_damping(name):
    kinematics, conditions = energies.FORCED[name]()
    run = simulate(kinematics, conditions, SimulationConfig(seconds=0.25, contact_points=12))
    assert float(run.energy.work[-1, 0].abs() + run.energy.dissipation[-1, 0]) > 0
    assert not run.stopped and run.energy.error.max() < 0.01


def test_an_energy_report_without_one_force_does_not_balance():
    kinematics, conditions = energies.FORCED["rods pushed"]()
    run = simulate(kinematics, conditions, SimulationConfig(seconds=0.25))
    forgotten = replace(run.energy, work=0 * run.energy.work)
    assert forgotten.error.max() > 0.01
