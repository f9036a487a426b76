"""The trainer gives the same curve on one or two processes, resumes exactly, and learns."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path

import pytest
import torch
import tyro
from safetensors.torch import load_file

from neurok.cli.commands.train import Kinematics
from neurok.cli.main import run as neurok
from neurok.datasets.build import build
from neurok.datasets.sources import generator_jobs
from neurok.datasets.store.store import Store
from neurok.errors import InputError
from neurok.latent import NeuROK, load_model
from neurok.training.config import TrainConfig
from neurok.training.distributed import World
from neurok.training.kinematics import KinematicsTask
from neurok.training.loop import train

TINY = [
    "--model.width", "32", "--model.heads", "2", "--model.tokens", "8", "--model.shape-blocks", "2",
    "--model.decoder-blocks", "1", "--pairs.encoder-points", "64",
    "--pairs.query-points", "32", "--pairs.targets", "2", "--train.batch", "4", "--train.warmup", "2",
    "--train.readers", "0", "--train.device", "cpu",
]  # fmt: skip
STEPS = ["--train.steps", "20"]


@pytest.fixture(scope="module")
def store(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("store")
    build(generator_jobs(24, 0, seed=3, frames=8), folder)
    return folder


def command(store: Path, out: Path, *more: str) -> list[str]:
    return ["train", "kinematics", "--data", str(store), "--out", str(out), *TINY, *more]


def run(store: Path, out: Path, *more: str) -> list[dict]:
    """Train by the command; returns the log."""
    with one_thread():
        assert neurok(command(store, out, *more)) == 0
    return log_of(out)


def run_in_two_processes(commands: list[list[str]]) -> None:
    launcher = [
        sys.executable, "-m", "torch.distributed.run", "--nproc-per-node", "2",
        "--master-addr", "127.0.0.1", "--master-port", str(29500 + os.getpid() % 2000),
        str(Path(__file__).with_name("trainings.py")), json.dumps(commands),
    ]  # fmt: skip
    environment = os.environ | {"OMP_NUM_THREADS": "1"}
    done = subprocess.run(launcher, capture_output=True, text=True, env=environment, timeout=300)
    assert done.returncode == 0, done.stderr[-3000:]


def log_of(out: Path) -> list[dict]:
    return [json.loads(line) for line in (out / "log.jsonl").read_text().splitlines()]


@contextmanager
def one_thread() -> Iterator[None]:
    """Sums in one order."""
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(threads)


def weights(out: Path) -> dict[str, torch.Tensor]:
    return load_file(out / "model.safetensors")


def distance(a: dict[str, torch.Tensor], b: dict[str, torch.Tensor]) -> float:
    assert a.keys() == b.keys()
    return max(float((a[name] - b[name]).abs().max()) for name in a)


@pytest.fixture(scope="module")
def alone(store, tmp_path_factory) -> Path:
    """Twenty steps in one process."""
    out = tmp_path_factory.mktemp("alone") / "run"
    run(store, out, *STEPS)
    return out


@pytest.mark.slow
def test_the_loss_falls_and_the_weights_load(store, alone):
    log = log_of(alone)
    assert [row["step"] for row in log] == [1, 20]
    assert list((alone / "logs").glob("events*"))
    trained = load_model(alone / "model.safetensors")
    torch.manual_seed(0)
    assert loss_of(store, trained) < loss_of(store, NeuROK(trained.config)) - 0.1


def loss_of(store: Path, model: NeuROK) -> float:
    """Objective on batches that are not used in training."""
    options = tyro.cli(Kinematics, args=["--data", str(store), "--out", "none", *TINY])
    task = KinematicsTask(Store.open(store), options.train, options.pairs, options.loss)
    world = World(0, 1, torch.device("cpu"))
    batches = islice(task.batches(world, start=1000), 4)
    with torch.no_grad():
        return sum(
            float(task.terms(model, batch, 1000 + k, world)["loss"]) for k, batch in enumerate(batches)
        )


@pytest.mark.slow
def test_a_run_that_was_stopped_goes_on_as_if_it_had_not_been(store, alone, tmp_path):
    """A run stopped before the first step and after step 7 gives exactly the same weights."""
    out = tmp_path / "run"
    run(store, out, *STEPS, "--minutes", "0")  # no step
    assert run_steps(store, out, 7) == 7
    run(store, out, *STEPS)
    assert distance(weights(out), weights(alone)) == 0


def run_steps(store: Path, out: Path, count: int) -> int:
    """`count` steps of a run of twenty, through the library."""
    options = tyro.cli(Kinematics, args=["--data", str(store), "--out", str(out), *TINY, *STEPS])
    torch.manual_seed(options.train.seed)
    model, asked = NeuROK(options.model), []
    with one_thread():
        task = KinematicsTask(Store.open(store), options.train, options.pairs, options.loss)
        world = World(0, 1, torch.device("cpu"))
        stop = lambda: asked.append(0) or len(asked) > count  # noqa: E731
        return train(model, task, options.train, out, world, stop=stop)[1]


@pytest.fixture(scope="module")
def shared(store, tmp_path_factory) -> dict[str, Path]:
    """Twenty steps of each strategy in two processes."""
    folder = tmp_path_factory.mktemp("shared")
    outs = {strategy: folder / strategy for strategy in ("ddp", "fsdp")}
    run_in_two_processes([command(store, out, *STEPS, "--train.strategy", s) for s, out in outs.items()])
    return outs


@pytest.mark.slow
@pytest.mark.parametrize("strategy", ["ddp", "fsdp"])
def test_two_processes_follow_the_curve_of_one(store, alone, shared, tmp_path, strategy):
    """Two processes share the batches: equal up to the order of sums. FSDP uses AdamW only, so it has its own
    reference."""
    single, two = alone, shared[strategy]
    if strategy == "fsdp":
        single = tmp_path / "single"
        run(store, single, *STEPS, "--train.strategy", "fsdp")
    for a, b in zip(log_of(single), log_of(two), strict=True):
        assert abs(a["loss"] - b["loss"]) < 2e-3 * abs(a["loss"])
    assert distance(weights(two), weights(single)) < 2e-3


def test_another_models_checkpoint_is_refused(store, alone):
    wider = ["--model.tokens", "9", "--model.width", "64"]
    assert neurok(["train", "kinematics", "--data", str(store), "--out", str(alone), *TINY, *wider]) == 2


@pytest.mark.slow
def test_validation_is_measured_on_validation_objects_at_every_checkpoint(store, tmp_path):
    """Every checkpoint has a row of validation terms, measured on the same batches."""
    log = run(store, tmp_path / "run", "--train.steps", "3", "--train.save-minutes", "0")
    rows = [row for row in log if "validation_loss" in row]
    assert [row["step"] for row in rows] == [1, 2, 3]
    names = set(Store.open(store).names("validation"))
    assert names and not names & set(Store.open(store).names("train"))
    assert len({row["validation_evidence"] for row in rows}) == 3  # the weights change


def test_the_learning_rate_rises_stays_and_falls():
    config = TrainConfig(steps=100, warmup=10, cooldown=0.2)
    factors = [config.lr_factor(step) for step in range(100)]
    assert factors[0] == pytest.approx(0.1) and factors[9] == 1.0 and factors[79] == 1.0
    assert factors[90] == pytest.approx(0.5) and 0 < factors[99] < 0.06
    with pytest.raises(InputError):
        TrainConfig(steps=0)
