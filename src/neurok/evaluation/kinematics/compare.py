"""Runs all methods on all cases, and computes mean errors with confidence intervals."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass, field

import numpy as np

from neurok.evaluation.kinematics.cases import Case
from neurok.evaluation.kinematics.methods import Method
from neurok.evaluation.metrics import Errors, errors

METRICS = tuple(Errors.__dataclass_fields__)
BOOTSTRAP_DRAWS = 1000


@dataclass(frozen=True)
class Row:
    """Result of one method on one pose."""

    name: str
    group: str
    method: str
    frame: int
    errors: Errors
    about: dict[str, float] = field(default_factory=dict)
    seconds: float = 0.0


@dataclass(frozen=True)
class Comparison:
    """Results of all methods on all poses."""

    rows: list[Row]

    def values(self, group: str, method: str, metric: str) -> np.ndarray:
        """Mean over the poses of each object, where it is finite."""
        by_object: dict[str, list[float]] = {}
        for row in self.rows:
            if group in ("all", row.group) and row.method == method:
                by_object.setdefault(row.name, []).append(getattr(row.errors, metric))
        means = np.array([np.mean(v) for v in by_object.values()])
        return means[np.isfinite(means)]

    def count(self, group: str) -> int:
        return len({row.name for row in self.rows if group in ("all", row.group)})

    def mean(self, group: str, method: str, metric: str) -> float:
        values = self.values(group, method, metric)
        return float(values.mean()) if len(values) else float("nan")

    def interval(self, group: str, method: str, metric: str) -> tuple[float, float]:
        """95 % bootstrap interval of the mean over objects."""
        values = self.values(group, method, metric)
        if len(values) < 2:
            return float("nan"), float("nan")
        rng = np.random.default_rng(0)
        means = values[rng.integers(len(values), size=(BOOTSTRAP_DRAWS, len(values)))].mean(1)
        return float(np.quantile(means, 0.025)), float(np.quantile(means, 0.975))

    def table(self, group: str) -> list[list[str]]:
        """One row per method: mean and interval of every metric."""
        methods = dict.fromkeys(row.method for row in self.rows)
        return [[method, *(self._cell(group, method, metric) for metric in METRICS)] for method in methods]

    def _cell(self, group: str, method: str, metric: str) -> str:
        low, high = self.interval(group, method, metric)
        return f"{self.mean(group, method, metric):.4f} [{low:.4f}, {high:.4f}]"

    def to_json(self) -> list[dict]:
        return [asdict(row) for row in self.rows]


Show = Callable[[Case, int, str, np.ndarray, Errors], None]  # case, pose, method, vertices, errors


def compare(
    cases: Iterable[Case],
    methods: dict[str, Method],
    step: Callable[[], None] = lambda: None,
    show: Show = lambda *_: None,
) -> Comparison:
    """Runs every method on every pose."""
    rows = []
    for case in cases:
        for name, method in methods.items():
            start = time.monotonic()
            predict, about = method(case)
            for target, frame in enumerate(case.frames):
                predicted = predict(case.cloud(target))
                found = errors(case.shape, predicted, case.targets[target], case.part)
                seconds = time.monotonic() - start
                show(case, target, name, predicted, found)
                rows.append(Row(case.name, case.group, name, frame, found, about, seconds))
        step()
    return Comparison(rows)
