"""Help pages fit a screen, and mistyped, invalid or interrupted commands give short messages."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time

import pytest

from neurok.assets import shipped
from neurok.cli.help import SCREEN_COLUMNS, SCREEN_LINES, options_of
from neurok.cli.main import COMMANDS, commands, run, usage

TOPICS = sorted({name.split()[0] for name in commands() if " " in name})


@pytest.mark.parametrize("name", ["", *TOPICS, *commands()])
def test_help_fits_a_screen_and_shows_an_example(name, capsys):
    assert run([*name.split(), "--help"]) == 0
    page = capsys.readouterr().out.rstrip().splitlines()
    assert len(page) <= SCREEN_LINES
    assert max(len(line) for line in page) <= SCREEN_COLUMNS
    assert [line for line in page if re.match(rf"\s+neurok {name}\b", line)], "no example"


@pytest.mark.parametrize("name", commands())
def test_help_names_every_option_and_all_explains_it(name, capsys):
    assert run([*name.split(), "--help"]) == 0
    short = capsys.readouterr().out
    assert run([*name.split(), "--help", "all"]) == 0
    whole = capsys.readouterr().out
    for option in options_of(commands()[name], name):
        assert not option.flags or option.flags[-1] in short
        assert f"  {option.heading}" in whole
        assert option.explanation, f"{name} {option.heading} is not explained"


@pytest.mark.parametrize("name", commands())
def test_a_misspelt_option_gets_the_right_one(name, capsys):
    """Swaps two letters in the longest option of every command."""
    flags = [flag for option in options_of(commands()[name], name) for flag in option.flags]
    flag = max(flags, key=len)
    middle = len(flag) // 2 + 1
    wrong = flag[:middle] + flag[middle + 1] + flag[middle] + flag[middle + 2 :]
    if wrong in flags:
        wrong = flag + "x"
    assert run([*name.split(), wrong, "1"]) == 2
    assert f"unknown option {wrong}; did you mean {flag}?" in capsys.readouterr().err


def test_misspelt_options_suggest_what_was_meant(capsys):
    assert run(["simulate", "laptop.glb", "--puhs", "screen=0,-1,0"]) == 2
    assert "unknown option --puhs; did you mean --push?" in capsys.readouterr().err
    assert run(["train", "kinematics", "--steps", "5"]) == 2
    assert "did you mean --train.steps?" in capsys.readouterr().err
    assert run(["info", "--qqqqqq"]) == 2
    printed = capsys.readouterr().err
    assert "unknown option --qqqqqq." in printed and "did you mean" not in printed


def test_values_that_begin_with_a_dash_are_no_options(capsys):
    assert run(["simulate", "nothing.glb", "--wind", "-1,0,0", "--json", "-"]) == 2
    assert "nothing.glb" in capsys.readouterr().err


@pytest.mark.parametrize("name", COMMANDS)
def test_a_misspelt_command_gets_the_right_one(name, capsys):
    assert run([name[0] + name[2] + name[1] + name[3:]]) == 2
    assert f"Did you mean {name!r}?" in capsys.readouterr().err


@pytest.mark.parametrize("name", [name for name in commands() if " " in name])
def test_a_misspelt_topic_gets_the_right_one(name, capsys):
    first, second = name.split()
    assert run([first, second + "s"]) == 2
    assert f"Did you mean {second!r}?" in capsys.readouterr().err


def test_a_file_in_the_place_of_a_command_gets_one_that_moves_it(capsys):
    assert run(["laptop.glb"]) == 2
    assert "neurok simulate laptop.glb" in capsys.readouterr().err


def test_the_list_of_commands_fits_a_terminal():
    assert max(map(len, usage().splitlines())) <= 80


def test_help_is_also_a_command(capsys):
    assert run(["help", "pose"]) == 0
    assert capsys.readouterr().out.startswith("usage: neurok pose")
    assert run(["help"]) == 0
    assert all(f"  {name} " in capsys.readouterr().out for name in ["studio"])


@pytest.mark.parametrize("name", commands())
def test_no_arguments_do_the_obvious_or_say_what_is_missing(name, capsys, monkeypatch, tmp_path):
    """Commands with required options name them in a few lines; the others would run."""
    needs = [option for option in options_of(commands()[name], name) if option.required]
    if not needs:
        return
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SystemExit) as stop:
        run(name.split())
    printed = capsys.readouterr().err
    assert stop.value.code == 2
    assert all((option.flags or (option.value,))[-1] in printed for option in needs)
    assert len(printed.splitlines()) <= 20 and "Traceback" not in printed


@pytest.mark.parametrize(
    "name", ["info", "simulate", "pose", "articulate", "convert", "render", "sample", "fit"]
)
def test_a_wrong_file_is_named_with_what_is_wrong(name, capsys, tmp_path):
    more = {
        "convert": [str(tmp_path / "x.obj")],
        "render": ["-o", str(tmp_path / "x.png")],
        "sample": ["-o", str(tmp_path / "x")],
        "fit": [str(shipped("teddy"))],
    }.get(name, [])
    (tmp_path / "letter.txt").write_text("Dear reader")
    for file, words in (("none.glb", "none.glb"), ("letter.txt", "letter.txt")):
        assert run([name, str(tmp_path / file), *more]) == 2
        printed = capsys.readouterr()
        assert words in printed.err + printed.out and "Traceback" not in printed.err
    assert sorted(path.name for path in tmp_path.iterdir()) == ["letter.txt"]


@pytest.mark.slow
def test_an_interruption_is_reported_in_one_line():
    """^C during a simulation: exit code 130 and one sentence, no traceback."""
    code = "import signal, neurok.cli as cli; signal.signal(2, signal.default_int_handler); cli.main()"
    arguments = [
        "simulate",
        str(shipped("cabinet")),
        "--tilt",
        "20",
        "--seconds",
        "1000",
        "-o",
        os.devnull + ".glb",
    ]
    process = subprocess.Popen(
        [sys.executable, "-c", code, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    assert "joints" in process.stdout.readline()  # it has started
    time.sleep(0.5)
    process.send_signal(signal.SIGINT)
    _, printed = process.communicate(timeout=120)
    assert process.returncode == 130
    assert "interrupted" in printed and "Traceback" not in printed


def test_examples_are_never_written_over_other_files(tmp_path, capsys):
    assert run(["examples", "-o", str(tmp_path)]) == 0
    assert run(["examples", "-o", str(tmp_path)]) == 0, "the same files again"
    (tmp_path / "laptop.glb").write_bytes(b"mine")
    capsys.readouterr()
    assert run(["examples", "-o", str(tmp_path)]) == 2
    assert "laptop.glb" in capsys.readouterr().err
    assert (tmp_path / "laptop.glb").read_bytes() == b"mine"


def test_the_list_of_commands_imports_no_heavy_package():
    """In a fresh process `neurok --help` loads neither torch nor numpy nor tyro."""
    code = (
        "import sys; from neurok.cli.main import run; assert run(['--help']) == 0\n"
        "print('loaded:', sorted({'torch', 'numpy', 'tyro'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "loaded: []"
