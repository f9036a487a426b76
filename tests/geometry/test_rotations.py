"""The exponential map of rotations against the matrix exponential and float64 differences."""

from __future__ import annotations

import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.linalg import expm

from neurok.geometry.rotations import cross_matrix, rotation_matrix

numbers = st.lists(st.floats(-4, 4), min_size=3, max_size=3).map(
    lambda v: torch.tensor(v, dtype=torch.float64)
)


@settings(max_examples=50, deadline=None)
@given(numbers, st.sampled_from([1.0, 0.2, 1e-3, 1e-9, 0.0]))
def test_rotation_equals_the_matrix_exponential_of_its_vector(r, scale):
    expected = torch.tensor(expm(cross_matrix(r * scale).numpy()))  # torch's own is off by 8e-12 at 0.025
    torch.testing.assert_close(rotation_matrix(r * scale), expected, atol=1e-12, rtol=0)


def test_derivatives_up_to_the_second_are_right_at_zero_and_on_both_sides_of_the_series():
    for angle in (0.0, 1e-8, 0.99, 1.01, 3.0):
        r = (angle * torch.tensor([0.36, 0.48, 0.8], dtype=torch.float64)).requires_grad_()
        assert torch.autograd.gradcheck(rotation_matrix, (r,))
        assert torch.autograd.gradgradcheck(rotation_matrix, (r,))
        forward = torch.func.jacfwd(torch.func.jacfwd(rotation_matrix))(r.detach())
        reverse = torch.func.jacrev(torch.func.jacrev(rotation_matrix))(r.detach())
        torch.testing.assert_close(forward, reverse, atol=1e-12, rtol=0)


def test_maps_are_batched():
    r = torch.randn(4, 5, 3, dtype=torch.float64, generator=torch.Generator().manual_seed(0))
    torch.testing.assert_close(rotation_matrix(r)[2, 3], rotation_matrix(r[2, 3]))
