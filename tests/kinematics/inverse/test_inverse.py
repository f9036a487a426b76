"""Inverse kinematics against poses that are known: the shipped cabinet's joints, the teddy's modes."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from scipy.spatial import KDTree

from neurok.assets import SHIPPED
from neurok.kinematics import ElasticKinematics, JointKinematics, random_poses
from neurok.kinematics.inverse import FitConfig, fit_points, fit_vertices
from neurok.kinematics.inverse.observed import at_samples, at_vertices
from neurok.kinematics.inverse.solver import _with_slopes
from neurok.shapes.load import load_shape
from neurok.shapes.sample import sample_surface


@pytest.fixture(scope="module")
def cabinet() -> JointKinematics:
    return JointKinematics(load_shape(SHIPPED["cabinet"]))


@pytest.fixture(scope="module")
def teddy() -> ElasticKinematics:
    return ElasticKinematics.from_shape(load_shape(SHIPPED["teddy"]), modes=4)


def cloud_of(kinematics, q, count: int = 4000, seed: int = 7) -> np.ndarray:
    """Other points than the fit samples, in any order."""
    samples = sample_surface(kinematics.shape, count, seed, even=False)
    return samples.positions(kinematics.shape, kinematics.positions(q).numpy())


def test_observed_points_are_the_points_of_the_surface(cabinet):
    q = random_poses(cabinet, 3, seed=1)
    samples = sample_surface(cabinet.shape, 50, 0)
    seen = at_samples(cabinet, samples)(cabinet.code(q)).numpy()
    truth = samples.positions(cabinet.shape, cabinet.positions(q).numpy())
    assert np.abs(seen - truth).max() < 1e-12
    some = np.array([3, 1, 20])
    assert torch.allclose(at_vertices(cabinet, some)(cabinet.code(q)), cabinet.positions(q)[:, some])


@pytest.mark.slow
def test_slopes_match_differences(teddy):
    seen = at_samples(teddy, sample_surface(teddy.shape, 20, 0))
    q, h = random_poses(teddy, 2, seed=2), 1e-6
    points, slopes = _with_slopes(teddy, seen, q)
    for i in range(teddy.dim):
        ahead = seen(teddy.code(q + h * torch.eye(teddy.dim, dtype=q.dtype)[i]))
        assert ((ahead - points) / h - slopes[:, i]).abs().max() < 1e-4 * slopes.abs().max()


@pytest.mark.parametrize("seed", range(3))
def test_known_vertices_give_back_the_pose(cabinet, seed):
    q = random_poses(cabinet, 1, seed)[0]
    every = np.arange(len(cabinet.shape.vertices))
    fit = fit_vertices(cabinet, every, cabinet.positions(q).numpy(), FitConfig(prior=0))
    assert (fit.q - q).abs().max() < 1e-4 and fit.error < 1e-5


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
def test_an_unordered_cloud_gives_back_the_pose(cabinet, seed):
    """Door and drawers of another sampling of the surface, from no correspondence at all."""
    q = random_poses(cabinet, 1, seed + 10)[0]
    fit = fit_points(cabinet, cloud_of(cabinet, q), FitConfig(prior=1e-7))
    off = np.linalg.norm(cabinet.positions(fit.q).numpy() - cabinet.positions(q).numpy(), axis=1)
    assert off.mean() < 0.02 * cabinet.shape.normalisation.radius


@pytest.mark.slow
def test_half_a_cloud_with_outliers_is_enough(cabinet):
    q = random_poses(cabinet, 1, seed=21)[0]
    cloud = cloud_of(cabinet, q)
    near = cloud[cloud[:, 0] > np.median(cloud[:, 0])]
    rng = np.random.default_rng(0)
    radius = cabinet.shape.normalisation.radius
    wrong = cloud.mean(0) + 3 * radius * rng.normal(size=(len(near) // 20, 3))
    fit = fit_points(cabinet, np.concatenate([near, wrong]), FitConfig(prior=1e-7), partial=True)
    distance = KDTree(cloud_of(cabinet, fit.q, 8000)).query(near)[0]
    still = KDTree(cloud_of(cabinet, cabinet.rest, 8000)).query(near)[0]
    assert distance.mean() < 0.03 * radius < still.mean()


def test_a_few_dragged_points_go_where_they_are_dragged(teddy):
    q = random_poses(teddy, 1, seed=3)[0]
    some = np.array([0, 40, 90, 200, 333, 420])
    target = teddy.positions(q).numpy()[some]
    fit = fit_vertices(teddy, some, target, FitConfig(prior=1e-6))
    radius = teddy.shape.normalisation.radius
    assert np.linalg.norm(teddy.positions(fit.q).numpy()[some] - target, axis=1).max() < 0.02 * radius


def test_what_is_not_dragged_stays_at_rest(cabinet):
    """One corner of the door is dragged; the drawers and the lid stay at rest."""
    q = cabinet.rest.clone()
    door = cabinet.names.index("door_hinge")
    q[door] = 0.8
    away = np.linalg.norm(cabinet.positions(q).numpy() - cabinet.shape.vertices, axis=1)
    corner = np.array([away.argmax()])
    fit = fit_vertices(cabinet, corner, cabinet.positions(q).numpy()[corner])
    others = [i for i in range(len(cabinet.names)) if i != door]
    assert abs(fit.q[door] - 0.8) < 0.05
    assert (fit.q - cabinet.rest)[others].abs().max() < 0.02


def test_what_cannot_be_reached_is_approached(cabinet):
    """No joint can follow a target that is shifted as a whole; the fit reports the distance."""
    every = np.arange(len(cabinet.shape.vertices))
    radius = cabinet.shape.normalisation.radius
    shifted = cabinet.positions(cabinet.rest).numpy() + np.array([0.1 * radius, 0, 0])
    fit = fit_vertices(cabinet, every, shifted)
    assert torch.isfinite(fit.q).all() and 0.01 < fit.error < 0.101


@pytest.mark.slow
def test_same_seed_same_pose(cabinet):
    cloud = cloud_of(cabinet, random_poses(cabinet, 1, seed=4)[0])
    first, second = (fit_points(cabinet, cloud, FitConfig(starts=3, steps=9)) for _ in range(2))
    assert torch.equal(first.q, second.q)
