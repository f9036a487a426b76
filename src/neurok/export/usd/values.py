"""Converts values to USD types and imports usd-core, which is an optional dependency."""

from __future__ import annotations

import importlib
import re
from typing import Any

import numpy as np
from jaxtyping import Float

from neurok.errors import InputError
from neurok.shapes.shape import unique_names
from neurok.writing import encodable

Array = np.ndarray


def pxr(module: str) -> Any:
    """A module of usd-core, which has no static types."""
    try:
        return importlib.import_module(f"pxr.{module}")
    except ImportError as error:
        raise InputError("USD", "usd-core is not installed", 'Run: pip install "neurok[usd]"') from error


def identifiers(names: list[str], taken: set[str] = frozenset()) -> tuple[str, ...]:  # type: ignore[assignment]
    """Valid USD names: ASCII letters, digits and underscores, unique and not in `taken`."""
    valid = [re.sub(r"\W", "_", name, flags=re.ASCII) or "_" for name in names]
    valid = [f"_{name}" if name[0].isdigit() else name for name in valid]
    return unique_names([*sorted(taken), *valid])[len(taken) :]


def printable(name: str) -> str:
    """A name that UTF-8 can encode, without null characters."""
    return encodable(name).replace("\0", "")


def vec3(values: Array) -> Any:
    return pxr("Vt").Vec3fArray.FromNumpy(np.ascontiguousarray(values, np.float32))


def vec2(values: Array) -> Any:
    return pxr("Vt").Vec2fArray.FromNumpy(np.ascontiguousarray(values, np.float32))


def extent(points: Float[Array, "n 3"]) -> Any:
    return vec3(np.stack([points.min(axis=0), points.max(axis=0)]))
