"""Building: parallel, deterministic, resumable, and honest about what was skipped."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import ray
import trimesh
from build_samples import cabinet_jobs, die_at_seven, die_like_a_pool_at_seven, double, slow_with_pid

from neurok.datasets.build import JOURNAL, build
from neurok.datasets.jobs import Job
from neurok.datasets.record import Origin
from neurok.datasets.store.store import Store
from neurok.errors import InputError
from neurok.export import save
from neurok.jobs import pool as running
from neurok.jobs.pool import run
from neurok.sequences import Sequence
from neurok.shapes import Shape


def content(folder) -> dict[str, bytes]:
    """Every file of a store but the journal, whose order is that of completion."""
    return {
        p.relative_to(folder).as_posix(): p.read_bytes()
        for p in sorted(folder.rglob("*"))
        if p.is_file() and p.name != JOURNAL
    }


def test_same_store_for_any_number_of_workers(tmp_path):
    jobs = cabinet_jobs(4)
    build(jobs, tmp_path / "one", workers=1)
    build(list(reversed(jobs)), tmp_path / "two", workers=2)
    assert content(tmp_path / "one") == content(tmp_path / "two")


def test_goes_on_after_a_kill_and_ends_the_same(tmp_path):
    jobs = cabinet_jobs(4)
    whole = build(jobs, tmp_path / "whole")
    build(jobs[:2], tmp_path / "cut")
    journal = tmp_path / "cut" / JOURNAL
    journal.write_text(journal.read_text() + '{"name": "tests/cab')  # a line that a kill cut off
    made = []
    report = build(jobs, tmp_path / "cut", step=lambda outcome: made.append(outcome.name))
    assert made == [job.origin.name for job in jobs[2:]], "what was finished is not made again"
    assert report.frames == whole.frames
    assert content(tmp_path / "cut") == content(tmp_path / "whole")


def test_a_changed_job_is_made_again(tmp_path):
    jobs = cabinet_jobs(2)
    build(jobs, tmp_path)
    made = []
    build([jobs[0], replace(jobs[1], frames=12)], tmp_path, step=lambda o: made.append(o.name))
    assert made == [jobs[1].origin.name]
    assert Store.open(tmp_path).entries[1].frames == 12


def test_what_cannot_be_recorded_is_skipped_with_its_reason(tmp_path):
    (tmp_path / "broken.urdf").write_text("<robot")
    (tmp_path / "still.urdf").write_text(
        '<robot name="s"><link name="a"><visual><geometry><box size="1 1 1"/></geometry></visual></link>'
        "</robot>"
    )
    bad = [
        Job(
            Origin(f"tests/{name}", name, "articulated", "x", "tests"),
            "mechanism",
            str(tmp_path / f"{name}.urdf"),
        )
        for name in ("broken", "still", "missing")
    ]
    report = build([*cabinet_jobs(1), *bad], tmp_path / "store")
    assert len(report.entries) == 1
    assert report.skipped["tests/still"] == "nothing in it moves"
    assert "does not exist" in report.skipped["tests/missing"]
    assert "tests/broken" in report.skipped


def test_clips_with_another_order_of_vertices_are_left_out(tmp_path):
    ball = trimesh.creation.icosphere(subdivisions=2)
    shape, order = Shape(ball.vertices, ball.faces), np.random.default_rng(0).permutation(len(ball.vertices))
    whole = Sequence(shape, np.stack([shape.vertices, 1.3 * shape.vertices]), name="grow")
    torn = Sequence(shape, np.stack([shape.vertices[order]] * 2), name="torn")
    for name, clips in (("some", [whole, torn]), ("none", [torn])):
        save(clips, tmp_path / f"{name}.glb")
    jobs = [
        Job(Origin(f"tests/{n}", n, "animated", "x", "tests"), "sequence", str(tmp_path / f"{n}.glb"))
        for n in ("some", "none")
    ]
    report = build(jobs, tmp_path / "store")
    assert [(entry.name, entry.clips) for entry in report.entries] == [("tests/some", 1)]
    assert "different orders of vertices" in report.skipped["tests/none"]


def test_two_objects_of_one_name_are_refused(tmp_path):
    with pytest.raises(InputError, match="two objects are called"):
        build(cabinet_jobs(1) * 2, tmp_path)


def test_a_task_that_kills_its_process_is_lost_alone():
    results = list(run(die_at_seven, range(20), lambda task: -task, workers=2, ray=None))
    assert sorted(results) == sorted([2 * x for x in range(20) if x != 7] + [-7])


def test_a_task_that_dies_of_the_one_before_it_is_not_lost(monkeypatch):
    """A pool that refuses a task at the very moment it is submitted, as one whose process has just died."""
    refused = [False, False, False, True] * 2 + [False] * 100
    monkeypatch.setattr(running, "_pool", lambda workers: _RefusingPool(refused))
    assert sorted(run(double, range(20), lambda task: -task, workers=2, ray=None)) == list(range(0, 40, 2))


def test_only_what_dies_in_a_process_of_its_own_is_lost(monkeypatch):
    monkeypatch.setattr(running, "_pool", lambda workers: _RefusingPool([False] * 1000))
    results = list(run(die_like_a_pool_at_seven, range(20), lambda task: -task, workers=2, ray=None))
    assert sorted(results) == sorted([2 * x for x in range(20) if x != 7] + [-7])


class _RefusingPool(ThreadPoolExecutor):
    """Runs tasks at once in this process, and takes from a list which submissions it refuses."""

    def __init__(self, refused: list[bool]) -> None:
        super().__init__(1)
        self.refused = refused

    def submit(self, *task):  # type: ignore[override]
        if self.refused.pop(0):
            raise BrokenProcessPool("a process died")
        return super().submit(*task)


def test_stopping_early_leaves_no_process_behind():
    results = run(double, range(50), lambda task: task, workers=2, ray=None)
    assert next(results) in range(0, 100, 2)
    results.close()
    assert not _workers(os.getpid())


def _workers(builder: int) -> list[str]:
    """Processes of a pool that a process has started, also those that have not begun to work."""
    found = []
    for task in Path(f"/proc/{builder}/task").iterdir():
        with suppress(FileNotFoundError):  # a thread that has just ended leaves its children to another one
            for child in (task / "children").read_text().split():
                if "spawn_main" in Path(f"/proc/{child}/cmdline").read_text():
                    found.append(child)
    return found


def test_workers_leave_when_the_builder_is_killed(tmp_path):
    """kill -9 of the process that builds: its workers must not stay behind."""
    code = (
        "from build_samples import slow_with_pid\n"
        "from neurok.jobs.pool import run\n"
        "if __name__ == '__main__':\n"
        f"    tasks = [(k, {str(tmp_path)!r}) for k in range(1000)]\n"
        "    for _ in run(slow_with_pid, tasks, print, 2, None): pass\n"
    )
    (tmp_path / "build.py").write_text(code)
    environment = os.environ | {"PYTHONPATH": str(Path(__file__).parent)}
    builder = subprocess.Popen([sys.executable, str(tmp_path / "build.py")], env=environment)
    assert _wait_for(lambda: [p for p in tmp_path.iterdir() if p.suffix[1:].isdigit()])
    workers = _workers(builder.pid)
    builder.kill()
    builder.wait()
    assert len(workers) == 2
    assert _wait_for(lambda: not any(Path(f"/proc/{pid}").exists() for pid in workers))


def _wait_for(condition):
    """The first true answer within a minute, else the last one."""
    for _ in range(600):
        if answer := condition():
            return answer
        time.sleep(0.1)
    return condition()


def test_a_ray_cluster_gives_the_same_and_survives_the_loss_of_a_worker(tmp_path):
    paths = {"env_vars": {"PYTHONPATH": str(Path(__file__).parent)}}  # workers import the tasks by name
    ray.init(
        num_cpus=2, include_dashboard=False, log_to_driver=False, logging_level="ERROR", runtime_env=paths
    )
    try:
        build(cabinet_jobs(3), tmp_path / "here")
        build(cabinet_jobs(3), tmp_path / "ray", ray="local")
        assert content(tmp_path / "here") == content(tmp_path / "ray")
        marks = tmp_path / "marks"
        marks.mkdir()
        killer = threading.Thread(target=_kill_first_worker, args=(marks,))
        killer.start()
        tasks = [(k, str(marks)) for k in range(12)]
        results = list(run(slow_with_pid, tasks, lambda task: -1, workers=2, ray="local"))
        killer.join()
        assert sorted(results) == list(range(12))
        assert (marks / "killed").exists()
    finally:
        ray.shutdown()


def _kill_first_worker(marks) -> None:
    """End the worker process of the first task that has begun."""
    for _ in range(400):
        begun = [p for p in marks.iterdir() if p.name != "killed"]
        if begun:
            os.kill(int(begun[0].name.partition(".")[2]), signal.SIGKILL)
            (marks / "killed").touch()
            return
        time.sleep(0.02)


def test_the_journal_says_what_became_of_every_job(tmp_path):
    build(cabinet_jobs(2), tmp_path)
    lines = [json.loads(line) for line in (tmp_path / JOURNAL).read_text().splitlines()]
    assert [line["name"] for line in lines] == ["tests/cabinet_000", "tests/cabinet_001"]
    assert all(line["entry"] and not line["skipped"] for line in lines)


def test_a_store_of_an_older_format_is_made_again(tmp_path, monkeypatch):
    jobs = cabinet_jobs(1)
    build(jobs, tmp_path)
    monkeypatch.setattr("neurok.datasets.build.VERSION", 0)
    made = []
    build(jobs, tmp_path, step=lambda outcome: made.append(outcome.name))
    assert made == ["tests/cabinet_000"]
