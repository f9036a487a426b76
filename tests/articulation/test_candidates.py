"""Candidates hold the true joints of generated objects."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation

from neurok.articulation.annotations import true_joints
from neurok.articulation.candidates import CONTACT, candidates, oriented_box
from neurok.articulation.clouds import read_parts
from neurok.articulation.features import part_scene
from neurok.objects.kit.finishes import finish
from neurok.objects.kit.mechanism import Mechanism
from neurok.objects.kit.solids import bar, block
from neurok.objects.registry import families


@pytest.mark.slow
def test_axes_and_pivots_hold_most_joints_of_boxes_doors_and_drawers():
    angles, distances = [], []
    names = ("lidded_box", "door", "drawer_unit", "laptop", "cabinet")
    for family, seed in product(names, (1, 2, 3)):
        shape = families()[family](np.random.default_rng(seed))
        clouds = read_parts(shape)
        for found, true in zip(part_scene(clouds).candidates, true_joints(shape), strict=True):
            if true.kind in (None, "fixed"):
                continue
            axis = clouds.direction_from_shape(true.axis)
            angles.append(np.degrees(np.arccos(np.clip(np.abs(found.axes @ axis).max(), 0, 1))))
            if true.kind == "revolute":
                pivot = clouds.point_from_shape(true.pivot)
                distances.append(np.linalg.norm(np.cross(found.pivots - pivot, axis), axis=1).min())
    assert len(angles) >= 15
    assert np.mean(np.array(angles) < 5) > 0.9
    assert np.mean(np.array(distances) < 0.05) >= 0.8


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 2**31), st.tuples(*[st.floats(0.05, 1.0)] * 3))
def test_the_box_of_a_turned_box_is_that_box(seed, half):
    rng = np.random.default_rng(seed)
    turn = Rotation.random(random_state=np.random.RandomState(seed % 2**31)).as_matrix()
    corners = np.array(np.meshgrid(*[(-1, 1)] * 3)).reshape(3, -1).T * half
    inside = rng.uniform(-1, 1, (200, 3)) * half
    points = np.concatenate([corners, inside]) @ turn.T
    axes, middle, found = oriented_box(points)
    np.testing.assert_allclose(axes @ axes.T, np.eye(3), atol=1e-9)
    along = (points - middle) @ axes.T
    assert (np.abs(along) <= found + 1e-9).all()
    assert np.prod(found) <= np.prod(np.ptp(points, axis=0) / 2) * 1.001


def test_candidates_of_a_single_point_are_finite():
    found = candidates(np.zeros((5, 3)), np.zeros((0, 3)), np.zeros((0, 3)))
    assert np.isfinite(found.pivots).all() and found.valid[:3].all()


def test_crossing_frames_have_a_candidate_through_their_pin():
    """Two bars that cross on a pin far from the corners and the middle of either box; one has a weight at its
    end, so that the middle of all its contacts is elsewhere."""
    metal, along, cross = finish(np.random.default_rng(0), "metal"), np.array([1.0, 0.0, 0.4]), 0.35
    made = Mechanism("crossing")
    for name, y, way in (("one", 0.0, along), ("other", 0.05, along * np.array([1, 1, -1]))):
        middle = np.array([0.0, y, 0.0])
        made.add(name, metal, bar(middle - cross * way, middle + (1 - cross) * way, 0.04, 0.04, 0.004))
    made.add("weight", metal, block((0.12, 0.12, 0.12), (0.65, 0.13, -0.26)))
    made.hinge("one", "other", (0, 0, 0), np.array([0.0, 1.0, 0.0]), -0.5, 0.5)
    made.hinge("other", "weight", (0.65, 0.05, -0.26), np.array([0.0, 1.0, 0.0]), -0.5, 0.5)
    shape = made.finish(np.random.default_rng(0), ajar=0.0)
    clouds, part = read_parts(shape), shape.part_names.index("other")
    true = true_joints(shape)[part]
    axis, pivot = clouds.direction_from_shape(true.axis), clouds.point_from_shape(true.pivot)
    off = np.linalg.norm(np.cross(part_scene(clouds).candidates[part].pivots - pivot, axis), axis=1)
    assert off[: CONTACT + 1].min() > 0.05
    assert off[CONTACT + 1 :].min() < 0.02
