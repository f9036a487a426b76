"""The true joints of an object as certain predictions, and their motion under a push."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import numpy as np
from jaxtyping import Float, Int
from torch import Tensor

from neurok.dynamics import Push, SimulationConfig
from neurok.errors import InputError
from neurok.kinematics import Kinematics, LinkedKinematics, joints_of
from neurok.pipelines.simulate import Options, Setup, prepare
from neurok.shapes import Joint, JointTree, Link, Shape

Array = np.ndarray
WATCHED = SimulationConfig(seconds=1.0, fps=30.0)  # the compared motion


def true_kinematics(labelled: Shape) -> LinkedKinematics:
    """The annotated joints as predictions of confidence 1.

    A mesh states no masses and no friction. Links therefore have the mass of their geometry, and joints have
    neither damping nor friction. Free roots are fixed, as the base of a mesh is. As with predicted joints,
    the given pose is balanced under gravity.
    """
    tree = labelled.joints
    if tree is None:
        raise InputError(labelled.name, "has no joints", "Evaluate objects with joints")
    joints = tuple(_certain(joint) for joint in tree.joints)
    if not any(joint.dim for joint in joints):
        raise InputError(labelled.name, "has no joint that moves", "Evaluate objects with joints")
    links = tuple(Link(link.name) for link in tree.links)
    return joints_of(labelled.with_(joints=JointTree(links, joints, tree.name, tree.roots)))


def _certain(joint: Joint) -> Joint:
    if joint.kind == "floating":
        return Joint(joint.name, "fixed", joint.parent, joint.child, joint.origin)
    return replace(joint, confidence=1.0, damping=0.0, friction=0.0)


def body_of_vertex(kinematics: LinkedKinematics, count: int) -> Int[Array, " n"]:
    """The rigid body of each of the first `count` vertices."""
    shape = kinematics.shape
    body = np.array([kinematics.body_of_link[name] for name in shape.part_names])
    return body[shape.vertex_part[:count]]


class Watched(NamedTuple):
    """One simulated second: its setup, and the coordinates and vertices in every frame."""

    setup: Setup
    q: Float[Tensor, "frames k"]
    positions: Float[Array, "frames n 3"]


def watch(item: Shape | Kinematics, push: Push, count: int, seed: int = 0) -> Watched:
    """The motion of the first `count` vertices under a push, with the defaults of `neurok simulate`.

    A run that stops early repeats its last pose.
    """
    setup = prepare(item, [push], config=WATCHED, options=Options(seed=seed))
    run = setup.run()
    q = run.q[: run.frames[0], 0].detach()
    moved = run.kinematics.positions(q)[:, :count].numpy()
    missing = round(WATCHED.seconds * WATCHED.fps) + 1 - len(moved)
    return Watched(setup, q, np.concatenate([moved, np.repeat(moved[-1:], missing, axis=0)]))
