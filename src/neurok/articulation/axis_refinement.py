"""Refines the line about which a part turns, from the round surfaces near it.

Turning about an axis a through c moves x by a × (x − c). It slips along a surface with the normal n if a · (x
× n) = c · (n × a), which is linear in c. Pins, holes, barrels and hubs thus determine c.
"""

from __future__ import annotations

import numpy as np
from jaxtyping import Float

from neurok.geometry.rotations import perpendicular_axes

Array = np.ndarray
SKEW_SCALE = 0.15  # |sin| of the angle between a normal and the plane through the line at which weights fall
ITERATIONS = 6


def refined_pivot(
    axis: Float[Array, "3"],
    pivot: Float[Array, "3"],
    points: Float[Array, "n 3"],
    normals: Float[Array, "n 3"],
    reach: float,
) -> Float[Array, "3"]:
    """The pivot moved across the axis to the centre of the surfaces that are round about it.

    Iteratively reweighted least squares over the points within `reach` of the line. Near points count more,
    and surfaces that are not round about the line count less. The given pivot counts as much as one point at
    full reach.
    """
    beside = np.abs(normals @ axis) < 0.5
    x, n = points[beside], normals[beside]
    plane = perpendicular_axes(axis)
    across = np.cross(n, axis) @ plane.T
    moment = np.cross(x - pivot, n) @ axis
    flat = (x - pivot) @ plane.T
    shift = np.zeros(2)
    for _ in range(ITERATIONS):
        distance = np.linalg.norm(flat - shift, axis=1)
        residual = moment - across @ shift
        skew = residual / np.maximum(distance, 1e-3) / SKEW_SCALE
        weight = (distance < reach) / (1 + skew**2) ** 2 / np.maximum(distance / reach, 0.2) ** 2
        normal_matrix = across.T @ (weight[:, None] * across) + np.eye(2)
        shift = np.linalg.solve(normal_matrix, across.T @ (weight * moment))
    return pivot + shift @ plane
