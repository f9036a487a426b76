"""Generators by the category that their objects have in a store."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from neurok.datasets.splits import split_of_family
from neurok.objects import FAMILIES, Generator
from neurok.objects.composites.random_assemblies import random_assembly
from neurok.objects.composites.random_mechanisms import random_mechanism
from neurok.objects.composites.tabletop_scenes import tabletop_scene

TRAINED_ON = tuple(make for name, make in FAMILIES.items() if split_of_family(name) == "train")
GENERATORS: Mapping[str, Generator] = {
    **FAMILIES,
    "contraption": random_mechanism,
    "assembly": random_assembly,
    "setting": partial(tabletop_scene, TRAINED_ON),
}
"""The families and the composites. Names seed the random generators, so a renamed key changes its objects."""
