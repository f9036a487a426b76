"""Contacts between parts, and the parts that depend on one of them."""

from __future__ import annotations

from functools import cache

import numpy as np
from jaxtyping import Bool, Float
from scipy.sparse.csgraph import connected_components
from scipy.spatial import KDTree

from neurok.articulation.clouds import PartClouds, search_tree

Array = np.ndarray
TOUCH_DISTANCE = 0.03  # radii: parts this close touch; files leave gaps


def part_trees(clouds: PartClouds) -> list[KDTree]:
    """KD-trees of the dense points of each part."""
    return [search_tree(clouds.dense[clouds.dense_part == k]) for k in range(clouds.count)]


def contact_shares(clouds: PartClouds, trees: list[KDTree]) -> Float[Array, "k k"]:
    """Area of part i within TOUCH_DISTANCE of part j, in squared radii; zero on the diagonal."""
    shares = np.zeros((clouds.count, clouds.count))
    for i in range(clouds.count):
        for j in range(clouds.count):
            if i != j and _boxes_meet(clouds.points[i], clouds.points[j]):
                shares[i, j] = _near(trees[j], clouds.points[i]).mean() * clouds.area[i]
    return shares


def contact_centres(shares: Float[Array, "k k"], trees: list[KDTree], most: int) -> list[Float[Array, "c 3"]]:
    """Centres of the contacts of every part, largest contact first.

    Of each part the contacts with up to `most` parts are used. Points of both sides count, so that the centre
    of a pin through two parts lies on its line.
    """

    @cache
    def middle(i: int, j: int) -> Float[Array, "c 3"]:
        near = contact_points(trees[i], trees[j])
        return near.mean(0, keepdims=True) if len(near) else near

    both = shares + shares.T
    order = np.argsort(-both, axis=1, kind="stable")[:, :most].tolist()
    return [
        np.concatenate([np.zeros((0, 3)), *(middle(min(k, j), max(k, j)) for j in own if both[k, j] > 0)])
        for k, own in enumerate(order)
    ]


def contact_points(one: KDTree, other: KDTree) -> Float[Array, "n 3"]:
    """Points of two parts within TOUCH_DISTANCE of the other one."""
    return np.concatenate([a.data[_near(b, a.data)] for a, b in ((one, other), (other, one))])


def _near(tree: KDTree, points: Float[Array, "n 3"]) -> Bool[Array, " n"]:
    return tree.query(points, distance_upper_bound=TOUCH_DISTANCE)[0] < TOUCH_DISTANCE


def contact_graph(shares: Float[Array, "k k"]) -> Bool[Array, "k k"]:
    """Pairs of parts that touch."""
    return (shares + shares.T) > 0


def likely_base(clouds: PartClouds, shares: Float[Array, "k k"]) -> int:
    """The part that most likely stands still: large, low and touched by many."""
    low = clouds.points[..., 1].min(1)
    ground = np.exp(-(low - low.min()) / 0.1)
    neighbours = contact_graph(shares).sum(1)
    return int(np.argmax((1 + neighbours) * np.sqrt(clouds.area) * (0.3 + ground)))


def dependent_parts(touch: Bool[Array, "k k"], part: int, base: int) -> Bool[Array, " k"]:
    """Parts that are attached to the base only through `part`: removing it disconnects them.

    Parts without contacts depend on nothing.
    """
    if part == base:
        return np.zeros(len(touch), bool)
    left = touch.copy()
    left[part] = left[:, part] = False
    label = connected_components(left, directed=False)[1]
    whole = connected_components(touch, directed=False)[1]
    along = (label != label[base]) & (whole == whole[part])
    if whole[part] != whole[base]:  # not connected to the base
        along = (whole == whole[part]) & (touch.sum(1) == 1) & touch[part]
    along[part] = False
    return along


def _boxes_meet(a: Float[Array, "s 3"], b: Float[Array, "s 3"]) -> bool:
    return bool(
        ((a.min(0) - 2 * TOUCH_DISTANCE < b.max(0)) & (b.min(0) - 2 * TOUCH_DISTANCE < a.max(0))).all()
    )
