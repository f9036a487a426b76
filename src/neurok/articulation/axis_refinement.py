"""Where exactly a part turns: about the line around which the surfaces near it are round.

Turning about an axis a through c moves x by a × (x − c), and slips along a surface with the normal n where
a · (x × n) = c · (n × a): linear in c. Pins, holes, barrels and hubs say so of their own middle.
"""

from __future__ import annotations

import numpy as np
from jaxtyping import Float

Array = np.ndarray
ROUND = 0.15  # |sin| between a normal and the plane through the line beyond which a surface counts little
STEPS = 6


def settled(
    axis: Float[Array, "3"],
    pivot: Float[Array, "3"],
    points: Float[Array, "n 3"],
    normals: Float[Array, "n 3"],
    reach: float,
) -> Float[Array, "3"]:
    """The pivot moved across the axis to the middle of what is round about it.

    Least squares over the points within `reach` of the line, reweighted as it moves: near points count more,
    surfaces that are not round about it fade. The pivot given counts as much as one point at full reach.
    """
    beside = np.abs(normals @ axis) < 0.5
    x, n = points[beside], normals[beside]
    plane = np.linalg.svd(axis[None])[2][1:]  # 2 3
    across = np.cross(n, axis) @ plane.T
    moment = np.cross(x - pivot, n) @ axis
    flat = (x - pivot) @ plane.T
    shift = np.zeros(2)
    for _ in range(STEPS):
        distance = np.linalg.norm(flat - shift, axis=1)
        missed = moment - across @ shift
        skew = missed / np.maximum(distance, 1e-3) / ROUND
        weight = (distance < reach) / (1 + skew**2) ** 2 / np.maximum(distance / reach, 0.2) ** 2
        held = across.T @ (weight[:, None] * across) + np.eye(2)
        shift = np.linalg.solve(held, across.T @ (weight * moment))
    return pivot + shift @ plane
