"""Closed-form derivatives of codes against automatic differentiation, and the free root."""

from __future__ import annotations

import numpy as np
import pytest
import torch
import trimesh
from test_joints import every_kind

from neurok.assets import SHIPPED
from neurok.geometry.arrays import to_numpy
from neurok.geometry.rotation_jets import rotation_jets, unwound
from neurok.geometry.rotations import exp_so3
from neurok.kinematics import ElasticKinematics, JointKinematics, Kinematics
from neurok.kinematics.free_root import FreeRootKinematics
from neurok.kinematics.jets.jet import AutodiffJets
from neurok.kinematics.jets.screws import screw_jets
from neurok.latent.decoders import handle_maps
from neurok.shapes import Shape
from neurok.shapes.load import load_shape


def elastic() -> ElasticKinematics:
    mesh = trimesh.creation.box((1.0, 0.2, 0.1)).subdivide()
    return ElasticKinematics.from_shape(
        Shape(np.array(mesh.vertices), np.array(mesh.faces)), modes=3, handles=6
    )


MAKERS = {
    "every kind of joint": lambda: every_kind().kinematics(),
    "hinges and slides": lambda: JointKinematics(load_shape(SHIPPED["cabinet"])),
    "elastic": elastic,
    "free": lambda: FreeRootKinematics(elastic()),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", MAKERS)
def test_closed_forms_equal_autodiff_on_both_kinds_of_arrays(name):
    kinematics = MAKERS[name]()
    assert isinstance(kinematics, Kinematics)
    rng = torch.Generator().manual_seed(0)
    k = len(kinematics.rest)
    q = kinematics.rest + 0.5 * torch.randn(2, k, generator=rng, dtype=torch.float64)
    v = torch.randn(2, k, generator=rng, dtype=torch.float64)
    truth, jets = AutodiffJets(kinematics.code)(q, v), kinematics.jets
    for found in (jets(q, v), to_numpy(jets)(q.numpy(), v.numpy())):
        for a, b in zip(truth, found, strict=True):
            assert np.allclose(a, b, atol=1e-12)
    assert np.allclose(jets(q, None).slope, truth.slope, atol=1e-12)


def test_screws_equal_the_handles_of_the_decoder():
    """In the unit frame itself; `test_latent` checks the way to the shape's."""
    rng = torch.Generator().manual_seed(1)
    modes, anchors, q, v = (
        torch.randn(*size, generator=rng, dtype=torch.float64) for size in ((18, 4), (3, 3), (2, 4), (2, 4))
    )
    own = screw_jets(modes, anchors, torch.eye(3).double(), torch.zeros(3).double(), 1.0)
    truth = AutodiffJets(lambda x: handle_maps(x @ modes.T, anchors).flatten(-3))(q, v)
    for a, b in zip(truth, own(q, v), strict=True):
        assert torch.allclose(a, b, atol=1e-10)


@pytest.mark.parametrize("size", [0.0, 1e-6, 1.0, 3.1, 3.2, 30.0])
def test_rotations_and_their_derivatives_at_any_angle(size):
    r = size * torch.nn.functional.normalize(torch.tensor([[0.3, -0.5, 0.8]]).double())
    rate = torch.tensor([[1.0, -0.4, 0.2]]).double()
    found = rotation_jets(r.T, rate.T, 1)[0, ..., 0]
    slope = torch.func.jacfwd(exp_so3)(r[0])
    bend = torch.func.jvp(torch.func.jacfwd(exp_so3), (r[0],), (rate[0],))[1]
    assert torch.allclose(found[0], exp_so3(r[0]), atol=1e-13)
    assert torch.allclose(found[1:4], slope.movedim(-1, 0), atol=1e-12)
    assert torch.allclose(found[4:], bend.movedim(-1, 0), atol=1e-11)


@pytest.mark.slow
def test_recentring_a_root_changes_coordinates_but_no_pose_and_no_velocity():
    free = FreeRootKinematics(elastic())
    rng = torch.Generator().manual_seed(2)
    q, v = (torch.randn(2, 9, generator=rng, dtype=torch.float64) for _ in range(2))
    there, centred, ((first, turn),) = free.jets.recentred(q)
    assert first == 3
    moved = torch.cat([v[:, :3], (turn @ v[:, 3:6, None])[..., 0], v[:, 6:]], dim=-1)
    before, after = free.jets(q, v), there(centred, moved)
    assert torch.allclose(before.code, after.code, atol=1e-12)
    speed = [torch.einsum("bk,bkam->bam", x, jet.slope) for x, jet in ((v, before), (moved, after))]
    assert torch.allclose(*speed, atol=1e-12)
    assert torch.allclose(there.in_world(centred), q, atol=1e-12)


@pytest.mark.parametrize("size", [0.5, 3.1, 3.2, 6.2, 6.4, 4 * np.pi, 500 * np.pi + 0.1])
def test_unwinding_changes_rotation_vectors_but_no_rotation_and_no_velocity(size):
    w = size * torch.nn.functional.normalize(torch.tensor([[0.3, -0.5, 0.8]]).double())
    rate = torch.tensor([[1.0, -0.4, 0.2]]).double()
    short, D = unwound(w)
    assert short.norm() <= torch.pi
    turns = [
        torch.func.jvp(exp_so3, (x[0],), (r[0],))
        for x, r in ((w, rate), (short, (D @ rate[..., None])[..., 0]))
    ]
    for before, after in zip(*turns, strict=True):
        assert torch.allclose(before, after, atol=1e-10)
