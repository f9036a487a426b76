"""Simulates many files in parallel; a file that fails is reported and stops no other."""

from __future__ import annotations

import traceback
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path

from neurok.errors import InputError
from neurok.jobs.pool import run
from neurok.pipelines.simulation_job import Job, Report, perform

NAME = "{name}"


def outputs_for(files: Sequence[Path], given: Sequence[Path], suffix: str) -> list[tuple[Path, ...]]:
    """Output paths of each file: `given` with {name} filled in, or {name} and the suffix in a folder.

    Files with equal names are numbered.
    """
    several = len(files) > 1
    patterns = [p / f"{NAME}{suffix}" if not p.suffix or p.is_dir() else p for p in given]
    for pattern in patterns:
        if several and NAME not in pattern.name:
            raise InputError(
                pattern, f"is one file for {len(files)} objects", f"Give a folder, or {NAME} in the name"
            )
    return [tuple(p.with_name(p.name.replace(NAME, name)) for p in patterns) for name in _unique_stems(files)]


def _unique_stems(files: Sequence[Path]) -> list[str]:
    seen: dict[str, int] = {}
    names = []
    for file in files:
        stem = file.stem or "object"
        seen[stem] = seen.get(stem, 0) + 1
        names.append(stem if seen[stem] == 1 else f"{stem}_{seen[stem]}")
    return names


def perform_all(jobs: Sequence[Job], workers: int = 1, ray: str | None = None) -> Iterator[Report]:
    """Yield reports as they complete, over processes or a Ray cluster; a failed job reports its error."""
    lost = partial(_failed, why="its process died, probably for lack of memory")
    return run(perform_safely, jobs, lost, min(workers, len(jobs)), ray)


def perform_safely(job: Job) -> Report:
    """Run one job; errors become part of its report."""
    try:
        return perform(job)
    except InputError as error:
        return _failed(job, str(error))
    except Exception as error:
        where = traceback.extract_tb(error.__traceback__)[-1]
        return _failed(job, f"{job.file}: {type(error).__name__} in {where.name}: {error}")


def _failed(job: Job, why: str) -> Report:
    return Report(job.file, error=why)
