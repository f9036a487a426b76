"""Assigns train, validation and test splits per category and object, never per frame.

The text files in this folder list one pattern per line, `collection/object` with `*` as wildcard. They are
independent of the build, so a rebuild never moves an object. `scripts/make_splits.py` generated them.
"""

from __future__ import annotations

import zlib
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path
from typing import Literal, get_args

from neurok.datasets.record import Origin

Split = Literal["train", "validation", "test"]
HELD_OUT_PERCENT = {"test": 10, "validation": 10}  # of the categories of unlisted collections


def split_of(origin: Origin) -> Split:
    """Split of an object: that of the lists, otherwise a hash of its collection and category."""
    for split in ("test", "validation", "train"):  # train last: it has patterns for whole collections
        if _listed(split).matches(origin.name):
            return split
    place = zlib.crc32(f"{origin.name.partition('/')[0]}/{origin.category}".encode()) % 100
    if place < HELD_OUT_PERCENT["test"]:
        return "test"
    return "validation" if place < sum(HELD_OUT_PERCENT.values()) else "train"


def split_of_family(name: str) -> Split:
    """Split of all objects of a generated family."""
    return split_of(Origin(f"generated/{name}/000000", name, "articulated", "", ""))


@dataclass(frozen=True)
class _List:
    names: frozenset[str]
    patterns: tuple[str, ...]

    def matches(self, name: str) -> bool:
        return name in self.names or any(fnmatchcase(name, pattern) for pattern in self.patterns)


@cache
def _listed(split: Split) -> _List:
    lines = (Path(__file__).parent / f"{split}.txt").read_text().splitlines()
    lines = [line.strip() for line in lines if line.strip() and not line.startswith("#")]
    return _List(
        frozenset(line for line in lines if "*" not in line), tuple(line for line in lines if "*" in line)
    )


def leaks(split: Mapping[str, str], topology: Mapping[str, str]) -> dict[str, str]:
    """Training or validation objects that share their topology with an object of a stricter split.

    Returns each with the object that it repeats. A training object may repeat neither a test nor a validation
    object, and a validation object may not repeat a test object.
    """
    holders: dict[str, dict[str, str]] = defaultdict(dict)
    for name in sorted(split):
        holders[topology[name]].setdefault(split[name], name)
    order = ("test", "validation", "train")
    found = {}
    for name in sorted(split):
        for stricter in order[: order.index(split[name])]:
            if stricter in holders[topology[name]]:
                found[name] = holders[topology[name]][stricter]
                break
    return found


def counts(splits: Iterable[str]) -> dict[str, int]:
    """Number of objects per split."""
    splits = list(splits)
    return {split: splits.count(split) for split in get_args(Split)}
