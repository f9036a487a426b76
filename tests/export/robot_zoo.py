"""Jointed shapes built in code, and plain forward kinematics for comparison."""

from __future__ import annotations

import numpy as np
import trimesh
from scipy.spatial.transform import Rotation

from neurok.shapes import Shape
from neurok.shapes.robots.tree import Coupling, Joint, JointTree, Link
from neurok.shapes.shape import Frame, concatenate

Z_UP = Frame("z", 1.0)


def box(name: str, size, at=(0, 0, 0), frame: Frame = Z_UP) -> Shape:
    mesh = trimesh.creation.box(size)
    return Shape(
        np.array(mesh.vertices) + np.asarray(at), np.array(mesh.faces), name, part_names=(name,), frame=frame
    )


def posed(rotvec=(0, 0, 0), at=(0, 0, 0)) -> np.ndarray:
    matrix = np.eye(4)
    matrix[:3, :3], matrix[:3, 3] = Rotation.from_rotvec(rotvec).as_matrix(), at
    return matrix


def cabinet() -> Shape:
    """Z-up metres: a door hinged at its left edge, and a drawer along −y that rests half open."""
    parts = [
        box("body", (0.6, 0.4, 1.0)),
        box("door", (0.6, 0.02, 0.5), (0, -0.22, -0.25)),
        box("drawer", (0.56, 0.36, 0.2), (0, -0.1, 0.3)),
    ]
    tree = JointTree(
        tuple(Link(n) for n in ("body", "door", "drawer")),
        (
            Joint(
                "hinge", "revolute", "body", "door",
                axis=np.array([0, 0, 2.0]), pivot=np.array([-0.3, -0.22, 0]),
                lower=-1.6, upper=0.3, damping=0.2, friction=0.05, rest=0.2,
            ),
            Joint(
                "rail", "prismatic", "body", "drawer", posed(at=(0, 0, 0.1)), np.array([0, -1.0, 0]),
                lower=0, upper=0.3, rest=0.1, damping=3.0,
            ),
        ),
        "cabinet",
    )  # fmt: skip
    return concatenate(parts, "cabinet").with_(joints=tree, frame=Frame("z", 1.0))


def laptop() -> Shape:
    """Y-up millimetres: a lid hinged about x at the back edge, and a tray that slides out of the side."""
    mm = Frame("y", 0.001)
    parts = [
        box("base", (300, 20, 200), frame=mm),
        box("lid", (300, 10, 200), (0, 16, 0), frame=mm),
        box("tray", (120, 6, 120), (80, 0, 0), frame=mm),
    ]
    tree = JointTree(
        tuple(Link(n) for n in ("base", "lid", "tray")),
        (
            Joint("lid_hinge", "revolute", "base", "lid", posed((0, 0.4, 0), (0, 15, -100)),
                  np.array([1.0, 0.2, 0]), np.array([3.0, 1.0, -2.0]), 0.0, 2.2, rest=0.3),
            Joint("eject", "prismatic", "base", "tray", posed(at=(20, 0, 0)), np.array([1.0, 0, 0]),
                  lower=0.0, upper=100.0, rest=15.0, damping=1.0),
        ),
        "laptop",
    )  # fmt: skip
    return concatenate(parts, "laptop").with_(joints=tree, frame=mm)


def ball_chain() -> Shape:
    """Three bars in a chain of ball joints, and a small free body beside the last one."""
    bars = [box(f"bar{k}", (0.05, 0.05, 0.3), (0, 0, -0.35 * k)) for k in range(4)]
    joints = tuple(
        Joint(
            f"ball{k}",
            "ball",
            f"bar{k - 1}",
            f"bar{k}",
            pivot=np.array([0.02, 0, -0.35 * k + 0.175]),
            damping=1e-3,
        )
        for k in range(1, 4)
    )
    tree = JointTree(tuple(Link(f"bar{k}") for k in range(4)), joints, "chain")
    return concatenate(bars, "chain").with_(joints=tree, frame=Frame("z", 1.0))


def geared(coefficients=(0.0, -2.0)) -> Shape:
    """A wheel, a coupled wheel and a rack, in centimetres, so that couplings depend on units."""
    cm = Frame("z", 0.01)
    parts = [box("frame", (30, 2, 2), frame=cm), box("wheel", (8, 2, 8), (0, 5, 0), frame=cm)]
    parts += [box("pinion", (4, 2, 4), (10, 5, 0), frame=cm), box("rack", (20, 2, 1), (0, 9, 5), frame=cm)]
    y = np.array([0, 1.0, 0])
    tree = JointTree(
        tuple(Link(n) for n in ("frame", "wheel", "pinion", "rack")),
        (
            Joint("drive", "continuous", "frame", "wheel", axis=y, rest=0.1, damping=0.01),
            Joint("follow", "continuous", "frame", "pinion", axis=y, pivot=np.array([10.0, 5, 0]), rest=0.3,
                  coupling=Coupling("drive", coefficients), damping=0.01),
            Joint("push", "prismatic", "frame", "rack", axis=np.array([1.0, 0, 0]), lower=-50, upper=50,
                  coupling=Coupling("follow", (0.0, 3.0)), damping=1.0),
        ),
        "gears",
    )  # fmt: skip
    return concatenate(parts, "gears").with_(joints=tree, frame=cm)


def motion(joint: Joint, value) -> np.ndarray:
    """motion(q − rest): translation, then rotation about the pivot."""
    slide, turn = np.zeros(3), np.zeros(3)
    axis = joint.axis / np.linalg.norm(joint.axis)
    if joint.kind in ("revolute", "continuous"):
        turn = axis * (value - joint.rest)
    elif joint.kind == "prismatic":
        slide = axis * (value - joint.rest)
    elif joint.kind == "ball":
        turn = np.asarray(value)
    elif joint.kind == "floating":
        slide, turn = np.asarray(value[:3]), np.asarray(value[3:])
    elif joint.kind == "planar":
        shortest, _ = Rotation.align_vectors([axis], [[0, 0, 1.0]])
        slide = shortest.apply([value[0], value[1], 0])
        turn = axis * value[2]
    pivot = joint.pivot
    return posed(at=slide) @ posed(at=pivot) @ posed(turn) @ posed(at=-pivot)


def poses(tree: JointTree, values: dict) -> dict[str, np.ndarray]:
    """child = parent · origin · motion, with the followers' values from their leaders."""
    result = {}
    for name in tree.order:
        joint = tree.parent_joint.get(name)
        if joint is None:
            result[name] = tree.roots.get(name, np.eye(4))
        else:
            result[name] = result[joint.parent] @ joint.origin @ motion(joint, values.get(joint.name, 0.0))
    return result


def posed_vertices(shape: Shape, tree: JointTree, values: dict, link: str) -> np.ndarray:
    """World positions of a link's vertices in Z-up metres, sorted by face corner."""
    points = shape.vertices[shape.faces[shape.faces_of(link)]].reshape(-1, 3)
    moved = poses(tree, values)[link] @ np.linalg.inv(tree.rest_poses[link])
    to_robot = shape.frame.to(Frame("z", 1.0)) @ moved
    return points @ to_robot[:3, :3].T + to_robot[:3, 3]
