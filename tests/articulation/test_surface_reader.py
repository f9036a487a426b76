"""What a candidate motion sees of the points of a part."""

from __future__ import annotations

import math

import numpy as np
import pytest
import torch
from scipy.spatial.transform import Rotation

from neurok.articulation.surface_reader import CLOSE, SEEN, Surface, seen_by, sliding, turning


@pytest.fixture
def surface() -> Surface:
    """Forty random points of three parts."""
    rng = np.random.default_rng(0)

    def units() -> torch.Tensor:
        v = rng.standard_normal((3, 40, 3))
        return torch.tensor(v / np.linalg.norm(v, axis=-1, keepdims=True))

    points, gaps = (torch.tensor(rng.standard_normal((3, 40, 3)) * size) for size in (0.5, 0.1))
    return Surface(points, units(), gaps, units(), torch.tensor(rng.random((3, 40))))


AXIS = torch.nn.functional.normalize(torch.tensor([[1.0, 2, 3], [0, 1, 0], [3, -1, 0]]).double(), dim=-1)
PIVOT = torch.tensor([[0.1, 0, 0.2], [0, 0, 0], [-0.3, 0.4, 0]]).double()
CENTRE = torch.zeros(3, 3).double()


def test_a_turn_has_the_velocity_of_a_small_rotation(surface):
    angle = 1e-6
    arm = surface.points[0].numpy() - PIVOT[0].numpy()
    moved = Rotation.from_rotvec(angle * AXIS[0].numpy()).apply(arm) - arm
    np.testing.assert_allclose(turning(surface, AXIS, PIVOT)[0].numpy(), moved / angle, atol=1e-5)


def test_a_slide_has_the_same_velocity_everywhere(surface):
    assert torch.equal(sliding(surface, AXIS), AXIS[:, None].expand(3, 40, 3))


@pytest.mark.parametrize("slides", [False, True])
def test_the_sign_of_the_axis_and_turns_and_mirrors_change_nothing(surface, slides):
    def seen(own: Surface, axis, pivot):
        return seen_by(own, sliding(own, axis) if slides else turning(own, axis, pivot), axis, CENTRE)

    numbers = seen(surface, AXIS, PIVOT)
    assert numbers.shape == (3, 40, SEEN)
    torch.testing.assert_close(seen(surface, -AXIS, PIVOT), numbers)
    for mirror in (1, -1):  # up stays up
        turn = torch.tensor(Rotation.from_rotvec([0, 0.7, 0]).as_matrix()) * torch.tensor([mirror, 1.0, 1.0])
        turned = Surface(*(t @ turn.T for t in surface[:4]), surface.open)
        torch.testing.assert_close(seen(turned, AXIS @ turn.T, PIVOT @ turn.T), numbers)


def test_points_on_the_hinge_line_are_told_from_the_far_edge(surface):
    there = torch.linspace(-1, 1, 40).double()[None, :, None] * AXIS[:, None] + PIVOT[:, None]
    on_line = surface._replace(points=there)
    seen = seen_by(on_line, turning(on_line, AXIS, PIVOT), AXIS, CENTRE)
    torch.testing.assert_close(seen[..., 0], torch.ones(3, 40).double())
    far = surface._replace(points=there + CLOSE * torch.linalg.cross(AXIS, AXIS.roll(1, 0))[:, None])
    lever = torch.linalg.cross(AXIS, AXIS.roll(1, 0)).norm(dim=-1)
    seen = seen_by(far, turning(far, AXIS, PIVOT), AXIS, CENTRE)
    torch.testing.assert_close(seen[:, 7, 0], torch.exp(-lever))
    assert math.isclose(float(seen[0, :, 2].max()), 1.0)
