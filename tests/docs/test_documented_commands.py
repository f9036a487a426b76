"""Runs every command and every Python block of the README and the docs, in a folder of `neurok examples`.

The options of SHORTER shorten commands that would take minutes. PARSED and OUTSIDE list the commands that are
only parsed.
"""

from __future__ import annotations

import re
import runpy
import shutil
import sys
import tomllib
from itertools import pairwise
from pathlib import Path

import pytest
import tyro

from documentation import PAGES, ROOT, blocks, command_lines, inline_commands
from neurok.assets import WEIGHTS
from neurok.cli.help import misspelt, options_of, parser_settings
from neurok.cli.main import COMMANDS, commands, run
from neurok.datasets.store.store import Store
from neurok.dynamics import load_conditions

SHORTER = {  # options that are added to commands with these names
    "simulate": "--seconds 0.1 --fps 20 --workers 1",
    "demo": "--seconds 0.1",
    "pose": "--seconds 0.1 --fps 20",
    "sample": "--count 1",
    "fit": "--starts 1",
    "data build": "--articulated 3 --simulated 0 --random-mechanisms 1 --random-assemblies 1"
    " --tabletop-scenes 1 --frames 20 --workers 1",
    "data show": "--count 2",
    "bench data": "--pairs 200 --only-reading",
    "eval articulation": "--objects 1",
    "train articulation": "--train.steps 1 --train.batch 2 --train.readers 0 --pairs.workers 1",
    "train parts": "--train.steps 1 --train.batch 2 --train.readers 0 --pairs.workers 1",
    "train patches": "--train.steps 1 --train.batch 2 --train.readers 0 --pairs.workers 1",
    "train keypoints": "--train.steps 1 --train.batch 2 --train.readers 0",
}
PARSED = {  # parsed, not run: the reason, or the test that runs it at a small size
    "studio": "runs for ever; tests/studio",
    "train kinematics": "calibrates for a minute; tests/training/test_training.py",
    "eval kinematics": "tests/cli/test_learned.py",
    "eval dynamics": "takes minutes",
    "bench dynamics": "takes minutes",
    "bench studio": "takes minutes and a browser",
}
RECIPE = "scripts/train_articulation.py"  # takes hours: its commands are parsed, not run
OUTSIDE = ("make", "pip", "python3 -m venv", ". .venv/bin/activate")  # set up a machine: names are checked
STAND_INS = {"FOLDER": "mine", "STORE": "store", "my_urdfs/": "mine"}  # stand-ins for files of the reader
SHORTER_PYTHON = {
    'at="screen")])': 'at="screen")], config=neurok.SimulationConfig(seconds=0.1, fps=20))',
    "Floor(restitution=0.3)])": "Floor(restitution=0.3)], neurok.SimulationConfig(seconds=0.05))",
}


@pytest.fixture(scope="module")
def examples(made_once) -> Path:
    return made_once("examples", fill)


def fill(folder: Path) -> None:
    """Examples, a store and a run, which the pages assume."""
    assert run(["examples", "-o", str(folder)]) == 0
    (folder / "mine").mkdir()
    shutil.copy(folder / "cabinet.urdf", folder / "mine")
    store = ["data", "build", "--out", str(folder / "store"), *SHORTER["data build"].split()]
    assert run(store) == 0
    assert not Store.open(folder / "store").skipped
    for run_folder, weights in {"run": "kinematics"}.items():
        (folder / run_folder).mkdir()
        shutil.copy(WEIGHTS[weights], folder / run_folder / "model.safetensors")


@pytest.fixture
def reader(examples, tmp_path, monkeypatch) -> Path:
    """A copy of the examples as working directory."""
    shutil.copytree(examples, tmp_path / "reader")
    monkeypatch.chdir(tmp_path / "reader")
    return tmp_path / "reader"


def command_of(words: list[str]) -> str:
    """The longest command name at the start of these words, such as "data build"."""
    given = " ".join(words[1:3])
    known = [name for name in commands() if given == name or words[1] == name]
    assert known, f"{' '.join(words)}: no such command"
    return known[0]


def parsed(words: list[str]) -> None:
    """Parses the options as the command line does; tyro exits on an error."""
    name = command_of(words)
    arguments = words[1 + len(name.split()) :]
    command = commands()[name]
    assert misspelt(arguments, options_of(command, name)) is None, words
    tyro.cli(**parser_settings(command, name), args=arguments)


def begins(name: str, table) -> str | None:
    return next((key for key in table if name == key or name.startswith(key + " ")), None)


