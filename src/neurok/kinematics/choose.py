"""Which kinematics an object gets, and why."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from neurok.errors import InputError
from neurok.kinematics.elastic import ElasticKinematics
from neurok.kinematics.joints import JointKinematics, coordinate_names
from neurok.kinematics.latent import LatentKinematics
from neurok.kinematics.motions import COORDINATES
from neurok.kinematics.protocol import Kinematics
from neurok.model import NeuROK
from neurok.reduction import ReductionConfig
from neurok.shapes import Shape

KinematicsKind = Literal["auto", "joints", "neural", "elastic"]


def kinematics_of(
    shape: Shape,
    kind: KinematicsKind = "auto",
    *,
    modes: int = 8,
    seed: int = 0,
    model: Path | None = None,
    reduction: ReductionConfig = ReductionConfig(),  # noqa: B008  # frozen
) -> Kinematics:
    """Joints when the file has movable ones, else its elastic modes; the learned space (of the weights in the
    file `model`, or of those that ship with the package), reduced, on request."""
    movable = shape.joints is not None and shape.joints.dim > 0
    if kind == "joints" and not movable:
        raise InputError(
            shape.name, "describes no movable joints", "Use --kinematics elastic, or give a URDF or MJCF file"
        )
    if kind == "joints" or (kind == "auto" and movable):
        return JointKinematics(shape)
    if kind == "neural":
        return LatentKinematics.from_shape(shape, NeuROK.from_pretrained(model), reduction, seed=seed)
    return ElasticKinematics.from_shape(shape, modes=modes, seed=seed)


def coordinate_quantity(kinematics: Kinematics, name: str) -> Literal["angle", "length", "number"]:
    """What a coordinate measures: joint values turn or slide, modes have no unit."""
    if not isinstance(kinematics, JointKinematics):
        return "number"
    joint = next(j for j in kinematics.movable if name in coordinate_names(j))
    own = COORDINATES[joint.kind][coordinate_names(joint).index(name)]
    return "angle" if own.startswith("r") else "length"


def explain(kinematics: Kinematics) -> str:
    """One line: what moves it."""
    count = len(kinematics.names)
    if isinstance(kinematics, JointKinematics):
        names = ", ".join(kinematics.names[:6]) + (", …" if count > 6 else "")
        return f"moved by the joints of the file ({count} coordinates: {names})"
    if isinstance(kinematics, ElasticKinematics):
        low, high = kinematics.frequencies_hz[0], kinematics.frequencies_hz[-1]
        return f"moved by {count} elastic modes ({low:.3g} to {high:.3g} Hz)"
    if isinstance(kinematics, LatentKinematics):
        lost = kinematics.subspace.lost[count - 1]
        return (
            f"moved by {count} learned coordinates (they lose {lost:.0%} of the motion that was learned; "
            f"confidence {kinematics.confidence:.2f})"
        )
    return f"moved by {count} coordinates"
