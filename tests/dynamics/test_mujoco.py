# pyright: reportAttributeAccessIssue=false
"""Joint dynamics against MuJoCo on real files: the same masses, gravity and push."""

from __future__ import annotations

import random

import mujoco
import numpy as np
import pytest
import torch

from neurok.dynamics import Gravity, Limits, Push, SimulationConfig, simulate
from neurok.evaluation.mujoco_poses import skeleton
from neurok.kinematics import JointKinematics
from neurok.shapes import Inertia
from neurok.shapes.articulated.mjcf_bodies import body_names, joint_names
from neurok.shapes.articulated.urdf import read_robot
from neurok.shapes.load import load_shape
from neurok.shapes.mass import part_inertia

SECONDS, FPS = 2.0, 60
PUSH = np.array([3.0, -4.0, 5.0])  # N for every kilogram of the link that is pushed,
LASTS = 0.3  # s


def link_inertia(kinematics: JointKinematics, name: str) -> Inertia | None:
    """What `mass_of_links` gives a link, in the link's own frame."""
    link = next(link for link in kinematics.tree.links if link.name == name)
    if link.inertia is not None and link.inertia.mass > 0:
        return link.inertia
    if name not in kinematics.shape.part_names or not len(kinematics.shape.faces_of(name)):
        return None
    own, pose = part_inertia(kinematics.shape, name), kinematics.tree.rest_poses[name]
    turn = pose[:3, :3].T
    return Inertia(own.mass, turn @ (own.centre - pose[:3, 3]), turn @ own.tensor @ turn.T)


def mujoco_model(path, kinematics: JointKinematics) -> mujoco.MjModel:
    """MuJoCo's reading of the joints, with these masses in place of its own."""
    model = mujoco.MjModel.from_xml_string(skeleton(read_robot(path)))
    for body, name in enumerate(body_names(model)):
        inertia = link_inertia(kinematics, name) if body else None
        model.body_mass[body], model.body_inertia[body] = 0, 0
        if inertia is None:
            continue
        values, axes = np.linalg.eigh(inertia.tensor)
        axes[:, 0] *= np.linalg.det(axes)
        model.body_mass[body], model.body_inertia[body] = inertia.mass, values
        model.body_ipos[body] = inertia.centre
        mujoco.mju_mat2Quat(model.body_iquat[body], axes.ravel())
    model.opt.timestep, model.opt.integrator = 1e-3, mujoco.mjtIntegrator.mjINT_RK4
    model.dof_damping[:], model.dof_frictionloss[:] = 0, 0
    mujoco.mj_setConst(model, mujoco.MjData(model))
    return model


def mujoco_motion(model: mujoco.MjModel, body: int, place: np.ndarray, force: np.ndarray) -> np.ndarray:
    """qpos at every frame; the push acts on a point of a body while it lasts."""
    data, frames = mujoco.MjData(model), []
    every = round(1 / FPS / model.opt.timestep / 10) * 10
    model.opt.timestep = 1 / FPS / every
    for i in range(int(SECONDS * FPS) * every + 1):
        if i % every == 0:
            frames.append(data.qpos.copy())
        data.qfrc_applied[:] = 0
        if data.time < LASTS - 1e-9:
            mujoco.mj_kinematics(model, data)
            mujoco.mj_comPos(model, data)
            point = data.xpos[body] + data.xmat[body].reshape(3, 3) @ place
            mujoco.mj_applyFT(model, data, force, np.zeros(3), point, body, data.qfrc_applied)
        mujoco.mj_step(model, data)
    return np.array(frames)


def compared(path) -> float | None:
    """The largest difference of any joint's trajectory, in amplitudes; None where MuJoCo has other joints."""
    kinematics = JointKinematics(load_shape(path))
    if any(j.coupling or j.dim > 1 for j in kinematics.movable) or not 1 <= len(kinematics.names) <= 8:
        return None
    model = mujoco_model(path, kinematics)
    moved = kinematics.movable[0].child
    inertia = link_inertia(kinematics, moved)
    if inertia is None:
        return None
    force = PUSH * inertia.mass
    vertex = int(np.flatnonzero(kinematics.shape.vertex_part == kinematics.shape.part_names.index(moved))[0])
    pose = kinematics.tree.rest_poses[moved]
    place = pose[:3, :3].T @ (kinematics.shape.vertices[vertex] - pose[:3, 3])
    truth = mujoco_motion(model, body_names(model).index(moved), place, force)
    order = [joint_names(model).index(name) for name in kinematics.names]
    conditions = [Gravity(), Push(force, at=vertex, duration=LASTS), Limits(strength=0.0)]
    run = simulate(kinematics, conditions, SimulationConfig(seconds=SECONDS, fps=FPS, step=1 / 120))
    difference = (run.q[:, 0] - torch.tensor(truth[:, order])).abs().amax(0)
    return float((difference / (run.q[:, 0] - run.q[0, 0]).abs().amax(0).clamp(min=1e-3)).max())


def test_synthetic_objects_move_as_in_mujoco(data_dir):
    files = sorted((data_dir / "articulated_synthetic").glob("*/model.urdf"))
    if not files:
        pytest.skip("no data")
    errors = {}
    for path in random.Random(5).sample(files, 12):
        error = compared(path)
        if error is not None:
            errors[path.parent.name] = error
        if len(errors) == 3:
            break
    assert errors and max(errors.values()) < 0.01, errors


def test_a_real_table_moves_as_in_mujoco(data_dir):
    files = sorted((data_dir / "articulated_real").glob("**/calvin_table_A.urdf"))
    if not files:
        pytest.skip("no data")
    error = compared(files[0])
    assert error is not None and error < 0.01, error
