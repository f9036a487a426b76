"""Command line: takes arguments, runs one command of `commands/`, prints a report and gives an exit code."""

from __future__ import annotations

import io
import sys

from neurok.cli.interrupt import arm
from neurok.cli.main import run


def main() -> None:
    """Entry point of `neurok`."""
    arm()
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # names outside the terminal's encoding stay readable
            stream.reconfigure(errors="backslashreplace")
    sys.exit(run(sys.argv[1:]))
