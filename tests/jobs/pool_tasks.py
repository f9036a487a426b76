"""Tasks for the tests of the pool, in a module that worker processes import in no time."""

from __future__ import annotations

import os
import time
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path


def double(x: int) -> int:
    return 2 * x


def die_at_seven(x: int) -> int:
    """Ends its process at task 7, whenever it is tried."""
    if x == 7:
        os._exit(1)
    return 2 * x


def raise_broken_pool_at_seven(x: int) -> int:
    """Raises what a pool raises for a task whose process died, without a process."""
    if x == 7:
        raise BrokenProcessPool("a process died")
    return 2 * x


def slow_with_pid(task: tuple[int, str]) -> int:
    """Writes its process id to a folder while it works, so that a test can end that process."""
    number, folder = task
    marker = Path(folder) / f"{number}.{os.getpid()}"
    marker.touch()
    time.sleep(0.3)
    return number
