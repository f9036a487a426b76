"""Bending of connected pieces, and rigid weights for those that hardly bend."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from neurok.latent.rigid_pieces import bending, with_rigid_pieces


@pytest.fixture
def rng() -> np.random.Generator:
    """A fresh generator for every test."""
    return np.random.default_rng(0)


def hinge(angle: float) -> np.ndarray:
    """A turn about the z axis as a map [R | t]."""
    return np.c_[Rotation.from_rotvec([0, 0, angle]).as_matrix(), np.zeros(3)]


def still() -> np.ndarray:
    return np.c_[np.eye(3), np.zeros(3)]


def test_rigid_motion_is_no_bending_and_a_known_bend_is_measured(rng):
    points = rng.normal(size=(60, 3))
    piece = np.repeat([0, 1], 30)
    mass = rng.uniform(0.5, 2, 60)
    turn = Rotation.random(5, random_state=1)
    moved = np.stack([r.apply(points) + rng.normal(size=3) for r in turn])
    assert bending(points, moved, piece, mass).max() < 1e-6
    noise = 1e-3 * rng.normal(size=moved[:, 30:].shape)  # what six numbers of 90 can't take away
    moved[:, 30:] += noise
    found = bending(points, moved, piece, mass)
    assert found[0] < 1e-6
    assert found[1] == pytest.approx(1e-3 * np.sqrt(3 * (1 - 6 / 90)), rel=0.15)


def test_a_reflection_is_not_taken_for_a_rotation(rng):
    points = rng.normal(size=(40, 3))
    mirrored = points * np.array([-1.0, 1, 1])
    assert bending(points, mirrored[None], np.zeros(40, int), np.ones(40))[0] > 0.3


def test_a_door_whose_corner_follows_the_frame_becomes_rigid(rng):
    """Handles: frame and door. The corner of the door beside the frame has the frame's weights."""
    points = np.r_[rng.uniform(-1, 0, (90, 3)), rng.uniform(0.2, 1, (90, 3))]
    points[90] = 0.2
    piece = np.repeat([0, 1], 90)
    weights = np.zeros((180, 2))
    weights[:90, 0], weights[90:, 1] = 1, 1
    weights[90] = [0.8, 0.2]
    maps = np.stack([np.stack([still(), hinge(angle)]) for angle in np.linspace(-1, 1, 8)])
    found, _ = with_rigid_pieces(weights, piece, points, np.ones(180), maps)
    assert np.allclose(found[90:], found[90]) and found[90, 1] > 0.99
    assert np.allclose(found.sum(1), 1) and np.allclose(found[:90], weights[:90])


def test_bending_pieces_keep_their_weights(rng):
    """A lid and a base fused to one piece: half of it follows each handle."""
    points = rng.uniform(-1, 1, (80, 3))
    weights = np.stack([points[:, 0] < 0, points[:, 0] >= 0], axis=1).astype(float)
    maps = np.stack([np.stack([still(), hinge(angle)]) for angle in np.linspace(-1.5, 1.5, 8)])
    found, _ = with_rigid_pieces(weights, np.zeros(80, int), points, np.ones(80), maps)
    assert np.array_equal(found, weights)


def test_pieces_without_mass_keep_their_weights(rng):
    weights = np.full((4, 2), 0.5)
    weights[3] = [0.9, 0.1]
    found, _ = with_rigid_pieces(
        weights, np.array([0, 0, 1, 1]), rng.normal(size=(4, 3)), np.zeros(4), np.stack([still()] * 2)[None]
    )
    assert np.array_equal(found, weights)
