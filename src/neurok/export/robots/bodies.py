"""Converts a shape and its joints to rigid bodies for export: Z-up, metres, valid names."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

import numpy as np
from jaxtyping import Float, Int

from neurok.errors import InputError
from neurok.export.robots.hulls import Hull, collision_hulls
from neurok.geometry.transforms import inverse_pose
from neurok.shapes.mass import DENSITY, THICKNESS, part_inertia, valid_inertia
from neurok.shapes.robots.reframe import ROBOT_FRAME, WORLD, reframed_tree
from neurok.shapes.robots.tree import Inertia, JointTree, Link
from neurok.shapes.seams import check_links
from neurok.shapes.shape import Frame, Shape

Array = np.ndarray


@dataclass(frozen=True)
class BodyOptions:
    """Mass parameters of bodies whose mass the file does not state."""

    density_kg_m3: float = DENSITY
    thickness_m: float = THICKNESS  # m, of parts that are sheets


@dataclass(frozen=True, eq=False)
class Body:
    """One link: its inertia and geometry in its own frame, in metres. `vertices` has the whole shape's."""

    name: str
    inertia: Inertia
    turn: Float[Array, "3 3"]  # from the shape's axes to the link's
    vertices: Float[Array, "n 3"]
    faces: Int[Array, " k"]  # indices into the shape's faces
    hulls: tuple[Hull, ...]


@dataclass(frozen=True, eq=False)
class Mechanism:
    """The bodies, parents first, and their joint tree: SI units, Z-up, valid names."""

    shape: Shape
    tree: JointTree
    bodies: tuple[Body, ...]


def mechanism(shape: Shape, tree: JointTree | None, options: BodyOptions) -> Mechanism:
    """Bodies of a shape with the joints of `tree`, by default those of the shape.

    Without joints the shape is one rigid body.
    """
    if not np.isfinite(shape.vertices[shape.faces]).all():
        raise InputError(shape.name, "some vertices are NaN or infinite", "Repair the mesh first")
    tree = tree or shape.joints
    if tree is None:
        tree = JointTree((Link(shape.name),), (), shape.name)
        shape = shape.with_(part=np.zeros(len(shape.faces), np.int32), part_names=(shape.name,))
    check_links(shape, tree)
    _check_rigid(tree)
    labelled = shape.with_(
        part=_link_of_face(shape, tree), part_names=tuple(link.name for link in tree.links)
    )
    has_world = _has_world(labelled, tree)
    clean = _renamed(reframed_tree(tree, shape.frame, ROBOT_FRAME), () if has_world else (WORLD,))
    inertias = _inertias(labelled, tree, clean, options)
    bodies = {}
    for index, link in enumerate(clean.links):
        to_link = inverse_pose(clean.rest_poses[link.name]) @ shape.frame.to(ROBOT_FRAME)
        vertices = shape.vertices @ to_link[:3, :3].T + to_link[:3, 3]
        turn = to_link[:3, :3] / shape.frame.metres_per_unit
        faces = labelled.faces_of(index)
        hulls = tuple(collision_hulls(vertices, shape.faces[faces]))
        bodies[link.name] = Body(link.name, inertias[index], turn, vertices, faces, hulls)
    return Mechanism(shape, clean, tuple(bodies[name] for name in clean.order))


def still_links(tree: JointTree) -> dict[str, bool]:
    """Whether each link is fixed to the world."""
    still: dict[str, bool] = {}
    for name in tree.order:
        joint = tree.parent_joint.get(name)
        still[name] = joint is None or (joint.kind == "fixed" and still[joint.parent])
    return still


def clean_names(names: Iterable[str], taken: Iterable[str] = (), empty: str = "link") -> dict[str, str]:
    """A valid name for each name: letters, digits, `_`, `-` and inner dots, for XML, files and simulators.

    Names are unique ignoring case. A valid name is kept.
    """
    names = list(names)
    cleaned = [re.sub(r"[^\w.-]+", "_", name).strip(".-")[:80] or empty for name in names]
    return dict(zip(names, distinct(cleaned, taken), strict=True))


def distinct(names: Iterable[str], taken: Iterable[str] = ()) -> list[str]:
    """The names with repeats numbered, unique ignoring case."""
    used = {name.casefold() for name in taken}
    result = []
    for name in names:
        candidate, k = name, 1
        while candidate.casefold() in used:
            k += 1
            candidate = f"{name}_{k}"
        used.add(candidate.casefold())
        result.append(candidate)
    return result


