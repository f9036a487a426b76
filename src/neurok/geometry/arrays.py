"""One code for two kinds of arrays: NumPy where speed counts, torch where gradients are wanted.

On arrays of a few hundred numbers a call costs more than the arithmetic, and NumPy's calls cost a third of
torch's. Kernels that run thousands of times a second are therefore written in the operations that both
spell alike; what they compute with is decided by the arrays that they are given.
"""

from __future__ import annotations

from dataclasses import fields, is_dataclass, replace
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
import torch
from torch import Tensor

if TYPE_CHECKING:
    Array = Any  # checkers cannot follow code that is written for both
else:
    Array = np.ndarray | Tensor
T = TypeVar("T")


def namespace(array: Array) -> Any:
    """The module whose functions take this array: `torch` or `numpy`."""
    return torch if isinstance(array, Tensor) else np


def permuted(array: Array, *order: int) -> Array:
    """The same array with its axes in another order."""
    return array.permute(*order) if isinstance(array, Tensor) else array.transpose(*order)


def to_numpy(tree: T) -> T:
    """The same dataclass, tuple or tensor with NumPy arrays in place of tensors; they share memory."""
    if isinstance(tree, Tensor):
        return tree.numpy(force=True)  # pyright: ignore
    if isinstance(tree, tuple):
        return tuple(to_numpy(item) for item in tree)  # pyright: ignore
    if is_dataclass(tree) and not isinstance(tree, type):
        changed = {f.name: to_numpy(getattr(tree, f.name)) for f in fields(tree) if f.init}
        return replace(tree, **changed)  # pyright: ignore
    return tree
