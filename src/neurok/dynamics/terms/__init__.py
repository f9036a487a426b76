"""Conditions, one per file: its record, its maker and its force.

Takes a `Body` and a `Scenario`, gives terms of the equations of motion or a start. Every module of this
package is imported here, so that a new condition is known to JSON, YAML and the engine once its file exists.
"""

from importlib import import_module
from pkgutil import iter_modules

for _module in iter_modules(__path__):
    import_module(f"{__name__}.{_module.name}")
