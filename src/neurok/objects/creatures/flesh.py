"""The surface around a skeleton, and which bones each place of it follows."""

from __future__ import annotations

import fast_simplification
import numpy as np
from jaxtyping import Float, Int
from scipy import sparse
from scipy.sparse.linalg import splu

from neurok.objects.creatures.skeleton import Skeleton
from neurok.objects.soft.checks import edges_of
from neurok.objects.soft.implicit import implicit_surface

Array = np.ndarray
HANDLES = 4  # bones that a vertex follows at most
NEAR = 1.6  # cells of the grid beyond the flesh in which the distance is computed


def skin_of(
    skeleton: Skeleton, blend: float, points: int, faces: int
) -> tuple[Float[Array, "n 3"], Int[Array, "m 3"]]:
    """The smooth union −b log Σ exp(−d_i / b) = 0 of the flesh of all bones, with at most `faces` faces."""
    reach = skeleton.width.max(1)[:, None] * np.maximum(1.0, skeleton.flat)[:, None] + 3 * blend
    ends = np.concatenate([skeleton.head, skeleton.tail])
    low, high = (ends - np.tile(reach, (2, 1))).min(0), (ends + np.tile(reach, (2, 1))).max(0)

    def distance(x: Array) -> Array:
        least, total = np.full(len(x), np.inf), np.zeros(len(x))
        for b in range(len(skeleton.parent)):
            own = _distance(skeleton, b, x)
            lower = np.minimum(least, own)
            with np.errstate(invalid="ignore"):
                kept = np.where(np.isfinite(least), np.exp((lower - least) / blend), 0.0)
            total = total * kept + np.exp((lower - own) / blend)
            least = lower
        return least - blend * np.log(total)

    vertices, triangles = implicit_surface(distance, low, high, points)
    if len(triangles) > faces:
        light, few, *_ = fast_simplification.simplify(
            vertices, triangles.astype(np.int32), target_count=faces
        )
        vertices, triangles = light.astype(np.float64), few.astype(np.int64)
    return vertices, triangles


def _distance(skeleton: Skeleton, b: int, x: Float[Array, "p 3"]) -> Float[Array, " p"]:
    """About the distance to the flesh of one bone."""
    local = (x - skeleton.head[b]) @ skeleton.frame[b]
    length = float(np.linalg.norm(skeleton.tail[b] - skeleton.head[b]))
    t = np.clip(local[:, 1] / max(length, 1e-9), 0.0, 1.0)
    wide = skeleton.width[b, 0] + t * (skeleton.width[b, 1] - skeleton.width[b, 0])
    high = wide * skeleton.flat[b]
    least = np.minimum(wide, high)
    beyond = local[:, 1] - t * length
    across = np.sqrt((local[:, 0] / wide) ** 2 + (local[:, 2] / high) ** 2 + (beyond / least) ** 2)
    return (across - 1) * least


def weights_of(
    skeleton: Skeleton, vertices: Float[Array, "n 3"], faces: Int[Array, "m 3"], softness: float
) -> Float[Array, "n b"]:
    """Skinning weights: every vertex follows its nearest bone, diffused along the surface.

    (I + s² L) w = w₀ with L the Laplacian of inverse squared edge lengths, and s = softness · mean width. So
    an arm that lies against the body does not pull at it.
    """
    near = np.stack([_distance(skeleton, b, vertices) for b in range(len(skeleton.parent))], axis=1)
    first = np.eye(near.shape[1])[near.argmin(1)]
    i, j = edges_of(faces).T
    stiff = 1.0 / np.maximum(np.square(vertices[i] - vertices[j]).sum(1), 1e-12)
    stiff /= np.bincount(np.r_[i, j], minlength=len(vertices)).mean() / 2
    near_to = sparse.coo_matrix((np.r_[stiff, stiff], (np.r_[i, j], np.r_[j, i])), shape=(len(vertices),) * 2)
    laplacian = sparse.diags(np.asarray(near_to.sum(1)).ravel()) - near_to
    scale = (softness * float(skeleton.width.mean())) ** 2
    diffused = splu((sparse.eye(len(vertices)) + scale * laplacian).tocsc()).solve(first)
    few = np.where(
        diffused >= np.sort(diffused, axis=1)[:, [-min(HANDLES, diffused.shape[1])]], diffused, 0.0
    )
    return np.maximum(few, 0.0) / np.maximum(few, 0.0).sum(1, keepdims=True)
