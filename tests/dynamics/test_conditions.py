"""Conditions as data, and the effect of each condition."""

from __future__ import annotations

import json
from dataclasses import dataclass

import numpy as np
import pytest
import torch
import trimesh

from neurok.dynamics import (
    Damping,
    Drag,
    Drop,
    Floor,
    Gravity,
    Motor,
    Moving,
    Obstacle,
    Pin,
    Placed,
    Push,
    SimulationConfig,
    Tilt,
    load_conditions,
    parse_conditions,
    simulate,
    standing_base,
    stream,
)
from neurok.dynamics.body import Body
from neurok.dynamics.condition import KINDS, Condition, Scenario
from neurok.dynamics.surfaces import Ball, Box, mesh_surface
from neurok.dynamics.terms.gravity import ConstantForce
from neurok.errors import InputError
from neurok.evaluation.dynamics.objects import ball, block, rods, slider
from neurok.kinematics import JointKinematics
from neurok.kinematics.free_root import FreeRootKinematics
from neurok.shapes import JointTree, Link, Shape

RECORDS = [
    {"kind": "gravity"},
    {"kind": "push", "at": "rod0", "force": [0, 0, -3], "duration": 0.5},
    {"kind": "drag", "at": [0, 0, -0.6], "to": [0.2, 0, -0.5]},
    {"kind": "floor", "friction": 0.2},
    {"kind": "obstacle", "form": "box", "centre": [1, 0, 0], "size": [0.1, 0.2, 0.3]},
    {"kind": "pose", "values": {"hinge0": 0.2}},
]


def test_json_and_yaml_give_the_same_conditions(tmp_path):
    import yaml

    (tmp_path / "a.json").write_text(json.dumps(RECORDS))
    (tmp_path / "b.yaml").write_text(yaml.safe_dump({"conditions": RECORDS}))
    first, second = load_conditions(tmp_path / "a.json"), load_conditions(tmp_path / "b.yaml")
    assert [vars(c) for c in first] == [vars(c) for c in second]
    assert isinstance(first[1], Push) and first[1].duration == 0.5
    assert not simulate(rods(0.6), first, SimulationConfig(seconds=0.05)).stopped


@pytest.mark.parametrize(
    ("record", "words"),
    [
        ({"kind": "shove"}, "kind 'shove' is unknown"),
        ({"force": [0, 0, 1]}, "has no kind"),
        ({"kind": "push", "at": 3}, "needs 'force'"),
        ({"kind": "push", "at": 3, "force": [0, 1]}, "force of push is .* Give three numbers"),
        ({"kind": "push", "at": 3, "force": [0, 0, 1], "mass": 2}, "no field 'mass'"),
        ({"kind": "floor", "friction": "ice"}, "friction of floor is 'ice'. Give a number"),
        ({"kind": "floor", "restitution": 2}, "restitution is 2. Give a number from 0 to 1"),
        ({"kind": "obstacle", "form": "cone"}, "'ball' or 'box' or 'mesh'"),
        ({"kind": "damping", "joints": 1}, "true or false"),
    ],
)
def test_an_invalid_record_is_refused_with_its_fix(record, words):
    with pytest.raises(InputError, match=words):
        parse_conditions([record])


@pytest.mark.parametrize(
    ("condition", "words"),
    [
        (Push((0.0, 0.0, 1.0), at="lid"), "no part 'lid'"),
        (Push((0.0, 0.0, np.nan), at=0), "force of a push"),
        (Push((0.0, 0.0, 1.0), at=10**6), "no vertex"),
        (Motor("knee", 1.0), "no coordinate 'knee'"),
        (Tilt(), "without gravity"),
        (Moving([], (0.0, 0.0, 1.0)), "no vertex is named"),
    ],
)
def test_a_condition_that_does_not_fit_the_object_is_refused(condition, words):
    with pytest.raises(InputError, match=words):
        simulate(rods(0.6), [condition], SimulationConfig(seconds=0.1))


