# pyright: reportAttributeAccessIssue=false
"""Forward kinematics against MuJoCo's own, on the same file."""

from __future__ import annotations

from pathlib import Path
from xml.etree.ElementTree import Element, SubElement, tostring

import mujoco
import numpy as np
from jaxtyping import Float

from neurok.export.robots.mujoco_check import quiet
from neurok.kinematics import joints_of, random_poses
from neurok.kinematics.qpos import q_to_qpos
from neurok.shapes import JointTree, Shape
from neurok.shapes.robots.mjcf import compile_mjcf
from neurok.shapes.robots.mjcf_bodies import body_names, joint_names, read_tree
from neurok.shapes.robots.urdf import read_robot
from neurok.shapes.robots.urdf import read_tree as read_urdf_tree

PLANAR = ("_TX", "_TY", "_RZ")  # what MuJoCo makes of a planar joint


def max_pose_error(path: str | Path, samples: int = 5, seed: int = 0) -> float | str:
    """Largest difference of any entry of any link's position or rotation matrix, over random joint values.

    The reason as text when MuJoCo does not accept the file, which leaves nothing to compare. A URDF is given
    to MuJoCo without its geometry, so that meshes do not matter, and with fixed joints kept. Raises
    `InputError` when it is neurok that does not accept the file.
    """
    path = Path(path)
    try:
        with quiet():
            if path.suffix.lower() == ".urdf":
                root = read_robot(path)
                tree, _ = read_urdf_tree(root, path)
                model = mujoco.MjModel.from_xml_string(skeleton(root))
            else:
                tree, _ = read_tree(compile_mjcf(path), path.stem)
                model = _directly(path)
    except (ValueError, mujoco.FatalError) as error:
        return " ".join(str(error).split())
    return tree_error(tree, model, samples, seed)


def _directly(path: Path) -> mujoco.MjModel:
    """MuJoCo's reading of the file itself; of a fragment, which it refuses, the reading of the mended one."""
    try:
        return mujoco.MjModel.from_xml_path(str(path))
    except ValueError:
        return compile_mjcf(path)


def skeleton(robot: Element) -> str:
    """A URDF with the links and joints of another, and nothing else."""
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
    """Largest difference between our poses of a tree's links and MuJoCo's of the bodies of the same name."""
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
    """MuJoCo's qpos from the pieces of our joints, by name; a planar joint is three of MuJoCo's."""
    pieces = dict(pieces)
    for name, piece in list(pieces.items()):
        pieces |= {name + suffix: piece[i : i + 1] for i, suffix in enumerate(PLANAR) if len(piece) == 3}
    return np.concatenate([pieces[name] for name in joint_names(model)]) if model.njnt else np.zeros(0)


def _empty(tree: JointTree) -> Shape:
    """A shape of no faces for a tree whose geometry does not matter."""
    return Shape(np.zeros((0, 3)), np.zeros((0, 3), np.int32), tree.name, part_names=(tree.links[0].name,))
