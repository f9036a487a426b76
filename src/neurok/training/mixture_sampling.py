"""Whom a step shows: annotated and generated objects in a given share, each once before another of its kind
comes again."""

from __future__ import annotations

import numpy as np
from jaxtyping import Int

from neurok.errors import InputError

Array = np.ndarray
GENERATED = "generated/"  # names of objects whose joints nobody annotated begin so


def pools(names: list[str], annotated: float) -> list[tuple[Int[Array, " p"], float]]:
    """Numbers of the annotated objects and of the generated ones, and the share of each; all of it where the
    other kind is missing or not wanted."""
    if not 0 <= annotated <= 1:
        raise InputError("training", f"a share of {annotated:g} is annotated", "Give one from 0 to 1")
    ours = np.array([name.startswith(GENERATED) for name in names])
    both = [(np.flatnonzero(~ours), annotated), (np.flatnonzero(ours), 1 - annotated)]
    there = [(pool, share) for pool, share in both if len(pool) and share > 0]
    if not there:
        raise InputError(
            "training", f"there are no objects for a share of {annotated:g} that is annotated",
            "Give another --pairs.annotated, or build a store that has such objects",
        )  # fmt: skip
    return there if len(there) > 1 else [(there[0][0], 1.0)]


def passes(size: int, first: int, count: int, seed: list[int]) -> Int[Array, " count"]:
    """Entries from `first` on of endless passes over so many things, every pass in an order of its own."""
    number, place = np.divmod(np.arange(first, first + count), size)
    order = {k: np.random.default_rng([*seed, k]).permutation(size) for k in np.unique(number).tolist()}
    return np.array([order[k][i] for k, i in zip(number.tolist(), place.tolist(), strict=True)], np.int64)


def drawn_together(
    kinds: list[tuple[Int[Array, " p"], float]], size: int, group: int, seed: list[int]
) -> Int[Array, " size"]:
    """Numbers of the objects of one group of so many, each kind with its share."""
    first = max(1, round(kinds[0][1] * size))
    counts = [first, size - first][: len(kinds)]
    return np.concatenate([
        pool[passes(len(pool), group * count, count, [*seed, k])]
        for k, ((pool, _), count) in enumerate(zip(kinds, counts, strict=True))
    ])  # fmt: skip
