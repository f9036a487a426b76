"""Loads every file below a folder, and compares joint poses with MuJoCo."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from neurok.datasets.sources import collection_folder
from neurok.errors import InputError
from neurok.evaluation.mujoco_poses import max_pose_error
from neurok.jobs.skip_summary import counted
from neurok.sequences.load import holds_motion, load_sequences
from neurok.shapes.load import load_shape


@dataclass(frozen=True)
class Row:
    """Result of one object: rejection reason (empty if it loads), and pose error or reason for none."""

    path: Path
    refused: str = ""
    pose_error: float | None = None
    not_compared: str = ""


@dataclass(frozen=True)
class Summary:
    """Tables and figures of the evaluation."""

    table: list[list[str]]
    refusals: list[tuple[int, str]]
    not_compared: list[tuple[int, str]]
    refused: dict[str, str]
    figures: dict[str, float]


def evaluate(
    paths: list[Path], poses: int = 5, seed: int = 0, step: Callable[..., None] = lambda *_: None
) -> list[Row]:
    """Loads each object, and compares mechanisms with MuJoCo at random poses."""
    rows = []
    for path in paths:
        rows.append(_row(path, poses, seed))
        step()
    return rows


def _row(path: Path, poses: int, seed: int) -> Row:
    try:
        if holds_motion(path):
            load_sequences(path)
            return Row(path)
        shape = load_shape(path)
    except InputError as error:
        return Row(path, refused=error.cause)
    if shape.joints is None:
        return Row(path)
    error = max_pose_error(path / "mobility.urdf" if path.is_dir() else path, poses, seed)
    return Row(path, not_compared=error) if isinstance(error, str) else Row(path, pose_error=error)


def summarise(rows: list[Row], data: Path) -> Summary:
    """Counts per collection, grouped reasons, and figures."""
    collections: dict[str, list[Row]] = defaultdict(list)
    for row in rows:
        collections[collection_folder(row.path, data) or data.name].append(row)
    table = []
    for collection, members in (*collections.items(), ("all", rows)):
        errors = [r.pose_error for r in members if r.pose_error is not None]
        worst = f"{max(errors):.1e}" if errors else "–"
        loaded = sum(not r.refused for r in members)
        table.append([collection, str(loaded), str(len(members) - loaded), str(len(errors)), worst])
    compared = [r.pose_error for r in rows if r.pose_error is not None]
    figures = {
        "objects_loaded": float(sum(not r.refused for r in rows)),
        "objects_refused": float(sum(bool(r.refused) for r in rows)),
        "mechanisms_compared": float(len(compared)),
    } | ({"fk_vs_mujoco_max": max(compared)} if compared else {})
    return Summary(
        table=table,
        refusals=counted(r.refused for r in rows),
        not_compared=counted(r.not_compared for r in rows),
        refused={str(r.path.relative_to(data)): r.refused for r in rows if r.refused},
        figures=figures,
    )
