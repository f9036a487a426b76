"""The closed forms of the linear-Gaussian latent against dense linear algebra and sampling."""

from __future__ import annotations

import math

import torch
from torch.distributions import MultivariateNormal, kl_divergence

from neurok.latent.posterior import posterior
from neurok.latent.surface import ShapeCode, SurfacePoints


def code(seed: int = 0, b: int = 2, k: int = 3, z: int = 20) -> ShapeCode:
    rng = torch.Generator().manual_seed(seed)

    def draw(*size):
        return torch.randn(*size, generator=rng, dtype=torch.float64)

    zero = torch.zeros(b, k, 3, dtype=torch.float64)
    anchors = SurfacePoints(zero, zero, torch.zeros(b, k, dtype=torch.int32))
    return ShapeCode(
        draw(b, k, 4), draw(b, k, 2), anchors, torch.zeros(b, k, dtype=torch.long), draw(b, k, k, 6),
        modes=draw(b, 6 * k, z), prior=draw(b, z), noise=0.1 + draw(b, 6 * k).abs(),
    )  # fmt: skip


def seen(seed: int = 1) -> torch.Tensor:
    return torch.randn(2, 5, 18, generator=torch.Generator().manual_seed(seed), dtype=torch.float64)


def test_evidence_is_the_density_of_the_screws():
    shape, x = code(), seen()
    found = posterior(shape, x)
    density = -0.5 * (found.misfit + found.volume[:, None] + 18 * math.log(2 * math.pi))
    mean = (shape.modes @ shape.prior[..., None])[..., 0]
    covariance = shape.modes @ shape.modes.mT + torch.diag_embed(shape.noise.square())
    truth = MultivariateNormal(mean[:, None], covariance[:, None]).log_prob(x)
    assert torch.allclose(density, truth, rtol=1e-9)


def test_the_posterior_is_that_of_the_joint_gaussian():
    """Condition the joint normal of (z, ξ) on ξ."""
    shape, x = code(), seen()
    found = posterior(shape, x)
    gain = shape.modes.mT @ torch.linalg.inv(
        shape.modes @ shape.modes.mT + torch.diag_embed(shape.noise.square())
    )
    surprise = x - (shape.modes @ shape.prior[..., None])[:, None, :, 0]
    assert torch.allclose(found.mean, shape.prior[:, None] + surprise @ gain.mT, atol=1e-9)
    covariance = torch.eye(20, dtype=torch.float64) - gain @ shape.modes
    assert torch.allclose(torch.linalg.inv(found.root @ found.root.mT), covariance, atol=1e-9)
    q = MultivariateNormal(found.mean, covariance[:, None])
    p = MultivariateNormal(shape.prior[:, None], torch.eye(20, dtype=torch.float64))
    assert torch.allclose(found.kl(), kl_divergence(q, p), rtol=1e-8)


def test_samples_have_the_posteriors_mean_and_covariance():
    shape = code()
    found = posterior(shape, seen()[:, :1].expand(-1, 40_000, -1))
    drawn = found.sample(
        torch.randn(2, 40_000, 20, generator=torch.Generator().manual_seed(2), dtype=torch.float64)
    )
    covariance = torch.linalg.inv(found.root @ found.root.mT)
    for i in range(2):
        assert (drawn[i].mean(0) - found.mean[i, 0]).abs().max() < 0.03
        assert (drawn[i].T.cov() - covariance[i]).abs().max() < 0.05
