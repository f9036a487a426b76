"""A push is evidence of the joint of the pushed part."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from carpentry import board, locker
from neurok.articulation.choice import choose_joints
from neurok.articulation.clouds import read_parts
from neurok.articulation.decision import networks, parts_batch, predict_joints, score
from neurok.articulation.features import part_scene
from neurok.articulation.parts.find import find_parts
from neurok.articulation.push_evidence import (
    ALIGNMENT,
    LEVER,
    Pull,
    push_sign,
    slide_likelihood,
    turn_likelihood,
)
from neurok.articulation.simulator import simulate_parts
from neurok.shapes.shape import concatenate

BODY, DOOR, KNOB = range(3)


@pytest.fixture(scope="module")
def scored():
    """A locker with its door in front, and scores that know neither axes nor lines."""
    scene = part_scene(read_parts(locker()))
    scores = score(parts_batch(scene, simulate_parts(scene)), networks(None))
    valid = torch.tensor(np.stack([c.valid for c in scene.candidates]))
    flat = torch.where(valid, 0.0, -50.0)[None].double()
    parent = torch.full_like(scores.parent, -50.0)
    parent[0, [BODY, DOOR, KNOB], [3, BODY, DOOR]] = 0.0
    return scene, scores._replace(
        turn_axis=flat, slide_axis=flat, parent=parent, line=torch.zeros_like(scores.line),
        pull=torch.zeros_like(scores.pull),
    )  # fmt: skip


def with_kinds(scores, *rows):
    """Scores with these probabilities of fixed, revolute and prismatic."""
    likely = np.array([[*row, 1e-9] for row in rows])
    return scores._replace(kind=torch.tensor(np.log(likely))[None])


STANDS, TURNS, SLIDES = (0.98, 0.01, 0.01), (0.2, 0.7, 0.1), (0.1, 0.2, 0.7)


@pytest.mark.parametrize("side", [1.0, -1.0])
def test_a_door_turns_about_the_edge_opposite_to_the_push(scored, side) -> None:
    scene, scores = scored
    pull = Pull("door", np.array([0.5 * side, 0.0, 0.545]), np.array([0.0, 0.0, 1.0]))
    chosen, _ = choose_joints(scene, with_kinds(scores, STANDS, TURNS, STANDS), pulls=[pull])
    door = chosen[DOOR]
    axis, pivot = scene.clouds.direction_to_shape(door.axis), scene.clouds.point_to_shape(door.pivot)
    assert door.kind == "revolute" and abs(axis[1]) > 0.99
    assert pivot[0] == pytest.approx(-0.5 * side, abs=0.05)


def test_a_push_across_the_likely_slide_makes_the_part_turn(scored) -> None:
    scene, scores = scored
    unsure = with_kinds(scores, STANDS, (0.1, 0.2, 0.7), STANDS)
    only_up = torch.full_like(scores.slide_axis, -50.0)
    only_up[..., int(np.abs(scene.candidates[DOOR].axes[:, 1]).argmax())] = 0.0
    unsure = unsure._replace(slide_axis=only_up)
    pull = Pull("door", np.array([0.5, 0.0, 0.545]), np.array([0.0, 0.0, 1.0]))
    kinds = [choose_joints(scene, unsure, pulls=pulls)[0][DOOR].kind for pulls in ([], [pull])]
    assert kinds == ["prismatic", "revolute"]


def test_a_push_on_a_fixed_knob_is_a_push_on_its_door(scored) -> None:
    scene, scores = scored
    pull = Pull("knob", np.array([0.38, 0.0, 0.6]), np.array([0.0, 0.0, 1.0]))
    chosen, _ = choose_joints(scene, with_kinds(scores, STANDS, TURNS, STANDS), pulls=[pull])
    assert [c.kind for c in chosen] == ["fixed", "revolute", "fixed"]
    assert scene.clouds.point_to_shape(chosen[DOOR].pivot)[0] == pytest.approx(-0.5, abs=0.05)


def test_a_push_makes_what_seems_to_stand_likelier_to_move(scored) -> None:
    scene, scores = scored
    pull = Pull("door", np.array([0.5, 0.0, 0.545]), np.array([0.0, 0.0, 1.0]))
    seems = with_kinds(scores, STANDS, (0.6, 0.3, 0.1), STANDS)
    kinds = [choose_joints(scene, seems, pulls=pulls)[0][DOOR].kind for pulls in ([], [pull])]
    assert kinds == ["fixed", "revolute"]


def test_likelihoods_are_largest_along_the_motion_and_far_from_the_line(scored) -> None:
    scene, _ = scored
    own, reach = scene.candidates[DOOR], scene.clouds.points[DOOR]
    x = int(np.abs(own.axes[:, 0]).argmax())
    assert slide_likelihood(own, own.axes[x])[x] == pytest.approx(0.0)
    edge, middle = reach[reach[:, 0].argmax()], reach.mean(0)
    ahead, tilt = np.array([0.0, 0.0, 1.0]), np.array([0.0, np.sin(0.5), np.cos(0.5)])
    y = int(np.abs(own.axes[:, 1]).argmax())
    hinge = int(own.pivots[:, 0].argmin())  # at the edge of the door that is opposite to `edge`
    far, near, aside = (
        turn_likelihood(own, reach, point, way)[y, hinge]
        for point, way in ((edge, ahead), (middle, ahead), (edge, tilt))
    )
    assert far > near + 0.5 * LEVER * np.log(2.0)  # half the lever or less
    assert aside == pytest.approx(far + ALIGNMENT * np.log(np.cos(0.5)), abs=0.2)


def test_pushes_along_the_motion_have_likelihoods_that_average_to_one_over_the_part(scored) -> None:
    scene, _ = scored
    own, reach = scene.candidates[DOOR], scene.clouds.points[DOOR][:40]
    speeds = np.cross(own.axes[2], reach - own.pivots[0])
    ways = speeds / np.linalg.norm(speeds, axis=1, keepdims=True)
    each = [turn_likelihood(own, reach, *pair)[2, 0] for pair in zip(reach, ways, strict=True)]
    assert np.exp(each).mean() == pytest.approx(1.0)


def test_the_range_opens_the_way_of_the_push() -> None:
    """A block on a long rail is pulled one way, then the other."""
    rail = board((-0.5, -0.1, -0.1), (0.5, 0.0, 0.1), "rail")
    cart = board((-0.1, 0.005, -0.08), (0.1, 0.15, 0.08), "cart")
    parts = find_parts(concatenate([rail, cart], "rail"))
    for way in (1.0, -1.0):
        pull = Pull("cart", np.array([0.0, 0.15, 0.0]), np.array([way, 0.0, 0.0]))
        cart_joint = predict_joints(parts, pulls=[pull]).joints[1]
        assert cart_joint.kind == "prismatic" and abs(cart_joint.axis[0]) > 0.99
        end = cart_joint.upper if cart_joint.axis[0] * way > 0 else -cart_joint.lower
        assert end > 0.1


def test_the_sign_of_a_push_is_that_of_the_motion(scored) -> None:
    scene, _ = scored
    clouds, up = scene.clouds, scene.clouds.direction_from_shape(np.array([0.0, 1.0, 0.0]))
    hinge = clouds.point_from_shape(np.array([-0.5, 0.0, 0.5]))
    pull = Pull("door", np.array([0.5, 0.0, 0.5]), np.array([0.0, 0.0, -1.0]))
    assert push_sign(clouds, up, hinge, False, pull) > 0
    assert push_sign(clouds, up, hinge, True, pull) == pytest.approx(0.0, abs=1e-12)
