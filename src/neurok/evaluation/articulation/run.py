"""Runs the evaluation of articulation: selects objects, runs methods, computes figures."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass
from functools import cache, partial
from pathlib import Path

import numpy as np

from neurok.articulation.annotations import true_joints
from neurok.articulation.clouds import PartClouds, read_parts
from neurok.articulation.features import part_scene
from neurok.articulation.simulator import simulate_parts
from neurok.datasets.articulation_examples import usable_objects
from neurok.datasets.oversegmentation import oversegment_by_name
from neurok.datasets.store.store import Store, open_once
from neurok.errors import InputError
from neurok.evaluation.articulation.methods import (
    Method,
    Problem,
    learned,
    oracle,
    simulator_only,
    upright_axes,
)
from neurok.evaluation.articulation.metrics import PartError, Summary, part_error, reliability, summarise
from neurok.evaluation.selection import sample_per_collection
from neurok.jobs.pool import raise_died, run
from neurok.shapes import Shape

REAL, HOUSEHOLD = "articulated_real", "articulated_household"  # collections that training never sees
NETWORKS, UNPRETRAINED, SIMULATOR = "networks", "networks, not pretrained", "simulator alone"
UNNAMED, UNPRETRAINED_UNNAMED = f"{NETWORKS}, names hidden", f"{UNPRETRAINED}, names hidden"
ROOTS_GIVEN = f"{NETWORKS}, roots given"
JOINTS_HEADER = [
    "method", "axis °", "median °", "≤ 5°", "> 60°", "centre", "precision", "recall", "weighted", "weighted",
    "range IoU",
]  # fmt: skip
OBJECTS_HEADER = ["method", "tree", "way", "whole", "large °", "confidence"]
JOINT_FIGURES = (
    "axis_error_deg", "centre_error", "type_precision", "type_recall", "range_iou", "tree_accuracy",
)  # fmt: skip
OBJECT_FIGURES = (
    "direction_right", "whole_objects_right", "large_part_axis_error_deg", "confidence_rank_correlation",
)  # fmt: skip
RELIABILITY_HEADER = ["collection", "mean confidence", "right", "parts that are found to move"]
CONFIDENCE_BINS = np.array([0.0, 0.5, 0.7, 0.9, 1.0])
ROW = tuple[str, str, list[PartError]]  # object, method, errors of its parts


@dataclass(frozen=True)
class Evaluation:
    """Options of the evaluation, as passed to a worker process."""

    store: Path
    model: Path | None = None
    unpretrained: Path | None = None
    oversegmented: bool = False  # objects are split into more parts than joints


def choose(store: Store, split: str | None, count: int | None, seed: int) -> list[str]:
    """Objects with joints: all, or `count` random ones of every collection."""
    names = usable_objects(store, split)
    if not names:
        raise InputError(store.folder, "has no objects with joints", "Build a store of URDF or MJCF files")
    return sample_per_collection(names, count, seed)


def left_out(store: Store, split: str | None) -> int:
    """Number of objects with joints that have one part, or too many parts to be evaluated."""
    names = [name for name in store.names(split) if store.entry(name).family == "articulated"]
    return len(names) - len(usable_objects(store, split))


@cache
def methods(evaluation: Evaluation) -> dict[str, Method]:
    """Networks, baselines and the oracle by name."""
    path = evaluation.unpretrained
    plain = {} if path is None else {UNPRETRAINED_UNNAMED: learned(path, named=False)}
    named = {} if path is None else {UNPRETRAINED: learned(path)}
    return {
        UNNAMED: learned(evaluation.model, named=False),
        **plain,
        NETWORKS: learned(evaluation.model),
        **named,
        ROOTS_GIVEN: learned(evaluation.model, roots_given=True),
        "upright axis": upright_axes,
        SIMULATOR: simulator_only,
        "nearest candidates (oracle)": oracle,
    }


def problem_of(shape: Shape) -> Problem:
    """Input of the methods for a shape with joints."""
    scene = part_scene(read_parts(shape))
    return Problem(scene, simulate_parts(scene), true_joints(shape))


def evaluate_object(evaluation: Evaluation, name: str) -> list[ROW]:
    """Errors of all methods on one object."""
    shape = open_once(evaluation.store).recording(name).clips[0].shape
    if evaluation.oversegmented:
        try:
            shape = oversegment_by_name(shape)
        except InputError:  # every part is one component
            return []
    problem = problem_of(shape)
    radius, sizes, rows = problem.scene.clouds.radius, part_sizes(problem.scene.clouds), []
    for name_of_method, method in methods(evaluation).items():
        pairs = zip(method(problem), problem.truth, sizes, strict=True)
        errors = [part_error(found, true, radius, size) for found, true, size in pairs]
        rows.append((name, name_of_method, [e for e in errors if e is not None]))
    return rows


def part_sizes(clouds: PartClouds) -> list[float]:
    """Diagonal of the box of each part, as a share of that of the shape."""
    whole = np.linalg.norm(np.ptp(clouds.dense, axis=0))
    return (np.linalg.norm(np.ptp(clouds.points, axis=1), axis=-1) / whole).tolist()


def evaluate(evaluation: Evaluation, names: list[str], workers: int, step: Callable[[], None]) -> list[ROW]:
    """Errors of all objects, in any order."""
    rows = []
    for found in run(partial(evaluate_object, evaluation), names, raise_died, workers, None):
        rows += found
        step()
    return rows


def summaries(rows: list[ROW], group: str | None = None) -> dict[str, Summary]:
    """Summary of every method over the objects of one collection, or of all."""
    found: dict[str, list[list[PartError]]] = {}
    for name, method, errors in rows:
        if group is None or name.partition("/")[0] == group:
            found.setdefault(method, []).append(errors)
    return {method: summarise(objects) for method, objects in found.items()}


def joints_table(rows: list[ROW], group: str | None = None) -> list[list[str]]:
    """One row per method: axes, centres, types and ranges."""
    lines = []
    for method, s in summaries(rows, group).items():
        numbers = (s.type_precision, s.type_recall, s.type_precision_weighted, s.type_recall_weighted)
        lines.append([
            method, f"{s.axis_error_deg:.1f}", f"{s.axis_error_median:.1f}", f"{s.axis_within_5:.0%}",
            f"{s.axis_beyond_60:.0%}", f"{s.centre_error:.3f}",
            *(f"{n:.2f}" for n in numbers), f"{s.range_iou:.2f}",
        ])  # fmt: skip
    return lines


def objects_table(rows: list[ROW], group: str | None = None) -> list[list[str]]:
    """One row per method: trees, directions, whole objects, large parts, confidence."""
    return [
        [
            method, f"{s.tree_accuracy:.2f}", f"{s.direction_right:.0%}", f"{s.whole_objects_right:.0%}",
            f"{s.large_part_axis_error_deg:.1f}", f"{s.confidence_rank_correlation:.2f}",
        ]
        for method, s in summaries(rows, group).items()
    ]  # fmt: skip


def reliability_table(rows: list[ROW]) -> list[list[str]]:
    """Mean confidence, share of right joints and number of parts, by collection and CONFIDENCE_BINS."""
    lines = []
    for group in groups(rows):
        errors = [e for r in rows if r[1] == UNNAMED and r[0].startswith(f"{group}/") for e in r[2]]
        bins = reliability(errors, CONFIDENCE_BINS)
        lines += [[group, f"{sure:.2f}", f"{right:.2f}", str(count)] for sure, right, count in bins]
    return lines


def groups(rows: list[ROW]) -> list[str]:
    """Names of the collections."""
    return list(dict.fromkeys(name.partition("/")[0] for name, _, _ in rows))


def figures(rows: list[ROW]) -> dict[str, float]:
    """Tracked figures.

    Prefixes name modelled robot objects (real_), household objects (household_) and other methods. The
    figures of joints are those of the networks with part names hidden.
    """
    of = {group: [r for r in rows if r[0].startswith(f"{group}/")] for group in (REAL, HOUSEHOLD)}
    held = [row for row in rows if row[0].partition("/")[0] not in of]
    found: dict[str, float] = {}
    for prefix, method in (
        ("", NETWORKS), ("no_pretraining_", UNPRETRAINED), ("simulator_only_", SIMULATOR),
        ("no_names_", UNNAMED), ("no_pretraining_no_names_", UNPRETRAINED_UNNAMED), ("rooted_", ROOTS_GIVEN),
    ):  # fmt: skip
        for collection, some in (("", held), ("real_", of[REAL])):
            found |= _numbers(some, method, collection + prefix, JOINT_FIGURES)
    for prefix, some in (("", held), ("real_", of[REAL]), ("household_", of[HOUSEHOLD])):
        found |= _numbers(some, UNNAMED, prefix, OBJECT_FIGURES)
    found |= _numbers(of[HOUSEHOLD], UNNAMED, "household_", JOINT_FIGURES)
    correlation = found.pop("confidence_rank_correlation", np.nan)
    found["confidence_rank_correlation_joints"] = correlation
    return {name: value for name, value in found.items() if np.isfinite(value)}


def _numbers(rows: list[ROW], method: str, prefix: str, names: tuple[str, ...]) -> dict[str, float]:
    summary = summaries(rows).get(method)
    return {} if summary is None else {prefix + name: asdict(summary)[name] for name in names}
