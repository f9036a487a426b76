"""Families register themselves, in a fixed order."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import neurok.objects
from neurok.objects import families
from neurok.objects.creatures.registry import CREATURES
from neurok.objects.registry import ARTICULATED, THEMES, Registry
from neurok.objects.soft import soft_families, soft_groups
from neurok.objects.soft.registry import SOFT


@pytest.mark.parametrize("registry", [ARTICULATED, SOFT, CREATURES])
def test_numbers_of_families_count_from_zero_without_gaps(registry):
    numbers = list(registry.by_number())
    assert numbers == list(range(len(numbers)))


def test_families_have_the_names_of_their_functions_in_the_order_of_their_numbers():
    assert list(families()) == [make.__name__ for make in ARTICULATED.by_number().values()]
    assert list(families())[:3] == ["door", "window", "gate"]
    assert list(soft_groups()) == list(soft_families())


def test_every_folder_is_a_theme_or_has_another_purpose():
    folders = {path.parent.name for path in Path(neurok.objects.__path__[0]).glob("*/__init__.py")}
    assert folders == {*THEMES, "kit", "composites", "soft", "creatures"}


def test_a_number_or_a_name_that_is_taken_is_refused():
    def kettle(rng):
        raise NotImplementedError

    def teapot(rng):
        raise NotImplementedError

    registry = Registry()
    registry.register(0, kettle)
    with pytest.raises(ValueError, match="'teapot' with number 0 clashes with 'kettle' with number 0"):
        registry.register(0, teapot)
    with pytest.raises(ValueError, match="'kettle' with number 1 clashes"):
        registry.register(1, kettle)


def test_importing_the_package_imports_no_family_and_no_torch():
    code = (
        "import sys, neurok.objects\n"
        "loaded = {m for m in sys.modules if m.startswith('neurok.objects.')}\n"
        "assert loaded == {'neurok.objects.registry'} and 'torch' not in sys.modules, loaded"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
