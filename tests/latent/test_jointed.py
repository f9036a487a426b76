"""The learned space of a shape whose joints are known."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
import torch

from neurok.articulation import Articulation, PartJoint
from neurok.articulation.annotations import true_articulation
from neurok.kinematics import JointKinematics
from neurok.latent.jointed import either_way
from neurok.latent.kinematics import LatentKinematics
from neurok.objects import families
from neurok.shapes import Shape

pytestmark = pytest.mark.xdist_group("jointed")  # what it sets up takes long: once is enough


def known(shape: Shape) -> Articulation:
    """The true joints of a generated object, as if they had been found."""
    answer = true_articulation(shape)
    assert answer is not None
    return replace(answer, shape=JointKinematics(shape).shape)


@pytest.fixture(scope="module", params=["door", "drawer_unit", "lidded_box", "folding_chair", "hand_press"])
def both(request):
    shape = families()[request.param](np.random.default_rng(4))
    articulation = known(shape)
    return JointKinematics(shape), LatentKinematics.from_shape(articulation.shape, articulation=articulation)


def test_there_are_as_many_coordinates_as_joints(both):
    true, learned = both
    assert learned.dim == len(true.names)


def test_parts_stay_rigid_however_far_they_go(both):
    _, learned = both
    x = learned.positions(learned.limits[:, 1])
    rest = torch.tensor(learned.shape.vertices)
    for part in range(len(learned.shape.part_names)):
        own = torch.tensor(learned.shape.vertex_part == part)
        a, b = torch.cdist(rest[own], rest[own]), torch.cdist(x[own], x[own])
        torch.testing.assert_close(a, b, rtol=0, atol=1e-6 * float(learned.shape.normalisation.radius))


def test_small_motions_are_those_of_the_joints(both):
    """The learned velocities lie in the span of the joints' and the other way round."""
    true, learned = both

    def velocities(kinematics) -> torch.Tensor:
        rest, step = kinematics.rest, 1e-5 * torch.eye(len(kinematics.rest), dtype=torch.float64)
        still = kinematics.positions(rest)
        return torch.stack([(kinematics.positions(rest + s) - still).flatten() for s in step])

    a, b = velocities(true), velocities(learned)
    assert torch.linalg.matrix_rank(torch.cat([a / a.norm(), b / b.norm()]), rtol=1e-3) == len(a)


@pytest.mark.parametrize(
    ("ends", "free", "wanted"),
    [
        ((0.0, 1.0), (0.0, 0.0), (0.0, 1.0)),
        ((0.0, 1.0), (-0.4, 0.2), (-0.4, 1.0)),
        ((0.0, 1.0), (-3.0, 3.0), (-1.0, 1.0)),
        ((-1.0, 0.0), (-3.0, 0.3), (-1.0, 0.3)),
        ((-0.5, 0.5), (-3.0, 3.0), (-1.0, 1.0)),
        ((-0.5, 0.5), (-3.0, 0.7), (-1.0, 0.7)),
        ((-0.5, 0.5), (-0.1, 0.2), (-0.5, 0.5)),
        ((-np.inf, np.inf), (-3.0, 3.0), (-np.inf, np.inf)),
    ],
)
def test_a_joint_goes_its_length_either_way_as_far_as_nothing_is_in_it(ends, free, wanted):
    line = np.eye(3)[0], np.zeros(3)
    joint = PartJoint("lid", "revolute", "box", *line, *ends, 1.0, True, True, free=free)
    assert either_way(joint) == wanted


def test_nothing_that_moves_changes_nothing():
    shape = families()["door"](np.random.default_rng(4))
    articulation = known(shape)
    still = Articulation(
        articulation.shape,
        tuple(
            PartJoint(j.part, "fixed", j.parent, j.axis, j.pivot, 0, 0, 1.0, True, True)
            for j in articulation.joints
        ),
        "file",
    )
    free = LatentKinematics.from_shape(articulation.shape)
    held = LatentKinematics.from_shape(articulation.shape, articulation=still)
    assert held.articulation is None
    torch.testing.assert_close(held.modes, free.modes)
