"""How far a cloud and a surface are from each other, whatever the spacing of the cloud's points."""

from __future__ import annotations

import numpy as np
import trimesh
from jaxtyping import Float
from scipy.spatial import KDTree

from neurok.shapes import Shape
from neurok.shapes.sample import sample_surface

Array = np.ndarray
SAMPLES, FACES = 8000, 4  # samples of the surface; faces that are tried for each point of the cloud
SPACING = 2.0  # gaps of the cloud that count as nothing, in units of its median spacing


def cloud_distance(
    shape: Shape, vertices: Float[Array, "n 3"], cloud: Float[Array, "p 3"], *, partial: bool = False
) -> float:
    """Root mean square distance in radii: of the cloud from the moved surface and (unless `partial`) of the
    surface from the cloud, the mean of the squares.

    Points of the cloud are measured to triangles. A point y of the surface with normal n and the nearest
    point p of the cloud are |n·(y − p)| apart, and sideways by what exceeds the gaps between its points.
    """
    samples = sample_surface(shape, SAMPLES)
    points = samples.positions(shape, vertices)
    faces = samples.face[np.asarray(KDTree(points).query(cloud, k=FACES)[1])]
    asked = np.repeat(cloud, FACES, axis=0)
    nearest = trimesh.triangles.closest_point(vertices[shape.faces[faces]].reshape(-1, 3, 3), asked)
    back = ((nearest - asked) ** 2).sum(1).reshape(-1, FACES).min(1).mean()
    if partial:
        return float(np.sqrt(back)) / shape.normalisation.radius
    tree = KDTree(cloud)
    offset = points - cloud[np.asarray(tree.query(points)[1])]
    corners = vertices[shape.faces[samples.face]]
    normal = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    normal /= np.linalg.norm(normal, axis=1, keepdims=True).clip(1e-30)
    across = (normal * offset).sum(1)
    along = np.sqrt(((offset - across[:, None] * normal) ** 2).sum(1))
    gap = SPACING * np.median(tree.query(cloud, k=2)[0][:, 1]) if len(cloud) > 1 else 0.0
    ahead = (across**2 + (along - gap).clip(0) ** 2).mean()
    return float(np.sqrt((back + ahead) / 2)) / shape.normalisation.radius
