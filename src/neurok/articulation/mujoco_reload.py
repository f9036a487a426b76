# pyright: reportAttributeAccessIssue=false
"""Checks a written mechanism in MuJoCo: it steps, and every joint moves the right part."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import mujoco
import numpy as np
from jaxtyping import Float
from torch import Tensor

from neurok.errors import InputError
from neurok.export.robots.bodies import WORLD, clean_names
from neurok.export.robots.mujoco_check import check_in_mujoco
from neurok.kinematics import JointKinematics
from neurok.shapes import Shape
from neurok.shapes.robots.mujoco_warnings import collected_warnings
from neurok.shapes.robots.reframe import ROBOT_FRAME

Array = np.ndarray
STEPS = 1000  # of the trial simulation
MAX_MOTION_ERROR = 1e-4  # radii: of any vertex, between MuJoCo's pose and the joints'
MAX_MISPLACEMENT = 0.05  # radii: of the boxes of parts at rest; a collision hull may leave out small features


@dataclass(frozen=True)
class Reload:
    """Result of loading and stepping a file in MuJoCo."""

    steps: int
    warnings: tuple[str, ...]
    joints: int
    misplaced: float  # radii: largest distance of the box of a part from that of its body
    motion_error: float  # radii: largest distance of a vertex from its place by the joints
    uncoupled: tuple[str, ...] = ()  # couplings that MuJoCo does not have

    @property
    def is_sound(self) -> bool:
        return (
            not (self.warnings or self.uncoupled)
            and self.misplaced < MAX_MISPLACEMENT
            and self.motion_error < MAX_MOTION_ERROR
        )


def check_reload(path: Path, shape: Shape) -> Reload:
    """Steps the file, then compares the places of all parts in MuJoCo and by the joints.

    Each joint is set in turn. Raises `InputError` if MuJoCo refuses the file, warns, or moves a part to
    another place.
    """
    report = check_in_mujoco(path, STEPS)
    misplaced, motion, uncoupled = (0.0, 0.0, ()) if shape.joints is None else _compared(path, shape)
    found = Reload(report.steps, report.warnings, len(report.joints), misplaced, motion, uncoupled)
    if report.warnings or not np.isfinite(report.max_speed):
        cause = f"MuJoCo complains while it steps: {', '.join(report.warnings) or 'NaN'}"
        raise InputError(path, cause, "Correct the joints with --joint or --fixed")
    if uncoupled:
        cause = f"in MuJoCo {uncoupled[0]!r} does not follow its leader"
        raise InputError(path, cause, "Write another format, and report the file")
    if not found.is_sound:
        cause = f"in MuJoCo its parts are {max(misplaced, motion):.2g} radii from where its joints take them"
        raise InputError(path, cause, "Write another format, and report the file")
    return found


def _compared(path: Path, shape: Shape) -> tuple[float, float, tuple[str, ...]]:
    """(`misplaced`, `motion_error`, `uncoupled`) of a file against the shape that it was written from."""
    with collected_warnings():
        model = mujoco.MjModel.from_xml_path(str(path))
    data = mujoco.MjData(model)
    kinematics = JointKinematics(shape)
    to_robot = kinematics.shape.frame.to(ROBOT_FRAME)
    radius = shape.normalisation.radius * shape.frame.metres_per_unit
    bodies = _body_of_part(kinematics, model)
    rest = _poses(model, data, {})
    drawn = kinematics.shape.vertices @ to_robot[:3, :3].T
    misplaced = max(_misplaced(model, data, kinematics.shape, drawn, bodies)) / radius
    moved = 0.0
    for index, value in enumerate(_trial_values(kinematics)):
        q = kinematics.rest.clone()
        q[index] = value
        ours = kinematics.positions(q).numpy() @ to_robot[:3, :3].T
        theirs = _carried(rest, _poses(model, data, _qpos(kinematics, q)), drawn, bodies, kinematics)
        moved = max(moved, float(np.abs(ours - theirs).max()) / radius)
    return misplaced, moved, _uncoupled(model, kinematics)


def _uncoupled(model: mujoco.MjModel, kinematics: JointKinematics) -> tuple[str, ...]:
    """Joints whose coupling q = c₁ q' is no equality constraint in MuJoCo."""
    clean = clean_names((joint.name for joint in kinematics.tree.joints), empty="joint")
    unit = {
        j.name: kinematics.shape.frame.metres_per_unit if j.kind == "prismatic" else 1.0
        for j in kinematics.tree.joints
    }
    there = {
        (int(model.eq_obj1id[k]), int(model.eq_obj2id[k])): float(model.eq_data[k, 1])
        for k in range(model.neq)
        if model.eq_type[k] == mujoco.mjtEq.mjEQ_JOINT and model.eq_active0[k]
    }
    lost = []
    for joint in kinematics.movable:
        if joint.coupling is not None:
            pair = tuple(model.joint(clean[name]).id for name in (joint.name, joint.coupling.joint))
            wanted = joint.coupling.coefficients[1] * unit[joint.name] / unit[joint.coupling.joint]
            if not np.isclose(there.get(pair, np.nan), wanted, rtol=1e-4):
                lost.append(joint.name)
    return tuple(lost)


