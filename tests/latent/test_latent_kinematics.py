"""Learned kinematics of real meshes with random weights: the map equals the decoder of the network, in any
units."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from neurok.assets import SHIPPED
from neurok.kinematics import sample_poses, with_free_root
from neurok.latent import ModelConfig, NeuROK
from neurok.latent import kinematics as latent
from neurok.latent.features import shape_features
from neurok.latent.kinematics import INFLUENCE_COUNTS, LatentKinematics
from neurok.latent.reduction import ReductionConfig
from neurok.shapes import Frame, Shape
from neurok.shapes.load import load_shape

FEW = ReductionConfig(samples=8, probes=4, held_out=8, max_coordinates=5)


@pytest.fixture(scope="module")
def model() -> NeuROK:
    """Untrained weights, none of them zero."""
    torch.manual_seed(0)
    config = ModelConfig(width=32, heads=2, tokens=INFLUENCE_COUNTS[0], shape_blocks=2, decoder_blocks=1)
    network = NeuROK(config)
    for parameter in network.parameters():
        torch.nn.init.normal_(parameter, std=0.1)
    return network.requires_grad_(False)


@pytest.fixture(scope="module")
def cabinet() -> Shape:
    return load_shape(SHIPPED["cabinet"])


def test_rest_is_the_input_mesh_exactly(model, cabinet):
    kinematics = LatentKinematics.from_shape(cabinet, model, FEW)
    assert np.abs(kinematics.positions(kinematics.rest).numpy() - cabinet.vertices).max() < 1e-9
    assert (kinematics.limits[:, 0] <= 0).all() and (kinematics.limits[:, 1] >= 0).all()


def test_positions_equal_the_decoder_of_the_network(model, cabinet, monkeypatch):
    """The whole decoder at every vertex, against the skinned small code; as many influences as handles, and
    pieces and the prior as they are."""
    monkeypatch.setattr(latent, "with_rigid_pieces", lambda weights, *_: (weights, 1.0))
    monkeypatch.setattr(latent, "conditioned", lambda modes, mean, _: (modes, mean))
    kinematics = LatentKinematics.from_shape(cabinet, model, FEW, rooted=True)
    q = sample_poses(kinematics, 1, seed=5)[0]
    read = kinematics.read
    code = model.encode(read.surface)
    maps = model.maps(kinematics.subspace.latent(q)[None].float(), code, read.queries)[0][read.of_vertex]
    ball = torch.tensor((cabinet.vertices @ read.turn.T - read.centre) / read.radius)
    image = torch.einsum("nij,nj->ni", maps[..., :3].double(), ball) + maps[..., 3]
    truth = (image.numpy() * read.radius + read.centre) @ read.turn
    assert np.abs(kinematics.positions(q).numpy() - truth).max() < 1e-5 * read.radius


def test_units_and_up_axis_do_not_matter(cabinet):
    """The same cabinet in millimetres, shifted and with another up axis, has the same motion."""
    other = Frame("y" if cabinet.frame.up == "z" else "z")
    there = 1000 * cabinet.frame.to(other)[:3, :3]
    shift = np.array([40.0, -7.0, 300.0])
    twin = Shape(cabinet.vertices @ there.T + shift, cabinet.faces, frame=other)
    a, b = shape_features(cabinet, 64), shape_features(twin, 64)
    assert torch.allclose(a.surface.points, b.surface.points, atol=1e-6)
    assert torch.allclose(a.queries.normals[0][a.of_vertex], b.queries.normals[0][b.of_vertex], atol=1e-6)
    rng = torch.Generator().manual_seed(0)
    maps = torch.randn(3, 4, generator=rng, dtype=torch.float64)
    x, y = (
        shape.vertices @ read.to_shape(maps)[:, :3].numpy().T + read.to_shape(maps)[:, 3].numpy()
        for shape, read in ((cabinet, a), (twin, b))
    )
    assert np.abs(y - (x @ there.T + shift)).max() < 1e-9 * twin.normalisation.radius


def test_seams_stay_closed(model):
    """Vertices at one position move together, whatever their texture coordinates and normals."""
    teddy = load_shape(SHIPPED["teddy"])
    soup = Shape(teddy.vertices[teddy.faces].reshape(-1, 3), np.arange(3 * len(teddy.faces)).reshape(-1, 3))
    kinematics = LatentKinematics.from_shape(soup, model, FEW)
    moved = kinematics.positions(sample_poses(kinematics, 1)[0]).numpy().reshape(-1, 3)
    by_vertex = np.full((len(teddy.vertices), 3), np.nan)
    by_vertex[teddy.faces.ravel()] = moved
    assert np.abs(by_vertex[teddy.faces.ravel()] - moved).max() < 1e-9


def test_without_reduction_every_latent_number_is_a_coordinate(model, cabinet):
    kinematics = LatentKinematics.from_shape(cabinet, model, None, rooted=True)
    assert kinematics.dim == model.config.latent
    assert np.abs(kinematics.positions(kinematics.rest).numpy() - cabinet.vertices).max() < 1e-9


def test_rigid_motions_of_the_whole_are_left_to_the_free_root(model, cabinet):
    """Only a rooted space holds the root columns; without them six coordinates more deform the object."""
    rooted, own = (LatentKinematics.from_shape(cabinet, model, None, rooted=r) for r in (True, False))
    assert rooted.dim - own.dim == 6
    assert torch.allclose(rooted.modes[:, :-6], own.modes)
    turned = rooted.modes[:, -3:].unflatten(0, (-1, 6))[:, :3]  # the same turn of every handle
    assert torch.allclose(turned, turned[:1].expand_as(turned))
    free = with_free_root(own)
    assert free.dim == own.dim + 6 and free.names[:3] == ("root.x", "root.y", "root.z")


def test_derivatives_match_differences(model, cabinet):
    kinematics = LatentKinematics.from_shape(cabinet, model, FEW)
    q, way, h = sample_poses(kinematics, 2, seed=2), sample_poses(kinematics, 2, seed=3), 1e-5
    slope = torch.func.jvp(kinematics.positions, (q,), (way,))[1]
    truth = (kinematics.positions(q + h * way) - kinematics.positions(q - h * way)) / (2 * h)
    assert (slope - truth).abs().max() < 1e-6 * slope.abs().max()


@pytest.mark.parametrize(
    "shape",
    [
        Shape(np.eye(3), np.array([[0, 1, 2]])),
        Shape(np.array([[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0.0]]), np.array([[0, 1, 2], [0, 2, 3]])),
        Shape(
            (np.random.default_rng(0).normal(size=(500, 1, 3)) + 0.05 * np.eye(3)).reshape(-1, 3),
            np.arange(1500).reshape(-1, 3),
        ),
    ],
    ids=["a triangle", "a plane", "500 loose triangles"],
)
def test_odd_meshes_give_finite_motion(model, shape):
    kinematics = LatentKinematics.from_shape(shape, model, FEW)
    assert np.isfinite(kinematics.positions(sample_poses(kinematics, 3)).numpy()).all()


def test_an_attention_decoder_is_refused_by_name(cabinet):
    from neurok.errors import InputError

    network = NeuROK(ModelConfig(width=32, heads=2, tokens=4, decoder="attention"))
    with pytest.raises(InputError, match="decoder"):
        LatentKinematics.from_shape(cabinet, network)
