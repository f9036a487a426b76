"""A Ray cluster builds the same store, survives the loss of a worker and serves the command."""

from __future__ import annotations

import os
import shutil
import signal
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from pool_tasks import slow_with_pid

from neurok.assets import SHIPPED
from neurok.cli.main import run as neurok
from neurok.datasets.build import JOURNAL, build
from neurok.datasets.jobs import Job
from neurok.datasets.record import Origin
from neurok.jobs.pool import run
from neurok.sequences.load import load_sequences

pytestmark = [pytest.mark.xdist_group("ray"), pytest.mark.slow, pytest.mark.usefixtures("cluster")]


@pytest.fixture(scope="module")
def cluster() -> Iterator[None]:
    """Started once, with two workers, which import the tasks by name."""
    import ray

    folders = [str(Path(__file__).parent), os.environ.get("PYTHONPATH", "")]
    paths = {"env_vars": {"PYTHONPATH": os.pathsep.join(folders)}}
    quiet = {"include_dashboard": False, "log_to_driver": False, "logging_level": "ERROR"}
    ray.init(num_cpus=2, address="local", runtime_env=paths, **quiet)
    yield
    ray.shutdown()


def content(folder: Path) -> dict[str, bytes]:
    """Content of every file of a store except the journal, whose order is that of completion."""
    files = (path for path in sorted(folder.rglob("*")) if path.is_file() and path.name != JOURNAL)
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in files}


def test_a_cluster_builds_the_same_store(tmp_path):
    origins = [Origin(f"tests/{k}", "cabinet", "articulated", "Apache-2.0", "tests") for k in range(3)]
    jobs = [Job(origin, "mechanism", str(SHIPPED["cabinet"]), seed=k) for k, origin in enumerate(origins)]
    build(jobs, tmp_path / "here")
    build(jobs, tmp_path / "ray", ray="local")
    assert content(tmp_path / "here") == content(tmp_path / "ray")


def test_a_cluster_survives_the_loss_of_a_worker(tmp_path):
    killer = threading.Thread(target=kill_first_worker, args=(tmp_path,))
    killer.start()
    tasks = [(k, str(tmp_path)) for k in range(12)]
    results = list(run(slow_with_pid, tasks, lambda task: -1, workers=2, ray="local"))
    killer.join()
    assert sorted(results) == list(range(12))
    assert (tmp_path / "killed").exists()


def kill_first_worker(marks: Path) -> None:
    """Kills the worker process of the first started task."""
    for _ in range(3000):
        begun = [p for p in marks.iterdir() if p.name != "killed"]
        if begun:
            os.kill(int(begun[0].name.partition(".")[2]), signal.SIGKILL)
            (marks / "killed").touch()
            return
        time.sleep(0.02)


def test_the_command_takes_a_cluster_that_started_elsewhere(tmp_path, capsys, monkeypatch):
    """--ray without a value uses a running cluster, whose workers start in another folder."""
    monkeypatch.chdir(tmp_path)
    Path("bad.glb").write_bytes(b"glTF")
    shutil.copy(SHIPPED["cabinet"], "cabinet.urdf")
    short = ["--push", "door=0,-5,0", "--seconds", "0.2", "--fps", "20"]
    assert neurok(["simulate", "bad.glb", "cabinet.urdf", *short, "-o", "out", "--ray"]) == 2
    shown = capsys.readouterr().out
    assert "bad.glb" in shown and "skipped" in shown and "does not exist" not in shown
    (clip,) = load_sequences(tmp_path / "out" / "cabinet.glb")
    assert clip.travel > 1e-3
