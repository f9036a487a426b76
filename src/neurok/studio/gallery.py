"""What can be opened: shipped examples, files of the command line, and uploads, which are checked."""

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
from neurok.studio.jobs import prepare
from neurok.studio.stage import Stage
from neurok.studio.worker import Report, run_limited

SUFFIXES = (".glb", ".gltf", ".obj", ".ply", ".stl", ".off", ".dae")  # one file that holds everything
KEPT = 8  # stages
AT_ONCE = 2  # preparations
PATIENT = 3600.0  # s for files that are trusted


class Gallery:
    """Names that a page may ask for, and the stages made of them. A page never names a path."""

    def __init__(self, files: Mapping[str, Path], limits: Limits) -> None:
        self.files = {**files, **{name: path for name, path in SHIPPED.items() if name not in files}}
        self.limits = limits
        self._kept: OrderedDict[tuple[str, KinematicsKind], Stage] = OrderedDict()
        self._lock, self._turns = threading.Lock(), threading.Semaphore(AT_ONCE)

    def open(self, name: str, kind: KinematicsKind, report: Report, is_wanted: Callable[[], bool]) -> Stage:
        """A stage of the gallery, from memory where it has been asked for before."""
        if name not in self.files:
            raise InputError(str(name)[:60], "is not in the gallery", f"There are: {', '.join(self.files)}")
        with self._lock:
            if (name, kind) in self._kept:
                self._kept.move_to_end((name, kind))
                return self._kept[name, kind]
        stage = self._prepared(self.files[name], name, kind, None, report, is_wanted)
        with self._lock:
            self._kept[name, kind] = stage
            while len(self._kept) > KEPT:
                self._kept.popitem(last=False)
        return stage

    def upload(
        self, name: str, data: bytes, kind: KinematicsKind, report: Report, is_wanted: Callable[[], bool]
    ) -> Stage:
        """A stage of a stranger's file, read in a folder of its own by a process that sees no other."""
        stem, suffix = checked_upload(name, len(data), self.limits)
        with tempfile.TemporaryDirectory(prefix="neurok-studio-") as folder:
            file = Path(folder) / f"upload{suffix}"
            file.write_bytes(data)
            return self._prepared(file, stem, kind, Path(folder), report, is_wanted)

    def _prepared(self, file, name, kind, folder, report, is_wanted) -> Stage:
        """Without a folder the file is one of ours, and may take its time."""
        limits = self.limits if folder is not None else replace(self.limits, seconds=PATIENT)
        with self._turns:
            return run_limited(
                prepare, (file, name, kind, limits), limits, folder=folder, report=report, is_wanted=is_wanted
            )


def checked_upload(name: str, size: int, limits: Limits) -> tuple[str, str]:
    """A harmless name and a known suffix, of a file that is not too large."""
    stem, suffix = sanitised(name)
    if suffix not in SUFFIXES:
        raise InputError(
            f"{stem}{suffix}", "is no mesh that can be read here", f"Use one of {' '.join(SUFFIXES)}"
        )
    if not 0 < size <= limits.size:
        raise InputError(f"{stem}{suffix}", f"has {size:,} bytes", f"Give up to {limits.size >> 20} MB")
    return stem, suffix


def sanitised(name: str) -> tuple[str, str]:
    """The last part of a name, of letters, digits, dots and dashes alone, and its suffix."""
    last = re.split(r"[/\\]", name)[-1][-80:]
    stem, dot, suffix = last.rpartition(".")
    stem = re.sub(r"[^\w.-]+", "_", stem if dot else suffix).strip("._") or "mesh"
    return stem, f".{re.sub(r'[^a-z0-9]', '', suffix.lower())}" if dot else ""


def named_files(paths: tuple[Path, ...]) -> dict[str, Path]:
    """Files of the command line by the names that the page shows."""
    found: dict[str, Path] = {}
    for path in paths:
        if not path.exists():
            raise InputError(path, "does not exist", "Check the path")
        name, number = path.stem, 2
        while name in found:
            name, number = f"{path.stem}_{number}", number + 1
        found[name] = path
    return found
