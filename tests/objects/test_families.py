"""Generated mechanisms are closed solids on true joints that neither float nor interpenetrate."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from itertools import permutations

import igl
import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from neurok.datasets.generators import generators
from neurok.export.robots.mjcf import save_mjcf
from neurok.export.robots.mujoco_check import check_in_mujoco
from neurok.kinematics.joints import JointKinematics
from neurok.shapes import Shape
from volumes import enclosed_volume

SEEDS = range(4)
QUICK = ("door", "laptop", "scissors", "gear_train", "robot_arm")  # `make check` tests these families
each_family = pytest.mark.parametrize(
    "family",
    [
        pytest.param(
            family, marks=[pytest.mark.xdist_group(family), *([] if family in QUICK else [pytest.mark.slow])]
        )
        for family in generators()
    ],
)  # all tests of one family in one process, which makes its objects once
MAX_GAP = 0.02  # of the radius, between a part and its parent
MAX_DEPTH_GROWTH = 0.05  # of the radius: penetration beyond that of the drawn pose


@cache
def made(family: str, seed: int) -> Shape:
    return generators()[family](np.random.default_rng(seed))


@each_family
@settings(max_examples=2, deadline=None)
@given(seed=st.integers(0, 2**32 - 1))
def test_every_seed_gives_a_sound_shape_and_the_same_one_again(family, seed):
    shape, again = made(family, seed), generators()[family](np.random.default_rng(seed))
    tree = shape.joints
    assert tree is not None and shape.normals is not None
    assert np.isfinite(shape.vertices).all() and np.isfinite(shape.normals).all()
    assert shape.faces.min() >= 0 and shape.faces.max() < len(shape.vertices)
    assert (24 if family in ("contraption", "assembly") else 96) <= len(shape.faces) <= 8000
    assert set(shape.part_names) == {link.name for link in tree.links} == set(tree.order)
    assert len(tree.links) - len(tree.joints) == 1  # one root
    assert tree.dim >= 1 and shape.frame.up == "z"
    assert 0.03 < shape.normalisation.radius < 4.0  # metres
    assert np.array_equal(shape.vertices, again.vertices) and np.array_equal(shape.faces, again.faces)
    assert [m.color for m in shape.materials] == [m.color for m in again.materials]


@each_family
def test_every_part_is_made_of_closed_solids_facing_outwards(family):
    for seed in SEEDS[:2]:
        shape = made(family, seed)
        for part in range(len(shape.part_names)):
            piece = Shape(shape.vertices, shape.faces[shape.part == part])
            assert piece.surface.is_closed, (seed, shape.part_names[part])
            assert enclosed_volume(piece.vertices, piece.faces) > 0, (seed, shape.part_names[part])


@each_family
def test_limits_are_finite_unless_a_joint_is_continuous_and_hold_the_drawn_pose(family):
    for seed in SEEDS:
        for joint in made(family, seed).joints.joints:
            if joint.kind == "continuous":
                assert np.isinf([joint.lower, joint.upper]).all()
            elif joint.kind == "fixed":
                assert joint.lower == joint.rest == joint.upper
            else:
                assert np.isfinite([joint.lower, joint.upper]).all() and joint.lower < joint.upper
                assert joint.lower - 1e-3 <= joint.rest <= joint.upper + 1e-3, (seed, joint.name)


@each_family
def test_followers_stay_within_their_own_limits(family):
    for seed in SEEDS:
        tree = made(family, seed).joints
        by_name = {j.name: j for j in tree.joints}
        for joint in tree.joints:
            if joint.coupling is None or joint.kind == "continuous":
                continue
            leader = by_name[joint.coupling.joint]
            x = np.linspace(leader.lower, leader.upper, 33)
            y = np.polynomial.polynomial.polyval(x, joint.coupling.coefficients)
            slack = 0.02 * (joint.upper - joint.lower)
            assert joint.lower - slack <= y.min() and y.max() <= joint.upper + slack, (seed, joint.name)


@each_family
def test_seeds_give_different_proportions(family):
    prints = []
    for seed in SEEDS:
        shape = made(family, seed)
        extent = np.diff(shape.bounds, axis=0)[0]
        prints.append((len(shape.vertices), *np.round(extent / extent.max(), 3)))
    assert len(set(prints)) >= len(SEEDS) - 1
    assert len({p[1:] for p in prints}) > len(SEEDS) / 2


@each_family
def test_no_part_floats_off_its_parent(family):
    for seed in SEEDS[:2]:
        shape = made(family, seed)
        limit = MAX_GAP * shape.normalisation.radius
        for joint in shape.joints.joints:
            gaps = (distance(shape, *pair) for pair in permutations((joint.child, joint.parent)))
            assert any(gap <= limit for gap in gaps), (seed, joint.child)


def distance(shape: Shape, one: str, other: str) -> float:
    """Smallest signed distance of vertices and face centres of one part to the surface of the other."""
    v, mine, theirs = shape.vertices, *(shape.faces[shape.faces_of(part)] for part in (one, other))
    points = np.concatenate([v[np.unique(mine)], v[mine].mean(1)])
    kind = igl.SIGNED_DISTANCE_TYPE_FAST_WINDING_NUMBER
    return float(igl.signed_distance(points, v, theirs, sign_type=kind)[0].min())


@each_family
def test_no_joint_drives_its_part_through_the_others(family):
    """At the ends and the middle of a joint's range, penetration hardly exceeds that of the drawn pose."""
    for seed in SEEDS[:2]:
        shape = made(family, seed)
        worst = max(penetration_growth(shape, seed).items(), key=lambda item: item[1])
        assert worst[1] <= MAX_DEPTH_GROWTH * shape.normalisation.radius, (seed, *worst)


