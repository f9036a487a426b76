# pyright: reportAttributeAccessIssue=false
"""Integrates MuJoCo's equations of motion of a joint tree with small Runge–Kutta steps.

The classical Runge–Kutta method of order four integrates the mass matrix, bias forces and gravity of MuJoCo.
MuJoCo's own integrator keeps a push on a rotating body constant over a step. Limits, contact, joint damping,
friction and springs, armature, actuators, tendons and welds are switched off. Couplings are exact: MuJoCo's
equations are projected onto them.
"""

from __future__ import annotations

from dataclasses import dataclass

import mujoco
import numpy as np
import torch
from jaxtyping import Float, Int

from neurok.evaluation.mujoco_poses import PLANAR
from neurok.geometry.arrays import to_numpy
from neurok.kinematics import LinkedKinematics
from neurok.kinematics.jets.joints import JointJets
from neurok.kinematics.link_mass import link_inertia
from neurok.kinematics.qpos import qpos_to_q
from neurok.shapes import Inertia
from neurok.shapes.robots.mjcf_bodies import body_names, joint_names

Array = np.ndarray
GRAVITY = 9.81  # m/s²


@dataclass(frozen=True, eq=False)
class BodyPush:
    """Constant force on a point of a body, from time 0 for `seconds`."""

    body: str
    place: Float[Array, "3"]  # in the body's frame
    force: Float[Array, "3"]  # N
    seconds: float


def prepared(
    model: mujoco.MjModel, kinematics: LinkedKinematics, gravity: float = GRAVITY,
    inertia: dict[str, Inertia] | None = None,
) -> mujoco.MjModel:  # fmt: skip
    """Model with the masses of the kinematics, in which only inertia and gravity act.

    `inertia` (links in their own frames) replaces the masses of `link_inertias`.
    """
    own = link_inertias(kinematics) if inertia is None else inertia
    for body, name in enumerate(body_names(model)):
        _set_inertia(model, body, own.get(name) if body else None)
    for zero in (
        model.dof_damping, model.dof_armature, model.dof_frictionloss, model.jnt_stiffness,
        model.body_gravcomp, model.tendon_stiffness, model.tendon_damping, model.tendon_frictionloss,
    ):  # fmt: skip
        zero[:] = 0
    off = mujoco.mjtDisableBit
    model.opt.disableflags |= int(off.mjDSBL_CONSTRAINT) | int(off.mjDSBL_ACTUATION) | int(off.mjDSBL_CONTACT)
    model.opt.disableflags |= int(off.mjDSBL_SENSOR)
    model.opt.disableflags &= ~int(off.mjDSBL_GRAVITY)
    model.opt.density = model.opt.viscosity = 0.0
    model.opt.gravity[:] = -gravity * np.asarray(kinematics.shape.frame.up_vector)
    mujoco.mj_setConst(model, mujoco.MjData(model))
    return model


def link_inertias(kinematics: LinkedKinematics) -> dict[str, Inertia]:
    """Inertia of every link with mass, in the frame of the link."""
    found = {}
    for link in kinematics.tree.links:
        if (weighed := link_inertia(kinematics.shape, kinematics.tree, link)) is None:
            continue
        inertia, frame = weighed
        there = np.linalg.inv(kinematics.tree.rest_poses[link.name]) @ frame
        turn = there[:3, :3]
        found[link.name] = Inertia(
            inertia.mass, turn @ inertia.centre + there[:3, 3], turn @ inertia.tensor @ turn.T
        )
    return found


def _set_inertia(model: mujoco.MjModel, body: int, inertia: Inertia | None) -> None:
    model.body_mass[body], model.body_inertia[body] = 0, 0
    model.body_sameframe[body] = model.body_simple[body] = 0  # disables shortcuts that assume other masses
    if inertia is None:
        return
    values, axes = np.linalg.eigh(inertia.tensor)
    axes[:, 0] *= np.linalg.det(axes)
    model.body_mass[body], model.body_inertia[body] = inertia.mass, values
    model.body_ipos[body] = inertia.centre
    mujoco.mju_mat2Quat(model.body_iquat[body], np.ascontiguousarray(axes).ravel())


