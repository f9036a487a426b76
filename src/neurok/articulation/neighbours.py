"""Which parts touch, and which would go along when one of them moves."""

from __future__ import annotations

import numpy as np
from jaxtyping import Bool, Float
from scipy.sparse.csgraph import connected_components

from neurok.articulation.clouds import PartClouds, search_tree

Array = np.ndarray
TOUCH = 0.03  # radii: parts this close touch; real files leave gaps


def contact_shares(clouds: PartClouds) -> Float[Array, "k k"]:
    """Area of part i within TOUCH of part j, in squared radii; zero on the diagonal."""
    shares = np.zeros((clouds.count, clouds.count))
    trees = [search_tree(clouds.dense[clouds.dense_part == k]) for k in range(clouds.count)]
    for i in range(clouds.count):
        for j in range(clouds.count):
            if i != j and _boxes_meet(clouds.points[i], clouds.points[j]):
                near = trees[j].query(clouds.points[i], distance_upper_bound=TOUCH)[0] < TOUCH
                shares[i, j] = near.mean() * clouds.area[i]
    return shares


def touches(shares: Float[Array, "k k"]) -> Bool[Array, "k k"]:
    return (shares + shares.T) > 0


def standing(clouds: PartClouds, shares: Float[Array, "k k"]) -> int:
    """The part that most likely stands still: large, low and touched by many."""
    low = clouds.points[..., 1].min(1)
    ground = np.exp(-(low - low.min()) / 0.1)
    neighbours = touches(shares).sum(1)
    return int(np.argmax((1 + neighbours) * np.sqrt(clouds.area) * (0.3 + ground)))


def riders(touch: Bool[Array, "k k"], part: int, base: int) -> Bool[Array, " k"]:
    """The parts that hang on `part` alone: what is cut off from the base when it is taken away.

    Parts that nothing touches stay where they are.
    """
    if part == base:
        return np.zeros(len(touch), bool)
    left = touch.copy()
    left[part] = left[:, part] = False
    label = connected_components(left, directed=False)[1]
    whole = connected_components(touch, directed=False)[1]
    along = (label != label[base]) & (whole == whole[part])
    if whole[part] != whole[base]:  # floats apart from the base: what touches it alone goes along
        along = (whole == whole[part]) & (touch.sum(1) == 1) & touch[part]
    along[part] = False
    return along


def _boxes_meet(a: Float[Array, "s 3"], b: Float[Array, "s 3"]) -> bool:
    return bool(((a.min(0) - 2 * TOUCH < b.max(0)) & (b.min(0) - 2 * TOUCH < a.max(0))).all())
