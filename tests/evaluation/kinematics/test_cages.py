"""Cages enclose their shape, and mean value coordinates are exact at every point."""

from __future__ import annotations

import pytest
import torch

from neurok.evaluation.kinematics.cages import cage_around, icosphere, mean_value_coordinates


@pytest.fixture(scope="module")
def cage() -> torch.Tensor:
    """Bumpy, rotated and shifted sphere, neither convex nor symmetric."""
    rng = torch.Generator().manual_seed(0)
    size = 0.7 + 0.6 * torch.rand(42, 1, generator=rng, dtype=torch.float64)
    turn = torch.linalg.qr(torch.randn(3, 3, generator=rng, dtype=torch.float64))[0]
    return (icosphere()[0] * size) @ turn + torch.tensor([0.3, -2.0, 0.1], dtype=torch.float64)


def on_faces(cage: torch.Tensor, weights: list[float]) -> torch.Tensor:
    return torch.einsum("fki,k->fi", cage[icosphere()[1]], torch.tensor(weights, dtype=torch.float64))


def places(cage: torch.Tensor) -> dict[str, torch.Tensor]:
    rng = torch.Generator().manual_seed(1)
    spread = torch.randn(700, 3, generator=rng, dtype=torch.float64)
    beside = on_faces(cage, [0.2, 0.3, 0.5])
    return {
        "inside": cage.mean(0) + 0.1 * spread,
        "anywhere": cage.mean(0) + 2 * spread,
        "in the plane of a face": on_faces(cage, [-1.0, 0.5, 1.5]),
        "on faces": beside,
        "almost on faces": beside * (1 + 1e-7),
        "on edges": on_faces(cage, [0.25, 0.75, 0.0]),
        "on vertices": cage,
    }


def test_the_icosphere_is_closed_and_outward():
    ways, faces = icosphere()
    assert ways.shape == (42, 3) and faces.shape == (80, 3)
    assert torch.allclose(ways.norm(dim=1), torch.ones(42, dtype=torch.float64))
    assert (torch.linalg.det(ways[faces]) > 0).all()
    directed = {edge for f in faces.tolist() for edge in zip(f, f[1:] + f[:1], strict=True)}
    assert len(directed) == 240 and all((b, a) in directed for a, b in directed)


@pytest.mark.parametrize("where", places(icosphere()[0]))
def test_coordinates_sum_to_one_and_reproduce_the_point(cage, where):
    points = places(cage)[where]
    weights = mean_value_coordinates(points, cage, icosphere()[1])
    assert (weights.sum(-1) - 1).abs().max() < 1e-12
    assert (weights @ cage - points).abs().max() < 1e-6


@pytest.mark.parametrize("where", ["inside", "anywhere", "on faces", "on vertices"])
def test_affine_maps_of_the_cage_are_affine_maps_of_the_points(cage, where):
    rng = torch.Generator().manual_seed(2)
    linear, shift = torch.randn(3, 3, generator=rng, dtype=torch.float64), torch.ones(3, dtype=torch.float64)
    points = places(cage)[where]
    moved = mean_value_coordinates(points, cage, icosphere()[1]) @ (cage @ linear + shift)
    assert (moved - (points @ linear + shift)).abs().max() < 1e-10


def test_vertices_of_the_cage_are_their_own(cage):
    weights = mean_value_coordinates(cage, cage, icosphere()[1])
    assert (weights - torch.eye(42, dtype=torch.float64)).abs().max() < 1e-12


def test_batches_are_their_members(cage):
    points, faces = places(cage)["inside"], icosphere()[1]
    both = mean_value_coordinates(torch.stack([points, 2 * points]), torch.stack([cage, 2 * cage]), faces)
    assert torch.allclose(both[0], mean_value_coordinates(points, cage, faces))
    assert torch.allclose(both[0], both[1])


@pytest.mark.parametrize("size", [(1.0, 1.0, 1.0), (1.0, 0.3, 0.1), (1.0, 1.0, 0.0)])
def test_nothing_is_outside_the_cage_of_a_box(size):
    """The cage winds once around every point, also of a flat one."""
    rng = torch.Generator().manual_seed(3)
    box = (torch.rand(2000, 3, generator=rng, dtype=torch.float64) * 2 - 1).clamp(-0.9, 0.9) / 0.9
    points = box * torch.tensor(size, dtype=torch.float64) + 0.5
    faces, cage = icosphere()[1], cage_around(points)
    to_corner = cage[faces] - points[:, None, None]
    a, b, c = (to_corner[..., i, :] / to_corner[..., i, :].norm(dim=-1, keepdim=True) for i in range(3))
    triple = (a * torch.linalg.cross(b, c, dim=-1)).sum(-1)
    whole = 1 + (a * b).sum(-1) + (b * c).sum(-1) + (a * c).sum(-1)
    winding = 2 * torch.atan2(triple, whole).sum(-1) / (4 * torch.pi)  # van Oosterom and Strackee
    assert winding.min() > 0.99
