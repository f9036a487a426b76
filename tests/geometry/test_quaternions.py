"""Quaternions against scipy, with NumPy and torch."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from samples import ANGLES, SEEDS, SHAPES, rotation_vectors
from scipy.spatial.transform import Rotation, Slerp

from neurok.geometry.quaternions import (
    canonical,
    continuous_signs,
    from_xyzw,
    normalised,
    quaternion_blend,
    quaternion_conjugate,
    quaternion_exp,
    quaternion_from_matrix,
    quaternion_in_frame,
    quaternion_log,
    quaternion_multiply,
    quaternion_rotate,
    quaternion_to_matrix,
    slerp,
    to_xyzw,
)


def wxyz(rotation: Rotation) -> np.ndarray:
    return from_xyzw(rotation.as_quat())


def scipy(q: np.ndarray) -> Rotation:
    return Rotation.from_quat(to_xyzw(q))


@given(seed=st.integers(0, 2**32 - 1), angle=st.sampled_from([0.0, 1e-9, 1.0, np.pi - 1e-9, np.pi]))
@settings(max_examples=50, deadline=None)
def test_quaternions_of_matrices_are_those_of_scipy(seed, angle):
    axis = np.random.default_rng(seed).normal(size=3)
    matrix = Rotation.from_rotvec(axis / np.linalg.norm(axis) * angle).as_matrix()
    q = quaternion_from_matrix(matrix)
    assert q[0] >= 0 and np.abs(quaternion_to_matrix(q) - matrix).max() < 1e-9
    np.testing.assert_allclose(quaternion_from_matrix(torch.tensor(matrix)).numpy(), q, atol=1e-15)


@settings(max_examples=60, deadline=None)
@given(SEEDS, ANGLES, SHAPES)
def test_exponential_and_logarithm_agree_with_scipy(seed, angle, shape):
    r = rotation_vectors(seed, angle, shape)
    q = quaternion_exp(r)
    turn = Rotation.from_rotvec(r.reshape(-1, 3)).as_matrix().reshape(*shape, 3, 3)
    np.testing.assert_allclose(quaternion_to_matrix(q), turn, atol=1e-14)
    np.testing.assert_allclose(np.linalg.norm(q, axis=-1), 1, atol=1e-15)
    np.testing.assert_allclose(quaternion_exp(torch.tensor(r)).numpy(), q, atol=1e-15)
    for sign in (1, -1):
        back = quaternion_log(sign * q)
        np.testing.assert_allclose(
            quaternion_to_matrix(quaternion_exp(back)), quaternion_to_matrix(q), atol=1e-14
        )
        np.testing.assert_allclose(quaternion_log(torch.tensor(sign * q)).numpy(), back, atol=1e-14)
        if angle < np.pi - 1e-6:
            np.testing.assert_allclose(back, r, atol=1e-14)


@settings(max_examples=40, deadline=None)
@given(SEEDS)
def test_products_inverses_and_images_agree_with_scipy(seed):
    a, b = (Rotation.random(6, random_state=seed + k) for k in (0, 1))
    points = np.random.default_rng(seed).normal(size=(6, 3))
    p, q = wxyz(a), wxyz(b)
    expected = canonical(wxyz(a * b)), canonical(wxyz(a.inv())), a.apply(points), a.as_matrix()
    for array in (np.asarray, torch.tensor):
        u, v, x = array(p), array(q), array(points)
        found = (
            canonical(quaternion_multiply(u, v)), canonical(quaternion_conjugate(u)), quaternion_rotate(u, x),
            quaternion_to_matrix(u),
        )  # fmt: skip
        for mine, theirs in zip(found, expected, strict=True):
            np.testing.assert_allclose(np.asarray(mine), theirs, atol=1e-14)


@settings(max_examples=40, deadline=None)
@given(SEEDS)
def test_a_rotation_seen_from_another_frame_is_conjugated(seed):
    turn, frame = Rotation.random(5, random_state=seed), Rotation.random(random_state=seed + 1)
    expected = canonical(wxyz(frame * turn * frame.inv()))
    found = quaternion_in_frame(wxyz(turn), frame.as_matrix())
    np.testing.assert_allclose(canonical(found), expected, atol=1e-14)


@settings(max_examples=40, deadline=None)
@given(SEEDS, st.sampled_from([0.0, 1e-8, 1e-3, 1.0, 3.0]))
def test_slerp_follows_the_shorter_arc_at_even_speed(seed, angle):
    start = Rotation.random(random_state=seed)
    end = Rotation.from_rotvec(rotation_vectors(seed, angle, ())) * start
    share = np.linspace(0, 1, 7)
    expected = Slerp([0, 1], Rotation.concatenate([start, end]))(share)
    a, b = (np.tile(wxyz(r), (7, 1)) for r in (start, end))
    for sign in (1, -1):
        found = slerp(a, sign * b, share)
        assert (scipy(found).inv() * expected).magnitude().max() < 1e-7
        again = slerp(torch.tensor(a), torch.tensor(sign * b), torch.tensor(share))
        np.testing.assert_allclose(again.numpy(), found, atol=1e-12)


def test_the_canonical_sign_is_settled_at_half_a_turn_too():
    q = np.array([[-1.0, 0, 0, 0], [0, -1, 0, 0], [0, 0, -0.6, 0.8], [0.6, -0.8, 0, 0]])
    expected = [[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 0.6, -0.8], [0.6, -0.8, 0, 0]]
    np.testing.assert_array_equal(canonical(q), expected)
    np.testing.assert_array_equal(canonical(torch.tensor(q)).numpy(), expected)


def test_zero_becomes_the_identity_with_a_finite_gradient():
    q = torch.tensor([[0.0, 0, 0, 0], [0, 3, 0, 4]], dtype=torch.float64, requires_grad=True)
    unit = normalised(q)
    np.testing.assert_allclose(unit.detach().numpy(), [[1, 0, 0, 0], [0, 0.6, 0, 0.8]])
    np.testing.assert_allclose(normalised(q.detach().numpy()), unit.detach().numpy())
    unit.sum().backward()
    assert q.grad is not None and q.grad.isfinite().all()


@pytest.mark.parametrize("function", [quaternion_exp, lambda r: quaternion_log(quaternion_exp(r))])
def test_derivatives_are_right_at_zero(function):
    for angle in (0.0, 0.7, 2.5):
        r = torch.tensor(rotation_vectors(2, angle, ()), requires_grad=True)
        assert torch.autograd.gradcheck(function, (r,))


def test_blends_ignore_signs():
    rng = np.random.default_rng(0)
    q = wxyz(Rotation.from_rotvec(0.3 * rng.normal(size=(20, 3)))).reshape(5, 4, 4)
    weights = rng.dirichlet(np.ones(4), 5)
    signs = rng.choice([-1.0, 1.0], (5, 4, 1))
    expected = canonical(normalised(np.einsum("nki,nk->ni", q, weights)))
    np.testing.assert_allclose(canonical(quaternion_blend(q * signs, weights)), expected, atol=1e-14)
    found = quaternion_blend(torch.tensor(q), torch.tensor(weights))
    np.testing.assert_allclose(canonical(found).numpy(), expected, atol=1e-14)


def test_signs_along_frames_are_continuous():
    q = wxyz(Rotation.from_rotvec(np.outer(np.linspace(0, 12, 80), [0.1, -0.7, 0.5])))
    flipped = q * np.random.default_rng(0).choice([-1.0, 1.0], (80, 1))
    found = continuous_signs(flipped)
    assert ((found[1:] * found[:-1]).sum(-1) > 0.9).all()
    np.testing.assert_array_equal(np.abs(found), np.abs(q))


def test_orders_of_components_are_inverse_to_each_other():
    q = np.random.default_rng(0).normal(size=(2, 3, 4))
    np.testing.assert_array_equal(from_xyzw(to_xyzw(q)), q)
    np.testing.assert_array_equal(to_xyzw(torch.tensor(q)).numpy(), to_xyzw(q))
