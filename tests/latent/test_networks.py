"""The networks: derivatives that dynamics relies on, invariances, and the state before training."""

from __future__ import annotations

import pytest
import torch
from torch.func import jvp

from neurok.errors import InputError
from neurok.latent import ModelConfig, NeuROK, load_model, save_model
from neurok.latent.decoders import handle_maps
from neurok.latent.surface import SurfacePoints

SMALL = {
    "width": 16,
    "heads": 2,
    "tokens": 6,
    "common": 2,
    "octaves": 3,
    "shape_blocks": 2,
    "decoder_blocks": 2,
}


LATENT = 6 * 6 + 2 + 6


def surface(seed: int = 0, b: int = 2, n: int = 40) -> SurfacePoints:
    rng = torch.Generator().manual_seed(seed)
    points = torch.rand(b, n, 3, generator=rng, dtype=torch.float64) - 0.5
    normals = torch.nn.functional.normalize(torch.randn(b, n, 3, generator=rng, dtype=torch.float64), dim=-1)
    return SurfacePoints(points, normals, (points[..., 0] > 0).int())


def model(**changes) -> NeuROK:
    """Random weights everywhere: after training no weight is zero."""
    torch.manual_seed(1)
    network = NeuROK(ModelConfig(**(SMALL | changes))).double()
    for parameter in network.parameters():
        torch.nn.init.normal_(parameter, std=0.3)
    return network.requires_grad_(False)


@pytest.mark.parametrize("decoder", ["skinning", "attention"])
@pytest.mark.parametrize("motion", ["rigid", "displacement"])
def test_first_and_second_derivatives_match_differences(decoder, motion):
    """d/dt and d²/dt² of the map along a line of latents: M(q) and the Coriolis term consist of them."""
    network, points = model(decoder=decoder, motion=motion), surface(b=1)
    code = network.encode(points)
    rng = torch.Generator().manual_seed(3)
    z, way = (torch.randn(1, LATENT, generator=rng, dtype=torch.float64) for _ in range(2))

    def along(t):
        return network.maps(z + t * way, code, points)

    def slope(t):
        return jvp(along, (t,), (torch.ones_like(t),))[1]

    zero, h = torch.zeros((), dtype=torch.float64), 1e-4
    first, second = slope(zero), jvp(slope, (zero,), (torch.ones_like(zero),))[1]
    ahead, behind, here = along(zero + h), along(zero - h), along(zero)
    assert (first - (ahead - behind) / (2 * h)).abs().max() < 1e-6 * first.abs().max()
    assert (second - (ahead - 2 * here + behind) / h**2).abs().max() < 1e-5 * second.abs().max() + 1e-6


def test_reverse_over_forward_agrees_with_forward_over_forward():
    """Gradients of a Jacobian-vector product, as fitting takes them."""
    network, points = model(), surface(b=1)
    code = network.encode(points)
    rng = torch.Generator().manual_seed(4)
    z, u, v = (torch.randn(1, LATENT, generator=rng, dtype=torch.float64) for _ in range(3))

    def energy(z):
        return network.maps(z, code, points).square().sum()

    def slope(z):
        return jvp(energy, (z,), (u,))[1]

    gradient = torch.autograd.grad(slope(z.requires_grad_()), z)[0]
    assert torch.allclose((gradient * v).sum(), jvp(slope, (z.detach(),), (v,))[1], rtol=1e-9)


def test_the_attention_decoder_leaves_points_in_place_before_training():
    torch.manual_seed(0)
    network, points = NeuROK(ModelConfig(**(SMALL | {"decoder": "attention"}))).double(), surface()
    maps = network.maps(torch.randn(2, LATENT, dtype=torch.float64), network.encode(points), points)
    image = (maps[..., :3] @ points.points[..., None])[..., 0] + maps[..., 3]
    assert (image - points.points).abs().max() < 1e-9


def test_no_latent_is_no_deformation():
    network, points = model(), surface()
    handles = network.decoder.handles(torch.zeros(2, 1, LATENT, dtype=torch.float64), network.encode(points))
    assert torch.equal(handles[..., :3], torch.eye(3, dtype=torch.float64).expand_as(handles[..., :3]))
    assert handles[..., 3].abs().max() < 1e-15


def test_handles_with_equal_features_are_one_rigid_part():
    """For any tokens and anchors."""
    network, points = model(), surface(b=1)
    code = network.encode(points)
    alike = code.features[:, :1].expand_as(code.features)
    network.prior.modes.nearness.weight.zero_()
    network.prior.modes.shared.weight.zero_()
    network.prior.modes.shared.bias.zero_()
    centres = torch.rand(1, 6, 3, 6, dtype=torch.float64)
    modes = network.prior.modes(code.tokens, alike, code.anchors, code.relations, centres)[0]
    z = 0.3 * torch.randn(1, LATENT, dtype=torch.float64)
    maps = handle_maps((modes @ z[..., None])[..., 0], code.anchors.points)
    assert (maps - maps[:, :1]).abs().max() < 1e-9


