"""The geometric simulator on furniture whose motion is known."""

from __future__ import annotations

import numpy as np
import pytest

from carpentry import chest, locker
from neurok.articulation.clouds import read_parts
from neurok.articulation.features import part_scene
from neurok.articulation.neighbours import (
    contact_graph,
    contact_shares,
    dependent_parts,
    likely_base,
    part_trees,
)
from neurok.articulation.simulator import check_range, free_range, simulate_part


@pytest.fixture(scope="module")
def drawer():
    clouds = read_parts(chest())
    return clouds, part_scene(clouds)


def test_a_drawer_slides_out_only(drawer):
    clouds, _ = drawer
    out = clouds.direction_from_shape(np.array([0.0, 0.0, 1.0]))
    free = free_range(clouds, np.array([1]), "prismatic", out, np.zeros(3), 1.0)
    assert free.upper * clouds.radius == pytest.approx(0.94, abs=0.08)  # until it leaves the carcass
    assert free.lower == pytest.approx(0.0, abs=0.05)
    for side in np.eye(3)[:2]:
        across = clouds.direction_from_shape(side)
        blocked = free_range(clouds, np.array([1]), "prismatic", across, np.zeros(3), 1.0)
        assert blocked.upper - blocked.lower < 0.06


def test_what_holds_over_the_range_of_a_drawer(drawer):
    clouds, _ = drawer
    out, up = (clouds.direction_from_shape(np.eye(3)[i]) for i in (2, 1))
    for axis, lower, upper, wanted in (
        (out, 0.0, 0.4, (True, True)),
        (out, -0.2, 0.4, (False, True)),  # into the back
        (up, 0.0, 0.3, (False, True)),  # through the top
        (out, 0.0, 3.0, (True, False)),  # out of the carcass
        (out, 0.0, 0.0, (True, True)),
    ):
        assert check_range(clouds, np.array([1]), "prismatic", axis, np.zeros(3), lower, upper) == wanted


def test_candidates_of_a_drawer_hold_its_slide_and_no_turn(drawer):
    clouds, scene = drawer
    found = scene.candidates[1]
    free = simulate_part(clouds, scene.shares, 1, scene.base, found)
    out = np.abs(found.axes @ clouds.direction_from_shape(np.array([0.0, 0.0, 1.0])))
    length = free.slide[1] - free.slide[0]
    assert length[np.argmax(out)] > 0.8
    assert length[(out < 0.1) & found.valid].max() < 0.06
    assert np.degrees((free.turn[1] - free.turn[0])[found.valid]).max() < 20


def test_a_door_opens_outwards_about_its_edge():
    clouds = read_parts(locker())
    shares = contact_shares(clouds, part_trees(clouds))
    assert clouds.names[likely_base(clouds, shares)] == "body"
    assert dependent_parts(contact_graph(shares), 1, 0).tolist() == [
        False,
        False,
        True,
    ]  # the knob goes with the door
    edge = clouds.point_from_shape(np.array([-0.5, 0.0, 0.525]))
    up = np.array([0.0, 1.0, 0.0])
    free = free_range(clouds, np.array([1, 2]), "revolute", up, edge, np.pi)
    opens, closes = sorted((abs(free.lower), abs(free.upper)), reverse=True)
    assert np.degrees(opens) > 80
    assert np.degrees(closes) < 10
    door = clouds, np.array([1, 2]), "revolute", up if free.upper == opens else -up, edge
    assert check_range(*door, 0.0, np.radians(80)) == (True, True)
    assert not check_range(*door, -np.radians(60), 0.0).clear


def test_an_edge_far_from_the_body_loses_it():
    clouds = read_parts(locker())
    far = clouds.point_from_shape(np.array([3.0, 0.0, 0.525]))
    free = free_range(clouds, np.array([1, 2]), "revolute", np.array([0.0, 1, 0]), far, np.pi)
    assert np.degrees(free.upper - free.lower) < 45
