"""How far found parts agree with the true ones, which are rigid bodies, by area."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path

import numpy as np
from jaxtyping import Float, Int
from scipy.optimize import linear_sum_assignment

from neurok.articulation.annotations import true_bodies
from neurok.articulation.parts.components import face_areas, face_components
from neurok.articulation.parts.find import found_parts
from neurok.datasets.articulation_examples import usable_objects
from neurok.datasets.store.store import Store
from neurok.errors import InputError
from neurok.jobs.pool import run
from neurok.shapes.shape import Shape

Array = np.ndarray
FOUND, LOOSE = "found parts", "every loose piece"
HEADER = ["a part is", "Rand index", "median", "matched", "pure", "whole", "parts", "true parts"]


@dataclass(frozen=True)
class PartAgreement:
    """Found parts against true ones; 1 is perfect in every share.

    `rand_index` is adjusted for chance, every face weighing its area. `matched` is the share of the area in
    the right part when each found part stands for one true part; `pure` that of the commonest true parts of
    found ones, low where parts are fused; `whole` that of the commonest found parts of true ones, low where
    parts are split.
    """

    rand_index: float
    matched: float
    pure: float
    whole: float
    found: int
    true: int


ROW = tuple[str, dict[str, PartAgreement]]  # object, its parts by every method


def part_agreement(
    found: Int[Array, " m"], true: Int[Array, " m"], area: Float[Array, " m"]
) -> PartAgreement:
    """Compare two labellings of the same faces."""
    _, f = np.unique(found, return_inverse=True)
    _, t = np.unique(true, return_inverse=True)
    table = np.zeros((f.max(initial=-1) + 1, t.max(initial=-1) + 1))
    np.add.at(table, (f, t), area / area.sum())
    rows, columns = linear_sum_assignment(-table)
    return PartAgreement(
        _rand_index(table), float(table[rows, columns].sum()), float(table.max(axis=1).sum()),
        float(table.max(axis=0).sum()), *table.shape,
    )  # fmt: skip


def _rand_index(table: Float[Array, "f t"]) -> float:
    """(Σ n_ij² − E) / (½ (Σ a_i² + Σ b_j²) − E), E = Σ a_i² Σ b_j²: pairs of points drawn by area."""
    rows, columns = (table.sum(axis=1) ** 2).sum(), (table.sum(axis=0) ** 2).sum()
    chance, best = rows * columns, (rows + columns) / 2
    return 1.0 if best - chance < 1e-12 else float(((table**2).sum() - chance) / (best - chance))


def agreements(shape: Shape) -> dict[str, PartAgreement]:
    """What each way to find parts makes of a shape whose true parts are forgotten."""
    one = shape.with_(part=np.zeros(len(shape.faces), np.int32), part_names=(shape.name,), joints=None)
    area = face_areas(shape)
    found = {FOUND: found_parts(one).shape.part, LOOSE: face_components(one)}
    true = true_bodies(shape)
    return {method: part_agreement(label, true, area) for method, label in found.items()}


def choose(store: Store, split: str | None, count: int, seed: int) -> list[str]:
    """So many of the objects with joints, of all collections alike."""
    names = usable_objects(store, split)
    if not names:
        raise InputError(store.folder, "has no objects with joints", "Build a store of URDF or MJCF files")
    return [str(name) for name in np.random.default_rng(seed).permutation(names)[:count]]


def evaluate(folder: Path, names: list[str], workers: int, step: Callable[[], None]) -> list[ROW]:
    """Objects in any order; one that takes its process down is an error that names it."""
    rows = []
    for row in run(partial(_judged, folder), names, _lost, workers, None):
        rows.append(row)
        step()
    return rows


def _judged(folder: Path, name: str) -> ROW:
    return name, agreements(_opened(folder).recording(name).clips[0].shape)


@cache
def _opened(folder: Path) -> Store:
    return Store.open(folder)


def _lost(name: str) -> ROW:
    raise InputError(name, "took its process down", "Evaluate it alone, with --workers 1, to see why")


def table(rows: list[ROW]) -> list[list[str]]:
    """A line per method: agreement over all objects, and how many parts there are."""
    lines = []
    for method in (LOOSE, FOUND):
        scores = [found[method] for _, found in rows]
        rand = [s.rand_index for s in scores]
        shares = [np.mean([getattr(s, name) for s in scores]) for name in ("matched", "pure", "whole")]
        counts = [np.mean([s.found for s in scores]), np.mean([s.true for s in scores])]
        lines.append([
            method, *(f"{x:.2f}" for x in (np.mean(rand), np.median(rand), *shares)),
            *(f"{x:.1f}" for x in counts),
        ])  # fmt: skip
    return lines


def figures(rows: list[ROW]) -> dict[str, float]:
    rand = np.array([[found[method].rand_index for method in (FOUND, LOOSE)] for _, found in rows])
    return {
        "parts_rand_index": float(rand[:, 0].mean()),
        "parts_rand_index_median": float(np.median(rand[:, 0])),
        "loose_pieces_rand_index": float(rand[:, 1].mean()),
    }
