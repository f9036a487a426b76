"""Joint dynamics against MuJoCo on real files: the same masses, gravity and push."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
import torch

from neurok.datasets.build import build
from neurok.datasets.sources import generator_jobs
from neurok.dynamics import Limits, SimulationConfig, simulate
from neurok.errors import InputError
from neurok.evaluation.dynamics import joints
from neurok.evaluation.dynamics.joints_table import summarise
from neurok.evaluation.dynamics.latent import LatentEvaluation, errors_of, evaluate_object, point_inertias
from neurok.evaluation.dynamics.latent import summarise as latent_summary
from neurok.evaluation.dynamics.mujoco_motion import prepared
from neurok.evaluation.dynamics.mujoco_trees import model_of
from neurok.evaluation.dynamics.pushes import MIN_COSINE, find_push
from neurok.kinematics import JointKinematics
from neurok.objects import families
from neurok.shapes.load import load_shape
from neurok.shapes.mass import vertex_mass

FILES = {
    "a table with drawer and switches": "articulated_real/**/calvin_table_A.urdf",
    "joints that follow others": "articulated_synthetic/standing_desk_with_synchronous*_01/model.urdf",
    "two hinges on one axis": "articulated_synthetic/barrier_gate_03/model.urdf",
    "followers beside a free body": "articulated_real/**/kitchen2.xml",
    "a chain": "articulated_synthetic/threejoint_revolute_chain_01/model.urdf",
}
LAPTOP = "generated/laptop/000000"


@pytest.mark.slow
@pytest.mark.parametrize("name", FILES)
def test_real_objects_move_as_in_mujoco(name, data_dir, monkeypatch):
    files = sorted(data_dir.glob(FILES[name]))
    if not files:
        pytest.skip("no data")
    monkeypatch.setattr(joints, "SECONDS", 0.5)
    row = joints.compare(files[0])
    assert row.error is not None and row.error < 0.01, row


@pytest.mark.slow
def test_an_upright_joystick_gets_an_initial_speed(data_dir):
    """At exact rest only rounding errors, different in each program, would make it fall."""
    files = sorted(data_dir.glob("articulated_synthetic/arcade_machine_03/model.urdf"))
    if not files:
        pytest.skip("no data")
    row = joints.compare(files[0], seed=1)
    assert row.error is not None and row.error < 0.01, row
    kinematics, model = JointKinematics(load_shape(files[0])), joints.load_mujoco_model(files[0])
    push = joints.random_push(kinematics, np.random.default_rng(0))
    truth = joints.trajectory(prepared(model, kinematics), kinematics, push, 1 / 240)
    assert np.ptp(truth, axis=0).min() > 10 * joints.MIN_AMPLITUDE


@pytest.mark.slow
def test_a_light_knob_on_a_fast_heavy_slide_keeps_its_own_motion(data_dir):
    """An error that is negligible for 18 kg at 20 m/s exceeds the motion of the knob."""
    files = sorted(data_dir.glob("articulated_synthetic/floor_standing_drafting_table_03/model.urdf"))
    if not files:
        pytest.skip("no data")
    row = joints.compare(files[0])
    assert row.variational_error < 0.01, row


@pytest.mark.slow
def test_a_motion_that_mujoco_does_not_reproduce_itself_is_marked_as_chaotic(data_dir, monkeypatch):
    """A fidget toy of eleven free hinges moves differently at a millionth more speed.

    One run of the engine is compared; `neurok eval dynamics` compares all methods and steps.
    """
    error_of = joints._error

    def only_rk4(kinematics, model, push, truth, integrator, step) -> float:
        return error_of(kinematics, model, push, truth, integrator, step) if integrator == "rk4" else np.nan

    monkeypatch.setattr(joints, "_error", only_rk4)
    monkeypatch.setattr(joints, "STEPS", joints.STEPS[:1])
    monkeypatch.setattr(joints, "SECONDS", 1.7)
    files = sorted(data_dir.glob("articulated_synthetic/fidget_toy_03/model.urdf"))
    if not files:
        pytest.skip("no data")
    row = joints.compare(files[0])
    assert row.error is not None and row.error > 0.01 and row.nudged > 0.01
    calm = [
        joints.Row(data_dir / "a", 1, 0.001),
        joints.Row(data_dir / "b", 1, 0.02, halved=1e-9, nudged=1e-4),
    ]
    figures = summarise([*calm, row], data_dir).figures
    assert figures["mujoco_missed"] == 1 and figures["mujoco_not_reproduced_by_itself"] == 1
    assert figures["mujoco_within_1_percent"] == pytest.approx(1 / 3)


@pytest.mark.slow
def test_an_interrupted_comparison_resumes_from_its_journal(data_dir, tmp_path, monkeypatch):
    files = sorted(data_dir.glob("articulated_synthetic/threejoint_revolute_chain_0*/model.urdf"))[:3]
    if len(files) < 3:
        pytest.skip("no data")
    monkeypatch.setattr(joints, "SECONDS", 0.05)
    journal, made, compare = tmp_path / "rows.jsonl", [], joints.compare

    def counting(path, seed):
        made.append(path)
        return compare(path, seed) if path != files[2] else joints.Row(path, 3, error=float("inf"))

    monkeypatch.setattr(joints, "compare", counting)
    first = joints.evaluate(files[1:], 0, 1, journal=journal)
    journal.write_bytes(journal.read_bytes() + b'{"path": "cut of')
    rows = joints.evaluate(files, 0, 1, journal=journal)
    assert [row.path for row in rows] == files and sorted(made) == files
    assert rows[1].error == first[0].error and rows[2].error == float("inf")
    assert len(journal.read_text().splitlines()) == 3
    joints.evaluate(files, 1, 1, journal=journal)  # other pushes
    assert len(made) == 6
    journal.write_text("no row\n")
    with pytest.raises(InputError, match="line 1 is not a result"):
        joints.evaluate(files, 0, 1, journal=journal)


def test_a_wrong_mass_is_detected(data_dir, monkeypatch):
    files = sorted(data_dir.glob(FILES["a chain"]))
    if not files:
        pytest.skip("no data")
    monkeypatch.setattr(joints, "SECONDS", 0.5)
    weighed = joints.link_inertias

    def heavier(kinematics):
        found = weighed(kinematics)
        last = list(found)[-1]
        return found | {last: joints.replace(found[last], mass=1.2 * found[last].mass)}

    monkeypatch.setattr("neurok.evaluation.dynamics.mujoco_motion.link_inertias", heavier)
    monkeypatch.setattr(joints, "STEPS", joints.STEPS[:1])
    row = joints.compare(files[0])
    assert row.error is not None and row.error > 0.01


@pytest.mark.slow
@pytest.mark.parametrize("family", ["gear_train", "laptop", "desk_lamp"])
def test_generated_objects_pushed_within_their_limits_move_as_in_mujoco(family):
    """The reference of the latent evaluation: equal point masses on the vertices, no gravity."""
    kinematics = JointKinematics(families()[family](np.random.default_rng(3)))
    mass = torch.tensor(vertex_mass(kinematics.shape))
    model = prepared(model_of(kinematics.tree), kinematics, 0.0, point_inertias(kinematics, mass.numpy()))
    pushed = find_push(model, kinematics, np.random.default_rng(0), 0.5, 60.0)
    assert pushed is not None and pushed.cosine(kinematics, 60.0) >= MIN_COSINE
    conditions = [*pushed.on(kinematics.shape), Limits(strength=0.0)]
    config = SimulationConfig(seconds=0.5, step=1 / 240)
    run = simulate(kinematics, conditions, config, mass=mass)
    truth = kinematics.positions(torch.tensor(pushed.q))
    errors, still = errors_of(kinematics.shape, truth, kinematics.positions(run.q[:, 0]))
    assert errors.max() < 0.01 and still > 0.1


@pytest.mark.slow
def test_with_its_true_joints_the_learned_space_moves_as_the_object_does(tmp_path):
    """The oracle of the evaluation, and the results for the bare mesh and for its parts."""
    (job,) = (j for j in generator_jobs(40, 0, seed=3, frames=20) if j.origin.name == LAPTOP)
    build([job], tmp_path)
    row = evaluate_object(LatentEvaluation(tmp_path), LAPTOP)
    assert row.true_joints < 0.05 < 0.3 < row.still, row
    assert row.true_joints <= min(row.error or 0.0, row.in_parts) + 0.01, row
    table = {line[0]: line[1:] for line in latent_summary([row]).table}
    assert table["all, true joints"][:2] == ["1", f"{row.true_joints:.0%}"]
    assert (
        latent_summary([replace(row, true_joints=float("nan"))]).figures.keys()
        < latent_summary([row]).figures.keys()
    )
