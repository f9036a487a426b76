"""Training of the push and region networks: on one surface, and by the command line on a small store."""

from __future__ import annotations

import json

import numpy as np
import pytest
import torch

from carpentry import closet
from neurok.articulation.parts.patch_network import PatchConfig
from neurok.articulation.parts.push_network import load_push_ensemble, push_ensemble
from neurok.articulation.parts.region_network import load_region_network
from neurok.cli.main import run
from neurok.datasets.build import build
from neurok.datasets.patch_examples import CACHE
from neurok.datasets.sources import generator_jobs
from neurok.training.distributed import World
from neurok.training.patches import some_patches
from neurok.training.pushes import PushesTask, draw_push, pushed_batch

TINY = ["--train.batch", "3", "--pairs.workers", "1", "--threads", "1"]


@pytest.mark.slow
def test_a_small_network_learns_what_goes_with_a_push_on_one_cabinet():
    example = {n: a.astype(np.float32) if a.dtype.kind == "f" else a for n, a in CACHE.make(closet()).items()}
    example = some_patches(example, np.arange(0, len(example["piece"]), 2))
    torch.manual_seed(0)
    networks = push_ensemble(PatchConfig(width=48, heads=4, layers=2, pair_width=16, dropout=0.0))
    alone = World(0, 1, torch.device("cpu"))
    optimiser, task = torch.optim.AdamW(networks.parameters(), 3e-3), PushesTask.__new__(PushesTask)
    rng, missed = np.random.default_rng(0), []
    for step in range(60):
        batch = pushed_batch([(example, draw_push(example, rng)) for _ in range(5)])
        terms = task.terms(networks, batch, step, alone)
        terms["loss"].backward()
        optimiser.step()
        optimiser.zero_grad()
        missed.append(float(terms["overlap"]))
    assert np.mean(missed[-10:]) < 0.25 < np.mean(missed[:5])


@pytest.mark.slow
def test_commands_train_networks_of_pushes_and_regions(tmp_path, capsys):
    store = tmp_path / "store"
    build(generator_jobs(8, 0, seed=5, frames=20), store)
    small = ["--model.width", "24", "--model.heads", "2", "--model.layers", "1", "--model.pair-width", "8"]
    first, second, last = (tmp_path / name for name in ("patches", "pushes", "regions"))
    train = [
        "train",
        "patches",
        "--data",
        str(store),
        "--out",
        str(first),
        "--train.steps",
        "2",
        *small,
        *TINY,
    ]
    assert run(train) == 0
    start = ["--start", str(first / "model.safetensors"), "--train.steps", "3"]
    assert run(["train", "pushes", "--data", str(store), "--out", str(second), *start, *small, *TINY]) == 0
    trained = second / "model.safetensors"
    assert load_push_ensemble(trained).config.width == 24
    given = ["--pushes", str(trained), "--patches", str(first / "model.safetensors"), "--train.steps", "60"]
    assert run(["train", "regions", "--data", str(store), "--out", str(last), *given, *TINY]) == 0
    rows = [json.loads(line) for line in (last / "log.jsonl").read_text().splitlines()]
    losses = [row["loss"] for row in rows if "loss" in row]
    assert np.isfinite(losses).all() and load_region_network(last / "model.safetensors").config.hidden == 32
    assert "575 parameters" in capsys.readouterr().out
