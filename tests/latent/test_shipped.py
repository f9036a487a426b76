"""The weights that ship with the package, end to end: unseen kinds of objects, odd meshes, and their card."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
import torch
from safetensors import safe_open

from neurok.assets import SHIPPED, WEIGHTS
from neurok.datasets.build import build
from neurok.datasets.sources import generator_jobs
from neurok.datasets.store.store import Store
from neurok.evaluation.kinematics import Comparison, cases_of, compare
from neurok.evaluation.kinematics.methods import neural, no_motion
from neurok.kinematics import sample_poses
from neurok.kinematics.inverse import FitConfig
from neurok.latent import NeuROK
from neurok.latent.kinematics import LatentKinematics
from neurok.latent.reduction import FOR_FITTING
from neurok.shapes import Shape
from neurok.shapes.load import load_shape

DOCS = Path(__file__).parents[2] / "docs"


@pytest.fixture(scope="module")
def model() -> NeuROK:
    return NeuROK.from_pretrained()


@pytest.fixture(scope="module")
def held_out(model, tmp_path_factory) -> Comparison:
    """Two kinds that were not trained on."""
    folder, kinds = tmp_path_factory.mktemp("store"), ("laptop", "fan")
    jobs = [job for job in generator_jobs(23, 0, seed=77, frames=12) if job.origin.category in kinds]
    build(jobs, folder)
    store = Store.open(folder)
    names = [*store.names("validation"), *store.names("test")]
    assert {name.split("/")[1] for name in names} == set(kinds)
    methods = {"no motion": no_motion, "learned": neural(model, FOR_FITTING, FitConfig(starts=4, points=600))}
    return compare(cases_of(store, names, poses=1, seed=0), methods)


@pytest.mark.slow
def test_poses_of_unseen_kinds_are_found(held_out):
    """Much nearer than without motion, and parts keep their shape."""
    learned = held_out.mean("all", "learned", "chamfer_l1")
    assert learned < 0.6 * held_out.mean("all", "no motion", "chamfer_l1")
    assert held_out.mean("all", "learned", "distortion") < 0.1


@pytest.mark.slow
def test_samples_move_and_stay_in_bounds(model):
    for name in ("cabinet", "teddy"):
        shape = load_shape(SHIPPED[name])
        kinematics = LatentKinematics.from_shape(shape.with_(joints=None), model)
        moved = kinematics.positions(sample_poses(kinematics, 16)).numpy() - shape.vertices
        travel = np.linalg.norm(moved, axis=-1).mean() / shape.normalisation.radius
        assert 0.01 < travel < 1.0


@pytest.mark.slow
@pytest.mark.parametrize("count", [1, 2, 500])
def test_odd_meshes_get_a_finite_motion_and_little_confidence(model, count):
    """Loose triangles in space, unlike any training object."""
    rng = np.random.default_rng(count)
    soup = (rng.normal(size=(count, 1, 3)) + 0.2 * rng.normal(size=(count, 3, 3))).reshape(-1, 3)
    kinematics = LatentKinematics.from_shape(Shape(soup, np.arange(3 * count).reshape(-1, 3)), model)
    assert torch.isfinite(kinematics.positions(sample_poses(kinematics, 4))).all()
    assert kinematics.confidence < 0.15


def test_the_file_is_small_and_its_card_names_it():
    assert sum(path.stat().st_size for path in WEIGHTS.values()) < 60e6
    with safe_open(WEIGHTS["kinematics"], framework="pt") as file:
        about = json.loads(file.metadata()["neurok"])["about"]
    card = (DOCS / "model_card_kinematics.md").read_text()
    assert f"{about['steps']:,} steps" in card
