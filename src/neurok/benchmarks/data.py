"""Measures the reading speed and memory of a store, and the build speed-up of two processes."""

from __future__ import annotations

import os
import resource
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path

from neurok.benchmarks.io import in_new_process
from neurok.datasets.build import build
from neurok.datasets.jobs import Job
from neurok.datasets.pairs import PairConfig, PairDataset
from neurok.datasets.sources import generator_jobs
from neurok.datasets.store.store import Store
from neurok.jobs.pool import use_one_core

FIRST, PAIRS = 100, 100_000  # pairs before the measurement starts, and in total
READING = ["pairs read", "points each", "pairs/s per core", "MB of the process"]
BUILDING = ["processes", "objects", "seconds"]
# The build takes about 90 s in one process, so that the start of processes (4 s) hardly counts.
ARTICULATED, SIMULATED, FRAMES = 92, 36, 40
Step = Callable[[int], None]


@dataclass(frozen=True)
class Reading:
    """Progress of a reader: pairs, CPU seconds since the first ones, and memory."""

    pairs: int
    seconds: float
    resident: int  # bytes


def measure_reading(
    store: Path, pairs: int = PAIRS, first: int = FIRST, step: Step = lambda _: None
) -> tuple[list[list[str]], dict[str, float]]:
    """Rows of the table and figures, measured in a separate process.

    Memory is compared after `first` pairs and after all; rows are at powers of ten in between.
    """
    readings = []
    for reading in stream_from_new_process(read_pairs, str(store), pairs, first):
        step(reading.pairs)
        readings.append(reading)
    shown = {first * 10**k for k in range(9)} | {pairs}
    rows = [
        [f"{r.pairs:,}", f"{PairConfig().points:,}", _rate(r, first), f"{r.resident / 1e6:.0f}"]
        for r in readings
        if r.pairs in shown
    ]
    start, end = readings[0], readings[-1]
    return rows, {
        "pairs_per_s_per_core": (end.pairs - first) / end.seconds,
        "memory_growth_ratio": end.resident / start.resident,
        "memory_reading_mb": end.resident / 1e6,
    }


def _rate(reading: Reading, first: int) -> str:
    return "–" if reading.pairs == first else f"{(reading.pairs - first) / reading.seconds:.0f}"


def read_pairs(folder: str, pairs: int, first: int) -> Iterator[Reading]:
    """Reads augmented pairs on one core, as training does; yields the progress every `first` pairs."""
    use_one_core()
    data = PairDataset(Store.open(folder))
    start = 0.0
    for done in range(1, pairs + 1):
        data.pair(done - 1)
        if done == first:
            start = time.process_time()
        if done % first == 0 or done == pairs:
            yield Reading(done, time.process_time() - start, resident_bytes())


def measure_building(
    jobs: list[Job] | None = None, step: Step = lambda _: None
) -> tuple[list[list[str]], dict[str, float]]:
    """Wall time of the same jobs with one and two processes, each in a new process and folder."""
    jobs = generator_jobs(ARTICULATED, SIMULATED, 0, FRAMES) if jobs is None else jobs
    seconds = {}
    for workers in (1, 2):
        seconds[workers] = in_new_process(build_seconds, jobs, workers)
        step(workers)
    rows = [[str(workers), f"{len(jobs):,}", f"{s:.1f}"] for workers, s in seconds.items()]
    return rows, {"build_scaling_2_processes": seconds[1] / seconds[2]}


def build_seconds(jobs: list[Job], workers: int) -> float:
    """Wall time of a build in this process, including the start of workers but not the imports."""
    if workers == 1:
        use_one_core()  # as every process of a pool does
    with tempfile.TemporaryDirectory() as folder:
        start = time.monotonic()
        build(jobs, Path(folder), workers=workers)
        return time.monotonic() - start


def stream_from_new_process(work: Callable[..., Iterator], *arguments) -> Iterator:
    """Items of a generator that runs in a new process."""
    here, there = get_context("spawn").Pipe(duplex=False)
    process = get_context("spawn").Process(target=_send, args=(there, work, arguments), daemon=True)
    process.start()
    there.close()
    try:
        while True:
            yield here.recv()
    except EOFError:
        process.join()
        if process.exitcode:
            raise RuntimeError(f"the measuring process ended with {process.exitcode}") from None
    finally:
        if process.is_alive():
            process.terminate()


def _send(pipe, work: Callable[..., Iterator], arguments: tuple) -> None:
    for item in work(*arguments):
        pipe.send(item)


def resident_bytes() -> int:
    """Current memory of this process, or its peak on systems without /proc."""
    status = Path("/proc/self/statm")
    if status.is_file():
        return int(status.read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
