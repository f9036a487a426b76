"""Selection of the motion space that fits a pose."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from neurok.assets import SHIPPED
from neurok.kinematics import JointKinematics
from neurok.kinematics.inverse import Fit, FitConfig, fit_in, fit_points, fit_vertices, unmoved
from neurok.latent import NeuROK
from neurok.latent.reduction import FOR_FITTING
from neurok.pipelines.choose import fitting_spaces
from neurok.shapes import Shape
from neurok.shapes.load import load_shape
from neurok.shapes.sample import sample_surface


def test_a_later_space_must_be_clearly_better():
    def fit(error: float) -> Fit:
        return Fit(torch.zeros(1), error, torch.zeros(1))

    errors = {"stiff": 1.0, "loose": 0.9, "right": 0.5}
    assert fit_in(["stiff", "loose"], lambda name: fit(errors[name]))[0] == "stiff"
    assert fit_in(["stiff", "right"], lambda name: fit(errors[name]))[0] == "right"
    assert fit_in(["stiff"], lambda name: fit(errors[name]), rest=fit(1.1))[1].error == 1.1
    assert fit_in(["stiff"], lambda name: fit(errors[name]), rest=fit(1.3))[1].error == 1.0


@pytest.fixture(scope="module")
def door_ajar():
    """The bare shipped cabinet, and the positions of its vertices with the door open by 40°."""
    cabinet = load_shape(SHIPPED["cabinet"])
    joints = JointKinematics(cabinet)
    q = joints.rest.clone()
    q[joints.names.index("door_hinge")] += 0.7 * torch.sign(joints.limits[0].sum())
    bare = Shape(joints.shape.vertices, joints.shape.faces, "cabinet", frame=cabinet.frame)
    return bare, joints.positions(q).numpy()


@pytest.fixture(scope="module")
def spaces(door_ajar):
    return fitting_spaces(door_ajar[0], NeuROK.from_pretrained(), FOR_FITTING)


@pytest.mark.slow
def test_parts_that_are_found_move_as_one_in_a_fit(door_ajar, spaces):
    bare, open_door = door_ajar
    assert len(spaces) > 1
    seen = np.random.default_rng(0).permutation(len(open_door))[:800]
    space, found = fit_in(spaces, lambda s: fit_vertices(s, seen, open_door[seen], FitConfig(starts=2)))
    moved = space.positions(found.q).numpy()
    still = np.linalg.norm(bare.vertices - open_door, axis=1).mean()
    assert np.linalg.norm(moved - open_door, axis=1).mean() < 0.6 * still


@pytest.mark.slow
def test_a_cloud_of_the_mesh_at_rest_is_explained_by_no_motion(door_ajar, spaces):
    bare, _ = door_ajar
    cloud = sample_surface(bare, 3000, seed=5, even=False).positions(bare)
    config = FitConfig(starts=1, steps=6, points=500)
    _, found = fit_in(spaces, lambda s: fit_points(s, cloud, config), unmoved(spaces[0], cloud))
    assert found.error < 0.005
    assert not found.q.any()