def test_a_dragged_point_follows_its_target_and_is_released():
    kinematics = rods(0.6)
    target = np.array([0.3, 0.0, -0.5])
    drag = Drag([0.0, 0.0, -0.6], target, duration=0.5, hold=1.0, radius=0.05)
    run = simulate(kinematics, [Gravity(), drag, Damping(2.0)], SimulationConfig(seconds=1.4))
    assert abs(float(run.q[-1, 0, 0]) + np.arctan2(0.3, 0.5)) < 0.1 or float(run.q[-1, 0, 0]) > 0.4
    assert run.energy.error.max() < 0.01


def test_an_instantaneous_drag_does_work_that_the_report_counts():
    hand = Drag(7, (0.2, 0.0, 0.0), duration=0.0, stiffness=50.0, damping=0.0)
    run = simulate(slider(), [hand], SimulationConfig(seconds=1.0))
    assert float(run.energy.work.max()) > 0.1
    assert float(run.energy.error) < 0.01


def test_the_last_gravity_and_the_last_tilt_act():
    config = SimulationConfig(seconds=0.5)
    once = simulate(rods(0.6), [Gravity(), Tilt(20.0, (0, 1, 0))], config)
    records = [Gravity(3.0), Tilt(5.0, (1, 0, 0)), Gravity(), Tilt(20.0, (0, 1, 0))]
    assert torch.equal(simulate(rods(0.6), records, config).q, once.q)
    assert once.q.abs().max() > 0.01


def test_places_with_equal_text_are_distinguished():
    """Tensors print four digits; these two points are nearest to different vertices."""
    shape = trimesh.creation.box((2e-5, 2e-5, 2e-5))
    vertices = np.array(shape.vertices) + 1.0
    box = Shape(vertices, np.array(shape.faces), part_names=("body",))
    tiny = JointKinematics(box, JointTree((Link("body"),), ()))
    one, other = (Push(torch.tensor([1.0, 0.0, 0.0]), at=torch.tensor(v).double()) for v in vertices[[0, 7]])
    body = Body(FreeRootKinematics(tiny), tiny.mass())
    points = [term.point for push in (one, other) for term in push.terms(body, Scenario.of(body, [push]))]
    assert points[0] != points[1]


def test_a_pinned_base_holds_a_free_block():
    kinematics = block(0.2, 0.2, 0.5)
    assert standing_base(kinematics.shape).sum() == (kinematics.shape.vertices[:, 2] < -0.24).sum()
    push = Push((1.0, 0.0, 0.0), at=(0.0, 0.0, 0.25), duration=0.2)
    run = simulate(kinematics, [Gravity(), Pin(), push], SimulationConfig(seconds=0.3, root="free"))
    assert run.q[:, 0].abs().max() < 0.02
    assert run.energy.error.max() < 0.01


@pytest.mark.slow
def test_a_tilted_support_makes_a_block_slide_the_way_it_leans():
    """A right-handed tilt about x raises +y, so the block slides to −y."""
    conditions = [Gravity(), Floor(friction=0.1, restitution=0.0), Tilt(30.0, (1.0, 0.0, 0.0), duration=0.1)]
    run = simulate(block(0.4, 0.4, 0.1), conditions, SimulationConfig(seconds=0.4, root="free"))
    assert float(run.q[-1, 0, 1]) < -0.1


def test_given_velocities_of_vertices_start_the_motion():
    kinematics = rods(0.6)
    corner = int(kinematics.shape.vertices[:, 2].argmin())
    run = simulate(kinematics, [Moving([corner], (-1.2, 0.0, 0.0))], SimulationConfig(seconds=0.0))
    assert float(run.v[0, 0, 0]) == pytest.approx(1.2 / 0.6, rel=0.01)


