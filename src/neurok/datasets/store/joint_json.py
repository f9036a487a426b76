"""Converts annotated joints to JSON in the coordinates of the unit ball, and back to the user's units."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np

from neurok.shapes import Coupling, Frame, Joint, JointTree, Link, Normalisation
from neurok.shapes.robots.reframe import reframed_tree


def tree_to_json(tree: JointTree, normalisation: Normalisation) -> dict[str, Any]:
    """Links, roots and joints; lengths in radii, angles in radians. Masses and friction are omitted.

    `axis` and `pivot` are in the joint's own frame, which `origin` (3 × 4) places in the frame of its parent.
    """
    unit = _scaled(tree, 1.0, normalisation.radius)
    shift = normalisation.centre / normalisation.radius
    return {
        "name": unit.name,
        "links": [link.name for link in unit.links],
        "roots": {name: _moved(matrix, -shift)[:3].tolist() for name, matrix in unit.roots.items()},
        "joints": [_joint_to_json(joint) for joint in unit.joints],
    }


def tree_from_json(data: dict[str, Any], normalisation: Normalisation) -> JointTree:
    """Inverse of `tree_to_json`; raises KeyError, TypeError or ValueError for invalid data."""
    shift = normalisation.centre / normalisation.radius
    roots = {name: _moved(_matrix(rows), shift) for name, rows in data["roots"].items()}
    links = tuple(Link(str(name)) for name in data["links"])
    joints = tuple(_joint_from_json(joint) for joint in data["joints"])
    return _scaled(JointTree(links, joints, str(data["name"]), roots), normalisation.radius, 1.0)


def _scaled(tree: JointTree, radius: float, unit: float) -> JointTree:
    """Tree with lengths scaled by radius / unit."""
    return reframed_tree(tree, Frame(metres_per_unit=radius), Frame(metres_per_unit=unit))


def _moved(matrix, shift):
    result = np.array(matrix, np.float64)
    result[:3, 3] += shift
    return result


def _matrix(rows) -> np.ndarray:
    return np.vstack([np.asarray(rows, np.float64).reshape(3, 4), [0.0, 0.0, 0.0, 1.0]])


def _joint_to_json(joint: Joint) -> dict[str, Any]:
    coupling = joint.coupling and {
        "joint": joint.coupling.joint,
        "coefficients": list(joint.coupling.coefficients),
    }
    return {
        "name": joint.name,
        "kind": joint.kind,
        "parent": joint.parent,
        "child": joint.child,
        "origin": np.asarray(joint.origin)[:3].tolist(),
        "axis": np.asarray(joint.axis, np.float64).tolist(),
        "pivot": np.asarray(joint.pivot, np.float64).tolist(),
        "lower": joint.lower if math.isfinite(joint.lower) else None,
        "upper": joint.upper if math.isfinite(joint.upper) else None,
        "rest": joint.rest,
        "coupling": coupling,
    }


def _joint_from_json(data: dict[str, Any]) -> Joint:
    coupling = data["coupling"] and Coupling(
        data["coupling"]["joint"], tuple(data["coupling"]["coefficients"])
    )
    plain = Joint(data["name"], data["kind"], data["parent"], data["child"], _matrix(data["origin"]))
    return replace(
        plain,
        axis=np.array(data["axis"], np.float64),
        pivot=np.array(data["pivot"], np.float64),
        lower=-math.inf if data["lower"] is None else float(data["lower"]),
        upper=math.inf if data["upper"] is None else float(data["upper"]),
        rest=float(data["rest"]),
        coupling=coupling,
    )
