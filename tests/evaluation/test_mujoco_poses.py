"""Poses of all links equal MuJoCo's on real files and on a sample of the synthetic ones."""

from __future__ import annotations

import random
from dataclasses import replace

import mujoco
import numpy as np
import pytest

from neurok.errors import InputError
from neurok.evaluation.mujoco_poses import max_pose_error, skeleton, tree_error
from neurok.shapes.robots.urdf import read_robot, read_tree

TOLERANCE = 1e-6


@pytest.mark.slow
def test_synthetic_urdf_poses_match_mujoco(data_dir):
    files = sorted((data_dir / "articulated_synthetic").glob("*/model.urdf"))
    for path in random.Random(1).sample(files, 25):
        error = max_pose_error(path, samples=3)
        assert isinstance(error, float) and error <= TOLERANCE, (path, error)


@pytest.mark.slow
def test_real_poses_match_mujoco(data_dir):
    """A spread of the files; `neurok eval io` compares all of them."""
    root = data_dir / "articulated_real"
    compared = 0
    for path in sorted([*root.glob("**/*.urdf"), *root.glob("**/*.xml")])[::8]:
        try:
            error = max_pose_error(path, samples=3)
        except InputError as refusal:
            assert "definitions only" in refusal.cause, refusal
            continue
        assert isinstance(error, float) and error <= TOLERANCE, (path, error)
        compared += 1
    assert compared > 20


LINKS = "".join(f'<link name="{n}"/>' for n in "abc")
SECOND = '<joint name="k" type="revolute"><parent link="b"/><child link="c"/><axis xyz="0 1 0"/></joint>'


def first(kind: str) -> str:
    return f'<joint name="j" type="{kind}"><parent link="a"/><child link="b"/><origin xyz="1 0 0"/></joint>'


def test_a_file_that_mujoco_refuses_gives_its_reason(tmp_path):
    path = tmp_path / "free.urdf"
    path.write_text(f'<robot name="r">{LINKS}{first("floating")}{SECOND}</robot>')
    reason = max_pose_error(path)
    assert isinstance(reason, str) and "free joint" in reason


def test_a_wrong_axis_is_seen(tmp_path):
    path = tmp_path / "hinges.urdf"
    path.write_text(f'<robot name="r">{LINKS}{first("continuous")}{SECOND}</robot>')
    assert max_pose_error(path) == pytest.approx(0, abs=1e-12)
    root = read_robot(path)
    model = mujoco.MjModel.from_xml_string(skeleton(root))
    tree, _ = read_tree(root, path)
    tilted = replace(tree.joints[1], axis=np.array([0.0, 1.0, 0.01]))
    assert tree_error(replace(tree, joints=(tree.joints[0], tilted)), model) > 1e-3
