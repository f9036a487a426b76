"""What a comparison of joints with MuJoCo found: counts by source, reasons, the worst, figures."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from neurok.datasets.reasons import counted
from neurok.datasets.sources import family_folder
from neurok.evaluation.dynamics.joints import WITHIN, Row


@dataclass(frozen=True)
class Summary:
    table: list[list[str]]
    not_compared: list[tuple[int, str]]
    worst: list[list[str]]
    figures: dict[str, float]


def summarise(rows: list[Row], data: Path, most: int = 12) -> Summary:
    """Counts by source, reasons, the worst, and the figures."""
    families: dict[str, list[Row]] = defaultdict(list)
    for row in rows:
        families[family_folder(row.path, data) or data.name].append(row)
    table = []
    for family, members in families.items():
        errors = np.array([r.error for r in members if r.error is not None])
        cells = ["–"] * 5
        if len(errors):
            counts = (f"{n}" for n in _counts(members))
            cells = [*counts, f"{np.median(errors):.1e}", f"{errors.max():.1e}"]
        table.append([family, str(len(members)), str(len(errors)), *cells])
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
            "mujoco_within_1_percent_variational": _share(r.variational_error for r in compared),
            "mujoco_within_1_percent_default": _share(r.default_error for r in compared),
        }
    worst = [_line(r, data) for r in compared[:most]]
    return Summary(table, counted(r.not_compared for r in rows), worst, figures)


def _counts(rows: list[Row]) -> tuple[int, int, int]:
    """Within 1 %; beyond although MuJoCo reproduces itself; beyond, and MuJoCo is too."""
    beyond = [r for r in rows if r.error is not None and not r.error < WITHIN]
    chaotic = sum(r.is_chaotic for r in beyond)
    return sum(r.error is not None for r in rows) - len(beyond), len(beyond) - chaotic, chaotic


def _share(errors: Iterable[float]) -> float:
    """Of those that were measured, within 1 %."""
    known = [e for e in errors if not np.isnan(e)]
    return float(np.mean([e < WITHIN for e in known])) if known else float("nan")


def _line(row: Row, data: Path) -> list[str]:
    own = [f"{x:.2%}" if np.isfinite(x) else "–" for x in (row.halved, row.nudged)]
    return [
        row.path.relative_to(data).as_posix(), str(row.coordinates), f"{row.error:.2%}", *own, row.reason
    ]  # fmt: skip
