"""`neurok.articulate`: one call gives joints, their kinematics and files that MuJoCo accepts."""

from __future__ import annotations

import numpy as np
import pytest

import neurok
from neurok.assets import shipped
from neurok.errors import InputError
from neurok.kinematics import JointKinematics
from neurok.sequences.load import load_sequences
from neurok.shapes.load import load_shape

pytestmark = pytest.mark.xdist_group("articulate")


@pytest.fixture(scope="module")
def laptop() -> neurok.Articulation:
    return neurok.articulate(shipped("laptop"))


@pytest.mark.slow
def test_a_file_gives_an_articulation_with_its_kinematics(laptop):
    assert [joint.part for joint in laptop.moving] == ["screen"]
    assert isinstance(laptop.kinematics, JointKinematics) and laptop.kinematics.names == ("screen_hinge",)
    assert laptop.confidence == pytest.approx(laptop.moving[0].confidence)
    assert isinstance(laptop.notes, tuple)


@pytest.mark.slow
def test_it_saves_a_mechanism_and_a_sweep(laptop, tmp_path):
    assert (tmp_path / "laptop.urdf") in laptop.save(tmp_path / "laptop.urdf")
    tree = load_shape(tmp_path / "laptop.urdf").joints
    assert tree is not None and tree.dim == 1
    laptop.save(tmp_path / "sweep.glb")
    assert load_sequences(tmp_path / "sweep.glb")[0].travel > 0.5


def test_a_format_without_joints_is_refused_before_anything_is_written(laptop, tmp_path):
    with pytest.raises(InputError, match=r"joints can't be written as \.stl"):
        laptop.save(tmp_path / "laptop.stl")
    assert list(tmp_path.iterdir()) == []


def test_unlikely_joints_become_fixed(laptop):
    assert not laptop.with_likely_joints(0.99).moving
    assert laptop.with_likely_joints(0.99, kept=["screen"]).moving


def test_ranges_extend_to_the_other_side_only_as_far_as_nothing_is_in_the_way(laptop):
    (joint,), (wider,) = laptop.moving, laptop.with_both_ways().moving
    length = joint.upper - joint.lower
    assert wider.lower == min(joint.lower, max(joint.free[0], -length))
    assert wider.upper == max(joint.upper, min(joint.free[1], length))
    assert laptop.carriers(["screen"]) == {"screen", "base"}


def test_a_stuck_joint_of_a_moved_part_is_free_both_ways(laptop):
    from dataclasses import replace

    stuck = replace(laptop, joints=tuple(replace(j, free=(-0.01, 0.01)) for j in laptop.joints))
    (closed,), (opened,) = stuck.with_both_ways().moving, stuck.with_both_ways(["screen"]).moving
    length = closed.upper - closed.lower
    assert np.isclose(opened.upper - opened.lower, 2 * length, rtol=0.5) and opened.upper >= closed.upper
