"""Conditions, one per file: the record and the force of gravity, pushes, contact and others.

A condition takes a `Body` and a `Scenario`, and gives terms of the equations of motion or an initial state.
This package imports all of its modules, so that JSON, YAML and the engine know a new condition once its file
exists.
"""

from importlib import import_module
from pkgutil import iter_modules

for _module in iter_modules(__path__):
    import_module(f"{__name__}.{_module.name}")
