"""Drawers slide out, masts slide up, keys slide in; the features are odd in the axis."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from neurok.articulation.decision import networks, slide_weights
from neurok.articulation.simulator import FreeRange
from neurok.articulation.slide_direction import UNFITTED, slide_features, slide_log_odds

CASE = ((-0.5, -0.4, -0.5), (0.5, 0.4, 0.5))
WALLS = FreeRange(-0.03, 0.03)  # files draw parts with overlaps: the simulator says nothing


def box(low, high, seed=0, count=400):
    """Points on the six sides of a box."""
    rng = np.random.default_rng(seed)
    points = rng.uniform(low, high, (count, 3))
    side = rng.integers(6, size=count)
    points[np.arange(count), side % 3] = np.where(side < 3, np.array(low)[side % 3], np.array(high)[side % 3])
    return points


def drawer():
    """A tray in the case, its front before it: out is +x."""
    front = box((0.5, -0.3, -0.5), (0.54, 0.1, 0.5), 1)
    return np.concatenate([box((-0.45, -0.2, -0.4), (0.5, 0.0, 0.4)), front])


@pytest.mark.parametrize(
    ("axis", "length", "part", "parent", "free"),
    [
        ((1, 0, 0), 0.6, drawer(), CASE, FreeRange(-0.02, 0.5)),
        ((1, 0, 0), 0.6, drawer(), CASE, WALLS),
        ((0, -1, 0), 0.01, box((0.1, 0.39, 0.1), (0.14, 0.42, 0.14)), CASE, FreeRange(-0.03, 0.0)),  # a key
        ((-1, 0, 0), 0.01, box((0.49, 0.1, 0.1), (0.52, 0.14, 0.14)), CASE, FreeRange(0.0, 0.03)),
        ((0, 1, 0), 0.3, box((-0.05, -0.3, -0.05), (0.05, 0.9, 0.05)), CASE, FreeRange(-0.05, 0.4)),  # a mast
    ],
)
def test_the_fitted_weights_know_the_direction_of_common_slides(axis, length, part, parent, free):
    weights = slide_weights(networks(None))
    assert slide_log_odds(weights, np.array(axis, float), length, part, box(*parent), free) > 0


@given(st.integers(0, 2**31), st.floats(0.002, 1.5))
def test_the_opposite_direction_has_the_opposite_odds(seed, length):
    rng = np.random.default_rng(seed)
    axis = rng.normal(size=3)
    axis /= np.linalg.norm(axis)
    part, parent = rng.normal(size=(30, 3)) + rng.normal(size=3), rng.normal(size=(40, 3))
    back, ahead = rng.uniform(0, 1, 2)
    found = slide_features(axis, length, part, parent, FreeRange(-back, ahead))
    other = slide_features(-axis, length, part, parent, FreeRange(-ahead, back))
    np.testing.assert_allclose(found, -other, atol=1e-9)


@given(st.integers(0, 2**31), st.floats(0.002, 1.5))
def test_without_a_fit_the_freer_direction_is_chosen(seed, length):
    rng = np.random.default_rng(seed)
    part, parent = rng.normal(size=(30, 3)), rng.normal(size=(40, 3))
    back, ahead = rng.uniform(0, 1, 2)
    odds = slide_log_odds(UNFITTED, np.eye(3)[0], length, part, parent, FreeRange(-back, ahead))
    assert (odds > 0) == (ahead > back)
