"""Small recordings with a known motion, for the tests of the store and its readers."""

from __future__ import annotations

import numpy as np
import torch
import trimesh

from neurok.datasets.record import Family, Origin, Recording
from neurok.kinematics import JointKinematics, animate
from neurok.sequences import Sequence
from neurok.shapes import Coupling, Frame, Joint, JointTree, Link, Shape, concatenate

AXIS, PIVOT = np.array([0.0, 1.0, 0.0]), np.array([0.5, 0.0, 0.25])


def origin(name: str = "tests/thing", family: Family = "articulated", category: str = "thing") -> Origin:
    return Origin(name, category, family, "CC0-1.0", "made up")


def box(name: str, size, centre) -> Shape:
    mesh = trimesh.creation.box(size)
    return Shape(mesh.vertices + np.asarray(centre), mesh.faces, name=name, part_names=(name,))


def hinge_shape(scale: float = 1.0, offset=(0.0, 0.0, 0.0), up: str = "y") -> Shape:
    """Frame and door that turns about AXIS through PIVOT; optionally scaled and shifted."""
    parts = [box("frame", (1, 1, 0.5), (0, 0, 0)), box("door", (0.8, 0.9, 0.1), (0.9, 0.05, 0.3))]
    shape = concatenate(parts, "hinge")
    joint = Joint(
        "turn", "revolute", "frame", "door", axis=AXIS, pivot=PIVOT * scale + offset, lower=0.0, upper=2.0
    )
    tree = JointTree((Link("frame"), Link("door")), (joint,))
    return shape.with_(vertices=shape.vertices * scale + np.asarray(offset), joints=tree, frame=Frame(up))


def hinge(values, name: str = "tests/hinge", category: str = "door", **where) -> Recording:
    """The door at given angles, in two clips."""
    kinematics = JointKinematics(hinge_shape(**where))
    q = torch.tensor(values, dtype=torch.float64)[:, None]
    half = max(1, len(values) // 2)
    clips = [
        animate(kinematics, part, 15.0, clip)
        for clip, part in (("open", q[:half]), ("close", q[half:]))
        if len(part)
    ]
    return Recording(origin(name, "articulated", category), tuple(clips))


def chain_shape(stretch=(1.0, 1.0, 1.0)) -> Shape:
    """Four boxes in a row: an oblique hinge, a slide, and a hinge that follows the first one.

    With `stretch` the shape, its hinge lines and its slides are stretched by hand.
    """
    s = np.asarray(stretch, np.float64)
    parts = [box(f"link{k}", (0.8, 0.3 + 0.1 * k, 0.4), (k, 0.1 * k, 0)) for k in range(4)]
    shape = concatenate(parts, "chain")
    axes = [np.array([0.3, 1.0, 0.2]), np.array([0.5, 0.2, -0.4]), np.array([0.0, 0.4, 1.0])]
    pivots = [np.array([0.5, 0, 0.1]), np.zeros(3), np.array([2.5, 0.2, 0])]
    kinds = ["revolute", "prismatic", "continuous"]
    joints = []
    for k in range(3):
        axis = axes[k] / np.linalg.norm(axes[k])
        follow = Coupling("joint0", (0.0, -0.5)) if k == 2 else None
        joints.append(
            Joint(f"joint{k}", kinds[k], f"link{k}", f"link{k + 1}", axis=axis * s, pivot=pivots[k] * s,
                  lower=-2.0, upper=2.0, coupling=follow)
        )  # fmt: skip
    tree = JointTree(tuple(Link(f"link{k}") for k in range(4)), tuple(joints))
    return shape.with_(vertices=shape.vertices * s, joints=tree)


def chain(name: str = "tests/chain") -> Recording:
    q = torch.tensor(np.random.default_rng(5).uniform(-1, 1, (9, 2)))
    return Recording(origin(name, category="chain"), (animate(JointKinematics(chain_shape()), q),))


def bar_shape(cells: int = 24) -> Shape:
    """A bar along x from −1 to 1, its surface a fine grid."""
    mesh = trimesh.creation.box((2, 0.3, 0.2))
    while len(mesh.faces) < 12 * cells:
        mesh = mesh.subdivide()
    return Shape(mesh.vertices, mesh.faces, name="bar")


def bent(points: np.ndarray, curvature: float) -> np.ndarray:
    """Pure bending in the plane of x and y: sections stay flat and turn by the angle κ x."""
    if abs(curvature) < 1e-9:
        return points.copy()
    x, y, z = points.T
    radius = 1 / curvature
    return np.stack(
        [(radius - y) * np.sin(curvature * x), radius - (radius - y) * np.cos(curvature * x), z], axis=1
    )


def bar(curvatures=(0.0, 0.3, -0.8, 1.2), name: str = "tests/bar", family: Family = "elastic") -> Recording:
    shape = bar_shape()
    positions = np.stack([bent(shape.vertices, k) for k in curvatures])
    return Recording(origin(name, family, "bar"), (Sequence(shape, positions, 24.0, "bend"),))
