"""Exponential maps against the matrix exponential and float64 differences."""

from __future__ import annotations

import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from neurok.kinematics.rigid_motion import cross_matrix, rotation_exp, se3_exp

numbers = st.lists(st.floats(-4, 4), min_size=3, max_size=3).map(
    lambda v: torch.tensor(v, dtype=torch.float64)
)


@settings(max_examples=50, deadline=None)
@given(numbers, numbers, st.sampled_from([1.0, 0.2, 1e-3, 1e-9, 0.0]))
def test_rigid_motion_equals_the_matrix_exponential_of_its_twist(w, u, scale):
    w = w * scale
    twist = torch.zeros(4, 4, dtype=torch.float64)
    twist[:3, :3], twist[:3, 3] = cross_matrix(w), u
    expected = torch.linalg.matrix_exp(twist)[:3]
    torch.testing.assert_close(se3_exp(w, u), expected, atol=1e-12, rtol=0)
    torch.testing.assert_close(rotation_exp(w), expected[:, :3], atol=1e-12, rtol=0)


def test_derivatives_up_to_the_second_are_right_at_zero_and_on_both_sides_of_the_series():
    for angle in (0.0, 0.49, 0.51):
        w = angle * torch.tensor([0.36, 0.48, 0.8], dtype=torch.float64)
        u = torch.tensor([0.3, -1.0, 0.7], dtype=torch.float64)
        both = torch.cat([w, u]).requires_grad_()

        def motion(twist):
            return se3_exp(twist[:3], twist[3:])

        assert torch.autograd.gradcheck(motion, (both,))
        assert torch.autograd.gradgradcheck(motion, (both,))
        forward = torch.func.jacfwd(torch.func.jacfwd(motion))(both.detach())
        reverse = torch.func.jacrev(torch.func.jacrev(motion))(both.detach())
        torch.testing.assert_close(forward, reverse, atol=1e-12, rtol=0)


def test_second_derivative_at_zero_is_the_symmetric_product_of_cross_matrices():
    """exp(w) = I + W + W²/2 + …, so ∂²R/∂w_i∂w_j = (E_i E_j + E_j E_i) / 2."""
    hessian = torch.func.jacfwd(torch.func.jacfwd(rotation_exp))(torch.zeros(3, dtype=torch.float64))
    basis = cross_matrix(torch.eye(3, dtype=torch.float64))
    product = torch.einsum("iab,jbc->acij", basis, basis)
    torch.testing.assert_close(hessian, (product + product.transpose(-1, -2)) / 2)


def test_maps_are_batched():
    w, u = torch.randn(2, 4, 5, 3, dtype=torch.float64, generator=torch.Generator().manual_seed(0))
    assert torch.equal(se3_exp(w, u)[2, 3], se3_exp(w[2, 3], u[2, 3]))
