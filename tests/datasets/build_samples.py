"""Small jobs for the tests of building, in a module that worker processes can import."""

from __future__ import annotations

import os
import time
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path

from neurok.assets import SHIPPED
from neurok.datasets.jobs import Job
from neurok.datasets.record import Origin


def cabinet_jobs(count: int) -> list[Job]:
    """The shipped cabinet, swept by different seeds."""
    path = str(SHIPPED["cabinet"])
    return [
        Job(
            Origin(f"tests/cabinet_{k:03d}", "cabinet", "articulated", "Apache-2.0", "tests"),
            "mechanism",
            path,
            seed=k,
        )
        for k in range(count)
    ]


def double(x: int) -> int:
    return 2 * x


def die_at_seven(x: int) -> int:
    """Takes its process down, always at the same task."""
    if x == 7:
        os._exit(1)
    return 2 * x


def die_like_a_pool_at_seven(x: int) -> int:
    """What a pool says of a task whose process died, without a process."""
    if x == 7:
        raise BrokenProcessPool("a process died")
    return 2 * x


def slow_with_pid(task: tuple[int, str]) -> int:
    """Leaves its process id behind while it works, so that a test can end that very process."""
    number, folder = task
    marker = Path(folder) / f"{number}.{os.getpid()}"
    marker.touch()
    time.sleep(0.3)
    return number
