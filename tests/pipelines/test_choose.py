"""Found joints are believed if they are likely, and beyond doubt where the learned prior bends things."""

from __future__ import annotations

import numpy as np
import pytest

from neurok.assets import SHIPPED
from neurok.latent import NeuROK
from neurok.pipelines import choose
from neurok.pipelines.choose import learned_kinematics
from neurok.shapes.load import load_shape


@pytest.fixture(scope="module")
def model() -> NeuROK:
    return NeuROK.from_pretrained()


@pytest.fixture
def bends(monkeypatch) -> None:
    """Whatever the learned prior says of a shape counts as bending it."""
    monkeypatch.setattr(choose, "RIGID", -1.0)


def test_the_joints_of_a_cabinet_are_beyond_doubt_whatever_bends(model, bends):
    learned = learned_kinematics(load_shape(SHIPPED["cabinet"]).with_(joints=None), model)
    assert learned.articulation is not None
    moving = {joint.part for joint in learned.articulation.moving}
    assert moving == {"door", "upper_drawer", "lower_drawer", "lid"}


def test_the_joint_of_a_laptop_is_likely_enough_as_nothing_in_it_bends(model):
    learned = learned_kinematics(load_shape(SHIPPED["laptop"]), model)
    assert learned.articulation is not None
    assert [joint.part for joint in learned.articulation.moving] == ["screen"]


def test_leaves_that_only_may_turn_are_left_to_the_learned_space(model, bends):
    plant = load_shape(SHIPPED["plant"])
    pulled = np.isin(plant.vertex_part, plant.part_names.index("leaf"))
    assert learned_kinematics(plant, model, pulled=pulled).articulation is None


def test_a_flag_has_no_joints(model):
    assert learned_kinematics(load_shape(SHIPPED["flag"]), model).articulation is None
