"""Projections on leading eigenvectors, their derivatives, and the share of a motion that they lose."""

from __future__ import annotations

import pytest
import torch

from neurok.latent.nested import leading


def random_covariance(seed: int, size: int = 7):
    rng = torch.Generator().manual_seed(seed)
    root = torch.randn(size, size, generator=rng, dtype=torch.float64)
    return (root @ root.T)[None]


@pytest.mark.parametrize("count", [1, 3])
def test_projections_keep_the_leading_eigenvectors(count):
    covariance = random_covariance(0)
    (kept,) = leading(covariance, (count,))
    values, vectors = torch.linalg.eigh(covariance[0])
    first = vectors[:, -count:]
    assert torch.allclose(kept[0] @ first, first) and float(kept[0].trace()) == pytest.approx(count)
    assert torch.allclose(
        kept[0] @ vectors[:, :-count], torch.zeros(7, 7 - count, dtype=torch.float64), atol=1e-9
    )
    assert len(values) == 7


def test_derivatives_are_those_of_finite_differences():
    covariance, way = random_covariance(1), random_covariance(2)
    probe = torch.randn(7, 7, generator=torch.Generator().manual_seed(3), dtype=torch.float64)

    def value(c):
        return (leading(c, (2,))[0][0] * probe).sum()

    asked = covariance.clone().requires_grad_()
    (gradient,) = torch.autograd.grad(value(asked), asked)
    step = 1e-6
    slope = (value(covariance + step * way) - value(covariance - step * way)) / (2 * step)
    assert float((gradient * way).sum()) == pytest.approx(float(slope), rel=1e-4)


def test_equal_eigenvalues_within_the_group_have_finite_derivatives():
    asked = torch.diag(torch.tensor([3.0, 3.0, 1.0, 1.0], dtype=torch.float64))[None].requires_grad_()
    (kept,) = leading(asked, (2,))
    (gradient,) = torch.autograd.grad(kept[0, 0, 2], asked)
    assert torch.isfinite(gradient).all() and float(gradient[0, 0, 2] + gradient[0, 2, 0]) == pytest.approx(
        0.5
    )
