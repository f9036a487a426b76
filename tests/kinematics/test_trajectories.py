"""Joint trajectories from tables and files, and random ones."""

from __future__ import annotations

import json

import numpy as np
import pytest
import torch

from neurok.errors import InputError
from neurok.kinematics.joints import JointKinematics
from neurok.kinematics.trajectories import load_trajectory, play, random_sweep
from neurok.shapes import Joint, JointTree, Link
from neurok.shapes.robots.primitives import box
from neurok.shapes.shape import concatenate

Z = np.array([0.0, 0.0, 1.0])


@pytest.fixture
def drawers() -> JointKinematics:
    """A body, a lid on a hinge that rests at 0.2, a drawer and a wheel without limits."""
    names = ("body", "lid", "drawer", "wheel")
    joints = (
        Joint("hinge", "revolute", "body", "lid", axis=Z, lower=0.0, upper=1.5, rest=0.2),
        Joint("slide", "prismatic", "body", "drawer", axis=Z, lower=-0.1, upper=0.4),
        Joint("spin", "continuous", "body", "wheel", axis=Z),
    )
    shape = concatenate([box(np.ones(3)).with_(part_names=(n,)) for n in names], "drawers")
    return JointKinematics(shape, JointTree(tuple(Link(n) for n in names), joints))


def test_named_columns_move_their_joint_and_leave_the_others_at_rest(drawers):
    sequence = play(drawers, {"slide": [0.0, 0.1, 0.3]}, fps=10)
    moved = sequence.positions - drawers.shape.vertices.astype(np.float32)
    drawer = drawers.shape.vertex_part == 2
    assert np.allclose(moved[:, drawer, 2], [[0.0], [0.1], [0.3]], atol=1e-6)
    assert np.allclose(moved[:, ~drawer], 0, atol=1e-6)
    assert sequence.seconds == pytest.approx(0.2) and sequence.rig is not None


def test_an_array_has_one_column_per_coordinate(drawers):
    q = np.tile(drawers.rest.numpy(), (4, 1))
    assert len(play(drawers, q)) == 4
    with pytest.raises(InputError, match="shape"):
        play(drawers, q[:, :2])


@pytest.mark.parametrize("suffix", ["csv", "json", "npz"])
def test_files_of_every_format_hold_the_same_motion(drawers, tmp_path, suffix):
    columns = {"time": [0, 0.1, 0.2], "spin": [0.0, 1.0, 2.0], "hinge": [0.2, 0.4, 0.6]}
    path = tmp_path / f"motion.{suffix}"
    if suffix == "csv":
        rows = zip(*columns.values(), strict=True)
        path.write_text("\n".join([" ,".join(columns), *(",".join(map(str, row)) for row in rows)]) + "\n\n")
    elif suffix == "json":
        path.write_text(json.dumps(columns))
    else:
        np.savez(path, **columns)
    q = load_trajectory(path, drawers, fps=10)
    assert torch.allclose(q, torch.tensor([[0.2, 0, 0], [0.4, 0, 1], [0.6, 0, 2]], dtype=torch.float64))


def test_times_are_kept_whatever_the_rate_of_the_file(drawers, tmp_path):
    """Rows at uneven times play at their own speed; without times a row is a frame."""
    (tmp_path / "a.csv").write_text("seconds,spin\n5,0\n5.1,1\n5.5,1\n")
    q = load_trajectory(tmp_path / "a.csv", drawers, fps=20)
    assert len(q) == 11  # half a second, both ends
    assert torch.allclose(q[:4, 2], torch.tensor([0, 0.5, 1, 1], dtype=torch.float64))
    (tmp_path / "b.csv").write_text("spin\n0\n1\n1\n")
    assert len(load_trajectory(tmp_path / "b.csv", drawers, fps=20)) == 3


@pytest.mark.parametrize(
    ("name", "content", "word"),
    [
        ("a.csv", "elbow\n1\n", "elbow"),
        ("a.csv", "hinge,slide\n1\n", "row 2"),
        ("a.csv", "hinge\nhalf\n", "half"),
        ("a.csv", "hinge\nnan\n", "NaN"),
        ("a.csv", "", "empty"),
        ("a.csv", "time,hinge\n1,0\n0,1\n", "do not rise"),
        ("a.csv", "time,hinge\n0,0\n1e12,1\n", "lasts 1e\\+12 s"),
        ("a.csv", "hinge\n", "values"),
        ("a.json", "[1, 2]", "not an object"),
        ("a.json", "{", "cannot be read"),
        ("a.json", '{"hinge": [1, 2], "slide": [1]}', "same number"),
        ("a.json", '{"hinge": ["x"]}', "no number"),
        ("a.csv", "hinge,hinge\n1,2\n", "two columns 'hinge'"),
        ("a.json", "[" * 100_000, "cannot be read"),
        ("a.npz", "not a zip", "not an .npz archive"),
        ("a.txt", "", "format"),
    ],
)
def test_broken_files_are_refused_in_words(drawers, tmp_path, name, content, word):
    path = tmp_path / name
    path.write_text(content)
    with pytest.raises(InputError, match=word) as caught:
        load_trajectory(path, drawers)
    assert name in str(caught.value)


@pytest.mark.parametrize("joints", [1, 2, None])
def test_random_sweeps_are_seeded_smooth_and_inside_the_limits(drawers, joints):
    q = random_sweep(drawers, 200, seed=5, joints=joints)
    assert torch.equal(q, random_sweep(drawers, 200, seed=5, joints=joints))
    assert not torch.equal(q, random_sweep(drawers, 200, seed=6, joints=joints))
    assert (q >= drawers.limits[:, 0] - 1e-12).all() and (q <= drawers.limits[:, 1] + 1e-12).all()
    assert torch.allclose(q[[0, -1]], drawers.rest.expand(2, -1))
    moving = ((q - drawers.rest).abs() > 1e-9).any(0).sum()
    assert moving == (3 if joints is None else joints)
    assert q.diff(dim=0).abs().max() < 0.1
