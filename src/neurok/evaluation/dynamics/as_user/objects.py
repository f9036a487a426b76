"""Lists the held-out objects with joints of a store or of a folder, and loads them."""

from __future__ import annotations

from pathlib import Path
from typing import Literal, NamedTuple

from neurok.datasets.sources import folder_jobs
from neurok.datasets.splits import split_of
from neurok.datasets.store.index import INDEX
from neurok.datasets.store.store import open_once
from neurok.evaluation.selection import sample_per_collection
from neurok.shapes import Shape
from neurok.shapes.load import load_shape

HeldOut = Literal["test", "validation"]


class Target(NamedTuple):
    """An object: its name, and its file, or the store that holds it."""

    name: str  # collection/object
    file: Path | None
    store: Path | None = None

    @property
    def collection(self) -> str:
        return self.name.partition("/")[0]

    def load(self) -> Shape:
        """The shape with its annotated joints."""
        if self.store is not None:
            return open_once(self.store).recording(self.name).shape
        assert self.file is not None
        return load_shape(self.file)


def targets(data: Path, split: HeldOut, count: int | None, seed: int) -> list[Target]:
    """Objects of a split: all, or `count` random ones of every collection, grouped by collection."""
    found = _of_store(data, split) if (data / INDEX).is_file() else _of_folder(data, split)
    by_name = {target.name: target for target in found}
    return [by_name[name] for name in sample_per_collection(by_name, count, seed)]


def _of_store(data: Path, split: HeldOut) -> list[Target]:
    store = open_once(data)
    names = [name for name in store.names(split) if store.entry(name).family == "articulated"]
    return [Target(name, None, data) for name in names]


def _of_folder(data: Path, split: HeldOut) -> list[Target]:
    jobs = [job for job in folder_jobs(data, 0, 1) if job.kind == "mechanism"]
    return [Target(job.origin.name, Path(job.path)) for job in jobs if split_of(job.origin) == split]
