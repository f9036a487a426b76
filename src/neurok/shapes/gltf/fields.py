"""Checked access to the JSON of a glTF file; errors name the place in the file."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, NoReturn, TypeVar

from neurok.errors import InputError
from neurok.writing import encodable

MAX_INTEGER = 2**53  # larger JSON numbers are not exact in double precision
MAX_NUMBER = 1e30  # exceeds any real length or factor and keeps products of a few finite
REQUIRED: Any = object()
D = TypeVar("D")  # type of the default of an optional field


class Fields:
    """One JSON object of the file, read through methods that check type and range.

    All code behind this class handles typed records and never raw JSON.
    """

    def __init__(self, value: object, where: str, source: str) -> None:
        self.where, self.source = where, source
        if not isinstance(value, dict):
            self.refuse(f"{where} should be an object")
        self._values: dict[str, Any] = value

    def refuse(self, cause: str) -> NoReturn:
        raise InputError(self.source, cause, "The file does not follow glTF 2.0: export it again")

    def path(self, key: str) -> str:
        return f"{self.where}.{key}" if self.where else key

    def __contains__(self, key: str) -> bool:
        return key in self._values

    def keys(self) -> tuple[str, ...]:
        return tuple(encodable(key) for key in self._values)

    def _get(self, key: str, default: Any) -> Any:
        value = self._values.get(key, default)
        if value is REQUIRED:
            self.refuse(f"{self.path(key)} is missing")
        return value

    def integer(self, key: str, default: D = REQUIRED, low: int = 0, high: int = MAX_INTEGER) -> int | D:
        value = self._get(key, default)
        return value if value is default else self._integer(value, self.path(key), low, high)

    def _integer(self, value: Any, where: str, low: int, high: int) -> int:
        whole = isinstance(value, int) or (isinstance(value, float) and value.is_integer())
        if isinstance(value, bool) or not whole or not low <= value <= high:
            limit = f" from {low} to {high}" if high < MAX_INTEGER else f" of at least {low}"
            self.refuse(f"{where} should be a whole number{limit}, not {shown(value)}")
        return int(value)

    def index(self, key: str, count: int, default: D = None) -> int | D:
        """An index into an array of `count` items."""
        value = self._get(key, default)
        return value if value is default else self._index(value, self.path(key), count)

    def _index(self, value: Any, where: str, count: int) -> int:
        number = self._integer(value, where, 0, MAX_INTEGER)
        if number >= count:
            self.refuse(f"{where} is {number}, but there are only {count}")
        return number

    def indices(self, key: str, count: int) -> tuple[int, ...]:
        """Indices into an array of `count` items; none if the field is missing."""
        return tuple(self._index(v, f"{self.path(key)}[{i}]", count) for i, v in enumerate(self.array(key)))

    def attributes(self, key: str, count: int) -> Mapping[str, int]:
        """Accessor indices by attribute name: POSITION → 3."""
        group = self.object(key)
        return {encodable(name): group.index(name, count, REQUIRED) for name in group._values}

    def number(self, key: str, default: D = REQUIRED) -> float | D:
        value = self._get(key, default)
        return value if value is default else self._number(value, self.path(key))

    def _number(self, value: Any, where: str) -> float:
        if (
            isinstance(value, bool)
            or not isinstance(value, int | float)
            or abs(value) > 1e300
            or value != value
        ):
            self.refuse(f"{where} should be a number within ±1e30, not {shown(value)}")
        return float(value)

    def numbers(self, key: str, length: int | None, default: D = REQUIRED) -> tuple[float, ...] | D:
        if key not in self._values and default is not REQUIRED:
            return default
        values = self.array(key)
        if length is not None and len(values) != length:
            self.refuse(f"{self.path(key)} should hold {length} numbers, not {len(values)}")
        return tuple(self._number(v, f"{self.path(key)}[{i}]") for i, v in enumerate(values))

    def text(self, key: str, default: D = REQUIRED) -> str | D:
        value = self._get(key, default)
        if value is default:
            return value
        if not isinstance(value, str):
            self.refuse(f"{self.path(key)} should be text, not {shown(value)}")
        return encodable(value)

    def texts(self, key: str) -> tuple[str, ...]:
        return tuple(
            encodable(v) if isinstance(v, str) else self.refuse(f"{self.path(key)}[{i}] should be text")
            for i, v in enumerate(self.array(key))
        )

    def flag(self, key: str) -> bool:
        value = self._values.get(key, False)
        if not isinstance(value, bool):
            self.refuse(f"{self.path(key)} should be true or false, not {shown(value)}")
        return value

    def array(self, key: str) -> list[Any]:
        value = self._values.get(key, [])
        if not isinstance(value, list):
            self.refuse(f"{self.path(key)} should be a list, not {shown(value)}")
        return value

    def object(self, key: str) -> Fields:
        """A nested object; an empty one if the field is missing."""
        return Fields(self._values.get(key, {}), self.path(key), self.source)

    def free_object(self, key: str) -> Fields:
        """An object in a field of any type (extras); an empty one if the value is not an object."""
        value = self._values.get(key)
        return Fields(value if isinstance(value, dict) else {}, self.path(key), self.source)

    def objects(self, key: str) -> list[Fields]:
        return [Fields(v, f"{self.path(key)}[{i}]", self.source) for i, v in enumerate(self.array(key))]


def shown(value: object) -> str:
    """A short description of a JSON value for an error message."""
    if isinstance(value, dict | list):
        return "an object" if isinstance(value, dict) else "a list"
    if isinstance(value, float) and not math.isfinite(value):
        return "an infinite number"
    text = encodable(repr(value)) if not isinstance(value, int) or abs(value) < 10**18 else "a huge number"
    return text if len(text) <= 40 else text[:37] + "…"