class Motion:
    """Frames of qpos, starting at rest pose.

    With coupled joints the velocity v is that of the independent coordinates, and MuJoCo's is v W(q). The
    equations are projected: W (M Wᵀ v̇ + M Ẇᵀ v + bias) = W force. The six coordinates of a free body are
    those of MuJoCo. `speed` is the initial velocity of the coordinates; only revolute and prismatic joints
    use it.
    """

    def __init__(
        self, model: mujoco.MjModel, kinematics: LinkedKinematics, push: BodyPush | None,
        speed: Float[Array, " k"] | None = None,
    ) -> None:  # fmt: skip
        self.model, self.data, self.push = model, mujoco.MjData(model), push
        self.body = 0 if push is None else body_names(model).index(push.body)
        self.jets: JointJets | None = to_numpy(kinematics.jets) if kinematics.followers.rounds else None
        self.columns = columns_of(model, kinematics)
        self.dof_columns = dof_columns_of(model, kinematics)
        self.rest = kinematics._all_rest.numpy()
        self.speed = np.zeros(len(kinematics.names)) if speed is None else speed

    def frames(self, seconds: float, fps: float, dt: float) -> Float[Array, "frames w"]:
        """qpos at every frame."""
        q, v = self.model.qpos0.copy(), self._qvel()
        if self.jets is not None:
            q, v = self._moved(q, 0 * self.speed, 0.0), self.speed.copy()
        steps = max(1, round(1 / (fps * dt)))
        h, found = 1 / (fps * steps), [q.copy()]
        for frame in range(round(seconds * fps)):
            for i in range(steps):
                q, v = self._step(q, v, frame / fps + i * h, h)
            found.append(q.copy())
        return np.array(found)

    def _qvel(self) -> Array:
        """Initial velocity in MuJoCo's coordinates."""
        v, known = np.zeros(self.model.nv), self.columns >= 0
        if self.jets is None:
            v[self.model.jnt_dofadr[known]] = self.speed[self.columns[known]]
        return v

    def _step(self, q: Array, v: Array, time: float, h: float) -> tuple[Array, Array]:
        """One Runge–Kutta step of order four on the configuration manifold; a push ends between steps."""
        is_pushed = self.push is not None and time < self.push.seconds - 1e-9
        rates, changes = [v], [self._acceleration(q, v, is_pushed)]
        for ahead in (0.5, 0.5, 1.0):
            at = self._moved(q, rates[-1], ahead * h)
            rates.append(v + ahead * h * changes[-1])
            changes.append(self._acceleration(at, rates[-1], is_pushed))
        rate, change = (
            (x[0] + 2 * x[1] + 2 * x[2] + x[3]) / 6 for x in (rates, changes)
        )  # fmt: skip
        return self._moved(q, rate, h), v + h * change

    def _moved(self, q: Array, rate: Array, h: float) -> Array:
        moved = q.copy()
        if self.jets is None:
            mujoco.mj_integratePos(self.model, moved, rate, h)
            return moved
        values, slopes, _ = self._values(self._leaders(q) + h * rate, rate)
        mujoco.mj_integratePos(self.model, moved, rate @ slopes, h)
        known = self.columns >= 0
        moved[self.model.jnt_qposadr[known]] = values[self.columns[known]]
        return moved

    def _leaders(self, q: Array) -> Float[Array, " k"]:
        """Independent revolute and prismatic coordinates relative to rest; zero for the others."""
        values, known = self.rest.copy(), self.columns >= 0
        values[self.columns[known]] = q[self.model.jnt_qposadr[known]]
        found, order = np.zeros(len(self.speed)), self.jets.order  # pyright: ignore
        free = order < len(found)
        found[order[free]] = (values - self.rest)[free]
        return found

    def _values(self, leaders: Array, v: Array) -> tuple[Array, Array, Array]:
        """Values of all joints, their slopes W by the leaders, and the rate of W along v."""
        values, slopes, rate = (x[0] for x in self.jets.values(leaders[None], v[None]))  # pyright: ignore
        return values + self.rest, slopes[:, self.dof_columns], rate[:, self.dof_columns]

    def _acceleration(self, q: Array, v: Array, is_pushed: bool) -> Array:
        if self.jets is None:
            self._evaluate(q, v, is_pushed)
            return self.data.qacc_smooth.copy()
        _, slopes, slopes_rate = self._values(self._leaders(q), v)
        self._evaluate(q, v @ slopes, is_pushed)
        mass = np.zeros((self.model.nv, self.model.nv))
        mujoco.mj_fullM(self.model, self.data, mass)
        force = self.data.qfrc_applied - self.data.qfrc_bias - mass @ (v @ slopes_rate)
        return np.linalg.solve(slopes @ mass @ slopes.T, slopes @ force)

    def _evaluate(self, qpos: Array, qvel: Array, is_pushed: bool) -> None:
        """Evaluates MuJoCo at one state: positions, velocities, forces, accelerations."""
        model, data = self.model, self.data
        data.qpos[:], data.qvel[:], data.qfrc_applied[:] = qpos, qvel, 0
        mujoco.mj_fwdPosition(model, data)
        mujoco.mj_fwdVelocity(model, data)
        if is_pushed and self.push is not None:
            point = data.xpos[self.body] + data.xmat[self.body].reshape(3, 3) @ self.push.place
            force = np.asarray(self.push.force, np.float64)
            mujoco.mj_applyFT(model, data, force, np.zeros(3), point, self.body, data.qfrc_applied)
        mujoco.mj_fwdAcceleration(model, data)


