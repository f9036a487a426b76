"""Pushes that are drawn for training: what they say of the true motion, and what moves."""

from __future__ import annotations

from math import cos

import numpy as np
import pytest

from carpentry import closet
from neurok.articulation.parts.patch_features import read_patches
from neurok.datasets.patch_examples import CACHE, FUSED_CACHE, RIGID_CACHE
from neurok.training.patches import PatchesData, PatchesTask
from neurok.training.pushes import MAX_TILT, draw_push, pushed_batch

DRAWS = 40


@pytest.fixture(scope="module")
def example():
    return single(CACHE.make(closet()))


def single(arrays):
    """Arrays in single precision, as the cache gives them."""
    return {n: a.astype(np.float32) if a.dtype.kind == "f" else a for n, a in arrays.items()}


def test_motions_of_a_surface_are_those_of_its_joints(example):
    shape = closet()
    door = [bool(bodies[1]) for bodies in example["motion_bodies"]]
    assert example["motion_bodies"][:, 0].sum() == 0 and example["motion_bodies"].shape == (2, 3)
    assert example["motion_bodies"][door.index(True)].tolist() == [False, True, True]  # the knob goes along
    assert example["motion_range"][door.index(True)] == pytest.approx([0.0, 1.5])
    pivot = shape.normalisation.apply(np.array([-0.5, 0.0, 0.52]))
    turn = read_patches(shape.with_(joints=None)).turn
    assert example["motion_pivot"][door.index(True)] == pytest.approx(turn @ pivot, abs=1e-6)


def test_a_push_is_on_what_moves_and_along_its_motion(example):
    rng = np.random.default_rng(0)
    door, body = (example["centres"][example["part"] == k].mean(0) for k in (1, 0))
    outwards = door - body
    for _ in range(DRAWS):
        push = draw_push(example, rng)
        if push.moves.all():
            assert example["part"][push.patch] == 0 and not push.velocity.any()
            continue
        assert push.moves[push.patch] and example["part"][push.patch] > 0
        assert not push.velocity[~push.moves].any()
        if example["part"][push.patch] == 1:  # the door has room on one side only: it leaves the body
            assert set(example["part"][push.moves]) == {1, 2}
            assert push.velocity[push.patch] @ outwards > 0


def test_velocities_are_those_of_a_rigid_motion_through_the_pushed_point(example):
    rng = np.random.default_rng(1)
    drawn = (draw_push(example, rng) for _ in range(DRAWS))
    push = next(p for p in drawn if p.moves.sum() > 5 and p.velocity.any())
    row = int(np.flatnonzero(example["motion_bodies"][:, example["part"][push.patch]])[0])
    axis, pivot = example["motion_axis"][row], example["motion_pivot"][row]
    fast = np.cross(axis, push.point - pivot)
    each = np.cross(axis, example["centres"] - pivot) / np.linalg.norm(fast)
    sign = np.sign(fast @ push.way)
    assert push.velocity[push.moves] == pytest.approx(sign * each[push.moves], abs=1e-4)
    assert sign * fast @ push.way >= cos(MAX_TILT) * np.linalg.norm(fast) - 1e-6


def test_turned_and_mirrored_examples_move_as_their_geometry(example):
    """The door still opens outwards; in a mirror the axis of a turn changes its sign."""
    task = PatchesTask.__new__(PatchesTask)
    task.data = PatchesData(jitter=0.0, drop_bodies=0.0, patches=10_000)
    row = int(np.flatnonzero(example["motion_bodies"][:, 1])[0])
    door = np.flatnonzero(example["part"] == 1)
    middle, rim = example["centres"].mean(0), example["motion_pivot"][row]
    opens = np.cross(example["motion_axis"][row], example["centres"][door] - rim) @ (rim - middle)
    for seed in range(8):
        varied = task._varied(example, np.random.default_rng(seed))
        rim, middle = varied["motion_pivot"][row], varied["centres"].mean(0)
        again = np.cross(varied["motion_axis"][row], varied["centres"][door] - rim) @ (rim - middle)
        assert again == pytest.approx(opens, abs=1e-4)


def test_everything_goes_with_a_push_on_a_single_rigid_body():
    made = RIGID_CACHE.make(closet())
    push = draw_push(made, np.random.default_rng(0))
    assert push.moves.all() and made["motion_bodies"].shape[0] == 0


def test_what_stays_weighs_no_more_than_three_times_what_moves():
    fused = single(FUSED_CACHE.make(closet()))
    rng = np.random.default_rng(2)
    _, push, _, labels = pushed_batch([(fused, draw_push(fused, rng)) for _ in range(6)])
    assert labels.weight.sum(1).tolist() == pytest.approx([1.0] * 6, abs=1e-5)
    moving = (labels.weight * labels.moves).sum(1)
    assert (moving >= 0.25 - 1e-5).all()
    assert push.way.norm(dim=1).tolist() == pytest.approx([1.0] * 6, abs=1e-5)
