# pyright: reportAttributeAccessIssue=false
"""Converts bodies, joints and couplings of a compiled MuJoCo model into a `JointTree`."""

from __future__ import annotations

from dataclasses import replace

import mujoco
import numpy as np

from neurok.geometry.quaternions import normalised, quaternion_to_matrix
from neurok.geometry.transforms import pose
from neurok.shapes.robots.couplings import with_coupled_rest
from neurok.shapes.robots.tree import Coupling, Inertia, Joint, JointKind, JointTree, Link
from neurok.shapes.shape import unique_names

KINDS: dict[int, JointKind] = {
    int(mujoco.mjtJoint.mjJNT_HINGE): "revolute", int(mujoco.mjtJoint.mjJNT_SLIDE): "prismatic",
    int(mujoco.mjtJoint.mjJNT_BALL): "ball", int(mujoco.mjtJoint.mjJNT_FREE): "floating",
}  # fmt: skip


def body_names(model: mujoco.MjModel) -> tuple[str, ...]:
    """The name of every body; unnamed ones get their number."""
    return unique_names([model.body(i).name or f"body_{i}" for i in range(model.nbody)])


def joint_names(model: mujoco.MjModel) -> tuple[str, ...]:
    """The name of every joint; unnamed ones are named after their body and kind."""
    bodies = body_names(model)
    unnamed = [f"{bodies[model.jnt_bodyid[j]]}_{KINDS[int(model.jnt_type[j])]}" for j in range(model.njnt)]
    return unique_names([model.joint(j).name or unnamed[j] for j in range(model.njnt)])


def read_tree(model: mujoco.MjModel, name: str) -> tuple[JointTree, list[str]]:
    """The world and all bodies; massless links named body:joint separate the joints of one body."""
    names, joints = body_names(model), joint_names(model)
    links: list[Link] = [Link(names[0])]
    made: list[Joint] = []
    for body in range(1, model.nbody):
        chain = range(model.body_jntadr[body], model.body_jntadr[body] + model.body_jntnum[body])
        between = [f"{names[body]}:{joints[j]}" for j in chain][:-1]
        links += [Link(link) for link in between] + [Link(names[body], _inertia(model, body))]
        made += _chain(model, body, [names[model.body_parentid[body]], *between, names[body]], joints)
    notes: list[str] = []
    made = _coupled(model, made, joints, notes)
    return JointTree(tuple(links), with_coupled_rest(made), name), notes


def _inertia(model: mujoco.MjModel, body: int) -> Inertia | None:
    if model.body_mass[body] <= 0:
        return None
    rotation = quaternion_to_matrix(normalised(model.body_iquat[body]))
    tensor = rotation @ np.diag(model.body_inertia[body]) @ rotation.T
    return Inertia(float(model.body_mass[body]), model.body_ipos[body].copy(), tensor)


def _chain(model: mujoco.MjModel, body: int, links: list[str], names: tuple[str, ...]) -> list[Joint]:
    """The joints of a body as a chain: MuJoCo applies each in the frame that the previous one gives.

    Only the first has the body's pose as origin. A free joint has no pivot and replaces that pose.
    """
    place = pose(quaternion_to_matrix(normalised(model.body_quat[body])), model.body_pos[body])
    if len(links) == 2 and model.body_jntnum[body] == 0:
        return [Joint(f"{links[1]}_fixed", "fixed", links[0], links[1], place)]
    first = model.body_jntadr[body]
    return [
        _joint(model, int(first) + i, names, links[i], links[i + 1], place if i == 0 else np.eye(4))
        for i in range(model.body_jntnum[body])
    ]


def _joint(model: mujoco.MjModel, j: int, names: tuple[str, ...], parent: str, child: str, place) -> Joint:
    kind = KINDS[int(model.jnt_type[j])]
    is_single = kind in ("revolute", "prismatic")
    lower, upper = _limits(model, j, kind)
    dof = model.jnt_dofadr[j]
    force = model.jnt_actfrcrange[j] if model.jnt_actfrclimited[j] else (-np.inf, np.inf)
    return Joint(
        name=names[j], kind=kind, parent=parent, child=child, origin=place,
        axis=model.jnt_axis[j].copy(),
        pivot=np.zeros(3) if kind == "floating" else model.jnt_pos[j].copy(),
        lower=lower, upper=upper,
        rest=float(model.qpos0[model.jnt_qposadr[j]]) if is_single else 0.0,
        damping=float(np.ravel(model.dof_damping[dof])[0]),
        friction=float(np.ravel(model.dof_frictionloss[dof])[0]),
        effort=float(max(abs(force[0]), abs(force[1]))),
    )  # fmt: skip


def _limits(model: mujoco.MjModel, j: int, kind: JointKind) -> tuple[float, float]:
    """The range of a joint. A ball's limit on its angle bounds each component of its rotation vector."""
    if not model.jnt_limited[j]:
        return -np.inf, np.inf
    lower, upper = (float(x) for x in model.jnt_range[j])
    return (-upper, upper) if kind == "ball" else (lower, upper)


def _coupled(
    model: mujoco.MjModel, joints: list[Joint], names: tuple[str, ...], notes: list[str]
) -> list[Joint]:
    """Couplings of active joint equalities: q₁ − ref₁ = Σ_k c_k (q₂ − ref₂)^k; joint 1 follows joint 2."""
    by_name = {joint.name: joint for joint in joints}
    for e in range(model.neq):
        if model.eq_type[e] != mujoco.mjtEq.mjEQ_JOINT or not model.eq_active0[e]:
            continue
        follower = by_name[names[model.eq_obj1id[e]]]
        coefficients = tuple(float(c) for c in np.trim_zeros(model.eq_data[e, :5], "b")) or (0.0,)
        if model.eq_obj2id[e] < 0:
            fixed = follower.rest + coefficients[0]
            notes.append(f"joint {follower.name!r} is held at {fixed:g} by an equality.")
            by_name[follower.name] = replace(follower, lower=fixed, upper=fixed)
            continue
        leader = names[model.eq_obj2id[e]]
        if follower.coupling or _leads_to(by_name, leader, follower.name):
            notes.append(
                f"a second coupling of joint {follower.name!r} was left out: it already follows a joint."
            )
            continue
        by_name[follower.name] = replace(follower, coupling=Coupling(leader, coefficients))
    return [by_name[joint.name] for joint in joints]


def _leads_to(by_name: dict[str, Joint], start: str, target: str) -> bool:
    """Whether `start` is `target` or follows it, directly or indirectly."""
    at: Joint | None = by_name[start]
    while at is not None:
        if at.name == target:
            return True
        at = by_name[at.coupling.joint] if at.coupling else None
    return False
