"""Opens and validates one file of a store, and reads it frame by frame."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from jaxtyping import Float, Int, UInt8
from safetensors import SafetensorError, safe_open

from neurok.datasets.hinges import FIXED, PRISMATIC, Hinges
from neurok.datasets.store.index import REBUILD, IndexEntry
from neurok.datasets.store.quantise import restore_positions, restore_quaternions
from neurok.errors import InputError

Array = np.ndarray
METADATA = "neurok"  # single key of the metadata, because the order of several keys is not fixed
ALWAYS = {
    "rest": ("float32", "n3"), "faces": ("int32", "m3"), "part": ("int16", "m"), "area": ("float32", "m"),
    "component": ("int32", "m"), "clip_start": ("int32", "k"),
}  # fmt: skip
RIGID = {"handle": ("int16", "n"), "transforms": ("float32", "fh34")}
SOFT = {
    "positions": ("int16", "fn3"), "rotations": ("int16", "fn4"), "centre": ("float32", "f3"),
    "step": ("float32", "f"),
}  # fmt: skip
HINGES = {
    "hinge_parent": ("int16", "h"), "hinge_kind": ("int8", "h"), "hinge_axis": ("float32", "h3"),
    "hinge_pivot": ("float32", "h3"), "hinge_values": ("float32", "fh"),
}  # fmt: skip
COLORS = {"colors": ("uint8", "n4")}
DTYPES = {"float32": "F32", "int32": "I32", "int16": "I16", "int8": "I8", "uint8": "U8"}


@dataclass(frozen=True, eq=False)
class StoredObject:
    """Geometry in memory and frames in a mapped file, all in the unit ball of the rest shape."""

    entry: IndexEntry
    rest: Float[Array, "n 3"]
    faces: Int[Array, "m 3"]
    part: Int[Array, " m"]
    area: Float[Array, " m"]  # of the faces at rest
    component: Int[Array, " m"]  # connected component of the surface, regardless of parts
    clip_start: Int[Array, " k"]
    handle: Int[Array, " n"] | None  # of a rigid motion
    transforms: Float[Array, "f h 3 4"] | None
    hinges: Hinges | None
    file: Any
    path: Path

    @cached_property
    def colors(self) -> UInt8[Array, "n 4"] | None:
        return self.file.get_tensor("colors") if "colors" in self.file.keys() else None  # noqa: SIM118

    @cached_property
    def metadata(self) -> dict[str, Any]:
        return json.loads(self.file.metadata()[METADATA])

    @cached_property
    def quantisation(self) -> tuple[Float[Array, "f 3"], Float[Array, " f"]]:
        """Centre and step of every soft frame."""
        return self.file.get_tensor("centre"), self.file.get_tensor("step")

    def positions(self, frame: int) -> Float[Array, "n 3"]:
        """Vertices of one frame, float32."""
        if self.transforms is not None:
            maps = self.transforms[frame][self.handle]
            return np.einsum("nij,nj->ni", maps[..., :3], self.rest) + maps[..., 3]
        one = slice(frame, frame + 1)
        centre, step = self.quantisation
        return restore_positions(self.file.get_slice("positions")[one], centre[one], step[one])[0]

    def rotations(self, frame: int) -> Float[Array, "n 4"]:
        """Rotation from rest of every vertex of a soft frame, from the local rigid fit."""
        return restore_quaternions(self.file.get_slice("rotations")[frame])


def open_object(folder: Path, entry: IndexEntry) -> StoredObject:
    """Maps the file and validates its arrays against each other and the index."""
    path = folder / entry.file
    try:
        file = safe_open(path, framework="numpy")
        return _read(file, path, entry)
    except FileNotFoundError:
        raise InputError(path, "is missing from the store", REBUILD) from None
    except (SafetensorError, OSError, ValueError, KeyError, TypeError) as error:
        raise InputError(path, f"is damaged ({error})", f"Remove it. {REBUILD}") from error


def _read(file, path: Path, entry: IndexEntry) -> StoredObject:
    keys = set(file.keys())
    rigid = entry.motion == "rigid"
    expected = ALWAYS | (RIGID if rigid else SOFT)
    if missing := sorted(expected.keys() - keys):
        raise ValueError(f"it has no array {missing[0]!r}")
    for extra in (COLORS, HINGES if rigid else {}):
        expected |= extra if extra.keys() <= keys else {}
    if METADATA not in (file.metadata() or {}):
        raise ValueError("it was not written by neurok")
    _check_shapes(
        file, expected, {"n": entry.vertices, "m": entry.faces, "f": entry.frames, "k": entry.clips + 1}
    )
    small = {
        name: file.get_tensor(name) for name in expected if name not in ("positions", "rotations", "colors")
    }
    _check_values(small, entry)
    hinges = None
    if "hinge_parent" in small:
        hinges = Hinges(*(small[f"hinge_{key}"] for key in ("parent", "kind", "axis", "pivot", "values")))
    return StoredObject(
        entry, small["rest"], small["faces"], small["part"], small["area"], small["component"],
        small["clip_start"], small.get("handle"), small.get("transforms"), hinges, file, path,
    )  # fmt: skip


def _check_shapes(file, expected, sizes: dict[str, int]) -> None:
    """Checks the type of every array, and that axes with the same letter have the same length."""
    for name, (dtype, axes) in expected.items():
        view = file.get_slice(name)
        shape = view.get_shape()
        want = [int(a) if a.isdigit() else sizes.setdefault(a, s) for a, s in zip(axes, shape, strict=False)]
        if view.get_dtype() != DTYPES[dtype] or len(shape) != len(axes) or shape != want:
            raise ValueError(f"array {name!r} is {view.get_dtype()} {shape}")


def _check_values(arrays: dict[str, Array], entry: IndexEntry) -> None:
    labels = {"faces": entry.vertices, "part": entry.parts}
    if "handle" in arrays:
        labels["handle"] = arrays["transforms"].shape[1]
    for name, count in labels.items():
        if arrays[name].size and not (arrays[name].min() >= 0 and arrays[name].max() < count):
            raise ValueError(f"array {name!r} exceeds {count}")
    for name, array in arrays.items():
        if array.dtype == np.float32 and not np.isfinite(array).all():
            raise ValueError(f"array {name!r} has values that are NaN or infinite")
    if (arrays["area"] < 0).any():
        raise ValueError("faces have negative areas")
    start = arrays["clip_start"]
    if start[0] != 0 or start[-1] != entry.frames or (np.diff(start) <= 0).any():
        raise ValueError("its clips do not cover its frames")
    if "hinge_parent" in arrays:
        _check_hinges(arrays["hinge_parent"], arrays["hinge_kind"])


def _check_hinges(parent: Int[Array, " h"], kind: Int[Array, " h"]) -> None:
    if parent.min() < -1 or parent.max() >= len(parent) or kind.min() < FIXED or kind.max() > PRISMATIC:
        raise ValueError("its hinges name handles or kinds that do not exist")
    above = parent.astype(np.int64)
    for _ in range(len(parent)):
        above = np.where(above >= 0, parent[above], -1)
    if (above >= 0).any():
        raise ValueError("its hinges form a cycle")