def test_given_places_of_vertices_start_the_motion():
    kinematics = slider()
    run = simulate(
        kinematics, [Placed([0], [kinematics.shape.vertices[0] + [0.2, 0, 0]])], SimulationConfig(seconds=0)
    )
    assert float(run.q[0, 0, 0]) == pytest.approx(0.2, abs=0.01)


@pytest.mark.slow
@pytest.mark.parametrize("form", ["ball", "box"])
def test_a_ball_comes_to_rest_on_an_obstacle_not_on_the_floor(form):
    kinematics = JointKinematics(ball(), JointTree((Link("body"),), ()))
    size = 0.5 if form == "ball" else (1.0, 1.0, 1.0)
    obstacle = Obstacle(form, centre=(0.0, 0.0, -0.8), size=size, restitution=0.0)
    run = simulate(
        kinematics, [Gravity(), Drop(0.0), Floor(height=-5.0), obstacle], SimulationConfig(seconds=0.0)
    )
    assert float(run.q[0, 0, 2]) == pytest.approx(-4.9, abs=0.01)
    run = simulate(
        kinematics, [Gravity(), obstacle], SimulationConfig(seconds=0.3, root="free", contact_points=12)
    )
    assert float(run.q[-1, 0, 2]) == pytest.approx(-0.2, abs=0.01)


@pytest.mark.slow
def test_distances_to_a_mesh_are_those_of_its_shape():
    """A ball of radius 0.5 as a mesh on a grid, against the closed form and finite differences."""
    mesh = trimesh.creation.icosphere(subdivisions=4, radius=0.5)
    grid = mesh_surface(np.array(mesh.vertices), np.array(mesh.faces))
    x = np.random.default_rng(0).uniform(-0.5, 0.5, size=(1, 3, 50))
    truth = Ball(np.zeros((3, 1)), 0.5)
    assert np.abs(grid(x)[0] - truth(x)[0]).max() < 0.02
    for surface in (grid, truth, Box(np.zeros((3, 1)), np.array([[0.3], [0.4], [0.5]]))):
        for axis in range(3):
            step = np.zeros((1, 3, 1))
            step[0, axis] = 1e-6
            slope = (surface(x + step)[0] - surface(x - step)[0]) / 2e-6
            assert np.median(np.abs(slope - surface(x)[1][:, axis])) < 1e-4


def test_frames_stream_one_by_one():
    kinematics, frames = stream(rods(0.6), [Gravity()], SimulationConfig(seconds=0.1))
    times = [frame.time for frame in frames]
    assert times == pytest.approx(np.arange(7) / 60) and len(kinematics.names) == 1


def test_a_run_becomes_a_sequence_with_its_rig():
    run = simulate(
        rods(0.6, 0.4), [Gravity(), Push((1.0, 0.0, 0.0), at=0)], SimulationConfig(seconds=0.1, fps=30.0)
    )
    sequence = run.sequence()
    assert len(sequence) == 4 and sequence.fps == pytest.approx(30.0) and sequence.rig is not None
    moved = run.kinematics.positions(run.q[-1, 0]).numpy()
    assert np.abs(sequence.positions[-1] - moved).max() < 1e-6 and isinstance(run.q, torch.Tensor)


def test_a_new_condition_is_one_class():
    """The schema knows its record; the engine uses its initial state and its terms."""

    @dataclass(frozen=True, eq=False)
    class Nudged(Condition):
        rate: float = 1.0

        def initial_state(self, body, scenario):
            return scenario.q, scenario.v + self.rate

        def terms(self, body, scenario):
            return [ConstantForce(body.kinematics.rest, torch.full((1,), 2.0).double())]

    try:
        (nudged,) = parse_conditions([{"kind": "nudged", "rate": 3.0}])
        run = simulate(slider(mass=4.0), [nudged], SimulationConfig(seconds=0.5))
    finally:
        del KINDS["nudged"]
    assert float(run.q[-1, 0, 0]) == pytest.approx(3.0 * 0.5 + 0.5 * (2.0 / 4.0) * 0.5**2, rel=1e-6)
