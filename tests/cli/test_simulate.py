"""`neurok simulate` end to end, with shipped weights and meshes."""

from __future__ import annotations

import csv
import json
import socket
import subprocess
import sys
from pathlib import Path

import av
import numpy as np
import pytest
import trimesh
from PIL import Image

from neurok.assets import SHIPPED
from neurok.cli.main import run
from neurok.sequences.load import load_sequences

LAPTOP, FLAG, CABINET = (str(SHIPPED[n]) for n in ("laptop", "flag", "cabinet"))
SHORT = ["--seconds", "0.2", "--fps", "20"]


def neurok(*arguments) -> int:
    try:
        return run([str(a) for a in arguments])
    except SystemExit as stop:
        return int(stop.code or 0)


@pytest.mark.slow
def test_a_pushed_laptop_in_every_kind_of_file(tmp_path, capsys):
    files = [tmp_path / f"l{suffix}" for suffix in (".glb", ".npz", ".mp4", ".png", ".usdc")]
    plots = [tmp_path / f"e{suffix}" for suffix in (".png", ".csv", ".json")]
    assert neurok("simulate", LAPTOP, "-o", *files[:2], "-o", *files[2:], "--energy", *plots,
                  "--push", "screen=0,-1,0", "--kinematics", "latent", *SHORT,
                  "--json", tmp_path / "r.json") == 0  # fmt: skip
    shown = capsys.readouterr().out
    for words in ("latent coordinate", "assumed: gravity", "kinetic", "unexplained", "share"):
        assert words in shown
    assert all(str(file) in shown and file.is_file() for file in [*files, *plots])
    for file in files[:2]:
        (clip,) = load_sequences(file, 20)
        assert len(clip) == 5 and clip.fps == pytest.approx(20) and clip.travel > 0.01
    with av.open(str(files[2])) as video:
        assert sum(1 for _ in video.decode(video=0)) == 5
    assert Image.open(plots[0]).size == (960, 540)
    rows = list(csv.reader(plots[1].open()))
    assert rows[0][:3] == ["time_s", "kinetic_J", "potential_J"] and len(rows) == 6
    columns = json.loads(plots[2].read_text())
    assert max(columns["kinetic_J"]) > 0
    (report,) = json.loads((tmp_path / "r.json").read_text())["objects"]
    assert report["motions"][0]["unexplained"] < 0.02 and not report["error"]


@pytest.mark.slow
def test_same_seed_same_bytes(tmp_path):
    for name in ("a", "b"):
        assert neurok("simulate", FLAG, "-o", tmp_path / f"{name}.glb", tmp_path / f"{name}.npz", "--pin",
                      "hoist", "--random", "2", "--seed", "4", *SHORT) == 0  # fmt: skip
    for i in (1, 2):
        for suffix in (".glb", ".npz"):
            first, second = ((tmp_path / f"{n}_{i}{suffix}").read_bytes() for n in "ab")
            assert first == second
    assert (tmp_path / "a_1.glb").read_bytes() != (tmp_path / "a_2.glb").read_bytes()


@pytest.mark.slow
def test_random_motions_are_told_in_words(tmp_path, capsys):
    assert neurok("simulate", CABINET, "-o", tmp_path / "c.npz", "--random", "4", *SHORT) == 0
    shown = capsys.readouterr().out
    assert all(
        words in shown for words in ("1: ", "4: ", "pushed at", "blown at", "let go from another pose")
    )


def test_a_file_of_conditions_and_flags_add_up(tmp_path, capsys):
    (tmp_path / "c.yaml").write_text("- {kind: motor, coordinate: door_hinge, target: 1.0, duration: 0.2}\n")
    options = ["--conditions", tmp_path / "c.yaml", "--motor", "lid_hinge=30deg@0+0.2", "--no-gravity"]
    assert (
        neurok("simulate", CABINET, *options, "--no-floor", "-o", tmp_path / "c.npz", "--seconds", "0.6") == 0
    )
    shown = capsys.readouterr().out
    assert "the file has joints" in shown and "gravity" not in shown
    (clip,) = load_sequences(tmp_path / "c.npz")
    moved = np.linalg.norm(clip.positions[-1] - clip.positions[0], axis=1)
    for part in ("door", "lid"):
        faces = clip.shape.faces[clip.shape.part == clip.shape.part_names.index(part)]
        assert moved[faces].max() > 0.1


@pytest.mark.slow
def test_dropped_thrown_tilted_and_obstructed(tmp_path):
    trimesh.creation.box((0.2, 0.6, 0.2)).subdivide().export(tmp_path / "bar.ply")
    elastic = ["--kinematics", "elastic", "--modes", "3", "--seconds", "0.1", "--fps", "10"]
    for i, flags in enumerate((
        ["--drop", "0.02m", "--floor", "friction=0.2"],
        ["--throw", "-1,2,0/0,0,3", "--no-floor"],
        ["--tilt", "20", "--gravity", "9.81"],
        ["--drag", "0=0,0.5,0.2", "--obstacle", "ball:0,0.3,0.3,0.05", "--damping", "2", "--stiffness", "3"],
    )):  # fmt: skip
        assert neurok("simulate", tmp_path / "bar.ply", *flags, *elastic, "-o", tmp_path / f"{i}.npz") == 0
        (clip,) = load_sequences(tmp_path / f"{i}.npz")
        assert clip.travel > 1e-4


