"""Pages that open, drag at random and close do not leak memory."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time

import numpy as np
import pytest

from neurok.benchmarks.processes import lasting_memory_of, memory_of, seconds_of
from neurok.benchmarks.soak import Sample, SoakResult, soak

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="memory is read as Linux shows it")
MAX_GROWTH = 12.0  # MB of memory growth in the last two thirds of the time


@pytest.mark.slow
def test_random_dragging_leaves_memory_flat():
    rows: list[str] = []
    soaked = soak(0.2, tabs=2, drawn=1, names=("cabinet",), rest=0.2, report=rows.append)
    figures = soaked.figures()
    assert soaked.errors == ()
    assert figures["soak_drags"] >= 3 and figures["soak_frames"] >= 30
    assert figures["memory_rise_mb"] < MAX_GROWTH, figures
    assert not figures["soak_browser_tabs"] or figures["browser_memory_mb"] > 50
    assert [len(row) for row in rows] == [len(rows[0])] * 3  # the header, and a sample at start and end


def test_growth_is_seen():
    """A megabyte per second for a minute, after a steep start that does not count."""
    seconds = np.arange(0.0, 61.0, 2.0)
    megabytes = np.where(seconds < 20, 20 * seconds, 400) + seconds
    samples = tuple(
        Sample(t, mb, mb, 100.0, 0, 0, 0, 0.0, 0.0) for t, mb in zip(seconds, megabytes, strict=True)
    )
    figures = SoakResult(samples, 2, 1, ()).figures()
    assert figures["memory_growth_mb_per_h"] == pytest.approx(3600, rel=0.05)
    assert figures["browser_memory_growth_mb_per_h"] == 0


HOARD = "import time; kept = bytearray(b'x') * (48 << 20); time.sleep(300)"
JOB = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {HOARD!r}])"


@pytest.mark.slow
@pytest.mark.parametrize(("program", "lasts"), [(HOARD, True), (JOB, False)])
def test_memory_of_children_counts_and_of_their_jobs_apart(program: str, lasts: bool):
    before, before_lasting = memory_of(os.getpid()), lasting_memory_of(os.getpid())
    with subprocess.Popen([sys.executable, "-c", program], start_new_session=True) as child:
        deadline = time.monotonic() + 60
        while memory_of(os.getpid()) < before + (40 << 20) and time.monotonic() < deadline:
            time.sleep(0.1)
        seen, lasting = memory_of(os.getpid()) - before, lasting_memory_of(os.getpid()) - before_lasting
        os.killpg(child.pid, signal.SIGKILL)
    assert seen >= 40 << 20
    assert (lasting >= 40 << 20) == lasts


@pytest.mark.slow
def test_time_of_children_counts():
    before = seconds_of(os.getpid())
    with subprocess.Popen([sys.executable, "-c", "while True: pass"]) as child:
        deadline = time.monotonic() + 60
        while seconds_of(child.pid) < 0.3 and time.monotonic() < deadline:
            time.sleep(0.1)
        spent = seconds_of(os.getpid()) - before
        child.kill()
    assert spent >= 0.3
