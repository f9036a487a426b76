"""What a comparison of joints with MuJoCo found: counts by source, reasons, the worst, figures."""

from __future__ import annotations

from collections import defaultdict
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
        cells = ["–"] * 3
        if len(errors):
            cells = [f"{(errors < WITHIN).sum()}", f"{np.median(errors):.1e}", f"{errors.max():.1e}"]
        table.append([family, str(len(members)), str(len(errors)), *cells])
    compared = sorted((r for r in rows if r.error is not None), key=lambda r: -(r.error or 0.0))
    errors = np.array([r.error for r in compared])
    figures = {"mujoco_compared": float(len(errors))}
    if len(errors):
        figures |= {
            "mujoco_joint_error": float(errors.max()),
            "mujoco_joint_error_median": float(np.median(errors)),
            "mujoco_joint_error_p99": float(np.quantile(errors, 0.99)),
            "mujoco_within_1_percent": float((errors < WITHIN).mean()),
            "mujoco_within_1_percent_variational": float(
                np.mean([r.variational_error < WITHIN for r in compared])
            ),
        }
    worst = [
        [r.path.relative_to(data).as_posix(), str(r.coordinates), f"{r.error:.2%}", r.reason]
        for r in compared[:most]
    ]
    return Summary(table, counted(r.not_compared for r in rows), worst, figures)
