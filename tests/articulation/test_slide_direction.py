"""Drawers come out, masts go up, keys go in; turned about, all of it turns about."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from neurok.articulation.simulator import FreeRange
from neurok.articulation.slide_direction import odds_ahead, way_facts

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
def test_the_way_that_a_thing_goes(axis, length, part, parent, free):
    assert odds_ahead(np.array(axis, float), length, part, box(*parent), free) > 0


@given(st.integers(0, 2**31), st.floats(0.002, 1.5))
def test_the_other_way_has_the_opposite_odds(seed, length):
    rng = np.random.default_rng(seed)
    axis = rng.normal(size=3)
    axis /= np.linalg.norm(axis)
    part, parent = rng.normal(size=(30, 3)) + rng.normal(size=3), rng.normal(size=(40, 3))
    back, ahead = rng.uniform(0, 1, 2)
    found = way_facts(axis, length, part, parent, FreeRange(-back, ahead))
    other = way_facts(-axis, length, part, parent, FreeRange(-ahead, back))
    np.testing.assert_allclose(found, -other, atol=1e-9)
