"""No condition causes a NaN, and scenarios of a batch equal single runs."""

from __future__ import annotations

import sys
from dataclasses import replace

import numpy as np
import pytest
import torch
import trimesh
from threadpoolctl import threadpool_info

from neurok.dynamics import (
    Damping,
    Drop,
    Floor,
    Gravity,
    Pose,
    Push,
    SimulationConfig,
    Throw,
    Wind,
    simulate,
)
from neurok.dynamics.step import advance
from neurok.errors import InputError
from neurok.evaluation.dynamics.fuzz import Batch, checked, fuzz_batch
from neurok.evaluation.dynamics.objects import block, rods
from neurok.kinematics import ElasticKinematics, JointKinematics
from neurok.shapes import JointTree, Link, Shape


def is_finite(run) -> bool:
    values = (run.q, run.v, run.energy.total, run.energy.work, run.energy.dissipation)
    return all(bool(torch.isfinite(x).all()) for x in values)


def test_a_batch_is_a_loop_of_singles():
    kinematics = rods(0.6, 0.4)
    rng = np.random.default_rng(0)
    scenarios = [
        [Gravity(), Push(rng.normal(size=3) * 5, at=int(rng.integers(40)), duration=0.2), Damping()]
        for _ in range(4)
    ]
    config = SimulationConfig(seconds=0.3)
    batch = simulate(kinematics, scenarios, config)
    for i, conditions in enumerate(scenarios):
        single = simulate(kinematics, conditions, config)
        assert torch.allclose(batch.q[:, i], single.q[:, 0], atol=1e-7)
        assert torch.allclose(batch.energy.work[:, i], single.energy.work[:, 0], atol=1e-6)


@pytest.mark.slow
def test_a_batch_of_drops_is_a_loop_of_drops():
    """Each scenario halves its own steps, independently of the others."""
    kinematics = block(0.2, 0.2, 0.2)
    scenarios = [[Gravity(), Throw((0.5 * i, 0.0, -1.0)), Drop(0.02), Floor()] for i in range(2)]
    config = SimulationConfig(seconds=0.07, contact_points=8)
    batch = simulate(kinematics, scenarios, config)
    for i, conditions in enumerate(scenarios):
        assert torch.allclose(batch.q[:, i], simulate(kinematics, conditions, config).q[:, 0], atol=1e-6)


def test_scenarios_of_different_kinds_are_refused():
    with pytest.raises(InputError, match="scenarios"):
        simulate(rods(0.6), [[Gravity()], [Gravity(), Damping()]])


def soup(rng: np.random.Generator) -> Shape:
    return Shape(rng.normal(size=(30, 3)), rng.integers(0, 30, (12, 3)))


SHAPES = {
    "a triangle": Shape(np.eye(3), np.array([[0, 1, 2]])),
    "loose triangles": soup(np.random.default_rng(0)),
    "a sliver": Shape(
        np.array([[0, 0, 0], [1, 0, 0], [0.5, 1e-9, 0], [0.5, 0, 1.0]]), np.array([[0, 1, 2], [0, 1, 3]])
    ),
}


@pytest.mark.parametrize("name", SHAPES)
@pytest.mark.parametrize("force", [1e-3, 1e12])
def test_no_force_and_no_mesh_causes_a_nan(name, force):
    rigid = SHAPES[name].with_(part_names=("body",))
    kinematics = JointKinematics(rigid, JointTree((Link("body"),), ()))
    conditions = [
        Gravity(),
        Push((force, -force, force), at=0),
        Drop(0.1),
        Floor(),
        Wind((1.0, force**0.5, 0.0)),
    ]
    run = simulate(kinematics, conditions, SimulationConfig(seconds=0.2, step=0.1, fps=10.0, halvings=4))
    assert is_finite(run)
    assert not run.stopped or run.notes


@pytest.mark.slow
@pytest.mark.parametrize("force", [1.0, 1e6, 1e15])
def test_extreme_pushes_on_joints_stop_with_valid_frames(force):
    run = simulate(
        rods(0.6, 0.4),
        [Push((force, force, 0.0), at="rod1", duration=1.0)],
        SimulationConfig(seconds=0.05, halvings=6),
    )
    assert is_finite(run) and len(run.times) >= 1
    if run.stopped:
        assert "stopped after" in run.notes[-1]
    assert force > 1 or not run.stopped


@pytest.mark.slow
def test_an_elastic_body_survives_an_extreme_push():
    mesh = trimesh.creation.box((1, 0.2, 0.2))
    shape = Shape(np.array(mesh.vertices), np.array(mesh.faces))
    kinematics = ElasticKinematics.from_shape(shape, modes=3, handles=6)
    conditions = [Gravity(), Floor(), Push((1e9, 0.0, 1e9), at=0)]
    assert is_finite(simulate(kinematics, conditions, SimulationConfig(seconds=0.1, root="free", halvings=3)))


def test_a_start_that_is_not_finite_is_refused():
    with pytest.raises(InputError, match="not finite"):
        simulate(rods(0.6), [Pose({"hinge0": float("nan")})])


@pytest.mark.slow
def test_random_runs_finish_stop_with_a_reason_or_are_refused():
    """A small share of `neurok eval dynamics --fuzz 10000`."""
    batches = [fuzz_batch(number) for number in (1, 7, 10, 31, 43, 45, 47, 56)]
    assert not [failure for batch in batches for failure in batch.failures]
    assert sum(b.finished for b in batches) and sum(b.stopped for b in batches)
    assert sum(b.refused for b in batches)


def test_the_check_of_random_runs_detects_a_nan_and_a_stop_without_a_reason():
    run = simulate(rods(0.6), [[Gravity()]] * 2, SimulationConfig(seconds=0.05))
    run.q[-1, 0] = float("nan")
    cut = replace(run, frames=(run.frames[0], 1))
    assert len(checked(Batch(0, "rods"), cut).failures) == 2


@pytest.mark.slow
def test_friction_that_stops_a_fast_slide_within_an_impact_is_solved():
    conditions = [Floor(friction=0.8, restitution=0.1), Throw((0.5, -0.7, -8.0))]
    run = simulate(block(0.1, 0.1, 0.4), conditions, SimulationConfig(seconds=0.02, contact_points=8))
    assert not run.stopped


def test_an_object_that_nothing_can_move_is_refused():
    with pytest.raises(InputError, match="nothing that moves"):
        simulate(block(0.1, 0.1, 0.1), [Gravity()])


def test_a_mesh_that_is_not_finite_is_refused():
    vertices = np.array([[0.0, 0, 0], [1, 0, 0], [0, np.nan, 0]])
    shape = Shape(vertices, np.array([[0, 1, 2]]), part_names=("body",))
    with pytest.raises(InputError, match="not finite"):
        simulate(JointKinematics(shape, JointTree((Link("body"),), ())), [Throw()])


def test_steps_use_one_thread_and_the_setting_of_the_caller_remains(monkeypatch):
    """With small products, BLAS threads that wait for each other slow down a busy machine many times."""

    def threads() -> list[int]:
        return [library["num_threads"] for library in threadpool_info() if library["user_api"] == "blas"]

    seen, before = [], threads()

    def watched(*arguments):
        seen.append(threads())
        return advance(*arguments)

    monkeypatch.setattr(sys.modules["neurok.dynamics.simulate"], "advance", watched)  # the module
    simulate(rods(0.6), [Gravity()], SimulationConfig(seconds=0.1))
    assert seen and all(set(counts) == {1} for counts in seen)
    assert threads() == before
