"""Which parts touch, and which would go along when one of them moves."""

from __future__ import annotations

from functools import cache

import numpy as np
from jaxtyping import Bool, Float
from scipy.sparse.csgraph import connected_components
from scipy.spatial import KDTree

from neurok.articulation.clouds import PartClouds, search_tree

Array = np.ndarray
TOUCH = 0.03  # radii: parts this close touch; real files leave gaps


def part_trees(clouds: PartClouds) -> list[KDTree]:
    """For the nearest dense point of each part."""
    return [search_tree(clouds.dense[clouds.dense_part == k]) for k in range(clouds.count)]


def contact_shares(clouds: PartClouds, trees: list[KDTree]) -> Float[Array, "k k"]:
    """Area of part i within TOUCH of part j, in squared radii; zero on the diagonal."""
    shares = np.zeros((clouds.count, clouds.count))
    for i in range(clouds.count):
        for j in range(clouds.count):
            if i != j and _boxes_meet(clouds.points[i], clouds.points[j]):
                shares[i, j] = _near(trees[j], clouds.points[i]).mean() * clouds.area[i]
    return shares


def contact_middles(shares: Float[Array, "k k"], trees: list[KDTree], most: int) -> list[Float[Array, "c 3"]]:
    """Of every part: the middles of where it touches others, up to so many, those that it touches most first.

    Both sides count, so that the middle of a pin that goes through two parts lies on its line.
    """

    @cache
    def middle(i: int, j: int) -> Float[Array, "c 3"]:
        near = meeting_points(trees[i], trees[j])
        return near.mean(0, keepdims=True) if len(near) else near

    both = shares + shares.T
    order = np.argsort(-both, axis=1, kind="stable")[:, :most].tolist()
    return [
        np.concatenate([np.zeros((0, 3)), *(middle(min(k, j), max(k, j)) for j in own if both[k, j] > 0)])
        for k, own in enumerate(order)
    ]


def meeting_points(one: KDTree, other: KDTree) -> Float[Array, "n 3"]:
    """The points of two parts that are within TOUCH of the other one."""
    return np.concatenate([a.data[_near(b, a.data)] for a, b in ((one, other), (other, one))])


def _near(tree: KDTree, points: Float[Array, "n 3"]) -> Bool[Array, " n"]:
    return tree.query(points, distance_upper_bound=TOUCH)[0] < TOUCH


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
