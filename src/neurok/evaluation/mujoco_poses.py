# pyright: reportAttributeAccessIssue=false
"""Compares forward kinematics with MuJoCo on the same file."""

from __future__ import annotations

from pathlib import Path
from xml.etree.ElementTree import Element, SubElement, tostring

import mujoco
import numpy as np
from jaxtyping import Float

from neurok.kinematics import joints_of, random_poses
from neurok.kinematics.qpos import q_to_qpos
from neurok.shapes import JointTree, Shape
from neurok.shapes.robots.mjcf import compile_mjcf
from neurok.shapes.robots.mjcf_bodies import body_names, joint_names, read_tree
from neurok.shapes.robots.mujoco_warnings import collected_warnings
from neurok.shapes.robots.urdf import read_robot
from neurok.shapes.robots.urdf import read_tree as read_urdf_tree

PLANAR = ("_TX", "_TY", "_RZ")  # suffixes of the three joints that replace a planar joint in MuJoCo


def max_pose_error(path: str | Path, samples: int = 5, seed: int = 0) -> float | str:
    """Largest entry-wise difference of link positions and rotation matrices, over random joint values.

    Gives the reason as text if MuJoCo does not load the file. A URDF is passed to MuJoCo without geometry and
    with fixed joints kept. Raises `InputError` if neurok does not load the file.
    """
    path = Path(path)
    try:
        with collected_warnings():
            if path.suffix.lower() == ".urdf":
                root = read_robot(path)
                tree, _ = read_urdf_tree(root, path)
                model = mujoco.MjModel.from_xml_string(skeleton(root))
            else:
                tree, _ = read_tree(compile_mjcf(path), path.stem)
                model = _load_model(path)
    except (ValueError, mujoco.FatalError) as error:
        return " ".join(str(error).split())
    return tree_error(tree, model, samples, seed)


def _load_model(path: Path) -> mujoco.MjModel:
    """Model of the file as MuJoCo loads it; a fragment that it rejects is completed first."""
    try:
        return mujoco.MjModel.from_xml_path(str(path))
    except ValueError:
        return compile_mjcf(path)


def skeleton(robot: Element) -> str:
    """URDF that contains only the links and joints of a robot."""
    bare = Element("robot", {"name": robot.get("name") or "robot"})
    settings = {"fusestatic": "false", "boundmass": "1", "boundinertia": "1", "strippath": "false"}
    SubElement(SubElement(bare, "mujoco"), "compiler", settings)
    for link in robot.findall("link"):
        SubElement(bare, "link", {"name": (link.get("name") or "").strip()})
    for joint in robot.findall("joint"):
        copy = SubElement(bare, "joint", dict(joint.attrib))
        copy.extend(e for e in joint if e.tag in ("origin", "parent", "child", "axis"))
    return tostring(bare, encoding="unicode")


def tree_error(tree: JointTree, model: mujoco.MjModel, samples: int = 5, seed: int = 0) -> float:
    """Largest difference between link poses of a tree and body poses of MuJoCo with the same names."""
    kinematics = joints_of(_empty(tree), tree)
    q = random_poses(kinematics, samples, seed, reach=2.0)
    ours = kinematics.link_poses(q).numpy()
    pieces = {name: piece.numpy() for name, piece in q_to_qpos(kinematics, q).items()}
    names, data = body_names(model), mujoco.MjData(model)
    index = [kinematics.link_index[name] for name in names[1:]]
    worst = 0.0
    for sample in range(samples):
        data.qpos[:] = _qpos(model, {name: piece[sample] for name, piece in pieces.items()})
        mujoco.mj_kinematics(model, data)
        theirs = np.concatenate([data.xmat[1:].reshape(-1, 3, 3), data.xpos[1:, :, None]], axis=-1)
        worst = max(worst, float(np.abs(ours[sample, index, :3] - theirs).max(initial=0.0)))
    return worst


def _qpos(model: mujoco.MjModel, pieces: dict[str, Float[np.ndarray, " w"]]) -> Float[np.ndarray, " nq"]:
    """MuJoCo's qpos from joint values by name; a planar joint corresponds to three joints in MuJoCo."""
    pieces = dict(pieces)
    for name, piece in list(pieces.items()):
        pieces |= {name + suffix: piece[i : i + 1] for i, suffix in enumerate(PLANAR) if len(piece) == 3}
    return np.concatenate([pieces[name] for name in joint_names(model)]) if model.njnt else np.zeros(0)


def _empty(tree: JointTree) -> Shape:
    """Shape without faces, for a tree without geometry."""
    return Shape(np.zeros((0, 3)), np.zeros((0, 3), np.int32), tree.name, part_names=(tree.links[0].name,))
