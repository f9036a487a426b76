"""Bending bar as a case with frames for oracles."""

from __future__ import annotations

import numpy as np
import trimesh

from neurok.evaluation.kinematics.cases import Case
from neurok.shapes import Shape


def bending_bar(up: str = "y") -> Case:
    """Upright bar that bends to both sides along circles of many radii, with two target poses."""
    from neurok.shapes import Frame

    mesh = trimesh.creation.box((0.3, 1.9, 0.3))
    for _ in range(3):
        mesh = mesh.subdivide()
    rest = np.asarray(mesh.vertices)
    to_frame = Frame("y").to(Frame(up))[:3, :3].T
    poses = np.stack([bent(rest, k) for k in np.linspace(-1.2, 1.2, 41)])
    asked = np.array([3, 33])
    shape = Shape(rest @ to_frame, np.asarray(mesh.faces, np.int32), name="bar", frame=Frame(up))
    return Case(
        "toy/bar", "bar", "toy", shape, np.zeros(len(mesh.faces), np.int32), False,
        tuple(int(i) for i in asked), poses[asked] @ to_frame, np.delete(poses, asked, 0) @ to_frame,
    )  # fmt: skip


def bent(x: np.ndarray, curvature: float) -> np.ndarray:
    """Bends the axis to a circle of this curvature, from the foot upwards."""
    if abs(curvature) < 1e-9:
        return x
    height, radius = x[:, 1] + 0.95, 1 / curvature
    angle = height * curvature
    across = radius - x[:, 0]
    return np.stack([radius - across * np.cos(angle), across * np.sin(angle) - 0.95, x[:, 2]], axis=1)
