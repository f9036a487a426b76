"""The ensemble of articulation networks averages likelihoods, and its file keeps the slide direction."""

from __future__ import annotations

import pytest
import torch

from neurok.articulation.ensemble import (
    AVERAGE,
    ArticulationEnsemble,
    load_articulator,
    save_articulator,
    trunk,
)
from neurok.articulation.network import ArticulationConfig
from neurok.errors import InputError
from neurok.nn.ensemble import log_mean_likelihood, mean_log_likelihood
from neurok.nn.weights import replace_tensor
from neurok.training.articulation import batch_of

SMALL = ArticulationConfig(width=32, heads=2, layers=1)


@pytest.mark.slow
def test_scores_are_averaged_over_the_members(examples):
    torch.manual_seed(0)
    ensemble = ArticulationEnsemble(SMALL).eval()
    parts = batch_of(examples[:1])[0]
    outputs, together = [member(parts) for member in ensemble], ensemble(parts)
    assert len(outputs) == SMALL.members
    for name in ("kind", "parent", "turn_length", "slide_length"):
        assert AVERAGE[name] is mean_log_likelihood
        likely = torch.stack([getattr(s, name).softmax(-1) for s in outputs]).log().mean(0).softmax(-1)
        torch.testing.assert_close(getattr(together, name).softmax(-1), likely)
    for name in ("turn_axis", "slide_axis", "line"):
        assert AVERAGE[name] is log_mean_likelihood
        likely = torch.stack([getattr(s, name).softmax(-1) for s in outputs]).mean(0)
        torch.testing.assert_close(getattr(together, name).softmax(-1), likely)
    torch.testing.assert_close(together.pull, sum(s.pull for s in outputs) / len(outputs))
    assert not torch.allclose(outputs[0].kind, outputs[1].kind)


def test_the_trunk_is_all_but_heads_and_names():
    kept = {(*name.split("."), "", "")[2] for name in trunk(ArticulationEnsemble(SMALL))}
    assert not kept & {"kind", "part_name", "line_scores"} and kept >= {"part_to_shape", "axis", "line"}


def test_weights_of_a_network_that_read_fewer_numbers_are_refused_as_such(tmp_path):
    config = ArticulationConfig(members=1)
    state = ArticulationEnsemble(config).state_dict()
    older = state | {"members.0.line.up.weight": state["members.0.line.up.weight"][:, 1:]}
    with pytest.raises(InputError, match="another version of this network"):
        load_articulator(save_articulator(tmp_path / "older.safetensors", older, config))


@pytest.mark.slow
def test_the_fitted_slide_direction_is_stored_with_the_weights(tmp_path):
    config = ArticulationConfig(members=1, width=16, heads=2, layers=1)
    ensemble = ArticulationEnsemble(config)
    path = save_articulator(tmp_path / "m.safetensors", ensemble.state_dict(), config, {"steps": 3})
    fitted = torch.arange(12.0)
    replace_tensor(path, "slide_direction", fitted)
    again = load_articulator(path)
    assert again.config == config and torch.equal(again.slide_direction, fitted)
    for name, tensor in ensemble.state_dict().items():
        if name != "slide_direction":
            assert torch.equal(again.state_dict()[name], tensor)
    with pytest.raises(InputError, match="slide_direction"):
        replace_tensor(path, "slide_direction", torch.zeros(11))
