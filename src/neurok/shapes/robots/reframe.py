"""Converts a mechanism to other units and another up axis."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import numpy as np

from neurok.errors import InputError
from neurok.geometry.transforms import pose
from neurok.shapes.robots.assembly import transformed
from neurok.shapes.robots.tree import Coupling, Joint, JointTree
from neurok.shapes.shape import Frame, Shape

ROBOT_FRAME = Frame("z", 1.0)  # of URDF and MJCF
WORLD = "world"


def reframed(shape: Shape, target: Frame) -> Shape:
    """A mechanism from an exported file, restored to the original frame that the file states.

    The empty root that the exporter adds to a rotated mechanism is removed, since roots have a pose here.
    """
    assert shape.joints is not None
    tree = _without_world(reframed_tree(shape.joints, shape.frame, target), shape.part_names)
    return transformed(shape, shape.frame.to(target)).with_(joints=tree, frame=target)


def stated_frame(attributes: Mapping[str, str], path: Path) -> Frame:
    """The original frame that an exported file states for its shape."""
    up, scale = attributes.get("up"), attributes.get("metres_per_unit", "")
    try:
        metres = float(scale)
    except ValueError:
        metres = np.nan
    if up not in ("y", "z") or not 0 < metres < np.inf:
        cause = f"states the frame up={up!r} metres_per_unit={scale!r}"
        raise InputError(path, cause, "Use up y or z and a positive number, or remove the entry")
    return Frame(up, metres)


def reframed_tree(tree: JointTree, source: Frame, target: Frame) -> JointTree:
    """The tree in the coordinates of another frame.

    Links keep their axes, so that joint values keep their meaning, including those of ball and planar
    joints. With x ↦ s R x the map of coordinates, a root (Q, p) becomes (R Q, s R p), a joint's origin (Q, p)
    becomes (Q, s p), and the values of a slide become s q. Inertias stay in SI units.
    """
    scale = source.metres_per_unit / target.metres_per_unit
    turn = source.to(target)[:3, :3] / scale
    length = {joint.name: scale if joint.kind == "prismatic" else 1.0 for joint in tree.joints}

    def joint(j: Joint) -> Joint:
        unit = length[j.name]
        return replace(
            j, origin=pose(j.origin[:3, :3], scale * j.origin[:3, 3]), pivot=scale * j.pivot,
            lower=unit * j.lower, upper=unit * j.upper, rest=unit * j.rest,
            coupling=j.coupling and _scaled(j.coupling, unit, length[j.coupling.joint]),
        )  # fmt: skip

    roots = {}
    for name in tree.order:
        if name not in tree.parent_joint:
            matrix = tree.roots.get(name, np.eye(4))
            roots[name] = pose(turn @ matrix[:3, :3], scale * turn @ matrix[:3, 3])
    return JointTree(tree.links, tuple(joint(x) for x in tree.joints), tree.name, roots)


def _scaled(coupling: Coupling, own: float, leader: float) -> Coupling:
    """q = Σ c_k q'^k in other units: own · q = Σ (c_k own / leader^k) (leader · q')^k."""
    scaled = tuple(c * own / leader**k for k, c in enumerate(coupling.coefficients))
    return Coupling(coupling.joint, scaled)


def _without_world(tree: JointTree, parts: tuple[str, ...]) -> JointTree:
    """The tree with links that an empty root named world holds by fixed joints turned into roots."""
    below = [j for j in tree.joints if j.parent == WORLD]
    is_frame = WORLD in tree.order[:1] and WORLD not in parts and all(j.kind == "fixed" for j in below)
    if not below or not is_frame:
        return tree
    base = tree.roots.get(WORLD, np.eye(4))
    roots = {k: v for k, v in tree.roots.items() if k != WORLD} | {j.child: base @ j.origin for j in below}
    links = tuple(link for link in tree.links if link.name != WORLD)
    return JointTree(links, tuple(j for j in tree.joints if j.parent != WORLD), tree.name, roots)
