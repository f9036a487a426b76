"""Registry of soft families: each belongs to a group and registers itself when its module is imported."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from types import MappingProxyType
from typing import Literal

import numpy as np

from neurok.objects.registry import Registry
from neurok.sequences import Sequence

SoftGenerator = Callable[[np.random.Generator], list[Sequence]]
Group = Literal["elastic", "cloth", "mixed"]

SOFT: Registry[SoftGenerator] = Registry("neurok.objects.soft")
_groups: dict[str, Group] = {}


def soft_family(number: int, group: Group) -> Callable[[SoftGenerator], SoftGenerator]:
    """Decorator that registers a generator of soft objects under its own name."""

    def register(make: SoftGenerator) -> SoftGenerator:
        _groups[make.__name__] = group
        return SOFT.register(number, make)

    return register


@cache
def soft_families() -> Mapping[str, SoftGenerator]:
    """The soft families by name, in the order in which they are drawn."""
    return MappingProxyType({make.__name__: make for make in SOFT.by_number().values()})


@cache
def soft_groups() -> Mapping[str, Group]:
    """The group of each soft family: elastic solids, cloth, or objects with rigid and soft parts."""
    return MappingProxyType({name: _groups[name] for name in soft_families()})
