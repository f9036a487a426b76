"""Active subspaces of decoders whose active directions are known."""

from __future__ import annotations

import torch

from neurok.latent.reduction import ReductionConfig, active_subspace

AXES = torch.linalg.qr(torch.randn(20, 20, generator=torch.Generator().manual_seed(0), dtype=torch.float64))[
    0
]


def hinges(amplitudes, noise: float = 0.0):
    """Three parts that turn by angles amplitude · (u_i · z), each seen as (cos, sin) at unit distance."""
    size = torch.tensor(amplitudes, dtype=torch.float64)

    def decode(z):
        angle = size * (z @ AXES[:, : len(size)])
        rest = noise * (z @ AXES[:, len(size) :])
        return torch.cat([angle.cos(), angle.sin(), rest], dim=-1)

    return decode, torch.eye(2 * len(size) + 20 - len(size), dtype=torch.float64)


def test_the_true_directions_and_their_number_are_found():
    decode, metric = hinges([0.9, 0.8, 0.7], noise=0.01)
    zero = torch.zeros(20, dtype=torch.float64)
    found = active_subspace(decode, zero, zero, metric, ReductionConfig(samples=256))
    assert found.dim == 3
    overlap = torch.linalg.svdvals(found.axes.T @ AXES[:, :3])
    assert overlap.min() > 0.99


def test_probing_estimates_the_mean_metric():
    """E[(Jᵀ L ξ)(Jᵀ L ξ)ᵀ] against Σ (∂c/∂z)ᵀ G (∂c/∂z): amplitudes squared, since |d(cos, sin)| = dθ."""
    decode, metric = hinges([1.0, 0.3, 0.1])
    zero = torch.zeros(20, dtype=torch.float64)
    found = active_subspace(decode, zero, zero, metric, ReductionConfig(samples=512, probes=64))
    truth = torch.tensor([1.0, 0.09, 0.01], dtype=torch.float64)
    assert (found.spectrum[:3] / truth - 1).abs().max() < 0.1
    assert found.spectrum[3:].abs().max() < 1e-9


def test_the_scalar_norm_suppresses_small_parts():
    """The mass metric has eigenvalues 1/.09/.01; the norm of the displacement gives smaller ones."""
    decode, metric = hinges([1.0, 0.3, 0.1])
    zero = torch.zeros(20, dtype=torch.float64)
    norm = active_subspace(decode, zero, zero, metric, ReductionConfig(norm="scalar", samples=4096))
    mass = active_subspace(decode, zero, zero, metric, ReductionConfig(samples=512))
    assert norm.spectrum[2] / norm.spectrum[0] < 0.5 * mass.spectrum[2] / mass.spectrum[0]


def test_q_zero_is_the_origin_and_the_prior_is_where_it_was():
    decode, metric = hinges([0.9, 0.8])
    rng = torch.Generator().manual_seed(3)
    mean, origin = (torch.randn(20, generator=rng, dtype=torch.float64) for _ in range(2))
    found = active_subspace(decode, mean, origin, metric)
    assert torch.equal(found.latent(torch.zeros(found.dim, dtype=torch.float64)), origin)
    assert torch.allclose(found.centre, found.axes.T @ (mean - origin))
    assert torch.allclose(found.axes.T @ found.axes, torch.eye(found.dim, dtype=torch.float64), atol=1e-10)


def test_more_coordinates_never_lose_more_of_a_linear_decoder():
    zero = torch.zeros(20, dtype=torch.float64)
    scale = torch.logspace(0, -2, 20, dtype=torch.float64)
    found = active_subspace(lambda z: (z @ AXES) * scale, zero, zero, torch.eye(20, dtype=torch.float64))
    assert (found.lost.diff() < 1e-9).all()
    assert 1 <= found.dim <= 12
