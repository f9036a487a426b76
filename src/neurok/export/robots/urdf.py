"""`save_urdf`: writes a `Shape` with its `JointTree` as URDF, Z-up and in metres."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from xml.etree.ElementTree import Element, SubElement

import numpy as np
from jaxtyping import Float

from neurok.errors import InputError
from neurok.export.robots.bodies import WORLD, Body, BodyOptions, Mechanism, distinct, mechanism, still_links
from neurok.export.robots.files import mesh_folder, numbers, write_robot, write_xml
from neurok.export.robots.link_meshes import LinkFiles, tint, write_meshes
from neurok.geometry.rotations import matrix_to_rpy, rotation_about
from neurok.geometry.transforms import inverse_pose, pose
from neurok.shapes.robots.tree import Joint, JointTree, Link
from neurok.shapes.shape import Shape

Array = np.ndarray

EFFORT = 1000.0  # N·m or N, for a joint without a limit, which URDF requires; more than furniture withstands
VELOCITY = 100.0  # rad/s or m/s, for a joint without a limit, which URDF requires
OPEN_LIMIT = 1000.0  # rad or m, for a slide without a range, which URDF requires


def save_urdf(
    shape: Shape, path: str | Path, *, tree: JointTree | None = None, options: BodyOptions | None = None
) -> Path:
    """Writes `<stem>.urdf` and its meshes in `<stem>_meshes/urdf`.

    URDF joints rotate about their child's origin and are zero at rest. A link's frame therefore moves to its
    joint's pivot, and the origin absorbs the rest value: origin · motion(−rest). Joint values keep their
    meaning. `<neurok up metres_per_unit>` states the original frame of the shape. Self-collision is disabled
    in MuJoCo, as is usual for URDF.
    """
    path = Path(path)
    body = mechanism(shape, tree, options or BodyOptions())
    _check_expressible(body.tree)
    rooted = _with_one_root(_centred_on_joints(body))

    def write(description: Path, meshes: Path) -> None:
        files = write_meshes(rooted, meshes)
        write_xml(_robot(rooted, files, mesh_folder(path, "urdf")), description)

    return write_robot(path, "urdf", (".urdf",), write)


def _check_expressible(tree: JointTree) -> None:
    for joint in tree.joints:
        if joint.kind == "ball":
            raise InputError(
                tree.name, f"joint {joint.name!r} is a ball, which URDF does not have", "Export MJCF"
            )
        if joint.coupling is not None and np.any(np.abs(joint.coupling.coefficients[2:]) > 0):
            cause = (
                f"joint {joint.name!r} follows {joint.coupling.joint!r} along a curve; URDF has only lines"
            )
            raise InputError(tree.name, cause, "Export MJCF")


def _centred_on_joints(old: Mechanism) -> Mechanism:
    """The mechanism with link frames at joint pivots and rest values of zero: L' = L · T(pivot)."""
    shift = {name: np.eye(4) for name in old.tree.order}
    shift |= {j.child: pose(np.eye(3), j.pivot) for j in old.tree.joints}
    joints = []
    for j in old.tree.joints:
        origin = inverse_pose(shift[j.parent]) @ j.origin @ shift[j.child] @ _motion(j, -j.rest)
        joints.append(replace(j, pivot=np.zeros(3), origin=origin))
    bodies = [_shifted(body, old.tree.parent_joint.get(body.name)) for body in old.bodies]
    return replace(old, tree=replace(old.tree, joints=tuple(joints)), bodies=tuple(bodies))


def _shifted(body: Body, joint: Joint | None) -> Body:
    """A body in the frame whose origin is its joint's pivot."""
    if joint is None or not joint.pivot.any():
        return body
    return replace(
        body, vertices=body.vertices - joint.pivot,
        inertia=replace(body.inertia, centre=body.inertia.centre - joint.pivot),
        hulls=tuple(replace(hull, vertices=hull.vertices - joint.pivot) for hull in body.hulls),
    )  # fmt: skip


def _motion(joint: Joint, value: float) -> Float[Array, "4 4"]:
    """The rotation of a hinge or translation of a slide about the origin; other kinds have no rest value."""
    axis = joint.axis / np.linalg.norm(joint.axis) if joint.axis.any() else joint.axis
    if joint.kind in ("revolute", "continuous"):
        return pose(rotation_about(axis, value), np.zeros(3))
    return pose(np.eye(3), axis * value) if joint.kind == "prismatic" else np.eye(4)


