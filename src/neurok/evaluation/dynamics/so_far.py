"""A long evaluation that is interrupted tells what it has found so far."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeVar

Result = TypeVar("Result")


def so_far(results: Iterable[Result], step: Callable[[], None]) -> list[Result]:
    """All results as they come, a step for each; after ^C those that there are."""
    found: list[Result] = []
    try:
        for result in results:
            found.append(result)
            step()
    except KeyboardInterrupt:
        pass  # the tables say how many objects they are of
    return found
