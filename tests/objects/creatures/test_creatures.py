"""Skeletons move as chains of rigid bones; skins follow the bones that they lie on."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from neurok.errors import Rejected
from neurok.objects.creatures import creature_families
from neurok.objects.creatures.flesh import skin_of, weights_of
from neurok.objects.creatures.gaits import gait, poses
from neurok.objects.creatures.skeleton import Plan
from neurok.objects.soft import checks

QUARTER = np.pi / 2


@pytest.fixture(scope="module")
def arm():
    """Two bones along −y, each a metre long."""
    plan = Plan()
    plan.limb(-1, np.array([[0, 0, 0], [0, -1, 0], [0, -2, 0]], float), np.full(3, 0.2), (0.5, 0.1, 0.3))
    return plan.built()


def test_a_bent_elbow_carries_the_forearm_and_leaves_the_upper_arm(arm):
    angles = np.zeros((2, 2, 3))
    angles[1, 1] = arm.frame[1].T @ [0, 0, QUARTER]  # about the world's z
    maps = arm.posed(angles, np.zeros((2, 3)))
    upper, lower = maps[1]
    assert upper[:, :3] @ [0, -1, 0] + upper[:, 3] == pytest.approx([0, -1, 0])
    assert lower[:, :3] @ [0, -2, 0] + lower[:, 3] == pytest.approx([1, -1, 0])
    assert maps[0] == pytest.approx(np.tile(np.eye(3, 4), (2, 1, 1)))


def test_a_turned_shoulder_carries_the_whole_arm(arm):
    angles = np.zeros((1, 2, 3))
    angles[0, 0] = arm.frame[0].T @ [0, 0, QUARTER]
    ends = arm.posed(angles, np.array([[0, 0, 0.5]]))[0, 1]
    assert ends[:, :3] @ [0, -2, 0] + ends[:, 3] == pytest.approx([2, 0, 0.5])


def test_the_skin_is_as_thick_as_the_flesh_and_follows_the_nearest_bone(arm):
    vertices, faces = skin_of(arm, 0.02, 60, 100_000)
    middle = np.abs(vertices[:, 1] + 1) < 0.8
    assert np.hypot(*vertices[middle][:, [0, 2]].T) == pytest.approx(0.2, abs=0.03)
    weights = weights_of(arm, vertices, faces, 0.5)
    assert weights.sum(1) == pytest.approx(1.0) and (weights >= 0).all()
    assert weights[vertices[:, 1] > -0.5, 0].min() > 0.95
    assert weights[vertices[:, 1] < -1.5, 1].min() > 0.95
    joint = np.abs(vertices[:, 1] + 1) < 0.02
    assert 0.3 < weights[joint, 0].mean() < 0.7


@pytest.mark.parametrize("move", [gait, poses])
def test_motions_start_at_rest_and_stay_within_the_swing(arm, move):
    for seed in range(5):
        angles, lift = move(np.random.default_rng(seed), arm, 24)
        assert not angles[0].any() and not lift[0].any()
        assert (np.abs(angles) <= arm.swing + 1e-12).all() and np.abs(angles).max() > 0


@cache
def accepted(name: str, tries: int = 6):
    for seed in range(tries):
        try:
            return seed, creature_families()[name](np.random.default_rng(seed))
        except Rejected:
            continue
    raise AssertionError(f"{name}: seeds 0 to {tries - 1} were all rejected")


@pytest.mark.parametrize("name", creature_families())
def test_family_gives_clips_of_one_shape_that_start_at_rest(name):
    _, clips = accepted(name)
    shape = clips[0].shape
    assert 1 <= len(clips) <= 3 and 30 <= sum(map(len, clips)) <= 60
    assert len(np.unique(shape.faces)) == len(shape.vertices) and shape.frame.up == "z"
    for clip in clips:
        assert clip.shape is shape and clip.travel > checks.MIN_MOTION
        np.testing.assert_allclose(clip.positions[0], shape.vertices, atol=1e-9)


@pytest.mark.parametrize("name", ["fish", "garment"])
def test_the_same_seed_gives_the_same_clips(name):
    seed, clips = accepted(name)
    again = creature_families()[name](np.random.default_rng(seed))
    assert all((one.positions == two.positions).all() for one, two in zip(clips, again, strict=True))
