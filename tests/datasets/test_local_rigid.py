"""The local rigid fit against known motions and an independent solver."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation
from store_samples import bar_shape, bent

from neurok.datasets.local_rigid import fit_local_rigid
from neurok.geometry.quaternions import canonical, quaternion_to_matrix
from neurok.shapes import Shape


def quaternion(rotation: Rotation) -> np.ndarray:
    return canonical(rotation.as_quat()[..., [3, 0, 1, 2]])


def flat_sheet() -> Shape:
    x, y = np.meshgrid(np.arange(5.0), np.arange(4.0), indexing="ij")
    points = np.stack([x, y, 0 * x], -1).reshape(-1, 3)
    corner = (np.arange(4)[:, None] * 4 + np.arange(3)).ravel()
    faces = np.concatenate([np.c_[corner, corner + 4, corner + 5], np.c_[corner, corner + 5, corner + 1]])
    return Shape(points, faces)


def lonely_triangles() -> Shape:
    """Every one-ring has two neighbours, and the second component is a needle."""
    points = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [5, 0, 0], [6, 0, 0], [5.5, 1e-2, 0]]
    return Shape(np.array(points, float), np.array([[0, 1, 2], [3, 4, 5]]))


@pytest.mark.parametrize("make", [bar_shape, flat_sheet, lonely_triangles])
@given(seed=st.integers(0, 2**32 - 1))
@settings(max_examples=15, deadline=None)
def test_a_rigid_motion_is_found_exactly(make, seed):
    shape = make()
    turn = Rotation.random(3, rng=np.random.default_rng(seed))
    moved = np.einsum("fij,nj->fni", turn.as_matrix(), shape.vertices) + np.arange(9).reshape(3, 1, 3)
    fit = fit_local_rigid(shape.surface, moved)
    truth = turn.as_matrix()[:, None]
    assert np.abs(quaternion_to_matrix(fit.rotations.astype(float)) - truth).max() < 1e-6
    assert fit.residual.max() < 1e-6
    assert (fit.rotations[..., 0] >= 0).all()


def test_a_bent_bar_turns_by_its_slope():
    shape = bar_shape(100)
    for curvature in (0.4, -1.1):
        fit = fit_local_rigid(shape.surface, bent(shape.vertices, curvature)[None])
        slope = Rotation.from_rotvec(np.outer(curvature * shape.vertices[:, 0], [0, 0, 1]))
        off = 2 * np.arccos(np.clip(np.abs((fit.rotations[0] * quaternion(slope)).sum(-1)), 0, 1))
        assert np.median(off) < 0.01 and off.max() < abs(curvature) * 0.13  # half an edge off at the ends
        assert 0 < fit.residual.max() < 0.02


def test_the_fit_is_that_of_an_independent_solver():
    shape = bar_shape()
    noise = np.random.default_rng(1).normal(size=shape.vertices.shape) * 0.03
    moved = bent(shape.vertices, 0.7) + noise
    surface = shape.surface
    first = np.unique(surface.of_vertex, return_index=True)[1]
    fit = fit_local_rigid(surface, moved[None])
    for vertex in range(0, len(surface.vertices), 17):
        ring = surface.adjacency[vertex].indices
        here, there = (
            surface.vertices[ring] - surface.vertices[vertex],
            moved[first[ring]] - moved[first[vertex]],
        )
        truth, distance = Rotation.align_vectors(there, here)
        assert abs((fit.rotations[0, first[vertex]] * quaternion(truth)).sum()) > 1 - 1e-5
        assert fit.residual[0, first[vertex]] == pytest.approx(distance / len(ring) ** 0.5, rel=1e-3)


def test_vertices_on_a_seam_share_their_rotation():
    shape = bar_shape()
    soup = Shape(shape.vertices[shape.faces].reshape(-1, 3), np.arange(3 * len(shape.faces)).reshape(-1, 3))
    moved = bent(shape.vertices, 0.9)
    whole = fit_local_rigid(shape.surface, moved[None]).rotations[0]
    torn = fit_local_rigid(soup.surface, moved[shape.faces].reshape(1, -1, 3)).rotations[0]
    assert np.abs(whole[shape.faces].reshape(-1, 4) - torn).max() < 1e-6


def test_a_surface_on_a_line_gets_a_rotation_that_keeps_the_line():
    shape = Shape(np.array([[0.0, 0, 0], [1, 0, 0], [2, 0, 0]]), np.array([[0, 1, 2]]))
    moved = shape.vertices[:, [1, 0, 2]]  # x becomes y
    fit = fit_local_rigid(shape.surface, moved[None])
    assert np.allclose(quaternion_to_matrix(fit.rotations[0].astype(float)) @ [1, 0, 0], [0, 1, 0], atol=1e-6)
