"""Evaluates objects in the forms that users have, with one push and default settings."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from neurok.dynamics.places import vertex_areas
from neurok.errors import InputError
from neurok.evaluation.dynamics.as_user.found import found_at
from neurok.evaluation.dynamics.as_user.gallery import draw
from neurok.evaluation.dynamics.as_user.judgement import displacement, judge
from neurok.evaluation.dynamics.as_user.objects import Target
from neurok.evaluation.dynamics.as_user.pushing import find_push
from neurok.evaluation.dynamics.as_user.truth import body_of_vertex, true_kinematics, watch
from neurok.evaluation.forms import Form, given
from neurok.jobs.journal import earlier_results, journalled, plain
from neurok.jobs.pool import collect, run
from neurok.kinematics import LinkedKinematics, joints_of

Array = np.ndarray
NO_NUMBER = float("nan")


@dataclass(frozen=True)
class Row:
    """Result of one object in one form: the comparison of its motion, and the part and joint found."""

    name: str
    form: Form
    part: str = ""  # the pushed link
    vertex: int = -1
    amount: float = NO_NUMBER
    ratio: float = NO_NUMBER
    cosine: float = NO_NUMBER
    rest: float = NO_NUMBER
    fails: str = ""  # the first criterion that is not met
    kind: str = ""
    joints: int = 0
    parts: int = 0
    overlap: float = NO_NUMBER
    joint: str = ""
    true_joint: str = ""
    confidence: float = NO_NUMBER
    axis_deg: float = NO_NUMBER
    centre: float = NO_NUMBER
    left_out: str = ""
    picture: Path | None = None

    @property
    def is_right(self) -> bool:
        return not self.fails and not self.left_out

    @property
    def collection(self) -> str:
        return self.name.partition("/")[0]


class Task(NamedTuple):
    """One object in one form."""

    target: Target
    form: Form

    @property
    def key(self) -> tuple[str, Form]:
        return self.target.name, self.form


def tasks_of(targets: Sequence[Target], forms: Sequence[Form]) -> list[Task]:
    """Every object in every form, grouped by object."""
    return [Task(target, form) for target in targets for form in forms]


def evaluate(
    tasks: Sequence[Task], seed: int, workers: int, step: Callable[[], None] = lambda: None,
    journal: Path | None = None, pictures: Path | None = None,
) -> list[Row]:  # fmt: skip
    """Rows in the order of tasks; after ^C those that are finished. Rows of the journal are not repeated."""
    order = {task.key: i for i, task in enumerate(tasks)}
    known = earlier_results(journal, partial(_read, seed=seed))
    done = {key: row for row in known if (key := (row.name, row.form)) in order}
    for _ in done:
        step()
    work = partial(evaluate_one, seed=seed, pictures=pictures)
    rows = run(work, [t for t in tasks if t.key not in done], _lost, workers, None)
    found = collect(journalled(rows, journal, lambda row: plain(row) | {"seed": seed}), step)
    return sorted([*done.values(), *found], key=lambda row: order[row.name, row.form])


def _read(line: dict[str, Any], seed: int) -> Row | None:
    """Row of the journal with the same seed."""
    if line.pop("seed") != seed:
        return None
    picture = line.pop("picture", None)
    unknown: dict[str, Any] = {name: NO_NUMBER for name, value in line.items() if value is None}
    return Row(**line | unknown, picture=picture and Path(picture))


def _lost(task: Task) -> Row:
    return Row(*task.key, fails="its process died")


def evaluate_one(task: Task, seed: int = 0, pictures: Path | None = None) -> Row:
    """Simulates one object in one form; an error of the pipeline counts as a failure.

    `pictures` is a folder for the strip of the object.
    """
    rng = np.random.default_rng([seed, zlib.crc32(task.target.name.encode())])
    try:
        shape = joints_of(task.target.load()).shape
        user, labelled = given(shape, task.form, rng)
        truth = true_kinematics(labelled)
        _check_several_bodies(truth)
        pushed = find_push(truth, len(user.vertices), rng)
    except Exception as error:  # of the file or of its true joints: there is nothing to compare with
        return Row(*task.key, left_out=error.cause if isinstance(error, InputError) else str(error)[:200])
    if pushed is None:
        return Row(*task.key, left_out="no random push moves a part visibly within its limits")
    count, part = len(user.vertices), truth.movable[pushed.body - 1].child
    body, area = body_of_vertex(truth, count), vertex_areas(truth.shape)[:count]
    own, goal = body == pushed.body, pushed.truth.positions
    frame = int(displacement(goal, area * own).argmax())

    def picture(ours: Array, verdict: str) -> Path | None:
        name = f"{task.target.name}_{task.form}"
        return pictures and draw(user, own, [goal[frame], ours], name, f"{task.form}: {verdict}", pictures)

    try:
        ours = watch(user, pushed.push, count, seed)
    except Exception as error:
        fails = f"{type(error).__name__}: {error}"[:200]
        return Row(*task.key, part, pushed.vertex, fails=fails, picture=picture(user.vertices, "error"))
    radius = truth.shape.normalisation.radius
    judged = judge(goal, ours.positions, body, area, pushed.body, radius)
    found = found_at(ours.setup.kinematics, truth, pushed.vertex, own, area)
    drawn = picture(ours.positions[frame], f"not: {judged.fails}" if judged.fails else "right")
    return Row(*task.key, part, pushed.vertex, *judged, judged.fails, *found, picture=drawn)


def _check_several_bodies(truth: LinkedKinematics) -> None:
    """Refuses a mesh that is one rigid body: it has no part relative to which its joint moves."""
    if len({truth.body_of_link[name] for name in truth.shape.part_names}) < 2:
        raise InputError(truth.shape.name, "its mesh is one rigid body", "Evaluate objects with several")
