"""The pivot of a turning part moves to the centre of the round surfaces near its line."""

from __future__ import annotations

import numpy as np
import pytest
import trimesh
from hypothesis import given, settings
from hypothesis import strategies as st

from neurok.articulation.axis_refinement import refined_pivot


def sampled(mesh: trimesh.Trimesh, count: int = 1500) -> tuple[np.ndarray, np.ndarray]:
    points, face = trimesh.sample.sample_surface(mesh, count, seed=0)
    return np.asarray(points), np.asarray(mesh.face_normals[face])


def turn(seed: int) -> np.ndarray:
    return trimesh.transformations.random_rotation_matrix(np.random.default_rng(seed).random(3))[:3, :3]


@pytest.mark.slow
@settings(deadline=None)
@given(st.integers(0, 10_000), st.floats(0, 2 * np.pi), st.floats(0, 0.06))
def test_the_centre_of_a_pin_is_found(seed: int, angle: float, off: float) -> None:
    """On a plate much larger than itself, however both are turned and wherever they are."""
    pin = trimesh.creation.cylinder(radius=0.05, height=0.2, sections=64)
    plate = trimesh.creation.box((1.0, 0.6, 0.02), trimesh.transformations.translation_matrix((0.3, 0, 0)))
    points, normals = (np.concatenate(pair) for pair in zip(sampled(pin), sampled(plate, 500), strict=True))
    rotation, place = turn(seed), np.array([3.0, -1.0, 0.5])
    given_pivot = np.array([off * np.cos(angle), off * np.sin(angle), 0.07])
    start, points, normals = rotation @ given_pivot + place, points @ rotation.T + place, normals @ rotation.T
    pivot = refined_pivot(rotation[:, 2], start, points, normals, 0.15)
    x, y, z = rotation.T @ (pivot - place)
    assert np.hypot(x, y) < 0.002 and z == pytest.approx(0.07)


def test_a_wall_beside_the_line_leaves_it_where_it_was() -> None:
    points, normals = sampled(trimesh.creation.box((2.0, 0.001, 2.0)), 20_000)
    pivot = refined_pivot(np.array([0.0, 0.0, 1.0]), np.array([0.3, 0.05, 0.2]), points, normals, 0.1)
    assert pivot == pytest.approx([0.3, 0.05, 0.2], abs=0.01)


def test_a_sheet_that_ends_beside_the_line_hardly_moves_it() -> None:
    """Its points pull to one side, but are not round about it: without reweighting it moves by 0.2."""
    points, normals = sampled(trimesh.creation.box((2.0, 0.001, 2.0)), 20_000)
    start = np.array([-1.0, 0.06, 0.0])
    moved = refined_pivot(np.array([0.0, 0.0, 1.0]), start, points, normals, 0.4) - start
    assert np.linalg.norm(moved) < 0.05


def test_without_points_the_pivot_stays() -> None:
    pivot = np.array([0.1, 0.2, 0.0])
    assert (
        refined_pivot(np.array([0.0, 0.0, 1.0]), pivot, np.zeros((0, 3)), np.zeros((0, 3)), 0.3) == pivot
    ).all()
