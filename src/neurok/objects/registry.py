"""Registry of families: a decorated generator registers itself when its module is imported.

The number of a family is its fixed place in the order in which families are drawn. A new family takes the
next free number, so that the objects of the others stay the same.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from types import MappingProxyType
from typing import Generic, TypeVar

import numpy as np

from neurok.shapes import Shape

Generator = Callable[[np.random.Generator], Shape]
F = TypeVar("F", bound=Callable)

THEMES = ("appliances", "furniture", "games", "household", "machines", "openings", "tools", "vehicles")


class Registry(Generic[F]):
    """Families by number, registered by the modules of some packages."""

    def __init__(self, *packages: str) -> None:
        self.packages = packages
        self._families: dict[int, F] = {}

    def register(self, number: int, make: F) -> F:
        """Add a family; numbers and names are unique."""
        for taken, other in self._families.items():
            if taken == number or other.__name__ == make.__name__:
                raise ValueError(
                    f"family {make.__name__!r} with number {number} clashes with "
                    f"{other.__name__!r} with number {taken}: take the next free number and a new name"
                )
        self._families[number] = make
        return make

    def by_number(self) -> dict[int, F]:
        """All families in the order of their numbers; imports every module of the packages."""
        for package in self.packages:
            for module in iter_modules(import_module(package).__path__, f"{package}."):
                import_module(module.name)
        return dict(sorted(self._families.items()))


ARTICULATED: Registry[Generator] = Registry(*(f"neurok.objects.{theme}" for theme in THEMES))


def family(number: int) -> Callable[[Generator], Generator]:
    """Decorator that registers a generator of articulated objects under its own name."""
    return lambda make: ARTICULATED.register(number, make)


@cache
def families() -> Mapping[str, Generator]:
    """The families of articulated objects by name, in the order in which they are drawn."""
    return MappingProxyType({make.__name__: make for make in ARTICULATED.by_number().values()})
