"""Which kinematics an object gets, and why."""

from __future__ import annotations

from typing import Literal

from neurok.errors import InputError
from neurok.kinematics.elastic import ElasticKinematics
from neurok.kinematics.joints import JointKinematics
from neurok.kinematics.protocol import Kinematics
from neurok.shapes import Shape

KinematicsKind = Literal["auto", "joints", "elastic"]


def kinematics_of(
    shape: Shape, kind: KinematicsKind = "auto", *, modes: int = 8, seed: int = 0
) -> Kinematics:
    """Joints when the file has movable ones, else the elastic modes of the mesh."""
    movable = shape.joints is not None and shape.joints.dim > 0
    if kind == "joints" and not movable:
        raise InputError(
            shape.name, "describes no movable joints", "Use --kinematics elastic, or give a URDF or MJCF file"
        )
    if kind == "joints" or (kind == "auto" and movable):
        return JointKinematics(shape)
    return ElasticKinematics.from_shape(shape, modes=modes, seed=seed)


def explain(kinematics: Kinematics) -> str:
    """One line: what moves it."""
    count = len(kinematics.names)
    if isinstance(kinematics, JointKinematics):
        names = ", ".join(kinematics.names[:6]) + (", …" if count > 6 else "")
        return f"moved by the joints of the file ({count} coordinates: {names})"
    if isinstance(kinematics, ElasticKinematics):
        low, high = kinematics.frequencies_hz[0], kinematics.frequencies_hz[-1]
        return f"moved by {count} elastic modes ({low:.3g} to {high:.3g} Hz)"
    return f"moved by {count} coordinates"
