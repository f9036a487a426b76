"""Samples annotated and generated objects in a fixed ratio, without replacement within an epoch."""

from __future__ import annotations

import numpy as np
from jaxtyping import Int

from neurok.errors import InputError

Array = np.ndarray
GENERATED = "generated/"  # prefix of the names of generated objects


def pools(names: list[str], annotated: float) -> list[tuple[Int[Array, " p"], float]]:
    """Indices of the annotated and of the generated objects, with the share of each.

    The share is 1 if the other kind is missing or has the share 0.
    """
    if not 0 <= annotated <= 1:
        raise InputError(
            "training", f"the share of annotated objects is {annotated:g}", "Give one from 0 to 1"
        )
    generated = np.array([name.startswith(GENERATED) for name in names])
    both = [(np.flatnonzero(~generated), annotated), (np.flatnonzero(generated), 1 - annotated)]
    present = [(pool, share) for pool, share in both if len(pool) and share > 0]
    if not present:
        raise InputError(
            "training", f"there are no objects for a share of {annotated:g} of annotated ones",
            "Give another --pairs.annotated, or build a store with such objects",
        )  # fmt: skip
    return present if len(present) > 1 else [(present[0][0], 1.0)]


def passes(size: int, first: int, count: int, seed: list[int]) -> Int[Array, " count"]:
    """Entries `first` … `first` + `count` − 1 of repeated random permutations of `size` elements."""
    number, place = np.divmod(np.arange(first, first + count), size)
    order = {k: np.random.default_rng([*seed, k]).permutation(size) for k in np.unique(number).tolist()}
    return np.array([order[k][i] for k, i in zip(number.tolist(), place.tolist(), strict=True)], np.int64)


def sample_group(
    kinds: list[tuple[Int[Array, " p"], float]], size: int, group: int, seed: list[int]
) -> Int[Array, " size"]:
    """Indices of the objects of one group of `size`, with the share of each kind."""
    first = max(1, round(kinds[0][1] * size))
    counts = [first, size - first][: len(kinds)]
    return np.concatenate([
        pool[passes(len(pool), group * count, count, [*seed, k])]
        for k, ((pool, _), count) in enumerate(zip(kinds, counts, strict=True))
    ])  # fmt: skip
