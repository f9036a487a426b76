"""Builds a store from jobs: resumable, and identical for any number of workers."""

from __future__ import annotations

import hashlib
import json
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any

from neurok.datasets.jobs import Job, record
from neurok.datasets.splits import leaks, split_of
from neurok.datasets.store.index import VERSION
from neurok.datasets.store.store import IndexEntry, write_index, write_recording
from neurok.errors import InputError, Rejected
from neurok.jobs.pool import run

JOURNAL = "journal.jsonl"
JOB_TIMEOUT = 120.0  # s


@dataclass(frozen=True)
class Outcome:
    """Result of a job: an index entry, or the reason why it is skipped."""

    name: str
    digest: str
    entry: dict[str, Any] | None = None
    skipped: str = ""


@dataclass(frozen=True)
class BuildReport:
    """Entries and skipped objects of a build."""

    entries: tuple[IndexEntry, ...]
    skipped: dict[str, str] = field(default_factory=dict)

    @property
    def frames(self) -> int:
        return sum(entry.frames for entry in self.entries)


def build(
    jobs: list[Job],
    folder: Path,
    *,
    workers: int = 1,
    ray: str | None = None,
    step: Callable[[Outcome], None] = lambda _: None,
) -> BuildReport:
    """Runs every job that no earlier run has finished, and writes the index of all jobs.

    Each result is appended to the journal, so an interruption loses only unfinished jobs. Training objects
    that share their topology with a held-out object are excluded from the index and listed as skipped.
    """
    jobs = sorted(jobs, key=lambda job: job.origin.name)
    twice = [a.origin.name for a, b in pairwise(jobs) if a.origin.name == b.origin.name]
    if twice:
        raise InputError(folder, f"two objects have the name {twice[0]!r}", "Rename one of them")
    folder.mkdir(parents=True, exist_ok=True)
    done = _journal(folder)
    waiting = [job for job in jobs if done.get(job.origin.name, Outcome("", "")).digest != digest(job)]
    with (folder / JOURNAL).open("a") as journal:
        for outcome in run(partial(perform, folder=str(folder)), waiting, died, workers, ray):
            journal.write(json.dumps(asdict(outcome)) + "\n")
            journal.flush()
            done[outcome.name] = outcome
            step(outcome)
    return _index(folder, [done[job.origin.name] for job in jobs])


def perform(job: Job, folder: str) -> Outcome:
    """Makes and writes one recording; a failure becomes an outcome and never stops the build."""
    outcome = partial(Outcome, job.origin.name, digest(job))
    try:
        with _deadline(JOB_TIMEOUT):
            entry = write_recording(Path(folder), record(job), split_of(job.origin))
    except InputError as error:
        return outcome(skipped=error.cause)
    except Rejected as error:
        return outcome(skipped=str(error))
    except Exception as error:  # an unforeseen error: report it and build the rest
        return outcome(skipped=f"unexpected {type(error).__name__}: {error}")
    return outcome(entry=entry.to_json())


def died(job: Job) -> Outcome:
    """Outcome of a job whose process died."""
    return Outcome(job.origin.name, digest(job), skipped="its process died")


def digest(job: Job) -> str:
    """Hash of a job, its file size and the store version; an object with the same hash is not built again."""
    size = Path(job.path).stat().st_size if job.path and Path(job.path).is_file() else 0
    return hashlib.sha256(json.dumps([asdict(job), size, VERSION], sort_keys=True).encode()).hexdigest()[:16]


def _journal(folder: Path) -> dict[str, Outcome]:
    """Outcomes of earlier runs; an incomplete last line is ignored."""
    found = {}
    path = folder / JOURNAL
    for line in path.read_text().splitlines() if path.is_file() else ():
        try:
            outcome = Outcome(**json.loads(line))
        except (ValueError, TypeError):
            continue
        found[outcome.name] = outcome
    return found


def _index(folder: Path, outcomes: list[Outcome]) -> BuildReport:
    entries = {o.name: IndexEntry.from_json(o.entry) for o in outcomes if o.entry is not None}
    skipped = {o.name: o.skipped for o in outcomes if o.entry is None}
    repeated = leaks(
        {name: e.split for name, e in entries.items()}, {name: e.topology for name, e in entries.items()}
    )
    skipped |= {
        name: f"has the topology of the held-out object {other!r}" for name, other in repeated.items()
    }
    kept = tuple(entry for name, entry in entries.items() if name not in repeated)
    write_index(folder, kept, skipped)
    return BuildReport(kept, skipped)


@contextmanager
def _deadline(seconds: float) -> Iterator[None]:
    """Raises `Rejected` after a time limit; works only in the main thread of a process."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def stop(*_) -> None:
        raise Rejected(f"took longer than {seconds:.0f} s")

    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
