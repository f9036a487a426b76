"""Joints open in the same direction for either sign of their axis: drawers and doors towards the user."""

from __future__ import annotations

import numpy as np
import pytest

from carpentry import chest, locker
from neurok.articulation.articulation import PartJoint
from neurok.articulation.choice import JointChoice
from neurok.articulation.clouds import read_parts
from neurok.articulation.decision import directions, networks, part_joint, parts_batch
from neurok.articulation.features import part_scene
from neurok.articulation.simulator import simulate_parts

WORLD = 2


def joint_of(shape, kind, axis, pivot, length, parent) -> PartJoint:
    """The second part's joint, one way only, on the first or in the world."""
    clouds = read_parts(shape)
    along, through = (
        clouds.direction_from_shape(np.array(axis, float)),
        clouds.point_from_shape(np.array(pivot)),
    )
    still = JointChoice("fixed", along, through, 0.0, 1.0, 1.0)
    moves = JointChoice(kind, along, through, length, 0.9, 1.0)
    scene = part_scene(clouds)
    batch = parts_batch(scene, simulate_parts(scene))
    chosen = directions(batch, [still, moves] + [still] * (clouds.count - 2), networks(None))
    return part_joint(clouds, chosen, parents(clouds.count, parent), 1)


def parents(count: int, parent: int):
    """The first part stands; the second is on another; the third, where there is one, on the second."""
    return np.array([count, count if parent == WORLD else parent, 1][:count])


@pytest.mark.parametrize("sign", [1, -1])
@pytest.mark.parametrize("parent", [0, WORLD])
def test_a_drawer_comes_out(sign, parent):
    joint = joint_of(chest(), "prismatic", (0, 0, sign), (0.0, 0.0, 0.0), 0.5, parent)
    assert joint.axis[2] * (joint.lower + joint.upper) > 0
    assert min(abs(joint.lower), abs(joint.upper)) == 0


@pytest.mark.parametrize("sign", [1, -1])
def test_a_door_opens_to_where_it_is_free(sign):
    joint = joint_of(locker(), "revolute", (0, sign, 0), (-0.5, 0.0, 0.505), 1.5, 0)
    assert joint.axis[1] * (joint.lower + joint.upper) < 0  # about −y its right edge comes towards +z
    assert min(abs(joint.lower), abs(joint.upper)) == 0
