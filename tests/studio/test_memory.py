"""Memory freed by threads is reused or returned to the system."""

from __future__ import annotations

import platform
import subprocess
import sys

import pytest

pytestmark = pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="other systems have other heaps")
PROGRAM = """
import os, threading
import numpy as np
from neurok.benchmarks.processes import memory_of
from neurok.studio.memory import limit_heap

PAGES = 12
limit_heap()
kept, turn, seen = [], threading.Barrier(PAGES), [memory_of(os.getpid())]

def take(size, count):
    arrays = [np.ones(size) for _ in range(count)]
    kept.extend(np.ones(1 << 10) for _ in range(32))  # a quarter of a megabyte that stays, behind them

def page(own):
    for now in range(PAGES):
        if now == own:
            take(1 << 13, 256)  # 16 MB in arrays of 64 kB
        turn.wait()

threads = [threading.Thread(target=page, args=(own,)) for own in range(PAGES)]
for thread in threads: thread.start()
for thread in threads: thread.join()
seen.append(memory_of(os.getpid()))
for _ in range(PAGES):
    take(1 << 18, 24)  # 48 MB in arrays of 2 MB
seen.append(memory_of(os.getpid()))
print(*np.diff(seen) / 2**20)
"""


@pytest.mark.slow
def test_freed_memory_is_reused_or_returned():
    """Twelve threads use 16 MB each, one after the other; then one uses 48 MB repeatedly."""
    command = [sys.executable, "-c", PROGRAM]
    done = subprocess.run(command, check=True, capture_output=True, text=True, timeout=120)
    by_threads, by_large_arrays = map(float, done.stdout.split())
    assert by_threads < 32
    assert by_large_arrays < 16
