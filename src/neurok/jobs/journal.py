"""Results of a long evaluation in a file of one JSON object per line, from which it goes on when stopped."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, TypeVar

from neurok.errors import InputError

Result = TypeVar("Result")


def plain(result: Any) -> dict[str, Any]:
    """A record as JSON can hold it: paths as text, what is not finite as null."""
    return {key: plain_value(value) for key, value in vars(result).items()}


def plain_value(value: Any) -> Any:
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return str(value) if isinstance(value, Path) else value


def earlier(file: Path | None, read: Callable[[dict[str, Any]], Result | None]) -> list[Result]:
    """What `read` takes of the lines of a file; a last line that a kill cut off does not count."""
    if file is None or not file.exists():
        return []
    found = []
    for number, line in enumerate(_lines(file)):
        try:
            result = read(json.loads(line))
        except (ValueError, TypeError, KeyError):
            raise InputError(file, f"line {number + 1} is no result", "Name another file") from None
        if result is not None:
            found.append(result)
    return found


def _lines(file: Path) -> list[str]:
    """Whole lines; what follows the last end of line is cut off the file, so that it can be appended to."""
    try:
        text = file.read_bytes()
        whole = text[: text.rfind(b"\n") + 1]
        if whole != text:
            file.write_bytes(whole)
        return whole.decode().splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(file, f"cannot be read: {error}", "Name another file") from None


def noted(
    results: Iterable[Result], file: Path | None, line: Callable[[Result], dict[str, Any]]
) -> Iterator[Result]:
    """The same results, each appended to the file before it is passed on."""
    if file is None:
        yield from results
        return
    with file.open("a") as lines:
        for result in results:
            lines.write(json.dumps(line(result)) + "\n")
            lines.flush()
            yield result
