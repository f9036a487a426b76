"""Adds joints and couplings to an MJCF description."""

from __future__ import annotations

from xml.etree.ElementTree import Element, SubElement

import numpy as np
from jaxtyping import Float

from neurok.errors import InputError
from neurok.export.robots.files import numbers
from neurok.geometry.rotations import plane_axes
from neurok.shapes.robots.tree import Joint, JointTree

Array = np.ndarray

OPEN_LIMIT = 1000.0  # rad or m: the open end of a range with one limit
MIN_RANGE = 1e-6  # rad or m: MuJoCo refuses empty ranges
STIFF_SOLIMP = "0.9999 0.9999 0.001"  # the default is so soft that a coupled slide lags behind its hinge
MAX_COEFFICIENTS = 5  # of MuJoCo's joint equality


def add_joints(body: Element, joint: Joint) -> None:
    """Adds the MJCF elements of a joint to its body.

    Planar becomes two slides and a hinge. Floating below a moving parent becomes three slides and a ball. If
    one joint becomes several, their names are `name:x` and so on. Ball joints start at rest: MuJoCo stores
    them as quaternions, which have no reference value.
    """
    if joint.kind in ("revolute", "continuous"):
        _add(body, joint, joint.name, "hinge", joint.axis)
    elif joint.kind == "prismatic":
        _add(body, joint, joint.name, "slide", joint.axis)
    elif joint.kind == "ball":
        _add(body, joint, joint.name, "ball", None)
    elif joint.kind == "planar":
        first, second = plane_axes(joint.axis).T
        _add(body, joint, f"{joint.name}:x", "slide", first)
        _add(body, joint, f"{joint.name}:y", "slide", second)
        _add(body, joint, f"{joint.name}:turn", "hinge", joint.axis)
    elif joint.kind == "floating":
        for name, axis in zip("xyz", np.eye(3), strict=True):
            _add(body, joint, f"{joint.name}:{name}", "slide", axis)
        _add(body, joint, f"{joint.name}:turn", "ball", None)


def add_equalities(equality: Element, tree: JointTree) -> None:
    """Adds couplings; MuJoCo uses the same polynomial about reference values as `Coupling`."""
    for joint in tree.joints:
        if joint.coupling is None:
            continue
        coefficients = np.trim_zeros(joint.coupling.coefficients, "b")
        if len(coefficients) > MAX_COEFFICIENTS:
            cause = f"joint {joint.name!r} follows a polynomial of degree {len(coefficients) - 1}"
            raise InputError(
                tree.name, f"{cause}; MJCF stops at {MAX_COEFFICIENTS - 1}", "Fit a lower degree"
            )
        padded = [*coefficients, *[0.0] * (MAX_COEFFICIENTS - len(coefficients))]
        names = {"joint1": joint.name, "joint2": joint.coupling.joint}
        SubElement(equality, "joint", {**names, "polycoef": numbers(*padded), "solimp": STIFF_SOLIMP})


def _add(body: Element, joint: Joint, name: str, kind: str, axis: Float[Array, "3"] | None) -> None:
    element = SubElement(body, "joint", name=name, type=kind, pos=numbers(*joint.pivot))
    if axis is not None:
        element.set("axis", numbers(*axis / np.linalg.norm(axis)))
    if joint.dim == 1:
        element.set("ref", numbers(joint.rest))
    if (limits := _range(joint)) is not None:
        element.set("range", limits)
    element.set("damping", numbers(joint.damping))
    element.set("frictionloss", numbers(joint.friction))
    if np.isfinite(joint.effort) and joint.effort > 0 and joint.dim == 1:
        element.set("actuatorfrcrange", numbers(-joint.effort, joint.effort))


def _range(joint: Joint) -> str | None:
    """The range of a hinge or slide, or the largest angle of a ball; None without limits."""
    if joint.kind == "ball":
        return numbers(0.0, joint.upper) if 0 < joint.upper < np.inf else None
    if joint.kind not in ("revolute", "prismatic") or not np.isfinite([joint.lower, joint.upper]).any():
        return None
    lower = joint.lower if np.isfinite(joint.lower) else -OPEN_LIMIT
    upper = joint.upper if np.isfinite(joint.upper) else OPEN_LIMIT
    return numbers(lower, max(upper, lower + MIN_RANGE))
