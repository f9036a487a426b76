"""Commands as a user types them: outputs, exit codes, messages, no leftover files."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import av
import numpy as np
import pytest
import trimesh
from PIL import Image

from neurok.assets import SHIPPED, WEIGHTS
from neurok.cli.main import run
from neurok.sequences.load import load_sequences
from neurok.shapes.load import load_shape

CABINET, TEDDY = (str(SHIPPED[name]) for name in ("cabinet", "teddy"))


def neurok(*arguments: str | Path) -> int:
    """Exit code of a command, including errors of the option parser."""
    try:
        return run([str(a) for a in arguments])
    except SystemExit as stop:
        return int(stop.code or 0)


def test_info_tells_what_is_in_a_mechanism(capsys):
    assert neurok("info", CABINET, "--json", "-") == 0
    facts = json.loads(capsys.readouterr().out)["files"][0]
    assert facts["parts"] == ["carcass", "door", "upper_drawer", "lower_drawer", "lid"]
    assert [j["kind"] for j in facts["joints"]] == ["revolute", "prismatic", "prismatic", "revolute"]
    assert facts["up"] == "z"
    assert neurok("info", CABINET) == 0
    assert "door_hinge" in capsys.readouterr().out


def test_info_without_a_file_tells_what_is_installed(capsys):
    assert neurok("info", "--json", "-") == 0
    assert {"neurok", "torch", "device", "pictures"} <= json.loads(capsys.readouterr().out)[
        "environment"
    ].keys()


def test_info_of_several_files_names_those_it_cannot_read(capsys, tmp_path):
    assert neurok("info", CABINET, tmp_path / "none.obj") == 2
    captured = capsys.readouterr()
    assert "carcass" in captured.out
    assert "none.obj" in captured.err


def test_info_of_weights_tells_their_size_and_training(capsys, tmp_path):
    file = WEIGHTS["parts"]
    assert neurok("info", file) == 0
    printed = capsys.readouterr().out
    assert "neurok-parts" in printed and f"{file.stat().st_size / 1e6:.1f} MB" in printed
    assert (
        printed.count("3,000 steps") == 2 and "seed 0" in printed and "seed 1" in printed
    )  # two joined runs
    assert neurok("info", file, "--json", "-") == 0
    facts = json.loads(capsys.readouterr().out)["files"][0]
    assert 2 * facts["numbers"] < file.stat().st_size < 2.2 * facts["numbers"]  # in half precision
    (tmp_path / "cut.safetensors").write_bytes(file.read_bytes()[:1000])
    assert neurok("info", tmp_path / "cut.safetensors") == 2
    assert "is damaged" in capsys.readouterr().err


def test_pose_sets_joints_in_the_units_given(tmp_path, capsys):
    target = tmp_path / "open.ply"
    assert neurok("pose", CABINET, "--set", "door_hinge=90deg", "upper_slide=20cm", "-o", target) == 0
    rest, moved = load_shape(CABINET), load_shape(target, unit="m")
    shift = moved.vertices - rest.vertices
    drawer = np.unique(rest.faces[rest.faces_of("upper_drawer")])
    assert np.allclose(shift[drawer], [0, -0.2, 0], atol=1e-6)
    carcass = np.unique(rest.faces[rest.faces_of("carcass")])
    assert np.allclose(shift[carcass], 0, atol=1e-6)
    door = np.unique(rest.faces[rest.faces_of("door")])
    hinge = np.array([-0.435, -0.252])
    before, after = rest.vertices[door, :2] - hinge, moved.vertices[door, :2] - hinge
    assert np.allclose(after, np.c_[before[:, 1], -before[:, 0]], atol=1e-6)  # a quarter turn outwards


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--set", "dor_hinge=1"], "no coordinate 'dor_hinge'"),
        (["--set", "door_hinge=9"], "outside its range"),
        (["--set", "door_hinge"], "NAME=VALUE"),
        (["--set", "door_hinge=1parsec"], "NAME=VALUE"),
        (["--set", "door_hinge=1", "--random", "2"], "exclude each other"),
        (["--set", "door_hinge=20cm"], "door_hinge is no length"),
        (["--set", "upper_slide=20deg"], "upper_slide is no angle"),
        (["--fps", "0"], "no number of frames"),
        (["--seconds", "nan"], "no number of frames"),
        (["--seconds", "1e12"], "no number of frames"),
        (["--seconds", "10000", "--fps", "60"], "need 50 GiB"),
        (["--seed", "-1"], "the seed is -1"),
        (["--seed", "99999999999999999999"], "the seed is 9999"),
        (["--preview", "a.xyz"], "a.xyz"),
        (["--trajectory", "none.csv"], "none.csv"),
    ],
)
def test_pose_explains_what_is_wrong_and_writes_nothing(tmp_path, capsys, options, words):
    assert neurok("pose", CABINET, *options, "-o", tmp_path / "out.glb") == 2
    assert words in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


@pytest.mark.slow
def test_pose_sweeps_every_joint_through_its_whole_range(tmp_path):
    target = tmp_path / "sweep.glb"
    assert neurok("pose", CABINET, "-o", target, "--seconds", "0.5", "--preview", tmp_path / "p.png") == 0
    (clip,) = load_sequences(target)
    drawer = np.unique(clip.shape.faces[clip.shape.faces_of("upper_drawer")])
    assert np.ptp(clip.positions[:, drawer, 1], axis=0).max() == pytest.approx(0.36, rel=0.01)
    assert min(Image.open(tmp_path / "p.png").size) > 200


@pytest.mark.slow
def test_same_seed_same_bytes_other_seed_other_motion(tmp_path):
    for name, seed in (("a", 1), ("b", 1), ("c", 2)):
        options = ("--random", "1", "--seconds", "0.3", "--seed", seed)
        assert neurok("pose", CABINET, *options, "-o", tmp_path / f"{name}.glb") == 0
    a, b, c = ((tmp_path / f"{name}.glb").read_bytes() for name in "abc")
    assert a == b != c


def test_trajectory_file_drives_the_joints(tmp_path):
    (tmp_path / "t.csv").write_text("lower_slide\n0\n0.1\n0.3\n")
    assert neurok("pose", CABINET, "--trajectory", tmp_path / "t.csv", "-o", tmp_path / "t.npz") == 0
    (clip,) = load_sequences(tmp_path / "t.npz")
    drawer = np.unique(clip.shape.faces[clip.shape.faces_of("lower_drawer")])
    assert np.allclose(clip.positions[2, drawer, 1] - clip.positions[0, drawer, 1], -0.3, atol=1e-3)


@pytest.mark.parametrize("suffix", ["glb", "obj", "ply", "stl", "off", "usda", "urdf", "xml"])
def test_convert_writes_every_shape_format(tmp_path, suffix):
    target = tmp_path / f"cabinet.{suffix}"
    assert neurok("convert", CABINET, target) == 0
    if suffix == "usda":
        assert "metersPerUnit = 1" in target.read_text()
        return
    source, result = load_shape(CABINET), load_shape(target, unit="m")
    assert len(result.faces) == len(source.faces)
    assert result.area == pytest.approx(source.area, rel=1e-4)
    if suffix in ("urdf", "xml"):
        assert result.joints.dim == 4
    if suffix in ("glb", "obj"):
        assert result.part_names == source.part_names


def test_convert_decimates_on_request(tmp_path):
    assert neurok("convert", TEDDY, tmp_path / "light.ply", "--max-faces", "1000") == 0
    assert len(load_shape(tmp_path / "light.ply").faces) <= 1000


def test_convert_keeps_units_and_up_axis(tmp_path):
    box = trimesh.creation.box(extents=(100, 200, 300))
    box.export(tmp_path / "mm.stl")
    assert neurok("convert", tmp_path / "mm.stl", tmp_path / "box.glb") == 0
    shape = load_shape(tmp_path / "box.glb")
    assert (shape.frame.up, shape.frame.metres_per_unit) == ("z", 1e-3)
    assert np.allclose(np.ptp(shape.bounds, axis=0), [100, 200, 300], rtol=1e-5)
    foreign = trimesh.load(tmp_path / "box.glb", force="mesh")
    assert np.allclose(foreign.extents, [0.1, 0.3, 0.2], rtol=1e-5), "a foreign reader sees metres, Y up"


@pytest.mark.slow
def test_render_draws_pictures_sheets_and_videos(tmp_path):
    motion = tmp_path / "m.glb"
    assert neurok("pose", CABINET, "-o", motion, "--seconds", "0.2") == 0
    small = ("--width", "160", "--height", "120")
    assert neurok("render", CABINET, "-o", tmp_path / "c.png", "--show-joints", *small) == 0
    assert Image.open(tmp_path / "c.png").size == (160, 120)
    assert neurok("render", motion, "-o", tmp_path / "sheet.png", "--frames", "4", *small) == 0
    assert Image.open(tmp_path / "sheet.png").size[0] > 4 * 160
    assert neurok("render", motion, "-o", tmp_path / "m.mp4", *small) == 0
    with av.open(str(tmp_path / "m.mp4")) as video:
        frames = list(video.decode(video=0))
    assert len(frames) == len(load_sequences(motion)[0])
    assert (frames[0].width, frames[0].height) == (160, 120)


@pytest.mark.parametrize(
    ("file", "options", "words"),
    [
        (CABINET, ["--clip", "walk"], "holds no clips"),
        (TEDDY, ["--show-joints"], "no joints to show"),
        (CABINET, ["--fps", "nan"], "fps is nan"),
    ],
)
def test_render_refuses_options_that_would_do_nothing(tmp_path, capsys, file, options, words):
    assert neurok("render", file, "-o", tmp_path / "c.png", *options) == 2
    assert words in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


def test_units_of_a_motion_are_given_for_numbered_meshes_only(tmp_path, capsys):
    for suffix in ("npz", "ply"):
        target = tmp_path / "walk" / f"a.{suffix}"
        assert neurok("pose", CABINET, "--seconds", "0.1", "-o", target) == 0
    assert neurok("info", tmp_path / "walk" / "a.npz", "--unit", "mm") == 2
    assert "Leave out --up, --unit" in capsys.readouterr().err
    assert neurok("info", tmp_path / "walk", "--unit", "mm", "--up", "z", "--json", "-") == 0
    assert json.loads(capsys.readouterr().out)["files"][0]["metres_per_unit"] == 1e-3


def test_more_modes_than_the_handles_can_show_are_refused(capsys):
    assert neurok("pose", TEDDY, "--kinematics", "elastic", "--modes", "5000") == 2
    assert "at most 288" in capsys.readouterr().err


def test_render_refuses_a_video_of_what_does_not_move(tmp_path, capsys):
    assert neurok("render", CABINET, "-o", tmp_path / "c.mp4") == 2
    assert "does not move" in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


@pytest.mark.slow
def test_demo_brings_meshes_without_joints_to_life(tmp_path, capsys):
    assert neurok("demo", "-o", tmp_path / "out", "--seconds", "0.25") == 0
    shown = capsys.readouterr().out
    for name in ("laptop", "plant", "flag"):
        assert load_shape(SHIPPED[name]).joints is None
        for file in (f"{name}.glb", f"{name}.mp4", f"{name}_energy.png"):
            assert str(tmp_path / "out" / file) in shown and (tmp_path / "out" / file).is_file()
        (clip,) = load_sequences(tmp_path / "out" / f"{name}.glb")
        assert clip.travel > 0.02


@pytest.mark.slow
def test_errors_name_the_file_and_leave_no_traceback(tmp_path):
    (tmp_path / "bad.glb").write_bytes(b"glTF")
    done = subprocess.run(
        [sys.executable, "-m", "neurok.cli", "convert", str(tmp_path / "bad.glb"), str(tmp_path / "x.obj")],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 2
    assert "bad.glb" in done.stderr
    assert "Traceback" not in done.stderr
    assert not (tmp_path / "x.obj").exists()


def test_interrupting_leaves_nothing_half_written(tmp_path, monkeypatch, capsys):
    """^C during a video: exit code 130, no file, no leftovers."""

    def stop(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr("neurok.rendering.video._frame", stop)
    assert neurok("pose", CABINET, "-o", tmp_path / "m.mp4") == 130
    assert "interrupted" in capsys.readouterr().err
    assert not list(tmp_path.iterdir())
