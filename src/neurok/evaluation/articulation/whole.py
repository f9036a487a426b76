"""Articulates whole objects in the forms that users have, and scores the mechanisms in five poses."""

from __future__ import annotations

import zlib
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import NamedTuple

import numpy as np

from neurok.datasets.store.store import open_once
from neurok.errors import InputError
from neurok.evaluation.articulation.posed import PosedScores, mean_scores, posed_scores
from neurok.evaluation.forms import FORMS, Form, given
from neurok.jobs.pool import raise_died, run
from neurok.pipelines import articulate
from neurok.shapes import JointTree, Shape

FOUND, RIGID = "found", "one rigid body"
HEADER = [
    "form", "method", "objects", "refused",
    "Chamfer", "gIoU", "mIoU", "whole", "opened: Chamfer", "gIoU", "mIoU", "whole",
]  # fmt: skip


class Row(NamedTuple):
    """Scores of every state by method, of one object in one form."""

    name: str
    form: Form
    scores: dict[str, list[PosedScores]]
    refused: str = ""  # why no mechanism was found; it then counts as one rigid body


def evaluate(folder: Path, names: list[str], workers: int, step: Callable[[], None]) -> list[Row]:
    """Scores of all objects in all forms, in any order."""
    rows: list[Row] = []
    for found in run(partial(evaluate_object, folder), names, raise_died, workers, None):
        rows += found
        step()
    return rows


def evaluate_object(folder: Path, name: str) -> list[Row]:
    """Scores of one object in every form."""
    shape = open_once(folder).recording(name).clips[0].shape
    rng = np.random.default_rng(zlib.crc32(name.encode()))
    return [_row(name, form, *given(shape, form, rng)) for form in FORMS]


def _row(name: str, form: Form, shape: Shape, truth: Shape) -> Row:
    stiff, refused = rigid(truth), ""
    try:
        found = articulate(shape, check=False).shape_with_joints()
    except InputError as error:
        found, refused = stiff, error.cause
    return Row(name, form, {FOUND: posed_scores(found, truth), RIGID: posed_scores(stiff, truth)}, refused)


def rigid(shape: Shape) -> Shape:
    """The same object with all joints fixed."""
    tree = shape.joints
    assert tree is not None
    joints = tuple(replace(j, kind="fixed", coupling=None) for j in tree.joints)
    return shape.with_(joints=JointTree(tree.links, joints, tree.name, tree.roots))


def table(rows: list[Row]) -> list[list[str]]:
    """One row per form and method: means over all states, then those of the opened object."""
    lines = []
    for form in FORMS:
        members = [row for row in rows if row.form == form]
        own, refused = [row.scores for row in members], str(sum(bool(row.refused) for row in members))
        for method in (FOUND, RIGID) if own else ():
            mean = mean_scores([s for scores in own for s in scores[method]])
            opened = mean_scores([scores[method][-1] for scores in own])
            numbers = (
                f"{x:.4f}" if "chamfer" in name else f"{x:.2f}"
                for scores in (mean, opened)
                for name, x in vars(scores).items()
            )
            lines.append([form, method, str(len(own)), refused if method == FOUND else "–", *numbers])
    return lines


def figures(rows: list[Row]) -> dict[str, float]:
    """Means over all states by form, of the mechanisms that are found."""
    found: dict[str, float] = {}
    for form in FORMS:
        own = [s for row in rows if row.form == form for s in row.scores[FOUND]]
        if own:
            found |= {f"posed_{name}_{form}": value for name, value in vars(mean_scores(own)).items()}
    return found
