"""The interactive simulation obeys mechanics."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from neurok.dynamics import SimulationConfig, simulate
from neurok.dynamics.body import EARTH
from neurok.errors import InputError
from neurok.kinematics.jets.jet import skin_by_axis
from neurok.studio import Controls, advanced, controlled, grabbed, posed, pulled, released, started
from neurok.studio.live import HALVINGS, STEP, TOLERANCE, point_of
from neurok.studio.stage import conditions_under


@pytest.mark.slow
def test_an_object_at_rest_stays_and_counts_as_still(bar):
    live = started(bar)
    for _ in range(40):
        live = advanced(live)
    assert live.is_still
    assert np.abs(live.q).max() < 1e-6


def test_live_motion_is_the_motion_that_simulate_computes(cabinet):
    controls = Controls(tilt=40.0, damping=0.2)
    live, found = started(cabinet, controls), []
    for _ in range(45):
        live = advanced(live)
        found.append(live.q)
    config = SimulationConfig(seconds=45 * STEP, fps=1 / STEP, tolerance=TOLERANCE, halvings=HALVINGS)
    run = simulate(cabinet.kinematics, conditions_under(cabinet, controls), config)
    assert np.abs(found[-1]).max() > 0.05
    np.testing.assert_allclose(found, run.q[1:, 0].numpy(), atol=1e-9)


@pytest.mark.slow
def test_a_door_follows_the_hand_to_where_it_is_pulled(cabinet):
    door = cabinet.kinematics.names.index("door_hinge")
    vertex = _vertex(cabinet, "door_hinge")
    q = torch.zeros(len(cabinet.kinematics.names), dtype=torch.float64)
    live = grabbed(started(cabinet), vertex)
    for step in range(150):
        q[door] = min(0.9, step / 60)
        live = advanced(pulled(live, cabinet.kinematics.positions(q)[vertex].numpy()))
    assert live.q[door] == pytest.approx(0.9, abs=0.03)
    assert live.spring is not None
    np.testing.assert_allclose(point_of(live, vertex), live.spring.target, atol=0.03)


def test_the_energy_of_a_pull_is_accounted_for(bar):
    top = int(bar.shape.vertices[:, 1].argmax())
    live = grabbed(started(bar), top)
    before = sum(live.energies[:2])
    for i in range(20):
        live = advanced(pulled(live, bar.shape.vertices[top] + [0.01 * i, 0, 0]))
    for _ in range(40):
        live = advanced(released(live) if live.spring else live)
    kinetic, potential, given, lost = live.energies
    assert given > 0 and lost > 0
    assert kinetic + potential - before == pytest.approx(given - lost, abs=0.05 * given)


@pytest.mark.slow
def test_a_pulled_bar_rests_where_hand_and_stiffness_balance(bar):
    """Jᵀ k (y − x) + (g(q) − g(rest)) = K q: mouse spring, weight beyond its rest value, elastic modes."""
    top = int(bar.shape.vertices[:, 1].argmax())
    live = grabbed(controlled(started(bar), Controls(gravity=9.81, damping=10.0, floor=False)), top)
    target = bar.shape.vertices[top] + [0.1, 0, 0]
    for _ in range(180):
        live = advanced(pulled(live, target))
    q = torch.tensor(live.q)
    jacobian = torch.func.jacfwd(lambda q: bar.kinematics.positions(q)[top])(q).numpy()
    force = jacobian.T @ (live.spring.stiffness * (target - point_of(live, top)))
    own = next(c.scale for c in conditions_under(bar, live.controls) if hasattr(c, "skin"))
    back = own * bar.kinematics.stiffness.numpy() * live.q
    pull = torch.func.jacrev(lambda q: _weight(bar, q))
    force = force + (pull(q) - pull(0 * q)).numpy()
    np.testing.assert_allclose(force, back, atol=0.05 * np.abs(back).max())
    assert point_of(live, top)[0] - bar.shape.vertices[top, 0] > 0.05


def test_without_gravity_a_bar_that_carried_its_weight_stretches(bar):
    live = controlled(started(bar), Controls(gravity=0.0))
    for _ in range(20):
        live = advanced(live)
    assert np.abs(live.q).max() > 1e-6


def test_a_slider_stops_at_the_limits(cabinet):
    lower, upper = cabinet.kinematics.limits[0].tolist()
    assert posed(started(cabinet), 0, 99.0).q[0] == upper
    assert posed(started(cabinet), 0, -99.0).q[0] == lower


@pytest.mark.slow
def test_many_grabs_leave_no_points_behind(cabinet):
    live = started(cabinet)
    sizes = set()
    for vertex in range(0, 1000, 20):
        live = released(grabbed(live, vertex))
        sizes.add((len(cabinet.body.rows), live.system.points.shape))
    assert len(sizes) == 1


@pytest.mark.usefixtures("untyped")
@pytest.mark.parametrize("values", [{"gravity": float("nan")}, {"wind": 1e9}, {"floor": 3}, {"colour": 1.0}])
def test_controls_refuse_nonsense(values):
    with pytest.raises(InputError):
        Controls().changed(values)


@pytest.mark.usefixtures("untyped")
@pytest.mark.parametrize("target", [np.zeros(2), np.array([np.inf, 0, 0])])
def test_a_hand_refuses_places_that_are_none(cabinet, target):
    with pytest.raises(InputError):
        pulled(grabbed(started(cabinet), 3), target)
    with pytest.raises(InputError):
        grabbed(started(cabinet), 10**9)


def _vertex(stage, joint: str) -> int:
    """The vertex that a joint moves farthest."""
    kinematics = stage.kinematics
    q = kinematics.rest.clone()
    q[kinematics.names.index(joint)] = 0.5
    return int((kinematics.positions(q) - kinematics.positions(kinematics.rest)).norm(dim=1).argmax())


def _weight(stage, q):
    """g · Σ m x, J."""
    code = skin_by_axis(stage.kinematics.code(q))
    return -EARTH * torch.einsum("iam,am->i", stage.body.mass.moment, code) @ stage.body.up
