"""What is pinned conditions the learned space: against Gaussian algebra, and on a mesh."""

from __future__ import annotations

import numpy as np
import torch
import trimesh

from neurok.kinematics import LatentKinematics
from neurok.kinematics.held import STILL, given_still, shifts
from neurok.model import ModelConfig, NeuROK
from neurok.model.decoders import blended, handle_maps
from neurok.reduction import ReductionConfig
from neurok.shapes import Shape


def drawn(*size: int, seed: int = 0) -> torch.Tensor:
    return torch.randn(*size, generator=torch.Generator().manual_seed(seed), dtype=torch.float64)


def test_shifts_are_the_first_order_motion_of_skinned_points():
    modes, anchors, points = drawn(24, 5), drawn(4, 3, seed=1), drawn(7, 3, seed=2)
    weights = torch.softmax(drawn(7, 4, seed=3), -1)
    z = 1e-6 * drawn(5, seed=4)
    maps = blended(weights, handle_maps(modes @ z, anchors))
    moved = (maps[..., :3] @ points[..., None])[..., 0] + maps[..., 3] - points
    assert torch.allclose((shifts(modes, anchors, weights, points) @ z).view(7, 3), moved, atol=1e-10)


def test_what_remains_is_the_gaussian_conditional():
    """Covariance and mean of Ξ z given L z = 0 ± σ, by the textbook's formula."""
    modes, mean, shift = drawn(12, 6), drawn(6, seed=5), drawn(3, 6, seed=6)
    left, centre = given_still(modes, mean, shift)
    noise = STILL**2 * torch.eye(3, dtype=torch.float64)
    gain = shift.T @ torch.linalg.inv(shift @ shift.T + noise)
    covariance = torch.eye(6, dtype=torch.float64) - gain @ shift
    assert torch.allclose(left @ left.T, modes @ covariance @ modes.T, atol=1e-6)
    assert torch.allclose(left @ centre, modes @ (mean - gain @ shift @ mean), atol=1e-6)


def test_pinned_vertices_stay_and_the_others_still_move():
    torch.manual_seed(0)
    network = NeuROK(ModelConfig(width=16, heads=2, tokens=8, common=2, shape_blocks=2)).eval()
    box = trimesh.creation.box((1, 2, 1)).subdivide().subdivide()
    shape = Shape(np.asarray(box.vertices), np.asarray(box.faces))
    low = shape.vertices[:, 1] < -0.99
    few = ReductionConfig(samples=8, probes=4, held_out=8, most=6)

    def travel(pinned):
        kinematics = LatentKinematics.from_shape(shape, network, few, pinned=pinned, samples=256)
        moved = kinematics.positions(0.2 * kinematics.sample(8)).numpy() - shape.vertices
        return np.linalg.norm(moved, axis=-1).mean(0)

    free, held = travel(None), travel(low)
    assert held[low].max() < 0.05 * free[low].max()
    assert held[~low].max() > 0.2 * free[~low].max()
