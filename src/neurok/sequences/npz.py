"""`load_npz_sequences`: reads motions of one shape from an .npz file.

`vertices` int16 (frames, n, 3) times `scale`; `faces` (m, 3); `clip_names`; `clip_start` (clips + 1);
`fps` per clip; optional `rest`, `colors`, `part`. Files of `save_npz` also contain part names and the
original coordinates (`centre`, `size`, `up`, `metres_per_unit`).
"""

from __future__ import annotations

import math
import tokenize
import zipfile
import zlib
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from jaxtyping import Float, Int
from numpy.lib import format as npy

from neurok.errors import InputError
from neurok.sequences.sequence import Sequence
from neurok.shapes import Frame, Material, Shape
from neurok.shapes.shape import unique_names

Array = np.ndarray

MAX_BYTES = 2 << 30  # of all arrays together, uncompressed
REQUIRED = {"vertices": 3, "scale": 0, "faces": 2, "clip_names": 1, "clip_start": 1, "fps": 1}
OPTIONAL = {
    "rest": 2, "colors": 2, "part": 1, "part_names": 1, "name": 0, "up": 0,
    "metres_per_unit": 0, "centre": 1, "size": 0, "alpha": 1,
}  # fmt: skip
KINDS = {"clip_names": "U", "part_names": "U", "name": "U", "up": "U"}  # all others are numbers


def load_npz_sequences(path: str | Path) -> list[Sequence]:
    """One sequence per clip, all of the same shape: the `rest` pose if there is one, else the first frame."""
    path = Path(path)
    data = read_arrays(path)
    check_arrays(path, data)
    up = str(data["up"]) if "up" in data else "y"
    metres = float(data.get("metres_per_unit", 1.0))
    if up not in ("y", "z") or not (math.isfinite(metres) and metres > 0):
        raise InputError(path, f"states up {up!r} and {metres} metres per unit", "Write the file again")
    frame = Frame(up, metres)
    start = data["clip_start"]
    moved = [own_coordinates(path, data["vertices"][i:j], data, frame) for i, j in pairwise(start)]
    rest = own_coordinates(path, data["rest"], data, frame) if "rest" in data else moved[0][0]
    shape = shape_of(path, data, rest, frame)
    return [
        Sequence(shape, positions, float(fps), str(name))
        for positions, fps, name in zip(moved, data["fps"], data["clip_names"], strict=True)
    ]


def own_coordinates(
    path: Path, steps: Array, data: dict[str, Array], frame: Frame
) -> Float[Array, "*batch 3"]:
    """x = turn(steps · scale · size) + centre: from the format's coordinates to the original ones."""
    turn = Frame("y", frame.metres_per_unit).to(frame)[:3, :3]
    with np.errstate(over="ignore", invalid="ignore"):
        factor = np.float64(data["scale"]) * np.float64(data.get("size", 1.0))
        positions = (steps @ (turn.T * factor) + data.get("centre", np.zeros(3))).astype(np.float32)
    if not np.isfinite(positions).all():
        raise InputError(path, f"coordinates overflow with a scale of {factor:g}", "Export it again")
    return positions


def shape_of(path: Path, data: dict[str, Array], rest: Float[Array, "n 3"], frame: Frame) -> Shape:
    """The shape of all clips. Part labels without faces are dropped unless they have a name."""
    faces = data["faces"]
    part, names = np.zeros(len(faces), np.int32), ("body",)
    if "part_names" in data:
        part, names = data.get("part", part), tuple(map(str, data["part_names"]))
    elif "part" in data:
        labels, part = np.unique(data["part"], return_inverse=True)
        names = ("body",) if len(labels) <= 1 else tuple(f"part_{k}" for k in labels)
    colors = None
    if "colors" in data:
        colors = np.c_[data["colors"][:, :3], data.get("alpha", np.full(len(rest), 255, np.uint8))]
    return Shape(
        vertices=rest,
        faces=faces.astype(np.int32),
        name=str(data["name"]) if "name" in data else path.stem,
        part=part,
        part_names=unique_names(names),
        materials=(Material() if colors is None else Material(color=(1.0, 1.0, 1.0, 1.0)),),
        colors=colors,
        frame=frame,
    )


