"""Checks array shapes and types at run time, at the first calls of every function in every test.

`--jaxtyping-packages` decorates each function of the package with `jaxtyping.jaxtyped`. In a loop its checks
take longer than the mechanics, and writing them for every function takes ten seconds at import. Here the
check of a function is written at its first call, and each test checks the first calls of each function.
"""

from __future__ import annotations

import dataclasses
import functools
import inspect
from collections.abc import Callable
from typing import Any

import jaxtyping
from beartype import BeartypeConf, beartype

CHECKED_CALLS = 5  # of each function and constructor, in each test

typechecker = beartype(conf=BeartypeConf(is_pep484_tower=True))  # an int passes as a float
jaxtyped = jaxtyping.jaxtyped
tests_begun = 0


def checked_at_first_calls(*, typechecker: Callable) -> Callable:
    """Takes the place of `jaxtyping.jaxtyped`. Of a class it checks the constructor, if that is generated."""

    def decorate(decorated: Any) -> Any:
        if not inspect.isclass(decorated):
            return _FirstCalls(decorated, typechecker).wrapper()
        if dataclasses.is_dataclass(decorated) and "__init__" in vars(decorated):
            decorated.__init__ = _FirstCalls(decorated.__init__, typechecker).wrapper()
        return decorated

    return decorate


class _FirstCalls:
    """A function, its check once it is written, and how many calls of this test are still checked."""

    __slots__ = ("checked", "function", "left", "test", "typechecker")

    def __init__(self, function: Callable, typechecker: Callable) -> None:
        self.function, self.typechecker = function, typechecker
        self.checked: Callable | None = None
        self.test, self.left = -1, 0

    def wrapper(self) -> Callable:
        function = self.function

        @functools.wraps(function)
        def call(*args: Any, **kwargs: Any) -> Any:
            __tracebackhide__ = True
            if self.test == tests_begun and self.left <= 0:
                return function(*args, **kwargs)
            return self.check()(*args, **kwargs)

        return call

    def check(self) -> Callable:
        """The checked function; this call is counted."""
        self.left = CHECKED_CALLS - 1 if self.test != tests_begun else self.left - 1
        self.test = tests_begun
        if self.checked is None:
            self.checked = jaxtyped(self.function, typechecker=self.typechecker)
        return self.checked


def begin_test() -> None:
    """Check every function anew."""
    global tests_begun
    tests_begun += 1


jaxtyping.jaxtyped = checked_at_first_calls
