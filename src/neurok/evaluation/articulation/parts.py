"""Measures the agreement of segmented parts with the true rigid bodies, weighted by area."""

from __future__ import annotations

import zlib
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import numpy as np
from jaxtyping import Float, Int
from scipy.optimize import linear_sum_assignment
from scipy.stats import spearmanr

from neurok.articulation.annotations import true_bodies
from neurok.articulation.parts.components import face_areas, face_components
from neurok.articulation.parts.find import found_parts
from neurok.datasets.articulation_examples import usable_objects
from neurok.datasets.store.store import Store, open_once
from neurok.errors import InputError
from neurok.evaluation.forms import given
from neurok.jobs.pool import raise_died, run
from neurok.shapes.shape import Shape

Array = np.ndarray
# Also keys of the JSON output.
FOUND, COMPONENTS, FUSED = "found parts", "every loose piece", "found parts, fused scan"
METHODS = (COMPONENTS, FOUND, FUSED)
HEADER = ["method", "Rand index", "median", "matched", "pure", "whole", "parts", "true parts"]


@dataclass(frozen=True)
class PartAgreement:
    """Agreement of found with true parts; 1 is perfect in every score.

    `rand_index` is adjusted for chance and weighted by area. `matched` is the share of the area in the right
    part under a one-to-one assignment. `pure` is the area share of the dominant true part in each found part;
    it is low if parts are merged. `whole` is the area share of the dominant found part in each true part; it
    is low if parts are split.
    """

    rand_index: float
    matched: float
    pure: float
    whole: float
    found: int
    true: int
    confidence: float = 1.0  # of the finder


ROW = tuple[str, dict[str, PartAgreement]]  # object, agreement by method


def part_agreement(
    found: Int[Array, " m"], true: Int[Array, " m"], area: Float[Array, " m"]
) -> PartAgreement:
    """Agreement of two labellings of the same faces."""
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
    """Agreement of each method on a shape without its part labels, and on a fused scan of it."""
    pieces = part_agreement(face_components(shape), true_bodies(shape), face_areas(shape))
    scan = given(shape, "fused", np.random.default_rng(zlib.crc32(shape.name.encode()))).labelled
    return {COMPONENTS: pieces, FOUND: found_agreement(shape), FUSED: found_agreement(scan)}


def found_agreement(shape: Shape) -> PartAgreement:
    """Agreement of the parts that are found without the labels of a shape."""
    bare = Shape(shape.vertices, shape.faces, shape.name, frame=shape.frame)
    found = found_parts(bare)
    agreement = part_agreement(found.shape.part, true_bodies(shape), face_areas(shape))
    return replace(agreement, confidence=found.confidence)


def choose(store: Store, split: str | None, count: int, seed: int) -> list[str]:
    """`count` random objects with joints, regardless of collection."""
    names = usable_objects(store, split)
    if not names:
        raise InputError(store.folder, "has no objects with joints", "Build a store of URDF or MJCF files")
    return [str(name) for name in np.random.default_rng(seed).permutation(names)[:count]]


def evaluate(folder: Path, names: list[str], workers: int, step: Callable[[], None]) -> list[ROW]:
    """Agreements of all objects, in any order."""
    rows = []
    for row in run(partial(_evaluate_object, folder), names, raise_died, workers, None):
        rows.append(row)
        step()
    return rows


def _evaluate_object(folder: Path, name: str) -> ROW:
    return name, agreements(open_once(folder).recording(name).clips[0].shape)


def _of_several(rows: list[ROW], method: str) -> list[PartAgreement]:
    """Agreements of the objects of which several bodies are seen."""
    return [found[method] for _, found in rows if found[method].true > 1]


def table(rows: list[ROW]) -> list[list[str]]:
    """One row per method: mean agreement and mean numbers of parts."""
    lines = []
    for method in METHODS:
        scores = _of_several(rows, method)
        rand = [s.rand_index for s in scores]
        shares = [np.mean([getattr(s, name) for s in scores]) for name in ("matched", "pure", "whole")]
        counts = [np.mean([s.found for s in scores]), np.mean([s.true for s in scores])]
        lines.append([
            method, *(f"{x:.2f}" for x in (np.mean(rand), np.median(rand), *shares)),
            *(f"{x:.1f}" for x in counts),
        ])  # fmt: skip
    return lines


def figures(rows: list[ROW]) -> dict[str, float]:
    """Rand indices, and the rank correlation of the confidence with them, as the mean over both forms.

    Indices are those of the segmentation, also of fused scans, and of connected components.
    """
    own = {method: _of_several(rows, method) for method in METHODS}
    rand = {method: np.array([a.rand_index for a in scores]) for method, scores in own.items()}
    sure = [_rank_correlation(own[method]) for method in (FOUND, FUSED)]
    found = {
        "parts_rand_index": float(rand[FOUND].mean()),
        "parts_rand_index_median": float(np.median(rand[FOUND])),
        "fused_rand_index": float(rand[FUSED].mean()),
        "fused_rand_index_median": float(np.median(rand[FUSED])),
        "loose_pieces_rand_index": float(rand[COMPONENTS].mean()),
        "confidence_rank_correlation_parts": float(np.mean(sure)),
    }
    return {name: value for name, value in found.items() if np.isfinite(value)}


def _rank_correlation(found: list[PartAgreement]) -> float:
    """Spearman's correlation of the confidence with the Rand index."""
    return float(np.asarray(spearmanr([a.confidence for a in found], [a.rand_index for a in found]))[0])