def test_an_arm_that_may_fold_into_its_own_base_is_noticed():
    shape = made("robot_arm", 0)
    joints = tuple(replace(j, lower=-2.9, upper=2.9) for j in shape.joints.joints)
    growth = penetration_growth(shape.with_(joints=replace(shape.joints, joints=joints)), 0)
    assert max(growth.values()) > MAX_DEPTH_GROWTH * shape.normalisation.radius


def penetration_growth(shape: Shape, seed: int) -> dict[str, float]:
    """Penetration beyond that of the drawn pose, over the ranges of up to four coordinates."""
    kinematics = JointKinematics(shape)
    limits, points = kinematics.finite_limits(1.0), surface_points(kinematics.shape, seed)
    growth = {}
    for index in np.unique(np.linspace(0, len(kinematics.names) - 1, 4).astype(int)):
        moving = moving_parts(kinematics, index)
        drawn, deepest = depth(kinematics, kinematics.rest, moving, points), 0.0
        for share in (0.0, 0.5, 1.0):
            q = kinematics.rest.clone()
            q[index] = limits[index, 0] + share * (limits[index, 1] - limits[index, 0])
            if abs(q[index] - kinematics.rest[index]) > 1e-6:
                deepest = max(deepest, depth(kinematics, q, moving, points) - drawn)
        growth[kinematics.names[index]] = deepest
    return growth


def moving_parts(kinematics: JointKinematics, index: int) -> np.ndarray:
    """For each face, whether its part moves with a coordinate."""
    q = kinematics.rest.clone()
    q[index] += 0.01
    shift = (kinematics.positions(q) - kinematics.positions(kinematics.rest)).abs().amax(-1).numpy()
    shape = kinematics.shape
    moved = np.array(
        [shift[np.unique(shape.faces[shape.faces_of(k)])].max() for k in range(len(shape.part_names))]
    )
    return (moved > 1e-9)[shape.part]


def surface_points(shape: Shape, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Faces and barycentric weights of 300 uniform points on the surface."""
    rng = np.random.default_rng(seed)
    a, b, c = (shape.vertices[shape.faces[:, k]] for k in range(3))
    area = np.linalg.norm(np.cross(b - a, c - a), axis=1)
    return rng.choice(len(area), 300, p=area / area.sum()), rng.dirichlet(np.ones(3), 300)


def depth(kinematics, q: torch.Tensor, moving: np.ndarray, points) -> float:
    """Largest penetration of moving into fixed parts, or the reverse, at sampled points."""
    x, faces = kinematics.positions(q).numpy(), kinematics.shape.faces
    face, weight = points
    samples, deepest = np.einsum("pk,pki->pi", weight, x[faces[face]]), 0.0
    for side in (moving, ~moving):
        mine, other = samples[side[face]], faces[~side]
        if len(mine) and len(other):
            kind = igl.SIGNED_DISTANCE_TYPE_FAST_WINDING_NUMBER
            deepest = max(deepest, -float(igl.signed_distance(mine, x, other, sign_type=kind)[0].min()))
    return deepest


@pytest.mark.parametrize("family", ["door", "crank", "pliers", "chain", "umbrella"])
def test_exported_mechanisms_load_and_step_in_mujoco(family, tmp_path):
    shape = made(family, 1)
    report = check_in_mujoco(save_mjcf(shape, tmp_path / f"{family}.xml"), steps=100)
    assert report.is_sound, report.warnings
    assert set(report.joints) == {j.name for j in shape.joints.joints}
