"""Motions that end within a step or press against limits come to rest without ringing, at little cost."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from neurok.dynamics import Damping, Drag, Gravity, Limits, Push, SimulationConfig, newton, simulate
from neurok.evaluation.dynamics.objects import rods, slider
from neurok.kinematics import JointKinematics
from neurok.shapes import Inertia, Joint, JointTree, Link

COARSE = SimulationConfig(seconds=1.0, tolerance=0.05, halvings=2)  # as in the studio


def limited(kinematics: JointKinematics, lower: float, upper: float) -> JointKinematics:
    joints = tuple(replace(j, lower=lower, upper=upper) for j in kinematics.tree.joints)
    return JointKinematics(kinematics.shape, JointTree(kinematics.tree.links, joints))


def test_a_slider_pushed_against_its_limit_comes_to_rest_there():
    """The midpoint rule alone would reverse its velocity of 1 m/s in every step."""
    kinematics = limited(slider(), -0.1, 0.1)
    run = simulate(kinematics, [Push((900.0, 0.0, 0.0), at=0, duration=1.0)], COARSE)
    assert not run.stopped
    v, q = run.v[30:, 0, 0], run.q[30:, 0, 0]
    assert v.abs().max() < 0.02 and (q - 0.1).abs().max() < 0.05


@pytest.mark.slow
def test_hinges_pulled_far_beyond_their_limits_are_solved_in_a_few_trials(monkeypatch):
    """A stiff drag alternates between two walls; each reversal has kinks in both coordinates."""
    trials, trial = [0], newton._trial

    def counting(*arguments, **options):
        trials[0] += 1
        return trial(*arguments, **options)

    monkeypatch.setattr(newton, "_trial", counting)
    kinematics = limited(rods(0.6, 0.4), -0.05, 0.05)
    tip = int(np.argmin(kinematics.shape.vertices[:, 2]))
    pulls = [
        Drag(tip, (side, 0.0, -0.9), start=0.25 * i, duration=0.05, hold=0.2, stiffness=2e5, damping=2e3)
        for i, side in enumerate((1.0, -1.0, 1.0, -1.0))
    ]
    run = simulate(kinematics, [Gravity(), Damping(), *pulls], COARSE)
    assert not run.stopped
    assert trials[0] / 60 < 25
    assert run.q.abs().max() > 0.05


def test_two_hinges_on_one_axis_turn_against_each_other_as_easily_as_the_spine_between_them():
    """M = [[s + g, g], [g, g]]: a torque on the spine accelerates it by torque / s and leaves the gate."""
    spine, gate, axis = 3e-3, 60.0, np.array([0.0, 1.0, 0.0])
    links = (
        Link("world"),
        Link("rod0", Inertia(1.0, np.zeros(3), spine * np.eye(3))),
        Link("rod1", Inertia(1.0, np.zeros(3), gate * np.eye(3))),
    )
    joints = (
        Joint("lower", "revolute", "world", "rod0", np.eye(4), axis),
        Joint("upper", "revolute", "rod0", "rod1", np.eye(4), axis),
    )
    shape = rods(0.6, 0.4).shape
    kinematics = JointKinematics(shape, JointTree(links, joints))
    at = int(np.argmin(np.where(shape.vertex_part == 0, shape.vertices[:, 2], np.inf)))
    push = [Push((-0.001, 0.0, 0.0), at=at, duration=1.0), Limits(strength=0.0)]
    run = simulate(kinematics, push, SimulationConfig(seconds=0.5))
    turned = 0.001 * -shape.vertices[at, 2] / spine * 0.5**2 / 2
    assert run.q[-1, 0].tolist() == pytest.approx([turned, -turned], rel=0.01)
