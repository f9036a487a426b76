"""Links: pairs of patches that lie close together, and how their surfaces meet."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from jaxtyping import Float, Int
from scipy.spatial import KDTree

from neurok.articulation.parts.face_graph import FaceGraph

Array = np.ndarray
NEAR_DISTANCE = 0.08  # radii: patches farther apart have no link
TOUCH_DISTANCE = 0.015  # radii
NEIGHBOURS = 10  # samples on other patches that are compared with each sample
CREASED = 0.35  # radians
LINK_FEATURES = 12


@dataclass(frozen=True, eq=False)
class PatchLinks:
    """Pairs of patches, the lower number first, with features that do not depend on their order."""

    pairs: Int[Array, "p 2"]
    features: Float[Array, "p f"]


def find_links(
    graph: FaceGraph,
    label: Int[Array, " m"],
    points: Float[Array, "n s 3"],
    normals: Float[Array, "n s 3"],
    share: Float[Array, " n"],
) -> PatchLinks:
    """Patches whose samples are near, or which share edges of the mesh."""
    count = len(points)
    near, close = _close(points, normals)
    shared, border = _borders(graph, label, count)
    key = np.union1d(near, shared)
    pairs = np.stack([key // count, key % count], axis=1)
    features = np.zeros((len(key), LINK_FEATURES))
    features[:, 0] = 1.0  # gap in NEAR_DISTANCE, where no samples are near
    features[np.searchsorted(key, near), :6] = close
    features[np.searchsorted(key, shared), 6:] = border
    smaller = np.sqrt(np.maximum(np.minimum(*share[pairs].T), 1e-9))
    features[:, 7] = np.minimum(features[:, 7] / (smaller * np.sqrt(graph.area.sum())), 3.0)
    return PatchLinks(pairs, features)


def _close(
    points: Float[Array, "n s 3"], normals: Float[Array, "n s 3"]
) -> tuple[Int[Array, " k"], Float[Array, "k 6"]]:
    """Pairs of patches with near samples, as keys i · n + j, and their features.

    The features are the gap, the shares of samples that touch (smaller, larger), and, at the nearest samples,
    the cosine of the normals and the distance of each in front of the other.
    """
    count, samples, _ = points.shape
    flat, direction = points.reshape(-1, 3), normals.reshape(-1, 3)
    patch = np.repeat(np.arange(count), samples)
    distance, other = KDTree(flat).query(
        flat, k=min(NEIGHBOURS + samples, len(flat)), distance_upper_bound=NEAR_DISTANCE
    )
    a, column = np.nonzero(np.isfinite(distance))
    b, gap = np.asarray(other)[a, column], np.asarray(distance)[a, column]
    foreign = patch[a] != patch[b]
    a, b, gap = a[foreign], b[foreign], gap[foreign]
    one_way = patch[a] * count + patch[b]
    order = np.lexsort((gap, one_way))
    a, b, gap, one_way = a[order], b[order], gap[order], one_way[order]
    touching = np.unique(np.stack([one_way, a])[:, gap < TOUCH_DISTANCE], axis=1)[0]
    key, first = np.unique(one_way, return_index=True)
    touch = np.bincount(np.searchsorted(key, touching), minlength=len(key)) / samples
    a, b, gap = a[first], b[first], gap[first]
    along = (flat[b] - flat[a]) / np.maximum(gap, 1e-9)[:, None]
    facing = np.column_stack([(direction[a] * along).sum(1), -(direction[b] * along).sum(1)])
    cosine = (direction[a] * direction[b]).sum(1)
    i, j = key // count, key % count
    both, index = np.unique(np.minimum(i, j) * count + np.maximum(i, j), return_inverse=True)
    low, high = (np.full(len(both), start) for start in (np.inf, 0.0))
    np.minimum.at(low, index, touch)
    np.maximum.at(high, index, touch)
    low[np.bincount(index) < 2] = 0.0
    best = np.lexsort((gap, index))
    best = best[np.unique(index[best], return_index=True)[1]]
    return both, np.column_stack([
        gap[best] / NEAR_DISTANCE, low, high, cosine[best], facing[best].min(1), facing[best].max(1),
    ])  # fmt: skip


def _borders(
    graph: FaceGraph, label: Int[Array, " m"], count: int
) -> tuple[Int[Array, " k"], Float[Array, "k 6"]]:
    """Pairs of patches that share edges of the mesh, as keys, and their features.

    The features are 1, the length of the shared edges, their mean bend, the shares of them that are concave
    and convex creases, and the most concave bend.
    """
    ends = np.sort(label[graph.pairs], axis=1)
    inner = (ends[:, 0] != ends[:, 1]) & (ends[:, 1] < count)
    length, bend = graph.length[inner], graph.concavity[inner]
    key, index = np.unique(ends[inner, 0].astype(np.int64) * count + ends[inner, 1], return_inverse=True)
    total = np.bincount(index, length, len(key)) + 1e-12

    def mean(values: Array) -> Array:
        return np.bincount(index, length * values, len(key)) / total

    deepest = np.full(len(key), -np.pi)
    np.maximum.at(deepest, index, bend)
    return key, np.column_stack([
        np.ones(len(key)), total, mean(bend), mean(bend > CREASED), mean(bend < -CREASED), deepest,
    ])  # fmt: skip
