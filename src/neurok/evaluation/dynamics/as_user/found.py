"""Compares the part and the joint that the pipeline finds at a pushed place with the true ones."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from jaxtyping import Bool, Float

from neurok.articulation.annotations import TrueJoint, moving_joint, true_joints
from neurok.evaluation.dynamics.as_user.judgement import overlap
from neurok.evaluation.dynamics.as_user.truth import body_of_vertex
from neurok.kinematics import Kinematics, LinkedKinematics
from neurok.shapes import Shape

Array = np.ndarray


class Found(NamedTuple):
    """The part and joint found at the pushed place; numbers are NaN if there is no joint."""

    kind: str  # joint, latent, elastic
    joints: int = 0
    parts: int = 0
    overlap: float = float("nan")  # intersection over union of the moved faces and the true pushed body
    joint: str = ""  # kind of the joint that moves the pushed place; empty if none does
    true_joint: str = ""
    confidence: float = float("nan")
    axis_deg: float = float("nan")
    centre: float = float("nan")  # radii from the true axis to the found pivot


def found_at(
    kinematics: Kinematics, truth: LinkedKinematics, vertex: int, own: Bool[Array, " n"],
    area: Float[Array, " n"],
) -> Found:  # fmt: skip
    """The found part and joint at a vertex of the pushed body, whose vertices are `own`."""
    kind = type(kinematics).__name__.removesuffix("Kinematics").lower()
    if not isinstance(kinematics, LinkedKinematics):
        return Found(kind)
    body = body_of_vertex(kinematics, len(own))
    found = Found(
        kind, len(kinematics.movable), len(kinematics.shape.part_names),
        overlap(body == body[vertex], own, area) if body[vertex] else 0.0,
    )  # fmt: skip
    ours, true = _moving(kinematics.shape, vertex), _moving(truth.shape, vertex)
    if true is None or ours is None:
        return found._replace(true_joint=str(true.kind) if true else "")
    cosine = abs(float(ours.axis @ true.axis))
    across = np.cross(ours.pivot - true.pivot, true.axis)
    turns = "prismatic" not in (ours.kind, true.kind)
    return found._replace(
        joint=str(ours.kind),
        true_joint=str(true.kind),
        confidence=float(kinematics.movable[body[vertex] - 1].confidence or 0.0),
        axis_deg=float(np.degrees(np.arccos(min(cosine, 1.0)))),
        centre=float(np.linalg.norm(across)) / truth.shape.normalisation.radius if turns else float("nan"),
    )


def _moving(shape: Shape, vertex: int) -> TrueJoint | None:
    """The joint that moves a vertex."""
    joints = {joint.part: joint for joint in true_joints(shape)}
    return moving_joint(joints, shape.part_names[shape.vertex_part[vertex]])
