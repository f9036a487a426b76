"""Time stepping of a scene by MuJoCo, with frames at an even rate."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import mujoco
import numpy as np
from jaxtyping import Float

from neurok.errors import Rejected
from neurok.objects.soft.solver_scene import FREE, SolverScene, to_mjcf
from neurok.shapes.robots.mujoco_warnings import collected_warnings

Array = np.ndarray
Force = Callable[[float, Array, Array], Array]  # time, positions and velocities of the nodes ↦ forces in N

MAX_SPEED = 100.0  # m/s; a faster simulation has diverged
MAX_TIME_STEP = 0.005  # s


@dataclass(frozen=True, eq=False)
class Motion:
    """Nodes of the soft body and maps x = R X + p of the rigid bodies in every frame.

    Nothing drives the motion after `calm` seconds.
    """

    nodes: Float[Array, "frames k 3"]
    rigid: Float[Array, "frames r 3 4"]
    fps: float
    calm: float = np.inf


@dataclass(frozen=True, eq=False)
class _Running:
    """The compiled scene with the addresses of its inputs and outputs."""

    scene: SolverScene
    model: Any  # mujoco.MjModel
    data: Any  # mujoco.MjData
    free: Array  # indices of the free nodes
    dof: Array  # (free, 3)
    joints: Array  # the joint of each rigid body


def simulate(
    scene: SolverScene,
    frames: int,
    fps: float,
    force: Force | None = None,
    *,
    max_time_step: float = MAX_TIME_STEP,
) -> Motion:
    """Frames 0 … frames − 1 at t = frame / fps; frame 0 is the scene as given."""
    substeps = int(np.ceil(1 / fps / max_time_step - 1e-9))
    with collected_warnings():
        running = _start(scene, 1 / fps / substeps)
        nodes, rigid = [running.data.flexvert_xpos.copy()], [_poses(running)]
        for _ in range(frames - 1):
            _advance(running, substeps, force)
            nodes.append(running.data.flexvert_xpos.copy())
            rigid.append(_poses(running))
    return Motion(np.stack(nodes), np.stack(rigid), fps, scene.calm)


def _start(scene: SolverScene, step: float) -> _Running:
    model = mujoco.MjModel.from_xml_string(to_mjcf(scene, step))  # type: ignore[attr-defined]
    data = mujoco.MjData(model)  # type: ignore[attr-defined]
    free = np.flatnonzero(scene.soft.holder == FREE)
    first = np.array([model.body(f"node{i}").dofadr[0] for i in free], int)
    joints = np.array([model.joint(f"joint{i + 1}").id for i in range(len(scene.rigid))], int)
    running = _Running(scene, model, data, free, first[:, None] + np.arange(3), joints)
    if scene.velocity is not None:
        data.qvel[running.dof] = scene.velocity[free]
    for joint, body in zip(joints, scene.rigid, strict=True):
        if body.joint != "free":
            data.qvel[model.jnt_dofadr[joint]] = body.speed
    mujoco.mj_forward(model, data)  # type: ignore[attr-defined]
    return running


def _advance(running: _Running, substeps: int, force: Force | None) -> None:
    model, data = running.model, running.data
    soft = running.scene.soft
    drag, velocity = soft.drag * soft.mass, np.zeros((len(soft.nodes), 3))
    for _ in range(substeps):
        velocity[running.free] = data.qvel[running.dof]
        pushed = -drag[:, None] * velocity
        if force is not None:
            pushed += force(data.time, data.flexvert_xpos, velocity)
        data.qfrc_applied[running.dof] = pushed[running.free]
        for joint, body in zip(running.joints, running.scene.rigid, strict=True):
            if body.drive is not None:
                place, speed = body.drive(data.time)
                data.qpos[model.jnt_qposadr[joint]] = place
                data.qvel[model.jnt_dofadr[joint]] = speed
        mujoco.mj_step(model, data)  # type: ignore[attr-defined]
        # checked here because MuJoCo would silently reset the scene
        if not np.abs(data.qvel).max() < MAX_SPEED:
            raise Rejected("the simulation blew up")
    if any(warning.number for warning in data.warning):
        raise Rejected("the solver did not converge")
    mujoco.mj_kinematics(model, data)  # type: ignore[attr-defined]
    mujoco.mj_flex(model, data)  # type: ignore[attr-defined]


def _poses(running: _Running) -> Float[Array, "r 3 4"]:
    body = running.model.jnt_bodyid[running.joints]
    rotation = running.data.xmat[body].reshape(-1, 3, 3)
    return np.concatenate([rotation, running.data.xpos[body][:, :, None]], axis=2)
