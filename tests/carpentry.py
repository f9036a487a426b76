"""Furniture whose motion is known beforehand. Y up, a metre across."""

from __future__ import annotations

import numpy as np
import trimesh

from neurok.shapes import Joint, JointTree, Link, Shape
from neurok.shapes.shape import concatenate


def board(low, high, name: str = "board") -> Shape:
    """An upright box between two corners, finely meshed."""
    low, high = np.asarray(low, float), np.asarray(high, float)
    mesh = trimesh.creation.box(extents=high - low).subdivide().subdivide()
    return Shape(np.array(mesh.vertices) + (low + high) / 2, np.array(mesh.faces), name, part_names=(name,))


def joined(name: str, *boards: Shape) -> Shape:
    """Boards glued to one part."""
    whole = concatenate(boards, name)
    return whole.with_(part=np.zeros(len(whole.faces), np.int32), part_names=(name,))


def carcass() -> Shape:
    """A box from −0.5 to 0.5 that is open towards +z."""
    t = 0.04
    return joined(
        "body",
        board((-0.5, -0.5, -0.5), (0.5, -0.5 + t, 0.5)),
        board((-0.5, 0.5 - t, -0.5), (0.5, 0.5, 0.5)),
        board((-0.5, -0.5 + t, -0.5), (-0.5 + t, 0.5 - t, 0.5)),
        board((0.5 - t, -0.5 + t, -0.5), (0.5, 0.5 - t, 0.5)),
        board((-0.5 + t, -0.5 + t, -0.5), (0.5 - t, 0.5 - t, -0.5 + t)),
    )


def chest() -> Shape:
    """A carcass with a drawer that fills it."""
    return concatenate([carcass(), board((-0.45, -0.45, -0.44), (0.45, 0.45, 0.5), "drawer")], "chest")


def locker() -> Shape:
    """A carcass with a door in front of it, hinged on the left."""
    door = board((-0.5, -0.5, 0.505), (0.5, 0.5, 0.545), "door")
    knob = board((0.35, -0.05, 0.545), (0.42, 0.05, 0.6), "knob")
    return concatenate([carcass(), door, knob], "locker")


def closet() -> Shape:
    """A locker whose door opens outwards about its left edge, with a knob that turns."""
    upright = np.eye(4)
    hinge = Joint(
        "hinge", "revolute", "body", "door", upright, axis=np.array([0.0, -1.0, 0.0]),
        pivot=np.array([-0.5, 0.0, 0.52]), lower=0.0, upper=1.5,
    )  # fmt: skip
    knob = Joint(
        "turn", "revolute", "door", "knob", upright, axis=np.array([0.0, 0.0, 1.0]),
        pivot=np.array([0.385, 0.0, 0.55]), lower=-1.0, upper=1.0,
    )  # fmt: skip
    links = tuple(Link(name) for name in ("body", "door", "knob"))
    return locker().with_(joints=JointTree(links, (hinge, knob)))
