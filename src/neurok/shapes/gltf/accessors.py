"""Decodes glTF accessors: strided elements and normalised integers."""

from __future__ import annotations

import numpy as np
from jaxtyping import Float, Shaped

from neurok.errors import InputError
from neurok.shapes.gltf.container import EXPORT_AGAIN

Array = np.ndarray


def strided(
    data: memoryview,
    offset: int,
    stride: int | None,
    count: int,
    dtype: np.dtype,
    width: int,
    where: str,
    source: str,
) -> Shaped[Array, "count width"]:
    """A view of `count` elements at intervals of `stride` bytes. Refuses elements beyond the end of `data`.

    The check precedes allocation, so a file cannot declare gigabytes that it does not contain.
    """
    size = dtype.itemsize * width
    step = size if stride is None else stride
    if step < size and count > 1:
        raise InputError(source, f"{where} has elements of {size} bytes every {step} bytes", EXPORT_AGAIN)
    end = offset + (count - 1) * step + size if count else 0
    if end > len(data):
        cause = f"{where} needs {end} bytes of its buffer view, which has {len(data)}"
        raise InputError(source, cause, EXPORT_AGAIN)
    if not count:
        return np.zeros((0, width), dtype)
    return np.ndarray((count, width), dtype, data, offset, (step, dtype.itemsize))


def as_floats(values: Shaped[Array, "count width"], normalized: bool) -> Float[Array, "count width"]:
    """Stored values as floats: c / 255, max(c / 127, −1), … for normalised integers, otherwise c."""
    if values.dtype.kind == "f" or not normalized:
        return values.astype(np.float32)
    fraction = values.astype(np.float64) / np.iinfo(values.dtype).max
    return np.maximum(fraction, -1.0).astype(np.float32)
