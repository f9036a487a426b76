"""Rigid fits against scipy's alignment, LAPACK and each other."""

from __future__ import annotations

import numpy as np
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation

from neurok.geometry.quaternions import horn_matrix, quaternion_to_matrix
from neurok.geometry.rotation_fit import horn_quaternions, kabsch, largest_overlap


@given(seed=st.integers(0, 2**32 - 1), rank=st.integers(1, 3))
@settings(max_examples=30, deadline=None)
def test_the_closed_form_finds_the_largest_eigenvalue(seed, rank):
    rng = np.random.default_rng(seed)
    spread = rng.normal(size=(40, 3, rank)) @ rng.normal(size=(40, rank, 3)) * 10.0 ** rng.uniform(-6, 3)
    spread[0] = 0
    q = horn_quaternions(spread)
    k = horn_matrix(spread)
    size = np.linalg.norm(spread, axis=(1, 2))
    reached = np.einsum("ni,nij,nj->n", q, k, q)
    assert (np.linalg.eigvalsh(k)[:, -1] - reached <= 1e-9 * size).all()
    assert np.allclose(np.linalg.norm(q, axis=1), 1)
    overlap = np.einsum("nij,nij->n", quaternion_to_matrix(q), spread)
    assert np.allclose(reached, overlap, atol=1e-9 * size.max())
    assert np.allclose(largest_overlap(spread), overlap, atol=1e-9 * size.max())


@given(st.integers(0, 10**6))
@settings(max_examples=30, deadline=None)
def test_both_fits_are_the_alignment_of_scipy(seed):
    rng = np.random.default_rng(seed)
    rest = rng.normal(size=(9, 3))
    moved = Rotation.random(random_state=seed).apply(rest) + 0.2 * rng.normal(size=(9, 3))
    expected = Rotation.align_vectors(moved, rest)[0].as_matrix()
    spread = (moved.T @ rest)[None]
    np.testing.assert_allclose(kabsch(spread)[0], expected, atol=1e-9)
    np.testing.assert_allclose(kabsch(torch.tensor(spread))[0].numpy(), expected, atol=1e-9)
    np.testing.assert_allclose(quaternion_to_matrix(horn_quaternions(spread))[0], expected, atol=1e-9)


def test_fits_of_reflections_are_rotations_too():
    spread = np.random.default_rng(0).normal(size=(50, 3, 3))
    spread *= -np.sign(np.linalg.det(spread))[:, None, None]
    found = kabsch(spread)
    np.testing.assert_allclose(np.linalg.det(found), 1)
    np.testing.assert_allclose(np.einsum("nij,nij->n", found, spread), largest_overlap(spread))


def test_fits_are_the_rotations_of_the_polar_decomposition():
    turn = Rotation.random(200, rng=np.random.default_rng(0)).as_matrix()
    stretch = np.exp(np.random.default_rng(1).uniform(-1, 1, (200, 3)))
    sheared = stretch[:, :, None] * turn / stretch[:, None]
    u, _, vt = np.linalg.svd(sheared)
    for fit in (kabsch, lambda matrices: quaternion_to_matrix(horn_quaternions(matrices))):
        assert np.abs(fit(turn * stretch[:, None]) - turn).max() < 1e-7
        assert np.abs(fit(sheared) - u @ vt).max() < 1e-6
