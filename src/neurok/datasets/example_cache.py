"""Caches computed training examples beside the objects of a store."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np
from safetensors import SafetensorError, safe_open
from safetensors.numpy import save

from neurok.datasets.store.store import Store, open_once
from neurok.errors import InputError
from neurok.jobs.pool import run
from neurok.shapes import Shape
from neurok.writing import write_bytes

Array = np.ndarray


@dataclass(frozen=True)
class ExampleCache:
    """Cache of one kind of example: STORE/<folder>/<name>.safetensors holds the result of `make`."""

    folder: str
    version: int
    make: Callable[[Shape], dict[str, Array]]
    half: tuple[str, ...] = ()  # arrays stored in half precision

    def prepare(
        self, store: Store, names: list[str], workers: int, step: Callable[[], None] = lambda: None
    ) -> list[str]:
        """Computes missing examples; returns the names of all objects that have one.

        Of several calls for the same store, one computes and the others wait.
        """
        if not self._missing(store, names):
            return names
        failed = set()
        work = partial(_make, self, store.folder)
        with _exclusive(store.folder / self.folder):
            missing = self._missing(store, names)
            for name, reason in run(work, missing, lambda name: (name, "its process died"), workers, None):
                step()
                if reason:
                    failed.add(name)
        return [name for name in names if name not in failed]

    def load(self, store: Store, name: str) -> dict[str, Array]:
        """Arrays of one example in single precision."""
        try:
            with safe_open(self.path(store.folder, name), framework="np") as file:
                arrays = {key: file.get_tensor(key) for key in file.keys()}  # noqa: SIM118
        except (SafetensorError, OSError) as error:
            raise InputError(self.path(store.folder, name), f"is damaged ({error})", "Remove it") from error
        return {k: v.astype(np.float32) if v.dtype.kind == "f" else v for k, v in arrays.items()}

    def path(self, folder: Path, name: str) -> Path:
        return folder / self.folder / f"{name}.safetensors"

    def write(self, folder: Path, name: str, arrays: dict[str, Array], about: str) -> None:
        small = {
            key: np.ascontiguousarray(
                value.astype(np.float16 if key in self.half else np.float32)
                if value.dtype.kind == "f"
                else value
            )
            for key, value in arrays.items()
        }
        write_bytes(self.path(folder, name), save(small, {"neurok": about}))

    def about(self, store: Store, name: str) -> str:
        """Version and content hash from which the example is computed."""
        return json.dumps({"version": self.version, "content": store.entry(name).content})

    def _missing(self, store: Store, names: list[str]) -> list[str]:
        return [name for name in names if not self._current(store, name)]

    def _current(self, store: Store, name: str) -> bool:
        try:
            with safe_open(self.path(store.folder, name), framework="np") as file:
                return (file.metadata() or {}).get("neurok") == self.about(store, name)
        except (SafetensorError, OSError):
            return False


@contextmanager
def _exclusive(folder: Path) -> Iterator[None]:
    """One process at a time, where the system has file locks."""
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / ".lock").open("w") as lock:
        try:
            import fcntl
        except ImportError:  # not on Windows
            pass
        else:
            fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def _make(cache: ExampleCache, folder: Path, name: str) -> tuple[str, str]:
    store = open_once(folder)
    try:
        arrays = cache.make(store.recording(name).clips[0].shape)
    except InputError as error:
        return name, error.cause
    cache.write(folder, name, arrays, cache.about(store, name))
    return name, ""