def obey(words: list[str]) -> None:
    """Runs one documented command."""
    if begins(" ".join(words), OUTSIDE):
        return check_outside(words)
    if words[0] == "python" and words[1] == RECIPE:
        return check_recipe(words)
    if words[0] == "python":
        return run_script(ROOT / words[1], words[2:])
    assert words[0] == "neurok", f"{' '.join(words)}: add it to what is known"
    name = command_of(words)
    if begins(name, PARSED):
        return parsed(words)
    shorter = SHORTER.get(begins(name, SHORTER) or "", "").split()
    arguments = [STAND_INS.get(word, word) for word in words[1:]] + shorter
    assert run(arguments) == 0, " ".join(arguments)
    return None


def check_recipe(words: list[str]) -> None:
    """Checks that the script accepts these arguments, and that the command line parses its commands."""
    script = runpy.run_path(str(ROOT / RECIPE))
    assert len(words) == 4, "FOLDER OUT"
    for stage in script["STAGES"].values():
        parsed(f"neurok {stage} --data store --out run --threads 1 --train.seed 1".split())
    parsed(f"neurok {script['STORE']} --data mine --out store".split())
    assert set(script["SHIPPED"]) <= set(WEIGHTS)


def run_script(path: Path, arguments: list[str]) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "argv", [str(path), *arguments])
        runpy.run_path(str(path), run_name="__main__")


def check_outside(words: list[str]) -> None:
    if words[0] == "make":
        targets = re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(), re.MULTILINE)
        assert set(words[1:]) <= set(targets), words
    if words[0] == "pip":
        extras = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]
        assert words[1] == "install"
        for name in re.findall(r"\[([\w,]+)\]", words[2]):
            assert set(name.split(",")) <= set(extras), words


def parameters(pages: list[Path]) -> list:
    """Every page is a group of its own, so that pages run in parallel."""
    names = [str(page.relative_to(ROOT)) for page in pages]
    return [
        pytest.param(page, id=name, marks=pytest.mark.xdist_group(name))
        for page, name in zip(pages, names, strict=True)
    ]


@pytest.mark.slow
@pytest.mark.parametrize("page", parameters([page for page in PAGES if command_lines(page)]))
def test_commands_do_what_the_page_says(page, reader, capsys):
    for words in command_lines(page):
        obey(words)
        written = [word for flag, word in pairwise(words) if flag == "-o"]
        if words[0] == "neurok" and not begins(command_of(words), PARSED) and "--random" not in words:
            assert all((reader / path).exists() for path in written), words


@pytest.mark.slow
@pytest.mark.parametrize("page", parameters([page for page in PAGES if blocks(page, "python")]))
def test_python_runs_from_top_to_bottom(page, reader):
    """The Python blocks of a page run in order and write the files that they name."""
    scope: dict = {}
    for block in blocks(page, "python"):
        for long, short in SHORTER_PYTHON.items():
            block = block.replace(long, short)
        exec(compile(block, str(page), "exec"), scope)
        for path in re.findall(r'\bsave\(.*"([^"]+)"\)', block):
            assert (reader / path).is_file(), path
    assert "neurok" in scope


def test_options_in_running_text_exist():
    found = [words for page in PAGES for words in inline_commands(page) if words[1] in COMMANDS]
    for words in found:
        name = command_of(words)
        assert misspelt(words[1 + len(name.split()) :], options_of(commands()[name], name)) is None, words
    assert len(found) > 10


@pytest.mark.slow
def test_examples_in_the_help_are_understood():
    shown = {
        name: [
            line.split()
            for line in (command.__doc__ or "").splitlines()
            if line.strip().startswith("neurok ")
        ]
        for name, command in commands().items()
    }
    for name, lines in shown.items():
        for words in lines:
            parsed(words)
        assert any(command_of(words) == name for words in lines), f"{name} shows no example of itself"


def test_conditions_in_a_file_are_read(tmp_path):
    (block,) = blocks(ROOT / "docs" / "simulation.md", "yaml")
    (tmp_path / "conditions.yaml").write_text(block)
    assert len(load_conditions(tmp_path / "conditions.yaml")) == block.count("kind:")


def test_a_page_with_a_wrong_command_would_fail(reader):
    """The checks themselves detect unknown commands, options, files and extras."""
    for line in ("neurok simulat laptop.glb", "neurok train kinematics --data a --out b --stepz 3"):
        with pytest.raises(AssertionError):
            obey(line.split())
    with pytest.raises(AssertionError):
        obey(["neurok", "info", "nothing.glb"])
    with pytest.raises(AssertionError):
        obey(["pip", "install", "neurok[nothing]"])
    with pytest.raises(AssertionError):
        obey(["rm", "-rf", "x"])
