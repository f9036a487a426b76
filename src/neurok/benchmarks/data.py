"""Reading pairs from a store: how many a core gives per second, and whether memory stays flat."""

from __future__ import annotations

import os
import resource
import time
from pathlib import Path

from neurok.benchmarks.io import in_fresh_process
from neurok.datasets.reading import PairConfig, PairDataset
from neurok.datasets.store import Store

FIRST, PAIRS = 100, 100_000
HEADER = ["objects", "points", "pairs", "pairs/s per core", "MB after the first", "MB after all"]


def run(store: Path, pairs: int = PAIRS, first: int = FIRST) -> tuple[list[list[str]], dict[str, float]]:
    """Rows for a table and the figures, measured in a process that does nothing else."""
    measured = in_fresh_process(read_pairs, str(store), pairs, first)
    before, after = measured["bytes_first"], measured["bytes_all"]
    row = [
        f"{measured['objects']:,}", f"{measured['points']:,}", f"{pairs:,}", f"{measured['pairs_per_s']:.0f}",
        f"{before / 1e6:.0f}", f"{after / 1e6:.0f}",
    ]  # fmt: skip
    return [row], {
        "pairs_per_s_per_core": measured["pairs_per_s"],
        "memory_growth_ratio": after / before,
        "memory_reading_mb": after / 1e6,
    }


def read_pairs(folder: str, pairs: int, first: int) -> dict[str, float]:
    """Read on one core, with augmentation, as training does. Time is the process's own."""
    config = PairConfig()
    data = PairDataset(Store.open(folder), config=config)
    for step in range(first):
        data.pair(step)
    before, start = resident_bytes(), time.process_time()
    for step in range(first, pairs):
        data.pair(step)
    seconds = time.process_time() - start
    return {
        "objects": len(data.names),
        "points": config.points,
        "pairs_per_s": (pairs - first) / seconds,
        "bytes_first": before,
        "bytes_all": resident_bytes(),
    }


def resident_bytes() -> int:
    """Memory of this process now, or its peak where the system does not tell."""
    status = Path("/proc/self/statm")
    if status.is_file():
        return int(status.read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
