"""The frame in which the networks read a shape: upright, its walls facing along X and Z.

Made objects have their axes along their walls. In this frame most hinges and slides lie along one of three
directions, and the networks need not learn them for every heading.
"""

from __future__ import annotations

import numpy as np
import torch
from jaxtyping import Float
from torch import Tensor

from neurok.geometry.rotations import rotation_about_y
from neurok.shapes import Frame, Shape


def heading(normals: Float[Tensor, "*batch n 3"]) -> Float[Tensor, "*batch 3 3"]:
    """The turn about Y that brings a shape into its own frame, from the normals of even samples.

    With h and θ the length and direction of a normal's horizontal part, it turns by −φ,
    φ = ¼ arg Σ h² e^{4iθ}: directions that differ by quarter turns count as one. It is determined up to a
    quarter turn, and arbitrary for shapes without walls.
    """
    x, z = normals[..., 0], normals[..., 2]
    square = (x.square() + z.square()).clamp(min=1e-12)
    even, odd = x.square() - z.square(), 2 * x * z  # h² cos 2θ, h² sin 2θ
    real = ((even.square() - odd.square()) / square).sum(-1)
    imaginary = (2 * even * odd / square).sum(-1)
    return rotation_about_y(torch.atan2(imaginary, real) / 4)


def own_turn(shape: Shape, normals: Float[np.ndarray, "n 3"]) -> Float[np.ndarray, "3 3"]:
    """U that turns up to +Y and walls to face along X and Z, from the normals of even samples."""
    upright = shape.frame.to(Frame("y"))[:3, :3]
    upright = upright / np.cbrt(np.linalg.det(upright))  # frames may differ in their unit
    return heading(torch.tensor(normals @ upright.T)).numpy() @ upright
