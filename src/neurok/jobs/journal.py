"""Appends results to a file of one JSON object per line, and reads them back to resume an evaluation."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, TypeVar

from neurok.errors import InputError

Result = TypeVar("Result")


def plain(result: Any) -> dict[str, Any]:
    """Record as JSON data: paths as text, non-finite numbers as null."""
    return {key: plain_value(value) for key, value in vars(result).items()}


def plain_value(value: Any) -> Any:
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return str(value) if isinstance(value, Path) else value


def earlier_results(file: Path | None, read: Callable[[dict[str, Any]], Result | None]) -> list[Result]:
    """Results of an earlier run, parsed by `read`; an incomplete last line is ignored."""
    if file is None or not file.exists():
        return []
    found = []
    for number, line in enumerate(_lines(file)):
        try:
            result = read(json.loads(line))
        except (ValueError, TypeError, KeyError):
            raise InputError(file, f"line {number + 1} is not a result", "Name another file") from None
        if result is not None:
            found.append(result)
    return found


def _lines(file: Path) -> list[str]:
    """Complete lines of a file; an incomplete last line is removed from it, so that lines can be appended."""
    try:
        text = file.read_bytes()
        whole = text[: text.rfind(b"\n") + 1]
        if whole != text:
            file.write_bytes(whole)
        return whole.decode().splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(file, f"cannot be read: {error}", "Name another file") from None


def journalled(
    results: Iterable[Result], file: Path | None, line: Callable[[Result], dict[str, Any]]
) -> Iterator[Result]:
    """Passes results on after appending each to the file."""
    if file is None:
        yield from results
        return
    with file.open("a") as lines:
        for result in results:
            lines.write(json.dumps(line(result)) + "\n")
            lines.flush()
            yield result
