"""Registry of creatures, faces and garments."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from types import MappingProxyType

import numpy as np

from neurok.objects.registry import Registry
from neurok.sequences import Sequence

CreatureGenerator = Callable[[np.random.Generator], list[Sequence]]
CREATURES: Registry[CreatureGenerator] = Registry("neurok.objects.creatures")


def creature_family(number: int) -> Callable[[CreatureGenerator], CreatureGenerator]:
    """Decorator that registers a generator of animated creatures under its own name."""
    return lambda make: CREATURES.register(number, make)


@cache
def creature_families() -> Mapping[str, CreatureGenerator]:
    """The families of creatures by name, in the order in which they are drawn."""
    return MappingProxyType({make.__name__: make for make in CREATURES.by_number().values()})
