"""Conditions as plain data: JSON, YAML, or dictionaries in Python."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import MISSING, fields
from numbers import Real
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

import numpy as np
from torch import Tensor

import neurok.dynamics.terms  # noqa: F401  # every condition registers itself
from neurok.dynamics.condition import KINDS, Condition
from neurok.errors import InputError


def load_conditions(path: str | Path) -> tuple[Condition, ...]:
    """Conditions from a .json, .yaml or .yml file."""
    path = Path(path)
    try:
        text = path.read_text(encoding="utf-8")
        if path.suffix.lower() == ".json":
            return parse_conditions(json.loads(text), str(path))
        if path.suffix.lower() in (".yaml", ".yml"):
            import yaml

            return parse_conditions(yaml.safe_load(text), str(path))
    except OSError as error:
        raise InputError(path, f"cannot be read ({error.strerror})", "Check the name") from error
    except (ValueError, RecursionError) as error:
        raise InputError(path, f"cannot be read ({error})", "Check the syntax") from error
    except Exception as error:
        if type(error).__module__.startswith("yaml"):
            raise InputError(path, f"cannot be read ({error})", "Check the syntax") from error
        raise
    raise InputError(path, f"{path.suffix or 'no suffix'} is no format of conditions", "Use .json or .yaml")


def parse_conditions(data: Any, source: str = "conditions") -> tuple[Condition, ...]:
    """A list of records: [{"kind": "push", "at": "lid", "force": [0, 0, -3]}, {"kind": "gravity"}]."""
    if isinstance(data, Mapping) and set(data) == {"conditions"}:
        data = data["conditions"]
    if not isinstance(data, Sequence) or isinstance(data, str):
        raise InputError(source, "is no list of conditions", 'Write [{"kind": "gravity"}, …]')
    return tuple(_record(item, f"{source}, condition {i + 1}") for i, item in enumerate(data))


def _record(item: Any, source: str) -> Condition:
    if not isinstance(item, Mapping) or "kind" not in item:
        raise InputError(source, "has no kind", f"Its kind is one of: {', '.join(KINDS)}")
    kind = item["kind"]
    if kind not in KINDS:
        raise InputError(source, f"kind {kind!r} is unknown", f"There are: {', '.join(KINDS)}")
    record: Any = KINDS[kind]
    known, hints = {f.name: f for f in fields(record)}, get_type_hints(record)
    given = {key: value for key, value in item.items() if key != "kind"}
    for key in given:
        if key not in known:
            raise InputError(source, f"{kind} has no field {key!r}", f"It has: {', '.join(known)}")
    missing = [f.name for f in fields(record) if _is_needed(f) and f.name not in given]
    if missing:
        raise InputError(
            source, f"{kind} needs {missing[0]!r}", f"Add it; it is {_type_name(hints[missing[0]])}"
        )
    for key, value in given.items():
        if not _fits(value, hints[key]):
            raise InputError(source, f"{key} of {kind} is {value!r}", f"Give {_type_name(hints[key])}")
    try:
        return record(**given)
    except InputError as error:
        raise InputError(source, f"{error.source}: {error.cause}", error.fix) from None


def _is_needed(f: Any) -> bool:
    return f.default is MISSING and f.default_factory is MISSING


def _fits(value: Any, hint: Any) -> bool:
    """Whether plain data is of a field's type; a vector is a list of three numbers."""
    origin, options = get_origin(hint), get_args(hint)
    if origin in (Union, UnionType):
        return any(_fits(value, option) for option in options)
    if origin is Literal:
        return value in options
    if hint is float:
        return isinstance(value, Real) and not isinstance(value, bool)
    if hint is int:
        return isinstance(value, int) and not isinstance(value, bool)
    if origin is Mapping:
        return isinstance(value, Mapping) and all(_fits(v, options[1]) for v in value.values())
    if origin is Sequence:
        right = isinstance(value, Sequence) and not isinstance(value, str)
        return (
            right
            and all(_fits(v, options[0]) for v in value)
            and (options[0] is not float or len(value) == 3)
        )
    return isinstance(value, hint)


def _type_name(hint: Any) -> str:
    """Name of a type for an error message."""
    origin, options = get_origin(hint), get_args(hint)
    if origin in (Union, UnionType):
        plain = [_type_name(o) for o in options if o not in (Tensor, np.ndarray, NoneType)]
        return " or ".join(dict.fromkeys(plain))
    if origin is Literal:
        return " or ".join(repr(o) for o in options)
    if origin is Sequence:
        return "three numbers" if options[0] is float else "a list"
    if origin is Mapping:
        return "names and numbers"
    return {float: "a number", int: "a whole number", str: "a name", bool: "true or false"}[hint]
