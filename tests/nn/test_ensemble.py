"""Ensembles average the outputs of their members."""

from __future__ import annotations

from types import SimpleNamespace

import torch
from torch import nn

from neurok.nn.ensemble import Ensemble, joined_state, log_mean_likelihood, mean, mean_log_likelihood


def make(count: int, seed: int) -> Ensemble[nn.Linear]:
    torch.manual_seed(seed)
    return Ensemble([nn.Linear(3, 5) for _ in range(count)], SimpleNamespace(members=count), mean)


def test_the_output_is_the_mean_of_the_members():
    ensemble, x = make(3, 0), torch.randn(4, 3)
    torch.testing.assert_close(ensemble(x), sum(member(x) for member in ensemble) / 3)


def test_averages_of_likelihoods():
    logits = [torch.randn(4, 6) for _ in range(3)]
    p = torch.stack([x.softmax(-1) for x in logits])
    torch.testing.assert_close(log_mean_likelihood(logits).exp(), p.mean(0))
    torch.testing.assert_close(mean_log_likelihood(logits), p.log().mean(0))


def test_joined_ensembles_have_the_members_of_all():
    one, two = make(2, 1), make(1, 2)
    state = joined_state([one, two])
    both = make(3, 3)
    both.load_state_dict({name: tensor.float() for name, tensor in state.items()})
    for found, wanted in zip(both, [*one, *two], strict=True):
        assert torch.equal(found.weight, wanted.weight.half().float())
        assert torch.equal(found.bias, wanted.bias)
