"""The first coordinates of a space are fitted to known poses: exact where the space holds them."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
import torch

from carpentry import board
from neurok.evaluation.kinematics.coordinates import COUNTS, Fit, _lost, _motion, figures, table
from neurok.geometry.rotations import rotation_about_y
from neurok.kinematics import elastic_modes_of
from neurok.shapes.sample import sample_surface


@pytest.fixture(scope="module")
def plank():
    """Elastic modes of a long board, and points on it."""
    shape = board((-1.0, -0.05, -0.2), (1.0, 0.05, 0.2))
    kinematics, samples = elastic_modes_of(shape, modes=24), sample_surface(shape, 200)
    return kinematics, kinematics.basis.at(samples.matrix(shape)), samples.positions(shape)


def moved(kinematics, place, coordinates):
    q = kinematics.rest.clone()
    q[list(coordinates)] = torch.tensor(list(coordinates.values()), dtype=torch.float64)
    return place(kinematics.code(q)).numpy()


def test_motion_along_the_first_coordinates_is_fitted_exactly(plank):
    kinematics, place, rest = plank
    size = 0.2 / np.abs(moved(kinematics, place, {0: 1.0}) - rest).max()
    target = moved(kinematics, place, {0: size, 2: 0.5 * size})
    lost = _lost(kinematics, place, target, is_free=False)
    assert max(lost) < 1e-3 * _motion(rest, target, False)


def test_later_coordinates_are_not_used_by_smaller_counts(plank):
    kinematics, place, rest = plank
    size = 0.2 / np.abs(moved(kinematics, place, {9: 1.0}) - rest).max()
    target = moved(kinematics, place, {9: size})
    lost = np.array(_lost(kinematics, place, target, is_free=False)) / _motion(rest, target, False)
    assert lost[:2] == pytest.approx(1.0, abs=0.1) and lost[2] < 1e-2
    assert all(a >= b - 1e-9 for a, b in pairwise(lost))


def test_a_free_object_may_be_anywhere(plank):
    kinematics, place, rest = plank
    size = 0.2 / np.abs(moved(kinematics, place, {0: 1.0}) - rest).max()
    bent = moved(kinematics, place, {0: size})
    target = bent @ rotation_about_y(np.array(1.0)).T + [3.0, -2.0, 1.0]
    assert _motion(rest, target, True) == pytest.approx(_motion(rest, bent, True))
    assert max(_lost(kinematics, place, target, is_free=True)) < 1e-3 * _motion(rest, target, True)
    assert _lost(kinematics, place, target, is_free=False)[0] > 1.0


def test_tables_and_figures_are_means_over_objects_of_a_kind():
    errors = [(0.8, 0.6, 0.4, 0.2), (0.6, 0.4, 0.2, 0.0)]
    fits = [Fit(f"soft/{k}", "soft", "learned", error) for k, error in enumerate(errors)]
    fits.append(Fit("soft/0", "soft", "elastic modes", (1.0,) * len(COUNTS)))
    assert figures(fits) == pytest.approx({"latent_error_12_soft": 0.3, "elastic_latent_error_12_soft": 1.0})
    assert table(fits)[0] == ["soft", "learned", "2", "0.70", "0.50", "0.30", "0.10"]