def test_a_screw_turns_about_the_centre_that_its_token_attends_to():
    """One token, turns alone, all but one point of the surface out of sight: that point stays where it is."""
    network, points = model(tokens=1), surface(b=1)
    modes, centres = network.prior.modes, network.prior.centres
    code = network.encode(points)
    torch.nn.init.zeros_(centres.gate.weight)
    torch.nn.init.ones_(centres.gate.bias)
    there = points.take(torch.tensor([[7]]))
    embedded = network.prior.embedding(there.points, there.normals)
    found = centres(code.tokens, embedded, code.anchors, there, code.anchors.relations(there))
    assert torch.allclose(found, there.points[:, :, :, None].expand(1, 1, 3, 6))
    torch.nn.init.zeros_(modes.own.weight)
    modes.own.bias.copy_(torch.diag(torch.tensor([1.0, 1, 1, 0, 0, 0])).flatten())
    screws = modes(code.tokens, code.features, code.anchors, code.relations, found)[0][:, :, :3].sum(-1)
    maps = handle_maps(screws, code.anchors.points)[0, 0]
    moved = maps[:, :3] @ points.points[0].T + maps[:, 3:]
    assert torch.allclose(moved[:, 7], points.points[0, 7]) and not torch.allclose(
        moved[:, 8], points.points[0, 8]
    )


def test_the_order_and_number_of_points_do_not_matter_to_the_queries():
    """Every query point is answered alone: asking for some of them gives the same answers."""
    network, points = model(), surface()
    code = network.encode(points)
    z = torch.randn(2, LATENT, dtype=torch.float64)
    some = torch.tensor([[5, 2, 31], [0, 39, 7]])
    whole, few = network.maps(z, code, points), network.maps(z, code, points.take(some))
    assert torch.allclose(few[1], whole[1][some[1]], atol=1e-12)


def test_shuffled_points_give_the_same_shape_code():
    network, points = model(), surface()
    order = torch.randperm(40)
    code, again = network.encode(points), network.encode(points.take(order.expand(2, -1)))
    assert torch.allclose(code.anchors.points, again.anchors.points)
    assert torch.allclose(code.prior, again.prior, atol=1e-12)


@pytest.mark.parametrize("motion", ["rigid", "displacement"])
def test_skinning_weights_are_a_partition_of_unity_and_handles_are_rigid(motion):
    network, points = model(motion=motion), surface()
    code = network.encode(points)
    weights = network.decoder.weights(code, points)
    assert torch.allclose(weights.sum(-1), torch.ones(2, 40, dtype=torch.float64)) and (weights >= 0).all()
    handles = network.decoder.handles(torch.randn(2, 1, LATENT, dtype=torch.float64), code)[..., :3]
    eye = torch.eye(3, dtype=torch.float64)
    assert (handles @ handles.transpose(-1, -2) - eye).abs().max() < 1e-9
    assert torch.linalg.det(handles).min() > 0


def test_tokens_sit_on_every_loose_piece():
    """A small piece far away or close by gets a token, however few points it has."""
    torch.manual_seed(2)
    points = torch.rand(1, 300, 3, dtype=torch.float64) / 2
    component = torch.zeros(1, 300, dtype=torch.int32)
    component[0, :3], component[0, 3:5] = 1, 2
    code = model(tokens=16).encode(SurfacePoints(points, torch.zeros_like(points), component))
    assert set(code.anchors.component[0].tolist()) == {0, 1, 2}


def test_weights_survive_a_file_and_bad_files_are_named(tmp_path):
    network = NeuROK(ModelConfig(**SMALL))
    path = save_model(tmp_path / "m.safetensors", network.state_dict(), network.config, {"steps": 3})
    again = load_model(path)
    assert again.config == network.config
    for name, tensor in network.state_dict().items():
        assert torch.equal(tensor, again.state_dict()[name])
    for content in (b"", b"x" * 100, path.read_bytes()[:-10]):
        (tmp_path / "bad.safetensors").write_bytes(content)
        with pytest.raises(InputError, match=r"bad\.safetensors"):
            load_model(tmp_path / "bad.safetensors")
    with pytest.raises(InputError, match="no such file"):
        load_model(tmp_path / "none.safetensors")


@pytest.mark.parametrize("changes", [{"width": 130}, {"tokens": 0}, {"shape_blocks": 3}])
def test_sizes_that_do_not_fit_are_refused(changes):
    with pytest.raises(InputError, match="sizes"):
        ModelConfig(**changes)
