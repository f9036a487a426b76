"""Generated mechanisms are closed solids on true joints that neither float nor run through each other."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

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
from neurok.objects.kit.crease_normals import split_creases
from neurok.objects.kit.mechanism import coupling_polynomial
from neurok.objects.kit.outlines import arc, rectangle
from neurok.objects.kit.solids import ball, block, extrude, lathe, loop, pill, ring, torus
from neurok.shapes import Shape

SEEDS = range(9)
families = pytest.mark.parametrize(
    "family", [pytest.param(family, marks=pytest.mark.xdist_group(family)) for family in generators()]
)  # all tests of one family in one process, which makes its objects once
CLEARANCE = 0.02  # of the radius: a part farther than this from its parent floats
GROWTH = 0.05  # of the radius: deeper than at rest by this, parts run through each other


@cache
def made(family: str, seed: int) -> Shape:
    return generators()[family](np.random.default_rng(seed))


def volume(shape: Shape) -> float:
    """Σ a · (b × c) / 6 over the faces: right for a closed surface that faces outwards."""
    a, b, c = (shape.vertices[shape.faces[:, k]] for k in range(3))
    return float(np.einsum("ij,ij->", a, np.cross(b, c)) / 6)


SOLIDS = {
    "block": (block((1, 2, 3)), 6.0),
    "bevelled block": (block((1, 2, 3), (4, 5, 6), 1e-4), 6.0),
    "extruded ell": (extrude(np.array([(0, 0), (2, 0), (2, 1), (1, 1), (1, 3), (0.0, 3)]), 0.5), 2.0),
    "cone": (lathe([(1, 0), (0, 3)], 400), np.pi),
    "torus": (torus(2, 0.5, 200, 60), 2 * np.pi**2 * 2 * 0.25),
    "square ring": (ring(np.add(rectangle(1, 1), (2, 0)), 400), 4 * np.pi),
    "ball": (ball(1, sides=200), 4 / 3 * np.pi),
    "pill": (pill((0, 0, 0), (1, 1, 1), 0.1, 100), np.pi * 0.01 * (3**0.5 + 0.4 / 3)),
    "loop": (loop(np.c_[arc(2, 0, 2 * np.pi, 201)[:-1], np.zeros(200)], 0.5, 60), 2 * np.pi**2 * 2 * 0.25),
}


@pytest.mark.parametrize("name", SOLIDS)
def test_solids_are_closed_and_enclose_the_volume_of_their_closed_form(name):
    shape, expected = SOLIDS[name]
    assert shape.surface.is_closed
    assert volume(shape) == pytest.approx(expected, rel=0.02)


def test_creasing_keeps_the_edges_of_a_box_sharp_and_a_ball_smooth():
    box, sphere = split_creases(block((1, 1, 1))), split_creases(ball(1.0))
    assert len(box.vertices) == 24
    assert box.normals is not None and sphere.normals is not None
    assert np.allclose(np.sort(np.abs(box.normals), axis=1), [0, 0, 1])
    assert len(sphere.vertices) == len(ball(1.0).vertices)
    assert (np.einsum("ij,ij->i", sphere.normals, sphere.vertices) > 0.99).all()


@families
@settings(max_examples=2, deadline=None)
@given(seed=st.integers(0, 2**32 - 1))
def test_every_seed_gives_a_sound_shape_and_the_same_one_again(family, seed):
    shape, again = (generators()[family](np.random.default_rng(seed)) for _ in range(2))
    tree = shape.joints
    assert tree is not None and shape.normals is not None
    assert np.isfinite(shape.vertices).all() and np.isfinite(shape.normals).all()
    assert shape.faces.min() >= 0 and shape.faces.max() < len(shape.vertices)
    assert (24 if family in ("contraption", "assembly") else 150) <= len(shape.faces) <= 8000
    assert set(shape.part_names) == {link.name for link in tree.links} == set(tree.order)
    assert len(tree.links) - len(tree.joints) == 1  # one root
    assert tree.dim >= 1 and shape.frame.up == "z"
    assert 0.03 < shape.normalisation.radius < 4.0  # metres
    assert np.array_equal(shape.vertices, again.vertices) and np.array_equal(shape.faces, again.faces)
    assert [m.color for m in shape.materials] == [m.color for m in again.materials]


@families
def test_every_part_is_made_of_closed_solids_facing_outwards(family):
    for seed in SEEDS[:3]:
        shape = made(family, seed)
        for part in range(len(shape.part_names)):
            piece = Shape(shape.vertices, shape.faces[shape.part == part])
            assert piece.surface.is_closed, (seed, shape.part_names[part])
            assert volume(piece) > 0, (seed, shape.part_names[part])


@families
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


@families
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


@families
def test_no_two_seeds_look_alike(family):
    prints = []
    for seed in SEEDS:
        shape = made(family, seed)
        extent = np.diff(shape.bounds, axis=0)[0]
        prints.append((len(shape.vertices), *np.round(extent / extent.max(), 3)))
    assert len(set(prints)) >= len(SEEDS) - 1
    assert len({p[1:] for p in prints}) > 6


@families
def test_no_part_floats_off_its_parent(family):
    for seed in SEEDS[:5]:
        shape = made(family, seed)
        limit = CLEARANCE * shape.normalisation.radius
        for joint in shape.joints.joints:
            gap = distance(shape, joint.child, joint.parent)
            assert gap <= limit, (seed, joint.child, gap / shape.normalisation.radius)


def distance(shape: Shape, one: str, other: str) -> float:
    """Smallest distance between two parts, points of each to the surface of the other."""
    meshes = [(shape.vertices, shape.faces[shape.faces_of(p)]) for p in (one, other)]
    gaps = []
    for (v, f), (_, g) in (meshes, meshes[::-1]):
        points = np.concatenate([v[np.unique(f)], v[f].mean(1)])
        depth = igl.signed_distance(points, v, g, sign_type=igl.SIGNED_DISTANCE_TYPE_FAST_WINDING_NUMBER)[0]
        gaps.append(depth.min())
    return max(0.0, float(min(gaps)))


@families
def test_no_joint_drives_its_part_through_the_others(family):
    """At the ends and the middle of its range, a joint's parts are hardly deeper in others than drawn."""
    for seed in SEEDS[:2]:
        shape = made(family, seed)
        worst = max(penetration_growth(shape, seed).items(), key=lambda item: item[1])
        assert worst[1] <= GROWTH * shape.normalisation.radius, (seed, *worst)


