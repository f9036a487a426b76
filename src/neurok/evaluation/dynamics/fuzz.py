"""Simulates random objects under random, often extreme conditions, and checks that every result is finite.

A batch is one object with one list of conditions in many scenarios. It depends only on its number and the
seed, so a failure can be reproduced.
"""

from __future__ import annotations

import traceback
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import torch

from neurok.dynamics import Run, SimulationConfig, simulate
from neurok.errors import InputError
from neurok.evaluation.dynamics.fuzz_conditions import random_scenarios
from neurok.evaluation.dynamics.fuzz_objects import random_kinematics
from neurok.jobs.journal import earlier_results, journalled, plain
from neurok.jobs.pool import collect
from neurok.jobs.pool import run as run_jobs

BATCH = 20  # scenarios per object
MAX_SECONDS, MAX_FRAMES = 0.5, 6  # of a run


@dataclass(frozen=True)
class Batch:
    """Outcome of the runs of one batch."""

    number: int
    kind: str
    finished: int = 0
    stopped: int = 0  # with partial frames and a reason
    refused: int = 0  # with an InputError
    reason: str = ""
    failures: tuple[str, ...] = ()  # NaN, a stop without a reason, an exception


def fuzz(
    runs: int, seed: int = 0, workers: int = 1, step: Callable[[], None] = lambda: None,
    journal: Path | None = None,
) -> list[Batch]:  # fmt: skip
    """At least `runs` runs; after ^C those that are finished. Batches in the journal are not repeated."""
    numbers = range(-(-runs // BATCH))
    done = {b.number: b for b in earlier_results(journal, partial(_read, seed=seed)) if b.number in numbers}
    for _ in done:
        step()
    waiting = [n for n in numbers if n not in done]
    batches = run_jobs(partial(fuzz_batch, seed=seed), waiting, _lost, workers, None)
    found = collect(journalled(batches, journal, lambda batch: plain(batch) | {"seed": seed}), step)
    return sorted([*done.values(), *found], key=lambda b: b.number)


def _read(line: dict[str, Any], seed: int) -> Batch | None:
    if line.pop("seed") != seed:
        return None
    line["failures"] = tuple(line["failures"])
    return Batch(**line)


def _lost(number: int) -> Batch:
    return Batch(number, "?", failures=("its process died",) * BATCH)


def fuzz_batch(number: int, seed: int = 0) -> Batch:
    """Simulates one object under BATCH variants of one list of conditions."""
    rng = np.random.default_rng([seed, number])
    kind = "?"
    try:
        kind, kinematics = random_kinematics(rng)
        scenarios = random_scenarios(kinematics, rng, BATCH)
        found = simulate(kinematics, scenarios, random_config(rng))
    except InputError as error:
        return Batch(number, kind, refused=BATCH, reason=f"{error.cause}. {error.fix}")
    except Exception:
        return Batch(number, kind, failures=(traceback.format_exc(limit=-3),) * BATCH)
    return checked(Batch(number, kind), found)


def random_config(rng: np.random.Generator) -> SimulationConfig:
    """Random configuration with steps from 1/1000 to 1/10 s and any integrator."""
    step = float(10 ** rng.uniform(-3, -1))
    frames = int(rng.integers(1, MAX_FRAMES + 1))
    fps = max(1 / step, frames / MAX_SECONDS)
    return SimulationConfig(
        seconds=frames / fps, fps=fps, step=step,
        integrator=rng.choice(["variational", "variational", "variational", "rk4", "semi-implicit"]),
        root=rng.choice(["auto", "free"]), halvings=int(rng.integers(0, 5)),
        tolerance=float(rng.choice([0.003, 0.03, 1e6])), contact_points=int(rng.integers(1, 24)),
    )  # fmt: skip


def checked(batch: Batch, found: Run) -> Batch:
    """Counts the outcomes of the scenarios, and checks that every number is finite."""
    values = (
        found.q, found.v, found.energy.kinetic, found.energy.potential, found.energy.work,
        found.energy.dissipation,
    )  # fmt: skip
    failures, finished, stopped = [], 0, 0
    for b, frames in enumerate(found.frames):
        if not all(bool(torch.isfinite(x[:, b]).all()) for x in values):
            failures.append(f"scenario {b}: a number is not finite")
        elif not torch.isfinite(found.kinematics.positions(found.q[frames - 1, b])).all():
            failures.append(f"scenario {b}: a vertex is not finite")
        elif frames >= found.frame_count:
            finished += 1
        elif frames < 1 or not any(note.startswith(f"scenario {b}: stopped") for note in found.notes):
            failures.append(f"scenario {b}: it stopped after {frames} frames without a reason")
        else:
            stopped += 1
    return Batch(batch.number, batch.kind, finished, stopped, failures=tuple(failures))


@dataclass(frozen=True)
class Summary:
    """Tables and figures of the random runs."""

    table: list[list[str]]
    failures: list[str]
    refusals: list[tuple[int, str]]
    figures: dict[str, float] = field(default_factory=dict)


def summarise(batches: list[Batch]) -> Summary:
    """Counts by kind of object, failures, grouped rejections, and figures."""
    kinds: dict[str, list[Batch]] = {}
    for batch in batches:
        kinds.setdefault(batch.kind, []).append(batch)
    table = [[kind, *(str(n) for n in _counts(members))] for kind, members in sorted(kinds.items())]
    total = _counts(batches)
    refusals = Counter(b.reason for b in batches if b.reason)
    return Summary(
        table, [f"batch {b.number} ({b.kind}): {b.failures[0]}" for b in batches if b.failures],
        [(n, reason) for reason, n in refusals.most_common(12)],
        dict(zip(("fuzz_runs", "fuzz_finished", "fuzz_stopped", "fuzz_refused", "fuzz_failures"),
                 map(float, total), strict=True)),
    )  # fmt: skip


def _counts(batches: list[Batch]) -> tuple[int, int, int, int, int]:
    finished, stopped = sum(b.finished for b in batches), sum(b.stopped for b in batches)
    refused, failed = sum(b.refused for b in batches), sum(len(b.failures) for b in batches)
    return finished + stopped + refused + failed, finished, stopped, refused, failed