def _body_of_part(kinematics: JointKinematics, model: mujoco.MjModel) -> list[int]:
    """MuJoCo's body of each part, by the name of its link in the file."""
    clean = clean_names((link.name for link in kinematics.tree.links), (WORLD,))
    return [model.body(clean[name]).id for name in kinematics.shape.part_names]


def _trial_values(kinematics: JointKinematics) -> list[float]:
    """Seven tenths of the way to the farther limit of each joint; one radian for unlimited joints."""
    far = [max(pair, key=abs) for pair in kinematics.limits.tolist()]
    return [0.7 * v if np.isfinite(v) else 1.0 for v in far]


def _qpos(kinematics: JointKinematics, q: Float[Tensor, " k"]) -> dict[str, float]:
    """MuJoCo's values of all joints, including followers."""
    clean = clean_names((joint.name for joint in kinematics.tree.joints), empty="joint")
    metres = kinematics.shape.frame.metres_per_unit
    return {
        clean[joint.name]: value * (metres if joint.kind == "prismatic" else 1.0)
        for joint, value in zip(kinematics.movable, kinematics.joint_values(q).tolist(), strict=True)
    }


def _poses(model, data, values: dict[str, float]) -> Float[Array, "b 3 4"]:
    """Poses of all bodies at these joint values; all other joints are at zero."""
    data.qpos[:] = model.qpos0
    for name, value in values.items():
        data.qpos[model.joint(name).qposadr[0]] = value
    mujoco.mj_kinematics(model, data)
    return np.concatenate([data.xmat.reshape(-1, 3, 3), data.xpos[:, :, None]], axis=-1)


def _carried(rest, moved, drawn, bodies: list[int], kinematics: JointKinematics) -> Float[Array, "n 3"]:
    """Vertices moved with MuJoCo's body of their part: x ↦ R R₀ᵀ (x − p₀) + p."""
    body = np.array(bodies)[kinematics.shape.vertex_part]
    local = np.einsum("nji,nj->ni", rest[body, :, :3], drawn - rest[body, :, 3])
    return np.einsum("nij,nj->ni", moved[body, :, :3], local) + moved[body, :, 3]


def _misplaced(model, data, shape: Shape, drawn: Float[Array, "n 3"], bodies: list[int]) -> list[float]:
    """Distance of the box around each body's meshes from the box around its part."""
    off = [0.0]
    for part, body in enumerate(bodies):
        points = [_mesh_points(model, data, int(g)) for g in np.flatnonzero(model.geom_bodyid == body)]
        points = [p for p in points if len(p)]
        if points:
            own = drawn[np.unique(shape.faces[shape.part == part])]
            theirs = np.concatenate(points)
            off.append(float(max(np.abs(own.min(0) - theirs.min(0)).max(),
                                 np.abs(own.max(0) - theirs.max(0)).max())))  # fmt: skip
    return off


def _mesh_points(model, data, geom: int) -> Float[Array, "k 3"]:
    mesh = model.geom_dataid[geom]
    if mesh < 0:
        return np.zeros((0, 3))
    start, count = model.mesh_vertadr[mesh], model.mesh_vertnum[mesh]
    local = model.mesh_vert[start : start + count]
    return local @ data.geom_xmat[geom].reshape(3, 3).T + data.geom_xpos[geom]
