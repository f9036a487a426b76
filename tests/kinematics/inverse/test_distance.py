"""The distance between a cloud and a surface, against closed forms."""

from __future__ import annotations

import numpy as np
import pytest

from neurok.kinematics.inverse.distance import cloud_distance
from neurok.shapes import Shape

SIDE = 8
ACROSS = np.stack(np.meshgrid(*[np.linspace(-1, 1, SIDE + 1)] * 2, indexing="ij"), -1).reshape(-1, 2)
CORNER = np.add.outer(np.arange(SIDE) * (SIDE + 1), np.arange(SIDE)).ravel()
FACES = np.concatenate(
    [CORNER[:, None] + [0, SIDE + 1, 1], CORNER[:, None] + [1, SIDE + 1, SIDE + 2]]
).astype(np.int32)
SQUARE = Shape(np.c_[ACROSS[:, 0], np.zeros(len(ACROSS)), ACROSS[:, 1]], FACES)
RADIUS = SQUARE.normalisation.radius


def cloud(count: int, height: float = 0.0, half: bool = False) -> np.ndarray:
    """Points on a grid that ends at the edges of the square."""
    x, z = np.meshgrid(np.linspace(-1, 0 if half else 1, count), np.linspace(-1, 1, count))
    return np.stack([x.ravel(), np.full(x.size, height), z.ravel()], axis=1)


@pytest.mark.parametrize("count", [15, 40, 80])
@pytest.mark.parametrize("height", [0.0, 0.01, 0.3])
def test_a_parallel_cloud_is_as_far_as_it_is_high_however_dense(count: int, height: float):
    found = cloud_distance(SQUARE, SQUARE.vertices, cloud(count, height))
    assert found * RADIUS == pytest.approx(height, abs=5e-4)


def test_surface_that_no_point_explains_counts_unless_only_a_part_was_seen():
    seen = cloud(40, half=True)
    assert cloud_distance(SQUARE, SQUARE.vertices, seen, partial=True) < 5e-4
    # ahead: half of the samples are t away, t uniform in [0, 1], less two spacings (1/39 and 2/39 apart)
    gap = 2 / 39
    expected = np.sqrt(0.5 * 0.5 * (1 - gap) ** 3 / 3)
    assert cloud_distance(SQUARE, SQUARE.vertices, seen) * RADIUS == pytest.approx(expected, rel=0.02)


def test_it_is_measured_to_the_moved_vertices():
    lifted = SQUARE.vertices + np.array([0, 0.2, 0])
    assert cloud_distance(SQUARE, lifted, cloud(30, 0.2)) < 5e-4
