"""Confidence predicts the captured share of known motions and is low for unfamiliar shapes."""

from __future__ import annotations

from dataclasses import replace

import pytest
import torch

from neurok.latent.confidence import KEPT_COORDINATES, Confidence, captured_share
from neurok.latent.surface import ShapeCode, SurfacePoints


def codes(count: int, seed: int, shift: float = 0.0) -> ShapeCode:
    """Shapes whose mean token is normal with unequal spread, shifted along its narrowest direction."""
    rng = torch.Generator().manual_seed(seed)
    mean = torch.randn(count, 8, generator=rng) * torch.logspace(0, -2, 8)
    mean[:, -1] += shift
    around = torch.randn(count, 5, 8, generator=rng)
    tokens = mean[:, None] + around - around.mean(1, keepdim=True)
    anchors = SurfacePoints(torch.zeros(count, 5, 3), torch.zeros(count, 5, 3), torch.zeros(count, 5).int())
    nothing, none = torch.zeros(count, 5, 4), torch.zeros(count, 5).long()
    modes = torch.randn(count, 30, 40, generator=rng)
    return ShapeCode(
        tokens, nothing, anchors, none, torch.zeros(count, 5, 5, 6), modes, torch.zeros(count, 40),
        torch.full((count, 30), 0.1),
    )  # fmt: skip


def calibrated() -> Confidence:
    """The captured share depends on the first direction of the tokens."""
    confidence = Confidence(8)
    confidence.fit_familiarity(codes(500, 0).tokens.mean(1))
    known = codes(400, 1)
    held = (0.5 + 0.2 * known.tokens.mean(1)[:, 0]).clamp(0, 1)
    confidence.calibrate(confidence.features(known), confidence.distance(known), held)
    return confidence


def test_captured_shares_are_predicted():
    from scipy.stats import spearmanr  # takes a second to import

    confidence, fresh = calibrated(), codes(300, 2)
    truth = 0.5 + 0.2 * fresh.tokens.mean(1)[:, 0]
    usual = confidence.distance(fresh) <= confidence.reach
    assert 0.6 < usual.float().mean() < 0.9
    assert spearmanr(confidence(fresh)[usual], truth[usual]).statistic > 0.85


def test_confidence_falls_with_distance_from_training():
    confidence = calibrated()
    usual, odd, odder = (confidence(codes(200, 3, shift)).mean() for shift in (0.0, 0.2, 2.0))
    assert usual > 0.4 and odd < 0.2 * usual and odder < 0.02 * usual


def test_calibration_is_saved_with_the_weights():
    confidence, again = calibrated(), Confidence(8)
    again.load_state_dict(confidence.state_dict())
    assert torch.equal(confidence(codes(20, 4)), again(codes(20, 4)))


def test_a_model_that_was_never_calibrated_has_no_confidence():
    assert Confidence(8)(codes(5, 0)).max() == 0


def test_leading_modes_capture_all_motion_that_they_span_and_none_of_the_rest():
    code = codes(3, 5)
    basis = torch.linalg.qr(torch.randn(30, 30)).Q
    weight = torch.tensor([0.4] * 3 + [1.0] * 3).repeat(5)
    few = (basis[:, :KEPT_COORDINATES] * 10 / weight[:, None]).expand(3, -1, -1)
    modes = torch.cat([few, (basis[:, KEPT_COORDINATES:] * 0.1 / weight[:, None]).expand(3, -1, -1)], dim=-1)
    code = replace(code, modes=modes, prior=torch.zeros(3, 30))
    inside, outside = (
        part @ torch.randn(3, part.shape[-1], 4) for part in (few, modes[:, :, KEPT_COORDINATES:])
    )
    inside, outside = inside.mT, outside.mT
    assert captured_share(code, inside).tolist() == pytest.approx([1.0] * 3, abs=1e-4)
    assert captured_share(code, outside).tolist() == pytest.approx([0.0] * 3, abs=1e-4)
