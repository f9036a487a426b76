"""The whole evaluation of articulation: which objects, which methods, which figures."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass
from functools import cache, partial
from pathlib import Path

import numpy as np

from neurok.articulation.annotations import true_joints
from neurok.articulation.clouds import read_parts
from neurok.articulation.features import part_scene
from neurok.articulation.simulator import simulate_part
from neurok.datasets.articulation_examples import usable_objects
from neurok.datasets.oversegmentation import oversegment_by_name
from neurok.datasets.store.store import Store
from neurok.errors import InputError
from neurok.evaluation.articulation.methods import (
    Method,
    Question,
    learned,
    most_common,
    oracle,
    simulator_only,
)
from neurok.evaluation.articulation.metrics import PartError, Summary, part_error, summarise
from neurok.jobs.pool import run
from neurok.shapes import Shape

REAL = "articulated_real"
OURS, UNTAUGHT, SIMULATOR = "networks", "networks, not pretrained", "simulator alone"
UNNAMED, UNTAUGHT_UNNAMED = f"{OURS}, names hidden", f"{UNTAUGHT}, names hidden"
ROOTED = f"{OURS}, told what stands"
HEADER = (
    "axis °",
    "median °",
    "≤ 5°",
    "> 60°",
    "centre",
    "precision",
    "recall",
    "weighted",
    "weighted",
    "range IoU",
    "tree",
)
ROW = tuple[str, str, list[PartError]]  # object, method, its parts


@dataclass(frozen=True)
class Evaluation:
    """Who is asked for what: all that a process needs to judge an object."""

    store: Path
    model: Path | None = None
    unpretrained: Path | None = None
    oversegmented: bool = False  # objects are split into more parts than joints


def choose(store: Store, split: str | None, count: int | None, seed: int) -> list[str]:
    """Objects with joints, all or so many of every collection."""
    collections: dict[str, list[str]] = {}
    for name in usable_objects(store, split):
        collections.setdefault(name.partition("/")[0], []).append(name)
    if not collections:
        raise InputError(store.folder, "has no objects with joints", "Build a store of URDF or MJCF files")
    rng = np.random.default_rng(seed)
    return [str(name) for names in collections.values() for name in rng.permutation(names)[:count]]


@cache
def methods(evaluation: Evaluation) -> dict[str, Method]:
    path = evaluation.unpretrained
    return {
        "upright axis": most_common,
        SIMULATOR: simulator_only,
        **({} if path is None else {UNTAUGHT_UNNAMED: learned(path, named=False), UNTAUGHT: learned(path)}),
        UNNAMED: learned(evaluation.model, named=False),
        OURS: learned(evaluation.model),
        ROOTED: learned(evaluation.model, rooted=True),
        "nearest candidates (oracle)": oracle,
    }


def question_of(shape: Shape) -> Question:
    """All that is asked about a shape with joints."""
    clouds = read_parts(shape)
    scene = part_scene(clouds)
    free = [
        simulate_part(clouds, scene.shares, k, scene.base, scene.candidates[k]) for k in range(clouds.count)
    ]
    return Question(scene, free, true_joints(shape))


def judge(evaluation: Evaluation, name: str) -> list[ROW]:
    """One object by all methods."""
    shape = _opened(evaluation.store).recording(name).clips[0].shape
    if evaluation.oversegmented:
        try:
            shape = oversegment_by_name(shape)
        except InputError:  # every part is one component
            return []
    question = question_of(shape)
    radius, rows = question.scene.clouds.radius, []
    for method, ask in methods(evaluation).items():
        pairs = zip(ask(question), question.truth, strict=True)
        errors = [part_error(found, true, radius) for found, true in pairs]
        rows.append((name, method, [e for e in errors if e is not None]))
    return rows


@cache
def _opened(folder: Path) -> Store:
    return Store.open(folder)


def evaluate(evaluation: Evaluation, names: list[str], workers: int, step: Callable[[], None]) -> list[ROW]:
    """Objects in any order; one that takes its process down is an error that names it."""
    rows = []
    for found in run(partial(judge, evaluation), names, _lost, workers, None):
        rows += found
        step()
    return rows


def _lost(name: str) -> list[ROW]:
    raise InputError(name, "took its process down", "Evaluate it alone, with --workers 1, to see why")


def summaries(rows: list[ROW], group: str | None = None) -> dict[str, Summary]:
    """Of every method, over the objects of one collection or all."""
    found: dict[str, list[PartError]] = {}
    for name, method, errors in rows:
        if group is None or name.partition("/")[0] == group:
            found.setdefault(method, []).extend(errors)
    return {method: summarise(errors) for method, errors in found.items()}


def table(rows: list[ROW], group: str | None = None) -> list[list[str]]:
    lines = []
    for method, s in summaries(rows, group).items():
        numbers = (s.type_precision, s.type_recall, s.type_precision_weighted, s.type_recall_weighted)
        lines.append([
            method, f"{s.axis_error_deg:.1f}", f"{s.axis_error_median:.1f}", f"{s.axis_within_5:.0%}",
            f"{s.axis_beyond_60:.0%}", f"{s.centre_error:.3f}",
            *(f"{n:.2f}" for n in numbers), f"{s.range_iou:.2f}", f"{s.tree_accuracy:.2f}",
        ])  # fmt: skip
    return lines


def groups(rows: list[ROW]) -> list[str]:
    return list(dict.fromkeys(name.partition("/")[0] for name, _, _ in rows))


def figures(rows: list[ROW]) -> dict[str, float]:
    """Held-out categories; real objects by names that begin with real_, other methods likewise."""
    held = [row for row in rows if not row[0].startswith(f"{REAL}/")]
    real = [row for row in rows if row[0].startswith(f"{REAL}/")]
    found: dict[str, float] = {}
    for prefix, some, method in (
        ("", held, OURS), ("real_", real, OURS),
        ("no_pretraining_", held, UNTAUGHT), ("real_no_pretraining_", real, UNTAUGHT),
        ("simulator_only_", held, SIMULATOR),
        ("no_names_", held, UNNAMED), ("real_no_names_", real, UNNAMED),
        ("no_pretraining_no_names_", held, UNTAUGHT_UNNAMED),
        ("rooted_", held, ROOTED), ("real_rooted_", real, ROOTED),
    ):  # fmt: skip
        summary = summaries(some).get(method)
        if summary is not None:
            numbers = asdict(summary)
            names = (
                "axis_error_deg",
                "centre_error",
                "type_precision",
                "type_recall",
                "range_iou",
                "tree_accuracy",
            )
            found |= {prefix + name: numbers[name] for name in names}
    return {name: value for name, value in found.items() if np.isfinite(value)}