@pytest.mark.slow
@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--push", "scren=0,0,1"], "has no part 'scren'. Its parts are: base, screen"),
        (["--push", "screen"], "--push screen: is not PLACE=VALUE"),
        (["--push", "99999=0,0,1"], "has no vertex 99999"),
        (["--motor", "lid=1", "--kinematics", "latent"], "has no coordinate 'lid'. There are: latent_1"),
        (["--conditions", "none.yaml"], "none.yaml: cannot be read"),
        (["--energy", "plot.svg"], "plot.svg: energy is not written as .svg"),
        (["-o", "x.avi"], "x.avi: a motion is not written as .avi"),
        (["--fps", "0"], "fps is 0"),
        (["--gravity", "1", "--no-gravity"], "exclude each other"),
        (["--random", "-1"], "--random: is -1"),
        (["--density", "0"], "density"),
        (["--model", "none.safetensors"], "none.safetensors: there is no such file"),
    ],
)
def test_errors_name_what_is_wrong_and_write_nothing(options, words, tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert neurok("simulate", LAPTOP, *SHORT, *options) == 2
    error = capsys.readouterr().err
    assert words in error and "Traceback" not in error
    assert not list(tmp_path.iterdir())


@pytest.mark.slow
def test_many_meshes_one_of_them_broken(tmp_path, capsys):
    (tmp_path / "bad.glb").write_bytes(b"glTF")
    out = tmp_path / "out"
    files = [tmp_path / "bad.glb", CABINET]
    assert neurok("simulate", *files, "-o", out, out / "{name}.npz", "--workers", "2", *SHORT) == 2
    shown = capsys.readouterr().out
    assert "bad.glb" in shown and "skipped" in shown
    assert sorted(p.name for p in out.iterdir()) == ["cabinet.glb", "cabinet.npz"]
    assert neurok("simulate", FLAG, LAPTOP, "-o", tmp_path / "one.glb", *SHORT) == 2
    assert "is one file for 2 objects" in capsys.readouterr().err


def test_a_ray_cluster_that_does_not_answer_is_named_at_once(capsys):
    import ray  # takes a second

    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        address = f"127.0.0.1:{free.getsockname()[1]}"
        assert neurok("simulate", FLAG, LAPTOP, "--ray", address) == 2
    assert not ray.is_initialized()  # Ray itself waits for minutes
    assert f"--ray {address}: no cluster answers there" in capsys.readouterr().err


@pytest.mark.slow
def test_interrupting_writes_the_frames_so_far(tmp_path, monkeypatch, capsys):
    import neurok.pipelines.simulation_job as job

    real = job.stream

    def cut(*arguments, **options):
        kinematics, frames = real(*arguments, **options)

        def some():
            for index, frame in enumerate(frames):
                if index == 5:
                    raise KeyboardInterrupt
                yield frame

        return kinematics, some()

    monkeypatch.setattr(job, "stream", cut)
    flags = ["--tilt", "20", "--seconds", "600", "--fps", "20", "--energy", tmp_path / "e.csv"]
    assert neurok("simulate", CABINET, *flags, "-o", tmp_path / "long.npz", tmp_path / "long.glb") == 130
    assert "the frames so far are written" in capsys.readouterr().err
    for suffix in (".npz", ".glb"):
        (clip,) = load_sequences(tmp_path / f"long{suffix}", 20)
        assert len(clip) == 5
    assert sorted(p.name for p in tmp_path.iterdir()) == ["e.csv", "long.glb", "long.npz"]


@pytest.mark.slow
def test_interrupting_a_video_leaves_a_shorter_one(tmp_path, monkeypatch):
    import neurok.rendering.video as video

    real, drawn = video._frame, []

    def stop(*arguments):
        drawn.append(1)
        if len(drawn) == 4:
            raise KeyboardInterrupt
        return real(*arguments)

    monkeypatch.setattr(video, "_frame", stop)
    out = tmp_path / "f.mp4"
    assert neurok("simulate", CABINET, "--tilt", "20", "-o", out, tmp_path / "f.glb", *SHORT) == 130
    with av.open(str(out)) as file:
        assert sum(1 for _ in file.decode(video=0)) == 3
    assert load_sequences(tmp_path / "f.glb")


MEMORY = """
import resource, sys, numpy as np, torch
from pathlib import Path
from neurok.assets import SHIPPED
from neurok.export import save
from neurok.kinematics import JointKinematics, animate
from neurok.shapes.load import load_shape
import trimesh
from neurok.shapes import Shape, JointTree, Link, Joint
ball = trimesh.creation.icosphere(subdivisions=5)
shape = Shape(np.array(ball.vertices), np.array(ball.faces), "ball", part_names=("ball",))
turn = Joint("turn", "continuous", "world", "ball")
k = JointKinematics(shape, JointTree((Link("world"), Link("ball")), (turn,)))
motion = lambda n: animate(k, torch.linspace(0, 6, n, dtype=torch.float64)[:, None], lazy=True)
save(motion(4), "warm.npz"), save(motion(4), "warm.glb")
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
save(motion(400), "long.npz"), save(motion(400), "long.glb")
print((resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024)
"""


@pytest.mark.slow
def test_memory_does_not_grow_with_the_frames(tmp_path):
    """400 frames of 10,242 vertices are 49 MB: writing them takes a tenth of that."""
    done = subprocess.run(
        [sys.executable, "-c", MEMORY], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert float(done.stdout) < 8
    assert Path(tmp_path / "long.npz").stat().st_size > 1e6
