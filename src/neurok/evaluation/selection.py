"""Selects the objects of an evaluation."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np


def sample_per_collection(names: Iterable[str], count: int | None, seed: int) -> list[str]:
    """Random order of the names, collection by collection; at most `count` of each, or all."""
    collections: dict[str, list[str]] = {}
    for name in names:
        collections.setdefault(name.partition("/")[0], []).append(name)
    rng = np.random.default_rng(seed)
    return [str(name) for own in collections.values() for name in rng.permutation(own)[:count]]
