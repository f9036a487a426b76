"""Dispatch, and the one place where errors become exit codes."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from importlib import import_module
from inspect import cleandoc

from neurok.errors import InputError

COMMANDS = {
    "demo": "Open a shipped cabinet by its joints, bend a shipped teddy by its modes",
    "info": "What is in a file: geometry, parts, joints, clips, what was assumed",
    "pose": "Move an object by its joints or elastic modes: a pose, a sweep, a trajectory",
    "convert": "Read any shape or sequence, write another format",
    "render": "Pictures, contact sheets and videos, without display or GPU",
    "data": "Build and look at the data set that models learn from",
    "eval": "Check against outside truth and print the figures",
    "bench": "Measure speed and memory and print the figures",
}

USAGE = """neurok — hand it a static 3D object; it comes alive.

  neurok COMMAND [OPTIONS]        neurok COMMAND --help explains one command

{commands}

Examples
  neurok info robot.urdf
  neurok pose cabinet.urdf --set door_hinge=80deg -o open.glb
  neurok pose plush.glb --kinematics elastic -o wobble.glb
  neurok render walk.glb -o walk.mp4
"""


def usage() -> str:
    return USAGE.format(commands="\n".join(f"  {name:<9}{text}" for name, text in COMMANDS.items()))


def run(arguments: list[str]) -> int:
    """Run one command: 0 done, 2 the user can mend it, 130 interrupted."""
    if not arguments or arguments[0] in ("-h", "--help", "help"):
        print(usage(), end="")
        return 0
    if arguments[0] in ("-V", "--version"):
        import neurok

        print(f"neurok {neurok.__version__}")
        return 0
    name, rest = arguments[0], arguments[1:]
    if name not in COMMANDS:
        return _unknown(name, COMMANDS)
    module = import_module(f"neurok.cli.{name}")
    topics = getattr(module, "topics", None)  # `data`, `eval` and `bench` have commands of their own
    if topics is None:
        return guarded(module.command, name, rest)
    if not rest or rest[0] in ("-h", "--help"):
        print(module.__doc__)
        return 0
    if rest[0] not in topics:
        return _unknown(rest[0], topics, f" {name}")
    return guarded(topics[rest[0]], f"{name} {rest[0]}", rest[1:])


def guarded(command: type, name: str, arguments: list[str]) -> int:
    """Run a command; what the user can mend becomes one line and exit code 2."""
    import tyro

    try:
        options = tyro.cli(
            command,
            prog=f"neurok {name}",
            args=arguments,
            description=cleandoc(command.__doc__ or ""),
            config=(tyro.conf.FlagCreatePairsOff,),
        )
        return options.run() or 0
    except InputError as error:
        print(f"neurok {name}: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print(f"neurok {name}: interrupted; nothing half-written was left", file=sys.stderr)
        return 130
    except BrokenPipeError:  # the reader of our output went away, as `| head` does
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0


def _unknown(name: str, known: Iterable[str], of: str = "") -> int:
    from difflib import get_close_matches

    near = get_close_matches(name, list(known), n=1)
    hint = f"Did you mean {near[0]!r}?" if near else f"There are: {', '.join(known)}"
    print(f"neurok{of}: {name!r} is not a command. {hint}", file=sys.stderr)
    return 2
