"""Confidence: known shapes are usual, others are not."""

from __future__ import annotations

import torch

from neurok.model.typical import Typical


def tokens(count: int, seed: int, shift: float = 0.0) -> torch.Tensor:
    """Shapes whose mean token is normal with unequal spread, shifted along its narrowest direction."""
    rng = torch.Generator().manual_seed(seed)
    mean = torch.randn(count, 8, generator=rng) * torch.logspace(0, -2, 8)
    mean[:, -1] += shift
    around = torch.randn(count, 5, 8, generator=rng)
    return mean[:, None] + around - around.mean(1, keepdim=True)


def test_confidence_of_shapes_like_the_known_ones_is_uniform_and_of_others_zero():
    typical = Typical(8)
    typical.calibrate(tokens(500, 0), tokens(400, 1))
    usual = typical(tokens(400, 2))
    assert 0.4 < usual.mean() < 0.6
    assert 0.01 < (usual < 0.1).float().mean() < 0.2
    assert typical(tokens(50, 3, shift=0.2)).max() < 0.02  # small beside the others, large for this direction


def test_it_travels_with_the_weights():
    typical, again = Typical(8), Typical(8)
    typical.calibrate(tokens(100, 0), tokens(100, 1))
    again.load_state_dict(typical.state_dict())
    assert torch.equal(typical(tokens(20, 4)), again(tokens(20, 4)))


def test_a_model_that_was_never_calibrated_has_no_confidence():
    assert Typical(8)(tokens(5, 0)).max() == 0