def _with_one_root(old: Mechanism) -> Mechanism:
    """The mechanism with one root at the origin, as URDF requires; other roots are fixed to a link world.

    A floating joint whose parent cannot move is attached to the world, because MuJoCo reads only that.
    """
    tree = old.tree
    roots = [link.name for link in tree.links if link.name not in tree.parent_joint]
    poses = {name: tree.roots.get(name, np.eye(4)) for name in roots}
    still = still_links(tree)
    floats = any(j.kind == "floating" and still.get(j.parent, False) for j in tree.joints)
    if roots == [WORLD] or (len(roots) == 1 and np.array_equal(poses[roots[0]], np.eye(4)) and not floats):
        return old
    taken = [joint.name for joint in tree.joints]
    names = distinct([f"{WORLD}_to_{root}" for root in roots], taken)
    anchors = [Joint(n, "fixed", WORLD, r, poses[r]) for n, r in zip(names, roots, strict=True)]
    joints = [
        replace(j, parent=WORLD, origin=tree.rest_poses[j.parent] @ j.origin)
        if j.kind == "floating" and still.get(j.parent, False)
        else j
        for j in tree.joints
    ]
    return replace(old, tree=JointTree((Link(WORLD), *tree.links), (*anchors, *joints), tree.name))


def _robot(mechanism: Mechanism, files: dict[str, LinkFiles], folder: str) -> Element:
    robot = Element("robot", name=mechanism.tree.name)
    frame = mechanism.shape.frame
    SubElement(robot, "neurok", up=frame.up, metres_per_unit=repr(float(frame.metres_per_unit)))
    mujoco = SubElement(robot, "mujoco")
    SubElement(mujoco, "compiler", meshdir=folder, strippath="true", discardvisual="true", fusestatic="false")
    SubElement(SubElement(mujoco, "option", integrator="implicitfast"), "flag", contact="disable")
    if WORLD not in files and WORLD in mechanism.tree.order:
        SubElement(robot, "link", name=WORLD)
    for body in mechanism.bodies:
        _add_link(robot, mechanism.shape, body, files[body.name], folder)
    for joint in mechanism.tree.joints:
        _add_joint(robot, joint, mechanism.tree)
    return robot


def _add_link(robot: Element, shape: Shape, body: Body, files: LinkFiles, folder: str) -> None:
    link = SubElement(robot, "link", name=body.name)
    if body.name == WORLD:
        return
    inertial = SubElement(link, "inertial")
    SubElement(inertial, "origin", xyz=numbers(*body.inertia.centre), rpy="0 0 0")
    SubElement(inertial, "mass", value=numbers(body.inertia.mass))
    i = body.inertia.tensor
    entries = {"ixx": i[0, 0], "ixy": i[0, 1], "ixz": i[0, 2], "iyy": i[1, 1], "iyz": i[1, 2], "izz": i[2, 2]}
    SubElement(inertial, "inertia", {key: numbers(value) for key, value in entries.items()})
    for visual in files.visuals:
        element = SubElement(link, "visual")
        SubElement(SubElement(element, "geometry"), "mesh", filename=f"{folder}/{visual.obj}")
        if "color" not in shape.materials[visual.material].textures and shape.colors is None:
            material = SubElement(element, "material", name=f"material{visual.material}")
            SubElement(material, "color", rgba=numbers(*tint(shape, visual.material)))
    for hull in files.hulls:
        geometry = SubElement(SubElement(link, "collision"), "geometry")
        SubElement(geometry, "mesh", filename=f"{folder}/{hull}")


def _add_joint(robot: Element, joint: Joint, tree: JointTree) -> None:
    unlimited = joint.lower == -np.inf and joint.upper == np.inf
    kind = "continuous" if joint.kind == "revolute" and unlimited else joint.kind
    element = SubElement(robot, "joint", name=joint.name, type=kind)
    turn = numbers(*matrix_to_rpy(joint.origin[:3, :3]))
    SubElement(element, "origin", xyz=numbers(*joint.origin[:3, 3]), rpy=turn)
    SubElement(element, "parent", link=joint.parent)
    SubElement(element, "child", link=joint.child)
    if kind in ("fixed", "floating"):
        return
    SubElement(element, "axis", xyz=numbers(*joint.axis / np.linalg.norm(joint.axis)))
    if kind == "planar":
        return
    limit = {"effort": (joint.effort, EFFORT), "velocity": (joint.velocity, VELOCITY)}
    if kind != "continuous":
        limit |= {"lower": (joint.lower, -OPEN_LIMIT), "upper": (joint.upper, OPEN_LIMIT)}
    SubElement(element, "limit", {k: numbers(v if np.isfinite(v) else far) for k, (v, far) in limit.items()})
    SubElement(element, "dynamics", damping=numbers(joint.damping), friction=numbers(joint.friction))
    if joint.coupling is not None:
        leader, slope, offset = _mimic(joint, {j.name: j for j in tree.joints})
        SubElement(element, "mimic", joint=leader, multiplier=numbers(slope), offset=numbers(offset))


def _mimic(joint: Joint, joints: dict[str, Joint]) -> tuple[str, float, float]:
    """(leader, a, b) with q = a q_leader + b; the leader follows no other joint, as most readers require."""
    assert joint.coupling is not None
    leader = joints[joint.coupling.joint]
    constant, slope = (*joint.coupling.coefficients, 0.0, 0.0)[:2]
    offset = joint.rest + constant - slope * leader.rest
    if leader.coupling is None:
        return leader.name, slope, offset
    name, onward, shift = _mimic(leader, joints)
    return name, slope * onward, slope * shift + offset
