"""Exceptions: `InputError` for problems that the user can fix, `Rejected` for samples that are dropped."""

from __future__ import annotations

from pathlib import Path


class InputError(Exception):
    """A problem with the user's input, described by its source, its cause and a fix.

    The command line prints it in one line, without a traceback, and exits with code 2.
    """

    def __init__(self, source: str | Path, cause: str, fix: str = "") -> None:
        self.source, self.cause, self.fix = str(source), cause.rstrip("."), fix.rstrip(".")
        super().__init__(f"{self.source}: {self.cause}." + (f" {self.fix}." if self.fix else ""))

    def __reduce__(self):  # the default would pickle the message alone, which __init__ does not take
        return type(self), (self.source, self.cause, self.fix)


class Rejected(Exception):
    """A recording or a generated sample is unfit for a data set; builds drop it and count the reason."""
