"""Poses of all links equal MuJoCo's on real files and on a sample of the synthetic ones."""

from __future__ import annotations

import random

import pytest

from neurok.errors import InputError
from neurok.evaluation.mujoco_poses import max_pose_error

TOLERANCE = 1e-6


def test_synthetic_urdf_poses_match_mujoco(data_dir):
    files = sorted((data_dir / "articulated_synthetic").glob("*/model.urdf"))
    for path in random.Random(1).sample(files, 60):
        error = max_pose_error(path, samples=3)
        assert isinstance(error, float) and error <= TOLERANCE, (path, error)


def test_real_poses_match_mujoco(data_dir):
    root = data_dir / "articulated_real"
    compared = 0
    for path in sorted([*root.glob("**/*.urdf"), *root.glob("**/*.xml")]):
        try:
            error = max_pose_error(path, samples=3)
        except InputError as refusal:
            assert "definitions only" in refusal.cause, refusal
            continue
        assert isinstance(error, float) and error <= TOLERANCE, (path, error)
        compared += 1
    assert compared == 187


def test_a_wrong_axis_would_be_seen(tmp_path):
    """The comparison is by name: a file whose poses MuJoCo refuses gives its reason, not a number."""
    path = tmp_path / "free.urdf"
    floating = '<joint name="j" type="floating"><parent link="a"/><child link="b"/></joint>'
    middle = '<joint name="k" type="revolute"><parent link="b"/><child link="c"/><axis xyz="0 1 0"/></joint>'
    links = "".join(f'<link name="{n}"/>' for n in "abc")
    path.write_text(f'<robot name="r">{links}{floating}{middle}</robot>')
    reason = max_pose_error(path)
    assert isinstance(reason, str) and "free joint" in reason
    path.write_text(f'<robot name="r">{links}{floating.replace("floating", "continuous")}{middle}</robot>')
    assert max_pose_error(path) == pytest.approx(0, abs=1e-12)
