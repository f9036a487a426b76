"""Generators of articulated objects by the category that their objects have in a store."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache, partial

from neurok.datasets.splits import split_of_family
from neurok.objects import Generator, families


def training_families() -> tuple[Generator, ...]:
    """The families of the training split."""
    return tuple(make for name, make in families().items() if split_of_family(name) == "train")


@cache
def generators() -> Mapping[str, Generator]:
    """The families and the composites.

    Object names in a store start with these keys and seed the random generators: renaming a key would
    change its objects. Tabletop scenes show training families only, so that no held-out family leaks.
    """
    from neurok.objects.composites.random_assemblies import random_assembly
    from neurok.objects.composites.random_mechanisms import random_mechanism
    from neurok.objects.composites.tabletop_scenes import tabletop_scene

    return {
        **families(),
        "contraption": random_mechanism,
        "assembly": random_assembly,
        "setting": partial(tabletop_scene, training_families()),
    }
