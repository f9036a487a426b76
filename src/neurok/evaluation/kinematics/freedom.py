"""Compares the number of coordinates of generated objects with their known degrees of freedom."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import NamedTuple

import numpy as np

from neurok.datasets.store.store import Store, open_once
from neurok.dynamics import standing_base
from neurok.jobs.pool import raise_died, run
from neurok.pipelines.choose import Surroundings, choose_kinematics
from neurok.shapes import Shape

HEADER = ["category", "objects", "correct", "joints", "coordinates", "with found joints"]


class Freedom(NamedTuple):
    """Degrees of freedom of one object, number of its coordinates, and whether joints are found in it."""

    category: str
    true: int
    found: int
    jointed: bool


def choose(store: Store, split: str | None, count: int, seed: int) -> list[str]:
    """Random generated objects with joints."""
    names = [
        name
        for name in store.names(split)
        if name.startswith("generated/") and store.entry(name).degrees_of_freedom
    ]
    return [str(name) for name in np.random.default_rng(seed).permutation(names)[:count]]


def measure(
    folder: Path, model: Path | None, names: list[str], workers: int, step: Callable[[], None]
) -> list[Freedom]:
    """Counts the coordinates of bare meshes, without parts and joints, on a pinned base."""
    found = []
    for freedom in run(partial(_one, folder, model), names, raise_died, workers, None):
        found.append(freedom)
        step()
    return found


def _one(folder: Path, model: Path | None, name: str) -> Freedom:
    store = open_once(folder)
    known = store.recording(name).clips[0].shape
    bare = Shape(known.vertices, known.faces, known.name, frame=known.frame)
    found = choose_kinematics(
        bare, surroundings=Surroundings(base=standing_base(bare)), model=model
    ).kinematics
    true = store.entry(name).degrees_of_freedom or 0
    return Freedom(name.split("/")[1], true, found.dim, found.shape.joints is not None)


def table(freedoms: list[Freedom]) -> list[list[str]]:
    """One row per category: share of correct counts, mean numbers of joints and of coordinates."""
    lines = []
    for category in sorted({f.category for f in freedoms}):
        own = [f for f in freedoms if f.category == category]
        true, found, jointed = (np.array([f[k] for f in own]) for k in (1, 2, 3))
        lines.append([
            category, str(len(own)), f"{(true == found).mean():.0%}", f"{true.mean():.1f}",
            f"{found.mean():.1f}", f"{jointed.mean():.0%}",
        ])  # fmt: skip
    return lines
