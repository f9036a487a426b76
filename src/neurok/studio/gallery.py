"""`Gallery`: opens shipped examples, files of the command line, and checked uploads."""

from __future__ import annotations

import re
import tempfile
import threading
from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path

from neurok.assets import SHIPPED
from neurok.errors import InputError
from neurok.pipelines.choose import KinematicsKind
from neurok.studio.guard import Limits
from neurok.studio.stage import Stage
from neurok.studio.tasks import prepare
from neurok.studio.worker import Report, run_limited

SUFFIXES = (".glb", ".gltf", ".obj", ".ply", ".stl", ".off", ".dae")  # formats of a single file
MAX_STAGES = 8  # kept in memory
MAX_PREPARATIONS = 2  # at once
TRUSTED_SECONDS = 3600.0  # time limit of the user's own files


class Gallery:
    """Objects by name, and their prepared stages. A page requests names, never paths."""

    def __init__(self, files: Mapping[str, Path], limits: Limits) -> None:
        self.files = {**files, **{name: path for name, path in SHIPPED.items() if name not in files}}
        self.limits = limits
        self._kept: OrderedDict[tuple[str, KinematicsKind], Stage] = OrderedDict()
        self._lock, self._turns = threading.Lock(), threading.Semaphore(MAX_PREPARATIONS)

    def open(self, name: str, kind: KinematicsKind, report: Report, is_wanted: Callable[[], bool]) -> Stage:
        """The stage of a named object, cached in memory."""
        if name not in self.files:
            raise InputError(str(name)[:60], "is not in the gallery", f"There are: {', '.join(self.files)}")
        with self._lock:
            if (name, kind) in self._kept:
                self._kept.move_to_end((name, kind))
                return self._kept[name, kind]
        stage = self._prepared(self.files[name], name, kind, None, report, is_wanted)
        with self._lock:
            self._kept[name, kind] = stage
            while len(self._kept) > MAX_STAGES:
                self._kept.popitem(last=False)
        return stage

    def upload(
        self, name: str, data: bytes, kind: KinematicsKind, report: Report, is_wanted: Callable[[], bool]
    ) -> Stage:
        """The stage of an uploaded file, read in a temporary folder by a process confined to it."""
        stem, suffix = checked_upload(name, len(data), self.limits)
        with tempfile.TemporaryDirectory(prefix="neurok-studio-") as folder:
            file = Path(folder) / f"upload{suffix}"
            file.write_bytes(data)
            return self._prepared(file, stem, kind, Path(folder), report, is_wanted)

    def _prepared(self, file, name, kind, folder, report, is_wanted) -> Stage:
        """Prepares a file in a child process. Without a folder the file is trusted and may take longer."""
        limits = self.limits if folder is not None else replace(self.limits, seconds=TRUSTED_SECONDS)
        with self._turns:
            return run_limited(
                prepare, (file, name, kind, limits), limits, folder=folder, report=report, is_wanted=is_wanted
            )


def checked_upload(name: str, size: int, limits: Limits) -> tuple[str, str]:
    """A safe stem and a supported suffix; refuses other formats and files that are too large."""
    stem, suffix = sanitised(name)
    if suffix not in SUFFIXES:
        raise InputError(
            f"{stem}{suffix}", "is not a supported mesh format", f"Use one of {' '.join(SUFFIXES)}"
        )
    if not 0 < size <= limits.size:
        raise InputError(f"{stem}{suffix}", f"has {size:,} bytes", f"Give up to {limits.size >> 20} MB")
    return stem, suffix


def sanitised(name: str) -> tuple[str, str]:
    """The stem of the last path component, restricted to letters, digits, dots and dashes, and the suffix."""
    last = re.split(r"[/\\]", name)[-1][-80:]
    stem, dot, suffix = last.rpartition(".")
    stem = re.sub(r"[^\w.-]+", "_", stem if dot else suffix).strip("._") or "mesh"
    return stem, f".{re.sub(r'[^a-z0-9]', '', suffix.lower())}" if dot else ""


def named_files(paths: tuple[Path, ...]) -> dict[str, Path]:
    """Files of the command line by the names shown on the page."""
    found: dict[str, Path] = {}
    for path in paths:
        if not path.exists():
            raise InputError(path, "does not exist", "Check the path")
        name, number = path.stem, 2
        while name in found:
            name, number = f"{path.stem}_{number}", number + 1
        found[name] = path
    return found
