"""Articulates whole objects in the forms that users have. Scores five poses, and the axes of moving parts."""

from __future__ import annotations

import zlib
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import NamedTuple

import numpy as np

from neurok.articulation.annotations import moving_joint, true_joints
from neurok.articulation.parts.components import face_areas
from neurok.datasets.store.store import open_once
from neurok.errors import InputError
from neurok.evaluation.articulation.metrics import axis_angle
from neurok.evaluation.articulation.posed import PosedScores, mean_scores, posed_scores
from neurok.evaluation.forms import FORMS, Form, given
from neurok.jobs.pool import raise_died, run
from neurok.pipelines import articulate
from neurok.shapes import JointTree, Shape

FOUND, RIGID = "found", "one rigid body"
NO_AXIS = 90.0  # degrees: axis error of a part that is found to stand
HEADER = [
    "form", "method", "objects", "refused", "axis °",
    "Chamfer", "gIoU", "mIoU", "whole", "opened: Chamfer", "gIoU", "mIoU", "whole",
]  # fmt: skip


class Row(NamedTuple):
    """Scores of every state by method, of one object in one form."""

    name: str
    form: Form
    scores: dict[str, list[PosedScores]]
    axes: tuple[float, ...]  # degrees, of the parts that truly move
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
    except Exception as error:
        found, refused = stiff, error.cause if isinstance(error, InputError) else str(error)[:200]
    scores = {FOUND: posed_scores(found, truth), RIGID: posed_scores(stiff, truth)}
    return Row(name, form, scores, axis_errors(found, truth), refused)


def axis_errors(found: Shape, truth: Shape) -> tuple[float, ...]:
    """Axis error in degrees of each part that truly moves, at the found part that covers most of it."""
    joints, area = {joint.part: joint for joint in true_joints(found)}, face_areas(truth)
    errors = []
    for k, true in enumerate(true_joints(truth)):
        own = truth.part == k
        if true.kind in (None, "fixed") or not own.any():
            continue
        part = found.part_names[int(np.bincount(found.part[own], area[own]).argmax())]
        joint = moving_joint(joints, part)
        errors.append(NO_AXIS if joint is None else axis_angle(joint.axis, true.axis))
    return tuple(errors)


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
            axis = f"{_axis_error(members):.1f}" if method == FOUND else f"{NO_AXIS:.1f}"
            lines.append([form, method, str(len(own)), refused if method == FOUND else "–", axis, *numbers])
    return lines


def figures(rows: list[Row]) -> dict[str, float]:
    """Means over all states and axis errors by form, of the mechanisms that are found."""
    found: dict[str, float] = {}
    for form in FORMS:
        members = [row for row in rows if row.form == form]
        own = [s for row in members for s in row.scores[FOUND]]
        if own:
            found |= {f"posed_{name}_{form}": value for name, value in vars(mean_scores(own)).items()}
            found[f"{form}_axis_error_deg"] = _axis_error(members)
    return found


def _axis_error(rows: list[Row]) -> float:
    return float(np.mean([error for row in rows for error in row.axes] or [np.nan]))
