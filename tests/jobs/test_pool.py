"""The pool: a task that dies is lost alone, and no process stays behind."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from multiprocessing import get_context
from pathlib import Path

import pytest
from pool_tasks import die_at_seven, double, raise_broken_pool_at_seven

from neurok.jobs import pool
from neurok.jobs.pool import run


@pytest.fixture
def bare(monkeypatch) -> None:
    """Processes that start at once: those of the package import the libraries whose threads they limit."""
    monkeypatch.setattr(
        pool, "_pool", lambda workers: ProcessPoolExecutor(workers, mp_context=get_context("spawn"))
    )


@pytest.mark.usefixtures("bare")
def test_a_task_that_kills_its_process_is_lost_alone():
    results = list(run(die_at_seven, range(20), lambda task: -task, workers=2, ray=None))
    assert sorted(results) == sorted([2 * x for x in range(20) if x != 7] + [-7])


def test_a_task_that_dies_of_the_one_before_it_is_not_lost(monkeypatch):
    """A pool rejects a task at submission, as after the death of a process."""
    refused = [False, False, False, True] * 2 + [False] * 100
    monkeypatch.setattr(pool, "_pool", lambda workers: _RefusingPool(refused))
    assert sorted(run(double, range(20), lambda task: -task, workers=2, ray=None)) == list(range(0, 40, 2))


def test_only_what_dies_in_a_process_of_its_own_is_lost(monkeypatch):
    monkeypatch.setattr(pool, "_pool", lambda workers: _RefusingPool([False] * 1000))
    results = list(run(raise_broken_pool_at_seven, range(20), lambda task: -task, workers=2, ray=None))
    assert sorted(results) == sorted([2 * x for x in range(20) if x != 7] + [-7])


class _RefusingPool(ThreadPoolExecutor):
    """Runs tasks immediately in this process, and rejects the submissions of a list."""

    def __init__(self, refused: list[bool]) -> None:
        super().__init__(1)
        self.refused = refused

    def submit(self, *task):  # type: ignore[override]
        if self.refused.pop(0):
            raise BrokenProcessPool("a process died")
        return super().submit(*task)


@pytest.mark.usefixtures("bare")
def test_stopping_early_leaves_no_process_behind():
    results = run(double, range(50), lambda task: task, workers=2, ray=None)
    assert next(results) in range(0, 100, 2)
    results.close()
    assert not _workers(os.getpid())


def _workers(builder: int) -> list[str]:
    """Pool processes of a process, including idle ones."""
    found = []
    for task in Path(f"/proc/{builder}/task").iterdir():
        with suppress(FileNotFoundError):  # an ended thread passes its children to another
            for child in (task / "children").read_text().split():
                if "spawn_main" in Path(f"/proc/{child}/cmdline").read_text():
                    found.append(child)
    return found


@pytest.mark.slow
def test_workers_leave_when_the_builder_is_killed(tmp_path):
    """After kill -9 of the building process no worker remains."""
    code = (
        "from pool_tasks import slow_with_pid\n"
        "from neurok.jobs.pool import run\n"
        "if __name__ == '__main__':\n"
        f"    tasks = [(k, {str(tmp_path)!r}) for k in range(1000)]\n"
        "    for _ in run(slow_with_pid, tasks, print, 2, None): pass\n"
    )
    (tmp_path / "build.py").write_text(code)
    folders = [str(Path(__file__).parent), os.environ.get("PYTHONPATH", "")]
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(folders)}
    builder = subprocess.Popen([sys.executable, str(tmp_path / "build.py")], env=environment)
    assert _wait_for(lambda: [p for p in tmp_path.iterdir() if p.suffix[1:].isdigit()])
    workers = _workers(builder.pid)
    builder.kill()
    builder.wait()
    assert len(workers) == 2
    assert _wait_for(lambda: not any(Path(f"/proc/{pid}").exists() for pid in workers))


def _wait_for(condition):
    """First true result within a minute, otherwise the last one."""
    for _ in range(600):
        if answer := condition():
            return answer
        time.sleep(0.1)
    return condition()
