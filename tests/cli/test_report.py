"""Output of commands with unusual names, unusual targets and closed readers."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading

import pytest

from neurok.assets import SHIPPED
from neurok.cli.main import run
from neurok.cli.report import print_table

CABINET = str(SHIPPED["cabinet"])
TRIANGLE = "v 0 0 0\nv 1 0 0\nv 0 1 0\n{group}f 1 2 3\n"


def command(*arguments: str, **options) -> subprocess.CompletedProcess:
    line = [sys.executable, "-m", "neurok.cli", *arguments]
    return subprocess.run(line, stderr=subprocess.PIPE, text=True, check=False, **options)


def test_names_are_printed_as_they_are(tmp_path, capsys):
    path = tmp_path / "[bold]a.obj"
    path.write_text(TRIANGLE.format(group="g [/door]\n"))
    assert run(["info", str(path)]) == 0
    shown = capsys.readouterr().out
    assert "[bold]a.obj" in shown.replace("\n", "")
    assert "[/door]" in shown


def test_control_characters_of_a_file_do_not_reach_the_terminal(tmp_path, capsys):
    path = tmp_path / "a.obj"
    path.write_text(TRIANGLE.format(group="g red\x1b[31m\x07\n"))
    assert run(["info", str(path)]) == 0
    shown = capsys.readouterr().out
    assert "\x1b" not in shown and "\x07" not in shown
    assert r"red\x1b[31m\x07" in shown


def test_a_table_without_rows_has_its_header(capsys):
    print_table("nothing", ["one", "two"], [])
    assert "one" in capsys.readouterr().out


def test_a_mechanism_whose_joints_are_all_fixed_is_described(tmp_path, capsys):
    link = '<link name="{}"><visual><geometry><box size="1 1 1"/></geometry></visual></link>'
    joint = '<joint name="j" type="fixed"><parent link="a"/><child link="b"/></joint>'
    path = tmp_path / "still.urdf"
    path.write_text(f'<robot name="r">{link.format("a")}{link.format("b")}{joint}</robot>')
    assert run(["info", str(path)]) == 0
    assert "0 degrees of freedom" in capsys.readouterr().out


def test_json_goes_into_a_pipe_and_leaves_it_one(tmp_path, capsys):
    pipe, read = tmp_path / "out.json", []
    os.mkfifo(pipe)
    reader = threading.Thread(target=lambda: read.append(pipe.read_text()), daemon=True)
    reader.start()
    assert run(["info", CABINET, "--json", str(pipe)]) == 0
    reader.join(10)
    assert json.loads(read[0])["files"][0]["up"] == "z"
    assert pipe.is_fifo()


@pytest.mark.slow
@pytest.mark.parametrize("arguments", [["--help"], ["info", CABINET], ["info", CABINET, "--json", "-"]])
def test_a_full_disk_behind_standard_output_is_one_line(arguments):
    with open("/dev/full", "w") as full:  # noqa: PTH123
        done = command(*arguments, stdout=full)
    assert done.returncode == 2
    assert done.stderr.splitlines() == [f"neurok {arguments[0]}: standard output: no space left on device."]


@pytest.mark.slow
@pytest.mark.parametrize("arguments", [["--help"], ["info", CABINET]])
def test_a_reader_that_leaves_is_no_error(arguments):
    read, written = os.pipe()
    os.close(read)
    done = command(*arguments, stdout=written)
    os.close(written)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.slow
def test_names_beyond_the_alphabet_of_the_terminal_stay_readable(tmp_path):
    path = tmp_path / "möbel\udcff.obj"
    path.write_text(TRIANGLE.format(group=""))
    done = command("info", str(path), stdout=subprocess.PIPE, env=os.environ | {"PYTHONIOENCODING": "ascii"})
    assert (done.returncode, done.stderr) == (0, "")
    assert "m\\xf6bel" in done.stdout.replace("\n", "")


def test_what_the_system_refuses_to_read_is_one_line(capsys):
    assert run(["info", "n" * 300 + ".glb"]) == 2
    assert "file name too long" in capsys.readouterr().err


def test_numbered_files_are_told_in_one_line(tmp_path, capsys):
    assert run(["pose", CABINET, "--seconds", "0.1", "-o", str(tmp_path / "f" / "a.ply")]) == 0
    shown = capsys.readouterr().out.splitlines()[-1]
    assert shown.startswith(f"wrote {tmp_path / 'f' / 'a_0000.ply'} … a_0011.ply (12 files)")
    assert not (tmp_path / "f" / "a.ply").exists()


@pytest.mark.parametrize(
    "command", ["bench data {}", "eval articulation --data {}", "train kinematics --data {} --out new"]
)
def test_a_folder_that_holds_nothing_is_named_and_nothing_is_made(command, tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "empty").mkdir()
    assert run(command.format("empty").split()) == 2
    assert "empty: " in capsys.readouterr().err and not (tmp_path / "new").exists()


def test_a_file_in_the_place_of_a_folder_is_refused_before_the_work(tmp_path, capsys):
    (tmp_path / "out").write_text("mine")
    assert run(["sample", str(SHIPPED["laptop"]), "-o", str(tmp_path / "out")]) == 2
    printed = capsys.readouterr()
    assert "is a file" in printed.err and not printed.out


@pytest.mark.parametrize("command", ["simulate {} -o x.usdc", "pose {} -o x.usda", "articulate {} -o x.usd"])
def test_usd_that_nothing_can_write_is_refused_before_the_work(command, tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setitem(sys.modules, "pxr.Usd", None)
    assert run(command.format(SHIPPED["cabinet"]).split()) == 2
    printed = capsys.readouterr()
    assert "usd-core is not installed" in printed.err and not printed.out