def _has_world(shape: Shape, tree: JointTree) -> bool:
    """Whether the root of the tree represents the world: the only root, empty, at the origin."""
    roots = [k for k, link in enumerate(tree.links) if link.name not in tree.parent_joint]
    names = [tree.links[k].name for k in roots]
    return names == [WORLD] and WORLD not in tree.roots and not (shape.part == roots[0]).any()


def _renamed(tree: JointTree, taken: tuple[str, ...]) -> JointTree:
    """The tree with valid link and joint names."""
    links = clean_names((link.name for link in tree.links), taken)
    joints = clean_names((joint.name for joint in tree.joints), empty="joint")
    return JointTree(
        tuple(replace(link, name=links[link.name]) for link in tree.links),
        tuple(
            replace(
                j, name=joints[j.name], parent=links[j.parent], child=links[j.child],
                coupling=j.coupling and replace(j.coupling, joint=joints[j.coupling.joint]),
            )
            for j in tree.joints
        ),
        clean_names([tree.name], empty="mechanism")[tree.name],
        {links[name]: matrix for name, matrix in tree.roots.items() if name in links},
    )  # fmt: skip


def _link_of_face(shape: Shape, tree: JointTree) -> Int[Array, " m"]:
    """The index of the link that each face belongs to."""
    index = {link.name: k for k, link in enumerate(tree.links)}
    return np.array([index[name] for name in shape.part_names], np.int32)[shape.part]


def _inertias(shape: Shape, tree: JointTree, clean: JointTree, options: BodyOptions) -> list[Inertia]:
    """The inertia of each link in its frame: that of the file if it has mass, else that of its geometry.

    Simulators refuse bodies without mass, so a link with neither is a ball of a thousandth of the heaviest
    link's mass and a hundredth of the shape's radius.
    """
    found: list[Inertia | None] = []
    for k, (link, new) in enumerate(zip(tree.links, clean.links, strict=True)):
        if new.inertia is not None and new.inertia.mass > 0 and np.isfinite(new.inertia.tensor).all():
            found.append(valid_inertia(new.inertia))
        elif (shape.part == k).any():
            own = part_inertia(
                shape, link.name, density_kg_m3=options.density_kg_m3, thickness_m=options.thickness_m
            )
            found.append(_in_link(own, shape.frame, clean.rest_poses[new.name]))
        else:
            found.append(None)
    mass = max((i.mass for i in found if i is not None), default=1.0) / 1000
    radius = 0.01 * (shape.normalisation.radius * shape.frame.metres_per_unit if len(shape.faces) else 1.0)
    light = valid_inertia(Inertia(mass, np.zeros(3), 0.4 * mass * radius**2 * np.eye(3)))
    return [light if inertia is None else inertia for inertia in found]


def _in_link(inertia: Inertia, frame: Frame, link: Float[Array, "4 4"]) -> Inertia:
    """An inertia in the shape's axes (metres), transformed to a link's frame."""
    turn = frame.to(ROBOT_FRAME)[:3, :3] / frame.metres_per_unit
    to_link = link[:3, :3].T @ turn
    centre = link[:3, :3].T @ (turn @ inertia.centre - link[:3, 3])
    return Inertia(inertia.mass, centre, to_link @ inertia.tensor @ to_link.T)


def _check_rigid(tree: JointTree) -> None:
    """Refuses frames that are not rigid, axes of length zero and limits in the wrong order."""
    frames: Mapping[str, Array] = {j.name: j.origin for j in tree.joints} | dict(tree.roots)
    for name, matrix in frames.items():
        if (
            not np.allclose(matrix[:3, :3] @ matrix[:3, :3].T, np.eye(3), atol=1e-6)
            or np.linalg.det(matrix) < 0
        ):
            raise InputError(
                tree.name, f"the frame of {name!r} stretches or mirrors", "Bake the scale into the mesh"
            )
    for joint in tree.joints:
        if joint.kind not in ("fixed", "ball", "floating") and not np.linalg.norm(joint.axis) > 1e-9:
            raise InputError(
                tree.name, f"joint {joint.name!r} has an axis of length zero", "Give it a direction"
            )
        if not joint.lower <= joint.upper:
            raise InputError(
                tree.name,
                f"joint {joint.name!r} has its lower limit {joint.lower:g} above its upper, {joint.upper:g}",
                "Swap them",
            )
