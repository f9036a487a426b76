"""The command line: one module per command, each a frozen dataclass of options with a `run`."""

from __future__ import annotations

import io
import sys

from neurok.cli.interrupt import arm
from neurok.cli.main import run


def main() -> None:
    """Entry point of `neurok`."""
    arm()
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # names that the terminal has no letters for stay readable
            stream.reconfigure(errors="backslashreplace")
    sys.exit(run(sys.argv[1:]))
