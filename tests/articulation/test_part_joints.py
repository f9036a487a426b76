"""An articulation becomes a mechanism with the same motion, the right masses, and a valid MuJoCo model."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch

from neurok.articulation import Articulation
from neurok.articulation.annotations import true_articulation, true_joints
from neurok.articulation.articulation import Following
from neurok.articulation.mujoco_reload import check_reload
from neurok.datasets.generators import generators
from neurok.errors import InputError
from neurok.export import save
from neurok.kinematics import JointKinematics
from neurok.shapes import Joint, Link
from neurok.shapes.load import load_shape
from neurok.shapes.mass import part_inertia


def generated(name: str, seed: int = 5):
    return generators()[name](np.random.default_rng(seed))


@pytest.mark.parametrize("name", ["cabinet", "drawer_unit", "fan", "laptop"])
def test_the_tree_moves_the_parts_as_the_joints_it_was_made_from(name: str) -> None:
    shape = generated(name)
    theirs, ours = JointKinematics(shape), JointKinematics(true_articulation(shape).shape_with_joints())
    q = torch.linspace(-0.3, 0.4, len(theirs.rest), dtype=torch.float64)
    assert len(ours.rest) == len(theirs.rest)
    assert torch.allclose(theirs.positions(q), ours.positions(q), atol=1e-9)


def cylindrical(shape) -> Articulation:
    answer = true_articulation(shape)
    first = answer.moving[0]
    joints = [replace(j, kind="cylindrical", slide=(-0.1, 0.2)) if j is first else j for j in answer.joints]
    return Articulation(answer.shape, tuple(joints), "file")


def test_a_cylindrical_joint_turns_and_slides_along_one_axis() -> None:
    answer = cylindrical(generated("laptop"))
    joint, shape = answer.moving[0], answer.shape_with_joints()
    kinematics = JointKinematics(shape)
    names = dict(zip(kinematics.names, kinematics.limits.tolist(), strict=True))
    assert names == {f"{joint.part}_slide": [-0.1, 0.2], f"{joint.part}_hinge": [joint.lower, joint.upper]}
    slid = kinematics.positions(torch.tensor([0.15, 0.0], dtype=torch.float64)).numpy()
    moved = kinematics.shape.vertex_part == shape.part_names.index(joint.part)
    assert np.allclose((slid - kinematics.shape.vertices)[moved], 0.15 * joint.axis, atol=1e-12)
    assert np.allclose((slid - kinematics.shape.vertices)[~moved], 0.0)


@pytest.mark.parametrize("suffix", [".urdf", ".xml"])
def test_mujoco_moves_the_parts_of_a_cylindrical_joint_as_we_do(tmp_path: Path, suffix: str) -> None:
    shape = cylindrical(generated("laptop")).shape_with_joints()
    path = save(shape, tmp_path / f"laptop{suffix}")[0]
    reload = check_reload(path, shape)
    assert reload.joints == 2 and reload.motion_error < 1e-9


def test_links_weigh_what_their_parts_weigh() -> None:
    shape = true_articulation(generated("cabinet")).shape_with_joints()
    assert shape.joints is not None
    for link in shape.joints.links:
        assert link.inertia is not None
        assert link.inertia.mass == pytest.approx(part_inertia(shape, link.name).mass)


def test_a_turn_without_limits_is_continuous() -> None:
    answer = true_articulation(generated("fan"))
    endless = [j.part for j in answer.moving if np.isinf(j.upper)]
    tree = answer.tree()
    assert endless and all(tree.parent_joint[part].kind == "continuous" for part in endless)


def test_an_articulation_has_one_joint_for_each_part() -> None:
    answer = true_articulation(generated("laptop"))
    with pytest.raises(ValueError, match="one joint for each part"):
        Articulation(answer.shape, answer.joints[:1], "file")
    adrift = tuple(replace(j, parent=None) for j in answer.joints)
    with pytest.raises(ValueError, match="nothing carries it"):
        Articulation(answer.shape, adrift, "file")


@pytest.mark.parametrize("name", ["folding_chair", "hand_press", "lattice_gate"])
def test_a_coupled_joint_follows_with_the_slope_of_its_curve(name: str) -> None:
    shape = generated(name)
    theirs, ours = JointKinematics(shape), JointKinematics(true_articulation(shape).shape_with_joints())
    assert len(ours.names) == len(theirs.names) < len(true_articulation(shape).moving)
    q = 1e-4 * torch.linspace(0.5, 1.0, len(theirs.rest), dtype=torch.float64)
    moved, found = (k.positions(k.rest + q) - k.positions(k.rest) for k in (theirs, ours))
    assert torch.allclose(moved, found, atol=2e-3 * float(moved.abs().max()))


@pytest.mark.parametrize("suffix", [".urdf", ".xml"])
def test_mujoco_reads_couplings(tmp_path: Path, suffix: str) -> None:
    shape = true_articulation(generated("folding_chair")).shape_with_joints()
    path = save(shape, tmp_path / f"chair{suffix}")[0]
    assert check_reload(path, shape).motion_error < 1e-9
    (wrote,), (read,) = (
        [j.coupling for j in s.joints.joints if j.coupling] for s in (shape, load_shape(path))
    )
    assert read.joint == wrote.joint and read.coefficients[1] == pytest.approx(wrote.coefficients[1])


def test_a_file_in_which_a_joint_follows_otherwise_is_noticed(tmp_path: Path) -> None:
    shape = true_articulation(generated("folding_chair")).shape_with_joints()
    path = save(shape, tmp_path / "chair.xml")[0]
    other = shape.with_(joints=replace(shape.joints, joints=tuple(
        replace(j, coupling=replace(j.coupling, coefficients=(0.0, -3.0))) if j.coupling else j
        for j in shape.joints.joints
    )))  # fmt: skip
    with pytest.raises(InputError, match="does not follow its leader"):
        check_reload(path, other)


def test_a_follower_goes_as_far_as_its_leader_takes_it() -> None:
    answer = true_articulation(generated("folding_chair"))
    legs, seat = ({j.part: j for j in answer.joints}[name] for name in ("legs", "seat"))
    assert seat.follows is not None and seat.follows.part == "legs"
    assert (seat.lower, seat.upper) == pytest.approx(
        sorted(seat.follows.ratio * end for end in (legs.lower, legs.upper))
    )


def test_a_joint_leads_through_links_without_geometry() -> None:
    shape = generated("folding_chair")
    tree = shape.joints
    joints = [replace(j, child="carrier") if j.child == "legs" else j for j in tree.joints]
    joints.append(Joint("weld", "fixed", "carrier", "legs"))
    other = shape.with_(joints=replace(tree, links=(*tree.links, Link("carrier")), joints=tuple(joints)))
    one, two = ({t.part: t.follows for t in true_joints(s)} for s in (shape, other))
    assert one == two and one["seat"] is not None


def test_a_joint_can_follow_none_that_follows_itself() -> None:
    answer = true_articulation(generated("drawer_unit"))
    first, second, third = answer.moving[:3]
    follows = {second.part: Following(first.part, 1.0), third.part: Following(second.part, 1.0)}
    joints = tuple(replace(j, follows=follows.get(j.part)) for j in answer.joints)
    with pytest.raises(ValueError, match="can't follow"):
        Articulation(answer.shape, joints, "file")


@pytest.mark.parametrize("change", [{"kind": "cylindrical"}, {"kind": "fixed"}])
def test_only_joints_with_one_coordinate_can_follow(change) -> None:
    answer = true_articulation(generated("drawer_unit"))
    first, second = answer.moving[:2]
    follower = replace(second, follows=Following(first.part, 1.0), **change)
    with pytest.raises(ValueError, match="can't follow"):
        Articulation(answer.shape, tuple(follower if j is second else j for j in answer.joints), "file")
