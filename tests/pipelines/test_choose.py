"""Found joints are used if they are likely, independently of the learned prior."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
import pytest
import torch

from neurok.articulation.decision import predict_joints
from neurok.assets import SHIPPED
from neurok.dynamics import Drag, Push
from neurok.errors import InputError
from neurok.kinematics import ElasticKinematics, JointKinematics
from neurok.latent.kinematics import LatentKinematics
from neurok.pipelines import choose
from neurok.pipelines.choose import (
    Surroundings,
    Tug,
    choose_kinematics,
    find_joints,
    fitting_spaces,
    likely_joints,
)
from neurok.pipelines.simulate import _tugs
from neurok.shapes.load import load_shape


@pytest.fixture(scope="module")
def laptop():
    return load_shape(SHIPPED["laptop"])


@pytest.fixture(scope="module")
def plant():
    return load_shape(SHIPPED["plant"])


def test_the_joints_of_a_file_come_first():
    chosen = choose_kinematics(load_shape(SHIPPED["cabinet"]))
    assert isinstance(chosen.kinematics, JointKinematics) and "the file has joints" in chosen.line


@pytest.mark.slow
def test_found_joints_are_joint_kinematics_with_names_ranges_and_confidences():
    bare = load_shape(SHIPPED["cabinet"]).with_(joints=None)
    chosen = choose_kinematics(bare)
    assert isinstance(chosen.kinematics, JointKinematics)
    assert set(chosen.kinematics.names) == {
        "door_hinge",
        "upper_drawer_slide",
        "lower_drawer_slide",
        "lid_hinge",
    }
    assert torch.isfinite(chosen.kinematics.limits).all()
    confidences = [joint.confidence for joint in chosen.kinematics.movable]
    assert all(c is not None and 0.5 <= c <= 1 for c in confidences)
    assert re.match(r"cabinet: 4 joints found: door \(revolute, 9\d %\), ", chosen.line)


@pytest.mark.slow
def test_the_laptop_says_which_joint_it_has(laptop):
    chosen = choose_kinematics(laptop)
    assert chosen.kinematics.names == ("screen_hinge",)
    assert re.search(r"laptop: 1 joint found: screen \(revolute, 9\d %\)", chosen.line)


@pytest.mark.slow
def test_joints_are_found_without_encoding_a_shape_whose_file_names_parts(laptop, monkeypatch):
    def fail(*_):
        raise AssertionError("the shape was encoded")

    monkeypatch.setattr("neurok.latent.kinematics.encode_shape", fail)
    monkeypatch.setattr("neurok.articulation.parts.learned_motion.encode_shape", fail)
    assert isinstance(choose_kinematics(laptop).kinematics, JointKinematics)


@pytest.mark.slow
def test_unlikely_joints_are_left_to_the_latent_space_whose_named_parts_move_as_one(plant):
    chosen = choose_kinematics(plant)
    assert isinstance(chosen.kinematics, LatentKinematics)
    skin = chosen.kinematics.basis.skin
    for part in range(len(plant.part_names)):
        own = plant.vertex_part == part
        assert (skin.handles[own] == skin.handles[own][0]).all()
        assert np.allclose(skin.weights[own], skin.weights[own][0])


def test_latents_are_the_networks_space_where_they_are_asked_for(laptop):
    chosen = choose_kinematics(laptop, "latent")
    assert isinstance(chosen.kinematics, LatentKinematics)
    assert chosen.kinematics.names[0] == "latent_1"


@pytest.mark.slow
def test_a_plush_toy_is_one_part_without_joints():
    found = find_joints(load_shape(SHIPPED["teddy"]))
    assert found.parts_source == "one part" and likely_joints(found) is None


@pytest.mark.slow
def test_parts_of_an_uncertain_cut_carry_no_joints(laptop):
    found = find_joints(laptop)
    assert likely_joints(found) is not None
    assert likely_joints(replace(found, parts_confidence=0.4)) is None


def test_a_flag_has_no_joints():
    flag = load_shape(SHIPPED["flag"])
    with pytest.raises(InputError, match="no joints are found"):
        choose_kinematics(flag, "joints")


@pytest.mark.slow
def test_the_likeliest_joint_of_a_pulled_part_is_used_at_any_confidence(plant):
    pulled = np.isin(plant.vertex_part, plant.part_names.index("leaf"))
    found = find_joints(plant, Surroundings(pulled=pulled))
    assert likely_joints(found) is None
    likely = likely_joints(found, pulled)
    assert likely is not None and [joint.part for joint in likely.moving] == ["leaf"]


@pytest.mark.slow
def test_elastic_modes_are_taken_where_the_model_is_not_confident(monkeypatch):
    teddy = load_shape(SHIPPED["teddy"])
    monkeypatch.setattr(choose, "MIN_LATENT_CONFIDENCE", 0.0)
    sure = choose_kinematics(teddy)
    assert isinstance(sure.kinematics, LatentKinematics) and "the model is confident" in sure.why
    monkeypatch.setattr(choose, "MIN_LATENT_CONFIDENCE", 2.0)
    unsure = choose_kinematics(teddy, modes=4)
    assert isinstance(unsure.kinematics, ElasticKinematics) and "below 2" in unsure.why


def test_the_base_is_held_but_for_what_is_pulled():
    base, pulled = np.array([True, True, False]), np.array([False, True, True])
    assert Surroundings(base=base, pulled=pulled).held.tolist() == [True, False, False]  # pyright: ignore
    assert Surroundings(pinned=pulled, base=base).held is pulled


@pytest.mark.slow
def test_named_parts_are_rigid_in_a_fit(laptop):
    from neurok.latent import NeuROK
    from neurok.latent.reduction import FOR_FITTING

    (space,) = fitting_spaces(laptop, NeuROK.from_pretrained(), FOR_FITTING)
    assert (space.basis.skin.weights.shape[1], len(np.unique(space.basis.skin.handles[:, 0]))) >= (1, 1)
    assert len(np.unique(space.basis.skin.weights.round(9), axis=0)) <= len(laptop.part_names)


UP = np.array([0.0, 0.0, 3.0])


def test_pushes_and_drags_tell_the_place_and_the_direction(laptop):
    screen, corner = laptop.part_names.index("screen"), laptop.vertices.max(0)
    tugs = _tugs(
        laptop,
        [Push((0, -2.0, 0), at="screen"), Drag(at=corner, to=corner + UP), Push((0, 0, 0), at=0)],
    )
    assert len(tugs) == 2  # no direction, no evidence
    pushed, dragged = (tug.on(laptop) for tug in tugs)
    assert pushed.part == "screen" and np.allclose(pushed.way, (0, -2, 0))
    own = laptop.vertices[laptop.vertex_part == screen]
    assert (own.min(0) <= pushed.point).all() and (pushed.point <= own.max(0)).all()
    nearest = laptop.vertices[tugs[1].vertices[0]]
    assert np.allclose(dragged.way, corner + UP - nearest)


@pytest.mark.slow
def test_what_is_pushed_is_evidence_but_not_where_it_is_pinned(laptop, monkeypatch):
    given = []

    def predicted(parts, **options):
        given.append([pull.part for pull in options["pulls"]])
        return predict_joints(parts, **options)

    monkeypatch.setattr(choose, "predict_joints", predicted)
    tugs = (
        Tug(np.flatnonzero(laptop.vertex_part == laptop.part_names.index("screen")), np.array([0, 1.0, 0])),
    )
    find_joints(laptop, Surroundings(tugs=tugs))
    pinned = laptop.vertex_part == laptop.part_names.index("screen")
    find_joints(laptop, Surroundings(pinned=pinned, tugs=tugs))
    assert given == [["screen"], []]