def read_arrays(path: Path) -> dict[str, Array]:
    """The known arrays of the file. Headers and total size are checked before any array is read."""
    if not path.is_file():
        raise InputError(path, "there is no such file", "Check the path")
    try:
        with zipfile.ZipFile(path) as archive:
            known = {**REQUIRED, **OPTIONAL}
            entries = {i.filename.removesuffix(".npy"): i for i in archive.infolist()}
            wanted = {name: entry for name, entry in entries.items() if name in known}
            total = sum(entry.file_size for entry in wanted.values())
            if total > MAX_BYTES:
                raise InputError(
                    path, f"unpacks to {total / 2**30:.1f} GiB", "Split it into files below 2 GiB"
                )
            return {name: read_array(path, archive, entry, name) for name, entry in wanted.items()}
    except (OSError, EOFError, ValueError, zipfile.BadZipFile, zlib.error, NotImplementedError, RuntimeError,
            SyntaxError, tokenize.TokenError) as error:  # fmt: skip
        raise InputError(
            path, f"is not a readable .npz file ({error})", "Download or export it again"
        ) from error


def read_array(path: Path, archive: zipfile.ZipFile, entry: zipfile.ZipInfo, name: str) -> Array:
    """One array. Refuses a header that disagrees with the number of bytes in the file."""
    with archive.open(entry) as file:
        version = npy.read_magic(file)
        if version not in ((1, 0), (2, 0)):
            raise InputError(path, f"`{name}` has an unknown .npy version {version}", "Write the file again")
        header: Any = npy.read_array_header_1_0 if version == (1, 0) else npy.read_array_header_2_0
        dims, _, dtype = header(file)
        numbers = KINDS.get(name, "iuf")
        if dtype.kind not in numbers or (dtype.kind == "f" and dtype.itemsize > 8):
            raise InputError(path, f"`{name}` holds {dtype}", "See the description of the format")
        if any(d < 0 for d in dims) or math.prod(dims) * dtype.itemsize != entry.file_size - file.tell():
            raise InputError(
                path, f"`{name}` declares {dims} but has another size", "Download or export it again"
            )
    with archive.open(entry) as file:
        return npy.read_array(file, allow_pickle=False)


def check_arrays(path: Path, data: dict[str, Array]) -> None:
    """Refuses arrays of inconsistent shapes or types, naming the first."""
    fix = "See the description of the format in the documentation"
    missing = [name for name in REQUIRED if name not in data]
    if missing:
        raise InputError(path, f"has no `{missing[0]}`", fix)
    for name, rank in {**REQUIRED, **OPTIONAL}.items():
        if name in data and data[name].ndim != rank:
            raise InputError(path, f"`{name}` has {data[name].ndim} dimensions instead of {rank}", fix)
    frames, n = data["vertices"].shape[:2]
    m, clips = len(data["faces"]), len(data["clip_names"])
    shapes = {
        "vertices": (frames, n, 3), "faces": (m, 3), "clip_start": (clips + 1,), "fps": (clips,),
        "rest": (n, 3), "colors": (n, 3), "alpha": (n,), "part": (m,), "centre": (3,),
    }  # fmt: skip
    for name, expected in shapes.items():
        if name in data and data[name].shape != expected:
            raise InputError(path, f"`{name}` is {data[name].shape} instead of {expected}", fix)
    for name in ("vertices", "rest", "faces", "clip_start", "part", "colors", "alpha"):
        if name in data and data[name].dtype.kind not in "iu":
            raise InputError(path, f"`{name}` holds {data[name].dtype} instead of whole numbers", fix)
    for name in ("scale", "size", "centre", "fps"):
        if name in data and not np.isfinite(data[name]).all():
            raise InputError(path, f"`{name}` has values that are NaN or infinite", fix)
    if not (n and m and frames and clips):
        raise InputError(path, f"has {n} vertices, {m} faces, {frames} frames and {clips} clips", fix)
    check_ranges(path, data, n, frames)


def check_ranges(path: Path, data: dict[str, Array], n: int, frames: int) -> None:
    """Refuses indices out of range and factors that are not positive."""
    fix = "Download or export it again"
    outside = (data["faces"] < 0) | (data["faces"] >= n)
    if outside.any():
        bad = int(np.flatnonzero(outside.any(axis=1))[0])
        raise InputError(path, f"face {bad} names a vertex beyond the {n} of the mesh", fix)
    start: Int[Array, " c"] = data["clip_start"].astype(np.int64)
    if start[0] != 0 or start[-1] != frames or (np.diff(start) <= 0).any():
        raise InputError(path, f"`clip_start` does not rise from 0 to the {frames} frames", fix)
    if (data["fps"] <= 0).any() or data["scale"] <= 0 or data.get("size", 1) <= 0:
        raise InputError(path, "`fps`, `scale` and `size` must be positive", fix)
    if "part_names" in data:
        count, label = len(data["part_names"]), data.get("part", np.zeros(1, np.int16))
        if label.min() < 0 or label.max() >= count:
            raise InputError(path, f"`part` has labels beyond the {count} part names", fix)
    for key in ("colors", "alpha"):
        if key in data and (data[key].min() < 0 or data[key].max() > 255):
            raise InputError(path, f"`{key}` has values outside 0…255", fix)
