"""Projections on leading eigenvectors, their derivatives, and the share of a motion that they lose."""

from __future__ import annotations

import pytest
import torch

from neurok.latent.nested import COUNTS, HANDLE_RADIUS, leading, nested_error
from neurok.latent.surface import ShapeCode, SurfacePoints


def random_covariance(seed: int, size: int = 7):
    rng = torch.Generator().manual_seed(seed)
    root = torch.randn(size, size, generator=rng, dtype=torch.float64)
    return (root @ root.T)[None]


@pytest.mark.parametrize("count", [1, 3])
def test_projections_keep_the_leading_eigenvectors(count):
    covariance = random_covariance(0)
    (kept,) = leading(covariance, (count,))
    _, vectors = torch.linalg.eigh(covariance[0])
    first = vectors[:, -count:]
    assert torch.allclose(kept[0] @ first, first) and float(kept[0].trace()) == pytest.approx(count)
    assert torch.allclose(
        kept[0] @ vectors[:, :-count], torch.zeros(7, 7 - count, dtype=torch.float64), atol=1e-9
    )


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


HANDLES = 30


def shape_with(modes):
    """An encoded shape of which only the modes matter."""
    nothing = torch.zeros(1, HANDLES, 3, dtype=torch.float64)
    anchors = SurfacePoints(nothing, nothing, torch.zeros(1, HANDLES, dtype=torch.long))
    relations = torch.zeros(1, HANDLES, HANDLES, 1, dtype=torch.float64)
    prior, noise = modes[:, 0], modes[..., 0]
    return ShapeCode(nothing, nothing, anchors, anchors.component, relations, modes, prior, noise)


@pytest.fixture
def shifts():
    """Each mode shifts one handle; the first ones farther."""
    modes = torch.zeros(1, 6 * HANDLES, HANDLES, dtype=torch.float64)
    modes[0, torch.arange(HANDLES) * 6 + 3, torch.arange(HANDLES)] = torch.linspace(2, 1, HANDLES).double()
    return modes


def moved(handle: int, place: int, size: float = 1.0):
    screws = torch.zeros(1, 1, 6 * HANDLES, dtype=torch.float64)
    screws[0, 0, 6 * handle + place] = size
    return screws


@pytest.mark.parametrize("handle", [0, 5, 15, 29])
def test_motions_are_lost_by_the_counts_that_do_not_reach_them(shifts, handle):
    missed = sum(handle >= count for count in COUNTS) / len(COUNTS)
    error = nested_error(shape_with(shifts), moved(handle, 3), 1e-6)
    assert float(error) == pytest.approx(missed, abs=2e-3)


def test_turns_weigh_as_the_distance_that_they_move_their_surroundings(shifts):
    floor = 0.5
    error = nested_error(shape_with(shifts), moved(0, 0), floor)
    assert float(error) == pytest.approx(HANDLE_RADIUS / HANDLES**0.5 / floor, rel=1e-2)
