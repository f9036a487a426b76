"""Refitted objects: parts that move are scaled and shifted by a hair, everything else stays."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from neurok.articulation.annotations import true_joints
from neurok.assets import SHIPPED
from neurok.datasets.refits import MAX_SCALE, MAX_SHIFT, MIN_SCALE, refit
from neurok.shapes.load import load_shape

CABINET = load_shape(SHIPPED["cabinet"])


@given(st.integers(0, 2**32 - 1))
@settings(max_examples=15, deadline=None)
def test_parts_that_move_are_scaled_and_shifted_by_a_hair(seed: int) -> None:
    fitted = refit(CABINET, np.random.default_rng(seed))
    assert np.array_equal(fitted.faces, CABINET.faces) and fitted.joints == CABINET.joints
    for part, joint in enumerate(true_joints(CABINET)):
        own = np.unique(CABINET.faces[CABINET.part == part])
        before, after = CABINET.vertices[own], fitted.vertices[own]
        if joint.kind == "fixed":
            assert np.array_equal(before, after)
            continue
        size, shift = (
            np.ptp(before, axis=0),
            (after.max(0) + after.min(0) - before.max(0) - before.min(0)) / 2,
        )
        scale = np.ptp(after, axis=0)[size > 1e-3] / size[size > 1e-3]
        assert (scale > MIN_SCALE - 1e-3).all() and (scale < MAX_SCALE + 1e-3).all()
        assert np.abs(shift).max() <= MAX_SHIFT * CABINET.normalisation.radius + 1e-5


def test_most_parts_that_move_change() -> None:
    moving = [k for k, j in enumerate(true_joints(CABINET)) if j.kind != "fixed"]
    changed = 0
    for seed in range(20):
        fitted = refit(CABINET, np.random.default_rng(seed))
        for part in moving:
            own = np.unique(CABINET.faces[CABINET.part == part])
            changed += not np.array_equal(CABINET.vertices[own], fitted.vertices[own])
    assert 0.6 < changed / (20 * len(moving)) < 0.95
