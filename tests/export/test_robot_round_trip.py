"""Exported URDF and MJCF files load with the original units, up axis and joints."""

from __future__ import annotations

import numpy as np
import pytest
import torch
import trimesh

from neurok.assets import SHIPPED
from neurok.errors import InputError
from neurok.export import save
from neurok.kinematics import JointKinematics
from neurok.shapes import Frame, Joint, JointTree, Link, Shape, concatenate
from neurok.shapes.load import load_shape


def laptop() -> Shape:
    """Y-up millimetres: a base, a lid hinged at the back edge, and a tray that slides out to the right."""
    pieces = {
        "base": trimesh.creation.box((320, 20, 220)),
        "lid": trimesh.creation.box((320, 8, 220)).apply_translation([0, 14, 0]),
        "tray": trimesh.creation.box((130, 6, 140)).apply_translation([100, 0, 0]),
    }
    parts = [
        Shape(m.vertices, m.faces, name=n, part_names=(n,), frame=Frame("y", 1e-3)) for n, m in pieces.items()
    ]
    hinge = {"axis": np.array([-1.0, 0, 0]), "pivot": np.array([0.0, 10, -110]), "lower": 0.0, "upper": 2.0}
    slide = {"axis": np.array([1.0, 0, 0]), "lower": 0.0, "upper": 120.0}
    joints = (
        Joint("hinge", "revolute", "base", "lid", **hinge),
        Joint("slide", "prismatic", "base", "tray", **slide),
    )
    return concatenate(parts, "laptop").with_(joints=JointTree(tuple(Link(n) for n in pieces), joints))


def corners(shape: Shape, positions: np.ndarray, part: str) -> np.ndarray:
    """The distinct positions of a part's vertices, sorted."""
    used = np.unique(shape.faces[shape.faces_of(part)])
    return np.unique(np.round(positions[used], 3), axis=0)


@pytest.mark.parametrize("suffix", ["urdf", "xml"])
def test_units_up_axis_and_joints_survive(tmp_path, suffix):
    source = laptop()
    save(source, tmp_path / f"laptop.{suffix}")
    result = load_shape(tmp_path / f"laptop.{suffix}")
    assert result.frame == Frame("y", 1e-3)
    assert set(result.part_names) == set(source.part_names)
    before, after = JointKinematics(source), JointKinematics(result)
    assert after.names == before.names
    assert torch.allclose(after.limits, before.limits)
    q = torch.tensor([1.3, 80.0], dtype=torch.float64)
    for part in source.part_names:
        expected = corners(before.shape, before.positions(q).numpy(), part)
        assert np.allclose(corners(after.shape, after.positions(q).numpy(), part), expected, atol=2e-3)


@pytest.mark.parametrize("suffix", ["urdf", "xml"])
def test_a_second_trip_changes_nothing_more(tmp_path, suffix):
    save(laptop(), tmp_path / f"a.{suffix}")
    once = load_shape(tmp_path / f"a.{suffix}")
    save(once, tmp_path / f"b.{suffix}")
    twice = load_shape(tmp_path / f"b.{suffix}")
    assert [link.name for link in twice.joints.links] == [link.name for link in once.joints.links]
    assert np.allclose(once.vertices, twice.vertices, atol=1e-3)
    for name, pose in once.joints.rest_poses.items():
        assert np.allclose(pose, twice.joints.rest_poses[name], atol=1e-6)


def test_a_shipped_cabinet_goes_to_mjcf_and_back(tmp_path):
    source = load_shape(SHIPPED["cabinet"])
    save(source, tmp_path / "c.xml")
    save(load_shape(tmp_path / "c.xml"), tmp_path / "c.urdf")
    before, after = JointKinematics(source), JointKinematics(load_shape(tmp_path / "c.urdf"))
    assert after.names == before.names
    assert torch.allclose(after.limits, before.limits, atol=1e-5)
    q = before.limits[:, 1]
    for part in source.part_names:
        moved = after.positions(q).numpy()[np.unique(after.shape.faces[after.shape.faces_of(part)])]
        truth = before.positions(q).numpy()[np.unique(before.shape.faces[before.shape.faces_of(part)])]
        assert np.allclose([moved.min(0), moved.max(0)], [truth.min(0), truth.max(0)], atol=1e-5)


@pytest.mark.parametrize("frame", ['up="x" metres_per_unit="1"', 'up="y"', 'up="y" metres_per_unit="-1"'])
def test_a_frame_that_makes_no_sense_is_refused(tmp_path, frame):
    text = (
        SHIPPED["cabinet"]
        .read_text()
        .replace('<robot name="cabinet">', f'<robot name="cabinet"><neurok {frame}/>')
    )
    (tmp_path / "odd.urdf").write_text(text)
    with pytest.raises(InputError, match="states the frame"):
        load_shape(tmp_path / "odd.urdf")
