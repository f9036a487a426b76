"""Joint dynamics against MuJoCo on real files: the same masses, gravity and push."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from neurok.datasets.articulated import FAMILIES
from neurok.dynamics import Limits, Push, SimulationConfig, simulate
from neurok.evaluation.dynamics import joints
from neurok.evaluation.dynamics.latent import errors_of, point_inertias
from neurok.evaluation.dynamics.mujoco_motion import prepared
from neurok.evaluation.dynamics.mujoco_trees import model_of
from neurok.evaluation.dynamics.pushes import LASTS, find_push
from neurok.kinematics import JointKinematics
from neurok.shapes.mass import vertex_mass

FILES = {
    "a table with drawer and switches": "articulated_real/**/calvin_table_A.urdf",
    "joints that follow others": "articulated_synthetic/standing_desk_with_synchronous*_01/model.urdf",
    "a chain": "articulated_synthetic/threejoint_revolute_chain_01/model.urdf",
}


@pytest.mark.parametrize("name", FILES)
def test_real_objects_move_as_in_mujoco(name, data_dir, monkeypatch):
    files = sorted(data_dir.glob(FILES[name]))
    if not files:
        pytest.skip("no data")
    monkeypatch.setattr(joints, "SECONDS", 0.5)
    row = joints.compare(files[0])
    assert row.error is not None and row.error < 0.01, row


def test_a_wrong_mass_is_seen(data_dir, monkeypatch):
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
    monkeypatch.setattr(joints, "finer", lambda row, *_: row)
    row = joints.compare(files[0])
    assert row.error is not None and row.error > 0.01


@pytest.mark.parametrize("family", ["gear_train", "laptop", "desk_lamp"])
def test_generated_objects_pushed_within_their_limits_move_as_in_mujoco(family):
    """The truth of the learned space's evaluation: point masses on the vertices in both, no gravity."""
    kinematics = JointKinematics(FAMILIES[family](np.random.default_rng(3)))
    mass = torch.tensor(vertex_mass(kinematics.shape))
    model = prepared(model_of(kinematics.tree), kinematics, 0.0, point_inertias(kinematics, mass.numpy()))
    pushed = find_push(model, kinematics, np.random.default_rng(0), 0.5, 60.0)
    assert pushed is not None
    conditions = [Push(pushed.push.force, at=pushed.vertex, duration=LASTS), Limits(strength=0.0)]
    config = SimulationConfig(seconds=0.5, step=1 / 240)
    run = simulate(kinematics, conditions, config, mass=mass)
    truth = kinematics.positions(torch.tensor(pushed.q))
    errors, still = errors_of(kinematics.shape, truth, kinematics.positions(run.q[:, 0]))
    assert errors.max() < 0.01 and still > 0.1
