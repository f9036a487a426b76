"""The command line: one module per command, each a frozen dataclass of options with a `run`."""

from __future__ import annotations

import sys

from neurok.cli.main import run


def main() -> None:
    """Entry point of `neurok`."""
    sys.exit(run(sys.argv[1:]))
