"""Posed scores against doors whose distances are known in closed form."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from neurok.articulation.annotations import true_joints
from neurok.evaluation.articulation.posed import STATES, box_overlap, chamfer, far_pose, posed_scores
from neurok.evaluation.articulation.whole import NO_AXIS, axis_errors, rigid
from neurok.kinematics.joints import joints_of
from neurok.objects import families
from neurok.shapes import Shape


@pytest.fixture(scope="module")
def cabinet() -> Shape:
    return families()["cabinet"](np.random.default_rng(2))


def test_the_truth_scores_best(cabinet):
    for scores in posed_scores(cabinet, cabinet):
        assert (scores.chamfer, scores.whole_chamfer) == (0, 0)
        assert scores.giou == pytest.approx(1) and scores.miou == pytest.approx(1)


def with_joints(shape: Shape, change) -> Shape:
    tree = shape.joints
    assert tree is not None
    return shape.with_(joints=replace(tree, joints=tuple(change(j) for j in tree.joints)))


def test_the_direction_of_the_axis_does_not_matter_and_that_of_the_motion_does(cabinet):
    turned = with_joints(cabinet, lambda j: replace(j, axis=-j.axis, lower=-j.upper, upper=-j.lower))
    wrong = with_joints(cabinet, lambda j: replace(j, axis=-j.axis))
    assert posed_scores(turned, cabinet)[-1].chamfer == pytest.approx(0, abs=1e-20)
    assert posed_scores(wrong, cabinet)[-1].chamfer > 1e-3
    assert posed_scores(wrong, cabinet)[0].chamfer == 0  # at rest


def test_half_the_range_falls_behind_more_and_more(cabinet):
    short = with_joints(
        cabinet, lambda j: j if not j.dim else replace(j, lower=j.lower / 2, upper=j.upper / 2)
    )
    errors = [scores.whole_chamfer for scores in posed_scores(short, cabinet)]
    assert len(errors) == len(STATES) and (np.diff(errors) > 0).all()


def test_one_rigid_body_is_worse_at_rest_too(cabinet):
    """Parts that are not found count as unmatched, although no point is elsewhere."""
    stiff = with_joints(cabinet, lambda j: replace(j, kind="fixed", coupling=None))
    at_rest = posed_scores(stiff, cabinet)[0]
    assert at_rest.whole_chamfer == 0 and at_rest.chamfer > 0.1 and at_rest.giou < 0.5


def test_every_joint_reaches_the_limit_farther_from_rest(cabinet):
    kinematics = joints_of(cabinet)
    far = far_pose(kinematics, 1.0)
    limits = kinematics.finite_limits(np.pi)
    assert ((far == limits[:, 0]) | (far == limits[:, 1])).all()
    assert ((far - kinematics.rest).abs() >= (limits - kinematics.rest[:, None]).abs().amax(1) - 1e-12).all()


def test_boxes_and_clouds_at_known_distances():
    corners = np.array(np.meshgrid([0.0, 1.0], [0.0, 1.0], [0.0, 1.0])).reshape(3, -1).T
    half, far, near = (corners + np.array([x, 0.0, 0.0]) for x in (0.5, 3.0, 0.25))
    assert box_overlap(corners, half) == pytest.approx((1 / 3, 1 / 3))  # the hull is the union
    assert box_overlap(corners, far) == pytest.approx((-0.5, 0.0))  # hull 4, union 2
    assert chamfer(corners, near) == pytest.approx(2 * 0.25**2)


def test_axes_are_judged_at_the_part_that_covers_the_true_one(cabinet):
    moving = [joint for joint in true_joints(cabinet) if joint.kind != "fixed"]
    assert axis_errors(cabinet, cabinet) == pytest.approx([0.0] * len(moving))
    assert axis_errors(rigid(cabinet), cabinet) == (NO_AXIS,) * len(moving)
    tilted = with_joints(cabinet, lambda j: replace(j, axis=np.roll(j.axis, 1)) if j.dim else j)
    assert axis_errors(tilted, cabinet) == pytest.approx([90.0] * len(moving))
    one_more = cabinet.with_(part=np.roll(cabinet.part, 1))  # a face of each part has another label
    assert axis_errors(one_more, cabinet) == pytest.approx([0.0] * len(moving))
