"""Patches follow creases and loose pieces; the network reads them in any order."""

from __future__ import annotations

from functools import cache

import numpy as np
import torch
import trimesh

from carpentry import locker
from neurok.articulation.parts.face_graph import face_graph
from neurok.articulation.parts.patch_batches import batch_of_patches
from neurok.articulation.parts.patch_features import Patches, read_patches
from neurok.articulation.parts.patch_network import PatchNetwork
from neurok.articulation.parts.seams import smoothed
from neurok.shapes import Shape


def fused_dumb_bell() -> Shape:
    balls = [trimesh.creation.icosphere(4).apply_translation((x, 0, 0)) for x in (-0.9, 0.9)]
    mesh = trimesh.boolean.union(balls)
    return Shape(np.asarray(mesh.vertices), np.asarray(mesh.faces), "dumb-bell")


@cache
def bare_locker() -> Patches:
    shape = locker()
    return read_patches(Shape(shape.vertices, shape.faces, "bare"))


def test_patches_stay_within_loose_pieces() -> None:
    patches = bare_locker()
    assert (patches.features.piece[patches.label] == patches.pieces.label).all()
    assert len(patches.share) > len(patches.pieces.share) and abs(patches.share.sum() - 1) < 1e-9


def test_patches_of_a_fused_surface_end_at_its_concave_crease() -> None:
    shape = fused_dumb_bell()
    patches = read_patches(shape)
    right = shape.vertices[shape.faces].mean(1)[:, 0] > 0
    share = np.bincount(patches.label, right) / np.bincount(patches.label)
    assert len(share) > 150 and ((share == 0) | (share == 1)).mean() > 0.97


def test_the_network_does_not_depend_on_the_order_of_patches() -> None:
    arrays = bare_locker().features.arrays()
    n = len(arrays["piece"])
    order = np.random.default_rng(0).permutation(n)
    place = np.argsort(order)
    mixed = arrays | {
        name: arrays[name][order] for name in ("points", "normals", "cues", "centres", "numbers", "piece")
    }
    mixed["links"] = place[arrays["links"]]
    torch.manual_seed(0)
    network = PatchNetwork().eval()
    with torch.no_grad():
        one, other = (network(batch_of_patches([a])) for a in (arrays, mixed))
    assert torch.allclose(one.together[0][order][:, order], other.together[0], atol=1e-4)
    assert torch.allclose(one.moves[0][order], other.moves[0], atol=1e-4)
    assert torch.allclose(one.together, one.together.transpose(1, 2), atol=1e-5)


def test_padding_changes_nothing() -> None:
    arrays = bare_locker().features.arrays()
    kept = arrays["links"].max(1) < 10
    few = arrays | {n: arrays[n][:10] for n in ("points", "normals", "cues", "centres", "numbers", "piece")}
    few |= {"links": arrays["links"][kept], "link_features": arrays["link_features"][kept]}
    torch.manual_seed(0)
    network = PatchNetwork().eval()
    with torch.no_grad():
        alone, beside = network(batch_of_patches([few])), network(batch_of_patches([few, arrays]))
    assert torch.allclose(alone.together[0], beside.together[0, :10, :10], atol=1e-4)


def test_a_ragged_seam_becomes_straight_at_the_crease() -> None:
    shape = fused_dumb_bell()
    x = shape.vertices[shape.faces].mean(1)[:, 0]
    true = (x > 0).astype(np.int64)
    ragged = np.where(np.random.default_rng(0).random(len(x)) < 0.1, 1 - true, true)
    assert (smoothed(ragged, face_graph(shape)) == true).mean() > 0.99
