"""The prior conditioned on pins and seams, against Gaussian algebra and on meshes."""

from __future__ import annotations

import numpy as np
import pytest
import torch
import trimesh

from neurok.kinematics import sample_poses
from neurok.latent import ModelConfig, NeuROK
from neurok.latent.constraints import (
    PIN_DEVIATION,
    SEAM_DEVIATION,
    conditioned,
    pin_information,
    point_motions,
    seam_information,
)
from neurok.latent.decoders import blended, handle_maps
from neurok.latent.kinematics import LatentKinematics
from neurok.latent.reduction import ReductionConfig
from neurok.shapes import Shape


def drawn(*size: int, seed: int = 0) -> torch.Tensor:
    return torch.randn(*size, generator=torch.Generator().manual_seed(seed), dtype=torch.float64)


def test_point_motions_are_the_first_order_motion_of_skinned_points():
    modes, anchors, points = drawn(24, 5), drawn(4, 3, seed=1), drawn(7, 3, seed=2)
    weights = torch.softmax(drawn(7, 4, seed=3), -1)
    z = 1e-6 * drawn(5, seed=4)
    maps = blended(weights, handle_maps(modes @ z, anchors))
    moved = (maps[..., :3] @ points[..., None])[..., 0] + maps[..., 3] - points
    by_handle = point_motions(modes, anchors, points) @ z
    assert torch.allclose(torch.einsum("ph,phi->pi", weights, by_handle), moved, atol=1e-10)


def test_the_conditioned_latent_is_the_gaussian_conditional():
    """Covariance and mean of Ξ z given L z = 0 ± σ, by the textbook formula."""
    modes, mean, shift = drawn(12, 6), drawn(6, seed=5), drawn(1, 2, 3, 6, seed=6)
    weights = torch.tensor([[0.3, 0.7]], dtype=torch.float64)
    left, centre = conditioned(modes, mean, pin_information(shift, weights))
    row = torch.einsum("ph,phil->pil", weights, shift)[0]
    noise = PIN_DEVIATION**2 * torch.eye(3, dtype=torch.float64)
    gain = row.T @ torch.linalg.inv(row @ row.T + noise)
    covariance = torch.eye(6, dtype=torch.float64) - gain @ row
    assert torch.allclose(left @ left.T, modes @ covariance @ modes.T, atol=1e-6)
    assert torch.allclose(left @ centre, modes @ (mean - gain @ row @ mean), atol=1e-6)


def test_two_handles_that_share_a_point_move_it_alike_and_still_turn_about_it():
    """z are the two handles' screws: 12 numbers; three relative shifts at the shared point are forbidden."""
    modes, anchors = torch.eye(12, dtype=torch.float64), drawn(2, 3)
    point, half = drawn(1, 3, seed=1), torch.full((1, 2), 0.5, dtype=torch.float64)
    shift = point_motions(modes, anchors, point)
    left, _ = conditioned(modes, torch.zeros(12, dtype=torch.float64), 1e8 * seam_information(shift, half))
    apart = (shift[0, 0] - shift[0, 1]) @ left
    assert apart.abs().max() < 1e-3 * SEAM_DEVIATION
    assert int((torch.linalg.svdvals(left) > 1e-2).sum()) == 9  # the others are as they were


@pytest.mark.slow
def test_the_learned_space_stretches_an_animal_less_than_its_handles_would_alone(monkeypatch):
    """Edges of the shipped teddy bear in samples: how much their lengths change."""
    from neurok.assets import SHIPPED
    from neurok.latent import kinematics as latent
    from neurok.shapes.load import load_shape

    teddy = load_shape(SHIPPED["teddy"])

    def strain() -> float:
        kinematics = LatentKinematics.from_shape(teddy)
        moved = kinematics.positions(sample_poses(kinematics, 8)).numpy()
        edges = np.unique(np.sort(teddy.faces[:, [0, 1, 1, 2, 2, 0]].reshape(-1, 2), 1), axis=0)
        rest = np.linalg.norm(np.subtract(*teddy.vertices[edges.T]), axis=-1)
        length = np.linalg.norm(moved[:, edges[:, 0]] - moved[:, edges[:, 1]], axis=-1)
        travel = np.sqrt(((moved - teddy.vertices) ** 2).sum(-1).mean())
        return float(np.sqrt(((length - rest) ** 2).mean()) / travel)

    together = strain()
    monkeypatch.setattr(
        latent, "seam_information", lambda shift, weights: 0 * seam_information(shift, weights)
    )
    assert together < 0.8 * strain()


def test_pinned_vertices_stay_and_the_others_still_move():
    torch.manual_seed(0)
    network = NeuROK(ModelConfig(width=16, heads=2, tokens=8, common=2, shape_blocks=2)).eval()
    box = trimesh.creation.box((1, 2, 1)).subdivide().subdivide()
    shape = Shape(np.asarray(box.vertices), np.asarray(box.faces))
    low = shape.vertices[:, 1] < -0.99
    few = ReductionConfig(samples=8, probes=4, held_out=8, max_coordinates=6)

    def travel(pinned):
        kinematics = LatentKinematics.from_shape(shape, network, few, pinned=pinned, samples=256)
        moved = kinematics.positions(0.2 * sample_poses(kinematics, 8)).numpy() - shape.vertices
        return np.linalg.norm(moved, axis=-1).mean(0)

    free, held = travel(None), travel(low)
    assert held[low].max() < 0.05 * free[low].max()
    assert held[~low].max() > 5 * held[low].max()
