"""The data set: pairs read per second and core, whether memory stays flat, and how building scales."""

from __future__ import annotations

import os
import resource
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path

from neurok.benchmarks.io import in_fresh_process
from neurok.datasets.build import build
from neurok.datasets.jobs import Job
from neurok.datasets.pairs import PairConfig, PairDataset
from neurok.datasets.sources import generator_jobs
from neurok.datasets.store.store import Store
from neurok.jobs.pool import use_one_core

FIRST, PAIRS = 100, 100_000
READING = ["pairs read", "points each", "pairs/s per core", "MB of the process"]
BUILDING = ["processes", "objects", "seconds"]
# A minute and a half of one process: next to it, the four seconds that processes take to start are few.
ARTICULATED, SIMULATED, FRAMES = 92, 36, 40  # four and three of each kind
Step = Callable[[int], None]


@dataclass(frozen=True)
class Reading:
    """How far a reader has come: pairs, the seconds of its core since the first ones, and its memory."""

    pairs: int
    seconds: float
    resident: int  # bytes


def measure_reading(
    store: Path, pairs: int = PAIRS, first: int = FIRST, step: Step = lambda _: None
) -> tuple[list[list[str]], dict[str, float]]:
    """Rows for a table and the figures, measured in a process that does nothing else.

    Memory is compared after `first` pairs and after all of them; rows are at powers of ten in between.
    """
    readings = []
    for reading in in_fresh_process_as_they_come(read_pairs, str(store), pairs, first):
        step(reading.pairs)
        readings.append(reading)
    told = {first * 10**k for k in range(9)} | {pairs}
    rows = [
        [f"{r.pairs:,}", f"{PairConfig().points:,}", _rate(r, first), f"{r.resident / 1e6:.0f}"]
        for r in readings
        if r.pairs in told
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
    """Read on one core, with augmentation, as training does; tell every `first` pairs. Time is the process's
    own."""
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
    """Seconds that the same jobs take one and two processes, each from a fresh start into an empty folder."""
    jobs = generator_jobs(ARTICULATED, SIMULATED, 0, FRAMES) if jobs is None else jobs
    seconds = {}
    for workers in (1, 2):
        seconds[workers] = in_fresh_process(build_seconds, jobs, workers)
        step(workers)
    rows = [[str(workers), f"{len(jobs):,}", f"{s:.1f}"] for workers, s in seconds.items()]
    return rows, {"build_scaling_2_processes": seconds[1] / seconds[2]}


def build_seconds(jobs: list[Job], workers: int) -> float:
    """Wall time of a build, in a process that has imported what it needs; the start of others included."""
    if workers == 1:
        use_one_core()  # as every process of a pool does
    with tempfile.TemporaryDirectory() as folder:
        start = time.monotonic()
        build(jobs, Path(folder), workers=workers)
        return time.monotonic() - start


def in_fresh_process_as_they_come(work: Callable[..., Iterator], *arguments) -> Iterator:
    """What a generator yields that is run by a process that has done nothing else."""
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
            raise RuntimeError(f"the process that measures ended with {process.exitcode}") from None
    finally:
        if process.is_alive():
            process.terminate()


def _send(pipe, work: Callable[..., Iterator], arguments: tuple) -> None:
    for item in work(*arguments):
        pipe.send(item)


def resident_bytes() -> int:
    """Memory of this process now, or its peak where the system does not tell."""
    status = Path("/proc/self/statm")
    if status.is_file():
        return int(status.read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
