"""The autoencoder oracle is exact at rest and finds the poses of a bending bar."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
import torch

from evaluation.kinematics.bending import bending_bar
from neurok.evaluation.kinematics.autoencoder import AutoencoderConfig, AutoencoderKinematics, autoencoder
from neurok.evaluation.kinematics.compare import compare
from neurok.evaluation.kinematics.methods import no_motion, principal
from neurok.kinematics import Kinematics
from neurok.kinematics.inverse import FitConfig


@pytest.fixture(autouse=True, scope="module")
def one_thread():
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


@pytest.mark.slow
def test_the_oracle_finds_poses_that_no_motion_misses():
    fit = FitConfig(points=500, prior=1e-4)
    methods = {"still": no_motion, "linear": principal(fit), "oracle": autoencoder(fit)}
    comparison = compare([bending_bar()], methods)
    errors = {name: comparison.mean("all", name, "vertex") for name in methods}
    assert errors["oracle"] < 0.1 * errors["still"], errors


def test_rest_is_the_mesh_itself_and_limits_hold_the_recording():
    case = bending_bar()
    kinematics = AutoencoderKinematics.from_case(case, AutoencoderConfig(steps=50))
    assert isinstance(kinematics, Kinematics)
    assert np.abs(kinematics.positions(kinematics.rest).numpy() - case.shape.vertices).max() < 1e-12
    assert len(kinematics.rest) == 8
    assert (kinematics.limits[:, 0] < 0).all() and (kinematics.limits[:, 1] > 0).all()


@pytest.mark.slow
def test_a_recording_without_other_frames_leaves_the_mesh_at_rest():
    case = bending_bar()
    case = replace(case, others=case.others[:0])
    fit = FitConfig(points=200)
    for method in (autoencoder(fit, AutoencoderConfig(steps=50)), principal(fit)):
        moved = method(case)[0](case.cloud(0))
        assert np.abs(moved - case.shape.vertices).max() < 1e-6
