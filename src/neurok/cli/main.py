"""Dispatches commands and maps errors to exit codes."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from importlib import import_module
from pathlib import Path

from neurok.cli.help import HELP_FLAGS, help_page, misspelt, options_of, parser_settings, wants_help
from neurok.errors import InputError

COMMANDS = {
    "demo": "Simulate three example objects: a laptop, a plant and a flag",
    "examples": "Write the files that the documentation uses",
    "info": "Describe a file: geometry, parts, joints, clips, assumptions",
    "simulate": "Simulate an object that is pushed, dropped, blown at or thrown",
    "studio": "Move objects with the mouse in a browser",
    "pose": "Move an object by its coordinates: a pose, a sweep, a trajectory",
    "articulate": "Find the joints of a static object and write a mechanism",
    "convert": "Convert a shape or sequence to another format",
    "render": "Draw pictures, contact sheets and videos, without display or GPU",
    "sample": "Draw deformations of a mesh from the learned model",
    "fit": "Find the pose of a mesh from a scan, points or dragged vertices",
    "data": "Build and inspect the training data set",
    "train": "Train a model, on one CPU or many GPUs",
    "eval": "Measure accuracy against references",
    "bench": "Measure speed and memory",
}

USAGE = """neurok simulates and articulates static 3D objects.

  neurok COMMAND [OPTIONS]     neurok COMMAND --help shows its options

{commands}

Examples
  neurok examples                                     # writes example files
  neurok simulate laptop.glb -o closing.glb --push screen=0,-1,0
  neurok info cabinet.urdf
  neurok pose cabinet.urdf --set door_hinge=80deg -o open.glb
  neurok articulate cabinet.glb -o found.urdf
  neurok pose teddy.glb --kinematics elastic -o wobble.glb
  neurok render closing.glb -o closing.mp4
"""


def usage() -> str:
    return USAGE.format(commands="\n".join(f"  {name:<11}{text}" for name, text in COMMANDS.items()))


def commands() -> dict[str, type]:
    """All commands by their full name, as in "data build"."""
    found: dict[str, type] = {}
    for name in COMMANDS:
        module = import_module(f"neurok.cli.commands.{name}")
        topics = getattr(module, "topics", None)
        found |= {name: module.command} if topics is None else {f"{name} {t}": c for t, c in topics.items()}
    return found


def run(arguments: list[str]) -> int:
    """Runs one command; exit code 0: success, 2: error of the input (one line), 130: interrupted."""
    try:
        code = _dispatch(arguments)
        if sys.stdout is not None:
            sys.stdout.flush()  # raises here at the latest if the output cannot be written
        return code
    except InputError as error:
        return _fail(arguments, str(error), 2)
    except KeyboardInterrupt as interrupt:
        return _fail(arguments, str(interrupt) or "interrupted; no incomplete file is left", 130)
    except BrokenPipeError:  # the reader of the output has closed it, as `| head` does
        _discard_output()
        return 0
    except MemoryError:
        return _fail(arguments, "not enough memory. Decimate the shape, or request fewer frames.", 2)
    except OSError as error:
        if error.filename is None:
            _discard_output()
        where = "standard output" if error.filename is None else error.filename
        return _fail(arguments, f"{where}: {(error.strerror or str(error)).lower()}.", 2)


def _dispatch(arguments: list[str]) -> int:
    if arguments[:1] == ["help"]:
        arguments = [*arguments[1:], "--help"]
    if not arguments or arguments[0] in HELP_FLAGS:
        print(usage(), end="")
        return 0
    if arguments[0] in ("-V", "--version"):
        import neurok

        print(f"neurok {neurok.__version__}")
        return 0
    name, rest = arguments[0], arguments[1:]
    if name not in COMMANDS:
        return _unknown(name, COMMANDS)
    module = import_module(f"neurok.cli.commands.{name}")
    topics = getattr(module, "topics", None)  # subcommands of `data`, `train`, `eval` and `bench`
    if topics is None:
        return _execute(module.command, name, rest)
    if not rest or rest[0] in HELP_FLAGS:
        print((module.__doc__ or "").rstrip())
        return 0
    if rest[0] not in topics:
        return _unknown(rest[0], topics, f" {name}")
    return _execute(topics[rest[0]], f"{name} {rest[0]}", rest[1:])


def _execute(command: type, name: str, arguments: list[str]) -> int:
    if wants_help(arguments):
        print(help_page(command, name, arguments), end="")
        return 0
    wrong = misspelt(arguments, options_of(command, name))
    if wrong:
        print(f"neurok {name}: {wrong} neurok {name} --help lists the options.", file=sys.stderr)
        return 2
    import tyro

    return tyro.cli(**parser_settings(command, name), args=arguments).run() or 0


def _fail(arguments: list[str], message: str, code: int) -> int:
    print(f"{' '.join(['neurok', *arguments[:1]])}: {message}", file=sys.stderr)
    return code


def _discard_output() -> None:
    """Redirects buffered output to the null device, so that the interpreter exits without an error."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _unknown(name: str, known: Iterable[str], of: str = "") -> int:
    from difflib import get_close_matches

    near = get_close_matches(name, list(known), n=1)
    hint = f"Did you mean {near[0]!r}?" if near else f"There are: {', '.join(known)}"
    if not of and Path(name).suffix:
        hint = f"To simulate it: neurok simulate {name}"
    print(f"neurok{of}: {name!r} is not a command. {hint}", file=sys.stderr)
    return 2
