"""Reads and writes the index of a store: one line per object for selection, splits and statistics."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any, Literal

from neurok.datasets.record import Family
from neurok.errors import InputError
from neurok.writing import write_bytes

INDEX, OBJECTS = "index.json", "objects"
FORMAT, VERSION = "neurok-store", 2
REBUILD = "Build the store again with `neurok data build`"


@dataclass(frozen=True)
class IndexEntry:
    """One object of a store. Lengths are in radii of its rest shape."""

    name: str
    file: str  # relative to the store
    category: str
    family: Family
    licence: str
    source: str
    split: str
    motion: Literal["rigid", "soft"]  # exact transforms per handle, or positions with a local rigid fit
    vertices: int
    faces: int
    parts: int
    frames: int
    clips: int
    up: Literal["y", "z"]
    degrees_of_freedom: int | None  # of the annotated joints; None without joints
    linear_dimension: int  # number of principal components that explain 99 % of the motion
    displacement_mean: float  # from rest, over vertices and frames
    displacement_max: float
    fit_error: float  # root mean square residual of the local rigid fit; 0 for rigid motion
    fit_error_max: float
    quantisation_error: float  # largest distance of a stored position from the true one
    topology: str  # hash of the faces
    content: str  # hash of everything stored

    def to_json(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> IndexEntry:
        """Raises `TypeError` when a field is missing or unknown."""
        return cls(**data)


NUMBERS = tuple(f.name for f in fields(IndexEntry) if f.type in ("int", "float"))
TEXTS = tuple(f.name for f in fields(IndexEntry) if f.name not in (*NUMBERS, "degrees_of_freedom"))


def write_index(
    folder: Path, entries: Iterable[IndexEntry], skipped: Mapping[str, str] | None = None
) -> Path:
    """Writes the index sorted by name, so that the bytes do not depend on the order of the objects."""
    ordered = sorted(entries, key=lambda entry: entry.name)
    lines = ",\n".join(dumps(entry.to_json()) for entry in ordered)
    head = f'{{"format":"{FORMAT}","version":{VERSION},"skipped":{dumps(dict(skipped or {}))},"objects":[\n'
    return write_bytes(folder / INDEX, f"{head}{lines}\n]}}\n".encode())


def read_index(folder: Path) -> tuple[tuple[IndexEntry, ...], dict[str, str]]:
    """Entries sorted by name, and the reasons for skipped objects."""
    path = folder / INDEX
    try:
        data = json.loads(path.read_bytes())
    except FileNotFoundError:
        raise InputError(
            folder, f"is no data store: it has no {INDEX}", "Name a folder written by `neurok data build`"
        ) from None
    except (OSError, ValueError, RecursionError) as error:
        raise InputError(path, f"cannot be read ({error})", REBUILD) from error
    if not isinstance(data, dict) or data.get("format") != FORMAT or data.get("version") != VERSION:
        raise InputError(path, f"is no index of format {FORMAT}, version {VERSION}", REBUILD)
    try:
        entries = tuple(_checked(IndexEntry.from_json(row)) for row in data["objects"])
        skipped = {str(name): str(reason) for name, reason in data["skipped"].items()}
    except (TypeError, ValueError, KeyError, AttributeError) as error:
        raise InputError(path, f"an entry is damaged ({error})", REBUILD) from error
    if len({entry.name for entry in entries}) < len(entries):
        raise InputError(path, "lists an object twice", REBUILD)
    return tuple(sorted(entries, key=lambda entry: entry.name)), skipped


def _checked(entry: IndexEntry) -> IndexEntry:
    for name in NUMBERS:
        if not isinstance(getattr(entry, name), int | float):
            raise TypeError(f"{name} is no number")
    for name in TEXTS:
        if not isinstance(getattr(entry, name), str):
            raise TypeError(f"{name} is no text")
    if Path(entry.file).is_absolute() or ".." in Path(entry.file).parts:
        raise ValueError(f"{entry.file!r} lies outside the store")
    return entry


def file_of(name: str) -> str:
    """objects/<name>.safetensors, with letters, digits, dot, dash and underscore; "/" separates folders.

    A name with other characters gets a hash suffix, so that two names never share a file.
    """
    parts = [re.sub(r"[^A-Za-z0-9._-]|^\.+", "_", part)[:80] for part in name.split("/") if part]
    safe = "/".join(parts)
    if safe != name:
        safe = f"{safe or 'object'}-{hashlib.sha256(name.encode()).hexdigest()[:8]}"
    return f"{OBJECTS}/{safe}.safetensors"


def dumps(data: Any) -> str:
    """Canonical JSON: sorted keys, no spaces, no NaN."""
    return json.dumps(data, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)
