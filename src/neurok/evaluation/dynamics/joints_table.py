"""Summarises the comparison of joints with MuJoCo in tables and figures."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from neurok.datasets.sources import collection_folder
from neurok.dynamics import SimulationConfig
from neurok.evaluation.dynamics.joints import MAX_ERROR, VARIATIONAL_STEP, Row
from neurok.jobs.skip_summary import counted


@dataclass(frozen=True)
class Summary:
    """Tables and figures of the comparison."""

    table: list[list[str]]
    not_compared: list[tuple[int, str]]
    worst: list[list[str]]
    fixed: list[list[str]]  # default integrator at fixed steps: measured files, and files within 1 %
    figures: dict[str, float]


def summarise(rows: list[Row], data: Path, worst_count: int = 12) -> Summary:
    """Counts by collection, grouped reasons, largest errors, and figures."""
    collections: dict[str, list[Row]] = defaultdict(list)
    for row in rows:
        collections[collection_folder(row.path, data) or data.name].append(row)
    table = []
    for collection, members in collections.items():
        errors = np.array([r.error for r in members if r.error is not None])
        cells = ["–"] * 5
        if len(errors):
            counts = (f"{n}" for n in _counts(members))
            cells = [*counts, f"{np.median(errors):.1e}", f"{errors.max():.1e}"]
        table.append([collection, str(len(members)), str(len(errors)), *cells])
    compared = sorted((r for r in rows if r.error is not None), key=lambda r: -(r.error or 0.0))
    errors = np.array([r.error for r in compared])
    figures = {"mujoco_compared": float(len(errors))}
    if len(errors):
        within, missed, chaotic = _counts(compared)
        figures |= {
            "mujoco_joint_error": float(errors.max()),
            "mujoco_joint_error_median": float(np.median(errors)),
            "mujoco_joint_error_p99": float(np.quantile(errors, 0.99)),
            "mujoco_within_1_percent": within / len(errors),
            "mujoco_missed": float(missed),
            "mujoco_not_reproduced_by_itself": float(chaotic),
        }
    steps = {
        "variational": (VARIATIONAL_STEP, [r.variational_error for r in compared]),
        "default": (SimulationConfig().step, [r.default_error for r in compared]),
    }
    fixed = []
    for name, (step, measured) in steps.items():
        known = [e for e in measured if not np.isnan(e)]
        within = sum(e < MAX_ERROR for e in known)
        fixed.append([f"1/{1 / step:.0f} s", str(len(known)), str(within)])
        figures |= {f"mujoco_within_1_percent_{name}": within / len(known)} if known else {}
    worst = [_line(r, data) for r in compared[:worst_count]]
    return Summary(table, counted(r.not_compared for r in rows), worst, fixed, figures)


def _counts(rows: list[Row]) -> tuple[int, int, int]:
    """Numbers of rows within MAX_ERROR, above it, and above it with a chaotic motion."""
    beyond = [r for r in rows if r.error is not None and not r.error < MAX_ERROR]
    chaotic = sum(r.is_chaotic for r in beyond)
    return sum(r.error is not None for r in rows) - len(beyond), len(beyond) - chaotic, chaotic


def _line(row: Row, data: Path) -> list[str]:
    own = [f"{x:.2%}" if np.isfinite(x) else "–" for x in (row.halved, row.nudged)]
    return [
        row.path.relative_to(data).as_posix(), str(row.coordinates), f"{row.error:.2%}", *own, row.reason
    ]  # fmt: skip
