"""Dispatch, and the one place where errors become exit codes."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from importlib import import_module
from pathlib import Path

from neurok.cli.help import HELP_FLAGS, help_page, misspelt, options_of, parser_settings, wants_help
from neurok.errors import InputError

COMMANDS = {
    "demo": "Bring a laptop, a plant and a flag that ship with it to life",
    "examples": "Write the files that the documentation uses, to try commands on",
    "info": "What is in a file: geometry, parts, joints, clips, what was assumed",
    "simulate": "Push, drop, blow at or throw an object: its physical motion",
    "studio": "Grab objects with the mouse in a browser page: they answer",
    "pose": "Move an object by its coordinates: a pose, a sweep, a trajectory",
    "articulate": "The joints of a static object: what opens, slides or turns",
    "convert": "Read any shape or sequence, write another format",
    "render": "Pictures, contact sheets and videos, without display or GPU",
    "sample": "What the model has learned that a mesh can do",
    "fit": "The pose of a mesh from a scan, a point cloud or dragged points",
    "data": "Build and look at the data set that models learn from",
    "train": "Learn from a data set, on one CPU or many GPUs",
    "eval": "Check against outside truth and print the figures",
    "bench": "Measure speed and memory and print the figures",
}

USAGE = """neurok — hand it a static 3D object; it comes alive.

  neurok COMMAND [OPTIONS]     neurok COMMAND --help explains one, with examples

{commands}

Examples
  neurok examples                                     # files to try these on
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
    """Every command by the words that call it, as in "data build"."""
    found: dict[str, type] = {}
    for name in COMMANDS:
        module = import_module(f"neurok.cli.commands.{name}")
        topics = getattr(module, "topics", None)
        found |= {name: module.command} if topics is None else {f"{name} {t}": c for t, c in topics.items()}
    return found


def run(arguments: list[str]) -> int:
    """Run one command: 0 done, 2 the user can mend it (told in one line), 130 interrupted."""
    try:
        code = _dispatch(arguments)
        if sys.stdout is not None:
            sys.stdout.flush()  # here at the latest it shows that nobody can read it
        return code
    except InputError as error:
        return _tell(arguments, str(error), 2)
    except KeyboardInterrupt as interrupt:
        return _tell(arguments, str(interrupt) or "interrupted; nothing half-written was left", 130)
    except BrokenPipeError:  # the reader of our output went away, as `| head` does
        _discard_output()
        return 0
    except MemoryError:
        return _tell(arguments, "there is not enough memory. Decimate the shape, or ask for fewer frames.", 2)
    except OSError as error:
        if error.filename is None:
            _discard_output()
        where = "standard output" if error.filename is None else error.filename
        return _tell(arguments, f"{where}: {(error.strerror or str(error)).lower()}.", 2)


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
    topics = getattr(module, "topics", None)  # `data`, `train`, `eval` and `bench` have commands of their own
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
        print(f"neurok {name}: {wrong} neurok {name} --help shows what there is.", file=sys.stderr)
        return 2
    import tyro

    return tyro.cli(**parser_settings(command, name), args=arguments).run() or 0


def _tell(arguments: list[str], message: str, code: int) -> int:
    print(f"{' '.join(['neurok', *arguments[:1]])}: {message}", file=sys.stderr)
    return code


def _discard_output() -> None:
    """What is still buffered goes nowhere, so that the interpreter does not trip over it on its way out."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _unknown(name: str, known: Iterable[str], of: str = "") -> int:
    from difflib import get_close_matches

    near = get_close_matches(name, list(known), n=1)
    hint = f"Did you mean {near[0]!r}?" if near else f"There are: {', '.join(known)}"
    if not of and Path(name).suffix:
        hint = f"To see it move: neurok simulate {name}"
    print(f"neurok{of}: {name!r} is not a command. {hint}", file=sys.stderr)
    return 2
