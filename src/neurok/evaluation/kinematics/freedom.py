"""How many coordinates the learned space gives objects whose degrees of freedom are known."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial
from pathlib import Path
from typing import NamedTuple

import numpy as np

from neurok.datasets.store.store import Store
from neurok.dynamics import standing_base
from neurok.errors import InputError
from neurok.jobs.pool import run
from neurok.pipelines.choose import Surroundings, choose_kinematics
from neurok.shapes import Shape

HEADER = ["category", "objects", "as many as joints", "joints", "coordinates", "joints were found in"]


class Freedom(NamedTuple):
    """One object: its degrees of freedom, its learned coordinates, and whether joints were found in it."""

    category: str
    true: int
    found: int
    jointed: bool


def choose(store: Store, split: str | None, count: int, seed: int) -> list[str]:
    """Generated objects with joints, drawn by the seed."""
    names = [
        name
        for name in store.names(split)
        if name.startswith("generated/") and store.entry(name).degrees_of_freedom
    ]
    return [str(name) for name in np.random.default_rng(seed).permutation(names)[:count]]


def measure(
    folder: Path, model: Path | None, names: list[str], workers: int, step: Callable[[], None]
) -> list[Freedom]:
    """The bare meshes: no parts, no joints; what they stand on is pinned."""
    found = []
    for freedom in run(partial(_one, folder, model), names, _lost, workers, None):
        found.append(freedom)
        step()
    return found


def _one(folder: Path, model: Path | None, name: str) -> Freedom:
    store = _opened(folder)
    known = store.recording(name).clips[0].shape
    bare = Shape(known.vertices, known.faces, known.name, frame=known.frame)
    found = choose_kinematics(
        bare, surroundings=Surroundings(base=standing_base(bare)), model=model
    ).kinematics
    true = store.entry(name).degrees_of_freedom or 0
    return Freedom(name.split("/")[1], true, found.dim, found.shape.joints is not None)


@cache
def _opened(folder: Path) -> Store:
    return Store.open(folder)


def _lost(name: str) -> Freedom:
    raise InputError(name, "took its process down", "Evaluate it alone, with --workers 1, to see why")


def table(freedoms: list[Freedom]) -> list[list[str]]:
    """A line per category: how often the number is right, what it is and what was found."""
    lines = []
    for category in sorted({f.category for f in freedoms}):
        own = [f for f in freedoms if f.category == category]
        true, found, jointed = (np.array([f[k] for f in own]) for k in (1, 2, 3))
        lines.append([
            category, str(len(own)), f"{(true == found).mean():.0%}", f"{true.mean():.1f}",
            f"{found.mean():.1f}", f"{jointed.mean():.0%}",
        ])  # fmt: skip
    return lines
