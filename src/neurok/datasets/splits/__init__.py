"""Who is trained on, who is tuned on, who is tested on: by category and by object, never by frame.

The lists are the files beside this one: one pattern a line, `collection/object`, `*` for any. They don't
depend on what is built, so a rebuild can't move an object. `scripts/make_splits.py` wrote them once.
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
SHARE = {"test": 10, "validation": 10}  # per cent of the categories of collections that no list names


def split_of(origin: Origin) -> Split:
    """The split of an object: what a list says, else by its category, whole categories at a time."""
    for split in ("test", "validation", "train"):  # the narrower lists first: train ends in generated/*
        if _listed(split).matches(origin.name):
            return split
    place = zlib.crc32(f"{origin.name.partition('/')[0]}/{origin.category}".encode()) % 100
    if place < SHARE["test"]:
        return "test"
    return "validation" if place < SHARE["test"] + SHARE["validation"] else "train"


def split_of_family(name: str) -> Split:
    """The split of all objects of a family of generated ones."""
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
    """Objects of train or validation that share their topology with one that is held out harder.

    Returns each with the object that it repeats. An object of train may repeat neither test nor validation,
    one of validation may not repeat test.
    """
    holders: dict[str, dict[str, str]] = defaultdict(dict)
    for name in sorted(split):
        holders[topology[name]].setdefault(split[name], name)
    order = ("test", "validation", "train")
    found = {}
    for name in sorted(split):
        for harder in order[: order.index(split[name])]:
            if harder in holders[topology[name]]:
                found[name] = holders[topology[name]][harder]
                break
    return found


def counts(splits: Iterable[str]) -> dict[str, int]:
    splits = list(splits)
    return {split: splits.count(split) for split in get_args(Split)}
