"""Farthest points: NumPy and torch choose alike, pieces come first, distances shrink."""

from __future__ import annotations

import numpy as np
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from neurok.geometry.farthest_points import farthest_first, farthest_points


@given(st.integers(0, 10**6), st.integers(1, 12))
@settings(max_examples=30, deadline=None)
def test_numpy_and_torch_choose_the_same_points(seed, count):
    rng = np.random.default_rng(seed)
    points, component = rng.normal(size=(3, 40, 3)), rng.integers(0, 4, (3, 40))
    found = farthest_points(points, count, component)
    again = farthest_points(torch.tensor(points), count, torch.tensor(component))
    np.testing.assert_array_equal(again.numpy(), found)
    assert found.shape == (3, count) and len(np.unique(found[0])) == count


@given(st.integers(0, 10**6))
@settings(max_examples=30, deadline=None)
def test_each_point_is_as_far_as_any_from_those_before_it(seed):
    points = np.random.default_rng(seed).normal(size=(1, 30, 3))
    chosen = farthest_points(points, 8)[0]
    assert chosen[0] == np.linalg.norm(points[0], axis=1).argmax()
    gap = np.linalg.norm(points[0][:, None] - points[0], axis=-1)
    for k in range(1, 8):
        nearest = gap[:, chosen[:k]].min(1)
        assert nearest[chosen[k]] == nearest.max()


def test_a_small_piece_gets_a_point_before_a_large_one_gets_another_close_by():
    line = np.c_[np.linspace(-1, 1, 21), np.zeros((21, 2))]
    points = np.r_[line, [[0.55, 0.01, 0.0]]][None]
    component = np.r_[np.zeros(21, int), 1][None]
    assert 21 not in farthest_points(points, 4)[0]
    assert 21 in farthest_points(points, 4, component)[0]


def test_more_points_than_there_are_repeat_points():
    assert farthest_points(np.eye(3)[None], 5).shape == (1, 5)


def test_the_first_may_be_the_farthest_from_what_is_taken():
    x = np.array([0.0, 1.0, 5.0, 9.0])
    found = farthest_first(lambda i: np.abs(x - x[i]), 2, nearest=np.abs(x - 10.0))
    assert found.tolist() == [0, 2]
