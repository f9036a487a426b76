"""The keypoint-cage deformer is the identity without motion, in any frame, and it learns."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import torch

from evaluation.kinematics.bending import bending_bar
from neurok.datasets.augment import Augment
from neurok.datasets.build import build
from neurok.datasets.sources import generator_jobs
from neurok.datasets.store.store import Store
from neurok.errors import InputError
from neurok.evaluation.kinematics.keypoints import (
    POINTS,
    KeypointConfig,
    KeypointDeformer,
    keypoint_cage,
    load_deformer,
    save_deformer,
)
from neurok.geometry.farthest_points import farthest_points
from neurok.latent import NeuROK, save_model
from neurok.latent.config import ModelConfig
from neurok.shapes.sample import sample_surface
from neurok.training.config import TrainConfig
from neurok.training.distributed import World
from neurok.training.keypoints import KeypointsData, KeypointsTask, chamfer
from neurok.training.loop import train


@pytest.fixture(autouse=True, scope="module")
def one_thread():
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


@pytest.fixture
def untrained() -> KeypointDeformer:
    """Deformer without zero weights, so that no test passes by accident."""
    torch.manual_seed(0)
    model = KeypointDeformer(KeypointConfig(width=32))
    with torch.no_grad():
        for parameter in model.parameters():
            parameter += 0.2 * torch.randn_like(parameter)
    return model.eval().requires_grad_(False)


def test_the_source_as_target_stays_whatever_the_weights_and_the_order(untrained):
    untrained = untrained.double()
    source = torch.rand(2, 100, 3, dtype=torch.float64)
    shuffled = source[:, torch.randperm(100)][:, None]
    moved, at_source, at_target = untrained(source, shuffled)
    assert (moved[:, 0] - source).abs().max() < 1e-12
    assert (at_target[:, 0] - at_source).abs().max() < 1e-12
    moved, _, _ = untrained(source, shuffled * torch.tensor([1.0, 2.0, 1.0]))
    assert (moved[:, 0] - source).abs().max() > 1e-2


@pytest.mark.parametrize("up", ["y", "z"])
def test_the_method_answers_with_all_vertices_in_the_frame_of_the_mesh(untrained, up):
    case = bending_bar(up)
    answer, _ = keypoint_cage(untrained)(case)
    same = sample_surface(case.shape, POINTS, seed=0, even=False).positions(case.shape)
    assert np.abs(answer(same) - case.shape.vertices).max() < 1e-4  # single precision
    upright = keypoint_cage(untrained)(bending_bar("y"))[0](bending_bar("y").cloud(0))
    turned = answer(case.cloud(0))
    turned = turned if up == "y" else turned[:, [0, 2, 1]] * [1, 1, -1]
    assert np.abs(turned - upright).max() < 1e-4
    assert np.abs(turned - bending_bar("y").shape.vertices).max() > 1e-2


def test_a_keypoint_moves_its_nearest_cage_vertices_alone(untrained):
    found = untrained.find(torch.rand(1, 100, 3))
    cage = torch.rand(1, 42, 3)
    influence = untrained.influence(found, cage)
    distance = torch.cdist(found.places, cage)
    assert ((influence != 0).sum(-1) == untrained.config.reach).all()
    assert distance[influence != 0].max() <= distance.sort().values[..., untrained.config.reach - 1].max()


PLAIN = Augment(turn="none", stretch=0, mirror=0, jitter=0, drop_part=0)


def test_chamfer_and_farthest_points_match_what_is_obvious():
    a, b = torch.rand(2, 30, 3), torch.rand(2, 40, 3)
    distance = (a[:, :, None] - b[:, None]).norm(dim=-1)
    obvious = (distance.amin(2).mean() + distance.amin(1).mean()) / 2
    assert float(chamfer(a, b)) == pytest.approx(float(obvious), rel=1e-4)
    corners = torch.cartesian_prod(*[torch.tensor([-1.0, 1.0])] * 3)
    cloud = torch.cat([corners, 0.5 * torch.rand(50, 3)])[torch.randperm(58)]
    found = cloud[farthest_points(cloud[None], 8)[0]]
    assert torch.cdist(found, corners).amin(1).max() == 0 and len(found.unique(dim=0)) == 8


@pytest.mark.slow
def test_a_short_training_brings_clouds_closer_than_no_motion(tmp_path):
    folder = tmp_path / "store"
    build(generator_jobs(4, 0, seed=3, frames=8), folder)
    store = Store.open(folder)
    config = TrainConfig(steps=100, batch=4, lr=4e-3, warmup=10, readers=0, device="cpu")
    data = KeypointsData(points=128, targets=2, augment=PLAIN)
    task = KeypointsTask(store, config, data, store.names())
    torch.manual_seed(0)
    model = KeypointDeformer(KeypointConfig(width=32))
    average, step = train(model, task, config, tmp_path, World(0, 1, torch.device("cpu")))
    assert step == 100
    path = save_deformer(tmp_path / "model.safetensors", average, model.config, {"steps": step})
    trained = load_deformer(path)
    before, after = [], []
    world = World(0, 1, torch.device("cpu"))
    for batch, _ in zip(task.batches(world, 1000), range(10), strict=False):
        source, target = batch["points"][:, :128], batch["target"][:, :, 128:].flatten(0, 1)
        before.append(chamfer(source.repeat_interleave(2, 0), target))
        after.append(task.terms(trained, batch, 0, world)["chamfer"])
    assert sum(after) < 0.9 * sum(before), (sum(before), sum(after))


def test_files_of_other_models_are_refused(tmp_path: Path):
    sizes = ModelConfig(width=8, heads=1, tokens=2, common=1)
    path = save_model(tmp_path / "other.safetensors", NeuROK(sizes).state_dict(), sizes)
    with pytest.raises(InputError, match="not a file of neurok-keypoints"):
        load_deformer(path)
    with pytest.raises(InputError, match="no such file"):
        load_deformer(tmp_path / "none.safetensors")
    path.write_bytes(path.read_bytes()[:100])
    with pytest.raises(InputError, match="damaged"):
        load_deformer(path)
    with pytest.raises(InputError):
        KeypointConfig(reach=43)