def test_an_arm_that_may_fold_into_its_own_base_is_noticed():
    shape = made("robot_arm", 0)
    joints = tuple(replace(j, lower=-2.9, upper=2.9) for j in shape.joints.joints)
    growth = penetration_growth(shape.with_(joints=replace(shape.joints, joints=joints)), 0)
    assert max(growth.values()) > GROWTH * shape.normalisation.radius


def penetration_growth(shape: Shape, seed: int) -> dict[str, float]:
    """Depth beyond that of the drawn pose, over the range of up to four coordinates."""
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
    """Which parts one coordinate moves, and whether each face belongs to one of them."""
    q = kinematics.rest.clone()
    q[index] += 0.01
    shift = (kinematics.positions(q) - kinematics.positions(kinematics.rest)).abs().amax(-1).numpy()
    shape = kinematics.shape
    moved = np.array(
        [shift[np.unique(shape.faces[shape.faces_of(k)])].max() for k in range(len(shape.part_names))]
    )
    return (moved > 1e-9)[shape.part]


def surface_points(shape: Shape, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Faces and barycentric weights of 300 points, even over the surface."""
    rng = np.random.default_rng(seed)
    a, b, c = (shape.vertices[shape.faces[:, k]] for k in range(3))
    area = np.linalg.norm(np.cross(b - a, c - a), axis=1)
    return rng.choice(len(area), 300, p=area / area.sum()), rng.dirichlet(np.ones(3), 300)


def depth(kinematics, q: torch.Tensor, moving: np.ndarray, points) -> float:
    """How deep the moving faces stand in the still ones, or the other way round, at sampled points."""
    x, faces = kinematics.positions(q).numpy(), kinematics.shape.faces
    face, weight = points
    samples, deepest = np.einsum("pk,pki->pi", weight, x[faces[face]]), 0.0
    for side in (moving, ~moving):
        mine, other = samples[side[face]], faces[~side]
        if len(mine) and len(other):
            kind = igl.SIGNED_DISTANCE_TYPE_FAST_WINDING_NUMBER
            deepest = max(deepest, -float(igl.signed_distance(mine, x, other, sign_type=kind)[0].min()))
    return deepest


def test_slider_crank_follows_the_closed_form_of_its_rod():
    r, ratio = 0.1, 3.0
    coefficients = coupling_polynomial(
        lambda a: r * np.cos(a) + np.sqrt((ratio * r) ** 2 - (r * np.sin(a)) ** 2), -1.4, 1.4
    )
    angle = np.linspace(-1.4, 1.4, 50)
    exact = r * np.cos(angle) + np.sqrt((ratio * r) ** 2 - (r * np.sin(angle)) ** 2) - r - ratio * r
    assert np.abs(np.polynomial.polynomial.polyval(angle, [0, *coefficients]) - exact).max() < 0.01 * r


def test_gears_turn_so_that_their_rims_keep_pace():
    for seed in SEEDS:
        tree = made("gear_train", seed).joints
        kinematics = JointKinematics(made("gear_train", seed))
        q = torch.tensor([0.01], dtype=torch.float64)
        speed = kinematics.joint_values(q).numpy() / 0.01
        centres = np.array([tree.rest_poses[j.child][:3, 3] for j in tree.joints])
        gap = np.linalg.norm(np.diff(centres, axis=0), axis=1)
        # two rims that roll on each other: ω_i r_i = −ω_j r_j with r_i + r_j the distance of the centres
        radius = gap * np.abs(speed[1:]) / (np.abs(speed[:-1]) + np.abs(speed[1:]))
        following = gap - radius
        assert (np.sign(speed[1:]) == -np.sign(speed[:-1])).all()
        assert np.allclose(following[:-1], radius[1:], rtol=1e-9)


@pytest.mark.parametrize("family", ["door", "crank", "pliers", "chain", "umbrella"])
def test_exported_mechanisms_load_and_step_in_mujoco(family, tmp_path):
    shape = made(family, 1)
    report = check_in_mujoco(save_mjcf(shape, tmp_path / f"{family}.xml"), steps=100)
    assert report.is_sound, report.warnings
    assert set(report.joints) == {j.name for j in shape.joints.joints}
