"""Stumpff's functions: the fast evaluation against the differentiable one, both against exact series."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import torch

from neurok.geometry.stumpff import stumpff, stumpff_derivatives

SQUARES = np.array([0.0, 1e-30, 1e-8, 1e-2, 0.5, 0.999, 1.001, 3.0, 9.99, 10.01, 40.0])


def exact(n: int, square: float) -> float:
    """C_n by its series in rational numbers."""
    s = Fraction(square)
    return float(sum((-s) ** k / math.factorial(2 * k + n) for k in range(60)))


def test_values_are_exact_for_numpy_and_torch():
    expected = np.array([[exact(n, s) for s in SQUARES] for n in (1, 2, 3)])
    np.testing.assert_allclose(np.stack(stumpff(SQUARES)), expected, atol=1e-15)
    np.testing.assert_allclose(torch.stack(stumpff(torch.tensor(SQUARES))).numpy(), expected, atol=1e-15)
    np.testing.assert_allclose(stumpff_derivatives(SQUARES)[:3], expected, atol=1e-15)


def test_the_fast_derivatives_are_those_of_the_differentiable_functions():
    """D_n = 2 dC_n/ds and F_n = 2 dD_n/ds."""
    s = torch.tensor(SQUARES, requires_grad=True)
    fast = stumpff_derivatives(SQUARES)
    for n, value in enumerate(stumpff(s)):
        (first,) = torch.autograd.grad(value.sum(), s, create_graph=True)
        (second,) = torch.autograd.grad(first.sum(), s, retain_graph=True)
        np.testing.assert_allclose(2 * first.detach().numpy(), fast[3 + n], atol=1e-14)
        np.testing.assert_allclose(4 * second.numpy(), fast[6 + n], atol=1e-14)


def test_batches_of_any_shape_keep_it():
    s = np.linspace(0, 20, 12).reshape(3, 4)
    for mine, theirs in zip(stumpff(s), stumpff(torch.tensor(s)), strict=True):
        np.testing.assert_allclose(mine, theirs.numpy(), atol=1e-15)
        assert mine.shape == (3, 4)
