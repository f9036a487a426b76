"""The whole evaluation: which objects, which methods, which figures."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache, partial
from pathlib import Path
from typing import Any

import numpy as np
from scipy.stats import rankdata

from neurok.datasets.store.store import Store
from neurok.errors import InputError
from neurok.evaluation.kinematics.autoencoder import autoencoder
from neurok.evaluation.kinematics.cases import cases_of
from neurok.evaluation.kinematics.compare import Comparison, Row, compare
from neurok.evaluation.kinematics.freedom import Freedom
from neurok.evaluation.kinematics.gallery import Strip
from neurok.evaluation.kinematics.keypoints import keypoint_cage, load_deformer
from neurok.evaluation.kinematics.methods import Method, elastic, neural, principal, still
from neurok.evaluation.kinematics.reconstruction import Reconstruction, reconstruction
from neurok.jobs.pool import run
from neurok.kinematics.inverse import FitConfig
from neurok.latent import NeuROK
from neurok.latent.reduction import FOR_FITTING

HEADER = ("Chamfer-L1", "Chamfer-L2", "IoU", "vertex error", "within-part distortion")
REAL = ("articulated_real", "animated_sharealike")  # collections of objects that people made and use
OURS, UNREDUCED, KEYPOINTS = "learned", "learned, not reduced", "keypoint cage"


def choose(store: Store, split: str | None, count: int, seed: int) -> list[str]:
    """Up to `count` objects of every collection, of one split or (a folder of the user's own) of all."""
    held_out = store.names(split)
    if not held_out:
        raise InputError(store.folder, f"has no {split or ''} objects", "Build more, or choose another split")
    collections: dict[str, list[str]] = {}
    for name in held_out:
        collections.setdefault(name.partition("/")[0], []).append(name)
    rng = np.random.default_rng(seed)
    return [str(name) for names in collections.values() for name in rng.permutation(names)[:count]]


@dataclass(frozen=True)
class Evaluation:
    """Who is asked for what: all that a process needs to judge an object."""

    store: Path
    model: Path | None = None
    """Weights of the learned space; None takes those that ship with the package."""
    keypoints: Path | None = None
    most: int = FOR_FITTING.most
    poses: int = 2
    seed: int = 0
    unreduced: bool = False
    ablations: tuple[tuple[str, Path], ...] = ()
    """Names and weights of other models, to be compared with the first one."""
    pictures: Path | None = None


@cache
def methods(evaluation: Evaluation) -> dict[str, Method]:
    """Baselines, oracles and the learned space; oracles see other frames of the very recording."""
    fit = FitConfig()
    network, reduction = NeuROK.from_pretrained(evaluation.model), replace(FOR_FITTING, most=evaluation.most)
    others = {name: NeuROK.from_pretrained(path) for name, path in evaluation.ablations}
    path = evaluation.keypoints
    trained = {} if path is None else {KEYPOINTS: keypoint_cage(load_deformer(path))}
    return {
        "no motion": still,
        "elastic modes": elastic(fit),
        **trained,
        "principal components (oracle)": principal(fit),
        "autoencoder (oracle)": autoencoder(fit),
        **({UNREDUCED: neural(network, None, fit)} if evaluation.unreduced else {}),
        **{name: neural(model, reduction, fit) for name, model in others.items() if model.skins},
        OURS: neural(network, reduction, fit),
    }


def judge(evaluation: Evaluation, name: str) -> tuple[list[Row], Path | None]:
    """One object by all methods, and its picture."""
    asked = methods(evaluation)
    cases = cases_of(Store.open(evaluation.store), [name], evaluation.poses, evaluation.seed)
    strip = Strip()
    rows = compare(cases, asked, show=strip).rows
    if evaluation.pictures is None or not cases:
        return rows, None
    return rows, strip.draw(cases[0], evaluation.pictures)


def evaluate(
    evaluation: Evaluation, names: list[str], workers: int, step: Callable[[], None]
) -> tuple[Comparison, list[Path]]:
    """Objects one by one, or as many at a time as there are processes; results in the order of names."""
    found: dict[str, tuple[list[Row], Path | None]] = {}
    for name, result in run(partial(_judged, evaluation), names, _lost, workers, None):
        found[name] = result
        step()
    results = [found[name] for name in names]
    return Comparison([row for rows, _ in results for row in rows]), [strip for _, strip in results if strip]


def _judged(evaluation: Evaluation, name: str) -> tuple[str, tuple[list[Row], Path | None]]:
    return name, judge(evaluation, name)


def _lost(name: str) -> Any:
    raise InputError(name, "took its process down", "Evaluate it alone, with --workers 1, to see why")


def reconstructions(evaluation: Evaluation, names: list[str]) -> dict[str, Reconstruction]:
    """Of every model: how well its decoder gives back a motion that is known, and how fast."""
    store = Store.open(evaluation.store)
    return {
        name: reconstruction(NeuROK.from_pretrained(path), store, names, evaluation.seed)
        for name, path in (*evaluation.ablations, (OURS, evaluation.model))
    }


def groups(comparison: Comparison) -> list[str]:
    """The collections, and all of them."""
    return [*dict.fromkeys(row.group for row in comparison.rows), "all"]


def figures(comparison: Comparison, freedoms: list[Freedom]) -> dict[str, float]:
    """What is tracked from version to version: held-out categories, and collections of real objects."""
    held = Comparison([row for row in comparison.rows if row.group not in REAL])
    real = Comparison([row for row in comparison.rows if row.group in REAL])
    found = {
        "heldout_chamfer_l1": held.mean("all", OURS, "chamfer_l1"),
        "heldout_iou": held.mean("all", OURS, "iou"),
        "heldout_vertex_error": held.mean("all", OURS, "vertex"),
        "real_chamfer_l1": real.mean("all", OURS, "chamfer_l1"),
        "real_iou": real.mean("all", OURS, "iou"),
        "keypoint_over_ours": (
            comparison.mean("all", KEYPOINTS, "chamfer_l1") / comparison.mean("all", OURS, "chamfer_l1")
        ),
        "static_chamfer_l1": comparison.mean("all", "no motion", "chamfer_l1"),
        "within_part_distortion": comparison.mean("all", OURS, "distortion"),
        "confidence_rank_correlation": rank_correlation(comparison),
        "dof_recovered_fraction": _mean([f.found == f.true for f in freedoms]),
    }
    return {name: value for name, value in found.items() if np.isfinite(value)}


def rank_correlation(comparison: Comparison) -> float:
    """Of the confidence in an object with how much of its motion is found, 1 − Chamfer / that of no motion:
    1 where the better is always the one of which the model was surer."""
    sure, share = [], []
    for name in dict.fromkeys(row.name for row in comparison.rows):
        own = Comparison([row for row in comparison.rows if row.name == name])
        known = [row.about["confidence"] for row in own.rows if row.method == OURS and row.about]
        still = own.mean("all", "no motion", "chamfer_l1")
        if known and still > 0:
            sure.append(known[0])
            share.append(1 - own.mean("all", OURS, "chamfer_l1") / still)
    ranks = [rankdata(values) for values in (sure, share)]
    return float(np.corrcoef(*ranks)[0, 1]) if len(sure) > 2 else float("nan")


def _mean(values: list[bool]) -> float:
    return float(np.mean(values)) if values else float("nan")