def columns_of(model: mujoco.MjModel, kinematics: LinkedKinematics) -> Int[Array, " joints"]:
    """Column of the joint values for each hinge and slide of MuJoCo; −1 for other joints."""
    column = _first_columns(kinematics)
    narrow = model.jnt_type >= int(mujoco.mjtJoint.mjJNT_SLIDE)
    names = joint_names(model)
    return np.array([column[n] if ok else -1 for n, ok in zip(names, narrow, strict=True)], dtype=np.int64)


def dof_columns_of(model: mujoco.MjModel, kinematics: LinkedKinematics) -> Int[Array, " nv"]:
    """Column of the joint values for each degree of freedom of MuJoCo."""
    first = np.array([_first_columns(kinematics)[name] for name in joint_names(model)], dtype=np.int64)
    joint = model.dof_jntid
    return first[joint] + np.arange(model.nv) - model.jnt_dofadr[joint]


def _first_columns(kinematics: LinkedKinematics) -> dict[str, int]:
    column, at = {}, 0
    for joint in kinematics.movable:
        column[joint.name] = at
        if joint.kind == "planar":
            column |= {joint.name + suffix: at + i for i, suffix in enumerate(PLANAR)}
        at += joint.dim
    return column


def as_coordinates(
    kinematics: LinkedKinematics, model: mujoco.MjModel, frames: Float[Array, "f w"]
) -> Float[Array, "f k"]:
    """Frames of a `Motion` in the coordinates of the kinematics, whose joints may have another order."""
    names, address = joint_names(model), [*model.jnt_qposadr, model.nq]
    piece = {name: frames[:, address[i] : address[i + 1]] for i, name in enumerate(names)}
    ordered = [
        piece[j.name] if j.name in piece else np.concatenate([piece[j.name + s] for s in PLANAR], 1)
        for j in kinematics.movable
    ]
    return qpos_to_q(kinematics, torch.tensor(np.concatenate(ordered, 1))).numpy()
