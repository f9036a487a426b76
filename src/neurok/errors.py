"""Exceptions: `InputError` for what a user can mend, `Rejected` for samples that are dropped."""

from __future__ import annotations

from pathlib import Path


class InputError(Exception):
    """Something is wrong with what the user gave: it names the source, the cause and the fix.

    The command line prints it in one line and exits with code 2; it never shows a traceback.
    """

    def __init__(self, source: str | Path, cause: str, fix: str = "") -> None:
        self.source, self.cause, self.fix = str(source), cause.rstrip("."), fix.rstrip(".")
        super().__init__(f"{self.source}: {self.cause}." + (f" {self.fix}." if self.fix else ""))

    def __reduce__(self):  # so that it crosses process borders
        return type(self), (self.source, self.cause, self.fix)


class Rejected(Exception):
    """A recording or a generated sample is unfit for a data set; builds drop it and count the reason."""
