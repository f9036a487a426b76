"""Distance between a point cloud and a surface, independent of the spacing of the points."""

from __future__ import annotations

import numpy as np
import trimesh
from jaxtyping import Float, Int
from scipy.spatial import KDTree

from neurok.shapes import Shape
from neurok.shapes.sample import sample_surface

Array = np.ndarray
SAMPLES = 8000  # of the surface
CANDIDATES = 16  # nearest samples whose triangles, and nearest points whose planes, are compared
GAP = 2.0  # median spacings of the cloud: largest distance between neighbours that is no gap


def cloud_distance(
    shape: Shape, vertices: Float[Array, "n 3"], cloud: Float[Array, "p 3"], *, partial: bool = False
) -> float:
    """Root mean square distance in radii between a moved surface and a cloud.

    Points of the cloud are measured to triangles. Unless the cloud is `partial`, points of the surface are
    measured to the cloud as well, and the squares of both directions are averaged. For a point y of the
    surface with normal n and a nearby point p of the cloud, the distance combines |n·(y − p)| with the
    sideways distance that exceeds the gaps of the cloud.
    """
    samples = sample_surface(shape, SAMPLES)
    points = samples.positions(shape, vertices)
    back = _to_triangles(cloud, points, vertices[shape.faces[samples.face]])
    if partial:
        return float(np.sqrt(back.mean())) / shape.normalisation.radius
    ahead = _to_points(points, vertices[shape.faces[samples.face]], cloud)
    return float(np.sqrt((back.mean() + ahead.mean()) / 2)) / shape.normalisation.radius


def _to_triangles(
    asked: Float[Array, "p 3"], points: Float[Array, "s 3"], corners: Float[Array, "s 3 3"]
) -> Float[Array, " p"]:
    """Squared distances from the triangles (`corners`) on which samples (`points`) lie."""
    near = _nearest(KDTree(points), asked)
    repeated = np.repeat(asked, near.shape[1], axis=0)
    nearest = trimesh.triangles.closest_point(corners[near].reshape(-1, 3, 3), repeated)
    return ((nearest - repeated) ** 2).sum(1).reshape(near.shape).min(1)


def _to_points(
    points: Float[Array, "s 3"], corners: Float[Array, "s 3 3"], cloud: Float[Array, "p 3"]
) -> Float[Array, " s"]:
    """Squared distances of samples from a cloud, without its gaps."""
    tree = KDTree(cloud)
    offset = points[:, None] - cloud[_nearest(tree, points)]
    normal = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    normal /= np.linalg.norm(normal, axis=1, keepdims=True).clip(1e-30)
    across = np.einsum("si,ski->sk", normal, offset)
    along = np.linalg.norm(offset - across[..., None] * normal[:, None], axis=-1)
    gap = GAP * float(np.median(tree.query(cloud, k=2)[0][:, 1])) if len(cloud) > 1 else 0.0
    return (across**2 + (along - gap).clip(0) ** 2).min(1)


def _nearest(tree: KDTree, points: Float[Array, "p 3"]) -> Int[Array, "p k"]:
    return np.asarray(tree.query(points, k=min(CANDIDATES, tree.n))[1]).reshape(len(points), -1)
