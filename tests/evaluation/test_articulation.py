"""Errors of joints by closed forms, and the oracle against the truth."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from neurok.articulation import PartJoint
from neurok.articulation.annotations import TrueJoint, true_joints
from neurok.articulation.candidates import CONTACT
from neurok.articulation.simulator import FreeMotion
from neurok.datasets.build import build
from neurok.datasets.sources import generator_jobs
from neurok.datasets.store.store import Store
from neurok.evaluation.articulation.methods import learned, oracle, simulator_only
from neurok.evaluation.articulation.metrics import (
    axis_angle,
    line_distance,
    part_error,
    range_iou,
    rank_correlation,
    reliability,
    right_way,
    summarise,
)
from neurok.evaluation.articulation.run import Evaluation, evaluate_object, problem_of
from neurok.objects import families

UP = np.array([0.0, 1.0, 0.0])


def found(kind="revolute", axis=UP, pivot=(0.0, 0, 0), lower=0.0, upper=1.0, parent="body") -> PartJoint:
    return PartJoint(
        "door", kind, parent, np.array(axis, float), np.array(pivot, float), lower, upper, 1.0, True, True
    )


def true(kind="revolute", axis=UP, pivot=(0.0, 0, 0), lower=0.0, upper=1.0, parent="body") -> TrueJoint:
    return TrueJoint("door", kind, parent, np.array(axis, float), np.array(pivot, float), lower, upper)


def test_angles_between_lines_have_no_sign():
    tilted = np.array([0.0, np.cos(0.3), np.sin(0.3)])
    assert axis_angle(UP, tilted) == pytest.approx(np.degrees(0.3))
    assert axis_angle(UP, -tilted) == pytest.approx(np.degrees(0.3))
    assert axis_angle(UP, np.array([1.0, 0, 0])) == pytest.approx(90)


def test_the_centre_may_lie_anywhere_on_the_axis():
    assert line_distance(np.array([3.0, 17.0, 4.0]), true()) == pytest.approx(5.0)
    assert line_distance(np.array([0.0, 17.0, 0.0]), true()) == pytest.approx(0.0)


@pytest.mark.parametrize(
    ("guess", "iou"),
    [
        (found(), 1.0),
        (found(upper=0.5), 0.5),
        (found(axis=-UP, lower=-1.0, upper=0.0), 1.0),
        (found(axis=-UP), 0.0),
        (found("prismatic"), 0.0),
        (found(lower=-np.inf, upper=np.inf), 1 / (2 * np.pi)),
    ],
)
def test_ranges_are_compared_along_the_true_axis(guess, iou):
    assert range_iou(guess, true()) == pytest.approx(iou)


def test_precision_and_recall_of_types():
    pairs = [("revolute", "revolute"), ("revolute", "fixed"), ("fixed", "fixed"), ("prismatic", "revolute")]
    errors = [part_error(found(kind), true(truth), 1.0) for kind, truth in pairs]
    summary = summarise([[e for e in errors if e is not None]])
    assert summary.type_precision == pytest.approx((1 / 1 + 1 / 2) / 2)  # fixed, revolute
    assert summary.type_recall == pytest.approx((1 / 2 + 1 / 2) / 2)


def test_shares_of_axes_that_are_right_and_that_are_another_line():
    sideways, tilted = np.array([1.0, 0, 0]), np.array([0.0, np.cos(0.05), np.sin(0.05)])  # 90°, 3°
    errors = [part_error(found(axis=axis), true(), 1.0) for axis in (UP, tilted, sideways, sideways)]
    summary = summarise([[e for e in errors if e is not None]])
    assert (summary.axis_within_5, summary.axis_beyond_60) == (0.5, 0.5)


@pytest.mark.parametrize(
    ("guess", "truth", "way"),
    [
        (found(), true(), True),
        (found(lower=-1.0, upper=0.0), true(), False),
        (found(axis=-UP, lower=-1.0, upper=0.0), true(), True),
        (found(lower=-0.5, upper=0.5), true(), False),
        (found(), true(lower=-0.5, upper=0.5), None),
        (found(axis=(1.0, 0.0, 0.0)), true(), None),
        (found("prismatic"), true(), None),
    ],
)
def test_a_joint_that_moves_one_way_has_a_right_way(guess, truth, way):
    assert right_way(guess, truth) is way


def test_an_object_is_right_if_all_its_joints_are():
    good, bad = (part_error(found(pivot=(x, 0, 0)), true(), 1.0, 0.5) for x in (0.05, 0.3))
    assert good is not None and bad is not None and good.right and not bad.right
    assert summarise([[good, good], [good, bad], [good]]).whole_objects_right == pytest.approx(2 / 3)


def test_confidence_that_falls_with_the_error_is_perfectly_correlated():
    errors = [
        part_error(replace(found(pivot=(0.1 * k, 0, 0)), confidence=0.9 - 0.25 * k), true(), 1.0)
        for k in range(4)
    ]
    known = [e for e in errors if e is not None]
    assert rank_correlation(known) == pytest.approx(1.0)
    assert [n for *_, n in reliability(known, np.linspace(0, 1, 3))] == [2, 2]


def test_an_unknown_kind_of_joint_is_not_judged():
    assert part_error(found(), true(None), 1.0) is None  # type: ignore[arg-type]


@pytest.mark.slow
def test_the_oracle_is_right_about_all_but_what_candidates_miss():
    problem = problem_of(families()["cabinet"](np.random.default_rng(2)))
    radius = problem.scene.clouds.radius
    errors = [part_error(f, t, radius) for f, t in zip(oracle(problem), problem.truth, strict=True)]
    summary = summarise([[e for e in errors if e is not None]])
    assert summary.type_precision == summary.type_recall == summary.tree_accuracy == 1
    assert summary.axis_error_deg < 5
    assert summary.centre_error < 0.05


def test_true_joints_speak_of_parts_with_geometry():
    shape = families()["drawer_unit"](np.random.default_rng(1))
    joints = true_joints(shape)
    assert [j.part for j in joints] == list(shape.part_names)
    assert {j.kind for j in joints} == {"fixed", "prismatic"}
    for joint in joints:
        assert joint.parent is None or joint.parent in shape.part_names


def test_given_roots_are_fixed():
    problem = problem_of(families()["scissors"](np.random.default_rng(3)))
    stands = [k for k, true in enumerate(problem.truth) if true.parent is None]
    found = learned(None, named=False, roots_given=True)(problem)
    assert stands and all(found[k].parent is None and found[k].kind == "fixed" for k in stands)


@pytest.mark.slow
def test_oversegmented_objects_have_more_fixed_parts(tmp_path):
    jobs = [job for job in generator_jobs(23, 0, seed=5, frames=20) if job.origin.category == "excavator"]
    build(jobs, tmp_path / "store")
    store = Store.open(tmp_path / "store")
    (name,) = store.names()
    parts = len(store.recording(name).clips[0].shape.part_names)
    whole, apart = (
        evaluate_object(Evaluation(tmp_path / "store", oversegmented=is_split), name)
        for is_split in (False, True)
    )
    assert {method for _, method, _ in apart} == {method for _, method, _ in whole}
    assert all(len(errors) == parts for _, _, errors in whole)
    fixed = [sum(e.true_kind == "fixed" for e in rows[0][2]) for rows in (whole, apart)]
    assert fixed[1] > fixed[0]


@pytest.mark.slow
def test_the_simulator_alone_takes_the_freest_line_nearest_to_all_contacts():
    """A slab with three contacts is equally free about every line: the centre of the contacts decides."""
    problem = problem_of(families()["cabinet"](np.random.default_rng(2)))
    scene = problem.scene
    part = next(k for k in range(scene.clouds.count) if k != scene.base)
    pivots = scene.candidates[part].pivots
    pivots[CONTACT], pivots[CONTACT + 1 :] = (0.5, 0.0, 0.5), (-0.5, 0.0, -0.5)
    pivots[:CONTACT] = (0.5, 0.3, 0.48)
    free = FreeMotion(np.ones((2, 6, len(pivots))) * [[[-1.0]], [[1.0]]], np.zeros((2, 6)))
    problem.free[part] = free
    predicted = simulator_only(problem)[part]
    at = scene.clouds.point_from_shape(predicted.pivot)
    assert (
        np.linalg.norm(np.cross(at - pivots[CONTACT], scene.clouds.direction_from_shape(predicted.axis)))
        < 1e-6
    )
