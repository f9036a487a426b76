"""Runs the evaluation of inverse kinematics: selects objects, runs methods, computes figures."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache, partial
from pathlib import Path

import numpy as np

from neurok.datasets.store.store import Store
from neurok.errors import InputError
from neurok.evaluation.kinematics.autoencoder import autoencoder
from neurok.evaluation.kinematics.cases import cases_of
from neurok.evaluation.kinematics.compare import Comparison, Row, compare
from neurok.evaluation.kinematics.freedom import Freedom
from neurok.evaluation.kinematics.gallery import Strip
from neurok.evaluation.kinematics.keypoints import keypoint_cage, load_deformer
from neurok.evaluation.kinematics.methods import Method, elastic, neural, no_motion, principal
from neurok.evaluation.kinematics.reconstruction import Reconstruction, reconstruction
from neurok.evaluation.selection import sample_per_collection
from neurok.jobs.pool import raise_died, run
from neurok.kinematics.inverse import FitConfig
from neurok.latent import NeuROK
from neurok.latent.reduction import FOR_FITTING

HEADER = ("Chamfer-L1", "Chamfer-L2", "IoU", "vertex error", "within-part distortion")
REAL = ("articulated_real", "animated_sharealike")  # collections of real objects
LEARNED, UNREDUCED, KEYPOINTS = "learned", "learned, not reduced", "keypoint cage"


def choose(store: Store, split: str | None, count: int, seed: int) -> list[str]:
    """Up to `count` random objects of every collection, of one split or (None) of all."""
    held_out = store.names(split)
    if not held_out:
        raise InputError(store.folder, f"has no {split or ''} objects", "Build more, or choose another split")
    return sample_per_collection(held_out, count, seed)


@dataclass(frozen=True)
class Evaluation:
    """Options of the evaluation, as passed to a worker process."""

    store: Path
    model: Path | None = None
    """Weights of the learned space; None: the shipped ones."""
    keypoints: Path | None = None
    max_coordinates: int = FOR_FITTING.max_coordinates
    poses: int = 2
    seed: int = 0
    unreduced: bool = False
    ablations: tuple[tuple[str, Path], ...] = ()
    """Names and weights of other models to compare."""
    pictures: Path | None = None


@cache
def methods(evaluation: Evaluation) -> dict[str, Method]:
    """Baselines, oracles and the learned space; oracles use other frames of the same recording."""
    fit = FitConfig()
    network, reduction = (
        NeuROK.from_pretrained(evaluation.model),
        replace(FOR_FITTING, max_coordinates=evaluation.max_coordinates),
    )
    others = {name: NeuROK.from_pretrained(path) for name, path in evaluation.ablations}
    path = evaluation.keypoints
    trained = {} if path is None else {KEYPOINTS: keypoint_cage(load_deformer(path))}
    return {
        "no motion": no_motion,
        "elastic modes": elastic(fit),
        **trained,
        "principal components (oracle)": principal(fit),
        "autoencoder (oracle)": autoencoder(fit),
        **({UNREDUCED: neural(network, None, fit)} if evaluation.unreduced else {}),
        **{name: neural(model, reduction, fit) for name, model in others.items() if model.skins},
        LEARNED: neural(network, reduction, fit),
    }


def evaluate_object(evaluation: Evaluation, name: str) -> tuple[list[Row], Path | None]:
    """Results of all methods on one object, and its picture."""
    cases = cases_of(Store.open(evaluation.store), [name], evaluation.poses, evaluation.seed)
    strip = Strip()
    rows = compare(cases, methods(evaluation), show=strip).rows
    if evaluation.pictures is None or not cases:
        return rows, None
    return rows, strip.draw(cases[0], evaluation.pictures)


def evaluate(
    evaluation: Evaluation, names: list[str], workers: int, step: Callable[[], None]
) -> tuple[Comparison, list[Path]]:
    """Comparison and pictures of all objects, in the order of names."""
    found: dict[str, tuple[list[Row], Path | None]] = {}
    for name, result in run(partial(_named_result, evaluation), names, raise_died, workers, None):
        found[name] = result
        step()
    results = [found[name] for name in names]
    return Comparison([row for rows, _ in results for row in rows]), [strip for _, strip in results if strip]


def _named_result(evaluation: Evaluation, name: str) -> tuple[str, tuple[list[Row], Path | None]]:
    return name, evaluate_object(evaluation, name)


def reconstructions(evaluation: Evaluation, names: list[str]) -> dict[str, Reconstruction]:
    """Reconstruction error and speed of the decoder of every model."""
    store = Store.open(evaluation.store)
    return {
        name: reconstruction(NeuROK.from_pretrained(path), store, names, evaluation.seed)
        for name, path in (*evaluation.ablations, (LEARNED, evaluation.model))
    }


def groups(comparison: Comparison) -> list[str]:
    """Names of the collections, and "all"."""
    return [*dict.fromkeys(row.group for row in comparison.rows), "all"]


def figures(comparison: Comparison, freedoms: list[Freedom]) -> dict[str, float]:
    """Tracked figures: held-out categories, and collections of real objects."""
    held = Comparison([row for row in comparison.rows if row.group not in REAL])
    real = Comparison([row for row in comparison.rows if row.group in REAL])
    found = {
        "heldout_chamfer_l1": held.mean("all", LEARNED, "chamfer_l1"),
        "heldout_iou": held.mean("all", LEARNED, "iou"),
        "heldout_vertex_error": held.mean("all", LEARNED, "vertex"),
        "real_chamfer_l1": real.mean("all", LEARNED, "chamfer_l1"),
        "real_iou": real.mean("all", LEARNED, "iou"),
        "keypoint_over_ours": (
            comparison.mean("all", KEYPOINTS, "chamfer_l1") / comparison.mean("all", LEARNED, "chamfer_l1")
        ),
        "static_chamfer_l1": comparison.mean("all", "no motion", "chamfer_l1"),
        "within_part_distortion": comparison.mean("all", LEARNED, "distortion"),
        "confidence_rank_correlation": rank_correlation(comparison),
        "dof_recovered_fraction": _mean([f.found == f.true for f in freedoms]),
    }
    return {name: value for name, value in found.items() if np.isfinite(value)}


def rank_correlation(comparison: Comparison) -> float:
    """Rank correlation of the confidence with the recovered share of motion, 1 − Chamfer / Chamfer at rest.

    It is 1 if a higher confidence always means a better prediction.
    """
    from scipy.stats import rankdata  # takes a second to import

    confidence, share = [], []
    for name in dict.fromkeys(row.name for row in comparison.rows):
        own = Comparison([row for row in comparison.rows if row.name == name])
        known = [row.about["confidence"] for row in own.rows if row.method == LEARNED and row.about]
        still = own.mean("all", "no motion", "chamfer_l1")
        if known and still > 0:
            confidence.append(known[0])
            share.append(1 - own.mean("all", LEARNED, "chamfer_l1") / still)
    ranks = [rankdata(values) for values in (confidence, share)]
    return float(np.corrcoef(*ranks)[0, 1]) if len(confidence) > 2 else float("nan")


def _mean(values: list[bool]) -> float:
    return float(np.mean(values)) if values else float("nan")
