"""One source for NumPy and torch arrays: NumPy for speed, torch for gradients.

On arrays of a few hundred numbers a call costs more than the arithmetic, and a NumPy call costs a third of a
torch call. Kernels therefore use the operations that both libraries share, and compute with the library of
their arguments. This module does not import torch: readers and writers of files use the same kernels and
start without it.
"""

from __future__ import annotations

import sys
from dataclasses import fields, is_dataclass, replace
from typing import Any, TypeVar

import numpy as np
from jaxtyping import Float

Array = Any  # a NumPy array or a torch tensor; type checkers cannot follow code that is written for both
T = TypeVar("T")


def is_tensor(array: Any) -> bool:
    """Whether this is a torch tensor. Before torch is imported there are none."""
    torch = sys.modules.get("torch")
    return torch is not None and isinstance(array, torch.Tensor)


def namespace(array: Array) -> Any:
    """The module whose functions take this array: `torch` or `numpy`."""
    return sys.modules["torch"] if is_tensor(array) else np


def like(array: Array, values: Any) -> Array:
    """Constants as an array of the same library, dtype and device."""
    if is_tensor(array):
        return array.new_tensor(values)
    return np.asarray(values, np.asarray(array).dtype)


def cast(array: Array, dtype: Any) -> Array:
    """The same numbers in another precision of the same library."""
    return array.to(dtype) if is_tensor(array) else array.astype(dtype, copy=False)


def permuted(array: Array, *order: int) -> Array:
    """The same array with its axes in another order."""
    return array.permute(*order) if is_tensor(array) else array.transpose(*order)


def cross(a: Float[Array, "*#batch 3"], b: Float[Array, "*#batch 3"]) -> Float[Array, "*batch 3"]:
    """a × b. On short arrays this takes a fifth of the time of `np.cross`."""
    x, y, z, u, v, w = a[..., 0], a[..., 1], a[..., 2], b[..., 0], b[..., 1], b[..., 2]
    return namespace(a).stack([y * w - z * v, z * u - x * w, x * v - y * u], -1)


def to_numpy(tree: T) -> T:
    """The same dataclass, tuple or tensor with NumPy arrays in place of tensors; they share memory."""
    if is_tensor(tree):
        return tree.numpy(force=True)  # pyright: ignore
    if isinstance(tree, tuple):
        return tuple(to_numpy(item) for item in tree)  # pyright: ignore
    if is_dataclass(tree) and not isinstance(tree, type):
        changed = {f.name: to_numpy(getattr(tree, f.name)) for f in fields(tree) if f.init}
        return replace(tree, **changed)  # pyright: ignore
    return tree
